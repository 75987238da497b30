// How the liquids of a scene look in pictures, by number: the attribute "look" of surfaces and spray, and "looks" in run.json.
#pragma once
#include "scene/scene.h"

// Different looks in the scene. Where there is one, files need not tell.
int liquidlooks_count(const Scene* scene);
const char* liquidlooks_word(const Scene* scene, int number);  // a look of the scene, or the name of a material
// Of a liquid or source of the scene (Liquid.kind).
int liquidlooks_number(const Scene* scene, int kind);
