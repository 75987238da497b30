// Are two runs the same to the last bit?
#pragma once
#include <string.h>
#include "basin.h"

static inline void check_same_state(const Sim* a, const Sim* b)
{
    assert_int_equal(a->world.liquid_count, b->world.liquid_count);
    for (int m = 0; m < a->world.liquid_count; m++) {
        const Liquid *p = &a->world.liquid[m], *q = &b->world.liquid[m];
        assert_int_equal(p->w.count, q->w.count);
        CHECK_TRUE(memcmp(p->phi.block, q->phi.block, p->w.count*sizeof(double)) == 0);
        for (int d = 0; d < a->model.tank.dim; d++)
            CHECK_TRUE(memcmp(p->u[d].block, q->u[d].block, p->w.count*sizeof(double)) == 0);
    }
}
