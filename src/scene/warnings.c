#include "scene/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "scene/warn.h"

static const struct {
    const char* name;
    void (*look)(Warner* w);
} checks[] = {
    {"box", warn_of_box},
    {"gravity", warn_of_gravity},
    {"material", warn_of_materials},
    {"size", warn_of_sizes},
    {"speed", warn_of_speeds},
    {"resolution", warn_of_resolution},
    {"heavy drop", warn_of_heavy_drops},
    {"outside", warn_of_solids_outside},
    {"cut off", warn_of_cut_drops},
    {"deep pool", warn_of_deep_pools},
    {"gap", warn_of_gaps},
    {"thin solid", warn_of_thin_solids},
    {"thin body", warn_of_thin_bodies},
    {"body angle", warn_of_body_angles},
    {"mesh", warn_of_meshes},
    {"motion", warn_of_motions},
    {"contact angle", warn_of_angles},
    {"source", warn_of_rates},
    {"thin sheet", warn_of_thin_sheets},
};

enum { MOST_PER_CHECK = 8 };

static Warning* add(Warner* w)
{
    Warnings* all = w->out;
    if (all->count == all->room) {
        int room = 2*all->room + 16;
        Warning* grown = realloc(all->list, (size_t)room*sizeof *grown);
        if (!grown) {
            w->out_of_memory = true;
            return NULL;
        }
        all->list = grown, all->room = room;
    }
    Warning* one = &all->list[all->count++];
    *one = (Warning){.check = w->check};
    return one;
}

void warn(Warner* w, const char* about, const char* format, ...)
{
    if (++w->found > MOST_PER_CHECK) return;
    Warning* one = add(w);
    if (!one) return;
    va_list args;
    va_start(args, format);
    snprintf(one->about, sizeof one->about, "%s", about);
    vsnprintf(one->text, sizeof one->text, format, args);
    va_end(args);
}

mn_status survey_warnings(Warnings* out, const Survey* survey)
{
    *out = (Warnings){0};
    Warner w = {.out = out, .survey = survey, .scene = survey->scene, .sim = survey->sim};
    for (size_t m = 0; m < sizeof checks/sizeof *checks; m++) {
        w.check = checks[m].name, w.found = 0;
        checks[m].look(&w);
        int more = w.found - MOST_PER_CHECK;
        Warning* last = more > 0 ? add(&w) : NULL;
        if (last) snprintf(last->text, sizeof last->text, "%d more of this kind (%s)", more, w.check);
    }
    if (!w.out_of_memory) return MN_OK;
    warnings_free(out);
    return mn_fail(MN_NO_MEMORY, "no memory for the warnings about %s", survey->scene->path);
}

mn_status scene_warnings(Warnings* out, const Scene* scene, const Sim* sim)
{
    Survey survey;
    *out = (Warnings){0};
    TRY(survey_make(&survey, scene, sim));
    mn_status status = survey_warnings(out, &survey);
    survey_free(&survey);
    return status;
}

void warnings_free(Warnings* warnings)
{
    free(warnings->list);
    *warnings = (Warnings){0};
}
