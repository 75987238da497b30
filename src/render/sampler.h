// Random-looking numbers that cover the unit square evenly: for every pixel and every pair of dimensions a Sobol (0,2)
// sequence with its own Owen scrambling and order, hashed as in Burley, "Practical hash-based Owen scrambling", JCGT 9(4),
// 2020. The numbers depend only on pixel, sample and dimension: not on the thread, nor on what other pixels do.
#pragma once
#include <stdint.h>

typedef struct Sampler {
    uint32_t pixel;   // hash of the pixel and of nothing else
    uint32_t sample;  // index within the pixel
    uint32_t pair;    // next pair of dimensions
} Sampler;

static inline uint32_t hash_u32(uint32_t x)  // a bijection that mixes all bits (xor-shift and multiply)
{
    x ^= x >> 16, x *= 0x21f0aaadu;
    x ^= x >> 15, x *= 0x735a2d97u;
    return x ^ (x >> 15);
}

static inline uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 16) | (x << 16);
    x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
    x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
    return ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
}

// Owen scrambling: every bit is flipped by a hash of the bits above it. In the reversed word "above" is "below", where
// adding and multiplying by even numbers already propagates [laine2011].
static inline uint32_t owen_scramble(uint32_t x, uint32_t seed)
{
    x = reverse_bits(x) + seed;
    x ^= x*0x6c50b47cu;
    x ^= x*0xb82f1e52u;
    x ^= x*0xc7afe638u;
    x ^= x*0x8d22f6e6u;
    return reverse_bits(x);
}

// Second dimension of the Sobol sequence: its matrix is Pascal's triangle modulo 2, built row from row.
static inline uint32_t sobol_second(uint32_t i)
{
    uint32_t x = 0;
    for (uint32_t column = 0x80000000u; i; i >>= 1, column ^= column >> 1)
        if (i & 1) x ^= column;
    return x;
}

static inline Sampler sampler_start(int x, int y, int sample)
{
    return (Sampler){hash_u32((uint32_t)x*0x9e3779b9u + hash_u32((uint32_t)y + 0x7f4a7c15u)), (uint32_t)sample, 0};
}

static inline void sampler_pair(float out[2], Sampler* s)
{
    uint32_t seed = hash_u32(s->pixel + 0x51633e2du * ++s->pair);
    uint32_t i = owen_scramble(s->sample, seed);  // the points of a whole block of the sequence, in another order
    uint32_t a = owen_scramble(reverse_bits(i), hash_u32(seed + 1)), b = owen_scramble(sobol_second(i), hash_u32(seed + 2));
    out[0] = (float)(a >> 8)*0x1p-24f;
    out[1] = (float)(b >> 8)*0x1p-24f;
}
