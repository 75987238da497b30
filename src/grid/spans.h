// Active spans: the runs of each x-row that a liquid or its surface band covers. Loops over a window go through them, so
// that cost follows the liquid and not the box, while the innermost loop stays contiguous.
#pragma once
#include "base/arena.h"
#include "grid/window.h"

typedef struct Span {
    int i0, i1;  // i0 <= i < i1
} Span;

// Rows are the node rows of the window: row = j + k*rows_y, j <= n[1], k < node layers.
typedef struct Spans {
    int rows, rows_y;
    int* first;  // spans of row r are first[r] .. first[r + 1] - 1
    Span* span;
    long covered;  // sum of lengths
} Spans;

// Runs of nodes with phi < limit, each grown by `grow` nodes along x and taken from rows up to `grow` away, so that every
// active node has its neighbours in the spans too. Memory from the arena.
mn_status spans_build(Spans* s, Arena* arena, const double* phi, const Window* w, double limit, int grow);

// Runs of each row in order, apart from each other, inside the window, and `covered` their sum? For asserts, as are the next two.
bool spans_is_valid(const Spans* s, const Window* w);
// Does every node with phi < limit have the nodes up to `grow` away along each axis in the spans, as far as the window goes?
bool spans_cover(const Spans* s, const double* phi, const Window* w, double limit, int grow);
// Is v a finite number on every node (cell, face) of the spans?
bool spans_field_is_finite(const Spans* s, const double* v, const Window* w);

// Rows are independent, so loops over them may run on any number of threads with the same result. Below this many nodes a
// second thread costs more than it brings.
static inline bool spans_parallel(const Spans* s) { return s->covered > 20000; }
#define SPAN_LOOP(s, r, q) for (int q = (s)->first[r]; q < (s)->first[(r) + 1]; q++)
