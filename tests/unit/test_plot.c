// Plots: marks on axes, ends of axes, curves within their panels, both kinds of files, tables, strips.
#include "folder.h"
#include <ctype.h>
#include <sys/stat.h>

#include "base/status.h"
#include "base/vec.h"
#include "plot/layout.h"
#include "plot/runplot.h"
#include "plot/strip.h"

static void check_says(const char* words)
{
    if (!strstr(mn_last_error(), words)) fail_msg("expected \"%s\" in: %s", words, mn_last_error());
}

// ---- marks -----------------------------------------------------------------------------------------------------------------

static bool is_125(double step)
{
    double power = pow(10, floor(log10(step) + 1e-9)), part = step/power;
    return fabs(part - 1) < 1e-6 || fabs(part - 2) < 1e-6 || fabs(part - 5) < 1e-6;
}

// Marks lie within the axis, at multiples of 1, 2 or 5 times a power of ten, at least two and never more than asked for; their
// numbers say where they are.
static void test_linear_ticks(void** state)
{
    (void)state;
    static const double ends[][2] = {{0, 1},         {0, 0.25},   {-3, 7},    {44.87, 45.21},
                                     {1e-9, 3.3e-9}, {-2e5, 7e6}, {0.1, 0.3}, {99, 101}};
    for (size_t e = 0; e < sizeof ends/sizeof *ends; e++)
        for (int most = 3; most <= 12; most++) {
            Ticks t;
            double low = ends[e][0], high = ends[e][1], slack = 1e-5*(high - low);
            ticks_linear(&t, low, high, most, 1, false);
            assert_in_range(t.count, 1, most);
            if (most >= 6) assert_in_range(t.count, 2, most);
            for (int i = 0; i < t.count; i++) {
                assert_true(t.at[i] >= low - slack && t.at[i] <= high + slack);
                CHECK_WITHIN(atof(t.text[i]), t.at[i], slack);
                if (i > 0) CHECK_TRUE(is_125(t.at[i] - t.at[i - 1]));
            }
        }
}

// Zero is "0", never "-0"; numbers of one axis have the same number of digits; whole axes have whole marks; a scale is applied.
static void test_tick_numbers(void** state)
{
    (void)state;
    Ticks t;
    ticks_linear(&t, -0.3, 0.3, 7, 1, false);
    assert_int_equal(t.count, 7);
    assert_string_equal(t.text[0], "-0.3");
    assert_string_equal(t.text[3], "0.0");
    ticks_linear(&t, 0, 2.16, 12, 1, true);
    assert_int_equal(t.count, 3);
    assert_string_equal(t.text[2], "2");
    ticks_linear(&t, 0, 0.25, 6, 1000, false);
    assert_string_equal(t.text[1], "50");
    CHECK_CLOSE(t.at[1], 0.05, 1e-12);
}

// A log axis has its numbers at powers of ten; a short one at 1, 2, 5 too, a very short one wherever they fit; a scale holds for
// all.
static void test_log_ticks(void** state)
{
    (void)state;
    Ticks t;
    ticks_log(&t, 1e-16, 1, 8, 1);
    assert_in_range(t.count, 3, 9);
    for (int i = 0; i < t.count; i++) CHECK_WITHIN(log10(t.at[i]), round(log10(t.at[i])), 1e-9);
    assert_string_equal(t.text[t.count - 1], "1");
    CHECK_TRUE(strncmp(t.text[0], "10^{-1", 6) == 0);
    ticks_log(&t, 0.3, 6, 8, 1);
    int numbers = 0;
    for (int i = 0; i < t.count; i++) numbers += t.text[i][0] != 0;
    assert_int_equal(numbers, 4);  // 0.5 1 2 5
    ticks_log(&t, 7.7, 18.6, 8, 1);
    assert_in_range(t.count, 4, 8);  // 8 10 12 ..
    assert_string_equal(t.text[0], "8");
    CHECK_WITHIN(t.at[0], 8, 1e-12);
    ticks_log(&t, 1.5e-7, 3.5e-4, 8, 1e6);
    for (int i = 0; i < t.count; i++)
        if (!strcmp(t.text[i], "10")) CHECK_WITHIN(t.at[i], 1e-5, 1e-17);
    assert_string_equal(t.text[0], "");  // 0.2
    assert_string_equal(t.text[8], "1");
}

