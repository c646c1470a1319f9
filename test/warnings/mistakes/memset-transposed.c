// Value and length are in the wrong order.
#include <string.h>
void clear(char *buffer) {
    memset(buffer, 100, 0); // mistake
}
