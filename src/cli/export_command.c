// `meniscus export`: the frames of a run as files for other programs.
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "output/formats.h"

static const char usage[] =
    "usage: meniscus export DIR --to obj|ply|usda|vtkhdf [--frames A:B] [--lab] [-o OTHER]\n"
    "\n"
    "  --to FORMAT        obj: surface_0000.obj ...; usda: run.usda, all frames in one file;\n"
    "                     vtkhdf: surface_0000.hdf ... and surface.hdf.series for ParaView. Solids too.\n"
    "                     ply: points and faces without numbers of their own, for readers that know no more (meshio);\n"
    "                     needs -o. Several, with commas: --to obj,usda\n"
    "  --frames A:B       frames A to B, both included (A: to the end, :B from the start, A only that one)\n"
    "  --lab              places in the laboratory, through which a shaken tank (frame_position) moves\n"
    "  -o, --output DIR   where the files go (default: next to the frames)\n"
    "\n"
    "Volumes (vdb, vtkhdf with phi, u and p) are not among the frames of a run: a scene asks for them with\n"
    "output = { formats = { \"vdb\" } } before it runs.\n";

// obj,usda,...; false for a word that is none.
static bool parse_formats(unsigned* formats, const char* text)
{
    for (const char* word = text;;) {
        size_t length = strcspn(word, ",");
        int f = 0;
        while (format_names[f] && (strlen(format_names[f]) != length || strncmp(format_names[f], word, length) != 0)) f++;
        if (!format_names[f]) return false;
        *formats |= f > 0 ? 1u << (f - 1) : OUTPUT_PLY;
        if (!word[length]) return true;
        word += length + 1;
    }
}

static bool parse_frame(int* frame, const char** text)
{
    char* end;
    long value = strtol(*text, &end, 10);
    if (end == *text || value < 0 || value > INT_MAX) return false;
    *frame = (int)value, *text = end;
    return true;
}

static bool parse_frames(ExportOptions* o, const char* text)
{
    o->first = 0, o->last = -1;
    if (*text != ':' && !parse_frame(&o->first, &text)) return false;
    if (*text == 0) {
        o->last = o->first;
        return true;
    }
    if (*text++ != ':') return false;
    return *text == 0 || (parse_frame(&o->last, &text) && *text == 0);
}

int export_command(int argc, char** argv)
{
    enum { TO = 1000, FRAMES, LAB };
    static const struct option options[] = {{"to", required_argument, NULL, TO}, {"frames", required_argument, NULL, FRAMES},
                                            {"lab", no_argument, NULL, LAB},     {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},    {0}};
    ExportOptions o = {.last = -1};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) switch (c) {
        case TO:
            if (!parse_formats(&o.formats, optarg))
                return cli_usage_error(usage, "export: --to %s: expected obj, ply, usda or vtkhdf", optarg);
            break;
        case FRAMES:
            if (!parse_frames(&o, optarg)) return cli_usage_error(usage, "export: --frames %s: expected A:B", optarg);
            break;
        case LAB:
            o.lab = true;
            break;
        case 'o':
            o.to = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            return cli_usage_error(usage, "export: unknown or incomplete option '%s'", argv[optind - 1]);
        }
    if (optind != argc - 1) return cli_usage_error(usage, "export: expected the directory of a run, got %d", argc - optind);
    if (!o.formats) return cli_usage_error(usage, "export: --to is missing: which format?");
    return formats_export(argv[optind], &o) == MN_OK ? 0 : cli_fail();
}
