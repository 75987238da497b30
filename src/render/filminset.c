#include "render/filminset.h"

#include <stdlib.h>

#include "base/vec.h"
#include "render/font.h"

enum { PANELS = 3 };  // pairs of liquids that are shown, those with the most film
#define PANEL v3(0.97f, 0.975f, 0.98f)
#define INK v3(0.16f, 0.18f, 0.21f)

typedef struct Pair {
    int liquid[2];
    double area;  // m^2
} Pair;

typedef struct Inset {
    Picture* picture;
    Mask mask;
    int left, top, side;  // pixels, of the panel under way
    double scale;         // pixels per metre
    float* nearest;       // per pixel of the panel: how far its piece is, pixels
} Inset;

static int by_area(const void* a, const void* b)
{
    const Pair *p = a, *q = b;
    if (p->area != q->area) return p->area > q->area ? -1 : 1;
    return p->liquid[0] != q->liquid[0] ? p->liquid[0] - q->liquid[0] : p->liquid[1] - q->liquid[1];
}

static int by_liquids(const void* a, const void* b)
{
    const Pair *p = a, *q = b;
    return p->liquid[0] != q->liquid[0] ? p->liquid[0] - q->liquid[0] : p->liquid[1] - q->liquid[1];
}

// The pairs with the most film, in the order of their ids, so that panels do not change places from frame to frame.
static int find_pairs(Pair* pair, const FilmView* film)
{
    int pairs = 0;
    for (int m = 0; m < film->count; m++) {
        FilmPoint f = filmview_at(film, m);
        int at = 0;
        while (at < pairs && (pair[at].liquid[0] != f.liquid[0] || pair[at].liquid[1] != f.liquid[1])) at++;
        if (at == pairs) pair[pairs++] = (Pair){.liquid = {f.liquid[0], f.liquid[1]}};
        pair[at].area += f.area;
    }
    qsort(pair, (size_t)pairs, sizeof *pair, by_area);
    if (pairs > PANELS) pairs = PANELS;
    qsort(pair, (size_t)pairs, sizeof *pair, by_liquids);
    return pairs;
}

// Two axes across the normal: to the right and up as the picture has them, as far as that goes.
static void face_axes(double right[3], double up[3], const double normal[3])
{
    double n[3] = {normal[0], normal[1], normal[2]}, sky[3] = {0, 1, 0};
    int main = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) > fabs(n[main])) main = 2;
    if (main == 1) sky[1] = 0, sky[2] = -1;  // seen from above
    if (n[main] < 0)
        for (int d = 0; d < 3; d++) n[d] = -n[d];
    vec_cross(right, sky, n);
    double norm = vec_norm(right);
    for (int d = 0; d < 3; d++) right[d] /= norm;
    vec_cross(up, n, right);
}

static void frame_panel(Inset* t, V3 colour, double width)
{
    double x0 = t->left, y0 = t->top, x1 = x0 + t->side, y1 = y0 + t->side;
    mask_clear(&t->mask);
    mask_line(&t->mask, x0, y0, x1, y0, width), mask_line(&t->mask, x1, y0, x1, y1, width);
    mask_line(&t->mask, x1, y1, x0, y1, width), mask_line(&t->mask, x0, y1, x0, y0, width);
    mask_paint(t->picture, &t->mask, colour, 1);
}

// Every pixel takes the piece nearest to it, if that is not farther than pieces are from each other.
static void paint_piece(Inset* t, double x, double y, double radius, V3 colour)
{
    int i0 = maxi((int)floor(x - radius), 0), i1 = mini((int)ceil(x + radius), t->side - 1);
    int j0 = maxi((int)floor(y - radius), 0), j1 = mini((int)ceil(y + radius), t->side - 1);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            float* nearest = &t->nearest[(size_t)j*(size_t)t->side + (size_t)i];
            double far = hypot(i + 0.5 - x, j + 0.5 - y);
            if (far > radius || far >= *nearest) continue;
            *nearest = (float)far;
            picture_set(t->picture, t->left + i, t->top + j, colour);
        }
}

