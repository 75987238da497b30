#include "plot/layout.h"

#include <math.h>

#include "base/vec.h"

#define INK layout_colour(PLOT_INK)
#define GRID v3(0.89f, 0.90f, 0.92f)
#define FRAME v3(0.55f, 0.58f, 0.62f)

// One panel: where it lies, its axes, the marks on them.
typedef struct Frame {
    const PlotPanel* panel;
    LayoutBox room;  // with all its letters
    LayoutBox box;   // within the axes
    LayoutAxis x, y;
    Ticks x_ticks, y_ticks;
    double left, top;  // pixels that letters take of the room
} Frame;

static bool is_bars(const Frame* f) { return f->panel->name_count > 0; }

static double widest(const Ticks* t, double letter)
{
    double width = 0;
    for (int i = 0; i < t->count; i++) width = fmax(width, page_text_width(t->text[i], letter));
    return width;
}

static void find_ticks(Ticks* t, const LayoutAxis* a, int most, bool whole)
{
    if (a->log) ticks_log(t, a->low, a->high, most, a->scale);
    else ticks_linear(t, a->low, a->high, most, a->scale, whole);
}

// As many numbers as fit side by side.
static void find_x_ticks(Frame* f, double letter)
{
    for (int most = clampi((int)(f->box.width/(6*letter)), 2, 12); most >= 2; most--) {
        find_ticks(&f->x_ticks, &f->x, most, f->panel->x.whole);
        double last = -INFINITY, gap = INFINITY;
        for (int i = 0; i < f->x_ticks.count; i++) {
            double half = 0.5*page_text_width(f->x_ticks.text[i], letter),
                   x = f->box.width*layout_part(&f->x, f->x_ticks.at[i]);
            if (!f->x_ticks.text[i][0]) continue;
            gap = fmin(gap, x - half - last), last = x + half;
        }
        if (gap > 1.2*letter) return;
    }
}

static void measure_frame(Frame* f, double letter)
{
    const PlotPanel* p = f->panel;
    layout_axis(&f->x, p, false);
    layout_axis(&f->y, p, true);
    LayoutPen pen = {.letter = letter};
    int rows = layout_legend(&pen, p->series, p->series_count, 0, 0, f->room.width - 10*letter, false);
    f->top = 0.9*letter + (p->title[0] ? 2.2*letter : 0) + rows*1.9*letter;
    double numbers = 0;
    if (is_bars(f)) {
        for (int i = 0; i < p->name_count; i++) numbers = fmax(numbers, page_text_width(p->name[i], letter));
    } else {
        find_ticks(&f->y_ticks, &f->y, clampi((int)((f->room.height - f->top - 5*letter)/(3.2*letter)), 2, 12), p->y.whole);
        numbers = widest(&f->y_ticks, letter);
    }
    f->left = numbers + 1.8*letter + (f->y.label[0] && !is_bars(f) ? 2.2*letter : 0);
}

static void draw_x_axis(const LayoutPen* pen, const Frame* f)
{
    const LayoutBox* b = &f->box;
    double letter = pen->letter, bottom = b->y + b->height;
    PageFont font = {.height = letter, .colour = INK};
    for (int i = 0; i < f->x_ticks.count; i++) {
        double x = b->x + b->width*layout_part(&f->x, f->x_ticks.at[i]);
        page_text(pen->page, f->x_ticks.text[i], x, bottom + 2*letter, 0, &font);
    }
    page_text(pen->page, f->x.label, b->x + 0.5*b->width, bottom + 4.1*letter, 0, &font);
}

