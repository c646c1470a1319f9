// How many steps, and how much memory, gatecheck takes for certificates of hostile shapes: both must grow as the
// size does. Steps are counted, not timed: this program and the trusted code are compiled such that each basic
// block calls __sanitizer_cov_trace_pc. See growth.sh.
#include "check/replay.h"
#include "test/gen/hostile.h"

#include <malloc.h>
#include <stdlib.h>

void __sanitizer_cov_trace_pc(void);

// The only way to get at numbers from a function that the compiler calls.
static uint64_t steps;
static size_t in_use, most_in_use;

#ifdef __clang__
#define NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define NOT_COUNTED __attribute__((no_sanitize_coverage))
#endif

NOT_COUNTED void __sanitizer_cov_trace_pc(void) {
    enum { SELDOM = 1 << 12 };
    if (steps++ % SELDOM) return;
    struct mallinfo2 info = mallinfo2();
    in_use = info.uordblks + info.hblkhd;
    if (in_use > most_in_use) most_in_use = in_use;
}

typedef struct {
    double size, steps, memory;
} Cost;

static Cost cost_of(const HostileShape *shape, uint32_t n) {
    Out text = {0};
    hostile_certificate(&text, shape, n);
    Arena *arena = arena_new("growth");
    Diag diag;
    diag_init(&diag, arena, NULL);
    diag.error_limit = 1;
    Replay replay = {.diag = &diag, .partial = true};
    steps = most_in_use = 0;
    ReplayStatus status = replay_certificate(&replay, shape->name, text.text, text.length);
    Cost cost = {
        .size = (double)text.length, .steps = (double)steps, .memory = (double)most_in_use};
    if ((status == REPLAY_VALID) != shape->valid) {
        printf("%s: %.*s\n", shape->name, (int)diag.out.length,
               diag.out.text ? diag.out.text : "valid");
        exit(1);
    }
    diag_free(&diag);
    arena_free(arena);
    out_free(&text);
    return cost;
}

// For four times the size there may be six times the work: linear, or by a logarithm more.
int main(void) {
    enum { SMALL = 1000, LARGE = 4 * SMALL };
    const double most = 1.5;
    int status = 0;
    for (uint32_t i = 0; i < hostile_shape_count; i++) {
        Cost small = cost_of(&hostile_shapes[i], SMALL), large = cost_of(&hostile_shapes[i], LARGE);
        double size = large.size / small.size;
        double time = large.steps / small.steps / size, memory = large.memory / small.memory / size;
        bool good = time < most && memory < most;
        printf(
            "%-18s %8.0f bytes, steps per byte %6.1f (* %.2f), memory per byte %6.1f (* %.2f)%s\n",
            hostile_shapes[i].name, large.size, large.steps / large.size, time,
            large.memory / large.size, memory, good ? "" : ": too much");
        if (!good) status = 1;
    }
    return status;
}
