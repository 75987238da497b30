// How things that can go wrong in the world are reported: a status value, and one line of text kept per thread.
#pragma once
#include "meniscus.h"

// Keeps the formatted text for mn_last_error() and returns `status`, so that callers write
//     return mn_fail(MN_BAD_SCENE, "%s:%d: ...", path, line);
// The text is kept as text_plain shows it (base/plaintext.h): one line without control characters.
mn_status mn_fail(mn_status status, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Puts more context in front of the kept text ("reading x.lua: ...") and returns `status`.
mn_status mn_fail_context(mn_status status, const char* format, ...) __attribute__((format(printf, 2, 3)));

#define TRY(call)                                                                                                                \
    do {                                                                                                                         \
        mn_status try_status_ = (call);                                                                                          \
        if (try_status_ != MN_OK) return try_status_;                                                                            \
    } while (0)
