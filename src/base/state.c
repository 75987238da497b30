#include "base/state.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// ---- for walks -----------------------------------------------------------------------------------------------------------

mn_status state_enter(StateVisitor* v, const char* name) { return v->enter ? v->enter(v, name) : MN_OK; }

void state_leave(StateVisitor* v)
{
    if (v->leave) v->leave(v);
}

mn_status state_rows(StateVisitor* v, const char* name, int* rows)
{
    assert(*rows >= 0);
    return v->rows(v, name, rows);
}

mn_status state_reals(StateVisitor* v, const char* name, double* value, int count)
{
    assert(count > 0);
    return v->reals(v, name, value, count);
}

mn_status state_ints(StateVisitor* v, const char* name, int* value, int count)
{
    int64_t wide[8];
    assert(count > 0 && count <= 8);
    for (int m = 0; m < count; m++) wide[m] = value[m];
    TRY(v->integers(v, name, wide, count));
    for (int m = 0; m < count && v->brings; m++) {
        if (wide[m] < INT_MIN || wide[m] > INT_MAX)
            return mn_fail(MN_BAD_CHECKPOINT, "holds %s = %lld", name, (long long)wide[m]);
        value[m] = (int)wide[m];
    }
    return MN_OK;
}

mn_status state_long(StateVisitor* v, const char* name, long* value)
{
    int64_t wide = *value;
    TRY(v->integers(v, name, &wide, 1));
    if (v->brings) *value = (long)wide;
    return MN_OK;
}

// ---- rows of tables --------------------------------------------------------------------------------------------------------

int state_row_numbers(const StateTable* t)
{
    int sum = 0;
    for (int c = 0; c < t->columns; c++)
        if (t->column[c].type != STATE_POINTER) sum += t->column[c].count;
    return sum;
}

static char* member(const StateTable* t, int row, const StateColumn* c)
{
    return (char*)t->data + (size_t)row*t->row_bytes + c->offset;
}

void state_row_get(double* out, const StateTable* t, int row)
{
    for (int c = 0; c < t->columns; c++) {
        const StateColumn* column = &t->column[c];
        const void* at = member(t, row, column);
        for (int m = 0; m < column->count; m++) {
            if (column->type == STATE_REAL) *out++ = ((const double*)at)[m];
            else if (column->type == STATE_INT) *out++ = ((const int*)at)[m];
            else if (column->type == STATE_INT64) *out++ = (double)((const int64_t*)at)[m];
        }
    }
}

void state_row_set(const StateTable* t, int row, const double* in)
{
    for (int c = 0; c < t->columns; c++) {
        const StateColumn* column = &t->column[c];
        void* at = member(t, row, column);
        for (int m = 0; m < column->count; m++) {
            if (column->type == STATE_REAL) ((double*)at)[m] = *in++;
            else if (column->type == STATE_INT) ((int*)at)[m] = (int)*in++;
            else if (column->type == STATE_INT64) ((int64_t*)at)[m] = (int64_t)*in++;
        }
    }
}

// ---- copies ----------------------------------------------------------------------------------------------------------------

// The pieces of a state in the order of the walk.
typedef struct Piece Piece;
struct Piece {
    Piece* next;
    size_t bytes;
    void* data;
};

struct StateCopy {
    StateVisitor saver, restorer;  // the first two members: visitors find the copy from them
    Arena* arena;
    Piece *first, *last;
    Piece* here;  // of the restorer's walk
};

// Large arrays in pieces, on all threads: memory is what it takes time for.
static void copy_bytes(char* to, const char* from, size_t bytes)
{
    enum { PIECE = 1 << 18 };
    long pieces = (long)((bytes + PIECE - 1)/PIECE);
#pragma omp parallel for schedule(static) if (pieces > 4)
    for (long m = 0; m < pieces; m++) {
        size_t at = (size_t)m*PIECE;
        memcpy(to + at, from + at, bytes - at < PIECE ? bytes - at : PIECE);
    }
}

static StateCopy* copy_of_saver(StateVisitor* v) { return (StateCopy*)((char*)v - offsetof(StateCopy, saver)); }
static StateCopy* copy_of_restorer(StateVisitor* v) { return (StateCopy*)((char*)v - offsetof(StateCopy, restorer)); }

static mn_status keep(StateVisitor* v, const void* data, size_t bytes)
{
    StateCopy* c = copy_of_saver(v);
    Piece* p = arena_take(c->arena, sizeof *p);
    TRY_MEMORY(p);
    *p = (Piece){.bytes = bytes, .data = arena_take(c->arena, bytes)};
    TRY_MEMORY(p->data);
    copy_bytes(p->data, data, bytes);
    if (c->last) c->last->next = p;
    else c->first = p;
    c->last = p;
    return MN_OK;
}

static mn_status give_back(StateVisitor* v, void* data, size_t bytes)
{
    StateCopy* c = copy_of_restorer(v);
    assert(c->here && c->here->bytes == bytes);
    copy_bytes(data, c->here->data, bytes);
    c->here = c->here->next;
    return MN_OK;
}

static size_t block_bytes(int rank, const size_t n[3]) { return sizeof(double)*n[0]*n[1]*(rank == 3 ? n[2] : 1); }

static mn_status save_rows(StateVisitor* v, const char* name, int* rows) { return (void)name, keep(v, rows, sizeof *rows); }
static mn_status save_reals(StateVisitor* v, const char* name, double* value, int count)
{
    return (void)name, keep(v, value, sizeof *value*(size_t)count);
}
static mn_status save_integers(StateVisitor* v, const char* name, int64_t* value, int count)
{
    return (void)name, keep(v, value, sizeof *value*(size_t)count);
}
static mn_status save_table(StateVisitor* v, const StateTable* t) { return keep(v, t->data, t->row_bytes*(size_t)t->rows); }
static mn_status save_block(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3])
{
    return (void)name, keep(v, data, block_bytes(rank, n));
}

