// Names of a frame's files: layer NAME of frame 12 is NAME_0012.ply, one that stands still is NAME.ply.
#pragma once
#include <stdbool.h>
#include "base/layers.h"
#include "output/files.h"

// The layers that runs write: one is called by such a word, or by it, _ and a name of its own. Files with other names in the
// directory of a run are somebody else's: they are neither read nor cleared away.
extern const char* const frame_words[];  // NULL-ended

bool framename_is_ours(const char* layer);
// dir/NAME_0012SUFFIX; frame < 0: dir/NAMESUFFIX, of something that stands still.
mn_status framename_path(char path[PATH_ROOM], const char* dir, const char* layer, int frame, const char* suffix);
// The layer that the file of this name holds in this frame; false if it is none of ours.
bool framename_parse(char layer[LAYER_NAME], const char* file, int frame);
