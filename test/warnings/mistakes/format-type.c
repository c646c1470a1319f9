// A number where the format expects a string.
#include <stdio.h>
void show(int number) {
    printf("%s\n", number); // mistake
}
