// Freed twice.
#include <stdlib.h>
void drop(char *text) {
    free(text);
    free(text); // mistake
}
