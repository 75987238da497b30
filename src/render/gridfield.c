#include "render/gridfield.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/readfile.h"
#include "base/vec.h"
#include "render/labels.h"

enum { PATH_ROOM = 4096, MOST_SAMPLES = 1 << 30 };

static void volume_path(char path[PATH_ROOM], const RunFiles* run, int frame)
{
    snprintf(path, PATH_ROOM, "%s/volume_%04d.hdf", run->dir, frame);
}

bool gridfield_exists(const RunFiles* run, int frame)
{
    char path[PATH_ROOM];
    volume_path(path, run, frame);
    return access(path, R_OK) == 0;
}

void gridfield_free(GridField* f)
{
    free(f->value);
    *f = (GridField){0};
}

static bool read_attribute(hid_t group, const char* name, hid_t type, int count, void* out)
{
    hid_t a = H5Aopen(group, name, H5P_DEFAULT);
    if (a < 0) return false;
    hid_t space = H5Aget_space(a);
    bool good = H5Sget_simple_extent_npoints(space) == count && H5Aread(a, type, out) >= 0;
    H5Sclose(space);
    H5Aclose(a);
    return good;
}

// The array of `count` numbers called `name`, of which callers may want only the first; NULL if it is missing, of another
// size, or cannot be read.
static float* read_array(hid_t file, const char* name, size_t count)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    hid_t space = H5Dget_space(set);
    float* data = H5Sget_simple_extent_npoints(space) == (hssize_t)count ? malloc(sizeof *data*count) : NULL;
    if (data && H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        free(data);
        data = NULL;
    }
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

// *layers: a plane is on file as such, or as a slab one cell thick with the same nodes on both sides, of which the first will do.
static bool read_shape(GridField* f, int* layers, hid_t file, const RunFiles* run)
{
    int extent[6];
    hid_t group = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
    if (group < 0) return false;
    bool good = read_attribute(group, "WholeExtent", H5T_NATIVE_INT, 6, extent) &&
                read_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, f->first) &&
                read_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, f->spacing);
    H5Gclose(group);
    double samples = 1;
    *layers = 1;
    for (int d = 0; d < 3 && good; d++) {
        double cells = (double)extent[2*d + 1] - extent[2*d];
        bool flat = d == 2 && run->dim == 2;
        good = flat ? cells >= 0 && cells <= 1 : cells >= 1 && cells < 1e6;
        good = good && f->spacing[d] > 0 && isfinite(f->spacing[d]) && isfinite(f->first[d]);
        if (flat) *layers = (int)cells + 1;
        f->n[d] = flat ? 1 : (int)cells + 1;
        samples *= f->n[d];
    }
    return good && samples < MOST_SAMPLES;
}

// Velocities are known where phi is within its band about the liquid; at its end, the largest phi there is, they are not.
static bool read_speed(GridField* f, hid_t file, size_t count, size_t layers)
{
    float* u = read_array(file, "VTKHDF/PointData/u", 3*count*layers);
    float* phi = read_array(file, "VTKHDF/PointData/phi", count*layers);
    f->value = u && phi ? malloc(sizeof *f->value*count) : NULL;
    float band = 0;
    for (size_t i = 0; i < count && f->value; i++) band = fmaxf(band, phi[i]);
    for (size_t i = 0; i < count && f->value; i++)
        f->value[i] = phi[i] <= 0 || phi[i] < 0.999f*band ? v3_length(v3_load(u + 3*i)) : NAN;
    free(u);
    free(phi);
    return f->value != NULL;
}

static bool read_pressure(GridField* f, hid_t file, size_t count, size_t layers)
{
    f->value = read_array(file, "VTKHDF/PointData/p", count*layers);
    for (size_t i = 0; i < count && f->value; i++)
        if (f->value[i] == 0) f->value[i] = NAN;  // outside the liquids
    return f->value != NULL;
}

