#include "render/speedfield.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "base/v3.h"

static float face_share(const DrawMesh* m, int f)
{
    const int* c = m->face + m->corners*f;
    V3 a = v3_load(m->position + 3*c[0]), b = v3_load(m->position + 3*c[1]) - a;
    if (m->corners == 2) return v3_length(b);
    return 0.5f*v3_length(v3_cross(b, v3_load(m->position + 3*c[2]) - a));
}

static V3 face_mean(const DrawMesh* m, const float* value, int f)
{
    V3 sum = v3_splat(0);
    for (int c = 0; c < m->corners; c++) sum += v3_load(value + 3*m->face[m->corners*f + c]);
    return sum*(1/(float)m->corners);
}

mn_status speedfield_init(SpeedField* s, const DrawMesh* m, int most)
{
    int stride = maxi(1, (m->face_count + most - 1)/most);
    size_t room = (size_t)m->face_count/(size_t)stride + 1;
    *s = (SpeedField){.dim = m->corners,
                      .point = malloc(3*room*sizeof(float)),
                      .velocity = malloc(3*room*sizeof(float)),
                      .share = malloc(room*sizeof(float))};
    if (!s->point || !s->velocity || !s->share) {
        speedfield_free(s);
        return mn_fail(MN_NO_MEMORY, "no memory to colour by speed");
    }
    double total = 0;
    for (int f = 0; f < m->face_count; f += stride) {
        V3 p = face_mean(m, m->position, f), v = face_mean(m, m->velocity, f);
        for (int d = 0; d < 3; d++) s->point[3*s->count + d] = p[d], s->velocity[3*s->count + d] = v[d];
        s->share[s->count] = face_share(m, f);
        total += s->share[s->count++];
    }
    double mean = s->count > 0 ? total*stride/s->count : 0;
    s->soft = (float)(m->corners == 2 ? mean : sqrt(mean));
    return MN_OK;
}

void speedfield_free(SpeedField* s)
{
    free(s->point);
    free(s->velocity);
    free(s->share);
    *s = (SpeedField){0};
}

double speedfield_at(const SpeedField* s, const float point[3])
{
    V3 p = v3_load(point), sum = v3_splat(0);
    float weight = 0, soft2 = s->soft*s->soft + 1e-30f;
    for (int i = 0; i < s->count; i++) {
        V3 d = v3_load(s->point + 3*i) - p;
        float r2 = v3_dot(d, d)/soft2 + 1, w = s->share[i]/(s->dim == 2 ? r2*sqrtf(r2) : r2*r2);
        sum += v3_load(s->velocity + 3*i)*w;
        weight += w;
    }
    return weight > 0 ? v3_length(sum)/weight : 0;
}
