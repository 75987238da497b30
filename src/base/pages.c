#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORTH_IT = 64 << 20 };

void pages_prefer_large(void* block, size_t bytes)
{
    if (bytes < WORTH_IT) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)block + page - 1)/page*page, end = ((uintptr_t)block + bytes)/page*page;
    madvise((void*)begin, end - begin, MADV_HUGEPAGE);
}
