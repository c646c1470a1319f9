// Cause 3, library functions: sqrt, fabs, copysign, fmin and fmax in small geometry, and pow, exp2
// and ldexp with constants or whole numbers.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 2048 };

typedef struct {
    double x, y;
} Point;

typedef struct {
    double left, right, bottom, top;
} Box;

static Point points[POINTS];

static double distance(Point a, Point b) {
    return sqrt(pow(a.x - b.x, 2) + pow(a.y - b.y, 2));
}

static double city_distance(Point a, Point b) {
    return fabs(a.x - b.x) + fabs(a.y - b.y);
}

static Box box_around(const Point *point, int count) {
    Box box = {point[0].x, point[0].x, point[0].y, point[0].y};
    for (int i = 1; i < count; i++) {
        box.left = fmin(box.left, point[i].x);
        box.right = fmax(box.right, point[i].x);
        box.bottom = fmin(box.bottom, point[i].y);
        box.top = fmax(box.top, point[i].y);
    }
    return box;
}

// Small values become zero, and the others come nearer to zero.
static double shrink(double x, double limit) {
    return copysign(fmax(fabs(x) - limit, 0.0), x);
}

static double falloff(double r) {
    return 1.0 / (1.0 + pow(r, 3)) + ldexp(r, -6);
}

static double path_length(const Point *point, int count) {
    double length = 0;
    for (int i = 1; i < count; i++) {
        double straight = distance(point[i - 1], point[i]);
        length += straight + 0.125 * city_distance(point[i - 1], point[i]) + falloff(straight);
    }
    return length;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1200;
    uint32_t seed = 8;
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        seed = seed * 1664525 + 1013904223;
        points[i].x = ((int)(seed >> 20) - 2048) / 64.0;
        points[i].y = ((int)(seed >> 8 & 4095) - 2048) / 64.0;
    }
    for (int round = 0; round < rounds; round++) {
        Point *moved = &points[round * 7 % POINTS];
        moved->x += 0.5;
        Box box = box_around(points, POINTS);
        sum += (box.right - box.left) * (box.top - box.bottom);
        sum += path_length(points, POINTS);
        for (int i = 0; i < POINTS; i++) sum += shrink(points[i].x, 3.0) * shrink(points[i].y, 1.5);
        sum += exp2((double)(round % 8)) + sqrt(sum);
    }
    printf("%.6g\n", sum);
    return 0;
}
