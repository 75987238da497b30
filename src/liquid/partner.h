// The seam through which every partner of the liquid moves in: whatever lives beside it, presses on it or carries it. Each
// answers the same verbs at the same places of a step (step/step_liquid.c); a world may have several at once, and none knows
// another. Their order is that of moving in.
#pragma once
#include "base/columns.h"
#include "base/layers.h"
#include "base/state.h"
#include "liquid/coupling.h"
#include "liquid/movers.h"
#include "solve/viscosity.h"

struct Model;
struct World;
struct StepContext;
struct StepReport;

// After a solve: is the partner content?
typedef enum PartnerVerdict {
    PARTNER_IS_DONE,
    PARTNER_WANTS_FINER,  // the same operator, to the full tolerance: the solve was rough
    PARTNER_WANTS_OTHER   // its operator has changed: once more
} PartnerVerdict;

// A verb that is NULL has nothing to do. `self` is the partner's own struct. Arrays a partner keeps within a step are in
// ctx->kept or, from couple to take_back, in ctx->scratch.
typedef struct PartnerVerbs {
    const char* name;  // prefix of its state, columns and layers
    void (*free)(void* self);
    // what survives a step (base/state.h)
    mn_status (*visit)(void* self, StateVisitor* v);
    // After the liquids were rebuilt from their state, which an undone step or a checkpoint has brought: what of theirs follows
    // from the partner's.
    mn_status (*rebuild)(void* self, struct World* world, const Tank* tank, Arena* kept, Arena* scratch);
    // Before the first step: liquids stand with their shapes and velocities, these not yet free of divergence. ctx->dt is set.
    mn_status (*start)(void* self, struct StepContext* ctx);
    // the longest step it allows, s, at most dt
    double (*limit)(const void* self, const struct Model* model, const struct World* world, double dt);
    // Does its scheme keep its energy only while steps are of one length? Then a frame is divided evenly. NULL: no.
    bool (*wants_even_steps)(const void* self);
    // Does its pressure act on free surfaces? Then liquids are discretised by cut cells and tension acts on short steps.
    bool (*presses)(const void* self, const struct Model* model, const struct World* world);
    // before anything moves
    mn_status (*predict)(void* self, struct StepContext* ctx);
    // Do liquids a and b, which it keeps apart, become one now? place: the node of the tank where, if they do.
    bool (*lets_merge)(int place[3], const void* self, const struct StepContext* ctx, int a, int b);
    // A liquid whose surface it keeps (Liquid.meshed) is about to merge or to be changed by others: it becomes an ordinary one.
    mn_status (*yield_liquid)(void* self, struct StepContext* ctx, Liquid* q);
    // solids that follow it, and surfaces that it keeps, go to their new place, as the surfaces of others have
    mn_status (*move)(void* self, struct StepContext* ctx);
    // positions are made to agree: after liquids moved, split and merged, before they get their volume back
    mn_status (*make_consistent)(void* self, struct StepContext* ctx);
    // How freely the nodes of liquid m may move to restore its volume, 0 to 1; *freedom stays as it is where the partner does
    // not mind.
    mn_status (*hold)(float** freedom, void* self, struct StepContext* ctx, int m);
    // Friction. stick: the projection as it would be now was solved (couple to judge, c->foresees): what liquids stick to, with
    // the velocities of that solve, which the viscous solves of the liquids then change. rubbed: they have; only what changed is
    // the partner's. A partner without `stick` is not part of what is foreseen.
    mn_status (*stick)(StickingBodies* bodies, void* self, struct StepContext* ctx);
    mn_status (*rubbed)(void* self, const StickingBodies* bodies, struct StepContext* ctx);
    // The free bodies that it owns, for a partner that solves with them in `act`; valid until the end of the step.
    mn_status (*movers)(Movers* movers, void* self, struct StepContext* ctx);
    // after gravity and friction, before the projection
    mn_status (*act)(void* self, struct StepContext* ctx);
    // A pressure (Pa) of its own on the surface of liquid m, besides tension: what is added to it at nodes, and the impulse
    // (kg m/s) that this gives the liquid in the step.
    mn_status (*pull)(double* pressure, double impulse[3], const void* self, const struct StepContext* ctx, int m);
    // Does it have one?
    bool (*pulls)(const void* self, int m);
    // The projection. couple: says which liquids it joins (coupling_join) and which pieces of surface it presses on
    // (coupling_press). assemble: the pressure problems stand, in clusters of liquids that are solved together. Then, cluster by
    // cluster: load: right-hand sides are fresh; the operator on that cluster's liquids and its part of them. judge: after a
    // solve. Once again for all: answer: the last solves stand; adds its pressures on pieces of surface. take_back: velocities
    // are those of the end of the step.
    mn_status (*couple)(void* self, Coupling* c, struct StepContext* ctx);
    mn_status (*assemble)(void* self, Coupling* c, struct StepContext* ctx);
    mn_status (*load)(PoissonOperator* op, void* self, Coupling* c, int cluster);
    mn_status (*judge)(PartnerVerdict* verdict, void* self, Coupling* c, int cluster);
    mn_status (*answer)(void* self, Coupling* c, struct StepContext* ctx);
    mn_status (*take_back)(void* self, Coupling* c, struct StepContext* ctx);
    // last of all, when liquids have been held to the solids
    mn_status (*settle)(void* self, Coupling* c, struct StepContext* ctx);
    // Energy books, J (2D: J/m): what it stores beside what the liquids have (motion, height and strain of its own), and what
    // forces from outside have done on it in the step.
    double (*energy)(const void* self, const struct Model* model, const struct World* world);
    double (*work)(const void* self);
    // Adds its momentum, kg m/s, on which weight and a shaken box work, and the part of `energy` that is motion, J.
    void (*motion)(double momentum[3], double* kinetic, const void* self);
    void (*end)(void* self);  // after the projection, also after a failure: gives back what is not arena memory
    // what happened in the last step that whoever watches should know, a line; NULL: nothing
    const char* (*news)(const void* self);
    // numbers of the last step for tables; what it looks like
    void (*report)(const void* self, const struct StepReport* r, Columns* columns);
    mn_status (*show)(const void* self, Layers* layers);
} PartnerVerbs;

