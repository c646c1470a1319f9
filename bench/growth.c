// How time and memory grow: each stage on functions of each shape, from a thousand nodes up, and
// the exponent that fits the times.
//
//   growth [--max NODES] [--shape NAME]
//
// Each line holds shape, stage, milliseconds of CPU time for each size, and the exponent e of the
// best fit of time to nodes^e. Every shape and size is measured in a process of its own, so that
// its peak memory is its own too, and every run starts with cold caches. Then gatecheck on
// certificates that were made to take long (test/gen/hostile.h), with a tenth as many of what there
// are many of.
#include "analysis/liveness.h"
#include "analysis/loops.h"
#include "bench/shapes.h"
#include "check/replay/replay.h"
#include "graph/dominance.h"
#include "pipeline/transforms.h"
#include "test/gen/hostile.h"
#include "text/text.h"
#include "verify/verify.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MIN_NODES = 1000,
    MAX_SIZES = 7,
    REPEATS = 5,
    LONG_RUNS = 1000,        // milliseconds in total, above which a stage is not run again
    CACHE_BYTES = 96u << 20, // more than the largest cache
    SEED = 1,
};

// What the stages work on and leave for each other.
typedef struct {
    Program *program;
    const Func *func;
    Out text;
    Graph graph;
    Blocks blocks;
    const char *failure; // why the last stage did not do what it should; NULL if it did
} Subject;

// ---- Stages

static void run_print(Subject *subject, Arena *arena) {
    (void)arena;
    subject->text.length = 0;
    program_print(&subject->text, subject->program, &(PrintOptions){0});
}

static void run_parse(Subject *subject, Arena *arena) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    if (!program_parse(arena, &diag, FORM_RTL, "growth", subject->text.text, subject->text.length))
        subject->failure = arena_text(subject->program->arena, diag.out.text, diag.out.length);
    diag_free(&diag);
}

static void run_verify(Subject *subject, Arena *arena) {
    Complaints complaints = {.arena = arena};
    if (!verify_program(&complaints, subject->program)) {
        const char *message = complaints.list.at[0].message;
        subject->failure = arena_text(subject->program->arena, message, strlen(message));
    }
}

static void run_predecessors(Subject *subject, Arena *arena) {
    preds_of(arena, subject->func);
}

static void run_graph(Subject *subject, Arena *arena) {
    subject->graph = graph_of(arena, subject->func);
}

static void run_blocks(Subject *subject, Arena *arena) {
    subject->blocks = blocks_of(arena, &subject->graph);
}

static void run_dominance(Subject *subject, Arena *arena) {
    Preds preds = preds_of(arena, subject->func);
    dominance_of(arena, subject->func, &preds);
}

static void run_loops(Subject *subject, Arena *arena) {
    loops_of(arena, &subject->graph);
}

static void run_liveness(Subject *subject, Arena *arena) {
    liveness_of(arena, subject->func, &subject->graph, &subject->blocks);
}

static const struct {
    const char *name;
    void (*run)(Subject *subject, Arena *arena);
    bool keep; // later stages read what it left in its arena
} stages[] = {
    {"print", run_print, false},         {"parse", run_parse, false},
    {"verify", run_verify, false},       {"predecessors", run_predecessors, false},
    {"graph", run_graph, true},          {"blocks", run_blocks, true},
    {"dominance", run_dominance, false}, {"loops", run_loops, false},
    {"liveness", run_liveness, false},
};

enum { STAGES = sizeof stages / sizeof *stages };

// After these stages the steps of the pipeline follow, with three times each.
enum { TRANSFORM, VERIFY, CHECK, PARTS, MAX_ROWS = STAGES + PARTS * 64 };

static uint32_t row_count(void) {
    return STAGES + PARTS * step_count;
}

// ---- Measuring

// What one process measured; it lies in memory shared with the parent.
typedef struct {
    uint32_t nodes;
    double milliseconds[MAX_ROWS];
    double memory;     // peak, in MiB
    char failure[200]; // empty if all went well
} Sample;

static double cpu_milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)) fatal("growth: no CPU clock");
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

typedef struct {
    double best, total; // milliseconds
    int runs;
} Timing;

// The best of five runs, of fewer if they take over a second.
static bool timing_done(const Timing *timing) {
    return timing->total > LONG_RUNS || timing->runs >= REPEATS;
}

