#include "plot/page.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "render/font.h"

void page_free(Page* p)
{
    for (int i = 0; i < p->count; i++) free(p->item[i].text);
    free(p->item);
    free(p->point);
    *p = (Page){0};
}

static void add_item(Page* p, PageItem item)
{
    if (!p->failed && p->count == p->room) {
        int room = p->room ? 2*p->room : 64;
        PageItem* more = realloc(p->item, sizeof *more*(size_t)room);
        p->failed = !more;
        if (more) p->item = more, p->room = room;
    }
    if (p->failed) free(item.text);
    else p->item[p->count++] = item;
}

void page_begin(Page* p, PageKind kind, V3 colour, double width)
{
    add_item(p, (PageItem){.kind = kind, .colour = colour, .size = width, .first = p->point_count});
}

void page_point(Page* p, double x, double y)
{
    if (!p->failed && p->point_count == p->point_room) {
        int room = p->point_room ? 2*p->point_room : 1024;
        double* more = realloc(p->point, 2*sizeof *more*(size_t)room);
        p->failed = !more;
        if (more) p->point = more, p->point_room = room;
    }
    if (p->failed) return;
    p->point[2*p->point_count] = x, p->point[2*p->point_count + 1] = y;
    p->point_count++;
    p->item[p->count - 1].count++;
}

void page_line(Page* p, double x0, double y0, double x1, double y1, V3 colour, double width)
{
    page_begin(p, PAGE_LINE, colour, width);
    page_point(p, x0, y0);
    page_point(p, x1, y1);
}

void page_box(Page* p, double x, double y, double width, double height, V3 colour)
{
    page_begin(p, PAGE_AREA, colour, 0);
    page_point(p, x, y);
    page_point(p, x + width, y);
    page_point(p, x + width, y + height);
    page_point(p, x, y + height);
}

void page_disc(Page* p, double x, double y, double radius, V3 colour)
{
    add_item(p, (PageItem){.kind = PAGE_DISC, .colour = colour, .x = x, .y = y, .size = radius});
}

void page_text(Page* p, const char* text, double x, double y, int align, const PageFont* font)
{
    char* copy = strdup(text);
    if (!copy) p->failed = true;
    else
        add_item(p, (PageItem){.kind = PAGE_TEXT,
                               .colour = font->colour,
                               .x = x,
                               .y = y,
                               .size = font->height,
                               .text = copy,
                               .align = align,
                               .upwards = font->upwards,
                               .bold = font->bold});
}

void page_image(Page* p, const Picture* image, double x, double y, double width, double height)
{
    add_item(p, (PageItem){.kind = PAGE_IMAGE, .x = x, .y = y, .width = width, .height = height, .image = image});
}

const char* page_text_piece(char* piece, int room, bool* raised, const char* text)
{
    if (!*text) return NULL;
    *raised = !strncmp(text, "^{", 2);
    const char* from = *raised ? text + 2 : text;
    size_t length = *raised ? strcspn(from, "}") : strlen(from);
    const char* next = *raised ? NULL : strstr(from, "^{");
    if (next) length = (size_t)(next - from);
    size_t kept = length < (size_t)room ? length : (size_t)room - 1;
    memcpy(piece, from, kept);
    piece[kept] = 0;
    from += length;
    return *raised && *from == '}' ? from + 1 : from;
}

double page_text_width(const char* text, double height)
{
    char piece[512];
    bool raised;
    double width = 0;
    while ((text = page_text_piece(piece, sizeof piece, &raised, text)))
        width += font_width(piece, raised ? 0.72*height : height) + 0.25*height;
    return fmax(0, width - 0.25*height);
}

static bool ends_in(const char* path, const char* ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0 && path[n - m - 1] != '/';
}

bool page_can_write(const char* path) { return ends_in(path, ".png") || ends_in(path, ".svg"); }

mn_status page_write(const Page* p, const char* path)
{
    if (p->failed) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    if (ends_in(path, ".png")) return page_write_png(p, path);
    if (ends_in(path, ".svg")) return page_write_svg(p, path);
    return mn_fail(MN_BAD_ARGUMENT, "%s: the name must end in .png or .svg", path);
}
