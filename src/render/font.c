#include "render/font.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

// Every sign is a few strokes on a grid: x 0..4 (0..5 for O, which must not look like a zero), y 0 (top of capitals), 2 (top
// of small letters), 6 (baseline), 8 (depth). A stroke is a string of xy digit pairs: plain, a polyline; after '~', the
// control points of a curve from its first to its last point; after '@', those of a closed curve.
static const char* const glyphs[128] = {
    ['0'] = "@00404606",
    ['1'] = "112026 1636",
    ['2'] = "~0100404306 0646",
    ['3'] = "~0100404323 ~2343460605",
    ['4'] = "36300444",
    ['5'] = "400003 ~0342460605",
    ['6'] = "@02424606 ~04004041",
    ['7'] = "004016",
    ['8'] = "@00404303 @03434606",
    ['9'] = "@00404404 ~42460605",
    ['A'] = "062046 1434",
    ['B'] = "0600 0020 ~20404323 0323 ~23434626 0626",
    ['C'] = "~414000064645",
    ['D'] = "0600 0010 ~10404616 0616",
    ['E'] = "40000646 0333",
    ['F'] = "400006 0333",
    ['G'] = "~414000064644 4424",
    ['H'] = "0006 4046 0343",
    ['I'] = "2026",
    ['J'] = "4044 ~44460605",
    ['K'] = "0006 0440 1346",
    ['L'] = "000646",
    ['M'] = "0600244046",
    ['N'] = "06004640",
    ['O'] = "@00505606",
    ['P'] = "0600 0020 ~20404323 0323",
    ['Q'] = "@00505606 3547",
    ['R'] = "0600 0020 ~20404323 0323 2346",
    ['S'] = "~4140000343460605",
    ['T'] = "0040 2026",
    ['U'] = "0004 ~04064644 4440",
    ['V'] = "002640",
    ['W'] = "0016223640",
    ['X'] = "0046 4006",
    ['Y'] = "0023 4023 2326",
    ['Z'] = "00400646",
    ['a'] = "@02424606 4246",
    ['b'] = "0006 @02424606",
    ['c'] = "~434202064645",
    ['d'] = "4046 @02424606",
    ['e'] = "0444 ~444202064645",
    ['f'] = "~301012 1216 0232",
    ['g'] = "@02424606 4246 ~46480807",
    ['h'] = "0006 ~04024244 4446",
    ['i'] = "2226 2020",
    ['j'] = "2226 ~262808 2020",
    ['k'] = "0006 0442 1346",
    ['l'] = "2026",
    ['m'] = "0206 ~03022224 2426 ~23224244 4446",
    ['n'] = "0206 ~04024244 4446",
    ['o'] = "@02424606",
    ['p'] = "0208 @02424606",
    ['q'] = "4248 @02424606",
    ['r'] = "0206 ~040232",
    ['s'] = "~4342020444460605",
    ['t'] = "1014 ~141636 0232",
    ['u'] = "0204 ~04064644 4246",
    ['v'] = "022642",
    ['w'] = "0216243642",
    ['x'] = "0246 4206",
    ['y'] = "0226 4218",
    ['z'] = "02420646",
    ['.'] = "2626",
    [','] = "2617",
    [':'] = "2323 2626",
    [';'] = "2323 2617",
    ['-'] = "0343",
    ['+'] = "0343 2125",
    ['='] = "0242 0444",
    ['/'] = "0740",
    ['('] = "~30121537",
    [')'] = "~10323517",
    ['%'] = "0640 @00202202 @24444626",
    ['\''] = "2021",
    ['"'] = "1011 3031",
    ['_'] = "0747",
    ['?'] = "~0100404223 2324 2626",
    ['!'] = "2024 2626",
    ['*'] = "2125 0343",
    ['['] = "30101737",
    [']'] = "10303717",
    ['<'] = "400346",
    ['>'] = "004306",
    ['^'] = "112031",
    ['#'] = "1016 3036 0242 0444",
};
static const double GAP = 1.6, BLANK = 2.4;  // grid units

// The strokes of the sign that begins at c; NULL for a blank.
static const char* glyph_of(const char* c)
{
    if (!strncmp(c, "\u00B5", 2) || !strncmp(c, "\u03BC", 2)) return "0208 ~04064644 4246";  // micro sign, or mu
    return (unsigned char)*c < 128 ? glyphs[(unsigned char)*c] : NULL;
}

// The next sign: the bytes of one letter in UTF-8 belong together.
static const char* after_sign(const char* c)
{
    for (c++; ((unsigned char)*c & 0xC0) == 0x80; c++) {}
    return c;
}

