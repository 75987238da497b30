#include "skin/skin_step.h"

#include <assert.h>
#include "skin/skin_advect.h"
#include "skin/skin_forces.h"
#include "skin/skin_settle.h"

mn_status skin_step(SkinWater* s, const double acceleration[3], double dt)
{
    assert(dt > 0);
    s->pushed[0] = s->pushed[1] = s->pushed[2] = 0, s->overfull = 0;
    // 1  water and drops are carried
    TRY(skin_advect(s, dt));
    TRY(skin_gather_crumbs(s));
    skin_drops_fly(s, acceleration, dt);
    // 2  drops that meet water or the skin become part of it
    TRY(skin_drops_absorb(s));
    // 3  weight, adhesion, drag of hair
    skin_act(s, acceleration, dt);
    // 4  what is too much goes outwards; the body stops what runs into it
    TRY(skin_smear(s));
    TRY(skin_push_out(s));
    TRY(skin_stop_at_body(s));
    skin_drop_dry_blocks(s);
    TRY(skin_list_active(s));
    s->step++;
    assert(skin_water_is_valid(s));
    return MN_OK;
}

double skin_longest_step(const SkinWater* s, const double acceleration[3], double edges, double most)
{
    double fastest = 0, edge = s->lattice->spacing/(1 << s->lattice->fine.level), way = edges*edge,
           g = vec_norm(acceleration);
    for (int t = 0; t < s->lattice->tets; t++) {
        const SkinBlock* b = s->block[t];
        if (!b) continue;
        for (int f = 0; f < s->lattice->fine.fine; f++) fastest = max2(fastest, vec_dot(b->u[f], b->u[f]));
    }
    fastest = sqrt(fastest);
    // v t + g t^2/2 = way
    double time = g > 0 ? (sqrt(fastest*fastest + 2*g*way) - fastest)/g : fastest > 0 ? way/fastest : most;
    return min2(most, time);
}
