// What `meniscus plot` draws of the tables of runs.
#pragma once
#include "output/csv.h"
#include "plot/plot.h"

enum { RUNPLOT_MAX_RUNS = 8 };

typedef enum RunPlotWhat {
    RUNPLOT_ENERGY = 1,
    RUNPLOT_VOLUME = 2,
    RUNPLOT_CENTROID = 4,
    RUNPLOT_LIQUIDS = 8,
    RUNPLOT_ITERATIONS = 16,
    RUNPLOT_STAGES = 32,
    RUNPLOT_ALL = 63
} RunPlotWhat;

// Adds to *what the things named in a list like "energy,volume". MN_BAD_ARGUMENT names the word it does not know.
mn_status runplot_words(int* what, const char* list);

// Panels of the things asked for, all runs in each, and a legend if there is more than one run. Reads only the files it needs.
// On failure (MN_IO names the file and the line, column or key) the figure may hold some panels; free it.
mn_status runplot_add(PlotFigure* f, const char* const* dir, int count, int what);

// How a run is called in legends: its directory, as much of the path as tells it from the others.
void runplot_name(char name[PLOT_TEXT], const char* const* dir, int count, int which);
