// The name that was probably meant: the one with the least distance, that is, the number of letters
// that must be changed, left out or put in. A suggestion that is far off is worse than none, so
// short names allow fewer differences than long ones, and none more than two.
#include "c/spelling.h"

#include <string.h>

enum { LONGEST = 63 }; // names beyond it are not compared

static unsigned distance(const char *a, size_t n, const char *b, size_t m) {
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[m];
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
