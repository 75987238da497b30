// Asserts for numbers on top of cmocka: each prints both numbers when it fails.
#pragma once
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

static inline void check_close_(double a, double b, double rel, double abs, const char* text, const char* file, int line)
{
    double limit = abs + rel*fmax(fabs(a), fabs(b));
    if (fabs(a - b) <= limit) return;
    print_error("%s\n    got %.17g, expected %.17g, difference %.3g, allowed %.3g\n", text, a, b, fabs(a - b), limit);
    _fail(file, line);
}

static inline void check_less_(double a, double b, const char* text, const char* file, int line)
{
    if (a < b) return;
    print_error("%s\n    got %.17g, must be less than %.17g\n", text, a, b);
    _fail(file, line);
}

// |a - b| <= rel max(|a|, |b|)
#define CHECK_CLOSE(a, b, rel) check_close_(a, b, rel, 0.0, #a " ~ " #b, __FILE__, __LINE__)
// |a - b| <= tolerance
#define CHECK_WITHIN(a, b, tolerance) check_close_(a, b, 0.0, tolerance, #a " ~ " #b, __FILE__, __LINE__)
#define CHECK_LESS(a, b) check_less_(a, b, #a " < " #b, __FILE__, __LINE__)
#define CHECK_TRUE(a) assert_true(a)
// An mn_status that must be MN_OK; prints the library's message otherwise.
#define CHECK_OK(call)                                                                                                           \
    do {                                                                                                                         \
        mn_status check_status_ = (call);                                                                                        \
        if (check_status_ != MN_OK) {                                                                                            \
            print_error("%s\n    failed: %s\n", #call, mn_last_error());                                                         \
            _fail(__FILE__, __LINE__);                                                                                           \
        }                                                                                                                        \
    } while (0)
