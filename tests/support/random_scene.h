// Valid scenes made at random: any liquids, solids, sources, sides, schemes and scales that scenes may have, small enough to run
// in about a second. The same seed gives the same text everywhere.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "dice.h"

enum { RANDOM_FRAMES = 40, MOST_MATERIALS = 3, MOST_LIQUIDS = 6, MOST_SOLIDS = 2, MOST_BODIES = 3, MOST_PLACES = 20 };

// What can be left out of a scene to see whether it matters. What is drawn for the other parts stays, but not all that follows
// from it: drops may take the places of solids and sources that are gone, and the frame time follows what still moves.
typedef enum Ingredient {
    INGREDIENT_FILM = 1,        // liquids merge on touch, solids are wetted
    INGREDIENT_SOLIDS = 2,      // none
    INGREDIENT_MOTION = 4,      // solids rest
    INGREDIENT_SOURCES = 8,     // none
    INGREDIENT_SHAKING = 16,    // the box rests
    INGREDIENT_ANGLES = 32,     // 90 degrees everywhere
    INGREDIENT_SCHEME = 64,     // tension = "auto"
    INGREDIENT_NUMERICS = 128,  // all other numerics and spray_cells as by default
    INGREDIENT_SIDES = 256,     // walls all round
    INGREDIENT_KINDS = 512,     // one material
    INGREDIENT_DROPS = 1024,    // the pool alone, if there is one
    INGREDIENT_BODIES = 2048    // none; the rest of the scene is the same with and without them
} Ingredient;
static const char* const ingredient_names[] = {"film",     "solids", "motion", "sources", "shaking", "angles", "scheme",
                                               "numerics", "sides",  "kinds",  "drops",   "bodies",  NULL};

typedef struct RandomMaterial {
    char text[160];     // as the scene says it
    double rho, sigma;  // kg/m^3, N/m
    bool used;          // by a liquid or source
} RandomMaterial;

// A ball that something fills, and goes on to fill while it moves.
typedef struct RandomPlace {
    double center[3], radius;
} RandomPlace;

typedef struct RandomScene {
    uint64_t seed;
    unsigned without;  // of Ingredient
    char* text;        // owned
    int dim, n[3];
    double dx, size[3];  // m
    double gravity;      // m/s^2
    bool film;
    const char* tension;
    double cfl;
    RandomMaterial material[MOST_MATERIALS];
    int material_count;
    double pool_depth;  // m, 0: none
    RandomPlace place[MOST_PLACES];
    int places;
    int liquids;
    double fastest;     // m/s, of all that the scene sets in motion
    double frame_time;  // s
    FILE* out;          // while the text is written
} RandomScene;

typedef enum RandomPart {
    PART_BOX = 1,
    PART_MATERIALS,
    PART_SHAKING,
    PART_SOLIDS,
    PART_SOURCES,
    PART_LIQUIDS,
    PART_RULES,
    PART_TIME,
    PART_BODIES
} RandomPart;

static inline bool random_has(const RandomScene* s, Ingredient what) { return !(s->without & (unsigned)what); }

// ---- pieces of text -------------------------------------------------------------------------------------------------------

static inline void put_vector(RandomScene* s, const char* key, const double v[3])
{
    fprintf(s->out, "%s = { %.9g, %.9g", key, v[0], v[1]);
    if (s->dim == 3) fprintf(s->out, ", %.9g", v[2]);
    fputs(" }", s->out);
}

// An angle from 0 to 180 degrees, both ends included, and often close to them.
static inline double random_angle(Dice* d)
{
    if (dice_chance(d, 0.06)) return 0;
    if (dice_chance(d, 0.06)) return 180;
    return dice_number(d, 0, 180);
}

// Nothing, one angle, or two between which a line rests.
static inline void put_angle(RandomScene* s, Dice* d)
{
    double a = random_angle(d), b = random_angle(d);
    int kind = dice_whole(d, 0, 3);
    if (!random_has(s, INGREDIENT_ANGLES) || kind == 0) return;
    if (kind == 1)
        fprintf(s->out, ", contact_angle = { advancing = degrees(%.6g), receding = degrees(%.6g) }", fmax(a, b), fmin(a, b));
    else fprintf(s->out, ", contact_angle = degrees(%.6g)", a);
}

