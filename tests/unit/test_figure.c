// Pictures of runs in two dimensions: filled areas, lengths of scale bars, colours of computed fields.
#include "picture_run.h"
#include <hdf5.h>
#include "render/gridfield.h"
#include "render/labels.h"
#include "render/raster.h"

// A filled polygon covers its exact area, wherever it lies on the pixels: a disc of 4000 edges to 1 % (and far better).
static void test_disc_area(void** state)
{
    (void)state;
    Mask m;
    CHECK_OK(mask_init(&m, 64, 48));
    double radius = 15.3;
    for (int i = 0; i < 4000; i++) {
        double a = 2*PI*i/4000, b = 2*PI*(i + 1)/4000;
        mask_edge(&m, 30.7 + radius*cos(a), 22.1 + radius*sin(a), 30.7 + radius*cos(b), 22.1 + radius*sin(b));
    }
    mask_close(&m);
    double sum = 0;
    for (int i = 0; i < 64*48; i++) sum += m.cover[i];
    CHECK_CLOSE(sum, PI*radius*radius, 1e-3);
    mask_free(&m);
}

// What sticks out of the picture is cut off and nothing else: half of a square that lies across the left edge remains.
static void test_fill_is_clipped(void** state)
{
    (void)state;
    Mask m;
    CHECK_OK(mask_init(&m, 20, 20));
    const double q[4][2] = {{-5.5, 4}, {5.5, 4}, {5.5, 30}, {-5.5, 30}};
    for (int i = 0; i < 4; i++) mask_edge(&m, q[i][0], q[i][1], q[(i + 1)%4][0], q[(i + 1)%4][1]);
    mask_close(&m);
    double sum = 0;
    for (int i = 0; i < 400; i++) sum += m.cover[i];
    CHECK_CLOSE(sum, 5.5*16, 1e-5);
    mask_free(&m);
}

// Lengths on scale bars are 1, 2 or 5 times a power of ten.
static void test_round_lengths(void** state)
{
    (void)state;
    CHECK_CLOSE(label_round_down(0.0049), 0.002, 1e-12);
    CHECK_CLOSE(label_round_down(0.005), 0.005, 1e-12);
    CHECK_CLOSE(label_round_down(0.01), 0.01, 1e-12);
    CHECK_CLOSE(label_round_up(0.21), 0.5, 1e-12);
    CHECK_CLOSE(label_round_up(0.51), 1, 1e-12);
    CHECK_CLOSE(label_round_up(0), 1, 1e-12);
}

// A 2D picture shows the disc of liquid in its true area: pixels of the liquid's colour over those of the tank.
static void test_figure_area(void** state)
{
    (void)state;
    const char* dir = make_run("flat", 2, "\"sides\": [\"wall\", \"wall\", \"wall\", \"wall\", \"wall\", \"wall\"]");
    RenderOptions o;
    render_defaults(&o);
    o.width = 640, o.height = 480, o.threads = 1;
    Picture p;
    take_picture(&p, dir, &o);
    V3 liquid = picture_get(&p, 320, 240);
    int count = 0, left = 640, right = 0;
    for (int y = 0; y < 480; y++)
        for (int x = 0; x < 640; x++) {
            V3 d = picture_get(&p, x, y) - liquid;
            if (v3_dot(d, d) > 1e-4f) continue;
            count++;
            left = mini(left, x), right = maxi(right, x + 1);
        }
    // the outline hides about half its own width of the fill all round: compare with the disc of the width that is left
    double radius = 0.5*(right - left);
    CHECK_LESS(80, radius);
    CHECK_CLOSE(count, PI*radius*radius, 0.01);
    picture_free(&p);
}

static void put_attribute(hid_t group, const char* name, hid_t type, hsize_t count, const void* data)
{
    hid_t space = H5Screate_simple(1, &count, NULL), a = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, type, data) >= 0);
    H5Aclose(a), H5Sclose(space);
}

static void put_array(hid_t group, const char* name, int rank, const hsize_t* dims, const float* data)
{
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t set = H5Dcreate2(group, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set), H5Sclose(space);
}

