// Structures by value: small ones in registers, larger ones copied, returned and kept in arrays.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int x, y;
} Point;

typedef struct {
    Point from, to;
} Box;

typedef struct {
    Box box;
    double weight;
    char name[24];
    int links[4];
} Shape;

static Point point_add(Point a, Point b) {
    return (Point){.x = a.x + b.x, .y = a.y + b.y};
}

static Box box_around(Box a, Box b) {
    Box all;
    all.from.x = a.from.x < b.from.x ? a.from.x : b.from.x;
    all.from.y = a.from.y < b.from.y ? a.from.y : b.from.y;
    all.to.x = a.to.x > b.to.x ? a.to.x : b.to.x;
    all.to.y = a.to.y > b.to.y ? a.to.y : b.to.y;
    return all;
}

static Shape moved(Shape shape, Point by) {
    shape.box.from = point_add(shape.box.from, by);
    shape.box.to = point_add(shape.box.to, by);
    shape.weight *= 1.0001;
    shape.name[(unsigned)by.x % 24] ^= 1;
    return shape;
}

static void sort_by_left(Shape *shapes, int count) {
    for (int gap = count / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < count; i++) {
            Shape held = shapes[i];
            int k = i;
            for (; k >= gap && shapes[k - gap].box.from.x > held.box.from.x; k -= gap)
                shapes[k] = shapes[k - gap];
            shapes[k] = held;
        }
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 10000;
    enum { COUNT = 2000 };
    static Shape shapes[COUNT];
    uint32_t seed = 41;
    for (int i = 0; i < COUNT; i++) {
        Shape shape = {.weight = i + 1, .name = "shape", .links = {i, i + 1, i + 2, i + 3}};
        shape.box.to = (Point){.x = 5 + i % 7, .y = 6 + i % 11};
        shapes[i] = shape;
    }
    Box all = {0};
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < COUNT; i++) {
            seed = seed * 1664525 + 1013904223;
            Point by = {.x = (int)(seed >> 16 & 63) - 31, .y = (int)(seed >> 24 & 15) - 8};
            shapes[i] = moved(shapes[i], by);
            all = box_around(all, shapes[i].box);
        }
        if (round % 8 == 0) sort_by_left(shapes, COUNT);
    }
    double weight = 0;
    uint32_t sum = 0;
    for (int i = 0; i < COUNT; i++) {
        weight += shapes[i].weight;
        sum = sum * 31 + (uint32_t)shapes[i].links[i & 3] + (uint32_t)shapes[i].name[i % 24];
    }
    printf("%d %d %d %d %.6f %08x\n", all.from.x, all.from.y, all.to.x, all.to.y, weight,
           (unsigned)sum);
    return 0;
}
