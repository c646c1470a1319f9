#include "gatecc/time_report.h"

#include <sys/resource.h>
#include <time.h>

double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_of_children(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void print_row(Out *out, const char *name, double seconds, double total) {
    out_printf(out, "%-14s %29s %9.4f %6.1f\n", name, "", seconds, 100 * seconds / total);
}

// One row for each step that ran; yields their sum.
static double print_steps(Out *out, const Pipeline *pipeline, double total) {
    Arena *arena = arena_new("time report");
    double sum = 0;
    for (uint32_t i = 0; i < step_count; i++) {
        const PassStats *stats = &pipeline->stats[i];
        if (!stats->functions) continue;
        double seconds = stats->transform_seconds + stats->verify_seconds + stats->check_seconds;
        out_printf(out, "%-14s %9.4f %9.4f %9.4f %9.4f %6.1f\n", step_name(arena, i),
                   stats->transform_seconds, stats->verify_seconds, stats->check_seconds, seconds,
                   100 * seconds / total);
        sum += seconds;
    }
    arena_free(arena);
    return sum;
}

void time_report_print(Out *out, const Compiler *compiler, const Toolchain *toolchain) {
    const struct {
        const char *name;
        double seconds;
    } rows[] = {{"certificate", compiler->certificate_seconds},
                {"emission", compiler->pipeline.finished.transform_seconds + compiler->end_seconds},
                {"as", toolchain->assembler_seconds},
                {"linker", toolchain->linker_seconds}};
    double total = processor_seconds() + seconds_of_children();
    out_text(out, "seconds of processor time\n");
    out_printf(out, "%-14s %9s %9s %9s %9s %6s\n", "", "transform", "verify", "check", "together",
               "%");
    print_row(out, "front end", compiler->front_seconds, total);
    double sum = compiler->front_seconds + print_steps(out, &compiler->pipeline, total);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_row(out, rows[i].name, rows[i].seconds, total);
        sum += rows[i].seconds;
    }
    print_row(out, "rest", total - sum, total);
    print_row(out, "total", total, total);
}
