// The command `meniscus`: picks the sub-command.
#include <stdio.h>
#include <string.h>
#include "meniscus.h"

int main(int argc, char** argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("meniscus %s\n", mn_version());
        return 0;
    }
    fprintf(stderr, "usage: meniscus --version\n");
    return 2;
}
