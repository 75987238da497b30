#include "output/liquidlooks.h"

#include <assert.h>
#include <string.h>

static int count_kinds(const Scene* s) { return s->liquid_count + s->source_count; }

static const char* word_of(const Scene* s, int kind)
{
    bool source = kind >= s->liquid_count;
    const Material* m = source ? &s->sources[kind - s->liquid_count].material : &s->liquids[kind].material;
    const char* look = source ? s->sources[kind - s->liquid_count].look : s->liquids[kind].look;
    return look[0] ? look : m->name;
}

// The first of the scene that looks the same: looks are numbered in the order of these.
static int first_like(const Scene* s, int kind)
{
    int k = 0;
    while (strcmp(word_of(s, k), word_of(s, kind)) != 0) k++;
    return k;
}

static int count_before(const Scene* s, int kind)
{
    int count = 0;
    for (int k = 0; k < kind; k++) count += first_like(s, k) == k;
    return count;
}

int liquidlooks_count(const Scene* s) { return count_before(s, count_kinds(s)); }

int liquidlooks_number(const Scene* s, int kind)
{
    assert(kind >= 0 && kind < count_kinds(s));
    return count_before(s, first_like(s, kind));
}

const char* liquidlooks_word(const Scene* s, int number)
{
    for (int k = 0; k < count_kinds(s); k++)
        if (liquidlooks_number(s, k) == number) return word_of(s, k);
    return "water";
}
