// What runs the versions of random functions (random_function.py) beside each other and compares what they show.
//
// tools/slice-check writes a file with the versions and a table `cases`: each holds the original and a slice of it, and
// what of the events of a run is looked at. For each case and each of several inputs both are run in a process of their
// own. What the original shows must be the beginning of what the slice shows, and all of it if the original comes
// to its end. A line for each disagreement, then "runs N, wrong W, unfinished U".
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_EVENTS = 20000,
    CPU_MICROSECONDS = 150000,
    INPUTS = 9,
    OUTPUT_EVENT = -1,
    RESULT_EVENT = -2,
    STATE_EVENT = -3
};

typedef struct {
    int id;
    unsigned hash;
} Event;

// A call of exit, a fault or an endless loop need not be in a slice, so all these are the same here.
typedef enum { NOT_ENDED, RETURNED, STOPPED } Ending;

typedef struct {
    Ending ending;
    int count;
    Event events[MAX_EVENTS];
} Trace;

static Trace *trace; // of the run in this process; shared with the one that compares
static int wanted;   // the events that count
static int input_state, depth;
static int *kept, *shared;

static unsigned hash_of(const void *bytes, unsigned long size) {
    const unsigned char *at = bytes;
    unsigned hash = 2166136261u;
    for (unsigned long i = 0; i < size; i++) hash = (hash ^ at[i]) * 16777619u;
    return hash;
}

static void record(int id, unsigned hash) {
    if (trace->count == MAX_EVENTS) _exit(0);
    trace->events[trace->count++] = (Event){id, hash};
}

void deeper(int calls) {
    depth += calls;
}

void observe(int id, const void *bytes, unsigned long size) {
    if (id >= 0 && depth > 0) return;
    if (id == wanted || (id < 0 && wanted == EVERYTHING) || (id >= 0 && wanted == PLACES))
        record(id, hash_of(bytes, size));
}

long observe_value(int id, long value) {
    observe(id, &value, sizeof value);
    return value;
}

// ---- What the functions call

int put(int value) {
    observe(OUTPUT_EVENT, &value, sizeof value);
    return value > 0;
}

int get(void) {
    input_state = input_state * 1103515245 + 12345;
    return input_state >> 16 & 31;
}

void poke(int value) {
    if (shared) *shared ^= value;
    if (kept) *kept += value;
}

void keep(int *place) {
    kept = place;
}

int stir(int *place, int value) {
    *place = *place * 5 + value;
    return *place & 7;
}

void stop_if(int value) {
    if ((value & 63) != 13) return;
    trace->ending = STOPPED;
    _exit(0);
}

// ---- Running and comparing

static const int inputs[INPUTS][4] = {
    {0, 0, 0, 0},  {5, -3, 17, 1}, {1, 2, 3, 2}, {-100, 77, 6, 3}, {12345, 8, -1, 0},
    {13, 9, 2, 1}, {2, 1, 0, 3},   {7, 6, 5, 0}, {-2, 130, 11, 2},
};

static void run(const Case *test,
                void (*enter)(const int *arguments, int *out, int twice, int **shared), int input,
                Trace *to) {
    to->ending = NOT_ENDED;
    to->count = 0;
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        static int out[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        struct itimerval limit = {.it_value.tv_usec = CPU_MICROSECONDS};
        setitimer(ITIMER_VIRTUAL, &limit, NULL);
        trace = to;
        wanted = test->wanted;
        input_state = input * 7 + 1;
        enter(inputs[input], out, test->wanted == EVERYTHING, &shared);
        if (test->wanted == EVERYTHING) observe(STATE_EVENT, out, sizeof out);
        trace->ending = RETURNED;
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

// A case in which the original itself was cut off in the middle may only be compared as far as it went.
static const char *compare(const Trace *original, const Trace *slice, int *at) {
    int common = original->count < slice->count ? original->count : slice->count;
    for (*at = 0; *at < common; ++*at)
        if (memcmp(&original->events[*at], &slice->events[*at], sizeof(Event)) != 0)
            return "another value";
    if (slice->count < original->count)
        return slice->ending == NOT_ENDED && common == MAX_EVENTS ? NULL : "ends early";
    if (original->ending == RETURNED && slice->count > original->count) return "goes on";
    if (original->ending == RETURNED && slice->ending == NOT_ENDED) return "does not end";
    return NULL;
}

static void print_reached(const Case *test, Trace *trace_of_run) {
    for (int input = 0; input < INPUTS; input++) {
        run(test, test->original, input, trace_of_run);
        for (int i = 0; i < trace_of_run->count; i++)
            if (i == 0 || trace_of_run->events[i].id != trace_of_run->events[i - 1].id)
                printf("reached %s %d\n", test->name, trace_of_run->events[i].id);
    }
}

int main(void) {
    Trace *traces =
        mmap(NULL, 2 * sizeof(Trace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (traces == MAP_FAILED) return 2;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int runs = 0, wrong = 0, unfinished = 0, silent = 0;
    for (const Case *test = cases; test->name; test++) {
        long shown = 0;
        if (test->wanted == PLACES) {
            print_reached(test, &traces[0]);
            continue;
        }
        for (int input = 0; input < INPUTS; input++) {
            int at;
            run(test, test->original, input, &traces[0]);
            run(test, test->slice, input, &traces[1]);
            const char *problem = compare(&traces[0], &traces[1], &at);
            runs++;
            shown += traces[0].count;
            unfinished += traces[0].ending == NOT_ENDED;
            if (!problem) continue;
            wrong++;
            printf("wrong %s: input %d: the slice %s at event %d of %d (%d); ends as %d, %d\n",
                   test->name, input, problem, at, traces[0].count, traces[1].count,
                   traces[0].ending, traces[1].ending);
            break;
        }
        silent += shown == 0;
    }
    printf("runs %d wrong %d unfinished %d silent %d\n", runs, wrong, unfinished, silent);
    return 0;
}
