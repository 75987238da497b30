// What has been borrowed of one state of a simulation. It lives until the simulation has gone on and the last hold is released.
#pragma once
#include <stdatomic.h>
#include "base/columns.h"
#include "base/layers.h"
#include "step/sim.h"

// A field of a liquid that somebody reads where it lies.
typedef struct LentField {
    Field* field;   // of the liquid, while the state is the present one
    size_t count;   // values in its block
    double* block;  // owned, once the simulation has got a copy to go on with
} LentField;

typedef struct Moment {
    atomic_int users;  // the simulation, while it is the present one, and holds
    Layers layers;
    bool has_layers;
    Columns columns;
    const char** names;  // of columns that are numbers; owned, with their values
    double* values;
    int numbers;
    bool has_numbers;
    LentField* lent;  // owned
    int lent_count, lent_room;
} Moment;

Moment* moment_new(void);        // with one user; NULL: out of memory
void moment_release(Moment* m);  // fine on NULL
mn_status moment_lend(Moment* m, Field* field, size_t count);
// The state is about to change. If somebody else holds the moment it takes the blocks of lent fields for itself, and the liquids get
// copies; without `copies`, for a simulation that ends, they get none.
mn_status moment_set_apart(Moment* m, bool copies);
