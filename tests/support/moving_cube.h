// A cube of side 4 (file units, about the origin) with 4 x 4 squares on each side, as an OBJ file, and vertex caches for it.
#pragma once
#include "check.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CUBE_SQUARES = 4, CUBE_MOST = 6*(CUBE_SQUARES + 1)*(CUBE_SQUARES + 1) };

typedef struct Cube {
    double vertex[CUBE_MOST][3];
    int quad[6*CUBE_SQUARES*CUBE_SQUARES][4];
    int vertices, quads;
} Cube;

// Where vertex x is at time t.
typedef void (*CubeMotion)(double out[3], const double x[3], double t);

static inline int cube_vertex(Cube* c, const double x[3])
{
    for (int v = 0; v < c->vertices; v++)
        if (memcmp(c->vertex[v], x, sizeof c->vertex[v]) == 0) return v;
    memcpy(c->vertex[c->vertices], x, sizeof c->vertex[0]);
    return c->vertices++;
}

static inline Cube cube_make(void)
{
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    Cube c = {0};
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < CUBE_SQUARES; i++)
            for (int j = 0; j < CUBE_SQUARES; j++) {
                int* quad = c.quad[c.quads++];
                for (int q = 0; q < 4; q++) {
                    int d = side/2, at = side%2 ? q : 3 - q;
                    double x[3];
                    x[d] = side%2 ? 2 : -2;
                    x[(d + 1)%3] = -2 + 4.0*(i + corner[at][0])/CUBE_SQUARES;
                    x[(d + 2)%3] = -2 + 4.0*(j + corner[at][1])/CUBE_SQUARES;
                    quad[q] = cube_vertex(&c, x);
                }
            }
    return c;
}

static inline void cube_write_obj(const char* path, CubeMotion motion, double t)
{
    Cube c = cube_make();
    FILE* f = fopen(path, "w");
    assert_non_null(f);
    for (int v = 0; v < c.vertices; v++) {
        double x[3] = {c.vertex[v][0], c.vertex[v][1], c.vertex[v][2]};
        if (motion) motion(x, c.vertex[v], t);
        fprintf(f, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    for (int q = 0; q < c.quads; q++)
        fprintf(f, "f %d %d %d %d\n", c.quad[q][0] + 1, c.quad[q][1] + 1, c.quad[q][2] + 1, c.quad[q][3] + 1);
    fclose(f);
}

static inline void cube_write_pc2(const char* path, CubeMotion motion, int samples, double rate)
{
    Cube c = cube_make();
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    int32_t head[2] = {1, c.vertices}, count = samples;
    float times[2] = {0, 1};
    fwrite("POINTCACHE2", 1, 12, f);
    fwrite(head, sizeof head, 1, f);
    fwrite(times, sizeof times, 1, f);
    fwrite(&count, sizeof count, 1, f);
    for (int s = 0; s < samples; s++)
        for (int v = 0; v < c.vertices; v++) {
            double x[3];
            motion(x, c.vertex[v], s/rate);
            float place[3] = {(float)x[0], (float)x[1], (float)x[2]};
            fwrite(place, sizeof place, 1, f);
        }
    fclose(f);
}
