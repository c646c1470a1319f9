// Finds claims about the memory of a unit.
//
// The first claims are the most hopeful: every object that may be hidden is, every parameter is
// plain, and no function does anything. One look at each function, with these claims, collects all
// needs. Then the needs are settled: first, which objects and parameters are exposed after all and
// what is done by parameters; then the families of the objects; in the end what functions do, along
// calls. Each of these only grows, on a work list. Linear in the number of needs, times the number
// of bits.
#include "analysis/unit/unit_facts.h"

#include "analysis/unit/unit_range_search.h"
#include "base/bits.h"
#include "base/hash.h"
#include "check/unit/unit_needs.h"

#include <stdlib.h>
#include <string.h>

// What a parameter leads to; the function's frame stands for all of its slots.
typedef enum { OF_NOTHING, OF_SYMBOL, OF_PARAM, OF_FRAME } TargetKind;

typedef struct {
    uint32_t param; // the callee's, in UnitMemory.params
    uint32_t function;
    TargetKind kind; // of what is passed
    uint32_t target; // a symbol or a parameter
    bool exact;
    uint32_t next; // for the same parameter, or NO_ID
} Passing;

typedef struct {
    uint32_t function, symbol;
    Effects effects;
} SymbolAccess;

typedef struct {
    uint32_t function, param;
    Effects effects;
} AccessByParam;

typedef struct {
    uint32_t caller, next;
} CallEdge;

typedef struct {
    Arena *arena;
    Program *program;
    UnitMemory *unit;
    const Func *func; // at hand
    Arena *scratch;   // for one function
    bool useful;      // there is a hidden object, or a call of a function of the unit
    uint32_t anybody; // the number of the unknown function, behind the symbols
    bool *hopeless;   // symbol -> its address is used
    VEC(Passing) passings;
    uint32_t *passed_at; // parameter -> its first passing
    VEC(uint32_t) open;  // parameters, or functions
    Bits is_open;
    VEC(SymbolAccess) accesses;
    VEC(CallEdge) calls;
    uint32_t *callers;  // function -> the first call of it
    uint32_t *unranked; // function -> calls of functions without a depth
    uint32_t *least;    // function -> the least depth that it may have
    VEC(AccessByParam) param_accesses;
    UnitEffect *effect; // function, or anybody
    bool *blurred;      // symbol -> it is written by an address
} FactSearch;

// ---- Needs

static void do_effects(FactSearch *s, uint32_t function, Effects effects) {
    s->effect[function].effects |= effects;
}

static Effects shared_of(Effects effects) {
    return (effects & MAY_READ ? MAY_READ_SHARED : 0) |
           (effects & MAY_WRITE ? MAY_WRITE_SHARED : 0);
}

static void change_param(FactSearch *s, uint32_t param, uint32_t bits) {
    uint8_t *has = &s->unit->params.at[param];
    if (*has == (uint8_t)bits) return;
    *has = (uint8_t)bits;
    if (bits_put(&s->is_open, param)) vec_push(s->arena, &s->open, param);
}

static void expose(FactSearch *s, TargetKind kind, uint32_t target, uint32_t function) {
    if (kind == OF_SYMBOL) s->hopeless[target] = true;
    if (kind == OF_PARAM) change_param(s, target, 0);
    if (kind == OF_FRAME) do_effects(s, function, UNIT_FRAME_KNOWN);
}

static void add_param_bits(FactSearch *s, uint32_t param, uint32_t bits) {
    if (s->unit->params.at[param] & UNIT_PLAIN)
        change_param(s, param, s->unit->params.at[param] | bits);
}

static uint32_t bits_of_effects(Effects effects) {
    return (effects & MAY_READ ? UNIT_READ : 0) | (effects & MAY_WRITE ? UNIT_WRITTEN : 0);
}

static TargetKind target_of(const FactSearch *s, UnitObject object, uint32_t *target) {
    uint32_t symbols = s->program->symbols.count, slots = s->func->slots.count;
    *target = object;
    if (object == NO_ID) return OF_NOTHING;
    if (object < symbols) return OF_SYMBOL;
    if (object < symbols + slots) return OF_FRAME;
    *target = s->unit->params_at[s->func->symbol.i] + (object - symbols - slots);
    return OF_PARAM;
}

