#include "plot/filmprofile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/vec.h"
#include "output/runfiles.h"
#include "render/filmview.h"
#include "render/labels.h"

mn_status filmframes_parse(FilmFrames* frames, const char* text)
{
    int used = 0;
    *frames = (FilmFrames){0, -1};
    if (sscanf(text, "%d:%d%n", &frames->first, &frames->last, &used) == 2 && !text[used] && frames->first >= 0 &&
        frames->last >= frames->first)
        return MN_OK;
    *frames = (FilmFrames){0, -1};
    if (sscanf(text, ":%d%n", &frames->last, &used) == 1 && !text[used] && frames->last >= 0) return MN_OK;
    if (sscanf(text, "%d:%n", &frames->first, &used) == 1 && used > 0 && !text[used] && frames->first >= 0) return MN_OK;
    if (sscanf(text, "%d%n", &frames->first, &used) == 1 && !text[used] && frames->first >= 0)
        return frames->last = frames->first, MN_OK;
    return mn_fail(MN_BAD_ARGUMENT, "'%s': expected frames like 120:134, or one like 120", text);
}

// One film in section: means over the cells of the grid along it.
typedef struct Profile {
    int axis;       // along the film: 0 x, 1 y
    double middle;  // m, of the film along that axis
    int cells;
    double *area, *place, *thickness, *pressure;  // per cell; place: m from the middle
} Profile;

static void profile_free(Profile* p)
{
    free(p->area);
    *p = (Profile){0};
}

static bool in_section(const FilmPoint* f, const double middle[3], int dim, double dx)
{
    return dim == 2 || fabs(f->x[2] - middle[2]) < dx;
}

// Middle by area, and along which of x and y the part of it in the section reaches further.
static int find_middle(double middle[3], const FilmView* film, int dim, double dx)
{
    double area = 0, low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int d = 0; d < 3; d++) middle[d] = 0;
    for (int i = 0; i < film->count; i++) {
        FilmPoint f = filmview_at(film, i);
        area += f.area;
        for (int d = 0; d < 3; d++) middle[d] += f.area*f.x[d];
    }
    for (int d = 0; d < 3; d++) middle[d] /= area > 0 ? area : 1;
    for (int i = 0; i < film->count; i++) {
        FilmPoint f = filmview_at(film, i);
        if (!in_section(&f, middle, dim, dx)) continue;
        for (int d = 0; d < 3; d++) low[d] = fmin(low[d], f.x[d]), high[d] = fmax(high[d], f.x[d]);
    }
    return high[1] - low[1] > high[0] - low[0] ? 1 : 0;
}

static mn_status profile_of(Profile* p, const FilmView* film, const RunFiles* run)
{
    double middle[3], dx = run->dx > 0 ? run->dx : run->size[0]/100;
    *p = (Profile){.axis = find_middle(middle, film, run->dim, dx)};
    p->middle = middle[p->axis], p->cells = (int)ceil(run->size[p->axis]/dx);
    size_t n = (size_t)p->cells;
    p->area = calloc(4*n, sizeof *p->area);
    if (!p->area) return mn_fail(MN_NO_MEMORY, "out of memory");
    p->place = p->area + n, p->thickness = p->place + n, p->pressure = p->thickness + n;
    for (int i = 0; i < film->count; i++) {
        FilmPoint f = filmview_at(film, i);
        if (!in_section(&f, middle, run->dim, dx)) continue;
        int c = clampi((int)floor(f.x[p->axis]/dx), 0, p->cells - 1);
        p->area[c] += f.area;
        p->place[c] += f.area*(f.x[p->axis] - p->middle);
        p->thickness[c] += f.area*f.thickness, p->pressure[c] += f.area*f.pressure;
    }
    int kept = 0;
    for (int c = 0; c < p->cells; c++) {
        double area = p->area[c];
        if (!(area > 0)) continue;
        p->place[kept] = p->place[c]/area;
        p->thickness[kept] = p->thickness[c]/area, p->pressure[kept++] = p->pressure[c]/area;
    }
    p->cells = kept;
    return MN_OK;
}

static mn_status add_frame(PlotPanel* panel[2], Bytes* csv, const RunFiles* run, int frame, int colour)
{
    Layer layer;
    FilmView film;
    Profile p;
    TRY(runfiles_load_layer(&layer, run, "film", frame));
    mn_status status = filmview_of(&film, &layer);
    if (status == MN_OK) status = profile_of(&p, &film, run);
    layer_free(&layer);
    TRY(status);
    PlotSeries s = {.style = PLOT_LINE_MARKS, .colour = colour, .count = p.cells, .x = p.place, .y = p.pressure};
    label_time(s.label, runfiles_time(run, frame));
    plot_add_series(panel[0], &s);
    s.y = p.thickness, s.label[0] = 0;
    plot_add_series(panel[1], &s);
    for (int c = 0; c < p.cells; c++)
        bytes_print(csv, "%d,%.9g,%.9g,%.9g,%.9g\n", frame, runfiles_time(run, frame), p.place[c], p.thickness[c], p.pressure[c]);
    profile_free(&p);
    return MN_OK;
}

// Frames of the range that have a film, spread evenly if they are more than fit.
static mn_status choose_frames(int chosen[FILMPROFILE_MAX_FRAMES], int* count, const RunFiles* run, const FilmFrames* frames)
{
    int last = frames->last < 0 || frames->last >= run->frames ? run->frames - 1 : frames->last, found = 0;
    int* with = calloc((size_t)run->frames + 1, sizeof *with);
    if (!with) return mn_fail(MN_NO_MEMORY, "out of memory");
    for (int i = frames->first; i <= last; i++) {
        Layer film;
        mn_status status = runfiles_load_layer(&film, run, "film", i);
        if (status == MN_OK && film.points > 0) with[found++] = i;
        layer_free(&film);
        if (status == MN_OK) continue;
        free(with);
        return status;
    }
    *count = mini(found, FILMPROFILE_MAX_FRAMES);
    for (int m = 0; m < *count; m++) chosen[m] = with[*count > 1 ? (int)((long)m*(found - 1)/(*count - 1)) : 0];
    free(with);
    if (*count > 0) return MN_OK;
    return mn_fail(MN_BAD_ARGUMENT, "%s: no frame from %d to %d has an air film", run->dir, frames->first, last);
}

static mn_status add_all(PlotFigure* f, Bytes* csv, const RunFiles* run, const FilmFrames* frames)
{
    int chosen[FILMPROFILE_MAX_FRAMES], count;
    TRY(choose_frames(chosen, &count, run, frames));
    PlotPanel like = {.x = {.label = "along the film", .unit = "m"}, .y = {.label = "pressure", .unit = "Pa"}};
    snprintf(like.title, sizeof like.title, "%.80s", run->title);
    PlotPanel* panel[2] = {plot_add_panel(f, &like), NULL};
    PlotPanel below = {.x = like.x, .y = {.label = "thickness", .unit = "m", .log = true}};
    panel[1] = plot_add_panel(f, &below);
    bytes_print(csv, "frame,time,along,thickness,pressure\n");
    for (int m = 0; m < count; m++) TRY(add_frame(panel, csv, run, chosen[m], m));
    return MN_OK;
}

mn_status filmprofile_add(PlotFigure* f, Bytes* csv, const char* dir, const FilmFrames* frames)
{
    RunFiles run;
    TRY(runfiles_open(&run, dir));
    mn_status status = add_all(f, csv, &run, frames);
    runfiles_close(&run);
    return status;
}
