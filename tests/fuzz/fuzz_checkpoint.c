// Checkpoints: any bytes, or a whole checkpoint with some of its arrays changed. The second kind gets past the checksum and past
// HDF5, to what we read from it.
#include "fuzz.h"
#include <hdf5.h>
#include "output/checkpoint.h"
#include "output/h5io.h"
#include "scene/scene_sim.h"

static const char text[] = "return scene { domain = { size = { 0.01, 0.01 }, cells = 8 }, frames = { rate = 100, count = 1 },"
                           " liquids = { pool { depth = 0.003 }, sphere { center = { 0.005, 0.007 }, radius = 0.001 } },"
                           " solids = { sphere { center = { 0.002, 0.002 }, radius = 0.001 } } }";

static Scene scene;
static Sim sim;
static Bytes whole;
static char names[256][80];
static int name_count;

static herr_t note_name(hid_t group, const char* name, const H5O_info_t* info, void* unused)
{
    (void)group, (void)unused;
    if (info->type == H5O_TYPE_DATASET && name_count < 256) snprintf(names[name_count++], sizeof *names, "%s", name);
    return 0;
}

static hid_t open_image(Bytes* image)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, 0);
    H5Pset_file_image(access, image->data, image->size);
    hid_t file = H5Fopen("fuzz", H5F_ACC_RDWR, access);
    H5Pclose(access);
    return file;
}

static void start(void)
{
    if (scene_load_text(&scene, "/nowhere/fuzz.lua", text) != MN_OK || scene_build(&sim, &scene) != MN_OK) abort();
    if (sim_start(&sim) != MN_OK) abort();
    const char* path = fuzz_file("checkpoint.h5", "", 0);
    if (checkpoint_write(fuzz_dir, &sim, &(CheckpointRun){.fingerprint = 1}) != MN_OK || file_read(&whole, path) != MN_OK)
        abort();
    hid_t file = open_image(&whole);
    if (file < 0) abort();
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_name, NULL, H5O_INFO_BASIC);
    H5Fclose(file);
}

// Eight bytes of an array, by their place from its start.
static void change_number(hid_t file, const char* name, size_t place, const uint8_t value[8])
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    size_t size = H5Tget_size(type)*(size_t)H5Sget_simple_extent_npoints(space);
    uint8_t* all = malloc(size + 8);
    if (all && size >= 8 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0) {
        memcpy(all + 8*(place%(size/8)), value, 8);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    }
    free(all);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

// The array anew, of the same type, with other dimensions, filled with zeros.
static void change_size(hid_t file, const char* name, const uint8_t value[8])
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return;
    hid_t type = H5Dget_type(set);
    H5Dclose(set);
    H5Ldelete(file, name, H5P_DEFAULT);
    hsize_t dims[3] = {value[1], value[2], value[3]};
    hid_t space = H5Screate_simple(value[0]%3 + 1, dims, NULL);
    set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

// Every ten bytes are a change: which array, which number in it (255: its size), eight bytes for it.
static void change(Bytes* out, const uint8_t* data, size_t size)
{
    *out = (Bytes){0};
    hid_t file = open_image(&whole);
    if (file < 0) abort();
    for (; size >= 10; data += 10, size -= 10) {
        const char* name = names[data[0]%name_count];
        if (data[1] == 255) change_size(file, name, data + 2);
        else change_number(file, name, data[1], data + 2);
    }
    H5Fflush(file, H5F_SCOPE_LOCAL);
    ssize_t length = H5Fget_file_image(file, NULL, 0);
    char* image = length > 0 ? malloc((size_t)length) : NULL;
    if (!image || H5Fget_file_image(file, image, (size_t)length) != length) abort();
    H5Fclose(file);
    bool with_block = memcmp(image, "\211HDF", 4) != 0;
    if (!with_block) bytes_add(out, whole.data, H5IO_BLOCK);
    bytes_add(out, image, (size_t)length);
    free(image);
    checkpoint_seal(out);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!whole.data) start();
    Bytes changed = {0};
    if (size > 0 && data[0] == 'c') change(&changed, data + 1, size - 1);
    else bytes_add(&changed, data, size);
    CheckpointRun run = {.fingerprint = 1};
    checkpoint_read_file(&sim, &run, fuzz_file("checkpoint.h5", changed.data ? changed.data : "", changed.size));
    bytes_free(&changed);
    return 0;
}
