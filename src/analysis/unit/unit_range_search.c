// At first a claim has no value, but for objects with their initial contents. Functions give ranges
// to claims (check/unit/unit_ranges.h) as long as claims grow, on a work list. A claim that grows
// more than a few times becomes full, and is none any more. So each function is looked at a few
// times for each claim that it depends on.
#include "analysis/unit/unit_range_search.h"

#include "base/bits.h"
#include "check/unit/unit_ranges.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GROWTHS = 3 };

typedef struct {
    uint32_t function;
    uint32_t next; // for the same claim, or NO_ID
} RangeUser;

typedef struct {
    Arena *arena, *scratch;
    const Program *program;
    UnitMemory *unit;
    uint8_t *growths;   // of each claim
    uint32_t *users_at; // by what a range is of: the first function that reads it
    VEC(RangeUser) users;
    VEC(uint32_t) open; // functions
    Bits is_open, seen;
    bool dropped;
} RangeSearch;

// ---- Claims

static const Range no_range = {.low = 1};

static void add_claim(RangeSearch *s, uint32_t of, Range range) {
    s->unit->range_at[of] = s->unit->ranges.count;
    vec_push(s->arena, &s->unit->ranges, (UnitRange){of, range});
}

// A claim about the parameters of a function, if all calls of it are known, and about its result.
static void add_claims_of(RangeSearch *s, Sym function) {
    const Symbol *symbol = program_at(s->program, function);
    const SigInfo *sig = program_sig_info(s->program, symbol->sig);
    bool exposed = s->unit->effects.at[function.i].effects & UNIT_EXPOSED;
    for (uint32_t k = 0; !exposed && k < sig->fixed_count; k++)
        if (unit_type_of_ptype(s->program, sig->params[k]) != TYPE_VOID)
            add_claim(s, unit_of_param(s->unit, function, k), no_range);
    if (!(symbol->flags & (SYMF_NAKED | SYMF_NOIPA)) &&
        unit_type_of_ptype(s->program, sig->result) != TYPE_VOID)
        add_claim(s, unit_of_result(s->unit, function), no_range);
}

static void add_claims(RangeSearch *s, const bool *blurred) {
    Range start;
    for (uint32_t i = 0; i < s->program->symbols.count; i++) {
        const Symbol *symbol = &s->program->symbols.at[i];
        Sym at = {i};
        if (unit_has_claims(symbol)) add_claims_of(s, at);
        if (unit_family(s->unit, i) == UNIT_OPEN || blurred[i] ||
            unit_type_of_object(symbol) == TYPE_VOID || !unit_initial_range(s->program, at, &start))
            continue;
        start.defined = 0;
        add_claim(s, unit_of_object(s->unit, at), start);
    }
}

// ---- Work

static void push(RangeSearch *s, uint32_t function) {
    if (bits_put(&s->is_open, function)) vec_push(s->arena, &s->open, function);
}

static void push_users(RangeSearch *s, uint32_t of) {
    for (uint32_t i = s->users_at[of]; i != NO_ID; i = s->users.at[i].next)
        push(s, s->users.at[i].function);
}

static void add_user(RangeSearch *s, uint32_t of, uint32_t function) {
    uint32_t first = s->users_at[of];
    if (s->unit->range_at[of] == NO_ID ||
        (first != NO_ID && s->users.at[first].function == function))
        return;
    s->users_at[of] = s->users.count;
    vec_push(s->arena, &s->users, (RangeUser){function, first});
}

static void find_users(RangeSearch *s, Sym function) {
    const Func *func = program_at(s->program, function)->func;
    for (uint32_t k = 0; k < func->params.count; k++)
        add_user(s, unit_of_param(s->unit, function, k), function.i);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (unit_calls_own(s->program, instr))
            add_user(s, unit_of_result(s->unit, (Sym){instr->ref}), function.i);
        if (instr->kind == I_LOAD && instr->base == BASE_SYMBOL)
            add_user(s, unit_of_object(s->unit, (Sym){instr->ref}), function.i);
    }
}

static void drop_claim(RangeSearch *s, uint32_t of) {
    s->unit->range_at[of] = NO_ID;
    s->dropped = true;
}

