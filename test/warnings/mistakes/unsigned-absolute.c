// The difference of unsigned numbers is never negative.
#include <stdlib.h>
int distance(unsigned a, unsigned b) {
    return abs(a - b); // mistake
}
