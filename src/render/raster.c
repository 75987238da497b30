#include "render/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

mn_status mask_init(Mask* m, int width, int height)
{
    *m = (Mask){.width = width,
                .height = height,
                .cover = calloc((size_t)width*(size_t)height, sizeof(float)),
                .edge = calloc((size_t)(width + 2)*(size_t)height, sizeof(float))};
    if (m->cover && m->edge) return MN_OK;
    mask_free(m);
    return mn_fail(MN_NO_MEMORY, "no memory for a picture of %d x %d", width, height);
}

void mask_free(Mask* m)
{
    free(m->cover);
    free(m->edge);
    *m = (Mask){0};
}

void mask_clear(Mask* m)
{
    memset(m->cover, 0, sizeof(float)*(size_t)m->width*(size_t)m->height);
    memset(m->edge, 0, sizeof(float)*(size_t)(m->width + 2)*(size_t)m->height);
}

// A piece of an edge that stays in one row and goes down by dy (signed) between xa and xb. Everything to its right gains
// dy of coverage. In a column that the piece crosses, the part right of its middle; the next column gets the rest.
static void add_piece(float* row, int width, double xa, double xb, double dy)
{
    double low = clamp(fmin(xa, xb), 0, width), high = clamp(fmax(xa, xb), 0, width);
    int first = (int)low, last = mini((int)high, width);
    for (int c = first; c <= last; c++) {
        double a = fmax(low, c), b = fmin(high, c + 1);
        double part = high > low ? dy*(b - a)/(high - low) : dy, middle = 0.5*(a + b) - c;
        if (part == 0) continue;
        row[c] += (float)(part*(1 - middle));
        row[c + 1] += (float)(part*middle);
    }
}

// What is left of the picture still counts for all pixels to its right: clamp keeps it at x = 0, piece by piece, which is
// why a piece that crosses x = 0 or x = width is cut there first.
static void add_clipped(float* row, int width, double xa, double xb, double dy)
{
    for (int side = 0; side < 2; side++) {
        double at = side ? width : 0;
        if ((xa - at)*(xb - at) < 0) {
            double part = (at - xa)/(xb - xa);
            add_clipped(row, width, xa, at, dy*part);
            add_clipped(row, width, at, xb, dy*(1 - part));
            return;
        }
    }
    add_piece(row, width, xa, xb, dy);
}

void mask_edge(Mask* m, double x0, double y0, double x1, double y1)
{
    double sign = 1;
    if (y0 > y1) {
        double x = x0, y = y0;
        x0 = x1, y0 = y1, x1 = x, y1 = y, sign = -1;
    }
    double top = fmax(y0, 0), bottom = fmin(y1, m->height);
    if (!(top < bottom)) return;
    double slope = (x1 - x0)/(y1 - y0);
    for (int row = (int)top; row < (int)ceil(bottom); row++) {
        double ya = fmax(top, row), yb = fmin(bottom, row + 1);
        float* edge = m->edge + (size_t)row*(size_t)(m->width + 2);
        add_clipped(edge, m->width, x0 + slope*(ya - y0), x0 + slope*(yb - y0), sign*(yb - ya));
    }
}

void mask_close(Mask* m)
{
    for (int y = 0; y < m->height; y++) {
        float* edge = m->edge + (size_t)y*(size_t)(m->width + 2);
        double winding = 0;
        for (int x = 0; x < m->width; x++) {
            winding += edge[x];
            float* to = m->cover + (size_t)y*(size_t)m->width + x;
            *to = (float)fmin(1, *to + fabs(winding));
        }
    }
    memset(m->edge, 0, sizeof(float)*(size_t)(m->width + 2)*(size_t)m->height);
}

void mask_line(Mask* m, double x0, double y0, double x1, double y1, double width)
{
    double reach = 0.5*width + 1, dx = x1 - x0, dy = y1 - y0, length2 = dx*dx + dy*dy;
    // narrower than a pixel: as wide as one, but fainter
    double strength = fmin(1, width), half = 0.5*fmax(width, 1);
    int left = (int)clamp(fmin(x0, x1) - reach, 0, m->width), right = (int)ceil(clamp(fmax(x0, x1) + reach, 0, m->width));
    int top = (int)clamp(fmin(y0, y1) - reach, 0, m->height), bottom = (int)ceil(clamp(fmax(y0, y1) + reach, 0, m->height));
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            double px = x + 0.5 - x0, py = y + 0.5 - y0;
            double t = length2 > 0 ? clamp((px*dx + py*dy)/length2, 0, 1) : 0;
            double distance = hypot(px - t*dx, py - t*dy);
            float* to = m->cover + (size_t)y*(size_t)m->width + x;
            *to = fmaxf(*to, (float)(strength*clamp(half + 0.5 - distance, 0, 1)));
        }
}

void mask_disc(Mask* m, double x, double y, double radius) { mask_line(m, x, y, x, y, 2*radius); }

void mask_paint(Picture* p, const Mask* m, V3 colour, double opacity)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            float c = (float)opacity*m->cover[(size_t)y*(size_t)m->width + x];
            if (c > 0) picture_set(p, x, y, v3_mix(picture_get(p, x, y), colour, c));
        }
}