// A volume of 20 x 20 cells of 1 mm, as runs write it: p = 300 Pa at the floor, falling by 10 Pa per mm, u = (0, 50 y, 0), wet
// below 17 mm. A plane, or a slab one cell thick.
static void save_volume(const char* path, bool slab)
{
    enum { N = 20 };
    float p[2*(N + 1)*(N + 1)], phi[2*(N + 1)*(N + 1)], u[6*(N + 1)*(N + 1)];
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++) {
            int m = j*(N + 1) + i;
            p[m] = j < 17 ? 300 - 10*(float)j : 0;
            phi[m] = fminf(1e-3f*(float)(j - 17), 2e-3f);
            u[3*m] = u[3*m + 2] = 0, u[3*m + 1] = phi[m] < 2e-3f ? 0.05f*(float)j : 0;
        }
    memcpy(p + (N + 1)*(N + 1), p, sizeof p/2);
    memcpy(phi + (N + 1)*(N + 1), phi, sizeof phi/2);
    memcpy(u + 3*(N + 1)*(N + 1), u, sizeof u/2);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_attribute(group, "WholeExtent", H5T_NATIVE_INT, 6, (int[6]){0, N, 0, N, 0, slab});
    put_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, (double[3]){0});
    put_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, (double[3]){1e-3, 1e-3, 1e-3});
    hid_t points = H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_array(points, "phi", 3, (hsize_t[3]){1 + slab, N + 1, N + 1}, phi);
    put_array(points, "u", 4, (hsize_t[4]){1 + slab, N + 1, N + 1, 3}, u);
    put_array(points, "p", 3, (hsize_t[3]){1 + slab, N + 1, N + 1}, p);
    H5Gclose(points), H5Gclose(group), H5Fclose(file);
}

// Colours inside a liquid are those of the computed field where the run wrote it: linear fields come out exact, dry samples do
// not count, and the picture is coloured by them. A file that is missing, cut short or changed is named.
static void test_computed_fields(void** state)
{
    (void)state;
    const char* dir = make_run("fields", 2, "\"sides\": []");
    RenderOptions o;
    render_defaults(&o);
    o.width = 320, o.height = 240, o.threads = 1, o.color = "pressure";
    assert_int_equal(render_run(dir, &o), MN_IO);
    assert_non_null(strstr(mn_last_error(), "volume_0000.hdf is missing"));
    RunFiles run;
    GridField f;
    CHECK_OK(runfiles_open(&run, dir));
    for (int slab = 0; slab < 2; slab++) {
        save_volume(in("fields/volume_0000.hdf"), slab);
        CHECK_OK(gridfield_read(&f, &run, 0, GRID_PRESSURE));
        CHECK_WITHIN(gridfield_at(&f, (double[3]){0.0113, 0.0081, 0}), 300 - 81, 1e-3);
        CHECK_WITHIN(gridfield_at(&f, (double[3]){0.0113, 0.0168, 0}), 300 - 160, 1e-3);  // as the last wet node has it
        gridfield_free(&f);
        CHECK_OK(gridfield_read(&f, &run, 0, GRID_SPEED));
        CHECK_WITHIN(gridfield_at(&f, (double[3]){0.0113, 0.0081, 0}), 50*0.0081, 1e-6);
        gridfield_free(&f);
    }
    double low, high;
    CHECK_OK(gridfield_range(&low, &high, &run, GRID_PRESSURE));
    CHECK_WITHIN(low, 0, 0);
    CHECK_CLOSE(high, 500, 1e-12);
    runfiles_close(&run);
    Picture p;
    take_picture(&p, dir, &o);
    // lighter is more: the lower part of the disc is under more pressure
    CHECK_LESS(v3_luminance(picture_get(&p, 160, 95)) + 0.03, v3_luminance(picture_get(&p, 160, 140)));
    picture_free(&p);
    size_t size;
    char* data = contents("fields/volume_0000.hdf", &size);
    write_bytes("fields/volume_0000.hdf", data, size/2);
    assert_int_equal(render_run(dir, &o), MN_IO);
    assert_non_null(strstr(mn_last_error(), "volume_0000.hdf"));
    write_text("fields/volume_0000.hdf", "nothing");
    assert_int_equal(render_run(dir, &o), MN_IO);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc_area),   cmocka_unit_test(test_fill_is_clipped), cmocka_unit_test(test_round_lengths),
        cmocka_unit_test(test_figure_area), cmocka_unit_test(test_computed_fields),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
