// Structures by value: after inlining their fields are registers.
#include <stdio.h>

typedef struct {
    int x, y;
} Point;

static Point difference(Point a, Point b) {
    return (Point){a.x - b.x, a.y - b.y};
}

static int distance(int x, int y) {
    Point d = difference((Point){x, y}, (Point){1, 2});
    return d.x * d.x + d.y * d.y;
}

int main(void) {
    printf("%d\n", distance(4, 6));
    return 0;
}
