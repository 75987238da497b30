#include "plot/strip.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "render/labels.h"
#include "render/roles.h"
#include "output/labframe.h"

#define PAPER v3(1.0f, 1.0f, 1.0f)
#define WATER v3(0.45f, 0.68f, 0.86f)
#define SOLID v3(0.66f, 0.60f, 0.54f)

// ---- places ----------------------------------------------------------------------------------------------------------------

static bool parse_length(double* metres, const char** at)
{
    static const struct {
        const char* unit;
        double metres;
    } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"um", 1e-6}, {"m", 1}};
    char* end;
    *metres = strtod(*at, &end);
    if (end == *at || !isfinite(*metres)) return false;
    for (int u = 0; u < 4; u++) {
        size_t n = strlen(units[u].unit);
        if (strncmp(end, units[u].unit, n) != 0) continue;
        *metres *= units[u].metres;
        *at = end + n;
        return true;
    }
    return false;
}

mn_status strip_place(StripPlace* place, const char* text)
{
    char* end;
    *place = (StripPlace){.kind = STRIP_PIXEL, .at = strtod(text, &end), .z = NAN};
    if (end != text && !*end && place->at >= 0 && place->at <= 32768 && place->at == floor(place->at)) return MN_OK;
    place->kind = STRIP_SHARE, place->at *= 0.01;
    if (end != text && !strcmp(end, "%") && place->at >= 0 && place->at <= 1) return MN_OK;
    place->kind = STRIP_LENGTH;
    const char* at = text;
    if (parse_length(&place->at, &at) && (!*at || (*at++ == ',' && parse_length(&place->z, &at) && !*at))) return MN_OK;
    return mn_fail(MN_BAD_ARGUMENT, "'%s': expected a place like 45mm or 50%%, or a column of the pictures like 120", text);
}

// ---- from surfaces -----------------------------------------------------------------------------------------------------------

// The upright line, and the column of pixels it is seen in: how much of each is covered. Winding counts, as in raster.h.
typedef struct Line {
    double x, z;  // m
    double tall;  // m, of the whole column
    double lift;  // m, of the tank's floor above the column's lower end
    int pixels;
    float* cover;
} Line;

// The body begins (sign 1) or ends (-1) at y and fills everything above.
static void line_cross(Line* l, double y, double sign)
{
    double pixel = l->tall/l->pixels;
    y += l->lift;
    for (int j = maxi(0, (int)floor(y/pixel)); j < l->pixels; j++)
        l->cover[j] += (float)(sign*clamp((j + 1) - y/pixel, 0, 1));
}

static void cross_edge(Line* l, const float* a, const float* b)
{
    if ((a[0] <= l->x) == (b[0] <= l->x)) return;
    // the body lies to the left: above an edge that goes to the right
    line_cross(l, a[1] + (l->x - a[0])/((double)b[0] - a[0])*((double)b[1] - a[1]), b[0] > a[0] ? 1 : -1);
}

// Twice the area of (a, b, point) as seen from above.
static double turn(const Line* l, const float* a, const float* b)
{
    return ((double)b[0] - a[0])*(l->z - a[2]) - ((double)b[2] - a[2])*(l->x - a[0]);
}