static mn_status restore_rows(StateVisitor* v, const char* name, int* rows)
{
    return (void)name, give_back(v, rows, sizeof *rows);
}
static mn_status restore_reals(StateVisitor* v, const char* name, double* value, int count)
{
    return (void)name, give_back(v, value, sizeof *value*(size_t)count);
}
static mn_status restore_integers(StateVisitor* v, const char* name, int64_t* value, int count)
{
    return (void)name, give_back(v, value, sizeof *value*(size_t)count);
}
static mn_status restore_table(StateVisitor* v, const StateTable* t)
{
    return give_back(v, t->data, t->row_bytes*(size_t)t->rows);
}
static mn_status restore_block(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3])
{
    return (void)name, give_back(v, data, block_bytes(rank, n));
}

StateCopy* state_copy_begin(Arena* arena)
{
    StateCopy* c = arena_take(arena, sizeof *c);
    if (!c) return NULL;
    *c = (StateCopy){
        .saver = {.rows = save_rows, .reals = save_reals, .integers = save_integers, .table = save_table, .block = save_block},
        .restorer = {.brings = true,
                     .rows = restore_rows,
                     .reals = restore_reals,
                     .integers = restore_integers,
                     .table = restore_table,
                     .block = restore_block},
        .arena = arena};
    return c;
}

StateVisitor* state_copy_saver(StateCopy* c)
{
    assert(!c->first);
    return &c->saver;
}

StateVisitor* state_copy_restorer(StateCopy* c)
{
    assert(c->first);
    c->here = c->first;
    return &c->restorer;
}

// ---- hash --------------------------------------------------------------------------------------------------------------------

// A step of FNV-1a on words of 64 bits, and a turn, so that every bit of a word reaches the low ones.
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word)*1099511628211ull;
    return hash << 29 | hash >> 35;
}

static void hash_reals(StateVisitor* v, const double* value, size_t count)
{
    uint64_t hash = ((StateHash*)v)->value;
    for (size_t m = 0; m < count; m++) {
        uint64_t word;
        double number = value[m] == 0 ? 0 : value[m];  // -0 is 0
        memcpy(&word, &number, sizeof word);
        hash = mix(hash, word);
    }
    ((StateHash*)v)->value = hash;
}

static mn_status hash_some_integers(StateVisitor* v, const char* name, int64_t* value, int count)
{
    (void)name;
    for (int m = 0; m < count; m++) ((StateHash*)v)->value = mix(((StateHash*)v)->value, (uint64_t)value[m]);
    return MN_OK;
}

static mn_status hash_rows(StateVisitor* v, const char* name, int* rows)
{
    int64_t wide = *rows;
    return hash_some_integers(v, name, &wide, 1);
}

static mn_status hash_some_reals(StateVisitor* v, const char* name, double* value, int count)
{
    return (void)name, hash_reals(v, value, (size_t)count), MN_OK;
}

// Rows of a table have few numbers.
enum { ROW_MOST = 64 };

static mn_status hash_table(StateVisitor* v, const StateTable* t)
{
    double row[ROW_MOST];
    int numbers = state_row_numbers(t);
    assert(numbers <= ROW_MOST);
    for (int r = 0; r < t->rows; r++) {
        state_row_get(row, t, r);
        hash_reals(v, row, (size_t)numbers);
    }
    return MN_OK;
}

static mn_status hash_block(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3])
{
    return (void)name, hash_reals(v, data, block_bytes(rank, n)/sizeof(double)), MN_OK;
}

StateHash state_hash_begin(void)
{
    return (StateHash){.visitor = {.rows = hash_rows,
                                   .reals = hash_some_reals,
                                   .integers = hash_some_integers,
                                   .table = hash_table,
                                   .block = hash_block},
                       .value = 14695981039346656037ull};
}

// ---- finite
// --------------------------------------------------------------------------------------------------------------------

static mn_status all_finite(const char* name, const double* value, size_t count)
{
    for (size_t m = 0; m < count; m++)
        if (!isfinite(value[m])) return mn_fail(MN_STEP_FAILED, "%s holds a number that is not finite", name);
    return MN_OK;
}

static mn_status any_rows(StateVisitor* v, const char* name, int* rows) { return (void)v, (void)name, (void)rows, MN_OK; }
static mn_status any_integers(StateVisitor* v, const char* name, int64_t* value, int count)
{
    return (void)v, (void)name, (void)value, (void)count, MN_OK;
}
static mn_status finite_reals(StateVisitor* v, const char* name, double* value, int count)
{
    return (void)v, all_finite(name, value, (size_t)count);
}

static mn_status finite_table(StateVisitor* v, const StateTable* t)
{
    double row[ROW_MOST];
    (void)v;
    for (int r = 0; r < t->rows; r++) {
        state_row_get(row, t, r);
        TRY(all_finite(t->name, row, (size_t)state_row_numbers(t)));
    }
    return MN_OK;
}

static mn_status finite_block(StateVisitor* v, const char* name, double* data, int rank, const size_t n[3])
{
    return (void)v, all_finite(name, data, block_bytes(rank, n)/sizeof(double));
}

StateVisitor state_finite_visitor(void)
{
    return (StateVisitor){
        .rows = any_rows, .reals = finite_reals, .integers = any_integers, .table = finite_table, .block = finite_block};
}
