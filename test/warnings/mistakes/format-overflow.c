// The text does not fit.
#include <stdio.h>
void label(char *out) {
    char small[4];
    sprintf(small, "%s", "hello"); // mistake
    out[0] = small[0];
}