static void note_access(FactSearch *s, TargetKind kind, uint32_t target, Effects effects) {
    uint32_t function = s->func->symbol.i;
    SymbolAccess access = {.function = function, .symbol = target, .effects = effects};
    if (kind == OF_NOTHING) do_effects(s, function, shared_of(effects));
    if (kind == OF_PARAM) add_param_bits(s, target, bits_of_effects(effects));
    AccessByParam by_param = {.function = function, .param = target, .effects = effects};
    if (kind == OF_PARAM) vec_push(s->arena, &s->param_accesses, by_param);
    if (kind == OF_SYMBOL) vec_push(s->arena, &s->accesses, access);
}

static void note_passing(FactSearch *s, const UnitNeed *need, TargetKind kind, uint32_t target) {
    uint32_t param = s->unit->params_at[need->callee.i] + need->param;
    Passing passing = {.param = param,
                       .function = s->func->symbol.i,
                       .kind = kind,
                       .target = target,
                       .exact = need->exact,
                       .next = s->passed_at[param]};
    s->passed_at[param] = s->passings.count;
    vec_push(s->arena, &s->passings, passing);
}

static void note_call(FactSearch *s, uint32_t callee) {
    CallEdge edge = {.caller = s->func->symbol.i, .next = s->callers[callee]};
    s->callers[callee] = s->calls.count;
    vec_push(s->arena, &s->calls, edge);
    s->unranked[edge.caller]++;
    if (callee == s->anybody) do_effects(s, edge.caller, UNIT_EFFECTS);
    s->useful |= callee != s->anybody;
}

static bool collect(void *context, const UnitNeed *need) {
    FactSearch *s = context;
    uint32_t target;
    TargetKind kind = target_of(s, need->object, &target);
    switch (need->kind) {
    case UNIT_EXPOSES: expose(s, kind, target, s->func->symbol.i); break;
    case UNIT_ACCESSES:
        if (kind == OF_SYMBOL && need->effects & MAY_WRITE && !need->named)
            s->blurred[target] = true;
        note_access(s, kind, target, need->effects);
        break;
    case UNIT_YIELDS:
        if (kind != OF_SYMBOL || s->effect[s->func->symbol.i].yields != target + 1)
            expose(s, kind, target, s->func->symbol.i);
        break;
    case UNIT_PASSES: note_passing(s, need, kind, target); break;
    case UNIT_COMPARES:
        if (kind == OF_PARAM) add_param_bits(s, target, UNIT_COMPARED);
        break;
    case UNIT_CALLS: note_call(s, need->callee.i == NO_ID ? s->anybody : need->callee.i); break;
    case UNIT_TAKES: do_effects(s, need->callee.i, UNIT_EXPOSED); break;
    case UNIT_DOES: do_effects(s, s->func->symbol.i, need->effects); break;
    }
    return true;
}

// A parameter that is used as a number is no address: an operand of other operators than sums, what
// is added to something, an index.
static bool is_used_as_number(const Func *func, const Instr *instr, Reg param) {
    bool sum = instr->kind == I_OP && (instr->op == OP_ADD_I64 || instr->op == OP_SUB_I64);
    bool other = instr->kind == I_OP && !sum && instr->op != OP_MOVE_I64 &&
                 instr->op != OP_EQ_I64 && instr->op != OP_NE_I64;
    uint32_t first = sum ? 1 : 0, end = instr->arg_count;
    if (instr_has_address(instr)) {
        first = instr->base == BASE_REG;
        end = first + (instr->scale != 0);
    } else if (!sum && !other) {
        return false;
    }
    for (uint32_t k = first; k < end; k++)
        if (instr_args(func, instr)[k].i == param.i) return true;
    return false;
}

static void find_numbers(FactSearch *s) {
    const Func *func = s->func;
    uint32_t at = s->unit->params_at[func->symbol.i];
    uint32_t *param_of = ARENA_ARRAY(s->scratch, uint32_t, (size_t)func->regs.count + 1);
    for (uint32_t k = 0; k < func->params.count; k++) param_of[func->params.at[k].i] = k + 1;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++) {
            Reg reg = instr_args(func, instr)[k];
            if (param_of[reg.i] && is_used_as_number(func, instr, reg))
                change_param(s, at + param_of[reg.i] - 1, 0);
        }
    }
}

