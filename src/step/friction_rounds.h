// Friction and pressure act one after the other, in rounds until they agree.
//
// What a step should find is one minimum over divergence-free velocities, u = P(u* + c) = V(u - c) with the change c by friction.
// With V(P(u*)) alone the liquid slips along a skin by dt grad p'/rho, p' the pressure that balances friction, and drag comes
// short by about sqrt(nu dt) over the body's size. So V acts on u* - dt grad p/rho again, with the pressure p of P(u* + c) of the
// round before:
//     c_0 = (V - 1) P(u*),    p_k of P(u* + c_k),    c_k+1 = (V - 1) (u* - dt grad p_k/rho)
// (Uzawa's iteration; the same as pressure correction in time [guermond2006], but without a pressure of the step before.) Where V
// is that of one inertia with P, every round is a symmetric contraction, V - V Q (sum of (1 - Q V Q)^j) Q V between zero and V
// with Q = 1 - P: none can win energy. Stiff liquids and light bodies would need many rounds; from the third on the pressure goes
// on along the line through the last two rounds, to where what they missed is least [anderson1965].
#pragma once
#include "liquid/coupling.h"

// Rounds at most.
enum { FRICTION_ROUNDS = 5 };

// Pressures of the rounds so far, per liquid; NULL: it takes no part.
typedef struct FrictionRounds {
    int round;
    double** guess;   // Pa, that the last friction acted with
    double** found;   // Pa, of the projection after the friction before
    double** missed;  // Pa: found less guess, of then
    double first;     // |missed| of the first round
} FrictionRounds;

// Memory lives in the arena, to the end of the rounds.
mn_status friction_rounds_begin(FrictionRounds* f, int liquids, Arena* arena);
// The pressures of the joined liquids, just solved for, become those that friction shall act with next. *agree: it has acted
// with these already.
mn_status friction_rounds_next(bool* agree, FrictionRounds* f, const Coupling* c, Liquid* liquid, Arena* arena);
