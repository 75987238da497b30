// The program `meniscus`. All it does is in the library, so that an installed program is fast on every kind of processor
// (packaging/CMakeLists.txt).
#include "cli/cli.h"

int main(int argc, char** argv) { return mn_command(argc, argv); }
