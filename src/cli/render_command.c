// `meniscus render`: options to RenderOptions, messages to the terminal.
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "render/render.h"

static const char usage[] =
    "usage: meniscus render DIR [options]\n"
    "Makes pictures of the run in DIR and writes them to DIR/pictures/frame_0000.png ...\n"
    "\n"
    "  --frames A:B      frames A to B, both included (A: to the end, :B from the start, A only that one)\n"
    "  --every N         each Nth frame\n"
    "  --size WxH        pixels (960x720)\n"
    "  --samples N       rays per pixel in 3D (48); more is cleaner and slower\n"
    "  --style NAME      water (default), clay, wire or section\n"
    "  --floor NAME      checker (default) or sand (3D)\n"
    "  --light NAME      surroundings: sky (default) or room, with windows (3D)\n"
    "  --color NAME      colour the liquid by speed or pressure (pressure: of runs with volume files)\n"
    "  --film NAME       air films by pressure (default) or thickness, or off\n"
    "  --camera AZ,EL[,ZOOM]  degrees round the tank and above the floor (28,20,1)\n"
    "  --motion-blur     blur by the liquid's velocity (3D)\n"
    "  --sheet FILE      write one PNG with 6 moments to FILE instead\n"
    "  --movie           make DIR/movie.mp4 afterwards (needs ffmpeg)\n"
    "  --threads N       processors to use (all)\n"
    "  --quiet           no progress\n"
    "  --help\n";

typedef struct Command {
    RenderOptions options;
    const char *dir, *sheet;
    bool movie, help;
} Command;

static int wrong(const char* option, const char* value, const char* expected)
{
    fprintf(stderr, "meniscus: render: --%s %s: expected %s\n", option, value, expected);
    return 2;
}

static bool parse_int(int* out, const char* text, const char** end)
{
    char* stop;
    errno = 0;
    long x = strtol(text, &stop, 10);
    if (stop == text || errno || x < INT_MIN || x > INT_MAX) return false;
    *out = (int)x, *end = stop;
    return true;
}

static bool parse_whole_int(int* out, const char* text)
{
    const char* end;
    return parse_int(out, text, &end) && !*end;
}

static bool parse_frames(RenderOptions* o, const char* text)
{
    const char* at = text;
    o->first = 0, o->last = -1;
    if (*at != ':' && !parse_int(&o->first, at, &at)) return false;
    if (*at == 0) {
        o->last = o->first;
        return o->first >= 0;
    }
    if (*at++ != ':') return false;
    if (*at == 0) return o->first >= 0;
    return parse_whole_int(&o->last, at) && o->first >= 0 && o->last >= 0;
}

static bool parse_size(RenderOptions* o, const char* text)
{
    const char* at;
    return parse_int(&o->width, text, &at) && (*at == 'x' || *at == 'X') && parse_whole_int(&o->height, at + 1);
}

static bool parse_camera(RenderOptions* o, const char* text)
{
    int used = 0;
    if (sscanf(text, "%lf,%lf%n", &o->azimuth, &o->elevation, &used) != 2) return false;
    if (!text[used]) return true;
    int more = 0;
    return sscanf(text + used, ",%lf%n", &o->zoom, &more) == 1 && !text[used + more];
}

enum { FRAMES = 1000, EVERY, SIZE, SAMPLES, STYLE, FLOOR, LIGHT, COLOR, FILM, CAMERA, BLUR, SHEET, MOVIE, THREADS, QUIET, HELP };
static const struct option long_options[] = {
    {"frames", required_argument, NULL, FRAMES},
    {"every", required_argument, NULL, EVERY},
    {"size", required_argument, NULL, SIZE},
    {"samples", required_argument, NULL, SAMPLES},
    {"style", required_argument, NULL, STYLE},
    {"floor", required_argument, NULL, FLOOR},
    {"light", required_argument, NULL, LIGHT},
    {"color", required_argument, NULL, COLOR},
    {"film", required_argument, NULL, FILM},
    {"camera", required_argument, NULL, CAMERA},
    {"motion-blur", no_argument, NULL, BLUR},
    {"sheet", required_argument, NULL, SHEET},
    {"movie", no_argument, NULL, MOVIE},
    {"threads", required_argument, NULL, THREADS},
    {"quiet", no_argument, NULL, QUIET},
    {"help", no_argument, NULL, HELP},
    {0},
};

