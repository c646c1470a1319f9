// Finds the known name that the user probably meant: the name at the least distance from the given
// name. The distance is the number of letters that must be changed, left out, put in or exchanged
// with the next letter. A far-fetched suggestion is worse than none, so short names allow fewer
// differences than long names, and no name allows more than two.
#include "base/spelling.h"

#include <string.h>

enum { LONGEST = 63 }; // names beyond it are not compared

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// Row i of the table holds the distances of the first i letters of a to the first j of b.
static unsigned distance(const char *a, size_t n, const char *b, size_t m) {
    unsigned rows[3][LONGEST + 1];
    for (unsigned j = 0; j <= m; j++) rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *beyond = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], beyond[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void spelling_start(Spelling *spelling, const char *wrong) {
    size_t length = strlen(wrong);
    *spelling = (Spelling){.wrong = wrong};
    if (length >= 3 && length <= LONGEST) spelling->bound = length >= 5 ? 3 : 2;
}

void spelling_try(Spelling *spelling, const char *candidate) {
    size_t n = strlen(spelling->wrong), m = strlen(candidate);
    if (m > LONGEST || (n > m ? n - m : m - n) >= spelling->bound) return;
    unsigned found = distance(spelling->wrong, n, candidate, m);
    if (found >= spelling->bound) return;
    spelling->bound = found;
    spelling->nearest = candidate;
}

const char *spelling_nearest(const char *wrong, const char *const *candidates) {
    Spelling spelling;
    spelling_start(&spelling, wrong);
    for (; *candidates; candidates++) spelling_try(&spelling, *candidates);
    return spelling.nearest;
}
