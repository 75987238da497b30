#include "render/shot.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "render/caustic.h"
#include "render/figure.h"
#include "render/filminset.h"
#include "render/exposure.h"
#include "render/font.h"
#include "render/labels.h"
#include "render/section.h"

static mn_status choose_frames(Shot* s)
{
    int there = s->run.frames;
    s->first = s->options.first;
    s->last = s->options.last < 0 ? there - 1 : s->options.last;
    s->every = s->options.every;
    if (s->first >= there || s->last >= there)
        return mn_fail(MN_BAD_ARGUMENT, "frames %d:%d asked for, but %s holds 0:%d", s->first, s->last, s->run.dir, there - 1);
    if (s->first > s->last) return mn_fail(MN_BAD_ARGUMENT, "frames %d:%d: the first comes after the last", s->first, s->last);
    return MN_OK;
}

static bool is_pressure(const RenderOptions* o) { return o->color && !strcmp(o->color, "pressure"); }

static mn_status choose_colours(Shot* s)
{
    const RenderOptions* o = &s->options;
    s->colours =
        (ColourScale){.on = o->color || !strcmp(o->style, "section"), .high = label_round_up(s->extent.speed), .unit = "m/s"};
    double low, high;
    if (is_pressure(o)) {
        s->colours.unit = "Pa";
        return gridfield_range(&s->colours.low, &s->colours.high, &s->run, GRID_PRESSURE);
    }
    // most of a liquid is slower than its surface: where volumes tell, their scale has more colours
    if (s->colours.on && !o->whole_tank && gridfield_exists(&s->run, 0) &&
        gridfield_range(&low, &high, &s->run, GRID_SPEED) == MN_OK)
        s->colours.high = high;
    return MN_OK;
}

// Nothing is known of the frames to come: the tank is what is looked at, and colours reach up to the speed of a fall from its
// top.
static void extent_of_tank(RunExtent* e, const RunFiles* run)
{
    *e = (RunExtent){.low = {1, 1, 1}, .high = {0, 0, 0}, .speed = sqrt(2*9.81*run->size[1])};
}

mn_status shot_open(Shot* s, const char* dir, const RenderOptions* options)
{
    *s = (Shot){.options = *options};
    TRY(render_check(options));
    if (s->options.threads == 0) s->options.threads = omp_get_num_procs();
    TRY(runfiles_open(&s->run, dir));
    mn_status status = choose_frames(s);
    // the whole run, not only the frames asked for: the camera must not depend on them
    if (status == MN_OK && options->whole_tank) extent_of_tank(&s->extent, &s->run);
    else if (status == MN_OK) status = runfiles_extent(&s->extent, &s->run, 0, s->run.frames - 1);
    if (status == MN_OK) status = choose_colours(s);
    if (status == MN_OK && !options->whole_tank) status = filmlook_of_run(&s->film, &s->run, options->film);
    if (status != MN_OK) shot_close(s);
    return status;
}

void shot_close(Shot* s)
{
    runfiles_close(&s->run);
    *s = (Shot){0};
}

static StageStyle style_of(const RenderOptions* o)
{
    if (is_pressure(o)) return STAGE_SECTION;  // on the surface there is next to none
    if (!strcmp(o->style, "clay")) return STAGE_CLAY;
    if (!strcmp(o->style, "wire")) return STAGE_WIRE;
    if (!strcmp(o->style, "section")) return STAGE_SECTION;
    return o->color ? STAGE_CLAY : STAGE_WATER;  // clear water has no colour to give
}

static mn_status draw_captions(Picture* picture, const Shot* s, int frame, bool colour_bar)
{
    if (picture->width < 160 || picture->height < 120) return MN_OK;  // letters would hide the picture
    Mask mask;
    TRY(mask_init(&mask, picture->width, picture->height));
    LabelPen pen = label_pen_on_picture(picture, &mask);
    double letter = pen.height;
    char text[64], length[32];
    label_time(text, runfiles_time(&s->run, frame));
    if (s->run.frame_rate > 0) label_text(&pen, text, picture->width - 1.5*letter, 2.5*letter, 1);
    label_length(length, stage_floor_tile(&s->run));
    snprintf(text, sizeof text, "tiles %s", length);
    if (strcmp(s->options.floor, "sand"))
        label_text(&pen, text, picture->width - 1.5*letter, picture->height - 1.5*letter, 1);
    char low[32], high[48];
    label_scale_ends(low, high, &s->colours);
    if (colour_bar)
        label_colour_bar(&pen, 2.5*letter + font_width(low, letter), picture->height - 1.5*letter, 0.25*picture->width,
                         &s->colours);
    mask_free(&mask);
    return MN_OK;
}

