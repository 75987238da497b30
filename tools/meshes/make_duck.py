#!/usr/bin/env python3
"""Writes a bath duck as a closed OBJ of quads: python3 tools/meshes/make_duck.py > scenes/duck.obj

Ellipsoids, blended into each other, meshed by surface nets: one vertex per cell of a lattice that the surface crosses, one quad
per edge that it crosses. So the mesh is closed and its faces look outwards. Centimetres; x to the beak, y up.
"""
import itertools
import math
import sys

STEP = 0.55   # cm, of the lattice
BLEND = 0.55  # cm over which parts grow together
LOW, HIGH = (-6.5, -3.5, -4.0), (6.5, 6.5, 4.0)
BOTTOM = -1.5  # cm: it is flat below, as ducks are that shall not roll over
# middle, half axes, angle about z in degrees
PARTS = [
    ((0.0, 0.0, 0.0), (4.2, 2.5, 3.1), 4),      # body
    ((-4.1, 1.3, 0.0), (1.9, 0.9, 1.4), -38),   # tail
    ((2.2, 2.2, 0.0), (1.25, 1.6, 1.2), 0),     # neck
    ((2.5, 3.9, 0.0), (1.85, 1.7, 1.65), 0),    # head
    ((4.5, 3.5, 0.0), (1.2, 0.45, 0.95), 8),    # beak
    ((-0.9, 0.7, 2.75), (2.3, 1.1, 0.75), -10),   # wings
    ((-0.9, 0.7, -2.75), (2.3, 1.1, 0.75), -10),
]


def ellipsoid(x, middle, half, degrees):
    """About the distance to it: (k - 1) k / |grad k|, k the factor by which it would have to grow to reach x."""
    angle = math.radians(degrees)
    a, b, c = (x[d] - middle[d] for d in range(3))
    a, b = a*math.cos(angle) + b*math.sin(angle), b*math.cos(angle) - a*math.sin(angle)
    k = math.sqrt(sum((p/r)**2 for p, r in zip((a, b, c), half)))
    slope = math.sqrt(sum((p/r**2)**2 for p, r in zip((a, b, c), half)))
    return k*(k - 1)/slope if slope > 0 else -min(half)


def smooth_min(a, b):
    h = max(BLEND - abs(a - b), 0)/BLEND
    return min(a, b) - 0.25*BLEND*h*h


def duck(x):
    phi = math.inf
    for part in PARTS:
        phi = smooth_min(phi, ellipsoid(x, *part)) if phi < math.inf else ellipsoid(x, *part)
    return -smooth_min(-phi, x[1] - BOTTOM)


def on_surface(x):
    """Newton's steps along the gradient."""
    for _ in range(4):
        h = 1e-4
        gradient = [(duck([p + h*(d == e) for e, p in enumerate(x)]) - duck([p - h*(d == e) for e, p in enumerate(x)]))/(2*h)
                    for d in range(3)]
        phi, square = duck(x), sum(g*g for g in gradient)
        x = [p - phi*g/square for p, g in zip(x, gradient)]
    return x


def surface_nets():
    count = [round((HIGH[d] - LOW[d])/STEP) for d in range(3)]
    place = lambda n: [LOW[d] + STEP*n[d] for d in range(3)]
    inside = {n: duck(place(n)) < 0 for n in itertools.product(*(range(c + 1) for c in count))}
    corners = list(itertools.product((0, 1), repeat=3))
    vertex, points, faces = {}, [], []
    for cell in itertools.product(*(range(c) for c in count)):
        signs = [inside[tuple(cell[d] + k[d] for d in range(3))] for k in corners]
        if any(signs) and not all(signs):
            vertex[cell] = len(points) + 1
            points.append(on_surface([p + 0.5*STEP for p in place(cell)]))
    for n, is_in in inside.items():
        for d in range(3):
            to = tuple(n[e] + (e == d) for e in range(3))
            if to not in inside or inside[to] == is_in:
                continue
            a, b = (d + 1) % 3, (d + 2) % 3
            around = [tuple(n[e] - (i if e == a else j if e == b else 0) for e in range(3))
                      for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
            quad = [vertex[cell] for cell in around]
            faces.append(quad if is_in else quad[::-1])
    return points, faces


def main():
    points, faces = surface_nets()
    print("# A bath duck; centimetres. Written by tools/meshes/make_duck.py")
    for p in points:
        print("v " + " ".join(f"{c:.4f}" for c in p))
    for f in faces:
        print("f " + " ".join(map(str, f)))
    print(f"{len(points)} vertices, {len(faces)} quads", file=sys.stderr)


main()
