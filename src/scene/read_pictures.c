#include "scene/read_pictures.h"

const char* const scene_picture_styles[] = {"water", "clay", "wire", "section", NULL};

mn_status pictures_read(Scene* scene, const Node* root)
{
    static const char* const keys[] = {"width", "height", "samples", "style", "every", NULL};
    ScenePictures* p = &scene->pictures;
    *p = (ScenePictures){.width = 640, .height = 480, .samples = 16, .every = 1};
    Node n;
    TRY(node_open(&n, &p->wanted, root, "pictures", "a table, { width = 640, height = 480 }"));
    if (!p->wanted) return MN_OK;
    TRY(node_check_keys(&n, keys, NULL, false));
    TRY(node_integer(&p->width, &n, "width", 16, 16384, "pixels", OPTIONAL));
    TRY(node_integer(&p->height, &n, "height", 16, 16384, "pixels", OPTIONAL));
    TRY(node_integer(&p->samples, &n, "samples", 1, 65536, "rays per pixel", OPTIONAL));
    TRY(node_integer(&p->every, &n, "every", 1, 1000000, "frames", OPTIONAL));
    TRY(node_choice(&p->style, &n, "style", scene_picture_styles));
    node_close(&n);
    return MN_OK;
}