// ---- axes ------------------------------------------------------------------------------------------------------------------

static void axis_of(LayoutAxis* a, PlotAxis like, int count, const double* v)
{
    PlotFigure f = {0};
    PlotPanel* p = plot_add_panel(&f, &(PlotPanel){.y = like});
    plot_add_series(p, &(PlotSeries){.count = count, .x = v, .y = v});
    layout_axis(a, p, true);
    plot_free(&f);
}

// Data lies within its axis, which is never empty: not for one value, zeros, nothing, NAN or a log axis without positive values.
static void test_axis_ends(void** state)
{
    (void)state;
    static const struct {
        double v[3];
        int count;
    } data[] = {{{1, 2, 3}, 3},           {{5, 5, 5}, 3},       {{0, 0, 0}, 3},           {{0}, 0},
                {{NAN, NAN, 7}, 3},       {{-1e-300, 0, 0}, 3}, {{1e8, 1e8 + 1, 1e8}, 3}, {{1e308, -1e308, 0}, 3},
                {{1e-308, 4e-324, 0}, 3}, {{1e300, 1, 1}, 3}};
    for (size_t d = 0; d < sizeof data/sizeof *data; d++)
        for (int log_axis = 0; log_axis < 2; log_axis++) {
            LayoutAxis a;
            axis_of(&a, (PlotAxis){.log = log_axis}, data[d].count, data[d].v);
            CHECK_LESS(a.low, a.high);
            CHECK_TRUE(isfinite(a.high - a.low) && (!a.log || a.low > 0));
            for (int i = 0; i < data[d].count; i++) {
                double part = layout_part(&a, data[d].v[i]);
                if (isfinite(part) && fabs(data[d].v[i]) < 1e250 && fabs(data[d].v[i]) > 1e-250)
                    CHECK_TRUE(part >= 0 && part <= 1);
            }
        }
    LayoutAxis a;
    axis_of(&a, (PlotAxis){.least_range = 0.1}, 2, (double[]){45, 45 + 1e-12});
    CHECK_LESS(0.0999, a.high - a.low);
}

// Units carry the power of ten: metres become millimetres, square metres keep a factor, bare numbers too.
static void test_axis_units(void** state)
{
    (void)state;
    LayoutAxis a;
    axis_of(&a, (PlotAxis){.label = "height", .unit = "m"}, 2, (double[]){0, 0.02});
    assert_string_equal(a.label, "height (mm)");
    CHECK_CLOSE(a.scale, 1000, 1e-12);
    axis_of(&a, (PlotAxis){.label = "energy", .unit = "J/m"}, 2, (double[]){0, 3e-5});
    assert_string_equal(a.label, "energy (\u00B5J/m)");
    axis_of(&a, (PlotAxis){.label = "area", .unit = "m^{2}"}, 2, (double[]){0, 3e-5});
    assert_string_equal(a.label, "area (10^{-6} m^{2})");
    axis_of(&a, (PlotAxis){.label = "error"}, 2, (double[]){0, 2e-4});
    assert_string_equal(a.label, "error (10^{-6})");
    axis_of(&a, (PlotAxis){.label = "t", .unit = "s"}, 2, (double[]){0, 7200});
    assert_string_equal(a.label, "t (s)");
}

// ---- pages -----------------------------------------------------------------------------------------------------------------

// Points of all lines of a curve's colour.
static bool is_curve(const PageItem* item, V3 colour)
{
    V3 d = item->colour - colour;
    return (item->kind == PAGE_LINE || item->kind == PAGE_DASHES) && v3_dot(d, d) == 0;
}

