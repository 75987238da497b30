#include "render/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "render/colours.h"
#include "render/font.h"
#include "render/labels.h"
#include "render/speedfield.h"

#define PAPER v3(1.0f, 1.0f, 1.0f)
#define INK v3(0.17f, 0.19f, 0.22f)
#define TANK_LINE v3(0.72f, 0.74f, 0.77f)

// The page: where the tank lies in the picture.
typedef struct Page {
    Picture* picture;
    Mask mask;
    double scale;         // pixels per metre
    double left, bottom;  // pixels, of the tank's origin
    double letter;        // pixels, height of a capital
    double line;          // pixels, width of the surface line
    LiquidLooks looks;    // of the liquids, by number
} Page;

static double page_x(const Page* p, double x) { return p->left + x*p->scale; }
static double page_y(const Page* p, double y) { return p->bottom - y*p->scale; }

static mn_status page_init(Page* p, Picture* picture, const RunFiles* run)
{
    double w = picture->width, h = picture->height, letter = clamp(0.021*fmin(w, 1.3*h), 5, 40);
    double side = 2*letter, top = 3.2*letter, foot = 3.6*letter;
    double scale = fmin((w - 2*side)/run->size[0], (h - top - foot)/run->size[1]);
    scale = fmax(scale, 1e-9);
    *p = (Page){.picture = picture, .scale = scale, .letter = letter, .line = fmax(1.1, 0.13*letter)};
    p->looks = looks_of_liquids(run->looks, run->look_count);
    p->left = 0.5*(w - scale*run->size[0]);
    p->bottom = top + 0.5*(h - top - foot + scale*run->size[1]);
    return mask_init(&p->mask, picture->width, picture->height);
}

static void edge_ends(double out[4], const Page* p, const DrawMesh* m, int f)
{
    for (int c = 0; c < 2; c++) {
        const float* v = m->position + 3*m->face[2*f + c];
        out[2*c] = page_x(p, v[0]), out[2*c + 1] = page_y(p, v[1]);
    }
}

enum { ANY_LOOK = -1 };

static bool has_look(const Page* p, const DrawMesh* m, int f, int look)
{
    return look == ANY_LOOK || looks_get(&p->looks, drawmesh_look(m, f)) == looks_get(&p->looks, look);
}

// The faces of one look, or of any.
static void fill_mesh(Page* p, const DrawMesh* m, int look)
{
    mask_clear(&p->mask);
    for (int f = 0; f < m->face_count; f++) {
        double e[4];
        if (!has_look(p, m, f, look)) continue;
        edge_ends(e, p, m, f);
        mask_edge(&p->mask, e[0], e[1], e[2], e[3]);
    }
    mask_close(&p->mask);
}

static void outline_mesh(Page* p, const DrawMesh* m, V3 colour, double width, bool free_only, int look)
{
    mask_clear(&p->mask);
    for (int f = 0; f < m->face_count; f++) {
        double e[4];
        if ((free_only && m->kind[f]) || !has_look(p, m, f, look)) continue;
        edge_ends(e, p, m, f);
        mask_line(&p->mask, e[0], e[1], e[2], e[3], width);
    }
    mask_paint(p->picture, &p->mask, colour, 1);
}

static void dot_mesh(Page* p, const DrawMesh* m, V3 colour)
{
    mask_clear(&p->mask);
    for (int i = 0; i < m->vertex_count; i++)
        mask_disc(&p->mask, page_x(p, m->position[3*i]), page_y(p, m->position[3*i + 1]), 1.2*p->line);
    mask_paint(p->picture, &p->mask, colour, 1);
}

enum {
    COARSE = 4
};  // speeds that are not on file are computed once per COARSE x COARSE pixels and blended between: they vary slowly

static double coarse_at(const float* speed, int nx, int ny, double x, double y)
{
    x = clamp(x/COARSE - 0.5, 0, nx - 1.001), y = clamp(y/COARSE - 0.5, 0, ny - 1.001);
    int i = (int)x, j = (int)y;
    const float* v = speed + (size_t)j*nx + i;
    x -= i, y -= j;
    return (v[0]*(1 - x) + v[1]*x)*(1 - y) + (v[nx]*(1 - x) + v[nx + 1]*x)*y;
}

static void paint_colour(Page* p, int x, int y, double part)
{
    float cover = p->mask.cover[(size_t)y*p->mask.width + x];
    picture_set(p->picture, x, y, v3_mix(picture_get(p->picture, x, y), colour_of_speed(part), cover));
}

static bool is_covered(const Page* p, int x, int y) { return p->mask.cover[(size_t)y*p->mask.width + x] > 0; }

// Paints the mask in the colours of a computed field.
static void paint_field(Page* p, const FigureLook* look)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(look->threads)
    for (int y = 0; y < p->picture->height; y++)
        for (int x = 0; x < p->picture->width; x++) {
            double at[3] = {(x + 0.5 - p->left)/p->scale, (p->bottom - y - 0.5)/p->scale, 0};
            if (is_covered(p, x, y))
                paint_colour(p, x, y, colourscale_part(&look->colours, gridfield_at(look->colours.field, at)));
        }
}

