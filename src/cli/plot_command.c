// `meniscus plot`: curves of runs, and strips.
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "base/plaintext.h"
#include "cli/cli.h"
#include "plot/filmprofile.h"
#include "plot/runplot.h"
#include "plot/strip.h"

static const char usage[] =
    "usage: meniscus plot DIR [DIR2 ...] [--what LIST] [--strip PLACE [--lab]] [--film FRAMES] [--out FILE] [--size WxH]\n"
    "\n"
    "Draws the tables of a run, or of several in one figure (8 at most).\n"
    "\n"
    "  --what LIST     energy, volume, centroid, liquids, iterations, stages, with commas between; default: all\n"
    "  --strip PLACE   a space-time strip instead: an upright line through every frame, side by side. PLACE is a\n"
    "                  distance from the left side (45mm; in 3D 45mm,20mm for x,z), a share of the width (50%), both\n"
    "                  from the surface files, or a column of the pictures in DIR/pictures (120)\n"
    "  --lab           the strip in the laboratory, through which a shaken tank (frame_position) moves\n"
    "  --film FRAMES   pressure and thickness along the air film instead, at up to 8 of the frames A:B (A: to the end, :B\n"
    "                  from the start, A only that one); the numbers go to a .csv beside the picture\n"
    "  --out FILE      .png or .svg (default: DIR/plot.png, DIR/strip.png, DIR/film.png)\n"
    "  --size WxH      pixels\n";

typedef struct PlotCommand {
    const char* dir[RUNPLOT_MAX_RUNS];
    int count;
    int what;  // of RunPlotWhat
    bool strip, lab, film;
    FilmFrames frames;
    StripPlace place;
    const char* out;
    int width, height;
} PlotCommand;

static bool parse_size(PlotCommand* c, const char* text)
{
    int used = 0;
    return sscanf(text, "%dx%d%n", &c->width, &c->height, &used) == 2 && !text[used] && c->width >= 16 && c->height >= 16 &&
           c->width <= 16384 && c->height <= 16384;
}

// 0, or 2 after a message; -1: help was asked for.
static int parse(PlotCommand* c, int argc, char** argv)
{
    enum { WHAT = 1000, STRIP, SIZE, LAB, FILM };
    static const struct option options[] = {{"what", required_argument, NULL, WHAT}, {"strip", required_argument, NULL, STRIP},
                                            {"out", required_argument, NULL, 'o'},   {"size", required_argument, NULL, SIZE},
                                            {"lab", no_argument, NULL, LAB},         {"film", required_argument, NULL, FILM},
                                            {"help", no_argument, NULL, 'h'},        {0}};
    opterr = 0, optind = 0;
    for (int o; (o = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) switch (o) {
        case WHAT:
            if (runplot_words(&c->what, optarg) != MN_OK) return cli_usage_error(usage, "plot: --what: %s", mn_last_error());
            break;
        case STRIP:
            c->strip = true;
            if (strip_place(&c->place, optarg) != MN_OK) return cli_usage_error(usage, "plot: --strip: %s", mn_last_error());
            break;
        case FILM:
            c->film = true;
            if (filmframes_parse(&c->frames, optarg) != MN_OK) return cli_usage_error(usage, "plot: --film: %s", mn_last_error());
            break;
        case LAB:
            c->lab = true;
            break;
        case 'o':
            c->out = optarg;
            if (plot_check_path(optarg) != MN_OK) return cli_usage_error(usage, "plot: --out: %s", mn_last_error());
            break;
        case SIZE:
            if (!parse_size(c, optarg))
                return cli_usage_error(usage, "plot: --size: expected WIDTHxHEIGHT like 1280x960, at most 16384, got '%s'",
                                       optarg);
            break;
        case 'h':
            return -1;
        default:
            return cli_usage_error(usage, "plot: unknown or incomplete option '%s'", argv[optind - 1]);
        }
    c->count = argc - optind;
    if (c->count < 1) return cli_usage_error(usage, "plot: which directory?");
    if (c->count > RUNPLOT_MAX_RUNS)
        return cli_usage_error(usage, "plot: %d directories, but at most %d fit", c->count, RUNPLOT_MAX_RUNS);
    if (c->strip + (c->what != 0) + c->film > 1)
        return cli_usage_error(usage, "plot: --what, --strip and --film are different plots");
    if (c->film && c->count > 1) return cli_usage_error(usage, "plot: --film takes one directory");
    if (c->lab && (!c->strip || c->place.kind == STRIP_PIXEL))
        return cli_usage_error(usage, "plot: --lab goes with --strip and a place like 45mm or 50%%");
    c->place.lab = c->lab;
    for (int i = 0; i < c->count; i++) c->dir[i] = argv[optind + i];
    return 0;
}

// The numbers of a figure beside it: the same name with another ending.
static mn_status write_numbers(const Bytes* csv, const char* path)
{
    char beside[PATH_MAX];
    const char* dot = strrchr(path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    if (snprintf(beside, sizeof beside, "%.*s.csv", stem, path) >= (int)sizeof beside)
        return mn_fail(MN_BAD_ARGUMENT, "the name %s is too long", path);
    return file_replace(beside, csv, false);
}

static mn_status plot_film(PlotFigure* f, const PlotCommand* c, const char* path)
{
    Bytes csv = {0};
    f->columns = 1;
    if (!f->width) f->width = 900;
    if (!f->height) f->height = 800;
    mn_status status = filmprofile_add(f, &csv, c->dir[0], &c->frames);
    if (status == MN_OK) status = write_numbers(&csv, path);
    bytes_free(&csv);
    return status;
}

static mn_status make_plot(const PlotCommand* c, const char* path)
{
    PlotFigure f = {.width = c->width, .height = c->height};
    Picture image[RUNPLOT_MAX_RUNS] = {0};
    mn_status status = MN_OK;
    if (c->strip) {
        f.columns = 1;
        if (!f.width) f.width = 1100;
        if (!f.height) f.height = 420*c->count + 40;
        for (int i = 0; i < c->count && status == MN_OK; i++) status = strip_add(&f, &image[i], c->dir[i], &c->place);
    } else if (c->film) {
        status = plot_film(&f, c, path);
    } else {
        status = runplot_add(&f, c->dir, c->count, c->what ? c->what : RUNPLOT_ALL);
    }
    if (status == MN_OK) status = plot_write(&f, path);
    for (int i = 0; i < c->count; i++) picture_free(&image[i]);
    plot_free(&f);
    return status;
}

int plot_command(int argc, char** argv)
{
    PlotCommand c = {0};
    int code = parse(&c, argc, argv);
    if (code == -1) {
        fputs(usage, stdout);
        return 0;
    }
    if (code != 0) return code;
    char path[PATH_MAX];
    if (!c.out && snprintf(path, sizeof path, "%s/%s.png", c.dir[0],
                           c.strip  ? "strip"
                           : c.film ? "film"
                                    : "plot") >= (int)sizeof path)
        return cli_usage_error(usage, "plot: the name of the directory is too long");
    mn_status status = make_plot(&c, c.out ? c.out : path);
    if (status != MN_OK) {
        fprintf(stderr, "meniscus: plot: %s\n", mn_last_error());
        return status == MN_BAD_ARGUMENT ? 2 : 1;
    }
    char plain[PATH_MAX];
    text_plain(plain, sizeof plain, c.out ? c.out : path);
    printf("%s\n", plain);
    return 0;
}
