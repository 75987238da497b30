// Disjoint sets over 0 .. n-1 as a forest: parent[a] == a at a root. The smallest member of a set is its root, so results do not
// depend on the order of joins.
#pragma once

static inline int set_find(int* parent, int a)
{
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
}

static inline void set_join(int* parent, int a, int b)
{
    a = set_find(parent, a), b = set_find(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}
