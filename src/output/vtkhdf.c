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
    else status = file_replace(path, &file, true);
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

static void put_elements(H5Io* io, int64_t* room, const Layer* mesh)
{
    hsize_t elements = (hsize_t)mesh->elements, ends = elements*(hsize_t)mesh->kind;
    const int64_t points = mesh->points, cells = mesh->elements, ids = (int64_t)ends;
    h5io_put(io, "NumberOfPoints", H5IO_INT, 1, (hsize_t[1]){1}, &points);
    h5io_put(io, "NumberOfCells", H5IO_INT, 1, (hsize_t[1]){1}, &cells);
    h5io_put(io, "NumberOfConnectivityIds", H5IO_INT, 1, (hsize_t[1]){1}, &ids);
    for (hsize_t m = 0; m < ends; m++) room[m] = mesh->element[m];
    h5io_put(io, "Connectivity", H5IO_INT, 1, &ends, room);
    for (hsize_t e = 0; e <= elements; e++) room[e] = (int64_t)e*mesh->kind;
    h5io_put(io, "Offsets", H5IO_INT, 1, (hsize_t[1]){elements + 1}, room);
    unsigned char* type = (unsigned char*)room;
    for (hsize_t e = 0; e < elements; e++) type[e] = mesh->kind == LAYER_TRIANGLES ? VTK_TRIANGLE : VTK_LINE;
    h5io_put(io, "Types", H5IO_BYTE, 1, &elements, type);
}

static void put_attribute(H5Io* io, int64_t* room, const Layer* mesh, const Attribute* a)
{
    hsize_t dims[2] = {(hsize_t)(a->site == ON_POINTS ? mesh->points : mesh->elements), 3};
    bool byte = !strcmp(a->name, "kind");  // 0 or 1, and many
    unsigned char* small = (unsigned char*)room;
    if (a->real) {
        h5io_put(io, a->name, H5IO_FLOAT, a->type == ATTRIBUTE_VECTOR ? 2 : 1, dims, a->real);
        return;
    }
    for (hsize_t i = 0; i < dims[0]; i++)
        if (byte) small[i] = (unsigned char)a->whole[i];
        else room[i] = a->whole[i];
    h5io_put(io, a->name, byte ? H5IO_BYTE : H5IO_INT, 1, dims, room);
}

// Velocities come first: they are what ParaView offers to colour by.
static void put_attributes(H5Io* io, int64_t* room, const Layer* mesh, AttributeSite site)
{
    for (int pass = 0; pass < 2; pass++)
        for (int m = 0; m < mesh->attributes; m++) {
            const Attribute* a = &mesh->attribute[m];
            bool first = !strcmp(a->name, "velocity");
            if (a->site == site && first == (pass == 0)) put_attribute(io, room, mesh, a);
        }
}

mn_status vtkhdf_write_mesh(const char* path, const Layer* mesh)
{
    H5Io io;
    hsize_t points = (hsize_t)mesh->points, elements = (hsize_t)mesh->elements;
    int64_t* room = malloc((points + elements*(hsize_t)mesh->kind + 1)*sizeof *room);
    if (!room) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    start(&io, "UnstructuredGrid");
    h5io_put(&io, "Points", H5IO_FLOAT, 2, (hsize_t[2]){points, 3}, mesh->position);
    put_elements(&io, room, mesh);
    h5io_enter(&io, "VTKHDF/PointData", true);
    put_attributes(&io, room, mesh, ON_POINTS);
    h5io_enter(&io, "VTKHDF/CellData", true);
    put_attributes(&io, room, mesh, ON_ELEMENTS);
    free(room);
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
    mn_status status = file_replace(path, &b, true);
    bytes_free(&b);
    return status;
}