// A random direction of length 1.
static inline void random_direction(double v[3], Dice* d, int dim)
{
    double length;
    do {
        for (int a = 0; a < 3; a++) v[a] = a < dim ? dice_number(d, -1, 1) : 0;
        length = vec_norm(v);
    } while (length > 1 || length < 0.1);
    for (int a = 0; a < 3; a++) v[a] /= length;
}

static inline void note_speed(RandomScene* s, double speed) { s->fastest = fmax(s->fastest, speed); }

// center + length direction
static inline void shifted(double out[3], const double center[3], double length, const double direction[3])
{
    for (int a = 0; a < 3; a++) out[a] = center[a] + length*direction[a];
}

static inline void stretch(double v[3], double factor)
{
    for (int a = 0; a < 3; a++) v[a] *= factor;
}

// ---- places ---------------------------------------------------------------------------------------------------------------

static inline bool place_is_free(const RandomScene* s, const RandomPlace* p)
{
    for (int m = 0; m < s->places; m++) {
        double r[3];
        vec_sub(r, p->center, s->place[m].center);
        if (vec_norm(r) < p->radius + s->place[m].radius + 0.2*s->dx) return false;
    }
    return true;
}

static inline bool take_if_free(RandomScene* s, const RandomPlace* p)
{
    if (!place_is_free(s, p) || s->places == MOST_PLACES) return false;
    s->place[s->places++] = *p;
    return true;
}

// Anywhere in the box, from a height on; what is there may stick out of it. Takes the place if it is free.
static inline bool take_place(RandomScene* s, RandomPlace* p, Dice* d, double radius, double from_height)
{
    p->radius = radius;
    for (int go = 0; go < 40; go++) {
        for (int a = 0; a < 3; a++) p->center[a] = a < s->dim ? dice_number(d, 0.02, 0.98)*s->size[a] : 0;
        if (p->center[1] < from_height + radius && from_height > 0) continue;
        if (take_if_free(s, p)) return true;
    }
    return false;
}

// The same wholly in the box, a cell off its walls.
static inline bool take_inner_place(RandomScene* s, RandomPlace* p, Dice* d, double radius)
{
    p->radius = radius;
    for (int go = 0; go < 40; go++) {
        for (int a = 0; a < 3; a++) p->center[a] = a < s->dim ? dice_number(d, radius + s->dx, s->size[a] - radius - s->dx) : 0;
        if (take_if_free(s, p)) return true;
    }
    return false;
}

// A sphere, box, ellipsoid or capsule within the ball, two cells wide at least: less may miss every node. What follows are its
// keys.
static inline void put_shape(RandomScene* s, Dice* d, const RandomPlace* p)
{
    double v[3], end[3];
    int kind = dice_whole(d, 0, 5);
    random_direction(v, d, s->dim);
    if (kind <= 2) {
        put_vector(s, "sphere { center", p->center);
        fprintf(s->out, ", radius = %.9g", p->radius);
    } else if (kind == 3) {
        for (int a = 0; a < 3; a++) end[a] = fmax(p->radius*dice_number(d, 0.5, 1.15), 2*s->dx);
        put_vector(s, "box { center", p->center);
        put_vector(s, ", size", end);
    } else if (kind == 4) {
        for (int a = 0; a < 3; a++) end[a] = fmax(p->radius*dice_number(d, 0.5, 1), s->dx);
        put_vector(s, "ellipsoid { center", p->center);
        put_vector(s, ", radii", end);
    } else {
        double half = dice_number(d, 0.2, 0.5)*p->radius, from[3];
        shifted(end, p->center, half, v);
        shifted(from, p->center, -half, v);
        put_vector(s, "capsule { from", from);
        put_vector(s, ", to", end);
        fprintf(s->out, ", radius = %.9g", p->radius - half);
    }
}

// ---- box and materials ----------------------------------------------------------------------------------------------------