static void draw_y_axis(const LayoutPen* pen, const Frame* f)
{
    const LayoutBox* b = &f->box;
    double letter = pen->letter;
    PageFont font = {.height = letter, .colour = INK};
    if (is_bars(f)) {
        double row = b->height/f->panel->name_count;
        for (int i = 0; i < f->panel->name_count; i++)
            page_text(pen->page, f->panel->name[i], b->x - 0.9*letter, b->y + (i + 0.5)*row + 0.5*letter, 1, &font);
        return;
    }
    for (int i = 0; i < f->y_ticks.count; i++) {
        double y = b->y + b->height*(1 - layout_part(&f->y, f->y_ticks.at[i]));
        page_text(pen->page, f->y_ticks.text[i], b->x - 0.9*letter, y + 0.5*letter, 1, &font);
    }
    font.upwards = true;
    // an axis too short for its label at full size has it smaller
    double width = page_text_width(f->y.label, letter);
    font.height = letter*fmin(1, (f->room.height - letter)/fmax(width, 1));
    double middle = clamp(b->y + 0.5*b->height, f->room.y + 0.5*fmin(width, f->room.height), f->room.y + f->room.height);
    page_text(pen->page, f->y.label, b->x - f->left + 1.6*letter, middle, 0, &font);
}

static double crisp(double v) { return floor(v) + 0.5; }

static void draw_grid(const LayoutPen* pen, const Frame* f)
{
    const LayoutBox* b = &f->box;
    for (int i = 0; i < f->x_ticks.count; i++) {
        double x = crisp(b->x + b->width*layout_part(&f->x, f->x_ticks.at[i]));
        page_line(pen->page, x, b->y, x, b->y + b->height, GRID, 1);
    }
    for (int i = 0; i < f->y_ticks.count && !is_bars(f); i++) {
        double y = crisp(b->y + b->height*(1 - layout_part(&f->y, f->y_ticks.at[i])));
        page_line(pen->page, b->x, y, b->x + b->width, y, GRID, 1);
    }
}

// The rectangle, and short marks outside it where an image hides the grid.
static void draw_rectangle(const LayoutPen* pen, const Frame* f)
{
    const LayoutBox* b = &f->box;
    double x0 = crisp(b->x), x1 = crisp(b->x + b->width), y0 = crisp(b->y), y1 = crisp(b->y + b->height),
           mark = 0.5*pen->letter;
    page_begin(pen->page, PAGE_LINE, FRAME, 1);
    page_point(pen->page, x0, y0);
    page_point(pen->page, x1, y0);
    page_point(pen->page, x1, y1);
    page_point(pen->page, x0, y1);
    page_point(pen->page, x0, y0);
    for (int i = 0; i < f->x_ticks.count; i++) {
        double x = crisp(b->x + b->width*layout_part(&f->x, f->x_ticks.at[i]));
        page_line(pen->page, x, y1, x, y1 + mark, FRAME, 1);
    }
    for (int i = 0; i < f->y_ticks.count && !is_bars(f); i++) {
        double y = crisp(b->y + b->height*(1 - layout_part(&f->y, f->y_ticks.at[i])));
        page_line(pen->page, x0 - mark, y, x0, y, FRAME, 1);
    }
}

static void draw_frame(const LayoutPen* pen, const Frame* f)
{
    const PlotPanel* p = f->panel;
    const LayoutBox* b = &f->box;
    double letter = pen->letter, base = b->y - f->top + 1.6*letter;
    if (p->title[0]) {
        double fit = fmin(1, b->width/fmax(1, page_text_width(p->title, 1.05*letter)));
        page_text(pen->page, p->title, b->x, base, -1, &(PageFont){.height = 1.05*letter*fit, .colour = INK, .bold = true});
        base += 2.2*letter;
    }
    layout_legend(pen, p->series, p->series_count, b->x, base, f->room.width - 10*letter, true);
    if (p->image) page_image(pen->page, p->image, b->x, b->y, b->width, b->height);
    else draw_grid(pen, f);
    if (is_bars(f)) layout_bars(pen, p, b, &f->x);
    // marks lie on top of lines, whatever came first
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < p->series_count; s++)
            if ((p->series[s].style == PLOT_MARKS) == (pass == 1)) layout_series(pen, &p->series[s], b, &f->x, &f->y);
    draw_rectangle(pen, f);
    draw_x_axis(pen, f);
    draw_y_axis(pen, f);
}

// Places of the panels: rows and columns; the last panel takes what is left of its row.
typedef struct Sheet {
    int columns, rows;
    double head;  // pixels of the title and the legend of the figure
    double margin;
} Sheet;