// Fills the caches with something else. Otherwise the runs of small functions, and only they, would
// find all their data there, and the fit would show the machine's caches, not the algorithm. In a
// compiler a function is not in the caches either: others came before.
static void chill_caches(volatile char *memory) {
    for (size_t i = 0; i < CACHE_BYTES; i += 64) memory[i]++;
}

static double time_stage(Subject *subject, uint32_t stage, volatile char *memory, Arena **kept) {
    Timing timing = {.best = INFINITY};
    Arena *arena = NULL;
    while (!timing_done(&timing) && !subject->failure) {
        arena_free(arena);
        arena = arena_new(stages[stage].name);
        chill_caches(memory);
        double start = cpu_milliseconds();
        stages[stage].run(subject, arena);
        double taken = cpu_milliseconds() - start;
        if (taken < timing.best) timing.best = taken;
        timing.total += taken;
        timing.runs++;
    }
    if (stages[stage].keep)
        *kept = arena;
    else
        arena_free(arena);
    return timing.best;
}

// ---- The pipeline

static void chill_after_step(void *context, uint32_t step, const Func *before, const Func *after,
                             const void *hint) {
    (void)step, (void)before, (void)after, (void)hint;
    if (context) chill_caches(context);
}

// Runs all steps once and lowers the times to those measured.
static void run_pipeline(Subject *subject, volatile char *memory, double *milliseconds) {
    Arena *arena = arena_new("pipeline");
    Diag diag;
    Pipeline pipeline;
    diag_init(&diag, arena, NULL);
    pipeline_init(&pipeline, arena, transform_table, &diag);
    pipeline.timed = true;
    pipeline.observe = chill_after_step;
    pipeline.context = (void *)memory;
    if (memory) chill_caches(memory);
    pipeline_run(&pipeline, subject->func);
    for (uint32_t step = 0; step < step_count; step++) {
        const PassStats *stats = &pipeline.stats[step];
        double seconds[PARTS] = {stats->transform_seconds, stats->verify_seconds,
                                 stats->check_seconds};
        for (uint32_t part = 0; part < PARTS; part++)
            milliseconds[step * PARTS + part] =
                fmin(milliseconds[step * PARTS + part], seconds[part] * 1e3);
    }
    if (diag.warnings)
        subject->failure = arena_text(subject->program->arena, diag.out.text, diag.out.length);
    pipeline_free(&pipeline);
    diag_free(&diag);
    arena_free(arena);
}

static void time_pipeline(Subject *subject, volatile char *memory, double *milliseconds) {
    double begin = cpu_milliseconds();
    for (uint32_t i = 0; i < PARTS * step_count; i++) milliseconds[i] = INFINITY;
    for (int run = 0; run < REPEATS && !subject->failure; run++) {
        run_pipeline(subject, memory, milliseconds);
        if (cpu_milliseconds() - begin > PARTS * LONG_RUNS) break;
    }
}

static void find_memory(Subject *subject, Sample *sample) {
    Arena *arenas[STAGES];
    for (uint32_t stage = 0; stage < STAGES && !subject->failure; stage++) {
        arenas[stage] = arena_new(stages[stage].name);
        stages[stage].run(subject, arenas[stage]);
        if (stages[stage].keep) continue;
        arena_free(arenas[stage]);
        arenas[stage] = NULL;
    }
    double ignored[MAX_ROWS] = {0};
    if (!subject->failure) run_pipeline(subject, NULL, ignored);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    sample->memory = (double)usage.ru_maxrss / 1024;
    for (uint32_t stage = 0; stage < STAGES && !subject->failure; stage++)
        arena_free(arenas[stage]);
}

static void find_times(Subject *subject, Sample *sample) {
    Arena *arenas[STAGES] = {0};
    volatile char *memory = xmalloc(CACHE_BYTES);
    for (uint32_t stage = 0; stage < STAGES && !subject->failure; stage++)
        sample->milliseconds[stage] = time_stage(subject, stage, memory, &arenas[stage]);
    if (!subject->failure) time_pipeline(subject, memory, sample->milliseconds + STAGES);
    for (uint32_t stage = 0; stage < STAGES; stage++) arena_free(arenas[stage]);
    free((void *)memory);
}

