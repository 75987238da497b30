// The whole of the command `meniscus`: makes a safe start and picks the sub-command.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "meniscus.h"

static const char usage[] = "meniscus simulates small liquids.\n"
                            "\n"
                            "usage: meniscus COMMAND [OPTIONS]\n"
                            "\n"
                            "  run SCENE.lua     simulate a scene; results go to a directory\n"
                            "  check SCENE.lua   read a scene and report its sizes, numbers and doubts without running it\n"
                            "  render DIR        make pictures of a run\n"
                            "  plot DIR [DIR2]   draw the curves of a run, or of several runs\n"
                            "  export DIR        the frames of a run as files for other programs\n"
                            "  list              the scenes that ship with meniscus\n"
                            "\n"
                            "meniscus COMMAND --help tells more. meniscus --version prints the version.\n";

typedef struct Command {
    const char* name;
    int (*run)(int argc, char** argv);
} Command;

static const Command commands[] = {{"run", run_command},       {"check", check_command}, {"render", render_command},
                                   {"export", export_command}, {"plot", plot_command},   {"list", list_command}};

// Who starts us may have closed standard input, output or error. The next file we open would get that number, and messages would
// be written into it: a table, a checkpoint. So the numbers are taken first of all.
static void fill_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) _exit(1);  // nobody is there to be told
}

// Threads that wait for each other spin by default, which on a machine that also does other work can make two threads many times
// slower than one. A short spin and then sleep costs nothing measurable. The OpenMP library reads this before main, hence the
// second start; a user's own setting stands.
static void limit_spinning(char** argv)
{
    if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY")) return;
    if (setenv("GOMP_SPINCOUNT", "10000", 1) == 0) execv("/proc/self/exe", argv);  // if it fails, go on as we are
}

// A report that did not reach its file (full disk) is a failure, whatever the command thought.
static int finish(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "meniscus: the report cannot be written: %s\n", strerror(errno ? errno : EIO));
    return code ? code : 1;
}

int mn_command(int argc, char** argv)
{
    fill_standard_files();
    signal(SIGXFSZ, SIG_IGN);  // a file that may not grow (ulimit -f) is an error of write, told as that of a full disk is
    limit_spinning(argv);
    if (argc < 2) {
        fputs(usage, stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        fputs(usage, stdout);
        return finish(0);
    }
    if (strcmp(argv[1], "--version") == 0 || (argc == 3 && strcmp(argv[2], "--version") == 0)) {
        printf("meniscus %s\n", mn_version());
        return finish(0);
    }
    for (size_t c = 0; c < sizeof commands/sizeof *commands; c++)
        if (strcmp(argv[1], commands[c].name) == 0) return finish(commands[c].run(argc - 1, argv + 1));
    fprintf(stderr, "meniscus: unknown command '%s'; known are run, check, render, export, plot and list\n", argv[1]);
    return 2;
}
