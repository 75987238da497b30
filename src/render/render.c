#include "render/render.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "render/labels.h"
#include "render/shot.h"

void render_defaults(RenderOptions* o)
{
    *o = (RenderOptions){.first = 0,
                         .last = -1,
                         .every = 1,
                         .width = 960,
                         .height = 720,
                         .samples = 48,
                         .style = "water",
                         .floor = "checker",
                         .light = "sky",
                         .film = "pressure",
                         .azimuth = 28,
                         .elevation = 20,
                         .zoom = 1};
}

static bool style_is_known(const char* style)
{
    static const char* const known[] = {"water", "clay", "wire", "section"};
    for (int i = 0; i < 4; i++)
        if (style && !strcmp(style, known[i])) return true;
    return false;
}

mn_status render_check(const RenderOptions* o)
{
    if (o->first < 0) return mn_fail(MN_BAD_ARGUMENT, "the first frame must be 0 or more");
    if (o->every < 1) return mn_fail(MN_BAD_ARGUMENT, "every must be 1 or more");
    if (o->width < 16 || o->height < 16 || o->width > 16384 || o->height > 16384)
        return mn_fail(MN_BAD_ARGUMENT, "a picture must have between 16 and 16384 pixels each way");
    if (o->samples < 1 || o->samples > 65536) return mn_fail(MN_BAD_ARGUMENT, "samples must be between 1 and 65536");
    if (o->threads < 0 || o->threads > 1024) return mn_fail(MN_BAD_ARGUMENT, "threads must be between 0 and 1024");
    if (!style_is_known(o->style)) return mn_fail(MN_BAD_ARGUMENT, "style must be water, clay, wire or section");
    if (strcmp(o->floor, "checker") && strcmp(o->floor, "sand")) return mn_fail(MN_BAD_ARGUMENT, "floor must be checker or sand");
    if (strcmp(o->light, "sky") && strcmp(o->light, "room")) return mn_fail(MN_BAD_ARGUMENT, "light must be sky or room");
    if (strcmp(o->film, "pressure") && strcmp(o->film, "thickness") && strcmp(o->film, "off"))
        return mn_fail(MN_BAD_ARGUMENT, "film must be pressure, thickness or off");
    if (o->color && strcmp(o->color, "speed") && strcmp(o->color, "pressure"))
        return mn_fail(MN_BAD_ARGUMENT, "color must be speed or pressure");
    if (!(o->elevation >= 1 && o->elevation <= 89))
        return mn_fail(MN_BAD_ARGUMENT, "the camera's elevation must be between 1 and 89 degrees");
    if (!(fabs(o->azimuth) <= 720)) return mn_fail(MN_BAD_ARGUMENT, "the camera's azimuth must be an angle in degrees");
    if (!(o->zoom >= 0.05 && o->zoom <= 50)) return mn_fail(MN_BAD_ARGUMENT, "the camera's zoom must be between 0.05 and 50");
    return MN_OK;
}

static mn_status write_frames(const Shot* s, const char* dir)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/pictures", dir);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return mn_fail(MN_IO, "%s: %s", path, strerror(errno));
    int done = 0;
    for (int frame = s->first; frame <= s->last; frame += s->every) {
        Picture picture;
        TRY(shot_take(&picture, s, frame));
        snprintf(path, sizeof path, "%s/pictures/frame_%04d.png", dir, frame);
        mn_status status = picture_write_png(&picture, path);
        picture_free(&picture);
        TRY(status);
        if (s->options.progress) s->options.progress(s->options.user, frame, ++done);
    }
    return MN_OK;
}

mn_status render_run(const char* dir, const RenderOptions* options)
{
    Shot shot;
    TRY(shot_open(&shot, dir, options));
    mn_status status = write_frames(&shot, dir);
    shot_close(&shot);
    return status;
}

static mn_status fill_sheet(Picture* sheet, const Shot* s, int columns, int rows, int width, int height, int gap)
{
    int places = columns*rows;
    for (int i = 0; i < places; i++) {
        int frame = s->first + (places > 1 ? (int)lround((double)(s->last - s->first)*i/(places - 1)) : 0);
        Picture picture;
        TRY(shot_take(&picture, s, frame));
        picture_place(sheet, &picture, gap + i%columns*(width + gap), gap + i/columns*(height + gap), width, height);
        picture_free(&picture);
        if (s->options.progress) s->options.progress(s->options.user, frame, i + 1);
    }
    return MN_OK;
}

mn_status render_contact_sheet(const char* dir, const char* out_png, int columns, int rows, const RenderOptions* options)
{
    if (columns < 1 || rows < 1 || columns*rows > 400) return mn_fail(MN_BAD_ARGUMENT, "a contact sheet needs 1 to 400 places");
    Shot shot;
    Picture sheet = {0};
    TRY(shot_open(&shot, dir, options));
    int width = shot.options.width, height = shot.options.height, gap = maxi(2, width/60);
    mn_status status = picture_init(&sheet, columns*(width + gap) + gap, rows*(height + gap) + gap, v3(0.93f, 0.94f, 0.95f));
    if (status == MN_OK) status = fill_sheet(&sheet, &shot, columns, rows, width, height, gap);
    if (status == MN_OK) status = picture_write_png(&sheet, out_png);
    picture_free(&sheet);
    shot_close(&shot);
    return status;
}