static inline void draw_box(RandomScene* s)
{
    static const double shape[] = {0.5, 0.75, 1, 1, 1.5};
    static const double pull[] = {0, 1.6, 9.81, 9.81, 9.81};
    Dice d = dice_for(s->seed, PART_BOX);
    s->dim = dice_chance(&d, 0.15) ? 3 : 2;
    int most = s->dim == 3 ? 22 : 64;
    s->n[0] = s->dim == 3 ? dice_whole(&d, 12, 20) : dice_whole(&d, 24, 56);
    s->n[1] = mini(most, (int)(s->n[0]*shape[dice_whole(&d, 0, 4)]));
    s->n[2] = s->dim == 3 ? s->n[0] : 1;
    s->dx = dice_log(&d, 1e-4, 1)/s->n[0];
    for (int a = 0; a < 3; a++) s->size[a] = s->n[a]*s->dx;
    s->gravity = dice_chance(&d, 0.15) ? dice_number(&d, 0, 98.1) : pull[dice_whole(&d, 0, 4)];
}

static inline void put_sides(RandomScene* s, Dice* d)
{
    static const char* const names[] = {"left", "right", "bottom", "top", "back", "front"};
    static const double open[] = {0.1, 0.1, 0.05, 0.4, 0.1, 0.1}, mirror[] = {0.15, 0.1, 0.05, 0, 0.1, 0.1};
    fputs(", sides = { ", s->out);
    for (int m = 0; m < 2*s->dim; m++) {
        double p = dice_number(d, 0, 1);
        if (!random_has(s, INGREDIENT_SIDES) || p > open[m] + mirror[m]) continue;
        fprintf(s->out, "%s = \"%s\", ", names[m], p < open[m] ? "open" : "mirror");
    }
    fputs("}", s->out);
}

static inline void put_box(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_BOX + 100);
    fprintf(s->out, "  domain = { size = { %.17g, %.17g", s->size[0], s->size[1]);
    if (s->dim == 3) fprintf(s->out, ", %.17g", s->size[2]);
    fprintf(s->out, " }, cells = %d", s->n[0]);
    put_angle(s, &d);
    put_sides(s, &d);
    double g[3] = {0, -s->gravity, 0};
    if (dice_chance(&d, 0.1)) {  // a box that leans
        random_direction(g, &d, s->dim);
        stretch(g, s->gravity);
    }
    fputs(" },\n", s->out);
    put_vector(s, "  gravity", g);
    fputs(",\n", s->out);
}

static inline RandomMaterial known_material(Dice* d)
{
    static const struct {
        const char* name;
        double rho, sigma;
    } known[] = {{"water", 998.2, 0.0728},      {"milk", 1030, 0.046},
                 {"ethanol", 789.3, 0.0221},    {"silicone_oil_20cSt", 949, 0.0206},
                 {"tetradecane", 762, 0.02656}, {"mercury", 13546, 0.4865},
                 {"honey", 1420, 0.055}};
    int k = dice_whole(d, 0, 6);
    RandomMaterial m = {.rho = known[k].rho, .sigma = known[k].sigma};
    snprintf(m.text, sizeof m.text, "%s", known[k].name);
    return m;
}

static inline RandomMaterial own_material(Dice* d, bool angles)
{
    RandomMaterial m = {.rho = dice_log(d, 1, 2e4), .sigma = dice_chance(d, 0.15) ? 0 : dice_log(d, 1e-4, 0.5)};
    double mu = dice_chance(d, 0.3) ? 0 : dice_log(d, 1e-6, 10), angle = random_angle(d);
    bool tell = dice_chance(d, 0.5) && angles;
    int used =
        snprintf(m.text, sizeof m.text, "material { name = \"m\", rho = %.6g, sigma = %.6g, mu = %.6g", m.rho, m.sigma, mu);
    if (tell) used += snprintf(m.text + used, sizeof m.text - (size_t)used, ", contact_angle = degrees(%.6g)", angle);
    snprintf(m.text + used, sizeof m.text - (size_t)used, " }");
    return m;
}

