#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/plaintext.h"

static _Thread_local char last_error[2048];

const char* mn_last_error(void) { return last_error; }

// Messages quote scenes and names of files, and end on terminals. Arguments may point into last_error.
static void keep(const char* format, va_list args, const char* after)
{
    char text[sizeof last_error];
    int used = vsnprintf(text, sizeof text, format, args);
    if (used >= 0 && (size_t)used < sizeof text) snprintf(text + used, sizeof text - (size_t)used, "%s", after);
    text_plain(last_error, sizeof last_error, text);
}

mn_status mn_fail(mn_status status, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    keep(format, args, "");
    va_end(args);
    return status;
}

mn_status mn_fail_context(mn_status status, const char* format, ...)
{
    char before[sizeof last_error];
    memcpy(before, last_error, sizeof before);
    va_list args;
    va_start(args, format);
    keep(format, args, before);
    va_end(args);
    return status;
}

const char* mn_version(void) { return MN_VERSION; }
