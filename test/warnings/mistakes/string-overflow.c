// The terminating zero and more lie outside of the array.
#include <string.h>
void name(char *out) {
    char small[4];
    strcpy(small, "overflow"); // mistake
    out[0] = small[0];
}
