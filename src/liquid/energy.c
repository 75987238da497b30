#include "liquid/energy.h"

#include <math.h>
#include "base/vec.h"
#include "liquid/rowsums.h"
#include "liquid/sides.h"
#include "liquid/wetting.h"

double energy_sum(const Energy* e) { return e->kinetic + e->potential + e->surface + e->stored; }

// ---- motion and height ---------------------------------------------------------------------------------------------------

// First moment of the liquid in a cut cell along an axis, in cells from the window's corner. Without solids by Gauss' theorem,
// int x dV = int x^2/2 n dA over its faces and its piece of surface; else as if the liquid lay in the middle.
static double moment(const Liquid* q, const CutCell* c, int d)
{
    double middle = (d == 0 ? c->i : d == 1 ? c->j : c->k) + 0.5;
    if (vec_dot(c->solid, c->solid) > 0) return c->volume*middle;
    // about the middle of the cell, so that nothing large cancels
    const double* area = q->cells.area[d];
    double low = area[c->at], high = area[c->at + window_stride(&q->w, d)], of_patch = c->center[d] - 0.5;
    return c->volume*middle + 0.5*(0.25*(high - low) + of_patch*of_patch*c->patch[d]);
}

// Sum of u^2/2 over `count` cells of a row.
static double half_squares(const Liquid* q, ptrdiff_t at, int count)
{
    double sum = 0;
    for (int d = 0; d < q->w.dim; d++) {
        const double *low = q->u[d].v + at, *high = low + window_stride(&q->w, d);
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < count; i++) sum += 0.25*(low[i]*low[i] + high[i]*high[i]);
    }
    return sum;
}

// u^2/2 of a cut cell, the mean over its liquid. Beside solids faces count by how far they are open: with the same flux F through
// all of them, int A u^2 dx is F^2 int dx/A, and the trapezoidal rule of that. (As plain means of the squares, what left a wedge
// through a slit of 0.03 cells had the speed of the slit all through its cell: 8 times its energy, and it was calmed for that.)
static double half_square_of_cut(const Liquid* q, const CutCell* c)
{
    if (!(vec_dot(c->solid, c->solid) > 0)) return half_squares(q, c->at, 1);
    double sum = 0;
    for (int d = 0; d < q->w.dim; d++) {
        ptrdiff_t high = c->at + window_stride(&q->w, d);
        double a = q->cells.area[d][c->at], b = q->cells.area[d][high], u = q->u[d].v[c->at], v = q->u[d].v[high];
        sum += a + b > 0 ? 0.5*(a*u*u + b*v*v)/(a + b) : 0.25*(u*u + v*v);
    }
    return sum;
}

// Adds the sums of u over `count` cells of a row.
static void add_velocities(double sum[3], const Liquid* q, ptrdiff_t at, int count, double volume)
{
    for (int d = 0; d < q->w.dim; d++) {
        const double *low = q->u[d].v + at, *high = low + window_stride(&q->w, d);
        double of_axis = 0;
#pragma omp simd reduction(+ : of_axis)
        for (int i = 0; i < count; i++) of_axis += 0.5*(low[i] + high[i]);
        sum[d] += volume*of_axis;
    }
}

// Sums over one row of cells, per rho and cell volume: u^2/2, the first moments, and u. Full cells run by run: they are the many.
static void energy_row(double sum[ROW_SUMS], const Liquid* q, int r)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    int j = r%s->rows_y, k = r/s->rows_y;
    for (int m = 0; m < ROW_SUMS; m++) sum[m] = 0;
    if (j >= w->n[1] || k >= w->n[2]) return;
    const int32_t* index = q->cells.index + window_at(w, 0, j, k);
    double full = 0;
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0, end = mini(s->span[m].i1, w->n[0]), next; i < end; i = next) {
            next = i + 1;
            if (index[i] == CELL_EMPTY || !liquid_counts(q, window_at(w, i, j, k))) continue;
            if (index[i] == CELL_FULL) {
                while (next < end && index[next] == CELL_FULL && liquid_counts(q, window_at(w, next, j, k))) next++;
                sum[0] += half_squares(q, window_at(w, i, j, k), next - i);
                add_velocities(sum + 4, q, window_at(w, i, j, k), next - i, 1);
                sum[1] += 0.5*(i + next)*(next - i), full += next - i;
                continue;
            }
            const CutCell* c = &q->cells.cut[index[i]];
            sum[0] += c->volume*half_square_of_cut(q, c);
            add_velocities(sum + 4, q, c->at, 1, c->volume);
            for (int d = 0; d < w->dim; d++) sum[1 + d] += moment(q, c, d);
        }
    sum[2] += full*(j + 0.5), sum[3] += full*(k + 0.5);
}

