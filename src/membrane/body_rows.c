#include "membrane/body_rows.h"

#include <assert.h>
#include <string.h>
#include "base/dense.h"
#include "base/vec.h"

// ---- Jacobians -------------------------------------------------------------------------------------------------------------

static const Follower* follower_of(const BodyRows* r, const MembraneMesh* m, int vertex)
{
    return &r->bodies->follower[bodies_carrier(r->bodies, m, vertex)];
}

// Column c of J of a vertex: how it moves by unit velocity c of its body.
static void column_of(double out[3], const BodyRows* r, const Follower* f, int vertex, int c)
{
    for (int d = 0; d < 3; d++) out[d] = r->jacobian[r->at[vertex] + d*f->count + c];
}

// v = velocity + spin x arm, of columns of the body's own Jacobian.
static void fill_jacobian(BodyRows* r, const MembraneMesh* m, int vertex)
{
    const Solid* s = &r->bodies->solids->solid[m->body[vertex]];
    const Follower* f = follower_of(r, m, vertex);
    double arm[3], *J = r->jacobian + r->at[vertex];
    bodies_pivot(arm, s);
    vec_sub(arm, m->x + 3*vertex, arm);
    for (int c = 0; c < f->count; c++) {
        double spin[3] = {0, 0, 0}, turn[3];
        for (int d = 0; d < 3 && !r->bodies->is_round[s->body - 1]; d++) spin[d] = f->jacobian[(3 + d)*f->count + c];
        vec_cross(turn, spin, arm);
        for (int d = 0; d < 3; d++) J[d*f->count + c] = m->flag[vertex] >> d & 1 ? 0 : f->jacobian[d*f->count + c] + turn[d];
    }
}

static mn_status find_jacobians(BodyRows* r, const MembraneMesh* m, Arena* arena)
{
    int room = 0;
    TRY_MEMORY(r->at = ARENA_NEW(arena, int, m->vertices + 1));
    for (int i = 0; i < m->vertices; i++) {
        int body = bodies_carrier(r->bodies, m, i);
        r->at[i] = body < 0 ? -1 : room;
        if (body >= 0) room += 3*r->bodies->follower[body].count;
    }
    TRY_MEMORY(r->jacobian = ARENA_NEW(arena, double, room + 1));
    for (int i = 0; i < m->vertices; i++)
        if (r->at[i] >= 0) fill_jacobian(r, m, i);
    return MN_OK;
}

// ---- the matrix ------------------------------------------------------------------------------------------------------------

// R += weight (J_a - J_b)^T (J_a - J_b), J of what no body carries being 0.
static void add_stretch(BodyRows* r, const MembraneMesh* m, const StiffEdge* edge, double weight)
{
    int end[2] = {edge->a, edge->b};
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            if (r->at[end[p]] < 0 || r->at[end[q]] < 0) continue;
            const Follower *f = follower_of(r, m, end[p]), *g = follower_of(r, m, end[q]);
            for (int c = 0; c < f->count; c++)
                for (int k = 0; k < g->count; k++) {
                    double one[3], other[3];
                    column_of(one, r, f, end[p], c), column_of(other, r, g, end[q], k);
                    r->plain[(f->first + c)*r->nv + g->first + k] += (p == q ? weight : -weight)*vec_dot(one, other);
                }
        }
}

// E_ir of a free vertex and one that a body carries.
static void add_pull(BodyRows* r, const RowsInput* in, int free, int carried, double weight)
{
    if (r->at[carried] < 0 || !membrane_is_free(in->m, free)) return;
    const Follower* f = follower_of(r, in->m, carried);
    for (int c = 0; c < f->count; c++) {
        double column[3];
        column_of(column, r, f, carried, c);
        r->E[(f->first + c)*r->vertices + free] -= weight*vec_dot(in->normal[free], column);
    }
}

static void add_elements(BodyRows* r, const RowsInput* in)
{
    StiffEdge edge[3];
    double square = in->dt*in->dt/in->unit;
    for (int e = 0; e < in->m->elements; e++) {
        const int* corner = membrane_element(in->m, e);
        bool touches = false;
        for (int c = 0; c < in->m->dim; c++) touches = touches || r->at[corner[c]] >= 0;
        if (!touches || element_is_carried(in->m, e)) continue;
        for (int q = 0, edges = surface_stiffness(edge, in->m, e, in->sigma); q < edges; q++) {
            add_stretch(r, in->m, &edge[q], square*edge[q].weight);
            add_pull(r, in, edge[q].a, edge[q].b, square*edge[q].weight);
            add_pull(r, in, edge[q].b, edge[q].a, square*edge[q].weight);
        }
    }
}

