#include "scene/read_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

const char* const merge_names[] = {"touch", "hold", "below", "van der waals", "after", NULL};

// rule, and the number that goes with it
static mn_status read_rule(SceneMerge* m, const Node* n)
{
    int rule = m->rule;
    TRY(node_choice(&rule, n, "rule", merge_names));
    m->rule = (SceneMergeRule)rule;
    if (m->rule == SCENE_MERGE_BELOW) TRY(node_number(&m->value, n, "thickness", POSITIVE, "thickness in metres", REQUIRED));
    else if (node_has(n, "thickness")) return node_fail(n, "thickness", "means something with rule = \"below\" only");
    if (m->rule == SCENE_MERGE_AFTER) return node_number(&m->value, n, "time", NOT_NEGATIVE, "time in seconds", REQUIRED);
    if (node_has(n, "time")) return node_fail(n, "time", "means something with rule = \"after\" only");
    return MN_OK;
}

static mn_status read_pair(Scene* scene, const Node* n, const char* const* names, int i)
{
    static const char* const keys[] = {"between", "rule", "thickness", "time", NULL};
    SceneMerge* m = &scene->merge_pairs[i];
    Node pair;
    bool present;
    int count;
    TRY(node_check_keys(n, keys, NULL, false));
    TRY(node_open(&pair, &present, n, "between", "two names of liquids, { \"a\", \"b\" }"));
    if (!present) return node_fail(n, "between", "expected two names of liquids, { \"a\", \"b\" }, got nothing");
    TRY(node_count(&count, &pair, MAX_LIST));
    if (count != 2) return node_fail(n, "between", "expected two names of liquids, got %d", count);
    TRY(node_choice_entry(&m->a, &pair, 1, names));
    TRY(node_choice_entry(&m->b, &pair, 2, names));
    node_close(&pair);
    if (!node_has(n, "rule"))
        return node_fail(n, "rule", "expected \"touch\", \"hold\", \"below\", \"van der waals\" or \"after\"");
    return read_rule(m, n);
}

static mn_status read_pairs(Scene* scene, const Node* n, const char* const* names)
{
    Node list;
    bool present;
    int count;
    TRY(node_open(&list, &present, n, "pairs", "a list, { { between = { \"a\", \"b\" }, rule = ... }, ... }"));
    if (!present) return MN_OK;
    TRY(node_count(&count, &list, MAX_LIST));
    scene->merge_pairs = calloc((size_t)maxi(count, 1), sizeof *scene->merge_pairs);
    if (!scene->merge_pairs) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    scene->merge_pair_count = count;
    for (int i = 0; i < count; i++) {
        Node entry;
        TRY(node_open_entry(&entry, &list, i + 1, "{ between = { \"a\", \"b\" }, rule = ... }"));
        TRY(read_pair(scene, &entry, names, i));
        node_close(&entry);
    }
    node_close(&list);
    return MN_OK;
}

// merge = "hold", or a table with pairs in it.
static mn_status read_table(Scene* scene, const Node* root, const char* const* names)
{
    static const char* const keys[] = {"rule", "thickness", "time", "pairs", NULL};
    Node n;
    bool present;
    TRY(node_open(&n, &present, root, "merge", "\"touch\", \"hold\" or a table, { rule = ..., pairs = ... }"));
    if (!present) return MN_OK;
    TRY(node_check_keys(&n, keys, NULL, false));
    TRY(read_rule(&scene->merge, &n));
    TRY(read_pairs(scene, &n, names));
    node_close(&n);
    return MN_OK;
}

mn_status merge_read(Scene* scene, const Node* root)
{
    static const char* const simple[] = {"touch", "hold", "never", NULL};
    lua_State* L = root->reader->L;
    lua_pushstring(L, "merge");
    int type = lua_rawget(L, root->table);
    lua_pop(L, 1);
    if (type != LUA_TTABLE) {
        int choice = 0;
        TRY(node_choice(&choice, root, "merge", simple));
        scene->merge.rule = choice == 0 ? SCENE_MERGE_TOUCH : SCENE_MERGE_HOLD;
        return MN_OK;
    }
    int total = scene->liquid_count + scene->source_count;
    const char** names = calloc((size_t)total + 1, sizeof *names);
    if (!names) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    for (int m = 0; m < total; m++)
        names[m] = m < scene->liquid_count ? scene->liquids[m].name : scene->sources[m - scene->liquid_count].name;
    mn_status status = read_table(scene, root, names);
    free(names);
    return status;
}

