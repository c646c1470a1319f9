// A small ray tracer: spheres over a chequered floor, one light, mirrors; floats.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float x, y, z;
} Vector;

typedef struct {
    Vector centre;
    float radius;
    Vector colour;
    float mirror;
} Sphere;

static const Sphere spheres[] = {
    {{0, 1, 6}, 1, {1, 0.2f, 0.2f}, 0.3f},        {{2, 0.7f, 5}, 0.7f, {0.2f, 1, 0.2f}, 0.2f},
    {{-2, 0.8f, 5}, 0.8f, {0.2f, 0.3f, 1}, 0.5f}, {{0.5f, 0.4f, 3.5f}, 0.4f, {1, 1, 0.3f}, 0.1f},
    {{-1, 0.3f, 3}, 0.3f, {1, 0.5f, 1}, 0.6f},
};
enum { SPHERES = sizeof spheres / sizeof *spheres };

static Vector add(Vector a, Vector b) {
    return (Vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
static Vector subtract(Vector a, Vector b) {
    return (Vector){a.x - b.x, a.y - b.y, a.z - b.z};
}
static Vector scale(Vector a, float f) {
    return (Vector){a.x * f, a.y * f, a.z * f};
}
static float dot(Vector a, Vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static Vector unit(Vector a) {
    return scale(a, 1 / sqrtf(dot(a, a)));
}

// The nearest hit of a sphere, or -1; *distance is how far.
static int nearest(Vector from, Vector direction, float *distance) {
    int hit = -1;
    *distance = 1e9f;
    for (int i = 0; i < SPHERES; i++) {
        Vector to = subtract(spheres[i].centre, from);
        float along = dot(to, direction);
        float square = dot(to, to) - along * along, radius = spheres[i].radius;
        if (along <= 0 || square >= radius * radius) continue;
        float at = along - sqrtf(radius * radius - square);
        if (at > 0.001f && at < *distance) {
            *distance = at;
            hit = i;
        }
    }
    return hit;
}

static Vector trace(Vector from, Vector direction, int depth) {
    float distance;
    int hit = nearest(from, direction, &distance);
    Vector point, normal, colour;
    float mirror;
    if (hit >= 0) {
        point = add(from, scale(direction, distance));
        normal = unit(subtract(point, spheres[hit].centre));
        colour = spheres[hit].colour;
        mirror = spheres[hit].mirror;
    } else if (direction.y < -0.0001f) {
        point = add(from, scale(direction, -from.y / direction.y));
        normal = (Vector){0, 1, 0};
        int dark = ((int)floorf(point.x) + (int)floorf(point.z)) & 1;
        colour = dark ? (Vector){0.2f, 0.2f, 0.2f} : (Vector){0.9f, 0.9f, 0.9f};
        mirror = 0.15f;
    } else {
        return (Vector){0.4f, 0.6f, 0.8f + 0.2f * direction.y};
    }
    Vector light = unit(subtract((Vector){-4, 6, 0}, point));
    float ignored, bright = dot(normal, light);
    if (bright < 0 || nearest(point, light, &ignored) >= 0) bright = 0;
    colour = scale(colour, 0.2f + 0.8f * bright);
    if (depth == 0) return colour;
    Vector back = subtract(direction, scale(normal, 2 * dot(normal, direction)));
    return add(scale(colour, 1 - mirror), scale(trace(point, back, depth - 1), mirror));
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 30;
    int width = 320, height = 240;
    uint32_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        Vector eye = {(float)round / 20 - 0.5f, 1.5f, -2};
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                Vector direction = {(float)(x - width / 2) / (float)height,
                                    (float)(height / 2 - y) / (float)height - 0.1f, 1};
                Vector colour = trace(eye, unit(direction), 4);
                int shade = (int)(255 * (colour.x + colour.y + colour.z) / 3 + 0.5f);
                sum += (uint32_t)shade;
            }
        }
    }
    printf("%lu\n", (unsigned long)sum);
    return 0;
}
