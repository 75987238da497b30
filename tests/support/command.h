// Running the built command, and what it prints.
#pragma once
#include "folder.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

// Commands of tests take seconds; on a machine with ten times the work they must still end in time.
enum { SECONDS_PER_COMMAND = 600, ROOM = 1 << 16 };

// What the last command printed.
static char out[ROOM], err[ROOM];

// How the next command is started; put back to zeros by it.
static struct {
    long file_limit;       // bytes per file, as on a disk that is full; 0: none
    int send, after_line;  // signal sent after this many lines of stderr
    bool terminal;         // stderr is one
    bool here;             // run in the test's folder
    bool deaf;             // stdout takes nothing: a file on a full disk
    bool closed;           // stdin, stdout and stderr are not open at all
} how;

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static inline void become_command(char** argv, int to_out, int to_err)
{
    dup2(how.deaf ? open("/dev/full", O_WRONLY) : to_out, 1);
    dup2(to_err, 2);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    if (how.file_limit > 0) {
        struct rlimit limit = {(rlim_t)how.file_limit, (rlim_t)how.file_limit};
        signal(SIGXFSZ, SIG_DFL);  // the command itself must see to it that it is not ended by this signal
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (how.here && chdir(base) != 0) _exit(126);
    for (int fd = 0; fd <= 2 && how.closed; fd++) close(fd);
    execv(MN_COMMAND, argv);
    _exit(127);
}

static inline int count_lines(const char* text)
{
    int count = 0;
    for (const char* c = text; *c; c++) count += *c == '\n';
    return count;
}

// Reads both pipes to their ends; false when time is up.
static inline bool listen_to(pid_t child, int from_out, int from_err)
{
    struct pollfd pipes[2] = {{.fd = from_out, .events = POLLIN}, {.fd = from_err, .events = POLLIN}};
    char* text[2] = {out, err};
    size_t used[2] = {0, 0};
    double end = now() + SECONDS_PER_COMMAND;
    while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
        if (now() > end) return false;
        if (poll(pipes, 2, 200) <= 0) continue;
        for (int p = 0; p < 2; p++) {
            if (pipes[p].fd < 0 || !pipes[p].revents) continue;
            char block[4096];
            ssize_t got = read(pipes[p].fd, block, sizeof block);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) {  // the end; a terminal says EIO
                pipes[p].fd = -1;
                continue;
            }
            size_t kept = used[p] + (size_t)got < ROOM ? (size_t)got : ROOM - 1 - used[p];
            memcpy(text[p] + used[p], block, kept);
            used[p] += kept;
            text[p][used[p]] = 0;
            if (how.send && count_lines(err) >= how.after_line) {
                kill(child, how.send);
                how.send = 0;
            }
        }
    }
    return true;
}

// Runs the command with these words and returns its exit code, or -(signal) when one ended it.
static inline int run_words(char** argv)
{
    out[0] = err[0] = 0;
    int a[2], b[2];
    assert_int_equal(pipe(a), 0);
    if (how.terminal) {
        b[0] = posix_openpt(O_RDWR | O_NOCTTY);
        assert_true(b[0] >= 0 && grantpt(b[0]) == 0 && unlockpt(b[0]) == 0);
        b[1] = open(ptsname(b[0]), O_RDWR | O_NOCTTY);
    } else {
        assert_int_equal(pipe(b), 0);
    }
    for (int m = 0; m < 2; m++) fcntl(a[m], F_SETFD, FD_CLOEXEC), fcntl(b[m], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) become_command(argv, a[1], b[1]);
    close(a[1]), close(b[1]);
    bool done = listen_to(child, a[0], b[0]);
    if (!done) kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    close(a[0]), close(b[0]);
    memset(&how, 0, sizeof how);
    if (!done) fail_msg("still running after %d s; it said: %s%s", SECONDS_PER_COMMAND, out, err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline int command(const char* first, ...)
{
    char* argv[24] = {"meniscus"};
    int count = 1;
    va_list words;
    va_start(words, first);
    for (const char* word = first; word && count < 23; word = va_arg(words, const char*)) argv[count++] = (char*)word;
    va_end(words);
    return run_words(argv);
}
#define COMMAND(...) command(__VA_ARGS__, (char*)NULL)

static inline void check_code_(int got, int expected, int line)
{
    if (got == expected) return;
    print_error("exit code: got %d, expected %d\n  stdout: %s\n  stderr: %s\n", got, expected, out, err);
    _fail(__FILE__, line);
}
#define CHECK_CODE(call, expected) check_code_(call, expected, __LINE__)

static inline void check_says_(const char* text, const char* needle, int line)
{
    if (strstr(text, needle)) return;
    print_error("expected \"%s\" in: %s\n", needle, text);
    _fail(__FILE__, line);
}
#define CHECK_SAYS(text, needle) check_says_(text, needle, __LINE__)

// Nothing on stdout; one line "meniscus: ..." on stderr that holds the words; only a usage text may follow.
static inline void check_message_(const char* words, int line)
{
    const char* rest = strchr(err, '\n');
    bool single = rest && (!rest[1] || strncmp(rest + 1, "usage:", 6) == 0);
    bool again = strstr(err, "\nmeniscus: ") != NULL;
    if (strncmp(err, "meniscus: ", 10) != 0 || !single || again || out[0] != 0) {
        print_error("expected one line \"meniscus: ...\"\n  stdout: %s\n  stderr: %s\n", out, err);
        _fail(__FILE__, line);
    }
    check_says_(err, words, line);
}
#define CHECK_MESSAGE(words) check_message_(words, __LINE__)

// What every program of such tests begins with.
static inline void command_setup(void)
{
    unsetenv("MENISCUS_SCENES");
    setenv("OMP_WAIT_POLICY", "passive", 1);  // tests share the processors with other tests
}
