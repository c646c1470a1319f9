// Structures of two numbers of four bytes, stored one by one and passed as eight bytes: the code
// loads the halves, since a load of all eight bytes would have to wait for both stores.
#include <stdio.h>

typedef struct {
    float x, y, z;
} Vector;
typedef struct {
    int a, b;
} Pair;
typedef struct {
    double x, y;
} Whole;

__attribute__((noinline)) Vector scaled(Vector v, float by) {
    Vector result;
    result.x = v.x * by;
    result.y = v.y * by;
    result.z = v.z - by;
    return result;
}
__attribute__((noinline)) Pair swapped(Pair p) {
    Pair result;
    result.a = p.b;
    result.b = p.a + 1;
    return result;
}
__attribute__((noinline)) Whole turned(Whole w) {
    Whole result;
    result.x = -w.y;
    result.y = w.x;
    return result;
}

int main(void) {
    Vector v = scaled((Vector){1.5f, -2, 8}, 3);
    Pair p = swapped((Pair){7, -9});
    Whole w = turned((Whole){0.5, 4});
    printf("%g %g %g %d %d %g %g\n", v.x, v.y, v.z, p.a, p.b, w.x, w.y);
    return 0;
}
