// What runs leave of bodies: bodies.csv, run.json and a mesh per frame; also after a stop, and with tables that were changed.
#include "base/vec.h"
#include "liquid/solid.h"
#include "output/body_row.h"
#include "output/ply.h"
#include "results.h"
#include "rigid/rigid_mujoco.h"

static const char float_scene[] = "return scene { domain = { size = { mm(20), mm(16) }, cells = 20, sides = { top = 'open' } },"
                                  " liquids = { pool { depth = mm(8) } },"
                                  " bodies = { box { low = { mm(8, 6) }, high = { mm(14, 10) }, density = 700, name = 'raft',"
                                  "   velocity = { 0.1, 0 }, spin = 5, look = 'red' },"
                                  "   sphere { center = { mm(4, 13) }, radius = mm(2), density = 2000 } },"
                                  " frames = { rate = 500, count = 4, checkpoint_every = 1 } }";

// A turn as a vector is the vector again, and as a quaternion cos and sin of half the angle; also half a turn about any axis.
static void test_rotations(void** state)
{
    (void)state;
    static const double turns[][3] = {{0, 0, 0},      {0.3, 0, 0}, {1e-9, 0, 0}, {0.1, -2, 0.4}, {PI - 1e-6, 0, 0},
                                      {0, -3.1, 0.2}, {1, 1, 1},   {0, 0, PI},   {-2, 2, 0.5}};
    for (size_t m = 0; m < sizeof turns/sizeof *turns; m++) {
        double vector[3], q[4], angle = vec_norm(turns[m]);
        Pose pose = pose_at((double[3]){0, 0, 0}, turns[m]);
        rotation_vector(vector, pose.rotation);
        rotation_quaternion(q, pose.rotation);
        for (int d = 0; d < 3; d++) {
            CHECK_WITHIN(vector[d], turns[m][d], 1e-9);
            CHECK_WITHIN(q[1 + d], angle > 0 ? sin(angle/2)*turns[m][d]/angle : 0, 1e-9);
        }
        CHECK_WITHIN(q[0], cos(angle/2), 1e-9);
    }
}