// A million points become a few thousand on the page, and still reach the highest and the lowest of them. Nothing leaves the
// page, even where the axis is shorter than the data.
static void test_long_curves(void** state)
{
    (void)state;
    enum { N = 1000000 };
    double *x = malloc(N*sizeof *x), *y = malloc(N*sizeof *y);
    for (int i = 0; i < N; i++) x[i] = i, y[i] = sin(0.37*i);
    for (int cut = 0; cut < 2; cut++) {
        PlotFigure f = {.width = 600, .height = 400};
        PlotPanel* p = plot_add_panel(&f, &(PlotPanel){.y = {.low = cut ? -0.5 : -1, .high = cut ? 0.5 : 1}});
        plot_add_series(p, &(PlotSeries){.count = N, .x = x, .y = y, .colour = 3});
        Page page = {0};
        CHECK_OK(layout_figure(&page, &f));
        double low = INFINITY, high = -INFINITY;
        int points = 0;
        for (int i = 0; i < page.count; i++)
            for (int q = 0; q < page.item[i].count && is_curve(&page.item[i], layout_colour(3)); q++) {
                const double* at = page.point + 2*(page.item[i].first + q);
                CHECK_TRUE(at[0] >= 0 && at[0] <= 600);
                low = fmin(low, at[1]), high = fmax(high, at[1]), points++;
            }
        assert_in_range(points, 500, 12000);
        CHECK_LESS(200, high - low);
        CHECK_TRUE(low > 0 && high < 400);
        page_free(&page);
        plot_free(&f);
    }
    free(x), free(y);
}

// A gap in the data is a gap in the line.
static void test_gaps(void** state)
{
    (void)state;
    PlotFigure f = {0};
    PlotPanel* p = plot_add_panel(&f, &(PlotPanel){.title = "gap"});
    plot_add_series(p, &(PlotSeries){.count = 5, .x = (double[]){0, 1, 2, 3, 4}, .y = (double[]){1, 2, NAN, 2, 1}, .colour = 2});
    Page page = {0};
    CHECK_OK(layout_figure(&page, &f));
    int lines = 0;
    for (int i = 0; i < page.count; i++) lines += is_curve(&page.item[i], layout_colour(2));
    assert_int_equal(lines, 2);
    page_free(&page);
    plot_free(&f);
}

// ---- files -----------------------------------------------------------------------------------------------------------------

// A figure with everything: two panels, all styles, log axes, bars, signs that XML must hide, bytes that are not UTF-8.
static void make_figure(PlotFigure* f, const Picture* image)
{
    static const double t[] = {0.01, 0.1, 0.2, 0.3, 0.5}, h[] = {1e-5, 2e-3, 1e-4, 3e-2, 1e-1}, bars[] = {1, 2.5};
    *f = (PlotFigure){.title = "Tom & \"Jerry\" <3 \xff\xc3", .width = 800, .height = 640};
    PlotPanel* p = plot_add_panel(
        f, &(PlotPanel){.title = "all styles", .x = {.label = "time", .unit = "s"}, .y = {.label = "h^{2}", .log = true}});
    for (int style = PLOT_LINE; style <= PLOT_DOTS; style++) {
        PlotSeries s = {.style = style, .colour = style - 1, .count = 5, .x = t, .y = h};
        snprintf(s.label, sizeof s.label, "style %d <&>", style);
        plot_add_series(p, &s);
    }
    PlotPanel* b = plot_add_panel(f, &(PlotPanel){.title = "bars", .x = {.label = "time", .unit = "s"}});
    plot_add_name(b, "one & two"), plot_add_name(b, "three");
    plot_add_series(b, &(PlotSeries){.style = PLOT_BARS, .count = 2, .y = bars});
    plot_add_panel(f, &(PlotPanel){.title = "image", .x = {.high = 1}, .y = {.high = 1}, .image = image});
    plot_add_legend(f, &(PlotSeries){.label = "shared"});
}

