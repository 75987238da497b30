// What pictures are made of: where the camera stands, light at a surface, looks of materials, samples of a pixel.
#include "check.h"
#include "base/vec.h"
#include "render/camera.h"
#include "render/light.h"
#include "render/looks.h"
#include "render/optics.h"
#include "render/sampler.h"
#include "scene/scene.h"

// The automatic camera has the whole box in the picture and uses most of it, for any shape of either.
static void test_camera_sees_box(void** state)
{
    (void)state;
    const V3 high[] = {v3(0.5f, 1, 0.5f), v3(0.5f, 0.1f, 0.5f), v3(0.05f, 1, 0.05f)};
    const int size[][2] = {{640, 480}, {300, 300}, {200, 500}};
    for (int b = 0; b < 3; b++)
        for (int s = 0; s < 3; s++)
            for (int view = 0; view < 4; view++) {
                V3 low = v3(-high[b][0], 0, -high[b][2]);
                Camera c = camera_fit((CameraView){28 + 100*view, 20 + 15*view, 1}, low, high[b], size[s][0], size[s][1]);
                float reach = 0;
                for (int i = 0; i < 8; i++) {
                    float xy[2];
                    V3 p = v3(i & 1 ? high[b][0] : low[0], i & 2 ? high[b][1] : low[1], i & 4 ? high[b][2] : low[2]);
                    assert_true(camera_project(xy, &c, p));
                    for (int d = 0; d < 2; d++) {
                        CHECK_LESS(0, xy[d]);
                        CHECK_LESS(xy[d], 1);
                        reach = fmaxf(reach, fabsf(xy[d] - 0.5f));
                    }
                    Ray ray = camera_ray(&c, xy[0], xy[1]);  // the ray through that pixel meets the corner
                    CHECK_WITHIN(v3_length(v3_cross(ray.direction, p - c.eye)), 0, 1e-4);
                }
                CHECK_LESS(0.42, reach);
            }
}

// At normal incidence water reflects ((n - 1)/(n + 1))^2 = 2.04 % from either side; it reflects all from below beyond the
// critical angle, sin = 1/n; and bent rays obey Snell's law.
static void test_water_surface_optics(void** state)
{
    (void)state;
    V3 n = v3(0, 1, 0);
    float water = look_of_liquid("water").index;
    double n1 = (water - 1)/(water + 1);
    CHECK_CLOSE(optics_cross(v3(0, -1, 0), n, 1/water).reflected, n1*n1, 1e-4);
    CHECK_CLOSE(optics_cross(v3(0, -1, 0), n, water).reflected, n1*n1, 1e-4);
    double critical = asin(1/water);
    for (int i = 1; i < 90; i++) {
        double a = i*PI/180;
        V3 d = v3((float)sin(a), (float)-cos(a), 0);
        Crossing in = optics_cross(d, n, 1/water), out = optics_cross(d, n, water);
        CHECK_WITHIN(sin(a), water*in.bent[0], 1e-5);
        CHECK_WITHIN(v3_length(in.bent), 1, 1e-5);
        if (a > critical + 1e-3) CHECK_CLOSE(out.reflected, 1, 1e-6);
        if (a < critical - 1e-3) CHECK_WITHIN(water*sin(a), out.bent[0], 1e-5);
    }
}

// Every material of the scene language has its own look, mirrors and whites give back less light than they get, and what is not
// known looks like water. Every word a scene may give a liquid or a solid is known.
static void test_looks(void** state)
{
    (void)state;
    const char* names[] = {"water", "milk", "ethanol", "silicone_oil_20cSt", "tetradecane", "mercury", "honey"};
    for (int i = 0; i < 7; i++) {
        LiquidLook look = look_of_liquid(names[i]);
        assert_string_equal(look.material, names[i]);
        if (look.sort != LOOK_MIRROR) CHECK_LESS(1.3, look.index);
        for (int d = 0; d < 3; d++) CHECK_LESS(look.albedo[d], 1);
    }
    assert_string_equal(look_of_liquid("custom").material, "water");
    assert_string_equal(look_of_liquid("olive oil").material, "oil");
    for (const char* const* word = scene_liquid_looks; *word; word++) assert_string_equal(look_of_liquid(*word).material, *word);
    for (const char* const* word = scene_solid_looks; *word; word++) {
        const SolidLook* look = look_of_solid(*word, "any");
        assert_string_equal(look->word, *word);
        assert_ptr_equal(look_numbered(look_number(look)), look);
    }
    assert_string_equal(look_of_solid("", "glass bowl")->word, "glass");
    assert_string_equal(look_of_solid("", "box")->word, "brown");
    assert_string_equal(look_of_solid("red", "glass bowl")->word, "red");
}

