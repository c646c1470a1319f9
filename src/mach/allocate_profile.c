// The frequencies of blocks in a program that counted its runs (Program.runs), in place of the
// estimate.
//
// Each instruction has a location, and the number of runs of a location may be known. Copies of
// bodies have the counts of all calls. So control comes to a block at most as often as to its
// predecessors. The header of a loop is an exception: for each time that it is entered, it goes
// round as often as it did in all. A block without counts has, compared with the previous block,
// the frequency of the estimate.
#include "analysis/block_runs.h"
#include "fact/effects.h"
#include "mach/allocate_private.h"

static const float LEAST = 1.0f / 64, MOST = 1e12f;

static bool may_move(const MachInstr *instr) {
    return instr->kind == MK_PARAMS ||
           !(mach_kind_ends(instr->kind) || mach_has(instr, MACH_BUILTIN) ||
             mach_effects(instr) & (MAY_WRITE | MAY_WRITE_SHARED));
}

// How often a block ran; false if that is not known.
static bool block_runs(const Func *func, uint32_t b, uint64_t *runs) {
    const MachBlock *block = mach_block(func, b);
    BlockRuns seen = {.fixed = UINT64_MAX};
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const MachInstr *instr = mach_at(func, i);
        uint64_t ran;
        if (instr->kind != MK_MOVE && instr->kind != MK_JUMP &&
            program_runs(func->program, instr->loc, &ran))
            block_runs_add(&seen, ran, may_move(instr));
    }
    return block_runs_told(&seen, runs);
}

// The frequency that comes into a block from blocks seen before.
typedef struct {
    double ran, frequency, estimate; // of the blocks before it
} Incoming;

static Incoming incoming(const Allocator *a, const Graph *graph, const double *ran,
                         const float *estimate, uint32_t k) {
    Incoming sum = {0};
    uint32_t b = graph->order[k];
    for (uint32_t e = graph->pred_at[b]; e < graph->pred_at[b + 1]; e++) {
        uint32_t pred = graph->pred[e];
        if (graph->number[pred] >= k) continue;
        sum.ran += ran[pred];
        sum.frequency += a->frequency[pred];
        sum.estimate += estimate[pred];
    }
    return sum;
}

void allocate_profile(Allocator *a, const Graph *graph, const LoopForest *forest) {
    uint64_t runs, start = 0;
    if (!a->func->program->runs.count || !graph->reached) return;
    for (uint32_t k = 0; k < graph->reached && !start; k++)
        if (block_runs(a->func, graph->order[k], &runs)) start = runs;
    if (!start) return; // it never ran
    uint32_t count = graph->count;
    double *ran = ARENA_ARRAY(a->arena, double, count);
    float *estimate = ARENA_ARRAY(a->arena, float, count);
    for (uint32_t b = 0; b < count; b++) estimate[b] = a->frequency[b];
    for (uint32_t k = 0; k < graph->reached; k++) {
        uint32_t b = graph->order[k], loop = forest->innermost[b];
        bool header = loop != NO_ID && forest->loops[loop].header == b;
        Incoming in = incoming(a, graph, ran, estimate, k);
        bool known = block_runs(a->func, b, &runs);
        double share = in.estimate > 0 ? estimate[b] / in.estimate : 1;
        ran[b] = known ? (double)runs : k ? in.ran * share : (double)start;
        double frequency = ran[b] / (double)start;
        if (k && header && in.ran > 0)
            frequency = ran[b] * (in.frequency / in.ran);
        else if (k && !header && frequency > in.frequency)
            frequency = in.frequency;
        if (frequency < LEAST) frequency = LEAST;
        a->frequency[b] = frequency > MOST ? MOST : (float)frequency;
    }
}
