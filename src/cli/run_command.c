// `meniscus run`: options, progress line, Ctrl-C.
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "cli/cli.h"
#include "meniscus.h"

static const char usage[] =
    "usage: meniscus run SCENE.lua [-o DIR] [--set NAME=VALUE] [--frames N] [--threads N] [--quiet] [--resume]\n"
    "                    [--hash] [--allow-outside]\n"
    "\n"
    "  -o, --output DIR   where results go (default: out/NAME for NAME.lua)\n"
    "  --set NAME=VALUE   an option of the scene (`meniscus check` lists them); may be given again\n"
    "  --frames N         stop after N frames instead of the scene's own number\n"
    "  --threads N        processors to use (default: all)\n"
    "  --quiet            no progress\n"
    "  --resume           go on from the last checkpoint in DIR, with the options that the run began with\n"
    "  --hash             print a hash of the whole state per frame: equal lines are equal runs, to the last bit\n"
    "  --allow-outside    the scene may read files (includes, meshes, caches) outside its folder\n"
    "\n"
    "Ctrl-C ends the run cleanly after a checkpoint; a second one ends it at once.\n";

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

typedef struct Display {
    bool quiet, terminal, hash;
} Display;

static void print_duration(char* out, size_t size, double seconds)
{
    if (seconds < 0) snprintf(out, size, "--");
    else if (seconds < 100) snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 6000) snprintf(out, size, "%.0f min", seconds/60);
    else snprintf(out, size, "%.1f h", seconds/3600);
}

// One line, rewritten in place on a terminal; a line per frame otherwise.
static bool show_progress(void* user, const mn_progress* p)
{
    const Display* d = user;
    if (d->hash && p->frame_done) printf("frame %d hash %016llx\n", p->frame, p->hash);
    if (!d->quiet && (d->terminal || p->frame_done)) {
        char left[32], line[512];
        print_duration(left, sizeof left, p->seconds_left);
        snprintf(
            line, sizeof line,
            "frame %d/%d  t %.4g s  dt %.2g s  %d iterations  volume error %.1e  ledger %.0e  %d liquid%s  %d spray  left %s",
            p->frame, p->frames, p->time, p->dt, p->iterations, p->volume_correction, fabs(p->ledger_error), p->liquids,
            p->liquids == 1 ? "" : "s", p->droplets, left);
        if (d->terminal) {
            struct winsize size;
            int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
            if ((int)strlen(line) >= width) line[width - 1] = '\0';
            fprintf(stderr, "\r\033[K%s", line);
        } else {
            fprintf(stderr, "%s\n", line);
        }
    }
    return !interrupted;
}

static void show_line(void* user, const char* line)
{
    const Display* d = user;
    if (!d->quiet) fprintf(stderr, "%s\n", line);
}

// out/NAME for .../NAME.lua
static void default_directory(char* out, size_t size, const char* scene)
{
    const char* slash = strrchr(scene, '/');
    const char* name = slash ? slash + 1 : scene;
    const char* dot = strrchr(name, '.');
    snprintf(out, size, "out/%.*s", (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name)), name);
}

int run_command(int argc, char** argv)
{
    enum { SET = 1000, FRAMES, THREADS, QUIET, RESUME, HASH, OUTSIDE };
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"set", required_argument, NULL, SET},
                                            {"frames", required_argument, NULL, FRAMES},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"quiet", no_argument, NULL, QUIET},
                                            {"resume", no_argument, NULL, RESUME},
                                            {"hash", no_argument, NULL, HASH},
                                            {"allow-outside", no_argument, NULL, OUTSIDE},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    CliSettings settings = {0};
    mn_run_options run = {.settings = settings.setting};
    Display display = {.terminal = isatty(STDERR_FILENO)};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) switch (c) {
        case 'o':
            run.directory = optarg;
            break;
        case SET:
            if (!cli_add_setting(&settings, optarg)) return 2;
            break;
        case FRAMES:
            if (!cli_number(&run.frames, "--frames", optarg)) return 2;
            break;
        case THREADS:
            if (!cli_number(&run.threads, "--threads", optarg)) return 2;
            break;
        case QUIET:
            display.quiet = true;
            break;
        case RESUME:
            run.resume = true;
            break;
        case HASH:
            run.hash = display.hash = true;
            break;
        case OUTSIDE:
            run.allow_outside = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            return cli_usage_error(usage, "run: unknown or incomplete option '%s'", argv[optind - 1]);
        }
    if (optind != argc - 1) return cli_usage_error(usage, "run: expected one scene file, got %d", argc - optind);
    char directory[4096];
    run.scene = argv[optind];
    if (!run.directory) {
        default_directory(directory, sizeof directory, run.scene);
        run.directory = directory;
    }
    run.progress = show_progress;
    run.tell = show_line;
    run.user = &display;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    mn_status status = mn_run(&run);
    if (!display.quiet && display.terminal) fputc('\n', stderr);
    if (status == MN_STOPPED) {
        fprintf(stderr, "meniscus: %s\n", mn_last_error());
        return 130;
    }
    return status == MN_OK ? 0 : cli_fail();
}