// Leftmost and rightmost grid line that a sign uses. Digits all take the same room, so that a running clock stands still.
static void glyph_span(double* low, double* high, const char* at)
{
    const char* g = glyph_of(at);
    char c = *at;
    *low = 0, *high = isdigit((unsigned char)c) ? 4 : BLANK;
    if (!g || isdigit((unsigned char)c)) return;
    *low = 9, *high = 0;
    bool is_x = true;
    for (; *g; g++) {
        if (!isdigit((unsigned char)*g)) {
            is_x = true;
            continue;
        }
        if (is_x) *low = fmin(*low, *g - '0'), *high = fmax(*high, *g - '0');
        is_x = !is_x;
    }
}

double font_width(const char* text, double height)
{
    double sum = 0, low, high;
    for (const char* c = text; *c; c = after_sign(c)) {
        glyph_span(&low, &high, c);
        sum += high - low + GAP;
    }
    return fmax(0, sum - GAP)*height/6;
}

// Where a sign goes on the page.
typedef struct Pen {
    Mask* mask;
    double x, y, unit, width;
    bool upwards;
} Pen;

static void pen_line(const Pen* p, const double a[2], const double b[2])
{
    // a full stop must be heavier than a line to be seen, and reach no deeper, or it looks like a comma
    bool dot = a[0] == b[0] && a[1] == b[1];
    double width = dot ? 1.6*p->width : p->width, raise = 0.5*(width - p->width);
    double ax = a[0]*p->unit, ay = (a[1] - 6)*p->unit - raise, bx = b[0]*p->unit, by = (b[1] - 6)*p->unit - raise;
    if (p->upwards) mask_line(p->mask, p->x + ay, p->y - ax, p->x + by, p->y - bx, width);
    else mask_line(p->mask, p->x + ax, p->y + ay, p->x + bx, p->y + by, width);
}

// The parabola from a to c that leaves and arrives towards b.
static void pen_curve(const Pen* p, const double a[2], const double b[2], const double c[2])
{
    enum { PIECES = 8 };
    double before[2] = {a[0], a[1]};
    for (int i = 1; i <= PIECES; i++) {
        double t = (double)i/PIECES, next[2];
        for (int d = 0; d < 2; d++) next[d] = (1 - t)*(1 - t)*a[d] + 2*t*(1 - t)*b[d] + t*t*c[d];
        pen_line(p, before, next);
        before[0] = next[0], before[1] = next[1];
    }
}

// A quadratic B-spline: parabolas between the middles of the control polygon's sides.
static void pen_spline(const Pen* p, double (*q)[2], int n, bool closed)
{
    for (int i = closed ? 0 : 1; i < (closed ? n : n - 1); i++) {
        const double *before = q[(i + n - 1)%n], *at = q[i], *after = q[(i + 1)%n];
        double a[2], c[2];
        for (int d = 0; d < 2; d++) {
            a[d] = !closed && i == 1 ? before[d] : 0.5*(before[d] + at[d]);
            c[d] = !closed && i == n - 2 ? after[d] : 0.5*(at[d] + after[d]);
        }
        pen_curve(p, a, at, c);
    }
}

static void pen_glyph(const Pen* p, const char* g)
{
    while (*g) {
        double q[16][2];
        int n = 0;
        char kind = *g == '~' || *g == '@' ? *g++ : 0;
        for (; *g && *g != ' ' && n < 16; g += 2, n++) q[n][0] = g[0] - '0', q[n][1] = g[1] - '0';
        if (kind) pen_spline(p, q, n, kind == '@');
        for (int i = 1; !kind && i < n; i++) pen_line(p, q[i - 1], q[i]);
        if (*g == ' ') g++;
    }
}

void font_draw_look(Mask* m, const char* text, double x, double y, const FontLook* look)
{
    double unit = look->height/6, along = 0, width = (look->bold ? 0.19 : 0.13)*look->height;
    for (const char* c = text; *c; c = after_sign(c)) {
        double low, high;
        glyph_span(&low, &high, c);
        double start = along - low*unit;
        Pen pen = {m, x, y, unit, fmax(look->bold ? 1.5 : 1.0, width), look->upwards};
        if (look->upwards) pen.y -= start;
        else pen.x += start;
        if (glyph_of(c)) pen_glyph(&pen, glyph_of(c));
        along += (high - low + GAP)*unit;
    }
}

void font_draw(Mask* m, const char* text, double x, double y, double height)
{
    font_draw_look(m, text, x, y, &(FontLook){.height = height});
}
