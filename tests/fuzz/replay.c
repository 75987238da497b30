// Gives every file of a folder to a fuzzer's function, in the order of their names: what has once crashed must not do so again.
#include <dirent.h>
#include "base/readfile.h"
#include "fuzz.h"

static int is_case(const struct dirent* entry) { return entry->d_name[0] != '.'; }

int main(int argc, char** argv)
{
    struct dirent** entry;
    int count = argc == 2 ? scandir(argv[1], &entry, is_case, alphasort) : -1;
    if (count < 1) return fprintf(stderr, "usage: %s FOLDER, with at least one file in it\n", argv[0]), 2;
    for (int m = 0; m < count; m++) {
        char path[4096], *bytes;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry[m]->d_name);
        printf("%s\n", path);
        fflush(stdout);  // the last line tells which one it was
        if (file_read_all(&bytes, &size, path, 1 << 24, "a case of the corpus") != MN_OK)
            return fprintf(stderr, "%s\n", mn_last_error()), 1;
        LLVMFuzzerTestOneInput((const uint8_t*)bytes, size);
        free(bytes);
        free(entry[m]);
    }
    free(entry);
    return 0;
}