// The number in a column of line `row` (0: the first after the names).
static double number_in(const char* table, const char* name, int row)
{
    int number = column(table, name);
    assert_true(number >= 0);
    const char* at = strchr(table, '\n') + 1;
    for (; row > 0; row--) at = strchr(at, '\n') + 1;
    for (; number > 0; number--) at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

static void test_table(void** state)
{
    (void)state;
    if (!rigid_mujoco_is_there()) skip();  // two bodies need it
    write_text("a.lua", float_scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    size_t size;
    char *table = contents("o/bodies.csv", &size), *json = contents("o/run.json", &size);
    static const char first[] =
        "frame,t,name,cx,cy,cz,rx,ry,rz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,pressure_fx,pressure_fy,pressure_fz,"
        "pressure_tx,pressure_ty,pressure_tz,tension_fx,tension_fy,tension_fz,tension_tx,tension_ty,"
        "tension_tz,friction_fx,friction_fy,friction_fz,friction_tx,friction_ty,friction_tz,contacts,"
        "wetted,lines,kinetic_energy\n0,0,\"raft\",";
    assert_memory_equal(table, first, strlen(first));
    assert_int_equal(count_lines(table), 1 + 2*5);
    CHECK_SAYS(table, "\n4,0.0080000000000000002,\"body2\",");
    double area = 6e-3*4e-3, turn = area*(36e-6 + 16e-6)/12;
    CHECK_CLOSE(number_in(table, "cx", 0), 11e-3, 1e-12);
    CHECK_CLOSE(number_in(table, "kinetic_energy", 0), 0.5*700*(area*0.01 + turn*25), 1e-9);
    CHECK_LESS(0.005, number_in(table, "rz", 8));       // it turns the way it was spun
    CHECK_LESS(0, number_in(table, "pressure_fy", 8));  // and is borne
    CHECK_LESS(0, number_in(table, "wetted", 8));
    double fall = 0.013 - number_in(table, "cy", 9);
    CHECK_CLOSE(fall, 0.5*9.81*0.008*0.008, 0.35);  // free fall; first order in time
    CHECK_SAYS(json, "\"bodies\": [");
    CHECK_SAYS(json, "\"density\": 700.0");
    CHECK_SAYS(json, "\"look\": \"red\"");
    for (int frame = 0; frame < 5; frame++) {
        char name[64];
        snprintf(name, sizeof name, "o/solid_raft_%04d.ply", frame);
        if (!exists(name)) fail_msg("%s is missing", name);
    }
    free(table), free(json);
    // a run without bodies in the same place leaves none of it
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    assert_false(exists("o/bodies.csv"));
    assert_false(exists("o/solid_raft_0001.ply"));
}

// The mesh of a frame lies where the row of the frame says: corners of the box, moved and turned as importers do it.
static void test_mesh_follows_the_table(void** state)
{
    (void)state;
    if (!rigid_mujoco_is_there()) skip();  // two bodies need it
    write_text("a.lua", float_scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    size_t size;
    char* table = contents("o/bodies.csv", &size);
    Layer mesh;
    CHECK_OK(ply_read(&mesh, "solid_raft", in("o/solid_raft_0004.ply")));
    double angle = number_in(table, "rz", 8), place[2] = {number_in(table, "cx", 8), number_in(table, "cy", 8)};
    for (int d = 0; d < 2; d++) {
        double low = INFINITY, high = -INFINITY,
               half = d ? 3e-3*fabs(sin(angle)) + 2e-3*cos(angle) : 3e-3*cos(angle) + 2e-3*fabs(sin(angle));
        for (int m = 0; m < mesh.points; m++) {
            low = fmin(low, (double)mesh.position[3*m + d]), high = fmax(high, (double)mesh.position[3*m + d]);
        }
        CHECK_WITHIN(low, place[d] - half, 5e-5);  // a twentieth of a cell
        CHECK_WITHIN(high, place[d] + half, 5e-5);
    }
    layer_free(&mesh);
    free(table);
}

// A wire of one cell, which liquids see three cells thick, is shown as it is.
static void test_mesh_of_a_wire(void** state)
{
    (void)state;
    Layer mesh;
    write_text("a.lua", "return scene { domain = { size = { mm(20), mm(16) }, cells = 20 }, liquids = { pool { depth = mm(5) } },"
                        "bodies = { capsule { from = { mm(8, 10.3) }, to = { mm(12, 10.3) }, radius = mm(0.5), density = 7900,"
                        "name = 'wire' } }, frames = { rate = 500, count = 1 } }");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    CHECK_OK(ply_read(&mesh, "solid_wire", in("o/solid_wire_0000.ply")));
    double low = INFINITY, high = -INFINITY, left = INFINITY;
    for (int m = 0; m < mesh.points; m++) {
        low = fmin(low, (double)mesh.position[3*m + 1]), high = fmax(high, (double)mesh.position[3*m + 1]);
        left = fmin(left, (double)mesh.position[3*m]);
    }
    CHECK_WITHIN(low, 9.8e-3, 2e-5);
    CHECK_WITHIN(high, 10.8e-3, 2e-5);
    CHECK_WITHIN(left, 7.5e-3, 2e-5);
    layer_free(&mesh);
}

// Stopped and resumed: the bytes of a run that went through. A table that was cut is told.
static void test_resume(void** state)
{
    (void)state;
    if (!rigid_mujoco_is_there()) skip();  // two bodies need it
    write_text("a.lua", float_scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    size_t size;
    char* data = contents("o/bodies.csv", &size);
    write_bytes("o/bodies.csv", data, size - 10);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume"), 1);
    CHECK_MESSAGE("bytes, but had ");
    CHECK_SAYS(err, "bodies.csv");
    write_bytes("o/bodies.csv", data, size);
    free(data);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "o");
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rotations), IN_FOLDER(test_table),
                                       IN_FOLDER(test_mesh_follows_the_table), IN_FOLDER(test_mesh_of_a_wire),
                                       IN_FOLDER(test_resume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
