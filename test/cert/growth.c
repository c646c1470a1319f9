// How many steps, and how much memory, gatecheck takes for certificates and objects of hostile shapes: both must grow as the
// size of the files does. Steps are counted, not timed: this program and the trusted code are compiled such that each basic
// block calls __sanitizer_cov_trace_pc. See growth.sh.
#include "check/replay/replay.h"
#include "elf/object_file.h"
#include "test/gen/hostile.h"
#include "test/gen/hostile_object.h"

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

static Cost cost_of_object(const HostileObject *shape, uint32_t n) {
    Out bytes = {0};
    Arena *arena = arena_new("growth");
    Program *program = program_new(arena);
    hostile_object(&bytes, program, shape, n);
    steps = most_in_use = 0;
    ObjectFile object;
    bool good =
        object_open(&object, arena, bytes.text, bytes.length) && object_finish(&object, program);
    Cost cost = {
        .size = (double)bytes.length, .steps = (double)steps, .memory = (double)most_in_use};
    if (good != shape->good) {
        printf("%s: %s\n", shape->name, good ? "good" : object.problem);
        exit(1);
    }
    arena_free(arena);
    out_free(&bytes);
    return cost;
}

// For four times the size there may be six times the work: linear, or by a logarithm more.
static bool is_good(const char *name, Cost small, Cost large) {
    const double most = 1.5;
    double size = large.size / small.size;
    double time = large.steps / small.steps / size, memory = large.memory / small.memory / size;
    bool good = time < most && memory < most;
    printf("%-18s %8.0f bytes, steps per byte %6.1f (* %.2f), memory per byte %6.1f (* %.2f)%s\n",
           name, large.size, large.steps / large.size, time, large.memory / large.size, memory,
           good ? "" : ": too much");
    return good;
}

int main(void) {
    enum { SMALL = 1000, LARGE = 4 * SMALL };
    bool good = true;
    for (uint32_t i = 0; i < hostile_shape_count; i++)
        good &= is_good(hostile_shapes[i].name, cost_of(&hostile_shapes[i], SMALL),
                        cost_of(&hostile_shapes[i], LARGE));
    for (uint32_t i = 0; i < hostile_object_count; i++)
        good &= is_good(hostile_objects[i].name, cost_of_object(&hostile_objects[i], SMALL),
                        cost_of_object(&hostile_objects[i], LARGE));
    return good ? 0 : 1;
}