mn_status liquid_kinetic(double* out, const Liquid* q, Arena* arena)
{
    double sum[ROW_SUMS];
    if (q->sheet) {
        Sides s;
        double of_side[2];
        TRY(sides_cut(&s, arena, q));
        for (int m = 0; m < 2; m++) TRY(liquid_kinetic(&of_side[m], &s.view[m], arena));
        *out = of_side[0] + of_side[1];
        return MN_OK;
    }
    TRY(rowsums(sum, q, energy_row, arena));
    *out = q->material.rho*window_cell_volume(&q->w)*sum[0];
    return MN_OK;
}

// g.x of the lowest corner of the tank, m^2/s^2.
static double lowest(const Model* model)
{
    double sum = 0;
    for (int d = 0; d < model->tank.dim; d++) sum += fmax(model->settings.gravity[d], 0)*model->tank.n[d]*model->tank.dx;
    return sum;
}

double energy_of_height(const Model* model, const double x[3]) { return lowest(model) - vec_dot(model->settings.gravity, x); }

static mn_status add_motion_and_height(Energy* out, const Liquid* q, const Model* model, Arena* arena)
{
    double sum[ROW_SUMS];
    TRY(rowsums(sum, q, energy_row, arena));
    double mass = q->material.rho*window_cell_volume(&q->w), dx = q->w.dx;
    out->kinetic += mass*sum[0];
    out->potential += q->material.rho*q->cells.volume*lowest(model);
    for (int d = 0; d < q->w.dim; d++) {
        double corner = q->w.lo[d]*dx;
        out->potential -= model->settings.gravity[d]*(mass*dx*sum[1 + d] + q->material.rho*q->cells.volume*corner);
        out->momentum[d] += mass*sum[4 + d];
    }
    return MN_OK;
}

// ---- surface -------------------------------------------------------------------------------------------------------------

// Cosine of the angle at a place, m; `contact` NULL: 0.
static double cosine_at(const Contact* contact, const double x[3])
{
    if (!contact) return 0;
    double slack = contact->slack, none[3] = {0, 0, 0};
    double cosine = contact->at ? contact->at(contact->user, &slack, x, none) : contact->cosine;
    return cosine + 0.5*slack;
}

static mn_status sigma_at(double* sigma, const Liquid* q, const Model* model, const double x[3])
{
    *sigma = q->material.sigma;
    return model->functions.sigma ? model->functions.sigma(sigma, model->functions.user, x) : MN_OK;
}

// Free surface less wetted solids of one cut cell.
static mn_status cut_energy(double* out, const Liquid* q, const Model* model, const Contact* contact, const CutCell* c)
{
    double x[3], sigma, wet = contact ? vec_norm(c->solid) : 0;
    *out = 0;
    if (!(c->patch_area > 0) && !(wet > 0)) return MN_OK;
    const double middle[3] = {0.5, 0.5, 0.5}, *in = c->patch_area > 0 ? c->center : middle;
    window_position(x, &q->w, c->i + in[0], c->j + in[1], c->k + in[2]);
    TRY(sigma_at(&sigma, q, model, x));
    *out = sigma*window_face_area(&q->w)*(c->patch_area - (wet > 0 ? cosine_at(contact, x)*wet : 0));
    return MN_OK;
}

// What liquid at one side of the tank is worth, by the area on which it touches it: minus sigma cos(angle) A on a wall; sigma A
// on an open side, where air is next to it as everywhere on its surface. (A drop that an open lid cuts has a flat top, and falls
// with it. As long as that was no surface before it fell, it came from nowhere: random scene 98, 0.15 of all in one step.)
static mn_status side_energy(double* out, const Liquid* q, const Model* model, const Contact* contact, int side)
{
    const Window* w = &q->w;
    int d = side/2, a[3] = {0, 0, 0}, b[3] = {w->n[0], w->n[1], w->n[2]};
    bool is_open = w->side[side] == SIDE_IS_OPEN, is_wetted = contact_has_lines(w, contact, side);
    if (!is_open && !is_wetted) return MN_OK;
    a[d] = side & 1 ? w->n[d] : 0, b[d] = a[d] + 1;
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k), cell = side & 1 ? at - window_stride(w, d) : at;
                double x[3], half = 0.5, sigma;
                if (!(q->phi.v[cell] < liquid_band(q)) || !(q->cells.area[d][at] > 0)) continue;
                window_position(x, w, i + (d != 0)*half, j + (d != 1)*half, k + (d != 2)*half);
                TRY(sigma_at(&sigma, q, model, x));
                *out += sigma*(is_open ? 1 : -cosine_at(contact, x))*q->cells.area[d][at]*window_face_area(w);
            }
    return MN_OK;
}

