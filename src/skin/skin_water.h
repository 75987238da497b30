// Water on a skin, counted: every fine tetrahedron holds a whole number of quanta and one velocity, every drop a whole number of
// quanta. Whole numbers add up to the same whatever the order, so that none is ever lost or made; what comes and goes is in the
// ledger (docs/skin.md).
//
// Tetrahedra move with the skin. A step: skin_water_move puts the lattice where it is at the end of the step, skin_advect carries
// the water from where the tetrahedra were to where they are, then forces act, then skin_settle moves what is too much in a
// tetrahedron outwards and stops what runs into the body. skin_step.h has them in order.
#pragma once
#include "base/state.h"
#include "skin/skin_drops.h"
#include "skin/skin_hair.h"
#include "skin/skin_pose.h"

// What carries the skin. Distances and velocities are those of now; the velocity is that of the point of its surface nearest to
// x.
typedef struct SkinBody {
    const void* self;  // borrowed
    SkinDistance distance;
    void (*velocity)(double u[3], const void* self, const double x[3]);
    bool keeps_form;  // it moves rigidly and the lattice with it: distances at nodes stay what they are
} SkinBody;

// How a tetrahedron asks for water where its points come from. By content: in proportion to what the source holds. By volume: as
// [lee2019], which lets thinly filled ones ask back all they hold. Forward: nobody asks, all water goes with its points.
typedef enum SkinRequest { SKIN_BY_CONTENT, SKIN_BY_VOLUME, SKIN_ONLY_FORWARD } SkinRequest;

typedef struct SkinOptions {
    SkinRequest request;
    int samples;            // moving points per tetrahedron, 4 to SKIN_SAMPLES_MOST
    bool still_points;      // the same 11 in every step, as [lee2019]
    double crumb;           // below this part of its room a tetrahedron hands all to its wettest neighbour
    double slip;            // 1: water slides freely along the skin, 0: it sticks to it
    double jitter;          // drops begin off by up to so many edges
    int drops_per_tet;      // at most, in a step
    double adhesion;        // m/s^2 towards the skin, at it
    double adhesion_reach;  // m: none from there on, > 0
} SkinOptions;

SkinOptions skin_options(void);  // content, 11, moving, 0.02, 1, 0.5, 4; no adhesion

// The fine tetrahedra of a coarse one that holds water, or may soon. Arrays of 8^level, in one piece of memory.
typedef struct SkinBlock {
    int coarse;
    int dry_steps;                // since it last held any
    int64_t* w;                   // quanta
    int64_t *room, *room_before;  // quanta that fit, on the lattice as it is and as it was
    double (*u)[3];               // m/s, of the water; 0 where there is none
    // while the water is carried
    int64_t *next_w, *asked, *given;
    double (*next_p)[3];  // quanta m/s
    bool* stopped;        // its water was stopped by the body, or by water that was
    double pushed[3];     // quanta m/s that adhesion and hair have taken from its water in this step
} SkinBlock;

// Quanta. What is on the skin is what came less what went: skin_water_lost.
typedef struct SkinLedger {
    int64_t source;  // put there
    int64_t out;     // taken away, left the tank
    int64_t from_liquid, to_liquid;
} SkinLedger;

// All zeros is a valid empty one. Owns all but what is borrowed.
typedef struct SkinWater {
    const SkinLattice* lattice;  // borrowed
    SkinBody body;
    const SkinHair* hair;  // borrowed; NULL: none. Set before water is there
    SkinOptions options;
    double quantum;       // m^3
    double still[11][4];  // points that lie still, regarding a tetrahedron
    // what survives a step
    SkinPose now;       // of it, places of the nodes
    SkinBlock** block;  // per coarse tetrahedron; NULL: dry
    SkinDrops drops;
    SkinLedger ledger;
    long step;
    // of a step under way, and of the last one
    SkinPose before;
    int* active;  // coarse tetrahedra with a block, rising
    int active_count, active_room;
    double pushed[3];           // quanta m/s that the body has taken from the water
    int64_t overfull, trapped;  // quanta moved by skin_settle; that found no way out
    long visits;                // of tetrahedra on the way out
} SkinWater;

// The lattice at rest, no water. MN_NO_MEMORY leaves it empty.
mn_status skin_water_init(SkinWater* s, const SkinLattice* l, const SkinBody* body, const SkinOptions* options);
void skin_water_free(SkinWater* s);
// The lattice goes on to x; `before` is where it was.
mn_status skin_water_move(SkinWater* s, const double (*x)[3]);
mn_status skin_water_visit(SkinWater* s, StateVisitor* v);

// Nothing negative, no NaN, lists in order, nothing lost; for asserts.
bool skin_water_is_valid(const SkinWater* s);
int64_t skin_water_held(const SkinWater* s);                // quanta in tetrahedra
int64_t skin_water_lost(const SkinWater* s);                // what the ledger says should be there less what is: 0
void skin_water_momentum(double p[3], const SkinWater* s);  // quanta m/s, drops and all

// Puts quanta with a velocity into a fine tetrahedron; they count as `source`.
mn_status skin_water_pour(SkinWater* s, int tet, int64_t w, const double u[3]);

// ---- for the parts of a step

mn_status skin_block_make(SkinBlock** out, SkinWater* s, int coarse);  // the block, new and dry if there was none
mn_status skin_list_active(SkinWater* s);                              // after blocks were made
void skin_drop_dry_blocks(SkinWater* s);                               // those that have held nothing for 3 steps are given back

// Of a fine tetrahedron; one without a block is dry.
static inline SkinBlock* skin_block_of(const SkinWater* s, int tet) { return s->block[skin_coarse_of(s->lattice, tet)]; }
static inline int64_t skin_w(const SkinWater* s, int tet)
{
    const SkinBlock* b = skin_block_of(s, tet);
    return b ? b->w[skin_path_of(s->lattice, tet)] : 0;
}
int64_t skin_room(const SkinWater* s, const SkinPose* p, int tet);  // quanta that fit; 0 in a broken one
// w quanta with velocity u go into a tetrahedron with a block; momentum adds.
void skin_add(SkinBlock* b, int path, int64_t w, const double u[3]);