// Enough of XML to tell a well-formed file: tags nest and close, attributes are quoted, signs are hidden, bytes are UTF-8.
static void check_well_formed(const char* text)
{
    char open[32][32];
    int depth = 0, elements = 0;
    const char* at = strstr(text, "?>");
    assert_non_null(at);
    for (at += 2; *at;) {
        if (*at == '&') {
            const char* end = strchr(at, ';');
            assert_true(end && end - at <= 5);
        }
        if (*at != '<') {
            assert_true(*at != '>' && (depth > 0 || isspace((unsigned char)*at)));
            at++;
            continue;
        }
        bool closing = at[1] == '/';
        at += 1 + closing;
        size_t length = strcspn(at, " />\n");
        assert_in_range(length, 1, 31);
        if (closing) {
            assert_true(depth > 0 && strlen(open[depth - 1]) == length && !strncmp(open[depth - 1], at, length));
            depth--;
        } else {
            assert_true(depth < 32);
            snprintf(open[depth++], 32, "%.*s", (int)length, at);
            elements++;
        }
        for (at += length; *at && *at != '>'; at++) {
            if (*at == '/' && at[1] == '>') depth--;
            else if (*at == '"') {
                size_t value = strcspn(at + 1, "\"<");
                assert_int_equal(at[1 + value], '"');
                at += 1 + value;
            }
        }
        assert_int_equal(*at, '>');
        at++;
    }
    assert_int_equal(depth, 0);
    CHECK_LESS(30, elements);
}

static bool is_utf8(const char* text) { return strstr(text, "\xff") == NULL && strstr(text, "\xc3<") == NULL; }

static void test_svg(void** state)
{
    (void)state;
    Picture image;
    CHECK_OK(picture_init(&image, 7, 5, v3(0.2f, 0.4f, 0.6f)));
    PlotFigure f;
    make_figure(&f, &image);
    CHECK_OK(plot_write(&f, in("all.svg")));
    size_t size;
    char* text = contents("all.svg", &size);
    check_well_formed(text);
    CHECK_TRUE(is_utf8(text));
    static const char* const needed[] = {"Tom &amp; &quot;Jerry&quot; &lt;3",
                                         "style 1 &lt;&amp;&gt;",
                                         "data:image/png;base64,iVBORw0KGgo",
                                         "stroke-dasharray",
                                         "width=\"800\"",
                                         "<tspan",
                                         "one &amp; two",
                                         "shared",
                                         "time (ms)"};
    for (size_t i = 0; i < sizeof needed/sizeof *needed; i++)
        if (!strstr(text, needed[i])) fail_msg("%s is not in the file", needed[i]);
    CHECK_TRUE(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    free(text);
    plot_free(&f);
    picture_free(&image);
}

// Share of pixels that are not paper.
static double ink_share(const Picture* p, int x0, int x1, int y0, int y1)
{
    int ink = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) ink += v3_luminance(picture_get(p, x, y)) < 0.98f;
    return (double)ink/((x1 - x0)*(y1 - y0));
}

// The PNG has the size asked for, ink in every panel, and none at the very edge, where letters would be cut off.
static void test_png(void** state)
{
    (void)state;
    Picture image, p;
    CHECK_OK(picture_init(&image, 7, 5, v3(0.2f, 0.4f, 0.6f)));
    PlotFigure f;
    make_figure(&f, &image);
    static const int size[][2] = {{800, 640}, {1600, 900}, {420, 420}, {500, 1200}};
    for (size_t s = 0; s < sizeof size/sizeof *size; s++) {
        int w = f.width = size[s][0], h = f.height = size[s][1];
        CHECK_OK(plot_write(&f, in("all.png")));
        CHECK_OK(picture_read_png(&p, in("all.png")));
        assert_int_equal(p.width, w);
        assert_int_equal(p.height, h);
        for (int q = 0; q < 4; q++)
            CHECK_LESS(0.01, ink_share(&p, q%2*w/2, (q%2 + 1)*w/2, q/2*h/2, (q/2 + 1)*h/2));
        CHECK_LESS(ink_share(&p, 0, w, 0, 2) + ink_share(&p, 0, w, h - 2, h) + ink_share(&p, 0, 2, 0, h) +
                       ink_share(&p, w - 2, w, 0, h),
                   1e-9);
        picture_free(&p);
    }
    plot_free(&f);
    picture_free(&image);
}

