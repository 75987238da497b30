#include "scene/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "base/vec.h"

#define MAX_LETTERS 40

// Optimal string alignment: row i holds the distances of a's first i letters to every beginning of b.
int edit_distance(const char* a, const char* b)
{
    int n = (int)strnlen(a, MAX_LETTERS), m = (int)strnlen(b, MAX_LETTERS);
    int d[MAX_LETTERS + 1][MAX_LETTERS + 1];
    for (int i = 0; i <= n; i++) d[i][0] = i;
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            d[i][j] = mini(mini(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = mini(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

Nearest nearest_start(const char* wanted)
{
    // a third of the letters may be wrong, at least one: beyond that a suggestion is noise
    int letters = (int)strnlen(wanted, MAX_LETTERS);
    return (Nearest){wanted, NULL, maxi(1, (letters + 1)/3) + 1};
}

void nearest_try(Nearest* nearest, const char* word)
{
    int distance = edit_distance(nearest->wanted, word);
    bool closer = distance < nearest->distance;
    // equally near: the first in the alphabet, so that the message does not depend on the order of trying
    if (distance == nearest->distance && nearest->word) closer = strcmp(word, nearest->word) < 0;
    if (closer) nearest->word = word, nearest->distance = distance;
}
