// `meniscus list`: the scenes that ship, one line each.
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/plaintext.h"
#include "cli/cli.h"
#include "scene/scene.h"

static const char usage[] = "usage: meniscus list\n\nLists the scenes that ship with meniscus: path and title.\n";

static int is_scene(const struct dirent* entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0;
}

static int is_folder(const struct dirent* entry) { return entry->d_type == DT_DIR && entry->d_name[0] != '.'; }

// The folder of scenes: the one that the user names (MENISCUS_SCENES); beside an installed program, wherever it was put,
// ../share/meniscus/scenes; of a program that lies where it was built that of its source.
static const char* scene_directory(void)
{
    static char installed[PATH_MAX];
    const char* from_user = getenv("MENISCUS_SCENES");
    if (from_user) return from_user;
    ssize_t length = readlink("/proc/self/exe", installed, sizeof installed - 1);
    installed[length > 0 ? length : 0] = 0;
    char* slash = strrchr(installed, '/');
    static const char below[] = "/../share/meniscus/scenes";
    if (!slash || (size_t)(slash - installed) + sizeof below > sizeof installed) return MN_SCENE_DIR;
    memcpy(slash, below, sizeof below);
    return access(installed, R_OK) == 0 ? installed : MN_SCENE_DIR;
}

static int list_scene(const char* path)
{
    Scene scene;
    mn_status status = scene_load(&scene, path, NULL);
    char plain[4096];
    text_plain(plain, sizeof plain, path);
    // a build without MuJoCo lists what needs it all the same
    if (status != MN_OK && status != MN_UNSUPPORTED) return cli_fail();
    printf("%-40s %s\n", plain, status == MN_OK ? scene.title : "(not with this build; check tells why)");
    if (status == MN_OK) scene_free(&scene);
    return 0;
}

// The scenes of a folder, then those of the folders in it. Returns the exit code; -1 if the folder cannot be read.
static int list_folder(const char* folder)
{
    int code = 0;
    for (int pass = 0; pass < 2; pass++) {
        struct dirent** entries;
        int count = scandir(folder, &entries, pass ? is_folder : is_scene, alphasort);
        if (count < 0) return -1;
        for (int m = 0; m < count; m++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", folder, entries[m]->d_name);
            int one = pass ? list_folder(path) : list_scene(path);
            if (one != 0) code = 1;
            free(entries[m]);
        }
        free(entries);
    }
    return code;
}

int list_command(int argc, char** argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc > 1) return cli_usage_error(usage, "list: takes no words, got '%s'", argv[1]);
    int code = list_folder(scene_directory());
    if (code >= 0) return code;
    mn_fail(MN_IO, "%s: no scenes there (set MENISCUS_SCENES to the folder that holds them)", scene_directory());
    return cli_fail();
}
