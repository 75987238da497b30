#include "liquid/sheet_motion.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void moving_sheets_free(MovingSheets* m)
{
    if (!m) return;
    free(m->x), free(m->v), free(m->mover);
    free(m);
}

mn_status sheets_set_moving(Solids* s, const SheetSurface* rest, const SheetMover* mover, int count)
{
    assert(count >= 0 && !s->moving_sheets && rest->vertices > 0);
    size_t numbers = 3*(size_t)rest->vertices;
    MovingSheets* m = calloc(1, sizeof *m);
    if (m) {
        m->x = malloc(numbers*sizeof *m->x), m->v = calloc(numbers, sizeof *m->v);
        m->mover = malloc((size_t)(count + 1)*sizeof *mover);
    }
    if (!m || !m->x || !m->v || !m->mover) {
        moving_sheets_free(m);
        return mn_fail(MN_NO_MEMORY, "out of memory: sheets that move");
    }
    m->rest = rest->x, m->count = count;
    memcpy(m->x, rest->x, numbers*sizeof *m->x);
    if (count > 0) memcpy(m->mover, mover, (size_t)count*sizeof *mover);
    m->surface = *rest, m->surface.x = m->x, m->surface.v = m->v;
    moving_sheets_place(m);
    s->moving_sheets = m, s->sheets = &m->surface;
    return MN_OK;
}

void sheet_mover_move(SheetMover* m, const Pose* now, const Pose* then, double dt)
{
    pose_velocity(m->velocity, m->spin, now, then, dt);
    m->pose = *now;
}

static void place_vertex(MovingSheets* m, const SheetMover* mover, int vertex)
{
    double from[3], arm[3], turn[3], *x = m->x + 3*(ptrdiff_t)vertex, *v = m->v + 3*(ptrdiff_t)vertex;
    vec_sub(from, m->rest + 3*(ptrdiff_t)vertex, mover->pivot);
    for (int d = 0; d < 3; d++) arm[d] = vec_dot(mover->pose.rotation[d], from);
    vec_cross(turn, mover->spin, arm);
    for (int d = 0; d < 3; d++) {
        x[d] = arm[d] + mover->pivot[d] + mover->pose.position[d];
        v[d] = mover->velocity[d] + turn[d];
    }
    if (m->surface.dim == 2) x[2] = v[2] = 0;
}

void moving_sheets_place(MovingSheets* m)
{
    for (int k = 0; k < m->count; k++) {
        const SheetMover* mover = &m->mover[k];
        assert(mover->first >= 0 && mover->first + mover->count <= m->surface.vertices);
        for (int vertex = mover->first; vertex < mover->first + mover->count; vertex++) place_vertex(m, mover, vertex);
    }
}

double sheets_scripted_velocity(double v[3], const Solids* s, const SheetCut* c, const Window* w, const double x[3])
{
    int vertex[3];
    double weight[3], distance = sheetcut_shares(vertex, weight, c, w, x);
    const MovingSheets* m = s->moving_sheets;
    v[0] = v[1] = v[2] = 0;
    if (!m) return distance;
    for (int e = 0; isfinite(distance) && e < w->dim; e++)
        for (int d = 0; d < 3 && !(m->elastic && m->elastic[vertex[e]]); d++)
            v[d] += weight[e]*m->v[3*(ptrdiff_t)vertex[e] + d];
    return distance;
}

mn_status moving_sheets_visit(MovingSheets* m, StateVisitor* v)
{
    static const StateColumn column[] = {
        STATE_MEMBER(STATE_REAL, SheetMover, pose.position, 3), STATE_MEMBER(STATE_REAL, SheetMover, pose.rotation, 9),
        STATE_MEMBER(STATE_REAL, SheetMover, velocity, 3), STATE_MEMBER(STATE_REAL, SheetMover, spin, 3)};
    int count = m->count;
    if (count == 0) return MN_OK;
    TRY(state_rows(v, "sheets", &count));
    if (count != m->count) return mn_fail(MN_BAD_CHECKPOINT, "holds %d sheets that move, but there are %d", count, m->count);
    TRY(v->table(v, &(StateTable){"sheets", m->mover, m->count, sizeof *m->mover, column, 4}));
    if (v->brings) moving_sheets_place(m);
    return MN_OK;
}

double moving_sheets_max_speed(const MovingSheets* m)
{
    double most = 0;
    for (int vertex = 0; vertex < m->surface.vertices; vertex++) most = fmax(most, vec_norm(m->v + 3*(ptrdiff_t)vertex));
    return most;
}
