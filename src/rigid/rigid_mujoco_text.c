// The world as MJCF text. Whatever a file's defaults are, every attribute that matters is said.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "rigid/rigid_mujoco_private.h"

// Contacts of the scene's bodies. The impedance is the largest there is, also against geoms of a file: D = 1e4 times the mass
// that is felt. Where they push to is said in rigid_mujoco_rows.c.
static const char CONTACT[] = "solimp=\"0.9999 0.9999 0.001\" solmix=\"1000000\" priority=\"0\" gap=\"0\"";

// Who meets whom, as bits of contype and conaffinity. MuJoCo 2.2.2 at times finds two boxes near each other to be deep in each
// other: for one another boxes are hulls too (twins). Walls find all corners of a box, but of a hull only some.
enum { ROUND = 1 << 24, BOX = 1 << 25, HULL = 1 << 26, TWIN = 1 << 27 };

static void write_vector(FILE* f, const char* key, const double* x, int n, double scale)
{
    fprintf(f, " %s=\"", key);
    for (int m = 0; m < n; m++) fprintf(f, "%s%.17g", m > 0 ? " " : "", x[m]*scale);
    fprintf(f, "\"");
}

// What a rotation does to x and y; MuJoCo makes the z of it.
static void write_axes(FILE* f, const double R[3][3])
{
    double axes[6] = {R[0][0], R[1][0], R[2][0], R[0][1], R[1][1], R[2][1]};
    write_vector(f, "xyaxes", axes, 6, 1);
}

static void write_contact(FILE* f, const MujocoWorld* w, double friction, int own, int others)
{
    fprintf(f, " contype=\"%d\" conaffinity=\"%d\"", own, others);
    fprintf(f, " %s condim=\"%d\" friction=\"%.17g 0 0\" margin=\"%.17g\"/>\n", CONTACT, friction > 0 ? 3 : 1, friction,
            w->margin/w->units.length);
}

static double longest(const double a[2]) { return fmax(fabs(a[0]), fabs(a[1])); }

// Points of a hull, or corners of a box, from `from`; a figure of the plane becomes a prism.
static void write_mesh(FILE* f, const BodyForm* form, const double from[3], const char* name, const MujocoWorld* w)
{
    double corner[24], thick = 0;
    bool box = form->kind == FORM_BOX;
    for (int c = 0; c < 24; c++) corner[c] = (c/3 >> c%3 & 1 ? 1 : -1)*form->size[c%3];
    const double* point = box ? corner : form->point;
    int points = !box ? form->points : w->dim == 2 ? 4 : 8;
    fprintf(f, "<mesh name=\"%s\" scale=\"1 1 1\" refpos=\"0 0 0\" refquat=\"1 0 0 0\" vertex=\"", name);
    for (int m = 0; m < points && w->dim == 2; m++) thick = fmax(thick, longest(point + 3*m));
    for (int layer = 0; layer < (w->dim == 2 ? 2 : 1); layer++)
        for (int m = 0; m < points; m++) {
            double x[3];
            for (int d = 0; d < 3; d++) x[d] = vec_dot(form->rotation[d], point + 3*m) + form->center[d] - from[d];
            if (w->dim == 2) x[2] = layer == 0 ? -thick : thick;
            for (int d = 0; d < 3; d++) fprintf(f, " %.9g", x[d]/w->units.length);
        }
    fprintf(f, "\"/>\n");
}

static void write_hull(FILE* f, const char* mesh, const MujocoWorld* w, double friction, int own, int others)
{
    fprintf(f, "<geom name=\"" MUJOCO_OWN_PREFIX "hull_%s\" type=\"mesh\" mesh=\"%s\" pos=\"0 0 0\" quat=\"1 0 0 0\"", mesh,
            mesh);
    fprintf(f, " density=\"0\" group=\"0\"");
    write_contact(f, w, friction, own, others);
}

