#include <stdio.h>
static int square(int side) {
    int area = side * side;
    return area + 1;
}
int main(void) {
    int sum = 0;
    for (int i = 1; i < 4; i++) {
        int part = square(i);
        sum += part;
        printf("%d\n", sum);
    }
    return 0;
}