static void cross_triangle(Line* l, const float* a, const float* b, const float* c)
{
    double u = turn(l, b, c), v = turn(l, c, a), w = turn(l, a, b), sum = u + v + w;
    bool inside = (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
    // a positive turn from x to z is one with the outside below: there the body begins
    if (inside) line_cross(l, (u*a[1] + v*b[1] + w*c[1])/sum, sum > 0 ? 1 : -1);
}

static void cross_mesh(Line* l, const Layer* m)
{
    for (int e = 0; e < m->elements; e++) {
        const int* c = m->element + (int)m->kind*e;
        if (m->kind == LAYER_EDGES) cross_edge(l, m->position + 3*c[0], m->position + 3*c[1]);
        else cross_triangle(l, m->position + 3*c[0], m->position + 3*c[1], m->position + 3*c[2]);
    }
}

static void cross_balls(Line* l, const Layer* balls, int dim)
{
    const float* radius = layer_reals(balls, "radius");
    for (int i = 0; i < balls->points; i++) {
        const float* x = balls->position + 3*i;
        double away = hypot(x[0] - l->x, dim == 3 ? x[2] - l->z : 0), half = radius[i]*radius[i] - away*away;
        if (half <= 0) continue;
        line_cross(l, x[1] - sqrt(half), 1);
        line_cross(l, x[1] + sqrt(half), -1);
    }
}

static void paint_line(Picture* image, int column, Line* l, V3 colour)
{
    for (int j = 0; j < l->pixels; j++) {
        int y = l->pixels - 1 - j;
        picture_set(image, column, y, v3_mix(picture_get(image, column, y), colour, (float)clamp(fabs(l->cover[j]), 0, 1)));
        l->cover[j] = 0;
    }
}

// Height of the tank in the laboratory, per frame; zeros without lab. *height is the caller's to free, also after a failure.
static mn_status find_heights(double** height, const RunFiles* run, bool lab)
{
    double(*place)[3];
    *height = calloc((size_t)run->frames + 1, sizeof **height);
    if (!*height) return mn_fail(MN_NO_MEMORY, "out of memory");
    if (!lab) return MN_OK;
    TRY(labframe_read(&place, run));
    for (int i = 0; i < run->frames; i++) (*height)[i] = place[i][1];
    free(place);
    return MN_OK;
}

// The liquid, with its spray, and over it all other bodies.
static void draw_column(Picture* image, int column, const RunFiles* run, Line* l, const FrameFiles* frame)
{
    const Layers* layers = &frame->layers;
    cross_mesh(l, framefiles_surface(frame));
    for (int m = 0; m < layers->count; m++) {
        if (role_of(layers->layer[m], run->dim) == ROLE_BALLS) cross_balls(l, layers->layer[m], run->dim);
    }
    paint_line(image, column, l, WATER);
    for (int m = 0; m < layers->count; m++) {
        if (role_of(layers->layer[m], run->dim) != ROLE_BODY) continue;
        cross_mesh(l, layers->layer[m]);
        paint_line(image, column, l, SOLID);
    }
}

static mn_status draw_columns(Picture* image, const RunFiles* run, Line* l, const double* height, double lowest)
{
    for (int i = 0; i < run->frames; i++) {
        FrameFiles frame;
        TRY(framefiles_load(&frame, run, i));
        l->lift = height[i] - lowest;
        draw_column(image, i, run, l, &frame);
        framefiles_free(&frame);
    }
    return MN_OK;
}

static mn_status find_line(Line* l, const RunFiles* run, const StripPlace* place)
{
    // a hair beside the place asked for: meshes have rows of vertices at round places, and a line through a vertex is no cut
    double hair = 1.37e-4*(run->dx > 0 ? run->dx : run->size[0]/100);
    l->x = place->kind == STRIP_SHARE ? place->at*run->size[0] : place->at;
    l->z = isfinite(place->z) ? place->z : 0.5*run->size[2];
    char wide[32];
    label_length(wide, run->size[0]);
    if (!(l->x >= 0 && l->x <= run->size[0]))
        return mn_fail(MN_BAD_ARGUMENT, "strip: %g m is outside %s, whose tank is %s wide", l->x, run->dir, wide);
    if (run->dim == 3 && !(l->z >= 0 && l->z <= run->size[2]))
        return mn_fail(MN_BAD_ARGUMENT, "strip: z = %g m is outside %s", l->z, run->dir);
    l->x = clamp(l->x + hair, hair, run->size[0] - hair);
    l->z = run->dim == 3 ? clamp(l->z + 1.31*hair, hair, run->size[2] - hair) : 0;
    return MN_OK;
}

static mn_status strip_of_surfaces(Picture* image, PlotAxis* axis, Line* l, const RunFiles* run, const StripPlace* place,
                                   const double* height)
{
    enum { PIXELS = 720 };
    TRY(find_line(l, run, place));
    axis->low = axis->high = height[0];
    for (int i = 0; i < run->frames; i++) axis->low = fmin(axis->low, height[i]), axis->high = fmax(axis->high, height[i]);
    axis->high += run->size[1];
    l->tall = axis->high - axis->low;
    l->pixels = PIXELS;
    l->cover = calloc(PIXELS, sizeof *l->cover);
    if (!l->cover) return mn_fail(MN_NO_MEMORY, "out of memory");
    mn_status status = picture_init(image, run->frames, PIXELS, PAPER);
    if (status == MN_OK) status = draw_columns(image, run, l, height, axis->low);
    free(l->cover);
    return status;
}

// ---- from pictures -----------------------------------------------------------------------------------------------------------

static void picture_path(char path[PATH_MAX], const RunFiles* run, int frame)
{
    snprintf(path, PATH_MAX, "%s/pictures/frame_%04d.png", run->dir, frame);
}

// First and last frame that has a picture. A render with --every leaves gaps between.
static mn_status find_pictures(int* first, int* last, const RunFiles* run)
{
    char path[PATH_MAX];
    *first = -1;
    for (int i = 0; i < run->frames; i++) {
        picture_path(path, run, i);
        if (access(path, R_OK) != 0) continue;
        if (*first < 0) *first = i;
        *last = i;
    }
    if (*first >= 0) return MN_OK;
    return mn_fail(MN_IO, "%s/pictures: there are no pictures; make them with: meniscus render %s", run->dir, run->dir);
}

static mn_status take_column(Picture* image, int to, const char* path, int column)
{
    Picture p;
    TRY(picture_read_png(&p, path));
    mn_status status = MN_OK;
    if (p.height != image->height)
        status = mn_fail(MN_IO, "%s: is %d pixels high, but the pictures before it %d", path, p.height, image->height);
    else if (column >= p.width)
        status = mn_fail(MN_BAD_ARGUMENT, "strip: column %d: %s is only %d pixels wide", column, path, p.width);
    for (int y = 0; y < p.height && status == MN_OK; y++) picture_set(image, to, y, picture_get(&p, column, y));
    picture_free(&p);
    return status;
}

// A frame without a picture shows the one before.
static mn_status strip_of_pictures(Picture* image, int* first, int* last, const RunFiles* run, int column)
{
    char path[PATH_MAX];
    TRY(find_pictures(first, last, run));
    picture_path(path, run, *first);
    Picture p;
    TRY(picture_read_png(&p, path));
    int height = p.height;
    picture_free(&p);
    TRY(picture_init(image, *last - *first + 1, height, v3_splat(1)));
    for (int i = *first; i <= *last; i++) {
        picture_path(path, run, i);
        int to = i - *first;
        if (access(path, R_OK) == 0) TRY(take_column(image, to, path, column));
        else
            for (int y = 0; y < height; y++) picture_set(image, to, y, picture_get(image, to - 1, y));
    }
    return MN_OK;
}

// ---- the panel ---------------------------------------------------------------------------------------------------------------

static void time_ends(PlotAxis* axis, const RunFiles* run, int first, int last)
{
    double step = run->frame_rate > 0 ? 1/run->frame_rate : 1;
    // a column stands for the time about its frame
    axis->low = (first - 0.5)*step, axis->high = (last + 0.5)*step;
    snprintf(axis->label, sizeof axis->label, "%s", run->frame_rate > 0 ? "time" : "frame");
    if (run->frame_rate > 0) snprintf(axis->unit, sizeof axis->unit, "s");
}

static mn_status add_panel(PlotFigure* f, Picture* image, const RunFiles* run, const StripPlace* place)
{
    PlotPanel like = {.y = {.low = 0}, .image = image};
    Line line = {0};
    int first = 0, last = run->frames - 1;
    char where[80], x[32], z[32];
    if (place->kind == STRIP_PIXEL) {
        TRY(strip_of_pictures(image, &first, &last, run, (int)place->at));
        like.y.high = image->height;
        snprintf(like.y.label, sizeof like.y.label, "height (pixels)");
        snprintf(where, sizeof where, "column %d of the pictures", (int)place->at);
    } else {
        double* height;
        mn_status status = find_heights(&height, run, place->lab);
        if (status == MN_OK) status = strip_of_surfaces(image, &like.y, &line, run, place, height);
        free(height);
        TRY(status);
        snprintf(like.y.label, sizeof like.y.label, place->lab ? "height in the laboratory" : "height");
        snprintf(like.y.unit, sizeof like.y.unit, "m");
        label_length(x, line.x), label_length(z, line.z);
        if (run->dim == 3) snprintf(where, sizeof where, "x = %s, z = %s", x, z);
        else snprintf(where, sizeof where, "x = %s", x);
    }
    time_ends(&like.x, run, first, last);
    snprintf(like.title, sizeof like.title, "%.45s%s%.48s", run->title, run->title[0] ? ": " : "", where);
    plot_add_panel(f, &like);
    return MN_OK;
}

mn_status strip_add(PlotFigure* f, Picture* image, const char* dir, const StripPlace* place)
{
    *image = (Picture){0};
    RunFiles run;
    TRY(runfiles_open(&run, dir));
    mn_status status = add_panel(f, image, &run, place);
    runfiles_close(&run);
    if (status != MN_OK) picture_free(image);
    return status;
}
