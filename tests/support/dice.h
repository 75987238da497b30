// Random numbers that are the same on every machine: splitmix64, whose state is a counter.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Dice {
    uint64_t state;
} Dice;

static inline uint64_t dice_bits(Dice* d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30))*0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27))*0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Dice of their own for each part of a whole, so that what is drawn for one part does not change the others.
static inline Dice dice_for(uint64_t seed, int part)
{
    Dice d = {seed};
    d.state = dice_bits(&d) + (uint64_t)part;
    d.state = dice_bits(&d);
    return d;
}

// low <= number < high, evenly
static inline double dice_number(Dice* d, double low, double high)
{
    return low + (high - low)*((double)(dice_bits(d) >> 11)*0x1p-53);
}

// low <= number < high, evenly in its logarithm
static inline double dice_log(Dice* d, double low, double high) { return low*pow(high/low, dice_number(d, 0, 1)); }

// low <= number <= high
static inline int dice_whole(Dice* d, int low, int high) { return low + (int)(dice_bits(d)%(uint64_t)(high - low + 1)); }

static inline bool dice_chance(Dice* d, double p) { return dice_number(d, 0, 1) < p; }