static void write_primitive(FILE* f, const BodyForm* form, const double from[3], const char* name, double friction,
                            const MujocoWorld* w)
{
    static const char* const type[] = {[FORM_BALL] = "sphere",
                                       [FORM_BOX] = "box",
                                       [FORM_CAPSULE] = "capsule",
                                       [FORM_CYLINDER] = "cylinder",
                                       [FORM_ELLIPSOID] = "ellipsoid"};
    static const int sizes[] = {[FORM_BALL] = 1, [FORM_BOX] = 3, [FORM_CAPSULE] = 2, [FORM_CYLINDER] = 2, [FORM_ELLIPSOID] = 3};
    double at[3], size[3] = {form->size[0], form->size[1], form->size[2]};
    vec_sub(at, form->center, from);
    if (w->dim == 2 && sizes[form->kind] == 3) size[2] = longest(size);
    fprintf(f, "<geom name=\"" MUJOCO_OWN_PREFIX "form_%s\" type=\"%s\"", name, type[form->kind]);
    write_vector(f, "size", size, sizes[form->kind], 1/w->units.length);
    write_vector(f, "pos", at, 3, 1/w->units.length);
    write_axes(f, form->rotation);
    fprintf(f, " density=\"0\" group=\"0\"");
    if (form->kind == FORM_BOX) write_contact(f, w, friction, BOX, MUJOCO_FILE_BIT);
    else write_contact(f, w, friction, ROUND, ROUND | BOX | HULL | MUJOCO_FILE_BIT);
}

static void write_forms(FILE* f, const BodyForm* form, int forms, const double from[3], int body, bool meshes,
                        const MujocoWorld* w)
{
    double friction = body < w->plans ? fmax(w->options->friction, w->plan[body].friction) : w->options->friction;
    for (int m = 0; m < forms; m++) {
        char name[32];
        bool hull = form[m].kind == FORM_HULL, box = form[m].kind == FORM_BOX;
        snprintf(name, sizeof name, MUJOCO_OWN_PREFIX "%d_%d", body, m);
        if (meshes && (hull || box)) write_mesh(f, &form[m], from, name, w);
        if (!meshes && !hull) write_primitive(f, &form[m], from, name, friction, w);
        if (!meshes && hull) write_hull(f, name, w, friction, HULL, HULL | TWIN | MUJOCO_FILE_BIT);
        if (!meshes && box) write_hull(f, name, w, friction, TWIN, TWIN);
    }
}

static void write_walls(FILE* f, const MujocoWorld* w)
{
    const Tank* t = w->tank;
    for (int s = 0; t && s < 2*t->dim; s++) {
        if (!side_is_closed(t->side[s])) continue;
        double at[3] = {0}, normal[3] = {0};
        at[s/2] = s%2 ? t->n[s/2]*t->dx : 0, normal[s/2] = s%2 ? -1 : 1;
        fprintf(f, "<geom name=\"" MUJOCO_OWN_PREFIX "wall_%d\" type=\"plane\" size=\"0 0 1\"", s);
        write_vector(f, "pos", at, 3, 1/w->units.length);
        write_vector(f, "zaxis", normal, 3, 1);
        write_contact(f, w, w->options->friction, 0, ROUND | BOX | HULL | MUJOCO_FILE_BIT);
    }
}

// It meets nothing by itself; contacts with solids that are no geoms are made in its name (rigid_mujoco_skin.c). A box: such
// solids count as flat.
static void write_skin(FILE* f, const MujocoWorld* w)
{
    fprintf(f, "<geom name=\"" MUJOCO_SKIN_NAME "\" type=\"box\" size=\"1 1 1\" pos=\"0 0 0\" quat=\"1 0 0 0\"");
    fprintf(f, " group=\"0\"");
    write_contact(f, w, w->options->friction, 0, 0);
}

// ---- bodies ----------------------------------------------------------------------------------------------------------------

static void write_joint(FILE* f, const char* type, const char* axis)
{
    fprintf(f,
            "<joint type=\"%s\" axis=\"%s\" pos=\"0 0 0\" limited=\"false\" stiffness=\"0\" damping=\"0\" armature=\"0\" "
            "frictionloss=\"0\" ref=\"0\" springref=\"0\"/>\n",
            type, axis);
}

// Ways of moving in the order of a twist. All six are a free joint, all turns a ball; what is left of them are slides and hinges.
static void write_joints(FILE* f, unsigned fixed, int dim)
{
    static const char* const axis[] = {"1 0 0", "0 1 0", "0 0 1"};
    unsigned turns = FIXED_TURN_X | FIXED_TURN_Y | FIXED_TURN_Z;
    if (dim == 2) fixed |= FIXED_Z | FIXED_TURN_X | FIXED_TURN_Y;
    if (!fixed) {
        fprintf(f, "<freejoint/>\n");
        return;
    }
    for (int d = 0; d < 3; d++)
        if (!(fixed >> d & 1)) write_joint(f, "slide", axis[d]);
    if (!(fixed & turns)) write_joint(f, "ball", axis[0]);
    for (int d = 0; d < 3 && fixed & turns; d++)
        if (!(fixed >> (3 + d) & 1)) write_joint(f, "hinge", axis[d]);
}

