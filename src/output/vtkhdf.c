#include "output/vtkhdf.h"

#include <stdlib.h>
#include <string.h>
#include "output/h5io.h"

static void start(H5Io* io, const char* type)
{
    const int64_t version[2] = {1, 0};
    if (!h5io_create(io, 0)) return;
    h5io_enter(io, "VTKHDF", true);
    h5io_put_attribute(io, "Version", H5IO_INT, 2, version);
    h5io_put_label(io, "Type", type);
}

// Everything happens in memory, so memory is what can go wrong before the disk does.
static mn_status finish(H5Io* io, const char* path)
{
    Bytes file;
    h5io_finish(&file, io);
    mn_status status = MN_OK;
    if (io->wrong[0]) status = mn_fail(MN_NO_MEMORY, "%s: %s", path, io->wrong);
    else status = file_replace(path, &file, false);
    bytes_free(&file);
    return status;
}

// ---- volumes ---------------------------------------------------------------------------------------------------------------

// ParaView 5.11 writes past the end of its memory when an image is a plane: in 2D the file holds a slab one cell thick, the
// same values on both sides of it.
static void put_layers(H5Io* io, const char* name, const Volume* v, const float* value, int components)
{
    hsize_t layers = v->dim == 3 ? (hsize_t)v->nodes[2] : 2;
    hsize_t dims[4] = {layers, (hsize_t)v->nodes[1], (hsize_t)v->nodes[0], (hsize_t)components};
    size_t layer = (size_t)(dims[1]*dims[2])*(size_t)components;
    float* twice = v->dim == 3 ? NULL : malloc(2*layer*sizeof *twice);
    if (v->dim == 2 && !twice) h5io_fail(io, "out of memory");
    if (twice) memcpy(twice, value, layer*sizeof *twice), memcpy(twice + layer, value, layer*sizeof *twice);
    h5io_put(io, name, H5IO_FLOAT, components == 1 ? 3 : 4, dims, twice ? twice : value);
    free(twice);
}

mn_status vtkhdf_write_volume(const char* path, const Volume* v)
{
    H5Io io;
    const int64_t extent[6] = {0, v->cells[0], 0, v->cells[1], 0, v->cells[2]};
    const double origin[3] = {0}, spacing[3] = {v->dx, v->dx, v->dx}, direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    start(&io, "ImageData");
    h5io_put_attribute(&io, "WholeExtent", H5IO_INT, 6, extent);
    h5io_put_attribute(&io, "Origin", H5IO_DOUBLE, 3, origin);
    h5io_put_attribute(&io, "Spacing", H5IO_DOUBLE, 3, spacing);
    h5io_put_attribute(&io, "Direction", H5IO_DOUBLE, 9, direction);
    h5io_enter(&io, "VTKHDF/PointData", true);
    put_layers(&io, "phi", v, v->phi, 1);
    put_layers(&io, "u", v, &v->u[0][0], 3);
    // p lives in cells, but ParaView 5.11 reads cell data of images as if there were as many cells as points
    put_layers(&io, "p", v, v->p, 1);
    return finish(&io, path);
}

// ---- surfaces --------------------------------------------------------------------------------------------------------------

enum { VTK_LINE = 3, VTK_TRIANGLE = 5 };

static void put_vectors(H5Io* io, const char* name, float* room, const double (*v)[3], int count)
{
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 3; d++) room[3*(size_t)i + (size_t)d] = (float)v[i][d];
    h5io_put(io, name, H5IO_FLOAT, 2, (hsize_t[2]){(hsize_t)count, 3}, room);
}

static void put_faces(H5Io* io, int64_t* room, const SurfaceMesh* mesh)
{
    hsize_t faces = (hsize_t)mesh->face_count, ends = faces*(hsize_t)mesh->corners;
    const int64_t points = mesh->vertex_count, cells = mesh->face_count, ids = (int64_t)ends;
    h5io_put(io, "NumberOfPoints", H5IO_INT, 1, (hsize_t[1]){1}, &points);
    h5io_put(io, "NumberOfCells", H5IO_INT, 1, (hsize_t[1]){1}, &cells);
    h5io_put(io, "NumberOfConnectivityIds", H5IO_INT, 1, (hsize_t[1]){1}, &ids);
    for (hsize_t m = 0; m < ends; m++) room[m] = mesh->face[m];
    h5io_put(io, "Connectivity", H5IO_INT, 1, &ends, room);
    for (hsize_t f = 0; f <= faces; f++) room[f] = (int64_t)f*mesh->corners;
    h5io_put(io, "Offsets", H5IO_INT, 1, (hsize_t[1]){faces + 1}, room);
    unsigned char* type = (unsigned char*)room;
    for (hsize_t f = 0; f < faces; f++) type[f] = mesh->corners == 3 ? VTK_TRIANGLE : VTK_LINE;
    h5io_put(io, "Types", H5IO_BYTE, 1, &faces, type);
}

mn_status vtkhdf_write_surface(const char* path, const SurfaceMesh* mesh)
{
    H5Io io;
    hsize_t vertices = (hsize_t)mesh->vertex_count, faces = (hsize_t)mesh->face_count;
    float* vectors = malloc((3*vertices + 1)*sizeof *vectors);
    int64_t* numbers = malloc((vertices + faces*(hsize_t)mesh->corners + 1)*sizeof *numbers);
    if (!vectors || !numbers) {
        free(vectors), free(numbers);
        return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    }
    start(&io, "UnstructuredGrid");
    put_vectors(&io, "Points", vectors, (const double(*)[3])mesh->position, mesh->vertex_count);
    put_faces(&io, numbers, mesh);
    h5io_enter(&io, "VTKHDF/PointData", true);
    put_vectors(&io, "velocity", vectors, (const double(*)[3])mesh->velocity, mesh->vertex_count);
    put_vectors(&io, "normal", vectors, (const double(*)[3])mesh->normal, mesh->vertex_count);
    for (hsize_t i = 0; i < vertices; i++) numbers[i] = mesh->owner[i];
    h5io_put(&io, "liquid", H5IO_INT, 1, &vertices, numbers);
    h5io_enter(&io, "VTKHDF/CellData", true);
    h5io_put(&io, "kind", H5IO_BYTE, 1, &faces, mesh->kind);
    free(vectors), free(numbers);
    return finish(&io, path);
}

// ---- times -----------------------------------------------------------------------------------------------------------------

mn_status vtkhdf_write_series(const char* dir, const char* name, int first, int last, double rate)
{
    char path[PATH_ROOM];
    TRY(path_join(path, dir, "%s.hdf.series", name));
    Bytes b = {0};
    bytes_print(&b, "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [");
    for (int frame = first; frame <= last; frame++)
        bytes_print(&b, "%s\n    { \"name\": \"%s_%04d.hdf\", \"time\": %.17g }", frame > first ? "," : "", name, frame,
                    frame/rate);
    bytes_print(&b, "\n  ]\n}\n");
    mn_status status = file_replace(path, &b, false);
    bytes_free(&b);
    return status;
}