// A plot that cannot be made leaves no file: wrong ending, no panel, no room for its panels, no such folder.
static void test_refused(void** state)
{
    (void)state;
    PlotFigure f = {0};
    assert_int_equal(plot_write(&f, in("none.png")), MN_BAD_ARGUMENT);
    plot_add_panel(&f, &(PlotPanel){.title = "empty"});
    assert_int_equal(plot_write(&f, in("none.gif")), MN_BAD_ARGUMENT);
    assert_int_equal(plot_write(&f, in(".svg")), MN_BAD_ARGUMENT);
    assert_int_equal(plot_write(&f, in("nowhere/none.png")), MN_IO);
    assert_int_equal(plot_write(&f, in("nowhere/none.svg")), MN_IO);
    f.width = 40, f.height = 40;
    assert_int_equal(plot_write(&f, in("none.png")), MN_BAD_ARGUMENT);
    check_says("40 x 40");
    plot_free(&f);
    assert_int_not_equal(access(in("none.png"), F_OK), 0);
    assert_int_not_equal(access(in("none.gif"), F_OK), 0);
}

// ---- tables ----------------------------------------------------------------------------------------------------------------

// A table gives its columns; a damaged one is refused with its name, line and column.
static void test_tables(void** state)
{
    (void)state;
    CsvTable t;
    write_text("good.csv", "step,t,volume\n1,0.5,1e-3\n2,1,nan\n");
    CHECK_OK(csv_read(&t, in("good.csv")));
    assert_int_equal(t.rows, 2);
    CHECK_CLOSE(csv_find(&t, "t")[1], 1, 1e-15);
    CHECK_TRUE(isnan(csv_find(&t, "volume")[1]));
    const double* column;
    assert_int_equal(csv_column(&column, &t, "energy"), MN_IO);
    check_says("'energy'");
    csv_free(&t);
    static const struct {
        const char *text, *said;
    } bad[] = {{"", "empty"},
               {"step,t", "cut short"},
               {"step,t\n1,2\n3", "cut short"},
               {"step,t\n1,2\n3\n", "line 3 has fewer"},
               {"step,t\n1,2,3\n", "line 2 has more"},
               {"step,t\n1,x7\n", "line 2: t is 'x7'"},
               {"step,t\n1,\n", "line 2: t is ''"},
               {"step,t\n\n", "line 2: step is ''"}};
    for (size_t b = 0; b < sizeof bad/sizeof *bad; b++) {
        write_text("bad.csv", bad[b].text);
        assert_int_equal(csv_read(&t, in("bad.csv")), MN_IO);
        check_says("bad.csv");
        check_says(bad[b].said);
    }
    assert_int_equal(csv_read(&t, in("missing.csv")), MN_IO);
    check_says("missing.csv");
    // text of any kind beside numbers, written and read
    Columns row = {0};
    Bytes text = {0};
    columns_text(&row, "name", "a, \"b\"\nc");
    columns_real(&row, "x", 2);
    csv_add_names(&text, &row), csv_add_row(&text, &row);
    assert_string_equal(text.data, "name,x\n\"a, \"\"b\"\" c\",2\n");
    write_text("text.csv", text.data);
    CHECK_OK(csv_read(&t, in("text.csv")));
    CHECK_TRUE(isnan(csv_find(&t, "name")[0]));
    CHECK_CLOSE(csv_find(&t, "x")[0], 2, 1e-15);
    csv_free(&t), columns_free(&row), bytes_free(&text);
    write_text("text.csv", "name,x\n\"a,2\n");
    assert_int_equal(csv_read(&t, in("text.csv")), MN_IO);
    check_says("line 2: name is");
}

// Runs are told apart by as little of their paths as does it.
static void test_run_names(void** state)
{
    (void)state;
    const char* dir[] = {"a/fine/out", "a/coarse/out/", "b/other"};
    char name[PLOT_TEXT];
    runplot_name(name, dir, 3, 0);
    assert_string_equal(name, "fine/out");
    runplot_name(name, dir, 3, 1);
    assert_string_equal(name, "coarse/out");
    runplot_name(name, dir, 3, 2);
    assert_string_equal(name, "other");
    runplot_name(name, dir, 1, 0);
    assert_string_equal(name, "out");
}

