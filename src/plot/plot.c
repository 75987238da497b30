#include "plot/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/layout.h"

static void series_free(PlotSeries* s)
{
    free((void*)s->x);
    free((void*)s->y);
}

static double* copy_of(const double* from, int count)
{
    double* to = malloc(sizeof *to*((size_t)count + 1));
    if (to && count > 0) memcpy(to, from, sizeof *to*(size_t)count);
    return to;
}

// One more entry at the end; false, and the list as it was, without memory.
static bool list_add(PlotSeries** list, int* count, const PlotSeries* entry)
{
    PlotSeries* more = realloc(*list, sizeof *more*((size_t)*count + 1));
    if (!more) return false;
    more[(*count)++] = *entry;
    *list = more;
    return true;
}

PlotPanel* plot_add_panel(PlotFigure* f, const PlotPanel* like)
{
    PlotPanel* p = f->panel_count < PLOT_MAX_PANELS ? malloc(sizeof *p) : NULL;
    if (!p) {
        f->failed = true;
        return NULL;
    }
    *p = *like;
    p->series = NULL, p->series_count = 0, p->name = NULL, p->name_count = 0, p->failed = false;
    f->panel[f->panel_count++] = p;
    return p;
}

void plot_add_series(PlotPanel* p, const PlotSeries* s)
{
    if (!p) return;
    PlotSeries copy = *s;
    copy.x = s->x ? copy_of(s->x, s->count) : NULL;
    copy.y = copy_of(s->y, s->count);
    if ((s->x && !copy.x) || !copy.y || !list_add(&p->series, &p->series_count, &copy)) {
        series_free(&copy);
        p->failed = true;
    }
}

void plot_add_name(PlotPanel* p, const char* name)
{
    if (!p) return;
    char(*more)[PLOT_TEXT] = realloc(p->name, sizeof *more*((size_t)p->name_count + 1));
    p->failed |= !more;
    if (!more) return;
    snprintf(more[p->name_count++], PLOT_TEXT, "%s", name);
    p->name = more;
}

void plot_add_legend(PlotFigure* f, const PlotSeries* like)
{
    PlotSeries entry = *like;
    entry.x = entry.y = NULL, entry.count = 0;
    f->failed |= !list_add(&f->legend, &f->legend_count, &entry);
}

void plot_free(PlotFigure* f)
{
    for (int i = 0; i < f->panel_count; i++) {
        PlotPanel* p = f->panel[i];
        for (int s = 0; s < p->series_count; s++) series_free(&p->series[s]);
        free(p->series);
        free(p->name);
        free(p);
    }
    free(f->legend);
    *f = (PlotFigure){0};
}

mn_status plot_check_path(const char* path)
{
    if (page_can_write(path)) return MN_OK;
    return mn_fail(MN_BAD_ARGUMENT, "%s: the name must end in .png or .svg", path);
}

mn_status plot_write(const PlotFigure* f, const char* path)
{
    TRY(plot_check_path(path));
    bool failed = f->failed;
    for (int i = 0; i < f->panel_count; i++) failed |= f->panel[i]->failed;
    if (failed) return mn_fail(MN_NO_MEMORY, "%s: out of memory, or more than %d panels", path, PLOT_MAX_PANELS);
    Page page = {0};
    mn_status status = layout_figure(&page, f);
    if (status == MN_OK) status = page_write(&page, path);
    page_free(&page);
    return status;
}
