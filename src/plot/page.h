// A drawing as a list of things, in pixels, x to the right, y down. What is laid out here once is written as PNG or as SVG.
#pragma once
#include <stdbool.h>
#include "render/picture.h"

typedef enum PageKind { PAGE_LINE, PAGE_DASHES, PAGE_AREA, PAGE_DISC, PAGE_TEXT, PAGE_IMAGE } PageKind;

typedef struct PageItem {
    PageKind kind;
    V3 colour;         // display values
    double x, y;       // first corner; of a text its anchor on the baseline
    double size;       // pixels: width of a line, radius of a disc, height of a capital letter
    int first, count;  // lines and areas: their points
    char* text;        // owned
    int align;         // of a text: -1 begins at x, 0 is centred there, 1 ends there
    bool upwards;      // of a text: runs from bottom to top
    bool bold;
    double width, height;  // of an image
    const Picture* image;  // borrowed until the page is written
} PageItem;

// All zeros with a size is a valid empty page on white paper. When memory runs out `failed` stays set and adds do nothing.
typedef struct Page {
    int width, height;
    PageItem* item;
    int count, room;
    double* point;  // x y pairs
    int point_count, point_room;
    bool failed;
} Page;

void page_free(Page* p);

// Lines and areas: page_begin, then page_point for each corner.
void page_begin(Page* p, PageKind kind, V3 colour, double width);
void page_point(Page* p, double x, double y);
void page_line(Page* p, double x0, double y0, double x1, double y1, V3 colour, double width);
void page_box(Page* p, double x, double y, double width, double height, V3 colour);  // filled
void page_disc(Page* p, double x, double y, double radius, V3 colour);

typedef struct PageFont {
    double height;  // pixels of a capital
    V3 colour;
    bool bold, upwards;
} PageFont;

// What stands in ^{...} is raised: "m^{3}".
void page_text(Page* p, const char* text, double x, double y, int align, const PageFont* font);
double page_text_width(const char* text, double height);  // pixels
void page_image(Page* p, const Picture* image, double x, double y, double width, double height);

// A text in pieces: raised or not. Returns the rest after the piece, NULL at the end.
const char* page_text_piece(char* piece, int room, bool* raised, const char* text);

// As PNG if the name ends in .png, as SVG if in .svg; MN_BAD_ARGUMENT otherwise. The file is there whole or not at all.
mn_status page_write(const Page* p, const char* path);
mn_status page_write_png(const Page* p, const char* path);
mn_status page_write_svg(const Page* p, const char* path);
bool page_can_write(const char* path);  // whether the ending is one of the two
