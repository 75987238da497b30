// The pressure problem of a membrane liquid, the membrane left out: A = D M_f^-1 D^T and b = -D u**, in rows times rho
// dx^dim/face^2.
#pragma once
#include "membrane/membrane_solve.h"

// unknown: per cell with pieces, whether it has a pressure. Arena memory.
mn_status membrane_poisson(Poisson* system, bool** unknown, double* const u[3], const MembraneProblem* in, Arena* arena);