static void make_tables(const char* run, double rate)
{
    char path[64], text[4096];
    mkdir(in(run), 0777);
    snprintf(path, sizeof path, "%s/run.json", run);
    write_text(path,
               "{\"title\": \"Two liquids\", \"dim\": 2, \"dx\": 0.001, \"stage_seconds\": {\"solve\": 1.5, \"advect\": 0.5, "
               "\"none\": 0}}");
    int used = snprintf(text, sizeof text, "t,kinetic_energy,volume_correction,ledger_error,liquids,droplets,iterations\n");
    for (int i = 1; i <= 20; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%g,%g,1e-5,%g,%d,0,%d\n", 0.01*i, exp(-rate*i),
                         i%3 ? 1e-15 : 0.0, 1 + i/10, 5 + i%4);
    snprintf(path, sizeof path, "%s/table.csv", run);
    write_text(path, text);
    snprintf(path, sizeof path, "%s/liquids.csv", run);
    write_text(path, "frame,t,volume,cx,cy,cz\n0,0,1,0.01,0.02,0\n0,0,3,0.05,0.02,0\n1,0.1,4,0.04,0.01,0\n");
}

// All panels of a run; the centre of volume is that of all liquids together; stages that took no time are left out.
static void test_run_panels(void** state)
{
    (void)state;
    make_tables("one", 0.1);
    PlotFigure f = {0};
    const char* dir[] = {in("one")};
    CHECK_OK(runplot_add(&f, dir, 1, RUNPLOT_ALL));
    assert_string_equal(f.title, "Two liquids");
    assert_int_equal(f.panel_count, 7);
    assert_int_equal(f.legend_count, 0);
    const PlotSeries* x = &f.panel[2]->series[0];
    assert_int_equal(x->count, 2);
    CHECK_CLOSE(x->y[0], 0.04, 1e-12);
    assert_int_equal(f.panel[6]->name_count, 2);
    plot_free(&f);
    // a run that has just begun knows no stages yet
    write_text("one/run.json", "{\"title\": \"Young\", \"dim\": 2, \"dx\": 0.001, \"stage_seconds\": {}}");
    CHECK_OK(runplot_add(&f, dir, 1, RUNPLOT_ALL));
    assert_int_equal(f.panel_count, 6);
    plot_free(&f);
    assert_int_equal(runplot_add(&f, dir, 1, RUNPLOT_STAGES), MN_IO);
    check_says("stage_seconds");
    plot_free(&f);
    int what = 0;
    CHECK_OK(runplot_words(&what, "volume,stages"));
    assert_int_equal(what, RUNPLOT_VOLUME | RUNPLOT_STAGES);
    assert_int_equal(runplot_words(&what, "volume,,stages"), MN_BAD_ARGUMENT);
    assert_int_equal(runplot_words(&what, "vol"), MN_BAD_ARGUMENT);
    check_says("'vol'");
}

// Two runs share their panels, each in its own colour, and the legend of the figure names both.
static void test_overlay(void** state)
{
    (void)state;
    make_tables("slow", 0.1);
    make_tables("quick", 0.4);
    PlotFigure f = {0};
    const char* dir[] = {in("slow"), in("quick")};
    CHECK_OK(runplot_add(&f, dir, 2, RUNPLOT_ENERGY));
    assert_int_equal(f.panel_count, 1);
    assert_int_equal(f.panel[0]->series_count, 2);
    assert_int_not_equal(f.panel[0]->series[0].colour, f.panel[0]->series[1].colour);
    CHECK_OK(plot_write(&f, in("two.svg")));
    size_t size;
    char* text = contents("two.svg", &size);
    check_well_formed(text);
    CHECK_TRUE(strstr(text, ">slow<") && strstr(text, ">quick<"));
    free(text);
    plot_free(&f);
}

// ---- strips ----------------------------------------------------------------------------------------------------------------

