// Cause 10, inlining by benefit: vectors of three numbers by value and through pointers, with a
// small function for each operation, several levels deep.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 40 };

typedef struct {
    double x, y, z;
} Vector;

typedef struct {
    Vector place, speed;
    double mass;
} Body;

static Vector vector(double x, double y, double z) {
    return (Vector){x, y, z};
}
static Vector add(Vector a, Vector b) {
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}
static Vector subtract(Vector a, Vector b) {
    return vector(a.x - b.x, a.y - b.y, a.z - b.z);
}
static Vector scale(Vector a, double factor) {
    return vector(a.x * factor, a.y * factor, a.z * factor);
}
static double dot(Vector a, Vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static double length(Vector a) {
    return sqrt(dot(a, a));
}
static Vector cross(Vector a, Vector b) {
    return vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static void pull(Body *body, const Vector *force, double time) {
    body->speed = add(body->speed, scale(*force, time / body->mass));
}

static Vector spring(const Body *a, const Body *b, double rest, double stiffness) {
    Vector between = subtract(b->place, a->place);
    double now = length(between);
    return scale(between, stiffness * (now - rest) / (now + 0.001));
}

static void step(Body *body, int count, double time) {
    for (int i = 0; i < count; i++) {
        Vector force = scale(body[i].speed, -0.05);
        for (int k = 1; k <= 3; k++)
            force = add(force, spring(&body[i], &body[(i + k) % count], 1.0 + k, 2.0));
        pull(&body[i], &force, time);
    }
    for (int i = 0; i < count; i++) body[i].place = add(body[i].place, scale(body[i].speed, time));
}

static Vector spin(const Body *body, int count) {
    Vector sum = vector(0, 0, 0);
    for (int i = 0; i < count; i++)
        sum = add(sum, scale(cross(body[i].place, body[i].speed), body[i].mass));
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 150000;
    Body bodies[BODIES];
    uint32_t seed = 101;
    double sum = 0;
    for (int i = 0; i < BODIES; i++) {
        seed = seed * 1664525 + 1013904223;
        bodies[i].place = vector(seed >> 28, seed >> 24 & 15, seed >> 20 & 15);
        bodies[i].speed = vector(0, 0, 0);
        bodies[i].mass = 1 + (seed >> 16 & 3);
    }
    for (int round = 0; round < rounds; round++) {
        step(bodies, BODIES, 0.01);
        if (round % 8 == 0) sum += length(spin(bodies, BODIES));
    }
    printf("%.5g %.5g\n", sum, bodies[0].place.x);
    return 0;
}