// Paints the mask in the colours of speed.
static mn_status paint_speed(Page* p, const DrawMesh* m, const FigureLook* look)
{
    SpeedField field;
    int nx = maxi(2, p->picture->width/COARSE + 1), ny = maxi(2, p->picture->height/COARSE + 1);
    TRY(speedfield_init(&field, m, 2000));
    float* speed = malloc(sizeof *speed*(size_t)nx*(size_t)ny);
    if (!speed) {
        speedfield_free(&field);
        return mn_fail(MN_NO_MEMORY, "no memory to colour by speed");
    }
#pragma omp parallel for schedule(dynamic, 4) num_threads(look->threads)
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            float at[3] = {(float)(((i + 0.5)*COARSE - p->left)/p->scale),
                           (float)((p->bottom - (j + 0.5)*COARSE)/p->scale), 0};
            speed[(size_t)j*nx + i] = (float)speedfield_at(&field, at);
        }
    for (int y = 0; y < p->picture->height; y++)
        for (int x = 0; x < p->picture->width; x++)
            if (is_covered(p, x, y))
                paint_colour(p, x, y, colourscale_part(&look->colours, coarse_at(speed, nx, ny, x + 0.5, y + 0.5)));
    free(speed);
    speedfield_free(&field);
    return MN_OK;
}

static V3 line_of(const Page* p, int look) { return v3_load(looks_get(&p->looks, look)->line); }
static V3 fill_of(const Page* p, int look) { return v3_load(looks_get(&p->looks, look)->fill); }

static mn_status draw_liquid(Page* p, const FrameFiles* frame, const FigureLook* look)
{
    DrawMesh m = drawmesh_of(framefiles_surface(frame));
    if (look->wire) {
        outline_mesh(p, &m, line_of(p, 0), 0.6*p->line, false, ANY_LOOK);
        dot_mesh(p, &m, line_of(p, 0));
        return MN_OK;
    }
    if (look->colours.on) {
        fill_mesh(p, &m, ANY_LOOK);
        if (look->colours.field) paint_field(p, look);
        else TRY(paint_speed(p, &m, look));
    }
    for (int k = 0; k < p->looks.count && !look->colours.on; k++) {
        fill_mesh(p, &m, k);
        mask_paint(p->picture, &p->mask, fill_of(p, k), 1);
    }
    for (int k = 0; k < p->looks.count; k++) outline_mesh(p, &m, line_of(p, k), p->line, true, k);
    return MN_OK;
}

// One pass over the balls of a look: the whole disc in the colour of the line, or what is within it.
static void paint_balls(Page* p, const Layer* balls, int look, bool within)
{
    const float* radius = layer_reals(balls, "radius");
    const int* number = layer_wholes(balls, "look", ON_POINTS);
    mask_clear(&p->mask);
    for (int i = 0; i < balls->points; i++) {
        const float* x = balls->position + 3*i;
        double r = fmax(radius[i]*p->scale, 0.8) + (within ? -0.5 : 0.5)*p->line;
        bool shown = looks_get(&p->looks, number ? number[i] : 0) == looks_get(&p->looks, look);
        if (r > 0.3 && shown) mask_disc(&p->mask, page_x(p, x[0]), page_y(p, x[1]), r);
    }
    mask_paint(p->picture, &p->mask, within ? fill_of(p, look) : line_of(p, look), 1);
}

static void draw_body(Page* p, const Layer* body, const SolidLook* look)
{
    DrawMesh m = drawmesh_of(body);
    fill_mesh(p, &m, ANY_LOOK);
    mask_paint(p->picture, &p->mask, v3_load(look->fill), 1);
    outline_mesh(p, &m, v3_load(look->line), 0.8*p->line, false, ANY_LOOK);
}

// Lines as wide as they are, and never too thin to be seen.
static void draw_curves(Page* p, const Layer* curves, const SolidLook* look)
{
    const float* radius = layer_reals(curves, "radius");
    mask_clear(&p->mask);
    for (int e = 0; e < curves->elements; e++) {
        const int* c = curves->element + 2*e;
        const float *a = curves->position + 3*c[0], *b = curves->position + 3*c[1];
        double width = (radius[c[0]] + radius[c[1]])*p->scale;
        mask_line(&p->mask, page_x(p, a[0]), page_y(p, a[1]), page_x(p, b[0]), page_y(p, b[1]), fmax(width, p->line));
    }
    mask_paint(p->picture, &p->mask, v3_load(look->line), 1);
}

// Air films as bands along the gap, wider than it ever is. The more they press, the wider; what does not press at all, where
// the gap widens to the air outside, is a faint line.
static void draw_film(Page* p, const FilmView* film, const FilmLook* look)
{
    if (!look->scale.on) return;
    for (int m = 0; m < film->count; m++) {
        FilmPoint f = filmview_at(film, m);
        double x = page_x(p, f.x[0]), y = page_y(p, f.x[1]), half = 0.5*f.area*p->scale, part = filmlook_part(look, &f);
        mask_clear(&p->mask);
        mask_line(&p->mask, x - f.normal[1]*half, y - f.normal[0]*half, x + f.normal[1]*half, y + f.normal[0]*half,
                  (look->thickness ? 2.6 : 0.8 + 2.8*part)*p->line);
        mask_paint(p->picture, &p->mask, colour_of_film(part), look->thickness ? 1 : fmin(1, 0.3 + 7*part));
    }
}

