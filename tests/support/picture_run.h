// Balls and circles in files as runs leave them, to take pictures of.
#pragma once
#include "folder.h"
#include <sys/stat.h>
#include "base/vec.h"
#include "render/render.h"
#include "render/shot.h"

// Balls of n rings about one centre as a run writes them: triangles turning outwards, smooth normals, a velocity. The second and
// later ones are hollows, against a solid.
static inline void save_balls(const char* name, const double centre[3], const double* radius, int balls, int n)
{
    FILE* f = fopen(in(name), "wb");
    assert_non_null(f);
    int m = 2*n;
    fprintf(f, "ply\nformat binary_little_endian 1.0\ncomment a ball\nelement vertex %d\n", balls*(n + 1)*m);
    const char* names[] = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"};
    for (int i = 0; i < 9; i++) fprintf(f, "property float %s\n", names[i]);
    fprintf(f, "property int liquid\nelement face %d\n", balls*2*(n - 1)*m);
    fprintf(f, "property list uchar int vertex_indices\nproperty int kind\nend_header\n");
    for (int q = 0; q < balls*(n + 1)*m; q++) {
        int ball = q/((n + 1)*m), j = q/m%(n + 1), i = q%m;
        double a = PI*j/n, b = 2*PI*i/m, d[3] = {sin(a)*cos(b), cos(a), sin(a)*sin(b)}, out = ball ? -1 : 1;
        float v[9] = {0, 0, 0, (float)(out*d[0]), (float)(out*d[1]), (float)(out*d[2]), 0, -0.1f, 0};
        for (int k = 0; k < 3; k++) v[k] = (float)(centre[k] + radius[ball]*d[k]);
        fwrite(v, sizeof v, 1, f);
        fwrite(&(int){0}, 4, 1, f);
    }
    for (int q = 0; q < balls*n*m; q++) {
        int ball = q/(n*m), j = q/m%n, i = q%m, first = ball*(n + 1)*m, kind = ball > 0;
        int a = first + j*m + i, b = first + j*m + (i + 1)%m, face[2][4] = {{a, b, b + m, kind}, {a, b + m, a + m, kind}};
        for (int t = 0; t < 2; t++) {
            if ((t == 0 && j == 0) || (t == 1 && j == n - 1)) continue;
            int corner = face[t][1];
            if (ball) face[t][1] = face[t][2], face[t][2] = corner;
            fputc(3, f);
            fwrite(face[t], sizeof face[t], 1, f);
        }
    }
    fclose(f);
}

static inline void save_ball(const char* name, const double centre[3], double radius, int n)
{
    save_balls(name, centre, &radius, 1, n);
}

// A circle of n edges with the liquid on the left; double coordinates and another order of properties than the run's own.
static inline void save_circle(const char* name, double x, double y, double radius, int n)
{
    FILE* f = fopen(in(name), "wb");
    assert_non_null(f);
    fprintf(f, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty uchar extra\nproperty double z\n", n);
    fprintf(f, "property double y\nproperty double x\nelement edge %d\n", n);
    fprintf(f, "property int kind\nproperty int vertex2\nproperty uint vertex1\nend_header\n");
    for (int i = 0; i < n; i++) {
        double v[3] = {0, y + radius*sin(2*PI*i/n), x + radius*cos(2*PI*i/n)};
        fputc(7, f);
        fwrite(v, sizeof v, 1, f);
    }
    for (int i = 0; i < n; i++) fwrite((int[3]){0, (i + 1)%n, i}, 12, 1, f);
    fclose(f);
}

// A run of one frame in the folder `name`: a ball or disc of 6 mm in the middle of a box of 20 mm. `more` goes into run.json.
static inline const char* make_run(const char* name, int dim, const char* more)
{
    char text[512], path[256];
    mkdir(in(name), 0777);
    snprintf(path, sizeof path, "%s/run.json", name);
    snprintf(text, sizeof text, "{\"dim\": %d, \"size\": [0.02, 0.02, %s], \"frame_rate\": 100, %s}", dim,
             dim == 3 ? "0.02" : "0", more);
    write_text(path, text);
    snprintf(path, sizeof path, "%s/surface_0000.ply", name);
    if (dim == 3) save_ball(path, (double[3]){0.01, 0.01, 0.01}, 0.006, 24);
    else save_circle(path, 0.01, 0.01, 0.006, 400);
    return in(name);
}

// Its first frame.
static inline void take_picture(Picture* p, const char* run, const RenderOptions* o)
{
    Shot shot;
    CHECK_OK(shot_open(&shot, run, o));
    CHECK_OK(shot_take(p, &shot, 0));
    shot_close(&shot);
}
