// Two conversions, one argument.
#include <stdio.h>
void show(int number) {
    printf("%d of %d\n", number); // mistake
}
