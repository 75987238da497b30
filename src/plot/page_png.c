// A page as pixels. Neighbours of one colour share a mask, so that a page of many labels is painted a few times, not hundreds.
#include <math.h>
#include <stdbool.h>

#include "base/vec.h"
#include "plot/page.h"
#include "render/font.h"

static void draw_polyline(Mask* m, const double* q, int count, double width, bool dashed)
{
    const double on = 3.2*width + 2, off = 2*width + 2;
    double along = 0;
    for (int i = 1; i < count; i++) {
        double x0 = q[2*i - 2], y0 = q[2*i - 1], dx = q[2*i] - x0, dy = q[2*i + 1] - y0, length = hypot(dx, dy);
        if (!dashed || length == 0) {
            mask_line(m, x0, y0, x0 + dx, y0 + dy, width);
            continue;
        }
        for (double s = 0; s < length;) {
            double phase = fmod(along + s, on + off), end = fmin(length, s + (phase < on ? on : on + off) - phase + 1e-6);
            if (phase < on)
                mask_line(m, x0 + dx*s/length, y0 + dy*s/length, x0 + dx*end/length, y0 + dy*end/length, width);
            s = end;
        }
        along += length;
    }
}

static void draw_area(Mask* m, const double* q, int count)
{
    for (int i = 0; i < count; i++) {
        const double *a = q + 2*i, *b = q + 2*((i + 1)%count);
        mask_edge(m, a[0], a[1], b[0], b[1]);
    }
    mask_close(m);
}

static void draw_text(Mask* m, const PageItem* t)
{
    double offset = -0.5*(t->align + 1)*page_text_width(t->text, t->size);
    char piece[512];
    bool raised;
    for (const char* rest = t->text; (rest = page_text_piece(piece, sizeof piece, &raised, rest));) {
        double height = raised ? 0.72*t->size : t->size, lift = raised ? 0.55*t->size : 0;
        FontLook look = {.height = height, .upwards = t->upwards, .bold = t->bold};
        if (t->upwards) font_draw_look(m, piece, t->x - lift, t->y - offset, &look);
        else font_draw_look(m, piece, t->x + offset, t->y - lift, &look);
        offset += font_width(piece, height) + 0.25*t->size;
    }
}

static void draw_item(Picture* picture, Mask* m, const Page* p, const PageItem* item)
{
    const double* q = p->point + 2*item->first;
    switch (item->kind) {
    case PAGE_LINE:
    case PAGE_DASHES:
        draw_polyline(m, q, item->count, item->size, item->kind == PAGE_DASHES);
        break;
    case PAGE_AREA:
        draw_area(m, q, item->count);
        break;
    case PAGE_DISC:
        mask_disc(m, item->x, item->y, item->size);
        break;
    case PAGE_TEXT:
        draw_text(m, item);
        break;
    case PAGE_IMAGE:
        picture_place(picture, item->image, (int)lround(item->x), (int)lround(item->y), maxi(1, (int)lround(item->width)),
                      maxi(1, (int)lround(item->height)));
        break;
    }
}

static bool same_colour(const PageItem* a, const PageItem* b)
{
    V3 d = a->colour - b->colour;
    return v3_dot(d, d) == 0 && a->kind != PAGE_IMAGE && b->kind != PAGE_IMAGE;
}

static void draw_page(Picture* picture, Mask* m, const Page* p)
{
    for (int i = 0; i < p->count; i++) {
        if (i == 0 || !same_colour(&p->item[i], &p->item[i - 1])) mask_clear(m);
        draw_item(picture, m, p, &p->item[i]);
        bool last = i + 1 == p->count || !same_colour(&p->item[i], &p->item[i + 1]);
        if (last && p->item[i].kind != PAGE_IMAGE) mask_paint(picture, m, p->item[i].colour, 1);
    }
}

mn_status page_write_png(const Page* p, const char* path)
{
    Picture picture;
    Mask mask;
    TRY(picture_init(&picture, p->width, p->height, v3_splat(1)));
    mn_status status = mask_init(&mask, p->width, p->height);
    if (status == MN_OK) {
        draw_page(&picture, &mask, p);
        status = picture_write_png(&picture, path);
        mask_free(&mask);
    }
    picture_free(&picture);
    return status;
}
