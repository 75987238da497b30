#include "scene/sheet_moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "base/vec.h"
#include "scene/survey.h"

enum { TIMES = 16 };

int sheets_moving(const SceneSheets* s, int m)
{
    for (int k = 0; k < s->count; k++)
        if (s->sheet[k].moving && m-- == 0) return k;
    return -1;
}

static mn_status pose_then(Pose* pose, const Scene* scene, const SceneSheet* sheet, double t)
{
    double position[3], rotation[3];
    TRY(scene_time_vector(position, scene, &sheet->position, t));
    TRY(scene_time_vector(rotation, scene, &sheet->rotation, t));
    *pose = pose_at(position, rotation);
    return MN_OK;
}

mn_status sheet_pose(Pose* pose, const Scene* scene, int m, double t)
{
    const SceneSheet* sheet = &scene->sheets.sheet[m];
    Pose then, start = pose_at(sheet->start_position, sheet->start_rotation);
    TRY(pose_then(&then, scene, sheet, t));
    *pose = (Pose){0};
    for (int a = 0; a < 3; a++) {
        pose->position[a] = then.position[a] - start.position[a];
        for (int b = 0; b < 3; b++) pose->rotation[a][b] = vec_dot(then.rotation[a], start.rotation[b]);
    }
    return MN_OK;
}

void sheet_pivot(double pivot[3], const SceneSheets* s, int m)
{
    for (int d = 0; d < 3; d++) pivot[d] = s->sheet[m].pivot[d] + s->sheet[m].start_position[d];
}

// Vertices of sheet m, from where they are, by a pose about a point.
static void move_vertices(SceneSheets* s, int m, const Pose* pose, const double pivot[3])
{
    const SceneSheet* sheet = &s->sheet[m];
    for (int v = sheet->first_vertex; v < sheet->first_vertex + sheet->vertices; v++) {
        double from[3], *x = s->x + 3*(ptrdiff_t)v;
        vec_sub(from, x, pivot);
        for (int d = 0; d < s->surface.dim; d++) x[d] = vec_dot(pose->rotation[d], from) + pivot[d] + pose->position[d];
    }
}

mn_status sheets_start(Scene* scene)
{
    SceneSheets* s = &scene->sheets;
    for (int m = 0; m < s->count; m++) {
        SceneSheet* sheet = &s->sheet[m];
        TRY(scene_time_vector(sheet->start_position, scene, &sheet->position, 0));
        TRY(scene_time_vector(sheet->start_rotation, scene, &sheet->rotation, 0));
        if (vec_norm(sheet->start_position) == 0 && vec_norm(sheet->start_rotation) == 0) continue;
        Pose pose = pose_at(sheet->start_position, sheet->start_rotation);
        move_vertices(s, m, &pose, sheet->pivot);
    }
    return MN_OK;
}

// All sheets as they are at t.
static mn_status put_at(Scene* scene, double t)
{
    for (int m = 0; m < scene->sheets.count; m++) {
        Pose pose;
        double pivot[3];
        if (!scene->sheets.sheet[m].moving) continue;
        TRY(sheet_pose(&pose, scene, m, t));
        sheet_pivot(pivot, &scene->sheets, m);
        move_vertices(&scene->sheets, m, &pose, pivot);
    }
    return MN_OK;
}

mn_status sheets_look_ahead(Scene* scene, mn_status (*check)(Scene* scene, void* user), void* user)
{
    SceneSheets* s = &scene->sheets;
    if (sheets_moving(s, 0) < 0) return MN_OK;
    size_t bytes = 3*(size_t)s->surface.vertices*sizeof *s->x;
    double* start = malloc(bytes);
    if (!start) return mn_fail(MN_NO_MEMORY, "no memory to check the sheets of %s", scene->path);
    memcpy(start, s->x, bytes);
    mn_status status = MN_OK;
    for (int m = 1; m <= TIMES && status == MN_OK; m++) {
        s->time = m*survey_duration(scene)/TIMES;
        status = budget_check(scene->path);
        if (status == MN_OK) status = put_at(scene, s->time);
        if (status == MN_OK) status = check(scene, user);
        memcpy(s->x, start, bytes);
    }
    s->time = 0;
    free(start);
    return status;
}

mn_status sheet_fastest(double* speed, const Scene* scene, int m)
{
    const SceneSheets* s = &scene->sheets;
    const SceneSheet* sheet = &s->sheet[m];
    double pivot[3], step = 1e-3*survey_duration(scene)/TIMES;
    sheet_pivot(pivot, s, m);
    *speed = 0;
    for (int k = 0; k <= TIMES && sheet->moving; k++) {
        Pose now, soon;
        double v[3], spin[3], t = k*survey_duration(scene)/TIMES;
        TRY(sheet_pose(&now, scene, m, t));
        TRY(sheet_pose(&soon, scene, m, t + step));
        pose_velocity(v, spin, &now, &soon, step);
        for (int n = sheet->first_vertex; n < sheet->first_vertex + sheet->vertices; n++) {
            double from[3], arm[3], of_spin[3];
            vec_sub(from, s->x + 3*(ptrdiff_t)n, pivot);
            for (int d = 0; d < 3; d++) arm[d] = vec_dot(now.rotation[d], from);
            vec_cross(of_spin, spin, arm);
            for (int d = 0; d < 3; d++) of_spin[d] += v[d];
            *speed = fmax(*speed, vec_norm(of_spin));
        }
    }
    return MN_OK;
}