static mn_status add_surface(Energy* out, const Liquid* q, const Model* model, const Solids* solids)
{
    if (!(q->material.sigma > 0)) return MN_OK;
    Wetting wet, near_skin;
    const Contact* contact = wetting_of(&wet, q, solids, model->settings.wall_angle);
    // the skin in a cell is no further from any of its points than its diagonal
    const Contact* on_skin = wetting_of(&near_skin, q, solids, model->settings.wall_angle);
    near_skin.near = 2*q->w.dx;
    double sum = 0;
    for (int m = 0; m < q->cells.count; m++) {
        double of_cell;
        if (!liquid_counts(q, q->cells.cut[m].at)) continue;
        TRY(cut_energy(&of_cell, q, model, on_skin, &q->cells.cut[m]));
        sum += of_cell;
    }
    for (int side = 0; side < 2*q->w.dim; side++) TRY(side_energy(&sum, q, model, contact, side));
    out->surface += sum;
    return MN_OK;
}

// ---- all of it -----------------------------------------------------------------------------------------------------------

mn_status liquid_energy(Energy* out, const Liquid* q, const Model* model, const Solids* solids, Arena* arena)
{
    if (q->sheet) {
        Sides s;
        TRY(sides_cut(&s, arena, q));
        for (int m = 0; m < 2; m++) TRY(liquid_energy(out, &s.view[m], model, solids, arena));
        return MN_OK;
    }
    TRY(add_motion_and_height(out, q, model, arena));
    return add_surface(out, q, model, solids);
}

// Droplets rest half a cell off skins, or their radius where that is less (spray.c); a body may have moved since by this much
// more, cells.
static const double DROPLET_MOVED = 0.25;

// J, less what a dry skin is worth. On a skin a droplet is a cap that meets it at its angle: sigma (A - cos(angle) A_wet) is
// dim sigma V/R, V = R^2 (angle - sin cos) in 2D, pi R^3 (2 - 3 cos + cos^3)/3 in 3D; at 180 degrees the whole ball.
// (Slivers between wetted bodies that became whole balls, and liquid again, won and lost up to an eighth of all energy each
// time.)
static double droplet_surface_energy(const Droplet* drop, const Model* model, const Solids* solids)
{
    const Tank* tank = &model->tank;
    double reach = fmin(droplet_radius(drop, tank->dim), 0.5*tank->dx) + DROPLET_MOVED*tank->dx, v = drop->volume;
    double c = clamp(wetting_of_droplet(&drop->material, drop->x, reach, solids, tank, model->settings.wall_angle), -1, 1);
    if (tank->dim == 2) return 2*drop->material.sigma*sqrt(v*(acos(c) - c*sqrt(1 - c*c)));
    return 3*drop->material.sigma*cbrt(PI*(2 - 3*c + c*c*c)*v*v/3);
}

void droplet_energy(Energy* out, const Droplet* drop, const Model* model, const Solids* solids)
{
    double mass = drop->material.rho*drop->volume;
    out->kinetic += 0.5*mass*vec_dot(drop->v, drop->v);
    out->potential += mass*energy_of_height(model, drop->x);
    if (drop->material.sigma > 0) out->surface += droplet_surface_energy(drop, model, solids);
}

mn_status world_energy(Energy* out, const Model* model, const World* world, Arena* scratch)
{
    *out = (Energy){0};
    for (int m = 0; m < world->liquid_count; m++) {
        TRY(liquid_energy(out, &world->liquid[m], model, &world->solids, scratch));
        arena_reset(scratch);
    }
    for (int m = 0; m < world->spray.count; m++) droplet_energy(out, &world->spray.drop[m], model, &world->solids);
    out->stored = partners_energy(model, world);
    partners_motion(out->momentum, &out->stored_motion, world);
    return MN_OK;
}