// The only object that may be hidden and whose address a function names, or gets from a call, plus
// one; or 0.
static uint32_t object_named(const FactSearch *s, const Func *func) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        Sym object = unit_yielded(s->program, instr);
        if (instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL) object.i = instr->ref;
        if (object.i == NO_ID || unit_family(s->unit, object.i) == UNIT_OPEN ||
            found == object.i + 1)
            continue;
        if (found) return 0;
        found = object.i + 1;
    }
    return found;
}

// Functions may yield the address of a hidden object.
static void find_yielded(FactSearch *s) {
    for (uint32_t i = 0; i < s->program->symbols.count; i++) {
        const Symbol *symbol = &s->program->symbols.at[i];
        if (!unit_has_claims(symbol) || s->effect[i].effects & UNIT_EXPOSED ||
            program_sig_info(s->program, symbol->sig)->result.i != PTYPE_OF(TYPE_I64).i)
            continue;
        s->effect[i].yields = s->unit->effects.at[i].yields = object_named(s, symbol->func);
    }
}

// But not to others.
static void settle_yielded(FactSearch *s) {
    for (uint32_t i = 0; i < s->program->symbols.count; i++) {
        UnitEffect *effect = &s->effect[i];
        if (!effect->yields || !(effect->effects & UNIT_EXPOSED)) continue;
        s->hopeless[effect->yields - 1] = true;
        effect->yields = 0;
    }
}

static void collect_all(FactSearch *s) {
    s->scratch = arena_new("unit");
    find_yielded(s);
    find_yielded(s); // of what other functions yield
    for (uint32_t i = 0; i < s->program->symbols.count; i++) {
        const Symbol *symbol = &s->program->symbols.at[i];
        if (!unit_has_claims(symbol)) continue;
        arena_reset(s->scratch);
        s->func = symbol->func;
        find_numbers(s);
        unit_needs_of(s->scratch, s->func, collect, s);
    }
    arena_free(s->scratch);
}

// ---- Parameters

// A parameter has changed: so does what is passed to it.
static void settle_passing(FactSearch *s, const Passing *passing) {
    uint32_t bits = s->unit->params.at[passing->param];
    Effects effects = (bits & UNIT_READ ? MAY_READ : 0) | (bits & UNIT_WRITTEN ? MAY_WRITE : 0);
    uint32_t access = bits & (UNIT_READ | UNIT_WRITTEN | UNIT_COMPARED);
    if (!(bits & UNIT_PLAIN) || (bits & UNIT_COMPARED && !passing->exact))
        expose(s, passing->kind, passing->target, passing->function);
    else if (passing->kind == OF_PARAM)
        add_param_bits(s, passing->target, access);
    if (passing->kind == OF_NOTHING) do_effects(s, passing->function, shared_of(effects));
}

static void settle_params(FactSearch *s) {
    while (s->open.count) {
        uint32_t param = vec_pop(&s->open);
        bits_remove(&s->is_open, param);
        for (uint32_t i = s->passed_at[param]; i != NO_ID; i = s->passings.at[i].next)
            settle_passing(s, &s->passings.at[i]);
    }
    // What is passed to a plain parameter is accessed by the call.
    for (uint32_t i = 0; i < s->passings.count; i++) {
        const Passing *passing = &s->passings.at[i];
        uint32_t bits = s->unit->params.at[passing->param];
        SymbolAccess access = {.function = passing->function, .symbol = passing->target};
        if (bits & UNIT_READ) access.effects |= MAY_READ;
        if (bits & UNIT_WRITTEN) access.effects |= MAY_WRITE;
        AccessByParam by_param = {passing->function, passing->target, access.effects};
        if (passing->kind == OF_SYMBOL) vec_push(s->arena, &s->accesses, access);
        if (passing->kind == OF_SYMBOL && bits & UNIT_WRITTEN) s->blurred[passing->target] = true;
        if (passing->kind == OF_PARAM) vec_push(s->arena, &s->param_accesses, by_param);
    }
}

// ---- Classes

enum { FAMILY_UNWRITTEN, FAMILY_UNREAD, FAMILY_OTHERS, FIRST_FAMILY };

typedef struct {
    bool read, written, passed;
    uint64_t writers; // a hash of the functions that write it
    uint32_t last;    // the last one, + 1
    uint32_t uses;
} ObjectUse;

