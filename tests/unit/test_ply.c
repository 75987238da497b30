// Surfaces for pictures, read from PLY files: whole, cut short and damaged ones.
#include "picture_run.h"
#include "output/orient.h"
#include "output/ply.h"

// What was written is what is read: counts, coordinates, normals and corners of a ball.
static void test_mesh_round_trip(void** state)
{
    (void)state;
    save_ball("ball.ply", (double[3]){1, 2, 3}, 0.5, 8);
    Layer m;
    CHECK_OK(ply_read(&m, "ball", in("ball.ply")));
    assert_int_equal(m.points, 9*16);
    assert_int_equal(m.elements, 2*7*16);
    for (int i = 0; i < m.points; i++) {
        V3 d = v3_load(m.position + 3*i) - v3(1, 2, 3);
        CHECK_WITHIN(v3_length(d), 0.5, 1e-6);
        CHECK_WITHIN(v3_length(d*2 - v3_load(layer_reals(&m, "normal") + 3*i)), 0, 1e-6);
        CHECK_WITHIN(layer_reals(&m, "velocity")[3*i + 1], -0.1, 1e-7);
    }
    layer_free(&m);
    save_circle("ball.ply", 0, 0, 1, 32);
    CHECK_OK(ply_read(&m, "ball", in("ball.ply")));
    assert_int_equal(m.elements, 32);
    CHECK_WITHIN(m.position[3*8 + 1], 1, 1e-6);
    assert_int_equal(m.element[2*31], 31);
    assert_int_equal(m.element[2*31 + 1], 0);
    layer_free(&m);
}

// A file cut at any place is refused with its name, and never crashes.
static void test_truncated_files(void** state)
{
    (void)state;
    size_t size;
    for (int kind = 2; kind <= 3; kind++) {
        if (kind == 3) save_ball("whole.ply", (double[3]){0, 0, 0}, 1, 3);
        else save_circle("whole.ply", 0, 0, 1, 9);
        char* data = contents("whole.ply", &size);
        for (size_t n = 0; n < size; n += n < 600 ? 1 : 7) {
            Layer m;
            write_bytes("cut.ply", data, n);
            assert_int_equal(ply_read(&m, "cut", in("cut.ply")), MN_IO);
            assert_non_null(strstr(mn_last_error(), "cut.ply"));
            assert_null(m.position);
        }
        free(data);
    }
}

// Damaged bytes are either refused or read as a smaller truth, but never crash or ask for all memory.
static void test_damaged_files(void** state)
{
    (void)state;
    size_t size;
    save_ball("whole.ply", (double[3]){0, 0, 0}, 1, 3);
    char* data = contents("whole.ply", &size);
    for (size_t n = 0; n < size; n++) {
        Layer m;
        char before = data[n];
        data[n] = before >= '0' && before <= '9' && n < 300 ? '9' : (char)~before;
        write_bytes("bad.ply", data, size);
        if (ply_read(&m, "bad", in("bad.ply")) == MN_OK && m.kind == LAYER_TRIANGLES) orient_layer(&m);
        assert_true(m.points == 0 || layer_is_valid(&m));
        layer_free(&m);
        data[n] = before;
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh_round_trip),
        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_damaged_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
