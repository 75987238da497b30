// pictures = { width = 640, ... }: what a run draws of its frames as it goes.
#pragma once
#include "scene/read.h"

mn_status pictures_read(Scene* scene, const Node* root);
