// Large pages for large blocks: rows of a grid are far apart, each in a page of its own, and the processor's table of small pages
// is too short for them.
#pragma once
#include <stddef.h>

// Asks the system for large pages under a block. A smaller block is left alone: it would take memory where it is never touched.
// Only a hint; nothing depends on it.
void pages_prefer_large(void* block, size_t bytes);