typedef struct Partner {
    const PartnerVerbs* verbs;
    void* self;  // owned; freed by verbs->free
} Partner;

enum { PARTNERS_MOST = 8 };

typedef struct Partners {
    Partner partner[PARTNERS_MOST];
    int count;
} Partners;

mn_status partners_add(Partners* p, const PartnerVerbs* verbs, void* self);  // owns self, also on failure
void* partners_find(const Partners* p, const PartnerVerbs* verbs);           // its self; NULL: it does not live here

// The verbs of all of them.
void partners_free(Partners* p);
mn_status partners_visit(Partners* p, StateVisitor* v);
double partners_limit(const char** by, const struct Model* model, const struct World* world, double dt);
bool partners_want_even_steps(const struct World* world);
bool partners_press(const struct Model* model, const struct World* world);
mn_status partners_predict(struct StepContext* ctx);
bool partners_let_merge(int place[3], const struct StepContext* ctx, int a, int b);
mn_status partners_rebuild(struct World* world, const Tank* tank, Arena* kept, Arena* scratch);
mn_status partners_start(struct StepContext* ctx);
mn_status partners_yield(struct StepContext* ctx, Liquid* q);
mn_status partners_move(struct StepContext* ctx);
mn_status partners_make_consistent(struct StepContext* ctx);
mn_status partners_hold(float** freedom, struct StepContext* ctx, int m);
// Of the first partner that owns any; nv 0: none does.
mn_status partners_movers(Movers* movers, struct StepContext* ctx);
mn_status partners_act(struct StepContext* ctx);
// *surface (Pa, nodes; may be NULL) becomes a copy with what partners add, in scratch memory; it stays where they add nothing.
mn_status partners_pull(double** surface, double impulse[3], struct StepContext* ctx, const struct Liquid* q);
// The solve of a cluster of a gathered coupling: load, solve, judge, until all are content. report->iterations are those of all
// solves. *op belongs to the solve until it is over. Arena memory.
mn_status partners_solve(SolveReport* report, const Partners* list, Coupling* c, int cluster, const SolveOptions* options,
                         Arena* arena);
void partners_end(const Partners* list);
double partners_energy(const struct Model* model, const struct World* world);
double partners_work(const struct World* world);
void partners_motion(double momentum[3], double* kinetic, const struct World* world);
// The first news after `from` (0 at first, then what was given): of which partner, counted from 1; 0: there are no more.
int partners_news(const char** line, const struct World* world, int from);
void partners_report(const struct World* world, const struct StepReport* r, Columns* columns);
mn_status partners_show(const struct World* world, Layers* layers);
