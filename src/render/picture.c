#include "render/picture.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

mn_status picture_init(Picture* p, int width, int height, V3 colour)
{
    *p = (Picture){.width = width, .height = height, .rgb = malloc(3*sizeof(float)*(size_t)width*(size_t)height)};
    if (!p->rgb) {
        *p = (Picture){0};
        return mn_fail(MN_NO_MEMORY, "no memory for a picture of %d x %d", width, height);
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) picture_set(p, x, y, colour);
    return MN_OK;
}

void picture_free(Picture* p)
{
    free(p->rgb);
    *p = (Picture){0};
}

static mn_status write_bytes(const unsigned char* bytes, int width, int height, const char* path)
{
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid()) >= (int)sizeof temporary)
        return mn_fail(MN_IO, "%s: the name is too long", path);
    FILE* file = fopen(temporary, "wb");
    if (!file) return mn_fail(MN_IO, "%s: %s", temporary, strerror(errno));
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (png_uint_32)width, .height = (png_uint_32)height, .format = PNG_FORMAT_RGB};
    int written = png_image_write_to_stdio(&image, file, 0, bytes, 0, NULL);
    bool kept = fflush(file) == 0 && fsync(fileno(file)) == 0;  // on the disk before it has its name
    kept = fclose(file) == 0 && kept;
    if (!written || !kept) {
        unlink(temporary);
        return mn_fail(MN_IO, "%s: the picture could not be written: %s", path, written ? "is the disk full?" : image.message);
    }
    if (rename(temporary, path) != 0) {
        int error = errno;
        unlink(temporary);
        return mn_fail(MN_IO, "%s: %s", path, strerror(error));
    }
    return MN_OK;
}

static unsigned char* display_bytes(const Picture* p)
{
    size_t n = 3*(size_t)p->width*(size_t)p->height;
    unsigned char* bytes = malloc(n);
    for (size_t i = 0; bytes && i < n; i++) bytes[i] = (unsigned char)(255*clamp(p->rgb[i], 0, 1) + 0.5);
    return bytes;
}

mn_status picture_write_png(const Picture* p, const char* path)
{
    unsigned char* bytes = display_bytes(p);
    if (!bytes) return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    mn_status status = write_bytes(bytes, p->width, p->height, path);
    free(bytes);
    return status;
}

mn_status picture_encode_png(unsigned char** data, size_t* size, const Picture* p)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (png_uint_32)p->width, .height = (png_uint_32)p->height, .format = PNG_FORMAT_RGB};
    unsigned char* bytes = display_bytes(p);
    png_alloc_size_t room = bytes ? PNG_IMAGE_PNG_SIZE_MAX(image) : 0;
    *data = bytes ? malloc(room) : NULL;
    bool done = *data && png_image_write_to_memory(&image, *data, &room, 0, bytes, 0, NULL);
    *size = room;
    free(bytes);
    if (done) return MN_OK;
    free(*data);
    *data = NULL;
    return mn_fail(MN_NO_MEMORY, "no memory to pack a picture of %d x %d", p->width, p->height);
}

mn_status picture_read_png(Picture* p, const char* path)
{
    *p = (Picture){0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return mn_fail(MN_IO, "%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGB;
    if (image.width > 32768 || image.height > 32768) {
        png_image_free(&image);
        return mn_fail(MN_IO, "%s: a picture of %u x %u is too large", path, image.width, image.height);
    }
    unsigned char* bytes = malloc(PNG_IMAGE_SIZE(image));
    if (!bytes) {
        png_image_free(&image);
        return mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    }
    mn_status status = MN_OK;
    if (!png_image_finish_read(&image, &(png_color){255, 255, 255}, bytes, 0, NULL))
        status = mn_fail(MN_IO, "%s: %s", path, image.message);
    if (status == MN_OK) status = picture_init(p, (int)image.width, (int)image.height, v3_splat(0));
    for (size_t i = 0; status == MN_OK && i < PNG_IMAGE_SIZE(image); i++) p->rgb[i] = (float)bytes[i]/255;
    free(bytes);
    return status;
}

// Mean over the pixels of `from` that the target pixel covers, the partly covered ones by their share.
static V3 box_mean(const Picture* from, double x0, double x1, double y0, double y1)
{
    V3 sum = v3_splat(0);
    double weight = 0;
    for (int y = (int)y0; y < mini(from->height, (int)ceil(y1)); y++)
        for (int x = (int)x0; x < mini(from->width, (int)ceil(x1)); x++) {
            double w = (fmin(x + 1, x1) - fmax(x, x0))*(fmin(y + 1, y1) - fmax(y, y0));
            sum += picture_get(from, x, y)*(float)w;
            weight += w;
        }
    return weight > 0 ? sum*(float)(1/weight) : sum;
}

void picture_place(Picture* to, const Picture* from, int left, int top, int width, int height)
{
    double sx = (double)from->width/width, sy = (double)from->height/height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (left + x < to->width && top + y < to->height)
                picture_set(to, left + x, top + y, box_mean(from, x*sx, (x + 1)*sx, y*sy, (y + 1)*sy));
}

static float display_lane(float x)
{
    if (!(x > 0)) return 0;
    if (x >= 1) return 1;
    return x <= 0.0031308f ? 12.92f*x : 1.055f*powf(x, 1/2.4f) - 0.055f;
}

V3 display_from_linear(V3 c) { return v3(display_lane(c[0]), display_lane(c[1]), display_lane(c[2])); }

// Values up to the knee stay as they are; above it x -> 1 - (1-k)^2/(x - 2k + 1), a hyperbola that meets the straight
// part with the same slope and never passes 1. Whites keep their detail and mid tones their contrast.
static float shoulder(float x)
{
    const float k = 0.7f;
    return x <= k ? x : 1 - (1 - k)*(1 - k)/(x - 2*k + 1);
}

// A little contrast about a middle grey: (x/g)^1.15 g.
static float contrast(float x) { return 0.4f*powf(fmaxf(x, 0)/0.4f, 1.15f); }

void picture_tone(Picture* p, float exposure)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            V3 c = picture_get(p, x, y)*exposure;
            for (int d = 0; d < 3; d++) c[d] = shoulder(contrast(c[d]));
            picture_set(p, x, y, display_from_linear(c));
        }
}