static inline void draw_materials(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_MATERIALS);
    s->material_count = dice_whole(&d, 1, MOST_MATERIALS);
    for (int m = 0; m < s->material_count; m++)
        s->material[m] = dice_chance(&d, 0.4) ? known_material(&d) : own_material(&d, random_has(s, INGREDIENT_ANGLES));
    if (!random_has(s, INGREDIENT_KINDS)) s->material_count = 1;
}

static inline RandomMaterial* pick_material(RandomScene* s, Dice* d)
{
    return &s->material[dice_whole(d, 0, MOST_MATERIALS - 1)%s->material_count];
}

// How fast such a liquid moves by itself: sqrt(g H/2) by its weight, sqrt(sigma/(rho R)) by the tension of a drop of 6 cells.
static inline double own_speed(const RandomScene* s, const RandomMaterial* m)
{
    double fall = sqrt(0.5*s->gravity*s->size[1]), shrink = sqrt(m->sigma/(m->rho*6*s->dx));
    double speed = fmax(fall, shrink);
    return speed > 0 ? speed : s->size[1];
}

// ---- what is in the box ---------------------------------------------------------------------------------------------------

// Sines along x and y, a turn, or a straight drive that may end in a wall. Gives how far the solid goes.
static inline double put_motion(RandomScene* s, Dice* d, const RandomPlace* p)
{
    double speed = own_speed(s, &s->material[0])*dice_log(d, 0.1, 1.5), way = dice_number(d, 1, 8)*s->dx, v[3];
    bool shift = dice_chance(d, 0.7), turn = !shift || dice_chance(d, 0.3), drive = dice_chance(d, 0.3);
    random_direction(v, d, s->dim);
    double turning = speed/p->radius*dice_number(d, -1, 1);
    if (!random_has(s, INGREDIENT_MOTION)) return 0;
    if (drive) way = dice_number(d, 0.2, 0.8)*s->size[0];
    note_speed(s, speed*(shift + turn));
    if (shift) {
        fputs(", position = function(t) return { ", s->out);
        for (int a = 0; a < s->dim; a++) {
            if (drive) fprintf(s->out, "%.9g*math.min(%.9g*t, 1), ", way*v[a], speed/way);
            else fprintf(s->out, "%.9g*math.sin(%.9g*t), ", way*v[a], speed/way);
        }
        fputs("} end", s->out);
    }
    if (turn) {
        if (s->dim == 3) fprintf(s->out, ", rotation = function(t) return { 0, 0, %.9g*t } end, ", turning);
        else fprintf(s->out, ", rotation = function(t) return %.9g*t end, ", turning);
        put_vector(s, "pivot", p->center);
    }
    return shift ? way : 0;
}

static inline void put_solids(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_SOLIDS);
    int count = dice_chance(&d, 0.4) ? 0 : dice_whole(&d, 1, MOST_SOLIDS);
    fputs("  solids = {\n", s->out);
    for (int m = 0; m < count && random_has(s, INGREDIENT_SOLIDS); m++) {
        RandomPlace p;
        bool film = dice_chance(&d, 0.25), moves = dice_chance(&d, 0.6);
        if (!take_place(s, &p, &d, dice_number(&d, 2, 0.18*s->n[0])*s->dx, 0)) continue;
        fputs("    ", s->out);
        put_shape(s, &d, &p);
        if (moves) s->place[s->places - 1].radius += put_motion(s, &d, &p);
        if (film && s->film) fputs(", film = true", s->out);
        else put_angle(s, &d);
        fprintf(s->out, ", name = \"s%d\" },\n", m);
    }
    fputs("  },\n", s->out);
}