// Walls are solid lines, open sides dashed ones.
static void draw_tank(Page* p, const RunFiles* run)
{
    double x0 = page_x(p, 0), x1 = page_x(p, run->size[0]), y0 = page_y(p, 0), y1 = page_y(p, run->size[1]);
    const double ends[4][4] = {{x0, y0, x0, y1}, {x1, y0, x1, y1}, {x0, y0, x1, y0}, {x0, y1, x1, y1}};
    mask_clear(&p->mask);
    for (int side = 0; side < 4; side++) {
        const double* e = ends[side];
        double dx = e[2] - e[0], dy = e[3] - e[1], dash = p->letter;
        int n = run->wall[side] ? 1 : maxi(1, (int)(hypot(dx, dy)/dash)) | 1;
        for (int i = 0; i < n; i += 2) {
            double a = (double)i/n, b = (double)(i + 1)/n;
            mask_line(&p->mask, e[0] + a*dx, e[1] + a*dy, e[0] + b*dx, e[1] + b*dy, p->line);
        }
    }
    mask_paint(p->picture, &p->mask, TANK_LINE, 1);
}

// Title and time above the tank, from x0 to x1. A title too long for that has the width of the picture; one too long for it is
// written smaller, and not at all where it could not be read.
static void draw_head(const LabelPen* pen, const RunFiles* run, const FrameFiles* frame, double x0, double x1, double y)
{
    char time[32] = "";
    if (run->frame_rate > 0) label_time(time, runfiles_time(run, frame->index));
    double letter = pen->height, title = font_width(run->title, letter), side = 2*letter;
    double rest = font_width("000.0 ms", letter) + 1.5*letter;  // the title stands still while the time grows
    if (title > x1 - x0 - rest) x0 = side, x1 = pen->picture->width - side;
    label_text(pen, time, x1, y, 1);
    LabelPen fitting = *pen;
    fitting.height *= fmin(1, (x1 - x0 - rest)/fmax(title, 1));
    if (fitting.height > 5) label_text(&fitting, run->title, x0, y, -1);
}

static void draw_labels(Page* p, const RunFiles* run, const FrameFiles* frame, const FigureLook* look)
{
    LabelPen pen = {.picture = p->picture, .mask = &p->mask, .height = p->letter, .ink = INK};
    double x0 = page_x(p, 0), x1 = page_x(p, run->size[0]), below = p->bottom + 2.7*p->letter, width = p->picture->width;
    x0 = fmin(x0, 0.25*width), x1 = fmax(x1, 0.75*width);
    draw_head(&pen, run, frame, x0, x1, page_y(p, run->size[1]) - p->letter);
    label_scale_bar(&pen, x1 - p->line, below, p->scale, 0.24*(x1 - x0));
    bool coloured = look->colours.on && !look->wire;
    double room = (coloured && look->film.scale.on ? 0.15 : 0.3)*(x1 - x0);
    char low[32], high[48];
    label_scale_ends(low, high, &look->colours);
    if (coloured) label_colour_bar(&pen, x0 + font_width(low, p->letter) + 0.7*p->letter, below, room, &look->colours);
    if (look->film.scale.on) filmlook_bar(&pen, coloured ? x0 + 0.36*(x1 - x0) : x0, below, 0.66*room, &look->film);
}

// Bodies over the liquid, then curves, then drops.
static void draw_layers(Page* p, const RunFiles* run, const FrameFiles* frame)
{
    static const Role order[] = {ROLE_BODY, ROLE_CURVES, ROLE_BALLS};
    for (size_t r = 0; r < sizeof order/sizeof *order; r++)
        for (int m = 0; m < frame->layers.count; m++) {
            const Layer* layer = frame->layers.layer[m];
            if (role_of(layer, 2) != order[r]) continue;
            if (order[r] == ROLE_BODY) draw_body(p, layer, role_body_look(layer, run));
            if (order[r] == ROLE_CURVES) draw_curves(p, layer, role_body_look(layer, run));
            for (int k = 0; k < p->looks.count && order[r] == ROLE_BALLS; k++)
                paint_balls(p, layer, k, false), paint_balls(p, layer, k, true);
        }
}

mn_status figure_draw(Picture* picture, const RunFiles* run, const FrameFiles* frame, const FigureLook* look)
{
    Page page;
    FilmView film;
    TRY(filmview_of(&film, layers_find(&frame->layers, "film")));
    TRY(page_init(&page, picture, run));
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) picture_set(picture, x, y, PAPER);
    draw_tank(&page, run);
    mn_status status = draw_liquid(&page, frame, look);
    draw_layers(&page, run, frame);
    draw_film(&page, &film, &look->film);
    draw_labels(&page, run, frame, look);
    mask_free(&page.mask);
    return status;
}
