// What the pressure of a cell does to the solid that cuts it: force and torque, per Pa. The area that the solid takes is the one
// that closes the cell with the faces of the operator in use and, for cut cells, with its piece of free surface:
//
//     S = - sum_f s_f A_f e_f - patch,     T = - sum_f (x_f - x_0) x s_f A_f e_f - (x_patch - x_0) x patch
//
// s_f = +-1 out of the cell, A_f the face's area in the operator (cut cells: wet; ghost fluid: open), x_f the middle of that part
// of the face, the same for both of its cells. Then a solid that moves with its liquid makes no divergence, liquid of one
// pressure all around a solid neither pushes nor turns it (the faces cancel in pairs, to rounding), and what the solid gets is
// what the liquid loses. S points out of the liquid, into the solid.
#pragma once
#include "solve/pressure.h"

enum { TWIST = 6 };  // numbers of a wrench (force, torque) and of a twist (velocity, spin)

// S in face areas dx^(dim-1); T in face areas times m, about the point x_0 (m). Of an unknown cell.
void pressure_wrench(double wrench[TWIST], const Pressure* p, const CutCell* cut, const double x_0[3]);

// What a pressure that is linear in the cell does beyond its value in the middle x_l: Q[d][e] = int (x_d - x_l,d) n_e dA over the
// solid's skin in the cell, n out of the liquid, in cell volumes. By Gauss' theorem over the liquid in the cell,
//     Q_de = V delta_de - sum_f (x_f - x_l)_d s_f A_f e_f,e
// with faces as above. For cells without free surface. The wrench comes with it.
void pressure_skin_moments(double wrench[TWIST], double Q[3][3], const Pressure* p, const CutCell* cut, const double x_0[3]);