static void measure(Sample *sample, Shape shape, uint32_t nodes) {
    Arena *arena = arena_new("growth");
    Program *program = program_new(arena);
    Subject subject = {.program = program, .func = shape_func(arena, program, shape, nodes, SEED)};
    sample->nodes = subject.func->nodes.count;
    find_memory(&subject, sample);
    // From here on freed memory stays with the process. Otherwise the runs of large functions, and
    // only they, would spend their time on fetching fresh pages from the system.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    find_times(&subject, sample);
    if (subject.failure) snprintf(sample->failure, sizeof sample->failure, "%s", subject.failure);
    out_free(&subject.text);
    arena_free(arena);
}

static void measure_apart(Sample *sample, Shape shape, uint32_t nodes) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) fatal("growth: cannot fork");
    if (child == 0) {
        measure(sample, shape, nodes);
        exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child) fatal("growth: lost a process");
    if (WIFSIGNALED(status))
        snprintf(sample->failure, sizeof sample->failure, "%s", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        snprintf(sample->failure, sizeof sample->failure, "exit status %d", WEXITSTATUS(status));
}

// ---- Fitting

// The slope of the least-squares line through the logarithms, over the values above a threshold,
// below which noise and fixed costs rule; over the last three if fewer are. NAN for a
// single size.
static double exponent(const double *nodes, const double *values, uint32_t count,
                       double threshold) {
    uint32_t first = count;
    while (first > 0 && values[first - 1] > threshold) first--;
    if (count - first < 3) first = count > 3 ? count - 3 : 0;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (uint32_t i = first; i < count; i++) {
        double a = log(nodes[i]), b = log(values[i] > 1e-6 ? values[i] : 1e-6);
        n++, x += a, y += b, xx += a * a, xy += a * b;
    }
    return n < 2 ? NAN : (n * xy - x * y) / (n * xx - x * x);
}

// ---- Tables

typedef struct {
    uint32_t size_count;
    uint32_t sizes[MAX_SIZES];
    Sample *samples; // shared with the processes that measure: one per size
    double largest[MAX_ROWS + 1];
    Shape largest_shape[MAX_ROWS + 1]; // the last row is memory
    bool failed;
} Growth;

// The name of a row, in one of the arena.
static const char *row_name(Arena *arena, uint32_t row) {
    static const char *const parts[PARTS] = {"", "verify ", "check "};
    if (row < STAGES) return stages[row].name;
    if (row == row_count()) return "memory";
    uint32_t step = (row - STAGES) / PARTS, part = (row - STAGES) % PARTS;
    return arena_printf(arena, "%s%s", parts[part], step_name(arena, step));
}

static void print_row(const char *shape, const char *stage, const double *values, uint32_t count,
                      int digits) {
    printf("%-9s %-20s", shape, stage);
    for (uint32_t i = 0; i < count; i++) printf(" %10.*f", digits, values[i]);
}

static void print_stage(Growth *growth, Shape shape, uint32_t stage, const double *nodes,
                        const double *values) {
    bool time = stage < row_count();
    double e = exponent(nodes, values, growth->size_count, time ? 1 : 16);
    Arena *arena = arena_new("name");
    print_row(shape_name(shape), row_name(arena, stage), values, growth->size_count, time ? 3 : 1);
    arena_free(arena);
    if (isnan(e))
        printf("         -\n");
    else
        printf(" %9.2f\n", e);
    if (e > growth->largest[stage]) {
        growth->largest[stage] = e;
        growth->largest_shape[stage] = shape;
    }
}

static void print_head(const Growth *growth) {
    printf("%-9s %-20s", "# shape", "stage");
    for (uint32_t i = 0; i < growth->size_count; i++) printf(" %10u", growth->sizes[i]);
    printf("  exponent\n");
}

