#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_error[2048];

const char* mn_last_error(void) { return last_error; }

mn_status mn_fail(mn_status status, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(last_error, sizeof last_error, format, args);
    va_end(args);
    return status;
}

mn_status mn_fail_context(mn_status status, const char* format, ...)
{
    char before[sizeof last_error];
    memcpy(before, last_error, sizeof before);
    va_list args;
    va_start(args, format);
    int used = vsnprintf(last_error, sizeof last_error, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof last_error)
        snprintf(last_error + used, sizeof last_error - (size_t)used, "%s", before);
    return status;
}

const char* mn_version(void) { return MN_VERSION; }