// Small or large; its speed and rate need not agree. Stops when it has filled a sixth of the box.
static inline void put_source(RandomScene* s, Dice* d, int number)
{
    RandomPlace p;
    double half = dice_log(d, 0.6, 4)*s->dx;
    RandomMaterial* m = pick_material(s, d);
    double speed = own_speed(s, m)*dice_log(d, 0.1, 2), share = dice_log(d, 0.2, 1.5), v[3] = {0, -1, 0},
           size[3] = {half, half, half};
    if (dice_chance(d, 0.3)) random_direction(v, d, s->dim);
    if (!take_place(s, &p, d, 1.8*half, s->pool_depth)) return;
    m->used = true;
    stretch(v, speed), stretch(size, 2);
    double opening = s->dim == 3 ? size[0]*size[0] : size[0], box = s->size[0]*s->size[1]*(s->dim == 3 ? s->size[2] : 1);
    double rate = opening*speed*share;
    put_vector(s, "    box { center", p.center);
    put_vector(s, ", size", size);
    put_vector(s, ", velocity", v);
    fprintf(s->out, ", rate = %.9g, stop = %.9g, material = %s, name = \"source%d\" },\n", rate, box/6/rate, m->text, number);
    note_speed(s, fmax(speed, share*speed));
}

static inline void put_sources(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_SOURCES);
    int count = dice_chance(&d, 0.7) ? 0 : dice_whole(&d, 1, 2);
    fputs("  sources = {\n", s->out);
    for (int m = 0; m < count && random_has(s, INGREDIENT_SOURCES); m++) put_source(s, &d, m);
    fputs("  },\n", s->out);
}

static inline void put_drop(RandomScene* s, Dice* d)
{
    RandomPlace p;
    RandomMaterial* m = pick_material(s, d);
    double most = s->dim == 3 ? 5 : 8, radius = dice_number(d, 1.5, most)*s->dx, v[3];
    double speed = dice_chance(d, 0.3) ? 0 : own_speed(s, m)*dice_log(d, 0.1, 2);
    bool spins = dice_chance(d, 0.2);
    if (!take_place(s, &p, d, radius, s->pool_depth)) return;
    m->used = true;
    random_direction(v, d, s->dim);
    stretch(v, speed);
    fputs("    ", s->out);
    put_shape(s, d, &p);
    put_vector(s, ", velocity", v);
    if (spins && s->dim == 2) fprintf(s->out, ", spin = %.9g", speed/radius);
    if (spins && s->dim == 3) put_vector(s, ", spin", (double[3]){speed/radius, 0.3*speed/radius, -speed/radius});
    fprintf(s->out, ", material = %s, name = \"d%d\" },\n", m->text, s->liquids++);
    note_speed(s, spins ? 2*speed : speed);
}

// A drop that finds no place is left out; a scene without any liquid gets one that fills the floor.
static inline void put_liquids(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_LIQUIDS);
    int drops = dice_whole(&d, s->pool_depth > 0 && !s->film ? 0 : 1, 4);
    fputs("  liquids = {\n", s->out);
    for (int m = 0; m < drops && (s->pool_depth == 0 || random_has(s, INGREDIENT_DROPS)); m++) put_drop(s, &d);
    if (s->liquids == 0 && s->pool_depth == 0) s->pool_depth = 1.5*s->dx;
    if (s->pool_depth > 0) {
        fprintf(s->out, "    pool { depth = %.9g, material = %s, name = \"bath\" },\n", s->pool_depth, s->material[0].text);
        s->material[0].used = true;
        s->liquids++;
    }
    fputs("  },\n", s->out);
}

// Wholly in the box, in places that are left, above the pool and in it.
static inline void put_body(RandomScene* s, Dice* d, int number)
{
    RandomPlace p;
    double radius = dice_number(d, 2, s->dim == 3 ? 4 : 7)*s->dx, v[3];
    double density = s->material[0].rho*dice_log(d, 1e-3, 20), speed = own_speed(s, &s->material[0])*dice_log(d, 0.1, 1);
    bool flies = dice_chance(d, 0.5), spins = dice_chance(d, 0.3), on_rail = dice_chance(d, 0.1);
    random_direction(v, d, s->dim);
    if (on_rail) v[0] = 0;
    radius = fmin(radius, 0.3*fmin(s->size[0], s->size[1]));
    if (!take_inner_place(s, &p, d, radius)) return;
    stretch(v, flies ? speed : 0);
    fputs("    ", s->out);
    put_shape(s, d, &p);
    put_vector(s, ", velocity", v);
    if (spins && s->dim == 2) fprintf(s->out, ", spin = %.9g", speed/radius);
    if (spins && s->dim == 3) put_vector(s, ", spin", (double[3]){speed/radius, 0.3*speed/radius, -speed/radius});
    put_angle(s, d);
    if (on_rail) fputs(", fixed = { \"x\" }", s->out);
    fprintf(s->out, ", density = %.9g, name = \"b%d\" },\n", density, number);
    note_speed(s, (flies + spins)*speed);
}

