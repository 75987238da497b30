# The commands of the project; CMake does the work underneath.
.PHONY: all demo gallery test validate bench install deb format house clean deps

JOBS ?= $(shell nproc)
RELEASE = build
CHECKED = build-checked
# ON: a warning is an error, as in CI.
WERROR ?= OFF

# Sets up a build: folder, options of CMake. What CMake says is shown only when it fails.
configure = cmake -S . -B $1 -G Ninja $2 -DMENISCUS_WERROR=$(WERROR) > $1.log 2>&1 || { cat $1.log; exit 1; }; rm -f $1.log

all: deps
	@$(call configure,$(RELEASE),-DCMAKE_BUILD_TYPE=Release)
	@cmake --build $(RELEASE) -j $(JOBS)

deps:
	@scripts/install-deps

# The main job on the default scene, 2D then 3D; pictures and tables land in out/.
demo: all
	@scripts/demo

# A picture of every scene that ships, where it is not up to date, and docs/gallery.md. Takes long the first time.
gallery: all
	@scripts/gallery

# Fast tests: the optimised build, then the checked build (asserts, ASan, UBSan).
test: all
	@$(call configure,$(CHECKED),-DCMAKE_BUILD_TYPE=Debug -DMENISCUS_SANITIZE=ON)
	@cmake --build $(CHECKED) -j $(JOBS)
	ctest --test-dir $(RELEASE) --output-on-failure -j $(JOBS) -L fast
	ctest --test-dir $(CHECKED) --output-on-failure -j $(JOBS) -L checked

# Long runs against analytic and published numbers; docs/validation/ holds the tables of the last full run.
# One thread each, as many at once as there are processors: the numbers are the same for any number of threads.
# Its last tests let Blender, ParaView, OpenVDB and ffmpeg read what a run leaves: 2 GB of packages, installed only here.
validate: all
	@scripts/install-deps --validate
	ctest --test-dir $(RELEASE) --output-on-failure -j $(JOBS) -L long

# Our numbers beside hypre's; its packages are for this alone. Without them (no rights, no network) the rest still runs.
bench:
	@scripts/install-deps --bench || true
	@$(MAKE) --no-print-directory all
	@scripts/bench

# The program, the library and all that belongs to them, below PREFIX (DESTDIR before it, for packages). What is installed runs on
# any processor of this kind and is as fast as this machine's own allows; NATIVE=ON: for this machine's processor only.
PREFIX ?= /usr/local
NATIVE ?= OFF
INSTALLED = build-install
install: deps
	@$(call configure,$(INSTALLED),-DCMAKE_BUILD_TYPE=Release -DMENISCUS_NATIVE=$(NATIVE) -DMENISCUS_TESTS=OFF \
	  -DCMAKE_INSTALL_PREFIX=$(PREFIX))
	@cmake --build $(INSTALLED) -j $(JOBS)
	@DESTDIR=$(DESTDIR) cmake --install $(INSTALLED) --strip > /dev/null
	@test -n "$(DESTDIR)" || ! test -w /etc/ld.so.cache || ldconfig
	@echo "meniscus is in $(DESTDIR)$(PREFIX)"

# The same as a Debian package, in build-deb/.
deb: deps
	@$(call configure,build-deb,-DCMAKE_BUILD_TYPE=Release -DMENISCUS_NATIVE=OFF -DMENISCUS_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr)
	@cmake --build build-deb -j $(JOBS)
	@cd build-deb && cpack > cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@ls build-deb/*.deb

format:
	@scripts/format

# Format, include direction, line lengths: one line per finding.
house:
	@scripts/install-deps --house
	@scripts/check-house

clean:
	rm -rf $(RELEASE) $(CHECKED) $(INSTALLED) build-deb
