// A movie of the pictures of a run, made by the program ffmpeg.
#include <errno.h>
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

mn_status render_movie_possible(void)
{
    if (program_on_path("ffmpeg")) return MN_OK;
    return mn_fail(MN_UNSUPPORTED, "no movie: the program ffmpeg is not installed (on Debian: apt-get install ffmpeg)");
}

// Runs a program in the given directory, without a shell, so that no name is ever taken for anything but a name.
static mn_status run_program(char* const argv[], const char* directory)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (posix_spawn_file_actions_init(&actions) != 0) return mn_fail(MN_NO_MEMORY, "out of memory");
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_addchdir_np(&actions, directory);
    int error = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return mn_fail(MN_IO, "%s could not be started: %s", argv[0], strerror(error));
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return mn_fail(MN_IO, "%s: %s", argv[0], strerror(errno));
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return MN_OK;
    return mn_fail(MN_IO, "%s did not succeed (exit code %d)", argv[0], WIFEXITED(state) ? WEXITSTATUS(state) : -1);
}

// Puts links to the pictures of the frames asked for into `links`, counted from 0 without gaps: other pictures that lie there
// do not belong into the movie. Returns their number.
static int link_pictures(const char* links, const RenderOptions* o)
{
    int count = 0;
    for (int frame = o->first; o->last < 0 || frame <= o->last; frame += o->every) {
        char picture[64], link[PATH_MAX], there[PATH_MAX + 64];
        snprintf(picture, sizeof picture, "../pictures/frame_%04d.png", frame);
        snprintf(there, sizeof there, "%s/%s", links, picture);
        snprintf(link, sizeof link, "%s/%06d.png", links, count);
        if (access(there, R_OK) != 0 || symlink(picture, link) != 0) break;
        count++;
    }
    return count;
}

static void remove_links(const char* links, int count)
{
    for (int i = 0; i < count; i++) {
        char link[PATH_MAX];
        snprintf(link, sizeof link, "%s/%06d.png", links, i);
        unlink(link);
    }
    rmdir(links);
}

mn_status render_movie(const char* dir, const RenderOptions* options)
{
    char links[PATH_MAX - 16], temporary[PATH_MAX], movie[PATH_MAX];
    if (strlen(dir) > PATH_MAX - 64) return mn_fail(MN_BAD_ARGUMENT, "%s: the name is too long", dir);
    TRY(render_movie_possible());
    snprintf(links, sizeof links, "%s/movie.XXXXXX", dir);
    snprintf(temporary, sizeof temporary, "%s/movie.tmp.mp4", dir);
    snprintf(movie, sizeof movie, "%s/movie.mp4", dir);
    if (!mkdtemp(links)) return mn_fail(MN_IO, "%s: %s", links, strerror(errno));
    int count = link_pictures(links, options);
    char* argv[] = {"ffmpeg", "-loglevel", "error", "-y", "-framerate", "24", "-i", "%06d.png",
                    // H.264 wants even sizes, and players want this pixel format
                    "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18", "../movie.tmp.mp4", NULL};
    mn_status status =
        count > 0 ? run_program(argv, links) : mn_fail(MN_IO, "no movie: there are no pictures in %s/pictures", dir);
    remove_links(links, count);
    if (status == MN_OK && rename(temporary, movie) != 0) status = mn_fail(MN_IO, "%s: %s", movie, strerror(errno));
    if (status != MN_OK) unlink(temporary);
    return status;
}