// Drawn last of all that takes places.
static inline void put_bodies(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_BODIES);
    int count = dice_whole(&d, 1, MOST_BODIES);
    if (!random_has(s, INGREDIENT_BODIES)) return;
    fputs("  bodies = {\n", s->out);
    for (int m = 0; m < count; m++) put_body(s, &d, m);
    fputs("  },\n", s->out);
}

// ---- rules, numerics, time ------------------------------------------------------------------------------------------------

static inline void put_shaking(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_SHAKING);
    double way = dice_number(&d, 0.3, 4)*s->dx, speed = own_speed(s, &s->material[0])*dice_log(&d, 0.1, 1), v[3];
    random_direction(v, &d, s->dim);
    if (!dice_chance(&d, 0.25) || !random_has(s, INGREDIENT_SHAKING)) return;
    double omega = speed/way, size = way;
    bool position = dice_chance(&d, 0.5);
    if (!position) size *= -omega*omega;
    fprintf(s->out, "  %s = function(t) return { ", position ? "frame_position" : "frame_acceleration");
    for (int a = 0; a < s->dim; a++) fprintf(s->out, "%.9g*math.sin(%.9g*t), ", size*v[a], omega);
    fputs("} end,\n", s->out);
    note_speed(s, speed);
}

static inline void put_merge(RandomScene* s, Dice* d)
{
    int kind = dice_whole(d, 0, 9);
    double thickness = dice_log(d, 1e-3, 0.5)*s->dx, time = dice_number(d, 0, RANDOM_FRAMES)*s->frame_time;
    if (!s->film) return;
    if (kind < 6) fputs("  merge = \"hold\",\n", s->out);
    else if (kind == 6) fputs("  merge = { rule = \"van der waals\" },\n", s->out);
    else if (kind == 7) fprintf(s->out, "  merge = { rule = \"below\", thickness = %.9g },\n", thickness);
    else if (kind == 8) fprintf(s->out, "  merge = { rule = \"after\", time = %.9g },\n", time);
    else if (s->pool_depth > 0 && s->liquids > 1)
        fputs("  merge = { rule = \"touch\", pairs = { { between = { \"d0\", \"bath\" }, rule = \"hold\" } } },\n", s->out);
    else fputs("  merge = \"hold\",\n", s->out);
}

static inline void put_numerics(RandomScene* s, Dice* d)
{
    static const char* const advection[] = {"maccormack", "cubic", "semilagrangian"};
    bool cfl = dice_chance(d, 0.2), scheme = dice_chance(d, 0.2), op = dice_chance(d, 0.2), slip = dice_chance(d, 0.2);
    bool spray = dice_chance(d, 0.2);
    double asked = dice_number(d, 0.5, 3), cells = dice_log(d, 1, 20);
    const char* how = advection[dice_whole(d, 0, 2)];
    const char* operator= dice_chance(d, 0.5) && !s->film ? "ghost" : "cut";
    fprintf(s->out, "  numerics = { tension = \"%s\", ", s->tension);
    if (random_has(s, INGREDIENT_NUMERICS)) {
        if (cfl) fprintf(s->out, "cfl = %.6g, ", s->cfl = asked);
        if (scheme) fprintf(s->out, "advection = \"%s\", ", how);
        if (op) fprintf(s->out, "operator = \"%s\", ", operator);
        if (slip) fputs("slip = true, ", s->out);
    }
    fputs("},\n", s->out);
    if (spray && random_has(s, INGREDIENT_NUMERICS)) fprintf(s->out, "  spray_cells = %.6g,\n", cells);
}