static mn_status expose(Picture* picture, Stage* stage, const RenderOptions* o)
{
    // about eight rays of light per pixel draw the patterns on the floor finely enough
    int photons = clampi(8*o->width*o->height, 1 << 16, 3000000);
    TRY(caustic_build(stage, photons, o->threads));
    TRY(section_build(stage, o->threads));
    ExposureOptions exposure = {.samples = o->samples, .threads = o->threads, .blur = o->motion_blur};
    TRY(exposure_take(picture, stage, &exposure));
    picture_tone(picture, 0.92f);
    return MN_OK;
}

// The colours of films hold for the whole run, unless nothing is to be known of it.
static FilmLook film_of_frame(const Shot* s, const FilmView* film)
{
    return s->options.whole_tank ? filmlook_of_frame(film, s->options.film) : s->film;
}

static mn_status take_3d(Picture* picture, const Shot* s, const FrameFiles* frame, const ColourScale* colours)
{
    const RenderOptions* o = &s->options;
    StageLook look = {.style = style_of(o),
                      .ground = strcmp(o->floor, "sand") ? FLOOR_CHECKER : FLOOR_SAND,
                      .surroundings = strcmp(o->light, "room") ? SURROUNDINGS_SKY : SURROUNDINGS_ROOM,
                      .view = {o->azimuth, o->elevation, o->zoom},
                      .width = o->width,
                      .height = o->height,
                      .colours = *colours,
                      .color_surface = o->color && !is_pressure(o),
                      .shutter = o->motion_blur && s->run.frame_rate > 0 ? 0.5/s->run.frame_rate : 0};
    Stage stage;
    TRY(stage_init(&stage, &s->run, &s->extent, frame, &look));
    mn_status status = expose(picture, &stage, o);
    stage_free(&stage);
    if (status == MN_OK) status = draw_captions(picture, s, frame->index, o->color || look.style == STAGE_SECTION);
    TRY(status);
    FilmView film;
    TRY(filmview_of(&film, layers_find(&frame->layers, "film")));
    FilmLook film_look = film_of_frame(s, &film);
    return filminset_draw(picture, &s->run, &film, &film_look);
}

static mn_status take_2d(Picture* picture, const Shot* s, const FrameFiles* frame, const ColourScale* colours)
{
    const RenderOptions* o = &s->options;
    FilmView film;
    TRY(filmview_of(&film, layers_find(&frame->layers, "film")));
    FigureLook look = {
        .colours = *colours, .film = film_of_frame(s, &film), .wire = !strcmp(o->style, "wire"), .threads = o->threads};
    return figure_draw(picture, &s->run, frame, &look);
}

mn_status shot_take(Picture* picture, const Shot* s, int index)
{
    FrameFiles frame;
    TRY(picture_init(picture, s->options.width, s->options.height, v3_splat(1)));
    mn_status status = framefiles_load(&frame, &s->run, index);
    // colours of what was computed, where it is on file; speeds can do without
    GridField field = {0};
    ColourScale colours = s->colours;
    bool pressure = is_pressure(&s->options);
    if (status == MN_OK && colours.on && (pressure || gridfield_exists(&s->run, index))) {
        status = gridfield_read(&field, &s->run, index, pressure ? GRID_PRESSURE : GRID_SPEED);
        colours.field = &field;
    }
    if (status == MN_OK) status = s->run.dim == 3 ? take_3d(picture, s, &frame, &colours) : take_2d(picture, s, &frame, &colours);
    gridfield_free(&field);
    framefiles_free(&frame);
    if (status != MN_OK) picture_free(picture);
    return status;
}