static bool grow(void *context, Node node, uint32_t of, const Range *range) {
    RangeSearch *s = context;
    Range *claim = &s->unit->ranges.at[s->unit->range_at[of]].range, plain = *range;
    (void)node;
    plain.defined = 0;
    if (range_is_empty(&plain) || (!range_is_empty(claim) && range_contains(claim, &plain)))
        return true;
    *claim = range_is_empty(claim) ? plain : range_either(claim, &plain);
    Range full = range_full(64), narrow = range_full(32);
    bool is_full = range_contains(claim, &full) ||
                   (claim->high == narrow.high && range_contains(claim, &narrow));
    if (is_full || s->growths[of]++ == MOST_GROWTHS) drop_claim(s, of);
    push_users(s, of);
    return true;
}

// Whether a function may be called, as far as is known now.
static bool is_called(const RangeSearch *s, Sym function) {
    const SigInfo *sig = program_sig_info(s->program, program_at(s->program, function)->sig);
    for (uint32_t k = 0; k < sig->fixed_count; k++) {
        const Range *claim = unit_range(s->unit, unit_of_param(s->unit, function, k));
        if (claim && range_is_empty(claim)) return false;
    }
    return true;
}

static void run(RangeSearch *s) {
    while (s->open.count) {
        uint32_t function = vec_pop(&s->open);
        bits_remove(&s->is_open, function);
        if (!is_called(s, (Sym){function})) continue;
        bits_add(&s->seen, function);
        arena_reset(s->scratch);
        unit_gives_of(s->scratch, s->program->symbols.at[function].func, grow, s);
    }
}

// What has no value after all: functions that nobody calls, results of functions that do not
// return.
static void drop_empty(RangeSearch *s) {
    for (uint32_t of = 0; of < unit_of_count(s->unit); of++) {
        const Range *claim = unit_range(s->unit, of);
        if (!claim || !range_is_empty(claim)) continue;
        drop_claim(s, of);
        push_users(s, of);
    }
}

// ---- In the end

// The order in which registers are looked at may make a range smaller than the checker finds it.
static bool keep(void *context, Node node, uint32_t of, const Range *range) {
    RangeSearch *s = context;
    Range plain = *range;
    (void)node;
    plain.defined = 0;
    if (!range_contains(unit_range(s->unit, of), &plain)) drop_claim(s, of);
    return true;
}

static void drop_wrong(RangeSearch *s) {
    do {
        s->dropped = false;
        for (uint32_t i = 0; i < s->program->symbols.count; i++) {
            if (!unit_has_claims(&s->program->symbols.at[i])) continue;
            arena_reset(s->scratch);
            unit_gives_of(s->scratch, s->program->symbols.at[i].func, keep, s);
        }
    } while (s->dropped);
}

static int by_thing(const void *a, const void *b) {
    const UnitRange *x = a, *y = b;
    return x->of < y->of ? -1 : x->of > y->of;
}

static void write_claims(RangeSearch *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->unit->ranges.count; i++) {
        UnitRange range = s->unit->ranges.at[i];
        if (s->unit->range_at[range.of] == i) s->unit->ranges.at[kept++] = range;
    }
    s->unit->ranges.count = kept;
    if (kept) qsort(s->unit->ranges.at, kept, sizeof *s->unit->ranges.at, by_thing);
    for (uint32_t i = 0; i < kept; i++) s->unit->range_at[s->unit->ranges.at[i].of] = i;
}

void unit_find_ranges(Arena *arena, const Program *program, UnitMemory *unit, const bool *blurred) {
    uint32_t things = unit_of_count(unit), symbols = program->symbols.count;
    RangeSearch s = {.arena = arena,
                     .scratch = arena_new("ranges"),
                     .program = program,
                     .unit = unit,
                     .growths = ARENA_ARRAY(arena, uint8_t, (size_t)things + 1),
                     .users_at = ARENA_ARRAY(arena, uint32_t, (size_t)things + 1),
                     .is_open = bits_new(arena, symbols),
                     .seen = bits_new(arena, symbols)};
    memset(s.users_at, 0xff, things * sizeof *s.users_at);
    add_claims(&s, blurred);
    for (uint32_t i = symbols; i-- > 0;) {
        if (!unit_has_claims(&program->symbols.at[i])) continue;
        find_users(&s, (Sym){i});
        push(&s, i);
    }
    run(&s);
    for (uint32_t i = 0; i < symbols; i++)
        if (unit_has_claims(&program->symbols.at[i]) && !bits_has(&s.seen, i)) push(&s, i);
    drop_empty(&s);
    run(&s);
    drop_wrong(&s);
    write_claims(&s);
    arena_free(s.scratch);
}
