// strlen must not be given a null pointer.
#include <string.h>
unsigned long nothing(void) {
    return strlen(NULL); // mistake
}
