// Scenes given as text, and what a bad one says.
#pragma once
#include "check.h"
#include <string.h>
#include "scene/scene.h"

// A scene around the part under test: `top` are keys of the scene, `liquids` its liquids. Line 1 is the domain, 2 the rest.
static inline mn_status load_parts(Scene* s, const char* domain, const char* liquids, const char* top)
{
    char text[9000];
    snprintf(text, sizeof text, "return scene { domain = { %s },\nframes = { rate = 100, count = 10 }, liquids = { %s },\n%s }",
             domain, liquids, top);
    return scene_load_text(s, "dir/x.lua", text);
}

#define BOX3 "size = { 1, 1, 1 }, cells = 16"
#define BOX2 "size = { 2, 1 }, cells = 32"
#define BALL3 "sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 }"
#define BALL2 "sphere { center = { 0.5, 0.5 }, radius = 0.2 }"

static inline void check_message(mn_status got, mn_status wanted, const char* part)
{
    if (got == wanted && strstr(mn_last_error(), part) && !strchr(mn_last_error(), '\n')) return;
    print_error("status %d, wanted %d\n    message: %s\n    wanted:  %s\n", got, wanted, got ? mn_last_error() : "(none)", part);
    fail();
}

static inline void bad_text(const char* text, const char* part)
{
    Scene s;
    mn_status status = scene_load_text(&s, "dir/x.lua", text);
    assert_null(s.text);  // a failed load leaves nothing
    check_message(status, MN_BAD_SCENE, part);
}

static inline void bad_liquid(const char* liquid, const char* part)
{
    Scene s;
    check_message(load_parts(&s, BOX3, liquid, ""), MN_BAD_SCENE, part);
}

// A scene of a pool and a list, `key = { entries }`, is refused.
static inline void bad_list(const char* key, const char* domain, const char* entries, mn_status status, const char* part)
{
    char top[2000];
    Scene s;
    snprintf(top, sizeof top, "%s = { %s }", key, entries);
    check_message(load_parts(&s, domain, "pool { depth = 0.3 }", top), status, part);
    assert_null(s.text);
}

static inline void bad_top(const char* top, const char* part)
{
    Scene s;
    check_message(load_parts(&s, BOX3, BALL3, top), MN_BAD_SCENE, part);
}

// A whole scene, the first of docs/scenes.md.
static const char drop[] =
    "return scene {\n"
    "  title   = \"A drop falls into a bath\",\n"
    "  domain  = { size = { mm(20), mm(20), mm(20) }, cells = 96 },      -- y is up\n"
    "  gravity = { 0, -9.81, 0 },\n"
    "  liquids = {\n"
    "    pool   { depth = mm(8), material = water },\n"
    "    sphere { center = { mm(10), mm(14), mm(10) }, radius = mm(2), velocity = { 0, -1, 0 }, material = water },\n"
    "  },\n"
    "  frames  = { rate = 500, count = 200 },\n"
    "}\n";
