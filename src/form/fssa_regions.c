// Finds the terms of each region of a functional function: depth-first, from each term to its
// operands, and from a name to the right side of the equation that defines the name.
#include "form/fssa.h"

typedef struct {
    uint32_t term;
    uint32_t next; // of its operands
} TermVisit;

enum { TERM_NEW = 0, TERM_OPEN, TERM_KNOWN };

typedef struct {
    const Func *func;
    const uint32_t *definitions;
    uint8_t *state;
    uint32_t *depth; // of each region
    FssaRegions regions;
} RegionSearch;

static uint32_t region_around(const Func *func, uint32_t region) {
    FssaLoop parent = func->fssa->loops.at[region - 1].parent;
    return parent.i == NO_ID ? 0 : parent.i + 1;
}

bool fssa_region_contains(const Func *func, uint32_t outer, uint32_t inner) {
    while (inner > outer) inner = region_around(func, inner);
    return inner == outer;
}

// The right side of the equation of a register; NO_ID if it has none.
static uint32_t right_side(const RegionSearch *s, Reg reg) {
    uint32_t equation = s->definitions[reg.i];
    return equation == NO_ID ? NO_ID : s->func->fssa->equations.at[equation].term.i;
}

// The operands of a term, by number. False if there is no more; NO_ID for what has no equation.
static bool term_reads(const RegionSearch *s, const FssaTermNode *node, uint32_t k,
                       uint32_t *read) {
    uint32_t operands = node->kind == FT_LOOP ? 1 : node->arg_count;
    if (node->kind == FT_NAME && k == 0) return *read = right_side(s, node->reg), true;
    if (k < operands) return *read = fssa_args(s->func, node)[k].i, true;
    if (node->kind != FT_EFFECT) return false;
    const Instr *instr = func_at(s->func, (Node){node->ref});
    if (k - operands >= instr->arg_count) return false;
    return *read = right_side(s, instr_args(s->func, instr)[k - operands]), true;
}

static uint32_t starting_region(const RegionSearch *s, const FssaTermNode *node) {
    if (node->kind == FT_LOOP) return node->loop.i + 1;
    return node->kind == FT_CLOSE ? region_around(s->func, node->loop.i + 1) : 0;
}

static void join_region(RegionSearch *s, uint32_t term, uint32_t read) {
    uint32_t *region = &s->regions.of[term], other = s->regions.of[read];
    FssaTermKind kind = (FssaTermKind)fssa_at(s->func, (FssaTerm){term})->kind;
    if (kind != FT_LOOP && kind != FT_CLOSE && s->depth[other] > s->depth[*region]) *region = other;
}

static void search_from(RegionSearch *s, Arena *arena, uint32_t start) {
    VEC(TermVisit) stack = {0};
    vec_push(arena, &stack, (TermVisit){.term = start});
    while (stack.count) {
        TermVisit *top = &stack.at[stack.count - 1];
        const FssaTermNode *node = fssa_at(s->func, (FssaTerm){top->term});
        uint32_t read;
        if (s->state[top->term] == TERM_NEW) s->regions.of[top->term] = starting_region(s, node);
        s->state[top->term] = TERM_OPEN;
        if (!term_reads(s, node, top->next, &read)) {
            s->state[top->term] = TERM_KNOWN;
            stack.count--;
        } else if (read == NO_ID) {
            top->next++;
        } else if (s->state[read] == TERM_NEW) {
            vec_push(arena, &stack, (TermVisit){.term = read});
        } else {
            if (s->state[read] == TERM_OPEN) s->regions.cycle.i = read;
            top->next++;
            join_region(s, top->term, read);
        }
    }
}

FssaRegions fssa_regions(Arena *arena, const Func *func) {
    const Fssa *fssa = func->fssa;
    RegionSearch s = {
        .func = func,
        .definitions = fssa_definitions(arena, func),
        .state = ARENA_ARRAY(arena, uint8_t, fssa->terms.count),
        .depth = ARENA_ARRAY(arena, uint32_t, fssa->loops.count + 1),
        .regions = {.of = ARENA_ARRAY(arena, uint32_t, fssa->terms.count), .cycle = NO_FSSA_TERM}};
    for (uint32_t i = 1; i <= fssa->loops.count; i++)
        s.depth[i] = s.depth[region_around(func, i)] + 1;
    for (uint32_t i = 0; i < fssa->terms.count; i++)
        if (s.state[i] == TERM_NEW) search_from(&s, arena, i);
    return s.regions;
}
