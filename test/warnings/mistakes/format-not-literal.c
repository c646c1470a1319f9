// Whoever writes the text can have it read the stack.
#include <stdio.h>
void show(const char *text) {
    printf(text); // mistake
}
