// The sub-commands of `meniscus`. Each gets the words from its own name on and returns the exit code: 0 done, 1 failed,
// 2 wrong options, 130 stopped by the user.
#pragma once
#include "meniscus.h"

// The command as a whole: the words it was started with. For the program alone, not part of the public interface; it is seen from
// outside because an installed program finds it in the shared library.
MN_API int mn_command(int argc, char** argv);

int run_command(int argc, char** argv);
int check_command(int argc, char** argv);
int render_command(int argc, char** argv);
int list_command(int argc, char** argv);
int plot_command(int argc, char** argv);
int export_command(int argc, char** argv);

// One line on stderr: "meniscus: message". Returns 1 (2 for wrong options).
int cli_fail(void);
int cli_usage_error(const char* usage, const char* format, ...) __attribute__((format(printf, 2, 3)));
// The values of an option that may be given several times, in the order given; NULL-ended.
enum { CLI_MOST_SETTINGS = 64 };
typedef struct CliSettings {
    const char* setting[CLI_MOST_SETTINGS + 1];
    int count;
} CliSettings;
int cli_add_setting(CliSettings* settings, const char* text);  // false with a message if there are too many
// A whole positive number from an option; false with a message if it is none.
int cli_number(int* out, const char* option, const char* text);
