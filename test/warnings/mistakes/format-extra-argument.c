// One conversion, two arguments.
#include <stdio.h>
void show(int number, int total) {
    printf("%d\n", number, total); // mistake
}