static int take_option(Command* c, int which, const char* value)
{
    RenderOptions* o = &c->options;
    switch (which) {
    case FRAMES:
        return parse_frames(o, value) ? 0 : wrong("frames", value, "A:B with frames from 0");
    case EVERY:
        return parse_whole_int(&o->every, value) ? 0 : wrong("every", value, "a number");
    case SIZE:
        return parse_size(o, value) ? 0 : wrong("size", value, "WIDTHxHEIGHT, as 960x720");
    case SAMPLES:
        return parse_whole_int(&o->samples, value) ? 0 : wrong("samples", value, "a number");
    case THREADS:
        return parse_whole_int(&o->threads, value) ? 0 : wrong("threads", value, "a number");
    case CAMERA:
        return parse_camera(o, value) ? 0 : wrong("camera", value, "AZIMUTH,ELEVATION[,ZOOM] in degrees");
    case STYLE:
        o->style = value;
        return 0;
    case FLOOR:
        o->floor = value;
        return 0;
    case LIGHT:
        o->light = value;
        return 0;
    case COLOR:
        o->color = value;
        return 0;
    case FILM:
        o->film = value;
        return 0;
    case BLUR:
        o->motion_blur = true;
        return 0;
    case SHEET:
        c->sheet = value;
        return 0;
    case MOVIE:
        c->movie = true;
        return 0;
    case QUIET:
        o->quiet = true;
        return 0;
    case HELP:
        c->help = true;
        return 0;
    default:
        return 2;  // getopt_long has said what is wrong
    }
}

// 0 if all is well; otherwise the message is out and 2 returned.
static int parse_arguments(Command* c, int argc, char** argv)
{
    render_defaults(&c->options);
    optind = 0;  // GNU: start afresh, another command may have used getopt before
    int which;
    argv[0] = "meniscus: render";  // getopt_long begins its messages with it
    while ((which = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        int code = take_option(c, which, optarg);
        if (code != 0) return code;
    }
    if (c->help) return 0;
    if (optind != argc - 1) {
        fprintf(stderr, "meniscus: render: %s; see meniscus render --help\n",
                optind == argc ? "which directory?" : "one directory at a time");
        return 2;
    }
    c->dir = argv[optind];
    if (render_check(&c->options) == MN_OK) return 0;
    fprintf(stderr, "meniscus: render: %s\n", mn_last_error());
    return 2;
}

static void show_progress(void* user, int frame, int count)
{
    (void)user;
    fprintf(stderr, "%sframe %d rendered (%d)%s", isatty(2) ? "\r" : "", frame, count, isatty(2) ? "   " : "\n");
}

int render_command(int argc, char** argv)
{
    Command c = {0};
    int code = parse_arguments(&c, argc, argv);
    if (code != 0) return code;
    if (c.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (!c.options.quiet) c.options.progress = show_progress;
    mn_status status = c.movie ? render_movie_possible() : MN_OK;
    if (status == MN_OK)
        status = c.sheet ? render_contact_sheet(c.dir, c.sheet, 3, 2, &c.options) : render_run(c.dir, &c.options);
    if (!c.options.quiet && isatty(2)) fputc('\n', stderr);
    if (status == MN_OK && c.movie) status = render_movie(c.dir, &c.options);
    if (status == MN_OK) return 0;
    fprintf(stderr, "meniscus: render: %s\n", mn_last_error());
    return status == MN_BAD_ARGUMENT ? 2 : 1;
}
