// Solids the grid cannot hold, meshes that are not as their file says, and sources that contradict themselves.
#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "liquid/wetting.h"
#include "rigid/body_plan.h"
#include "scene/mesh.h"
#include "scene/warn.h"

static void warn_if_thin(Warner* w, int m, int least, const char* then)
{
    const Thinnest* t = &w->survey->solids[m].thinnest;
    const char* name = w->scene->solids[m].name;
    double cells = t->thickness/w->scene->dx;
    if (!(cells < least - 0.05)) return;
    char depth[32] = "";
    if (w->scene->dim == 3) snprintf(depth, sizeof depth, ", %.3g", t->at[2]);
    warn(w, name, "%s is %.1f cells thick at (%.3g, %.3g%s) m; %s", name, cells, t->at[0], t->at[1], depth, then);
}

// The surface goes on into a solid from the liquid's side and through thin ones, but a node must lie in either half
// (docs/contact.md, limits). A twentieth of a cell is what rounding and meshes may take.
void warn_of_thin_solids(Warner* w)
{
    for (int m = 0; m < w->scene->solid_count; m++)
        if (!w->scene->solids[m].is_body)
            warn_if_thin(w, m, SURVEY_THIN,
                         w->scene->solids[m].moving
                             ? "solids thinner than 2 cells leak and hold no contact angle"
                             : "solids thinner than 2 cells leak and hold no contact angle; one of `sheets` would not");
}

// A body feels the liquid through cut cells on both of its sides, and the lines on them must not share cells.
void warn_of_thin_bodies(Warner* w)
{
    for (int m = 0; m < w->scene->body_count; m++) {
        double thickness = w->scene->plans[m].thickness;
        warn_if_thin(w, w->scene->bodies[m].solid, SURVEY_THIN_BODY,
                     thickness > 0 && thickness < SURVEY_THIN_BODY*w->scene->dx
                         ? "liquids see it 3 cells thick, and more of them goes along with it than should"
                         : "forces on bodies thinner than 3 cells are not right: take smaller cells");
    }
}

void warn_of_body_angles(Warner* w)
{
    for (int m = 0; m < w->scene->body_count; m++) {
        const SceneSolid* s = &w->scene->solids[w->scene->bodies[m].solid];
        if (s->contact_angle.advancing > BODY_ANGLE_MOST)
            warn(w, s->name, "the contact angle of %s, %.0f degrees, is treated as %.0f: more than bodies can have", s->name,
                 s->contact_angle.advancing*180/PI, BODY_ANGLE_MOST*180/PI);
    }
}

static void judge_meshes(Warner* w, const char* name, const Shape* shape)
{
    const TriMesh* m;
    for (int number = 0; (m = shape_mesh_part(shape, number)); number++) {
        char text[300] = "";
        size_t used = 0;
        if (m->holes)
            used += (size_t)snprintf(text + used, sizeof text - used, "; %d hole%s of %d open edges closed by %d faces", m->holes,
                                     m->holes == 1 ? "" : "s", m->boundary_edges, m->cap_count);
        if (m->flipped)
            used += (size_t)snprintf(text + used, sizeof text - used, "; %d face%s turned round", m->flipped,
                                     m->flipped == 1 ? "" : "s");
        if (m->dropped)
            used += (size_t)snprintf(text + used, sizeof text - used, "; %d face%s without area taken out", m->dropped,
                                     m->dropped == 1 ? "" : "s");
        if (m->crowded_edges)
            used += (size_t)snprintf(text + used, sizeof text - used, "; %d edge%s of more than two faces left as they are",
                                     m->crowded_edges, m->crowded_edges == 1 ? "" : "s");
        if (used > 0) warn(w, name, "the mesh of %s, %d faces, was not a clean closed one%s", name, m->triangle_count, text);
    }
}

void warn_of_meshes(Warner* w)
{
    const Scene* s = w->scene;
    for (int m = 0; m < s->liquid_count; m++) judge_meshes(w, s->liquids[m].name, s->liquids[m].shape);
    for (int m = 0; m < s->solid_count; m++) judge_meshes(w, s->solids[m].name, s->solids[m].shape);
    for (int m = 0; m < s->source_count; m++) judge_meshes(w, s->sources[m].name, s->sources[m].shape);
}

void warn_of_motions(Warner* w)
{
    for (int m = 0; m < w->scene->solid_count; m++)
        if (w->survey->solids[m].failure[0])
            warn(w, w->scene->solids[m].name, "the motion of %s fails %s", w->scene->solids[m].name,
                 w->survey->solids[m].failure);
}

// Wedges of less than 30 degrees are thinner than a cell for some cells from the contact line.
void warn_of_angles(Warner* w)
{
    const double least = 30*PI/180, most = 170*PI/180;
    const Scene* s = w->scene;
    bool tension = false,
         doubtful = s->wall_angle.receding >= 0 && (s->wall_angle.receding < least || s->wall_angle.advancing > most);
    for (int m = 0; m < s->liquid_count; m++) {
        const Material* q = &s->liquids[m].material;
        tension = tension || q->sigma > 0;
        doubtful = doubtful || q->contact_angle < least || q->contact_angle > most;
    }
    for (int m = 0; m < s->solid_count; m++) {
        const SceneAngle* a = &s->solids[m].contact_angle;
        if (s->solids[m].is_body && a->receding >= least) continue;  // large angles: warn_of_body_angles
        doubtful = doubtful || (a->receding >= 0 && (a->receding < least || a->advancing > most));
    }
    if (tension && doubtful)
        warn(w, "",
             "contact angles below 30 or above 170 degrees: the wedge at the contact line is thinner than the grid can hold");
}

// What a source gives and what leaves it at its velocity are told apart in the scene. Where they differ, liquid piles up in its
// mouth or is torn off it.
void warn_of_rates(Warner* w)
{
    const double slack = 0.1;
    for (int m = 0; m < w->scene->source_count; m++) {
        const SceneSource* s = &w->scene->sources[m];
        const SourceSurvey* q = &w->survey->sources[m];
        double flux = q->speed*q->opening;
        if (!(flux > 0) || scene_source_varies(s) || fabs(s->rate - flux) <= slack*flux) continue;
        warn(w, s->name, "%s gives %.4g m^%d/s, but %.3g m/s through its opening of %.3g %s is %.4g", s->name, s->rate,
             w->scene->dim, q->speed, q->opening, w->scene->dim == 3 ? "m^2" : "m", flux);
    }
}