// sum over contacts of J^T (m + L) J and of J^T B
static void add_contacts(BodyRows* r, const RowsInput* in)
{
    for (int j = 0; j < in->m->vertices; j++) {
        if (r->at[j] < 0) continue;
        const Follower* f = follower_of(r, in->m, j);
        for (int c = 0; c < f->count; c++) {
            double one[3], other[3];
            column_of(one, r, f, j, c);
            for (int k = 0; k < f->count; k++) {
                column_of(other, r, f, j, k);
                double sum = 0;
                for (int d = 0; d < 3; d++) sum += one[d]*(in->own[j] + in->hangs[j][d])*other[d];
                r->plain[(f->first + c)*r->nv + f->first + k] += sum;
            }
            double* flow = r->flow + (ptrdiff_t)(f->first + c)*r->cells;
            for (int q = in->push->start[j]; q < in->push->start[j + 1]; q++)
                flow[in->push->entry[q].cell] += vec_dot(one, in->push->entry[q].area);
        }
    }
}

mn_status rows_build(BodyRows* r, const RowsInput* in, Arena* arena)
{
    *r = (BodyRows){.bodies = in->bodies, .vertices = in->m->vertices, .cells = in->cells, .unit = in->unit};
    if (!in->bodies || in->bodies->nv == 0) return MN_OK;
    int nv = r->nv = in->bodies->nv;
    TRY(find_jacobians(r, in->m, arena));
    TRY_MEMORY(r->E = ARENA_ZERO(arena, double, (ptrdiff_t)nv*r->vertices + 1));
    TRY_MEMORY(r->Z = ARENA_NEW(arena, double, (ptrdiff_t)nv*r->vertices + 1));
    TRY_MEMORY(r->flow = ARENA_ZERO(arena, double, (ptrdiff_t)nv*r->cells + 1));
    TRY_MEMORY(r->plain = ARENA_ZERO(arena, double, nv* nv));
    TRY_MEMORY(r->factor = ARENA_NEW(arena, double, nv* nv));
    TRY_MEMORY(r->v = ARENA_ZERO(arena, double, nv));
    add_elements(r, in);
    add_contacts(r, in);
    for (int c = 0; c < nv; c++) {
        double *E = r->E + (ptrdiff_t)c*r->vertices, *Z = r->Z + (ptrdiff_t)c*r->vertices;
        TRY(factor_solve(in->factor, Z, E));
    }
    for (int c = 0; c < nv; c++)
        for (int k = 0; k < nv; k++) {
            const double *E = r->E + (ptrdiff_t)c*r->vertices, *Z = r->Z + (ptrdiff_t)k*r->vertices;
            for (int i = 0; i < r->vertices; i++) r->plain[c*nv + k] -= E[i]*Z[i];
        }
    return MN_OK;
}

mn_status rows_factor(BodyRows* r)
{
    for (int q = 0; q < r->nv*r->nv; q++) r->factor[q] = r->plain[q] + r->bodies->inertia[q]/r->unit;
    if (r->nv > 0 && !dense_cholesky(r->factor, r->nv))
        return mn_fail(MN_STEP_FAILED, "bodies and surface: the matrix of the bodies' velocities is not positive definite");
    return MN_OK;
}

// ---- its use ---------------------------------------------------------------------------------------------------------------

void rows_right_side(double* out, const BodyRows* r, const MembraneMesh* m, double (*q)[3])
{
    for (int c = 0; c < r->nv; c++) out[c] += r->bodies->impulse[c]/r->unit;
    for (int j = 0; r->nv > 0 && j < m->vertices; j++) {
        if (r->at[j] < 0) continue;
        const Follower* f = follower_of(r, m, j);
        for (int c = 0; c < f->count; c++) {
            double column[3];
            column_of(column, r, f, j, c);
            out[f->first + c] += vec_dot(column, q[j]);
        }
    }
}

void rows_solve(double* w, BodyRows* r, const double* body)
{
    for (int c = 0; c < r->nv; c++) {
        const double* E = r->E + (ptrdiff_t)c*r->vertices;
        r->v[c] = body[c];
        for (int i = 0; i < r->vertices; i++) r->v[c] -= E[i]*w[i];
    }
    if (r->nv > 0) dense_solve(r->v, r->factor, r->nv);
    for (int c = 0; c < r->nv; c++) {
        const double* Z = r->Z + (ptrdiff_t)c*r->vertices;
        for (int i = 0; i < r->vertices; i++) w[i] -= Z[i]*r->v[c];
    }
}

void rows_push(double* out, const BodyRows* r, const double* pressure)
{
    for (int c = 0; c < r->nv; c++)
        for (int q = 0; q < r->cells; q++) out[c] += r->flow[(ptrdiff_t)c*r->cells + q]*pressure[q];
}

void rows_flow(double* out, const BodyRows* r, const double* v)
{
    for (int c = 0; c < r->nv; c++)
        for (int q = 0; q < r->cells; q++) out[q] += r->flow[(ptrdiff_t)c*r->cells + q]*v[c];
}

void rows_carry(double (*out)[3], const BodyRows* r, const MembraneMesh* m)
{
    for (int j = 0; r->nv > 0 && j < m->vertices; j++) {
        if (r->at[j] < 0) continue;
        const Follower* f = follower_of(r, m, j);
        for (int c = 0; c < f->count; c++)
            for (int d = 0; d < 3; d++) out[j][d] += r->jacobian[r->at[j] + d*f->count + c]*r->v[f->first + c];
    }
}
