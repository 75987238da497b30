#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/plaintext.h"
#include "base/status.h"

int cli_fail(void)
{
    fprintf(stderr, "meniscus: %s\n", mn_last_error());
    return 1;
}

int cli_usage_error(const char* usage, const char* format, ...)
{
    char text[1024], plain[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_plain(plain, sizeof plain, text);
    fprintf(stderr, "meniscus: %s\n%s", plain, usage);
    return 2;
}

int cli_number(int* out, const char* option, const char* text)
{
    char* end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > 1000000000) {
        fprintf(stderr, "meniscus: %s: expected a whole number of at least 1, got '%s'\n", option, text);
        return 0;
    }
    *out = (int)value;
    return 1;
}

int cli_add_setting(CliSettings* settings, const char* text)
{
    if (settings->count == CLI_MOST_SETTINGS) {
        fprintf(stderr, "meniscus: --set is given more than %d times\n", CLI_MOST_SETTINGS);
        return 0;
    }
    settings->setting[settings->count++] = text;
    return 1;
}
