// Where the pictures of a 3D run are taken from. The renderer's own units: the tank's longest side is 1, y is up.
#pragma once
#include <stdbool.h>
#include "render/rayscene.h"

typedef struct CameraView {
    double azimuth;    // degrees about the vertical, 0 looks along -z, positive goes to the right
    double elevation;  // degrees above the floor
    double zoom;       // 1 fits the box
} CameraView;

typedef struct Camera {
    V3 eye, right, up, forward;  // unit vectors
    float half_width;            // tangent of half the opening angle across
    float half_height;
    float pixel;  // tangent of the angle of one pixel
} Camera;

// The least distance from which the box low..high fits a picture of width x height pixels, with a small margin.
Camera camera_fit(CameraView view, V3 low, V3 high, int width, int height);
Ray camera_ray(const Camera* c, float x, float y);            // x, y in 0..1, y downwards
bool camera_project(float xy[2], const Camera* c, V3 point);  // the inverse; false behind the eye