// Flat plates have A + B = C, which rounding may turn into less; 1e-12 of it is nobody's.
static void write_inertia(FILE* f, const BodyPlan* p, const MujocoWorld* w)
{
    const double(*I)[3] = p->inertia;
    double more = 1e-12*(I[0][0] + I[1][1] + I[2][2]);
    double full[6] = {I[0][0] + more, I[1][1] + more, I[2][2] + more, I[0][1], I[0][2], I[1][2]};
    double disc[6] = {I[2][2], I[2][2], I[2][2], 0, 0, 0};
    fprintf(f, "<inertial pos=\"0 0 0\"");
    write_vector(f, "mass", &p->mass, 1, 1/w->units.mass);
    write_vector(f, "fullinertia", w->dim == 2 ? disc : full, 6, 1/(w->units.mass*w->units.length*w->units.length));
    fprintf(f, "/>\n");
}

static void write_body(FILE* f, const MujocoWorld* w, int b)
{
    const BodyPlan* p = &w->plan[b];
    fprintf(f, "<body name=\"" MUJOCO_BODY_NAME "\" quat=\"1 0 0 0\"", b);
    write_vector(f, "pos", p->center, 3, 1/w->units.length);
    fprintf(f, ">\n");
    write_joints(f, p->fixed, w->dim);
    write_inertia(f, p, w);
    write_forms(f, p->form, p->forms, p->center, b, false, w);
    fprintf(f, "</body>\n");
}

// For the name of a file in an attribute.
static void write_escaped(FILE* f, const char* text)
{
    for (; *text; text++)
        if (strchr("&<>\"'", *text)) {
            fprintf(f, "&#%d;", *text);
        } else {
            fputc(*text, f);
        }
}

static void write_all(FILE* f, const MujocoWorld* w)
{
    const MjcfOptions* o = w->options;
    const char* slash = o->file ? strrchr(o->file, '/') : NULL;
    static const double zero[3];
    fprintf(f, "<mujoco>\n");
    if (o->file) {
        fprintf(f, "<include file=\"");
        write_escaped(f, slash ? slash + 1 : o->file);
        fprintf(f, "\"/>\n");
    }
    fprintf(f, "<compiler exactmeshinertia=\"true\"/>\n<asset>\n");
    for (int b = 0; b < w->plans; b++) write_forms(f, w->plan[b].form, w->plan[b].forms, w->plan[b].center, b, true, w);
    write_forms(f, o->still, o->stills, zero, w->plans, true, w);
    fprintf(f, "</asset>\n<worldbody>\n");
    write_walls(f, w);
    write_skin(f, w);
    write_forms(f, o->still, o->stills, zero, w->plans, false, w);
    for (int b = 0; b < w->plans; b++) write_body(f, w, b);
    fprintf(f, "</worldbody>\n</mujoco>\n");
}

mn_status mujoco_text(char** text, const MujocoWorld* w)
{
    size_t size = 0;
    *text = NULL;
    FILE* f = open_memstream(text, &size);
    if (!f) return mn_fail(MN_NO_MEMORY, "no memory for a model of MuJoCo");
    write_all(f, w);
    bool failed = ferror(f);
    if (fclose(f) == 0 && !failed) return MN_OK;
    free(*text);
    *text = NULL;
    return mn_fail(MN_NO_MEMORY, "no memory for a model of MuJoCo");
}

static double least_inertia(const BodyPlan* p, int dim)
{
    const double(*I)[3] = p->inertia;
    return dim == 2 ? I[2][2] : fmin(I[0][0], fmin(I[1][1], I[2][2]));
}

// Those of the file; else m and kg, cm and g below 10 cm, mm and mg below 1 cm, and smaller ones for smaller bodies, down to
// where their inertia is far from what MuJoCo takes for nothing.
MujocoUnits mujoco_units(const MujocoWorld* w)
{
    const MjcfOptions* o = w->options;
    if (o->file) return (MujocoUnits){o->unit_length > 0 ? o->unit_length : 1, o->unit_mass > 0 ? o->unit_mass : 1};
    double size = 0;
    for (int d = 0; d < w->dim && w->tank; d++) size = fmax(size, w->tank->n[d]*w->tank->dx);
    MujocoUnits u = size < 0.01 ? (MujocoUnits){1e-3, 1e-6} : size < 0.1 ? (MujocoUnits){1e-2, 1e-3} : (MujocoUnits){1, 1};
    for (int b = 0; b < w->plans; b++)
        while (u.length > 1e-6 && least_inertia(&w->plan[b], w->dim) < 1e-9*u.mass*u.length*u.length)
            u.length /= 10, u.mass = 1000*u.length*u.length*u.length;
    return u;
}
