// -fprofile-use: the counts of a program become advice. A function has counters for the arcs
// outside of the spanning tree (lower_coverage.c); the counts of arcs on the tree follow, since as
// much goes into a block as comes out of it. Then each location of the function gets its number of
// runs (Program.runs). Locations go with nodes through all passes, also through inlined copies and
// inverted branches, and no checker looks at them. Nodes of one location in blocks that ran
// unequally often get locations of their own.
#include "c/instrument/lower_coverage.h"

#include <string.h>

// ---- Messages

static const char *version_text(Arena *arena, uint32_t version) {
    char text[5] = {0};
    for (int i = 0; i < 4; i++) {
        char c = (char)(version >> (24 - 8 * i) & 0xff);
        text[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    return arena_text(arena, text, 4);
}

static void tell_about_file(Lower *lower, ProfileState state, uint32_t version) {
    const char *path = lower->coverage->profile.path;
    if (state == PROFILE_NOT_ONE)
        pp_report(lower->pp, DIAG_WARNING, NULL, 0, 0, "'%s' is not a gcov data file", path);
    if (state == PROFILE_VERSION)
        pp_report(lower->pp, DIAG_WARNING, NULL, 0, 0,
                  "'%s' is version '%s', expected version 'B2x*' or 'B3x*'", path,
                  version_text(lower->scratch, version));
    if (state == PROFILE_DAMAGED)
        pp_report(lower->pp, DIAG_ERROR, NULL, 0, 0, "'%s' is corrupted", path);
}

void profile_begin(Lower *lower) {
    struct LowerCoverage *state = lower->coverage;
    if (!state->coverage->options.uses) return;
    char *text;
    size_t size;
    uint32_t version = 0;
    state->profile.path = state->coverage->counts_file;
    if (!read_file(lower->arena, state->profile.path, &text, &size)) return;
    ProfileState read = profile_read(&state->profile, lower->arena, text, size, &version);
    tell_about_file(lower, read, version);
}

static void report_function(Lower *lower, Warning warning, const Decl *func, const char *text) {
    pp_report(lower->pp, DIAG_WARNING, warning_name(warning), func->pos, func->name->length, "%s",
              text);
}

// Whether the counters of a function can belong to this one.
static bool fits(Lower *lower, const ProfileFunction *known, const CoverageFunction *function) {
    const Decl *func = lower->func;
    const char *name = func->name->text;
    Arena *scratch = lower->scratch;
    if (known->count != function->counters) {
        report_function(
            lower, WARN_COVERAGE_MISMATCH, func,
            arena_printf(scratch,
                         "number of counters in profile data for function '%s' does not "
                         "match its profile data (counter 'arcs', expected %u and have %u)",
                         name, known->count, function->counters));
        return false;
    }
    if (known->graph_checksum != function->graph_checksum) {
        report_function(lower, WARN_COVERAGE_MISMATCH, func,
                        arena_printf(scratch,
                                     "the control flow of function '%s' does not match its profile "
                                     "data (counter 'arcs')",
                                     name));
        return false;
    }
    if (known->line_checksum != function->line_checksum)
        report_function(lower, WARN_COVERAGE_MISMATCH, func,
                        arena_printf(scratch,
                                     "source locations for function '%s' have changed, the profile "
                                     "data may be out of date",
                                     name));
    return true;
}

void profile_unit(Lower *lower) {
    const struct LowerCoverage *state = lower->coverage;
    for (uint32_t i = 0; i < state->unknown.count; i++) {
        const UnknownFunction *unknown = &state->unknown.at[i];
        Sym symbol = program_find(lower->program, str_of(&lower->program->strings, unknown->name));
        bool there = symbol.i != NO_ID && program_at(lower->program, symbol)->func;
        if (!there || pp_presumed(lower->pp, unknown->func->pos).system) continue;
        const char *name = unknown->func->name->text, *path = state->profile.path;
        bool found = state->profile.found;
        report_function(
            lower, WARN_MISSING_PROFILE, unknown->func,
            found ? arena_printf(lower->scratch,
                                 "profile for function '%s' not found in profile data", name)
                  : arena_printf(lower->scratch, "'%s' profile count data file not found", path));
        if (!found) return;
    }
}

// ---- From counters to blocks

// The flow through the arcs of a function. Entry and exit count as one block, where what comes out
// goes in again.
typedef struct {
    const CoverageGraph *graph;
    uint64_t *flow;  // of each arc; what is negative came from counters that threads have spoilt
    bool *known;     // of each arc
    uint32_t *first; // of each block: the first in arcs_of, with one more at the end
    uint32_t *arcs_of;
    uint32_t *open; // of each block: how many arcs are not known
} ArcFlow;

static uint32_t flow_block(uint32_t block) {
    return block == COVERAGE_EXIT ? COVERAGE_ENTRY : block;
}

static uint64_t counter_at(const ProfileFunction *known, uint32_t number) {
    uint64_t value = 0;
    for (uint32_t i = 0; known->counters && i < 8; i++)
        value |= (uint64_t)known->counters[(size_t)number * 8 + i] << (8 * i);
    return value;
}

// Lists the arcs of each block, one from a block to itself twice.
static void list_arcs(ArcFlow *flow) {
    const CoverageGraph *graph = flow->graph;
    Arena *scratch = graph->scratch;
    uint32_t blocks = graph->first.count + 2, arcs = graph->arcs.count;
    flow->first = ARENA_ARRAY(scratch, uint32_t, (size_t)blocks + 1);
    flow->arcs_of = ARENA_ARRAY(scratch, uint32_t, (size_t)arcs * 2);
    flow->open = ARENA_ARRAY(scratch, uint32_t, blocks);
    uint32_t *next = ARENA_ARRAY(scratch, uint32_t, blocks);
    memset(flow->first, 0, ((size_t)blocks + 1) * sizeof *flow->first);
    memset(flow->open, 0, blocks * sizeof *flow->open);
    for (uint32_t i = 0; i < arcs; i++) {
        flow->first[flow_block(graph->arcs.at[i].from) + 1]++;
        flow->first[flow_block(graph->arcs.at[i].to) + 1]++;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        flow->first[b + 1] += flow->first[b];
        next[b] = flow->first[b];
    }
    for (uint32_t i = 0; i < arcs; i++) {
        uint32_t from = flow_block(graph->arcs.at[i].from), to = flow_block(graph->arcs.at[i].to);
        flow->arcs_of[next[from]++] = i;
        flow->arcs_of[next[to]++] = i;
        flow->open[from] += !flow->known[i];
        flow->open[to] += !flow->known[i];
    }
}

// The count of the only unknown arc of a block; its other end may have only one unknown arc now.
static uint32_t close_block(ArcFlow *flow, uint32_t block) {
    uint64_t in = 0, out = 0;
    uint32_t unknown = NO_ID;
    for (uint32_t k = flow->first[block]; k < flow->first[block + 1]; k++) {
        uint32_t i = flow->arcs_of[k];
        const GraphArc *arc = &flow->graph->arcs.at[i];
        if (!flow->known[i]) {
            unknown = i;
            continue;
        }
        if (flow_block(arc->from) == flow_block(arc->to)) continue; // out and in
        if (flow_block(arc->to) == block)
            in += flow->flow[i];
        else
            out += flow->flow[i];
    }
    const GraphArc *arc = &flow->graph->arcs.at[unknown];
    bool leaves = flow_block(arc->from) == block;
    flow->flow[unknown] = leaves ? in - out : out - in;
    flow->known[unknown] = true;
    uint32_t other = flow_block(leaves ? arc->to : arc->from);
    flow->open[block]--;
    return --flow->open[other] == 1 ? other : NO_ID;
}

// A tree has blocks with one arc until nothing is left of it.
static void solve(ArcFlow *flow, const ProfileFunction *known) {
    const CoverageGraph *graph = flow->graph;
    uint32_t blocks = graph->first.count + 2, number = 0;
    flow->flow = ARENA_ARRAY(graph->scratch, uint64_t, graph->arcs.count);
    flow->known = ARENA_ARRAY(graph->scratch, bool, graph->arcs.count);
    for (uint32_t i = 0; i < graph->arcs.count; i++) {
        flow->known[i] = !(graph->arcs.at[i].flags & ARC_ON_TREE);
        flow->flow[i] = flow->known[i] ? counter_at(known, number++) : 0;
    }
    list_arcs(flow);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t block = flow->open[b] == 1 ? b : NO_ID;
        while (block != NO_ID) block = close_block(flow, block);
    }
}

static uint64_t *count_blocks(const ArcFlow *flow) {
    const CoverageGraph *graph = flow->graph;
    uint32_t blocks = graph->first.count + 2;
    uint64_t *runs = ARENA_ARRAY(graph->scratch, uint64_t, blocks);
    memset(runs, 0, blocks * sizeof *runs);
    for (uint32_t i = 0; i < graph->arcs.count; i++) {
        uint64_t count = flow->flow[i] > INT64_MAX ? 0 : flow->flow[i];
        uint64_t *to = &runs[graph->arcs.at[i].to];
        *to = *to > INT64_MAX - count ? INT64_MAX : *to + count;
        if (graph->arcs.at[i].from == COVERAGE_ENTRY && !(graph->arcs.at[i].flags & ARC_FAKE))
            runs[COVERAGE_ENTRY] = count;
    }
    return runs;
}

// ---- From blocks to locations

typedef struct {
    Lower *lower;
    Map block_of; // location -> the block that has it
    Map own_of;   // location -> that of the block that is at work
} ProfileLocations;

// Gives a node a location that only its block has.
static void tell_node(ProfileLocations *locations, uint32_t block, uint64_t runs, uint32_t node) {
    Lower *lower = locations->lower;
    Instr *instr = &lower->f->nodes.at[node];
    if (!instr->loc) return;
    uint32_t first = map_get(&locations->block_of, instr->loc), known;
    uint64_t told;
    if (first == HASH_NONE) {
        map_set(lower->scratch, &locations->block_of, instr->loc, block);
        program_set_runs(lower->program, instr->loc, runs);
        return;
    }
    if (first == block || (program_runs(lower->program, instr->loc, &told) && told == runs)) return;
    uint64_t key = (uint64_t)block << 32 | instr->loc;
    known = map_get(&locations->own_of, key);
    if (known == HASH_NONE) {
        known = lower_location_like(lower, instr->loc);
        map_set(lower->scratch, &locations->own_of, key, known);
        program_set_runs(lower->program, known, runs);
    }
    instr->loc = known;
}

static void tell_locations(const CoverageGraph *graph, const uint64_t *runs) {
    ProfileLocations locations = {.lower = graph->lower};
    uint32_t entry = graph->lower->coverage->entry;
    for (uint32_t n = 0; n <= entry; n++) // nodes before the body
        tell_node(&locations, COVERAGE_ENTRY, runs[COVERAGE_ENTRY], n);
    for (uint32_t i = 0; i < graph->first.count; i++) {
        uint32_t node = graph->first.at[i], block = COVERAGE_EXIT + 1 + i;
        if (node == NO_ID) continue;
        for (uint32_t last = coverage_last_node(graph, node);;
             node = coverage_next_node(graph, node)) {
            tell_node(&locations, block, runs[block], node);
            if (node == last) break;
        }
    }
}

void profile_function(CoverageGraph *graph, const CoverageFunction *function) {
    Lower *lower = graph->lower;
    struct LowerCoverage *state = lower->coverage;
    if (!state->coverage->options.uses) return;
    const ProfileFunction *known = profile_find(&state->profile, function->ident);
    if (!known) {
        vec_push(lower->arena, &state->unknown,
                 (UnknownFunction){.name = function->name, .func = lower->func});
        return;
    }
    if (!fits(lower, known, function)) return;
    ArcFlow flow = {.graph = graph};
    solve(&flow, known);
    tell_locations(graph, count_blocks(&flow));
}