static ObjectUse *find_uses(FactSearch *s) {
    ObjectUse *uses = ARENA_ARRAY(s->arena, ObjectUse, s->program->symbols.count);
    for (uint32_t i = 0; i < s->accesses.count; i++) {
        const SymbolAccess *access = &s->accesses.at[i];
        ObjectUse *use = &uses[access->symbol];
        use->read |= (access->effects & MAY_READ) != 0;
        use->uses++;
        if (!(access->effects & MAY_WRITE)) continue;
        use->written = true;
        if (use->last != access->function + 1) use->writers += hash_mix(access->function + 1);
        use->last = access->function + 1;
    }
    for (uint32_t i = 0; i < s->passings.count; i++)
        if (s->passings.at[i].kind == OF_SYMBOL) uses[s->passings.at[i].target].passed = true;
    return uses;
}

// Objects that the same functions write have one family. There are few families: all other objects
// share one.
static void find_families(FactSearch *s) {
    ObjectUse *uses = find_uses(s);
    uint64_t writers[UNIT_FAMILIES];
    uint32_t count = FIRST_FAMILY;
    for (uint32_t i = 0; i < s->program->symbols.count; i++) {
        uint8_t *family = &s->unit->family_of.at[i];
        if (*family == UNIT_OPEN) continue;
        uint64_t key = uses[i].writers * 2 + uses[i].passed;
        uint32_t found = FIRST_FAMILY;
        while (found < count && writers[found] != key) found++;
        if (s->hopeless[i])
            *family = UNIT_OPEN;
        else if (!uses[i].written)
            *family = FAMILY_UNWRITTEN;
        else if (!uses[i].read)
            *family = FAMILY_UNREAD;
        else if (found == UNIT_FAMILIES)
            *family = FAMILY_OTHERS;
        else
            *family = (uint8_t)found;
        if (*family != UNIT_OPEN && found == count && *family == found) writers[count++] = key;
    }
}

static void touch(UnitEffect *effect, UnitSet families, Effects effects) {
    if (effects & MAY_WRITE) effect->writes |= families;
    if (effects & MAY_READ) effect->reads |= families;
}

static void access_families(FactSearch *s) {
    UnitMemory *unit = s->unit;
    for (uint32_t i = 0; i < s->accesses.count; i++) {
        const SymbolAccess *access = &s->accesses.at[i];
        uint32_t family = unit_family(unit, access->symbol);
        if (family == UNIT_OPEN)
            do_effects(s, access->function, shared_of(access->effects));
        else
            touch(&s->effect[access->function], (UnitSet)1 << family, access->effects);
    }
    for (uint32_t i = 0; i < s->passings.count; i++) {
        const Passing *passing = &s->passings.at[i];
        if (passing->kind != OF_SYMBOL || unit_family(unit, passing->target) == UNIT_OPEN) continue;
        UnitSet family = (UnitSet)1 << unit_family(unit, passing->target);
        if (unit->params.at[passing->param] & UNIT_READ) unit->passed_read |= family;
        if (unit->params.at[passing->param] & UNIT_WRITTEN) unit->passed_written |= family;
    }
    // A parameter that is not plain after all is the address of anything.
    for (uint32_t i = 0; i < s->param_accesses.count; i++) {
        const AccessByParam *access = &s->param_accesses.at[i];
        UnitEffect *effect = &s->effect[access->function];
        if (!(unit->params.at[access->param] & UNIT_PLAIN))
            do_effects(s, access->function, shared_of(access->effects));
        touch(effect, unit->passed_written, access->effects & MAY_WRITE);
        touch(effect, unit->passed_read, access->effects & MAY_READ);
    }
}

// ---- Functions

static bool add_effect(UnitEffect *to, const UnitEffect *from) {
    UnitEffect was = *to;
    to->writes |= from->writes;
    to->reads |= from->reads;
    to->effects |= from->effects & UNIT_EFFECTS;
    return to->writes != was.writes || to->reads != was.reads || to->effects != was.effects;
}

static void push_function(FactSearch *s, Bits *open, uint32_t function) {
    if (bits_put(open, function)) vec_push(s->arena, &s->open, function);
}

static void settle_effects(FactSearch *s) {
    uint32_t count = s->anybody + 1;
    Bits open = bits_new(s->arena, count);
    for (uint32_t i = 0; i < count; i++) push_function(s, &open, i);
    while (s->open.count) {
        uint32_t function = vec_pop(&s->open);
        bits_remove(&open, function);
        const UnitEffect *effect = &s->effect[function];
        if (effect->effects & UNIT_EXPOSED && function != s->anybody &&
            add_effect(&s->effect[s->anybody], effect))
            push_function(s, &open, s->anybody);
        for (uint32_t i = s->callers[function]; i != NO_ID; i = s->calls.at[i].next)
            if (add_effect(&s->effect[s->calls.at[i].caller], effect))
                push_function(s, &open, s->calls.at[i].caller);
    }
}