static bool read_all(GridField* f, const char* path, const RunFiles* run, GridQuantity quantity)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return false;
    int layers;
    bool good = read_shape(f, &layers, file, run);
    size_t count = good ? (size_t)f->n[0]*(size_t)f->n[1]*(size_t)f->n[2] : 0;
    if (good)
        good =
            quantity == GRID_SPEED ? read_speed(f, file, count, (size_t)layers) : read_pressure(f, file, count, (size_t)layers);
    H5Fclose(file);
    return good;
}

mn_status gridfield_read(GridField* f, const RunFiles* run, int frame, GridQuantity quantity)
{
    char path[PATH_ROOM];
    *f = (GridField){0};
    volume_path(path, run, frame);
    if (access(path, R_OK) != 0)
        return mn_fail(MN_IO, "%s is missing: %s is known only of runs that write volumes (format vtkhdf)", path,
                       quantity == GRID_SPEED ? "the speed inside" : "pressure");
    TRY(file_is_plain(path, "a volume of a run"));
    bool good;
    H5E_BEGIN_TRY { good = read_all(f, path, run, quantity); }  // without HDF5's own words on stderr
    H5E_END_TRY;
    if (good) return MN_OK;
    gridfield_free(f);
    return mn_fail(MN_IO, "%s: is damaged, or no volume of this run", path);
}

double gridfield_at(const GridField* f, const double x[3])
{
    int low[3] = {0}, high[3] = {0};
    double part[3] = {0}, sum = 0, weight = 0;
    for (int d = 0; d < 3; d++) {
        if (f->n[d] < 2) continue;
        double at = clamp((x[d] - f->first[d])/f->spacing[d], 0, f->n[d] - 1);
        low[d] = mini((int)at, f->n[d] - 2), high[d] = low[d] + 1;
        part[d] = at - low[d];
    }
    for (int c = 0; c < 8; c++) {
        int i = c & 1 ? high[0] : low[0], j = c & 2 ? high[1] : low[1], k = c & 4 ? high[2] : low[2];
        double w = (c & 1 ? part[0] : 1 - part[0])*(c & 2 ? part[1] : 1 - part[1])*(c & 4 ? part[2] : 1 - part[2]);
        float v = f->value[((size_t)k*(size_t)f->n[1] + (size_t)j)*(size_t)f->n[0] + (size_t)i];
        if (isfinite(v)) sum += w*v, weight += w;
    }
    return weight > 1e-12 ? sum/weight : 0;
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Nearly all values of a frame lie between low and high.
static void frame_range(double* low, double* high, GridField* f)
{
    size_t count = (size_t)f->n[0]*(size_t)f->n[1]*(size_t)f->n[2], wet = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(f->value[i])) f->value[wet++] = f->value[i];
    if (wet == 0) return;
    qsort(f->value, wet, sizeof *f->value, compare_floats);
    *low = f->value[(size_t)(0.005*(double)(wet - 1))];
    *high = f->value[(size_t)(0.995*(double)(wet - 1))];
}

mn_status gridfield_range(double* low, double* high, const RunFiles* run, GridQuantity quantity)
{
    enum { LOOKS = 7 };
    double lows[LOOKS] = {0}, highs[LOOKS] = {0};
    int before = -1, seen = 0;
    for (int look = 0; look < LOOKS; look++) {
        int frame = (int)((long)(run->frames - 1)*look/(LOOKS - 1));
        if (frame == before) continue;
        before = frame;
        GridField f;
        TRY(gridfield_read(&f, run, frame, quantity));
        frame_range(&lows[seen], &highs[seen], &f);
        seen++;
        gridfield_free(&f);
    }
    // of many frames the most extreme one is left out: the moment of an impact would make all others look the same
    qsort(lows, (size_t)seen, sizeof *lows, compare_doubles);
    qsort(highs, (size_t)seen, sizeof *highs, compare_doubles);
    int out = seen > 3;
    *low = fmin(0, lows[out]);
    *high = label_round_up(fmax(0, highs[seen - 1 - out]));
    *low = -*low > 0.05 * *high ? -label_round_up(-*low) : 0;
    return MN_OK;
}