// The step that the program is going to take at first: flow and tension of all materials of the scene.
static inline double expected_step(const RandomScene* s)
{
    double weight = sqrt(0.5*s->gravity*s->size[1]), dt = 1.5*s->dx/fmax(s->fastest + 0.5*weight, 1e-9*s->dx);
    double times = s->film || strcmp(s->tension, "explicit") == 0 ? 2 : strcmp(s->tension, "split") == 0 ? 10 : 5;
    for (int m = 0; m < s->material_count; m++) {
        const RandomMaterial* q = &s->material[m];
        if (q->used && q->sigma > 0) dt = fmin(dt, times*sqrt(q->rho*s->dx*s->dx*s->dx/(4*PI*q->sigma)));
    }
    return fmin(dt, s->size[1]);
}

static inline void draw_rules(RandomScene* s)
{
    static const char* const names[] = {"auto", "auto", "auto", "explicit", "implicit", "implicit", "csf", "split"};
    Dice d = dice_for(s->seed, PART_RULES);
    s->film = dice_chance(&d, 0.5);
    s->tension = names[dice_whole(&d, 0, s->film ? 6 : 7)];
    s->film = s->film && random_has(s, INGREDIENT_FILM);
    if (!random_has(s, INGREDIENT_SCHEME)) s->tension = "auto";
    if (random_has(s, INGREDIENT_BODIES) && strcmp(s->tension, "split") == 0) s->tension = "auto";  // is not for bodies
    s->cfl = 1.5;
    if (dice_chance(&d, 0.6)) s->pool_depth = dice_number(&d, 0.08, 0.45)*s->size[1];
}

static inline void put_rules(RandomScene* s)
{
    Dice d = dice_for(s->seed, PART_TIME);
    s->frame_time = expected_step(s)*dice_log(&d, 1.5, 15);
    put_merge(s, &d);
    put_numerics(s, &d);
    fprintf(s->out, "  frames = { rate = %.9g, count = %d },\n}\n", 1/s->frame_time, RANDOM_FRAMES);
}

// How fast liquid may get in this scene, m/s: a sum of all that moves it. By tension a neck of one cell recoils at
// sqrt(sigma/(rho dx)) and jets of closing cavities reach a few times that. Films hand on pressure, and a light liquid that a
// heavy one squeezes comes out by Bernoulli's law, rho_light u^2 = rho_heavy v^2: faster by sqrt(rho_heavy/rho_light). So it does
// by the heavy one's tension, rho_light u^2 = sigma/dx.
static inline double random_scene_speed(const RandomScene* s)
{
    double speed = s->fastest + sqrt(2*s->gravity*s->size[1]), tension = 0, pull = 0, heaviest = 0, lightest = INFINITY;
    for (int m = 0; m < s->material_count; m++) {
        const RandomMaterial* q = &s->material[m];
        if (!q->used) continue;
        heaviest = fmax(heaviest, q->rho), lightest = fmin(lightest, q->rho), pull = fmax(pull, q->sigma);
        tension = fmax(tension, sqrt(q->sigma/(q->rho*s->dx)));
    }
    return s->film ? speed*sqrt(heaviest/lightest) + sqrt(pull/(lightest*s->dx)) : speed + tension;
}

static inline void random_scene_make(RandomScene* s, uint64_t seed, unsigned without)
{
    size_t size;
    *s = (RandomScene){.seed = seed, .without = without};
    s->out = open_memstream(&s->text, &size);
    if (!s->out) abort();
    draw_box(s);
    draw_rules(s);
    draw_materials(s);
    fprintf(s->out, "-- random scene %llu\nreturn scene {\n", (unsigned long long)seed);
    put_box(s);
    put_shaking(s);
    put_solids(s);
    put_sources(s);
    put_liquids(s);
    put_bodies(s);
    put_rules(s);
    fclose(s->out);
}

static inline void random_scene_free(RandomScene* s)
{
    free(s->text);
    *s = (RandomScene){0};
}
