// The scenes that ship, as check sees them: no warning that is not deserved.
#include "check.h"
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include "rigid/rigid_mujoco.h"
#include "scene/scene_sim.h"
#include "scene/warnings.h"

// Warnings that are true, by scene and check.
static const struct {
    const char *scene, *check;
} deserved[] = {
    {"crown_splash.lua", "thin sheet"},     // a crown is thinner than the cells of a scene that runs in minutes
    {"crown_splash_2d.lua", "thin sheet"},  //
    {"rain.lua", "resolution"},             // thirty drops of 3 to 4 cells, for the sake of speed
    {"rain_2d.lua", "resolution"},          //
    {"film/pinch.lua", "gap"},              // the drop is to merge at once
    {"film/pinch_quick.lua", "gap"},        //
    {"web_in_rain.lua", "resolution"},      // the same
    {"leaf.lua", "resolution"},             // the same
    {"leaf.lua", "thin sheet"},             // they burst on it
    {"web_in_rain.lua", "thin sheet"},      // what falls past the web, or drips
    {"duck.lua", "thin body"},              // the tip of its beak, in the air
    {"cherries.lua", "thin body"},          // their stems
    {"water_strider.lua", "thin body"},     // its legs, which liquids see thicker
};
enum { DESERVED = sizeof deserved/sizeof *deserved };
static bool seen[DESERVED];

// Bodies that meet need MuJoCo.
static bool is_for_other_builds(mn_status status) { return status == MN_UNSUPPORTED && !rigid_mujoco_is_there(); }

static bool is_deserved(const char* scene, const char* check)
{
    for (int m = 0; m < DESERVED; m++)
        if (strcmp(deserved[m].scene, scene) == 0 && strcmp(deserved[m].check, check) == 0) return seen[m] = true;
    return false;
}

static void look_at_scene(const char* name)
{
    char path[512];
    Scene scene;
    Sim sim;
    Warnings found;
    snprintf(path, sizeof path, "%s/%s", MN_SCENES, name);
    mn_status loaded = scene_load(&scene, path, NULL);
    if (is_for_other_builds(loaded)) return;
    CHECK_OK(loaded);
    mn_status built = scene_build(&sim, &scene);
    if (is_for_other_builds(built)) {
        scene_free(&scene);
        return;
    }
    CHECK_OK(built);
    CHECK_OK(sim_rebuild(&sim));
    CHECK_OK(scene_warnings(&found, &scene, &sim));
    for (int m = 0; m < found.count; m++)
        if (!is_deserved(name, found.list[m].check)) fail_msg("%s: %s: %s", name, found.list[m].check, found.list[m].text);
    warnings_free(&found);
    sim_free(&sim);
    scene_free(&scene);
}

static int look_at_folder(const char* folder)
{
    char path[300];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", MN_SCENES, folder);
    DIR* d = opendir(path);
    assert_non_null(d);
    for (struct dirent* entry; (entry = readdir(d));) {
        const char* dot = strrchr(entry->d_name, '.');
        char inner[300];
        snprintf(inner, sizeof inner, "%s%.200s", folder, entry->d_name);
        if (!dot || strcmp(dot, ".lua") != 0) continue;
        look_at_scene(inner);
        count++;
    }
    closedir(d);
    return count;
}

// No scene is warned of without cause, and every cause listed here is still there.
static void test_shipped_scenes(void** state)
{
    (void)state;
    assert_true(look_at_folder("") + look_at_folder("film/") + look_at_folder("membrane/") >= 55);
    for (int m = 0; m < DESERVED; m++)
        if (!seen[m] && rigid_mujoco_is_there())
            fail_msg("%s has no warning \"%s\" any more", deserved[m].scene, deserved[m].check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shipped_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
