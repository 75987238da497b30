// A movie of the pictures of a run, made by the program ffmpeg.
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "render/render.h"

extern char** environ;

static bool program_on_path(const char* name)
{
    const char* path = getenv("PATH");
    for (const char* at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%.*s/%s", (int)length, at, name);
        if (length > 0 && access(file, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

// Runs a program without a shell, so that no name in `argv` is ever taken for anything but a name.
static mn_status run_program(char* const argv[])
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (posix_spawn_file_actions_init(&actions) != 0) return mn_fail(MN_NO_MEMORY, "out of memory");
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    int error = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return mn_fail(MN_IO, "%s could not be started: %s", argv[0], strerror(error));
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return mn_fail(MN_IO, "%s: %s", argv[0], strerror(errno));
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return MN_OK;
    return mn_fail(MN_IO, "%s did not succeed (exit code %d)", argv[0], WIFEXITED(state) ? WEXITSTATUS(state) : -1);
}

mn_status render_movie(const char* dir)
{
    char pictures[PATH_MAX], temporary[PATH_MAX], movie[PATH_MAX];
    if (strlen(dir) > PATH_MAX - 64) return mn_fail(MN_BAD_ARGUMENT, "%s: the name is too long", dir);
    // ./ in front: a directory that begins with '-' must not look like an option, nor "a:b" like a protocol
    const char* front = dir[0] == '/' ? "" : "./";
    snprintf(pictures, sizeof pictures, "%s%s/pictures/frame_*.png", front, dir);
    snprintf(temporary, sizeof temporary, "%s%s/movie.tmp.mp4", front, dir);
    snprintf(movie, sizeof movie, "%s%s/movie.mp4", front, dir);
    if (!program_on_path("ffmpeg")) return mn_fail(MN_UNSUPPORTED, "no movie: the program ffmpeg is not installed");
    glob_t found;
    int there = glob(pictures, 0, NULL, &found);
    globfree(&found);
    if (there != 0) return mn_fail(MN_IO, "no movie: there are no pictures in %s/pictures", dir);
    char* argv[] = {"ffmpeg", "-loglevel", "error", "-y", "-framerate", "24", "-pattern_type", "glob", "-i", pictures,
                    // H.264 wants even sizes, and players want this pixel format
                    "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18", temporary, NULL};
    mn_status status = run_program(argv);
    if (status == MN_OK && rename(temporary, movie) != 0) status = mn_fail(MN_IO, "%s: %s", movie, strerror(errno));
    if (status != MN_OK) unlink(temporary);
    return status;
}
