// Cause 12, sinking: values are computed for every element, as the text of the program has them
// at the top, but few ways use them; stores are overwritten before anybody reads.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 6000 };

typedef struct {
    int state, code, detail, ratio;
} Report;

typedef struct {
    int x, y, speed;
} Car;

static Car cars[COUNT];

static void describe(Report *report, const Car *car, int limit) {
    report->state = 0;
    report->code = 0;
    report->detail = 0;
    report->ratio = 0;
    int over = car->speed - limit, square = car->x * car->x + car->y * car->y;
    int ratio = car->speed * 100 / limit, sector = square % 360;
    if (over <= 0) return;
    report->state = 1;
    report->code = over > 20 ? 3 : 2;
    if (over > 25) {
        report->detail = sector;
        report->ratio = ratio;
    }
}

static long fines(const Car *car, int count, int limit) {
    long sum = 0;
    Report report;
    for (int i = 0; i < count; i++) {
        describe(&report, &car[i], limit);
        if (report.state == 0) continue;
        sum += report.code * 10;
        if (report.detail) sum += report.detail + report.ratio;
    }
    return sum;
}

static int meetings(const Car *car, int count, int near) {
    int number = 0;
    for (int i = 1; i < count; i++) {
        int dx = car[i].x - car[i - 1].x, dy = car[i].y - car[i - 1].y;
        int apart = dx * dx + dy * dy, relative = car[i].speed - car[i - 1].speed;
        int energy = relative * relative / 7 + apart % 11;
        if (dx > near || dx < -near) continue;
        if (dy > near || dy < -near) continue;
        if (apart > near * near) continue;
        number += energy;
    }
    return number;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 4800;
    uint32_t seed = 139;
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        cars[i] = (Car){(int)(seed >> 22), (int)(seed >> 12 & 1023), 60 + (int)(seed >> 8 & 63)};
    }
    for (int round = 0; round < rounds; round++) {
        cars[round * 7 % COUNT].speed ^= 1;
        hash = hash * 31 + (uint64_t)fines(cars, COUNT, 95 + round % 20);
        hash += (uint64_t)meetings(cars, COUNT, 100 + round % 50);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
