// Cause 14, code size: an interpreter of small programs with a large switch, dense in one part and
// sparse in another, and many cases that do nearly the same.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 600 };

typedef struct {
    uint8_t code, to, from;
    int8_t amount;
} Step;

static Step steps[LENGTH];

static uint32_t run(const Step *step, int count, uint32_t *r) {
    uint32_t done = 0;
    for (int at = 0; at < count; at++, step++) {
        uint32_t *to = &r[step->to], from = r[step->from];
        done++;
        switch (step->code) {
        case 0: *to = from; break;
        case 1: *to = (uint32_t)step->amount; break;
        case 2: *to += from; break;
        case 3: *to -= from; break;
        case 4: *to *= from; break;
        case 5: *to = from ? *to / from : 0; break;
        case 6: *to = from ? *to % from : 0; break;
        case 7: *to &= from; break;
        case 8: *to |= from; break;
        case 9: *to ^= from; break;
        case 10: *to <<= from & 31; break;
        case 11: *to >>= from & 31; break;
        case 12: *to = (uint32_t)((int32_t)*to >> (from & 31)); break;
        case 13: *to = ~from; break;
        case 14: *to = 0 - from; break;
        case 15: *to = *to == from; break;
        case 16: *to = *to < from; break;
        case 17: *to = (int32_t)*to < (int32_t)from; break;
        case 18: *to += (uint32_t)step->amount; break;
        case 19: *to *= (uint32_t)step->amount; break;
        case 20: *to = *to > from ? *to : from; break;
        case 21: *to = *to < from ? *to : from; break;
        case 22: *to = from << 16 | from >> 16; break;
        case 23: *to = from & 0xff; break;
        case 24: *to = (uint32_t)(int8_t)from; break;
        case 25: *to = (uint32_t)(int16_t)from; break;
        case 26:
            r[step->from] = *to;
            *to = from;
            break;
        case 64: *to += 1; break;
        case 96: *to -= 1; break;
        case 129: *to = r[7]; break;
        case 160: r[7] += from; break;
        case 161: r[7] ^= from; break;
        case 200: *to = done; break;
        case 255:
            if (from & 1) at++, step++;
            break;
        default: break;
        }
    }
    return done;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 130000;
    static const uint8_t rare[] = {64, 96, 129, 160, 161, 200, 255, 40};
    uint32_t seed = 163, registers[8] = {1, 2, 3, 4, 5, 6, 7, 8}, hash = 0;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1664525 + 1013904223;
        steps[i].code = (uint8_t)((seed >> 28) < 12 ? (seed >> 16) % 27 : rare[seed >> 16 & 7]);
        if (i + 2 >= LENGTH && steps[i].code == 255) steps[i].code = 0;
        steps[i].to = seed >> 8 & 7;
        steps[i].from = seed >> 11 & 7;
        steps[i].amount = (int8_t)(seed >> 20);
    }
    for (int round = 0; round < rounds; round++) {
        registers[round & 7] += (uint32_t)round;
        hash += run(steps, LENGTH, registers);
        hash = hash * 31 + registers[0] + registers[5];
    }
    printf("%08x\n", (unsigned)hash);
    return 0;
}
