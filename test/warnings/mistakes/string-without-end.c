// The copy has no room for the end of the string.
#include <stdlib.h>
#include <string.h>
char *copy(const char *text) {
    char *result = malloc(strlen(text));
    if (result)
        strcpy(result, text); // mistake
    return result;
}