// Functions whose calls all have a depth have one, too.
static void find_depths(FactSearch *s) {
    vec_clear(&s->open);
    for (uint32_t i = 0; i < s->program->symbols.count; i++)
        if (unit_has_claims(&s->program->symbols.at[i]) && !s->unranked[i]) {
            s->effect[i].depth = 1;
            vec_push(s->arena, &s->open, i);
        }
    while (s->open.count) {
        uint32_t callee = vec_pop(&s->open), depth = s->effect[callee].depth;
        for (uint32_t i = s->callers[callee]; i != NO_ID; i = s->calls.at[i].next) {
            uint32_t caller = s->calls.at[i].caller;
            uint32_t *least = &s->least[caller];
            if (*least <= depth) *least = depth + 1;
            if (--s->unranked[caller]) continue;
            s->effect[caller].depth = *least;
            vec_push(s->arena, &s->open, caller);
        }
    }
}

// ---- All of it

static FactSearch search_of(Arena *arena, Program *program) {
    uint32_t symbols = program->symbols.count, count = symbols + 1;
    FactSearch s = {.arena = arena,
                    .program = program,
                    .unit = ARENA_NEW(arena, UnitMemory),
                    .anybody = symbols,
                    .hopeless = ARENA_ARRAY(arena, bool, count),
                    .blurred = ARENA_ARRAY(arena, bool, count),
                    .callers = ARENA_ARRAY(arena, uint32_t, count),
                    .unranked = ARENA_ARRAY(arena, uint32_t, count),
                    .least = ARENA_ARRAY(arena, uint32_t, count)};
    UnitMemory *unit = s.unit;
    uint8_t *family_of = vec_extend(arena, &unit->family_of, symbols);
    UnitEffect *effects = vec_extend(arena, &unit->effects, symbols);
    uint32_t params = 0;
    Bits used = unit_used_symbols(arena, program);
    for (uint32_t i = 0; i < symbols; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        bool hidden = unit_may_be_hidden(symbol) && !bits_has(&used, i);
        family_of[i] = hidden ? 0 : UNIT_OPEN;
        s.useful |= hidden;
        effects[i] = (UnitEffect){0};
        if (!unit_has_claims(symbol)) continue;
        params += program_sig_info(program, symbol->sig)->fixed_count;
        if (symbol_is_root(symbol) || bits_has(&used, i)) effects[i].effects = UNIT_EXPOSED;
        if (!(symbol->flags & SYMF_NOIPA)) continue;
        effects[i].effects = UNIT_EXPOSED | UNIT_EFFECTS;
        effects[i].writes = effects[i].reads = ~(UnitSet)0;
        s.unranked[i] = 1; // it has no depth
    }
    if (params) memset(vec_extend(arena, &unit->params, params), UNIT_PLAIN, params);
    memset(s.callers, 0xff, count * sizeof *s.callers);
    s.passed_at = ARENA_ARRAY(arena, uint32_t, (size_t)params + 1);
    memset(s.passed_at, 0xff, params * sizeof *s.passed_at);
    s.is_open = bits_new(arena, params + 1);
    s.effect = ARENA_ARRAY(arena, UnitEffect, count);
    if (symbols) memcpy(s.effect, effects, symbols * sizeof *effects);
    return s;
}

UnitMemory *unit_facts_of(Arena *arena, Program *program) {
    FactSearch s = search_of(arena, program);
    if (!unit_memory_index(arena, program, s.unit)) return NULL;
    program->unit = s.unit;
    collect_all(&s);
    settle_params(&s);
    settle_yielded(&s);
    find_families(&s);
    access_families(&s);
    settle_effects(&s);
    find_depths(&s);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        s.unit->effects.at[i] = s.effect[i];
        uint32_t *yields = &s.unit->effects.at[i].yields;
        if (*yields && unit_family(s.unit, *yields - 1) == UNIT_OPEN) *yields = 0;
    }
    unit_find_ranges(arena, program, s.unit, s.blurred);
    program->unit = NULL;
    return s.useful ? s.unit : NULL;
}