bool scene_has_film(const Scene* scene)
{
    bool needs = scene->merge.rule != SCENE_MERGE_TOUCH;
    for (int m = 0; m < scene->solid_count; m++) needs = needs || scene->solids[m].film;
    for (int m = 0; m < scene->merge_pair_count; m++) needs = needs || scene->merge_pairs[m].rule != SCENE_MERGE_TOUCH;
    return needs;
}

static bool attracts(const Scene* scene)
{
    bool any = scene->merge.rule == SCENE_MERGE_VDW;
    for (int m = 0; m < scene->merge_pair_count; m++) any = any || scene->merge_pairs[m].rule == SCENE_MERGE_VDW;
    return any;
}

// What the film cannot do yet.
static mn_status check_tension(const Scene* scene, const Node* root)
{
    if (!scene_has_film(scene)) return MN_OK;
    if (scene->op == OPERATOR_GHOST)
        return node_fail_as(MN_UNSUPPORTED, root, "merge", "liquids that stay apart need numerics.operator = \"cut\"");
    TensionKind kind = scene->tension.kind;
    if (kind != TENSION_IS_SPLIT) return MN_OK;
    return node_fail_as(MN_UNSUPPORTED, root, "merge",
                        "liquids that stay apart and numerics.tension = \"%s\" do not go together yet; use \"auto\", "
                        "\"explicit\", \"implicit\" or \"csf\"",
                        tension_names[kind]);
}

mn_status film_read(Scene* scene, const Node* root)
{
    static const char* const keys[] = {"viscosity", "cells", "h_min", "mean_free_path", "hamaker", "conductance",
                                       "repeats",   "build", NULL};
    static const char* const conductances[] = {"series", "edge", NULL};
    static const char* const builds[] = {"ridge", "graph", NULL};
    SceneFilm* f = &scene->film;
    *f = (SceneFilm){.mu = 18.6e-6, .cells = 5, .hamaker = 5e-20, .repeats = 2};
    if (attracts(scene))
        f->mean_free_path = 68e-9;  // films that break are as thin: without slip they would not get there in time
    Node n;
    bool present;
    int conductance = 0, build = 0;
    TRY(check_tension(scene, root));
    TRY(node_open(&n, &present, root, "film", "a table, { viscosity = ..., ... }"));
    if (!present) return MN_OK;
    if (!scene_has_film(scene))
        return node_fail(root, "film", "means nothing while all liquids merge on touch and no solid has film = true; set merge");
    TRY(node_check_keys(&n, keys, NULL, false));
    TRY(node_number(&f->mu, &n, "viscosity", POSITIVE, "viscosity of air in Pa s", OPTIONAL));
    TRY(node_number(&f->cells, &n, "cells", POSITIVE, "thickness in cells", OPTIONAL));
    if (f->cells < 1 || f->cells > 7) return node_fail(&n, "cells", "expected a thickness from 1 to 7 cells, got %g", f->cells);
    TRY(node_number(&f->h_min, &n, "h_min", POSITIVE, "thickness in metres", OPTIONAL));
    TRY(node_number(&f->mean_free_path, &n, "mean_free_path", NOT_NEGATIVE, "length in metres", OPTIONAL));
    TRY(node_number(&f->hamaker, &n, "hamaker", POSITIVE, "Hamaker constant in J", OPTIONAL));
    TRY(node_choice(&conductance, &n, "conductance", conductances));
    f->edge = conductance == 1;
    TRY(node_choice(&build, &n, "build", builds));
    f->graph = build == 1;
    TRY(node_integer(&f->repeats, &n, "repeats", 0, 10, "number of repeats", OPTIONAL));
    node_close(&n);
    return MN_OK;
}