static LayoutBox panel_room(const Page* page, const Sheet* s, int index, int count)
{
    int column = index%s->columns, row = index/s->columns;
    double width = (page->width - 2*s->margin)/s->columns, height = (page->height - s->head - s->margin)/s->rows;
    LayoutBox room = {s->margin + column*width, s->head + row*height, width, height};
    if (index == count - 1) room.width = page->width - s->margin - room.x;
    return room;
}

// Panels above each other have their axes above each other.
static void place_boxes(Frame* frame, int count, const Sheet* s, double letter)
{
    for (int i = 0; i < count; i++) {
        double left = 0, top = 0;
        for (int j = 0; j < count; j++) {
            if (j%s->columns == i%s->columns) left = fmax(left, frame[j].left);
            if (j/s->columns == i/s->columns) top = fmax(top, frame[j].top);
        }
        Frame* f = &frame[i];
        double x = round(f->room.x + left), y = round(f->room.y + top);
        f->box = (LayoutBox){x, y, floor(f->room.x + f->room.width - 2*letter - x),
                             floor(f->room.y + f->room.height - 5.2*letter - y)};
        find_x_ticks(f, letter);
    }
}

static void choose_size(Page* page, Sheet* s, const PlotFigure* f)
{
    int count = f->panel_count;
    s->columns = clampi(f->columns > 0 ? f->columns : count > 1 ? 2 : 1, 1, count);
    s->rows = (count + s->columns - 1)/s->columns;
    page->width = f->width > 0 ? f->width : s->columns == 1 ? 900 : 640*s->columns;
    page->height = f->height > 0 ? f->height : s->rows*(s->columns == 1 ? 520 : 370) + 70;
}

static double draw_head(const LayoutPen* pen, const PlotFigure* f, bool draw)
{
    double letter = pen->letter, y = 1.2*letter, width = pen->page->width - 4*letter;
    if (f->title[0]) {
        double size = 1.3*letter*fmin(1, width/fmax(1, page_text_width(f->title, 1.3*letter)));
        y += 1.3*letter;
        if (draw) page_text(pen->page, f->title, 2*letter, y, -1, &(PageFont){.height = size, .colour = INK, .bold = true});
        y += 1.3*letter;
    }
    int rows = layout_legend(pen, f->legend, f->legend_count, 2*letter, y + 1.5*letter, width, draw);
    return y + rows*1.9*letter + (rows > 0 ? 1.2*letter : 0);
}

static mn_status draw_all(Page* page, const PlotFigure* f, Frame* frame)
{
    Sheet sheet;
    choose_size(page, &sheet, f);
    double letter = clamp(fmin(page->width/(68.0*sheet.columns), page->height/(38.0*sheet.rows)), 6, 24);
    LayoutPen pen = {page, letter, fmax(1.3, 0.18*letter)};
    sheet.margin = letter;
    sheet.head = draw_head(&pen, f, true);
    for (int i = 0; i < f->panel_count; i++) {
        frame[i] = (Frame){.panel = f->panel[i], .room = panel_room(page, &sheet, i, f->panel_count)};
        measure_frame(&frame[i], letter);
    }
    place_boxes(frame, f->panel_count, &sheet, letter);
    for (int i = 0; i < f->panel_count; i++) {
        if (frame[i].box.width < 8*letter || frame[i].box.height < 5*letter)
            return mn_fail(MN_BAD_ARGUMENT, "%d x %d pixels are too few for %d panel%s", page->width, page->height,
                           f->panel_count, f->panel_count == 1 ? "" : "s");
        draw_frame(&pen, &frame[i]);
    }
    return MN_OK;
}

mn_status layout_figure(Page* page, const PlotFigure* f)
{
    if (f->panel_count == 0) return mn_fail(MN_BAD_ARGUMENT, "a plot needs a panel");
    if (f->width < 0 || f->height < 0 || f->width > 16384 || f->height > 16384)
        return mn_fail(MN_BAD_ARGUMENT, "a plot must have at most 16384 pixels each way");
    static _Thread_local Frame frame[PLOT_MAX_PANELS];  // 32 panels with two lists of marks each: too much for a stack
    mn_status status = draw_all(page, f, frame);
    if (status != MN_OK) page_free(page);
    return status;
}
