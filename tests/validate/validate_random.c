// 500 valid scenes made at random run for 40 frames: none fails, no step is longer than asked for, nothing wins energy or gets
// faster than what moves it.
//
//     validate_random                        all of them
//     validate_random FIRST COUNT            those of other seeds
//     validate_random --print SEED           the text of one
//     validate_random --run SEED DIR         one, with its files left in DIR
// and --without film,sources,... before these leaves ingredients out (names in support/random_scene.h), --bodies before that adds
// up to three bodies to every scene.
#include "folder.h"
#include "random_run.h"

static uint64_t first_seed = 1;
static int seeds = 500;
// A scene of many thin films may take its time; one that hangs must not.
enum { LONGEST = 1800 };
static RandomOptions options = {.frames = RANDOM_FRAMES, .seconds = LONGEST};

static void test_random_scenes(void** state)
{
    (void)state;
    options.folder = base;
    int faults = random_run_all(first_seed, seeds, &options);
    print_message("%d of %d random scenes at fault\n", faults, seeds);
    assert_int_equal(faults, 0);
}

static unsigned read_ingredients(const char* list)
{
    unsigned bits = 0;
    for (int m = 0; ingredient_names[m]; m++)
        if (strstr(list, ingredient_names[m])) bits |= 1u << m;
    return bits;
}

static int print_scene(uint64_t seed)
{
    RandomScene s;
    random_scene_make(&s, seed, options.without | (options.bodies ? 0u : (unsigned)INGREDIENT_BODIES));
    fputs(s.text, stdout);
    random_scene_free(&s);
    return 0;
}

static int run_scene(uint64_t seed, const char* folder)
{
    options.folder = folder;
    RandomResult r = random_run(seed, &options);
    random_print(seed, &r);
    return random_fault(&r) != NULL;
}

int main(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "--bodies") == 0) options.bodies = true, argc--, argv++;
    if (argc > 2 && strcmp(argv[1], "--without") == 0) options.without = read_ingredients(argv[2]), argc -= 2, argv += 2;
    if (argc == 3 && strcmp(argv[1], "--print") == 0) return print_scene(strtoull(argv[2], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "--run") == 0) return run_scene(strtoull(argv[2], NULL, 10), argv[3]);
    if (argc == 3) first_seed = strtoull(argv[1], NULL, 10), seeds = atoi(argv[2]);
    const struct CMUnitTest tests[] = {IN_FOLDER(test_random_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
