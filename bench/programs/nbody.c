// Planets that attract each other, stepped through time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y, z;
    double vx, vy, vz;
    double mass;
} Body;

enum { BODIES = 5 };

static Body bodies[BODIES] = {
    {.mass = 39.47},
    {.x = 4.84, .y = -1.16, .z = -0.10, .vx = 0.60, .vy = 2.81, .vz = -0.02, .mass = 0.0377},
    {.x = 8.34, .y = 4.12, .z = -0.40, .vx = -1.01, .vy = 1.82, .vz = 0.008, .mass = 0.0113},
    {.x = 12.89, .y = -15.11, .z = -0.22, .vx = 1.08, .vy = 0.868, .vz = -0.01, .mass = 0.00172},
    {.x = 15.38, .y = -25.9, .z = 0.179, .vx = 0.979, .vy = 0.594, .vz = -0.034, .mass = 0.00203},
};

static void advance(double step) {
    for (int i = 0; i < BODIES; i++) {
        Body *a = &bodies[i];
        for (int k = i + 1; k < BODIES; k++) {
            Body *b = &bodies[k];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double square = dx * dx + dy * dy + dz * dz;
            double strength = step / (square * sqrt(square));
            a->vx -= dx * b->mass * strength;
            a->vy -= dy * b->mass * strength;
            a->vz -= dz * b->mass * strength;
            b->vx += dx * a->mass * strength;
            b->vy += dy * a->mass * strength;
            b->vz += dz * a->mass * strength;
        }
    }
    for (int i = 0; i < BODIES; i++) {
        bodies[i].x += step * bodies[i].vx;
        bodies[i].y += step * bodies[i].vy;
        bodies[i].z += step * bodies[i].vz;
    }
}

static double energy(void) {
    double sum = 0;
    for (int i = 0; i < BODIES; i++) {
        const Body *a = &bodies[i];
        sum += 0.5 * a->mass * (a->vx * a->vx + a->vy * a->vy + a->vz * a->vz);
        for (int k = i + 1; k < BODIES; k++) {
            const Body *b = &bodies[k];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            sum -= a->mass * b->mass / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 6000000;
    printf("%.9f\n", energy());
    for (int i = 0; i < steps; i++) advance(0.01);
    printf("%.9f\n", energy());
    return 0;
}