static void test_strip_places(void** state)
{
    (void)state;
    StripPlace p;
    CHECK_OK(strip_place(&p, "120"));
    assert_int_equal(p.kind, STRIP_PIXEL);
    CHECK_OK(strip_place(&p, "50%"));
    CHECK_CLOSE(p.at, 0.5, 1e-12);
    CHECK_OK(strip_place(&p, "4.5mm,2cm"));
    CHECK_CLOSE(p.at, 4.5e-3, 1e-12);
    CHECK_CLOSE(p.z, 0.02, 1e-12);
    static const char* const bad[] = {"", "x", "-3", "1.5", "101%", "5km", "5mm,", "5mm,3", "5mm 3mm", "nan", "99999999"};
    for (size_t b = 0; b < sizeof bad/sizeof *bad; b++) assert_int_equal(strip_place(&p, bad[b]), MN_BAD_ARGUMENT);
}

// A square block of liquid, 2D, or a cube, 3D, from 4 to 8 mm up.
static void save_block(const char* path, int dim)
{
    static const float corner[8][3] = {{.004f, .004f, .004f}, {.008f, .004f, .004f}, {.008f, .008f, .004f},
                                       {.004f, .008f, .004f}, {.004f, .004f, .008f}, {.008f, .004f, .008f},
                                       {.008f, .008f, .008f}, {.004f, .008f, .008f}};
    static const int triangle[12][3] = {{0, 3, 2}, {0, 2, 1}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                        {3, 7, 6}, {3, 6, 2}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    fprintf(f, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n",
            dim == 3 ? 8 : 4);
    if (dim == 3) fprintf(f, "element face 12\nproperty list uchar int vertex_indices\nproperty int kind\nend_header\n");
    else fprintf(f, "element edge 4\nproperty int vertex1\nproperty int vertex2\nproperty int kind\nend_header\n");
    fwrite(corner, sizeof corner[0], dim == 3 ? 8 : 4, f);
    for (int t = 0; t < 12 && dim == 3; t++) fputc(3, f), fwrite(triangle[t], 12, 1, f), fwrite(&(int){0}, 4, 1, f);
    for (int e = 0; e < 4 && dim == 2; e++) fwrite((int[3]){e, (e + 1)%4, 0}, 12, 1, f);
    fclose(f);
}

// The strip of a block that stands still is a band between its bottom and its top, in 2D and in 3D, and empty beside it.
static void test_strip_of_surface(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        char path[64];
        const char* run = dim == 3 ? "cube" : "square";
        mkdir(in(run), 0777);
        snprintf(path, sizeof path, "%s/run.json", run);
        write_text(path, dim == 3 ? "{\"dim\": 3, \"size\": [0.012, 0.012, 0.012], \"dx\": 0.001, \"frame_rate\": 10}"
                                  : "{\"dim\": 2, \"size\": [0.012, 0.012], \"dx\": 0.001, \"frame_rate\": 10}");
        for (int frame = 0; frame < 3; frame++) {
            snprintf(path, sizeof path, "%s/surface_%04d.ply", run, frame);
            save_block(in(path), dim);
        }
        PlotFigure f = {0};
        Picture image;
        StripPlace place;
        CHECK_OK(strip_place(&place, "50%"));
        CHECK_OK(strip_add(&f, &image, in(run), &place));
        assert_int_equal(image.width, 3);
        double wet = 0;
        for (int y = 0; y < image.height; y++) wet += ink_share(&image, 1, 2, y, y + 1);
        CHECK_WITHIN(wet/image.height, 1.0/3, 0.005);
        CHECK_LESS(v3_luminance(picture_get(&image, 1, image.height/2)), 0.9);
        CHECK_OK(plot_write(&f, in("strip.png")));
        picture_free(&image);
        CHECK_OK(strip_place(&place, "1mm"));
        CHECK_OK(strip_add(&f, &image, in(run), &place));
        CHECK_LESS(ink_share(&image, 0, 3, 0, image.height), 1e-9);
        picture_free(&image);
        CHECK_OK(strip_place(&place, "5cm"));
        assert_int_equal(strip_add(&f, &image, in(run), &place), MN_BAD_ARGUMENT);
        check_says("0.05 m");
        CHECK_OK(strip_place(&place, "5"));
        assert_int_equal(strip_add(&f, &image, in(run), &place), MN_IO);
        check_says("meniscus render");
        plot_free(&f);
    }
}