// A colour is what is left of white light after a quarter of the tank: of mid grey on the screen's scale (0x80) 0.2159 of it
// (IEC 61966-2-1). An opaque one gives that share back, less a tenth.
static void test_colours(void** state)
{
    (void)state;
    LiquidLook dye = look_of_liquid("#ff8000"), paint = look_of_liquid("opaque #808080");
    assert_int_equal(dye.sort, LOOK_CLEAR);
    assert_int_equal(paint.sort, LOOK_MATTE);
    CHECK_WITHIN(1, exp(-0.25*dye.absorption[0]), 1e-6);
    CHECK_WITHIN(0.2159, exp(-0.25*dye.absorption[1]), 1e-4);
    CHECK_LESS(exp(-0.25*dye.absorption[2]), 2e-3);
    for (int d = 0; d < 3; d++) CHECK_WITHIN(0.9*0.2159, paint.albedo[d], 1e-4);
    const char* wrong[] = {"#ff80", "#ff80000", "#ff80g0", "opaque", "opaque ff8000", "Opaque #ff8000", "# ff800"};
    for (int m = 0; m < 7; m++) assert_string_equal(look_of_liquid(wrong[m]).material, "water");
    char words[3][64] = {"#ff8000", "coffee", "sludge"};
    LiquidLooks l = looks_of_liquids(words, 3);
    for (int m = 0; m < 2; m++) assert_string_equal(looks_get(&l, m)->material, words[m]);
    assert_string_equal(looks_get(&l, 2)->material, "water");
}

// Irradiance of the surroundings on a level floor, and the largest and least radiance above 10 degrees and off the key light.
static float surroundings_light(StudioSurroundings around, float* most, float* least)
{
    enum { ROWS = 64, COLUMNS = 256 };
    StudioLight l = studio_light(28, true, around);
    V3 sum = v3_splat(0);
    *most = 0, *least = INFINITY;
    for (int m = 0; m < ROWS*COLUMNS; m++) {
        float sine = sqrtf((m/COLUMNS + 0.5f)/ROWS), a = 2*(float)PI*(float)(m%COLUMNS)/COLUMNS;
        V3 d = v3(sine*cosf(a), sqrtf(1 - sine*sine), sine*sinf(a)),
           light = light_around(&l, d);  // even in sin^2: by cosine
        sum += light*((float)PI/(ROWS*COLUMNS));
        if (d[1] < 0.17f || v3_dot(d, l.key) > 0.6f) continue;
        *most = fmaxf(*most, v3_luminance(light)), *least = fminf(*least, v3_luminance(light));
    }
    return v3_luminance(sum);
}

// The room lights a floor as much as the sky does, so that pictures are as bright; but its windows are many times brighter than
// its walls, which is what gives mirrors something to show.
static void test_surroundings(void** state)
{
    (void)state;
    float most[2], least[2];
    float sky = surroundings_light(SURROUNDINGS_SKY, &most[0], &least[0]);
    float room = surroundings_light(SURROUNDINGS_ROOM, &most[1], &least[1]);
    print_message("irradiance of the sky %.2f, of the room %.2f; contrast %.1f and %.1f\n", sky, room, most[0]/least[0],
                  most[1]/least[1]);
    CHECK_CLOSE(room, sky, 0.1);
    CHECK_LESS(most[0]/least[0], 3);
    CHECK_LESS(6, most[1]/least[1]);
}

// The first 16 points of a pixel's sequence fall one into each of 16 cells, for cells of any shape: that is what makes few
// samples go far.
static void test_samples_are_spread(void** state)
{
    (void)state;
    for (int across = 1; across <= 16; across *= 2) {
        int seen[16] = {0}, down = 16/across;
        for (int i = 0; i < 16; i++) {
            Sampler s = sampler_start(5, 9, i);
            float u[2];
            sampler_pair(u, &s);
            sampler_pair(u, &s);
            seen[(int)(u[0]*across)*down + (int)(u[1]*down)]++;
        }
        for (int i = 0; i < 16; i++) assert_int_equal(seen[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_camera_sees_box), cmocka_unit_test(test_water_surface_optics),
        cmocka_unit_test(test_looks),           cmocka_unit_test(test_colours),
        cmocka_unit_test(test_surroundings),    cmocka_unit_test(test_samples_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
