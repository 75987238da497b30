// Finding the word somebody meant.
#pragma once

// The known word nearest to `wanted`, if any is near enough to be a slip of the fingers. Borrows all words.
typedef struct Nearest {
    const char* wanted;
    const char* word;  // NULL: none
    int distance;
} Nearest;

Nearest nearest_start(const char* wanted);
void nearest_try(Nearest* nearest, const char* word);
int edit_distance(const char* a, const char* b);  // letters added, removed, changed or swapped with their neighbour