static void grow_shape(Growth *growth, Shape shape) {
    double nodes[MAX_SIZES], values[MAX_SIZES], memory[MAX_SIZES];
    memset(growth->samples, 0, sizeof(Sample) * MAX_SIZES);
    for (uint32_t i = 0; i < growth->size_count; i++) {
        Sample *sample = &growth->samples[i];
        measure_apart(sample, shape, growth->sizes[i]);
        nodes[i] = sample->nodes;
        memory[i] = sample->memory;
        if (!sample->failure[0]) continue;
        printf("%-9s failed at %u nodes: %s\n", shape_name(shape), growth->sizes[i],
               sample->failure);
        growth->failed = true;
        return;
    }
    print_row(shape_name(shape), "nodes", nodes, growth->size_count, 0);
    printf("\n");
    for (uint32_t stage = 0; stage < row_count(); stage++) {
        double total = 0; // 0 for steps that did not run
        for (uint32_t i = 0; i < growth->size_count; i++)
            total += values[i] = growth->samples[i].milliseconds[stage];
        if (total > 0) print_stage(growth, shape, stage, nodes, values);
    }
    print_stage(growth, shape, row_count(), nodes, memory);
    fflush(stdout);
}

static void print_largest(const Growth *growth) {
    printf("# largest exponents:%s", growth->size_count < 2 ? " none from a single size" : "");
    Arena *arena = arena_new("names");
    for (uint32_t stage = 0; stage <= row_count(); stage++)
        if (growth->largest[stage] > -INFINITY)
            printf("%s %s %.2f (%s)", stage ? "," : "", row_name(arena, stage),
                   growth->largest[stage], shape_name(growth->largest_shape[stage]));
    arena_free(arena);
    printf("\n");
}

// ---- Certificates

static double replay_milliseconds(const Out *text) {
    Arena *arena = arena_new("replay");
    Diag diag;
    diag_init(&diag, arena, NULL);
    diag.error_limit = 1;
    Replay replay = {.diag = &diag, .partial = true};
    double start = cpu_milliseconds();
    replay_certificate(&replay, "hostile", text->text, text->length);
    double taken = cpu_milliseconds() - start;
    diag_free(&diag);
    arena_free(arena);
    return taken;
}

static void grow_certificate(const Growth *growth, const HostileShape *shape) {
    double bytes[MAX_SIZES], milliseconds[MAX_SIZES];
    for (uint32_t i = 0; i < growth->size_count; i++) {
        Out text = {0};
        hostile_certificate(&text, shape, growth->sizes[i] / 10);
        bytes[i] = (double)text.length;
        milliseconds[i] = INFINITY;
        for (int run = 0; run < REPEATS; run++)
            milliseconds[i] = fmin(milliseconds[i], replay_milliseconds(&text));
        out_free(&text);
    }
    print_row(shape->name, "gatecheck", milliseconds, growth->size_count, 3);
    printf(" %9.2f\n", exponent(bytes, milliseconds, growth->size_count, 1));
    fflush(stdout);
}

// ---- Command line

static void usage(FILE *to, int status) {
    fprintf(to, "usage: growth [--max NODES] [--shape NAME]\nshapes:");
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++) fprintf(to, " %s", shape_name(shape));
    fprintf(to, "\n");
    exit(status);
}

static Shape shape_named(const char *name) {
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
        if (strcmp(shape_name(shape), name) == 0) return shape;
    usage(stderr, 2);
    return SHAPE_COUNT;
}

int main(int argc, char **argv) {
    unsigned long max = 1000000;
    Shape only = SHAPE_COUNT;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) usage(stdout, 0);
        if (i + 1 < argc && strcmp(argv[i], "--max") == 0)
            max = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--shape") == 0)
            only = shape_named(argv[++i]);
        else
            usage(stderr, 2);
    }
    Growth growth = {0};
    for (uint32_t n = MIN_NODES; n <= max && growth.size_count < MAX_SIZES; n *= 10)
        growth.sizes[growth.size_count++] = n;
    if (!growth.size_count) usage(stderr, 2);
    for (uint32_t stage = 0; stage <= row_count(); stage++) growth.largest[stage] = -INFINITY;
    growth.samples = mmap(NULL, sizeof(Sample) * MAX_SIZES, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (growth.samples == MAP_FAILED) fatal("growth: no shared memory");
    print_head(&growth);
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
        if (only == SHAPE_COUNT || only == shape) grow_shape(&growth, shape);
    print_largest(&growth);
    for (uint32_t i = 0; only == SHAPE_COUNT && i < hostile_shape_count; i++)
        grow_certificate(&growth, &hostile_shapes[i]);
    return growth.failed ? 1 : 0;
}
