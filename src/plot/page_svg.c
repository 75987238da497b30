// A page as SVG 1.1: letters stay letters, pictures are PNG files within the text.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "output/files.h"
#include "plot/page.h"

static void add_colour(Bytes* out, const char* key, V3 c)
{
    int v[3];
    for (int d = 0; d < 3; d++) v[d] = (int)(255*clamp(c[d], 0, 1) + 0.5);
    bytes_print(out, " %s=\"#%02x%02x%02x\"", key, v[0], v[1], v[2]);
}

// Bytes of a letter in UTF-8 that begins here, 0 if what is here is none (or one that XML forbids).
static int letter_bytes(const unsigned char* c)
{
    if (*c < 0x80) return *c >= 0x20 || *c == '\t';
    int n = *c >= 0xC2 && *c < 0xE0 ? 2 : *c >= 0xE0 && *c < 0xF0 ? 3 : *c >= 0xF0 && *c < 0xF5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;
    if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F)) return 0;  // overlong, surrogate
    if ((c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F)) return 0;  // overlong, too large
    if (c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE) return 0;                    // no letters
    return n;
}

static void add_escaped(Bytes* out, const char* text)
{
    for (const unsigned char* c = (const unsigned char*)text; *c;) {
        int n = letter_bytes(c);
        if (*c == '&') bytes_print(out, "&amp;");
        else if (*c == '<') bytes_print(out, "&lt;");
        else if (*c == '>') bytes_print(out, "&gt;");
        else if (*c == '"') bytes_print(out, "&quot;");
        else if (n == 0) bytes_print(out, "?");
        else bytes_add(out, c, (size_t)n);
        c += maxi(n, 1);
    }
}

static void add_points(Bytes* out, const Page* p, const PageItem* item)
{
    bytes_print(out, " points=\"");
    for (int i = 0; i < item->count; i++) {
        const double* q = p->point + 2*(item->first + i);
        bytes_print(out, "%s%.2f,%.2f", i ? " " : "", q[0], q[1]);
    }
    bytes_print(out, "\"");
}

static void add_line(Bytes* out, const Page* p, const PageItem* item)
{
    bytes_print(out, "<polyline fill=\"none\" stroke-width=\"%.2f\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                item->size);
    add_colour(out, "stroke", item->colour);
    if (item->kind == PAGE_DASHES) bytes_print(out, " stroke-dasharray=\"%.1f %.1f\"", 3.2*item->size + 2, 2*item->size + 2);
    add_points(out, p, item);
    bytes_print(out, "/>\n");
}

static void add_area(Bytes* out, const Page* p, const PageItem* item)
{
    bytes_print(out, "<polygon");
    add_colour(out, "fill", item->colour);
    add_points(out, p, item);
    bytes_print(out, "/>\n");
}

static void add_text(Bytes* out, const PageItem* t)
{
    static const char* const anchor[] = {"start", "middle", "end"};
    double size = t->size/0.72;  // a capital of the usual fonts is about 0.72 of their size
    bytes_print(out, "<text font-size=\"%.2f\" text-anchor=\"%s\"", size, anchor[t->align + 1]);
    if (t->upwards) bytes_print(out, " transform=\"translate(%.2f %.2f) rotate(-90)\" x=\"0\" y=\"0\"", t->x, t->y);
    else bytes_print(out, " x=\"%.2f\" y=\"%.2f\"", t->x, t->y);
    if (t->bold) bytes_print(out, " font-weight=\"bold\"");
    add_colour(out, "fill", t->colour);
    bytes_print(out, ">");
    // raised signs of Unicode would be simpler, but a font without the raised minus turns 10^-4 into 10^4
    char piece[512];
    bool raised, before = false;
    for (const char* rest = t->text; (rest = page_text_piece(piece, sizeof piece, &raised, rest)); before = raised) {
        double shift = (before - raised)*0.55*t->size;  // dy moves everything after it too: it has to be taken back
        if (shift != 0 || raised) bytes_print(out, "<tspan dy=\"%.2f\" font-size=\"%.2f\">", shift, raised ? 0.72*size : size);
        add_escaped(out, piece);
        if (shift != 0 || raised) bytes_print(out, "</tspan>");
    }
    bytes_print(out, "</text>\n");
}

static void add_base64(Bytes* out, const unsigned char* data, size_t size)
{
    static const char sign[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned v = (unsigned)data[i] << 16 | (i + 1 < size ? (unsigned)data[i + 1] << 8 : 0) | (i + 2 < size ? data[i + 2] : 0);
        char four[4] = {sign[v >> 18], sign[v >> 12 & 63], i + 1 < size ? sign[v >> 6 & 63] : '=',
                        i + 2 < size ? sign[v & 63] : '='};
        bytes_add(out, four, 4);
    }
}

static mn_status add_image(Bytes* out, const PageItem* item)
{
    unsigned char* png;
    size_t size;
    TRY(picture_encode_png(&png, &size, item->image));
    bytes_print(out,
                "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\" "
                "style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64,",
                item->x, item->y, item->width, item->height);
    add_base64(out, png, size);
    bytes_print(out, "\"/>\n");
    free(png);
    return MN_OK;
}

static mn_status add_item(Bytes* out, const Page* p, const PageItem* item)
{
    switch (item->kind) {
    case PAGE_LINE:
    case PAGE_DASHES:
        add_line(out, p, item);
        break;
    case PAGE_AREA:
        add_area(out, p, item);
        break;
    case PAGE_DISC:
        bytes_print(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", item->x, item->y, item->size);
        add_colour(out, "fill", item->colour);
        bytes_print(out, "/>\n");
        break;
    case PAGE_TEXT:
        add_text(out, item);
        break;
    case PAGE_IMAGE:
        return add_image(out, item);
    }
    return MN_OK;
}

mn_status page_write_svg(const Page* p, const char* path)
{
    Bytes out = {0};
    bytes_print(
        &out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" stroke=\"none\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
        p->width, p->height, p->width, p->height, p->width, p->height);
    mn_status status = MN_OK;
    for (int i = 0; i < p->count && status == MN_OK; i++) status = add_item(&out, p, &p->item[i]);
    bytes_print(&out, "</svg>\n");
    if (status == MN_OK) status = file_replace(path, &out, false);
    bytes_free(&out);
    return status;
}