// In the laboratory the block goes up by 2 mm and then to 4 mm below where it was: the strip has room for all of it. A run
// without the box's place in its table says so.
static void test_strip_in_laboratory(void** state)
{
    (void)state;
    static const double lift[3] = {0, 2e-3, -4e-3};
    const double tall = 12e-3 + 6e-3, low = -4e-3;
    PlotFigure f = {0};
    Picture image;
    StripPlace place;
    write_text("square/liquids.csv", "frame,t,id\n0,0,1\n");
    CHECK_OK(strip_place(&place, "50%"));
    place.lab = true;
    assert_int_equal(strip_add(&f, &image, in("square"), &place), MN_IO);
    check_says("frame_x");
    write_text("square/liquids.csv", "frame,frame_x,frame_y,frame_z\n0,0,0,0\n1,0,0.002,0\n2,0,-0.004,0\n");
    CHECK_OK(strip_add(&f, &image, in("square"), &place));
    for (int frame = 0; frame < 3; frame++) {
        double above = (8e-3 + lift[frame] - low)/tall, below = (4e-3 + lift[frame] - low)/tall;
        int top = (int)lround(image.height*(1 - above)), bottom = (int)lround(image.height*(1 - below));
        CHECK_LESS(0.99, ink_share(&image, frame, frame + 1, top + 1, bottom - 1));
        CHECK_LESS(ink_share(&image, frame, frame + 1, 0, top - 1), 1e-9);
        CHECK_LESS(ink_share(&image, frame, frame + 1, bottom + 1, image.height), 1e-9);
    }
    picture_free(&image);
    plot_free(&f);
}

// Columns of pictures are put side by side; a frame without a picture shows the one before; a column outside is refused.
static void test_strip_of_pictures(void** state)
{
    (void)state;
    mkdir(in("square/pictures"), 0777);
    for (int frame = 0; frame < 3; frame += 2) {
        Picture p;
        char path[64];
        CHECK_OK(picture_init(&p, 20, 10, v3(0.1f*(float)(frame + 1), 0.5f, 0.5f)));
        picture_set(&p, 4, 3, v3(1, 0, 0));
        snprintf(path, sizeof path, "square/pictures/frame_%04d.png", frame);
        CHECK_OK(picture_write_png(&p, in(path)));
        picture_free(&p);
    }
    PlotFigure f = {0};
    Picture image;
    StripPlace place;
    CHECK_OK(strip_place(&place, "4"));
    CHECK_OK(strip_add(&f, &image, in("square"), &place));
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 10);
    CHECK_WITHIN(picture_get(&image, 1, 3)[1], 0, 1e-6);
    CHECK_WITHIN(picture_get(&image, 1, 0)[0], 0.1, 0.003);
    CHECK_WITHIN(picture_get(&image, 2, 0)[0], 0.3, 0.003);
    picture_free(&image);
    CHECK_OK(strip_place(&place, "20"));
    assert_int_equal(strip_add(&f, &image, in("square"), &place), MN_BAD_ARGUMENT);
    check_says("20 pixels wide");
    write_text("square/pictures/frame_0001.png", "no picture");
    CHECK_OK(strip_place(&place, "4"));
    assert_int_equal(strip_add(&f, &image, in("square"), &place), MN_IO);
    check_says("frame_0001.png");
    plot_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_ticks),
        cmocka_unit_test(test_tick_numbers),
        cmocka_unit_test(test_log_ticks),
        cmocka_unit_test(test_axis_ends),
        cmocka_unit_test(test_axis_units),
        cmocka_unit_test(test_long_curves),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_run_names),
        cmocka_unit_test(test_run_panels),
        cmocka_unit_test(test_overlay),
        cmocka_unit_test(test_strip_places),
        cmocka_unit_test(test_strip_of_surface),
        cmocka_unit_test(test_strip_in_laboratory),
        cmocka_unit_test(test_strip_of_pictures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