static void draw_panel(Inset* t, const FilmView* film, const Pair* pair, double dx, const FilmLook* look)
{
    double middle[3], normal[3], right[3], up[3];
    for (int j = 0; j < t->side; j++)
        for (int i = 0; i < t->side; i++) {
            picture_set(t->picture, t->left + i, t->top + j, PANEL);
            t->nearest[(size_t)j*(size_t)t->side + (size_t)i] = INFINITY;
        }
    filmlook_middle(middle, normal, film, pair->liquid);
    face_axes(right, up, normal);
    for (int m = 0; m < film->count; m++) {
        FilmPoint f = filmview_at(film, m);
        double apart[3];
        if (f.liquid[0] != pair->liquid[0] || f.liquid[1] != pair->liquid[1]) continue;
        vec_sub(apart, f.x, middle);
        double x = 0.5*t->side + vec_dot(apart, right)*t->scale, y = 0.5*t->side - vec_dot(apart, up)*t->scale;
        paint_piece(t, x, y, fmax(0.8*dx*t->scale, 1), colour_of_film(filmlook_part(look, &f)));
    }
    frame_panel(t, INK, 1.2);
}

// Name, colours and scale beside the first panel, not below: what is looked at is in the middle of the picture.
static void draw_legend(const LabelPen* pen, double left, double middle, double pixels_per_metre, double room,
                        const FilmLook* look)
{
    double letter = pen->height;
    char low[32], high[48];
    label_scale_ends(low, high, &look->scale);
    label_text(pen, "air film", left, middle - 1.2*letter, -1);
    label_colour_bar(pen, left + font_width(low, letter) + 0.7*letter, middle + 1.2*letter, 4*letter, &look->scale);
    // the letters above the bar stand about its middle, and may be wider than it
    double width = label_scale_width(pixels_per_metre, room);
    label_scale_bar(pen, left + fmax(2.2*letter, 0.5*width) + 0.5*width, middle + 4.5*letter, pixels_per_metre, room);
}

static mn_status draw_panels(Inset* t, const RunFiles* run, const FilmView* film, const Pair* pair, int pairs,
                             const FilmLook* look)
{
    Picture* p = t->picture;
    LabelPen pen = label_pen_on_picture(p, &t->mask);
    double letter = pen.height, reach = look->reach + run->dx;
    int gap = (int)(1.5*letter), room = (p->height - 4*gap)/pairs - gap;  // time and tiles stay free
    t->side = mini((int)(0.27*p->height), room);
    t->left = gap, t->top = gap, t->scale = 0.46*t->side/reach;
    if (t->side < 24) return MN_OK;
    t->nearest = malloc(sizeof(float)*(size_t)t->side*(size_t)t->side);
    if (!t->nearest) return mn_fail(MN_NO_MEMORY, "no memory for the inset of the film");
    for (int m = 0; m < pairs; m++, t->top += t->side + gap) draw_panel(t, film, &pair[m], run->dx, look);
    free(t->nearest);
    draw_legend(&pen, t->left + t->side + letter, gap + 0.5*t->side, t->scale, 0.6*t->side, look);
    return MN_OK;
}

mn_status filminset_draw(Picture* picture, const RunFiles* run, const FilmView* film, const FilmLook* look)
{
    if (!look->scale.on || film->count == 0 || picture->width < 240 || picture->height < 180) return MN_OK;
    Pair* pair = malloc(sizeof *pair*(size_t)film->count);
    if (!pair) return mn_fail(MN_NO_MEMORY, "no memory for the inset of the film");
    Inset t = {.picture = picture};
    mn_status status = mask_init(&t.mask, picture->width, picture->height);
    if (status == MN_OK) status = draw_panels(&t, run, film, pair, find_pairs(pair, film), look);
    mask_free(&t.mask);
    free(pair);
    return status;
}
