#include "scene/read_probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Letters of the name of a line of probes: a dot and any int come behind it.
enum { NAME_OF_LINE = 51 };

static mn_status read_place(double place[3], const SceneProbe* p, const Node* n, const char* key)
{
    const Scene* scene = n->reader->scene;
    TRY(node_vector(place, n, key, "point in metres", REQUIRED));
    for (int d = 0; d < scene->dim; d++) {
        if (p->kind == PROBE_HEIGHT && d == 1) continue;  // it looks along the vertical
        if (place[d] < 0 || place[d] > scene->size[d])
            return node_fail(n, key, "expected a point in the box, 0 to %g along %c, got %g", scene->size[d], 'x' + d, place[d]);
    }
    return MN_OK;
}

mn_status probe_read(Scene* scene, const Node* n, int i)
{
    static const char* const keys[] = {"name", "kind", "at", "from", "to", "count", NULL};
    static const char* const kinds[] = {"pressure", "velocity", "height", NULL};
    SceneProbe* p = &scene->probes[i];
    int kind = -1;
    snprintf(p->name, sizeof p->name, "probe%d", i + 1);
    TRY(node_check_keys(n, keys, NULL, false));
    TRY(node_name(p->name, n, "name"));
    TRY(node_choice(&kind, n, "kind", kinds));
    if (kind < 0) return node_fail(n, "kind", "missing; expected \"pressure\" or \"velocity\" or \"height\"");
    p->kind = (ProbeKind)kind, p->points = 1;
    for (int j = 0; j < i; j++) {
        if (strcmp(p->name, scene->probes[j].name) == 0) return node_fail(n, "name", "two probes are called \"%s\"", p->name);
    }
    bool line = node_has(n, "from") || node_has(n, "to") || node_has(n, "count");
    if (!line) return read_place(p->at, p, n, "at");
    if (node_has(n, "at")) return node_fail(n, "at", "give a point, at, or a line, from, to and count, not both");
    TRY(read_place(p->at, p, n, "from"));
    TRY(read_place(p->to, p, n, "to"));
    TRY(node_integer(&p->points, n, "count", 2, MAX_THINGS, "points of the line", REQUIRED));
    return strlen(p->name) <= NAME_OF_LINE ? MN_OK : node_fail(n, "name", "too long for a line of probes");
}

static void spread_one(SceneProbe* out, const SceneProbe* p, int dim)
{
    for (int k = 0; k < p->points; k++) {
        double t = p->points > 1 ? (double)k/(p->points - 1) : 0;
        out[k] = *p, out[k].points = 1;
        if (p->points > 1) snprintf(out[k].name, sizeof out[k].name, "%.*s.%d", NAME_OF_LINE, p->name, k + 1);
        for (int d = 0; d < dim && p->points > 1; d++) out[k].at[d] = (1 - t)*p->at[d] + t*p->to[d];
    }
}

mn_status probes_spread(Scene* scene)
{
    long points = 0;
    for (int m = 0; m < scene->probe_count; m++) points += scene->probes[m].points;
    if (points == scene->probe_count) return MN_OK;
    if (points > MAX_THINGS)
        return mn_fail(MN_BAD_SCENE, "%s: probes: %ld points; at most %d are possible", scene->path, points, MAX_THINGS);
    SceneProbe* all = calloc((size_t)points, sizeof *all);
    if (!all) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    int count = 0;
    for (int m = 0; m < scene->probe_count; m++) {
        spread_one(all + count, &scene->probes[m], scene->dim);
        count += scene->probes[m].points;
    }
    free(scene->probes);
    scene->probes = all, scene->probe_count = count;
    for (int m = 0; m < count; m++)
        for (int k = 0; k < m; k++)
            if (strcmp(all[m].name, all[k].name) == 0)
                return mn_fail(MN_BAD_SCENE, "%s: probes: two are called \"%s\"", scene->path, all[m].name);
    return MN_OK;
}
