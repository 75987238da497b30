// State told once: what survives a step is named in one walk, and everything that treats all of it alike (undoing a step, writing
// and reading checkpoints, hashing, looking for NaN) is a visitor of that walk. A new array of anybody's state is one line in
// its walk.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

// A member of the rows of a table. Pointers are borrowed things that follow from the scene: kept for undoing, told to nobody
// else.
typedef enum StateType { STATE_REAL, STATE_INT, STATE_INT64, STATE_POINTER } StateType;
typedef struct StateColumn {
    StateType type;
    size_t offset;
    int count;  // values of the type, one after the other
} StateColumn;

#define STATE_MEMBER(kind, type, member, n)                                                                                      \
    {                                                                                                                            \
        kind, offsetof(type, member), n                                                                                          \
    }

typedef struct StateTable {
    const char* name;
    void* data;
    int rows;
    size_t row_bytes;
    const StateColumn* column;
    int columns;
} StateTable;

// A visitor reads what it is shown, or, if it `brings` values, writes them there. Each call is told the name; names are unique
// between an enter and its leave. The walk makes room for as many rows as `rows` answers before it shows a table.
typedef struct StateVisitor StateVisitor;
struct StateVisitor {
    bool brings;
    mn_status (*enter)(StateVisitor* v, const char* name);  // NULL: names do not matter
    void (*leave)(StateVisitor* v);
    mn_status (*rows)(StateVisitor* v, const char* name, int* rows);
    mn_status (*reals)(StateVisitor* v, const char* name, double* value, int count);
    mn_status (*integers)(StateVisitor* v, const char* name, int64_t* value, int count);
    mn_status (*table)(StateVisitor* v, const StateTable* t);
    // a large array of rank 2 or 3, n[0] the slowest axis
    mn_status (*block)(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3]);
};

// ---- for walks -----------------------------------------------------------------------------------------------------------

mn_status state_enter(StateVisitor* v, const char* name);
void state_leave(StateVisitor* v);
mn_status state_rows(StateVisitor* v, const char* name, int* rows);
mn_status state_reals(StateVisitor* v, const char* name, double* value, int count);
mn_status state_ints(StateVisitor* v, const char* name, int* value, int count);  // at most 8 of them
mn_status state_long(StateVisitor* v, const char* name, long* value);

// ---- for visitors --------------------------------------------------------------------------------------------------------

// Numbers of a row of a table, pointers left out, and a row from and to them.
int state_row_numbers(const StateTable* t);
void state_row_get(double* out, const StateTable* t, int row);
void state_row_set(const StateTable* t, int row, const double* in);

// A copy of a state in arena memory, and the way back. The copy holds until the arena is reset.
typedef struct StateCopy StateCopy;
StateCopy* state_copy_begin(Arena* arena);  // NULL: out of memory
StateVisitor* state_copy_saver(StateCopy* c);
// Walks the same way as the saver did, as often as wanted.
StateVisitor* state_copy_restorer(StateCopy* c);

// A number for a state: the same for the same values, whatever the number of threads was that made them.
typedef struct StateHash {
    StateVisitor visitor;
    uint64_t value;
} StateHash;
StateHash state_hash_begin(void);

// MN_STEP_FAILED with the name of the first array that holds a number that is not finite.
StateVisitor state_finite_visitor(void);
