#include "fact/slice/slice_calls.h"

#include "fact/effects.h"
#include "fact/slice/slice_library.h"

const char *slice_world_name(SliceWorld variable) {
    static const char *const names[] = {
#define SLICE_WORLD(id, name) name,
        SLICE_WORLD_LIST(SLICE_WORLD)
#undef SLICE_WORLD
    };
    return names[variable];
}

static const SliceCallEffect anything = {SLICE_EVERYTHING, SLICE_EVERYTHING, true};

static SliceWorldSet one(SliceWorld variable) {
    return (SliceWorldSet)1 << variable;
}

// ---- Instructions

SliceCallEffect slice_instr_effect(const Instr *instr) {
    Effects effects = instr_effects(instr);
    SliceCallEffect result = {0};
    result.leaves = instr->kind == I_BUILTIN && effects & MAY_STOP && !(effects & MAY_GO_WRONG);
    if (instr->kind == I_RETURN || instr_ends(instr)) return result;
    if (instr->kind == I_BUILTIN && effects & MAY_STOP) return anything;
    if (effects & MAY_READ_SHARED) result.reads |= one(SLICE_MEMORY);
    if (effects & MAY_WRITE_SHARED) result.may_set |= one(SLICE_MEMORY);
    SliceWorldSet both = (effects & MAY_BE_EVENT ? one(SLICE_VOLATILE) : 0) |
                         (effects & USES_MACHINE ? one(SLICE_MACHINE) : 0);
    result.reads |= both;
    result.may_set |= both;
    return result;
}

static bool is_floating(Type type) {
    return type == TYPE_F32 || type == TYPE_F64 || type == TYPE_F80;
}

SliceCallEffect slice_node_effect(const SliceCalls *calls, const Func *func, const Instr *instr) {
    SliceCallEffect effect = slice_instr_effect(instr);
    bool computes = instr->kind == I_OP || instr->kind == I_BUILTIN || instr->kind == I_COND;
    if (!calls || !calls->floating || !computes) return effect;
    const Reg *args = instr_args(func, instr);
    bool floating = instr->dest.i != NO_ID && is_floating(reg_type(func, instr->dest));
    for (uint32_t k = 0; k < instr->arg_count; k++)
        floating |= is_floating(reg_type(func, args[k]));
    if (!floating || (instr->kind == I_OP && !instr->arg_count)) return effect;
    effect.reads |= one(SLICE_INPUT);
    effect.may_set |= one(SLICE_INPUT);
    return effect;
}

// ---- Functions

typedef struct {
    SliceCalls *calls;
    Arena *arena;
    VEC(uint32_t) work; // functions whose callers have to learn their effects
    uint32_t *next;     // call -> another one of the same callee
    uint32_t *first;    // function -> a call of it
    VEC(uint32_t) callers;
} CallSummary;

static bool body_counts(const Symbol *symbol) {
    return symbol->func && symbol->alias.i == NO_ID && !symbol_is_replaceable(symbol);
}

static void join_effect(CallSummary *summary, uint32_t symbol, SliceCallEffect more) {
    SliceCallEffect *effect = &summary->calls->of[symbol];
    if ((effect->reads | more.reads) == effect->reads &&
        (effect->may_set | more.may_set) == effect->may_set && (effect->leaves || !more.leaves))
        return;
    effect->reads |= more.reads;
    effect->may_set |= more.may_set;
    effect->leaves |= more.leaves;
    vec_push(summary->arena, &summary->work, symbol);
}

// The visible effect of an access. Reads of read-only objects do not count.
static SliceCallEffect access_effect(const Places *places, const Func *func, const Instr *instr) {
    Effects effects = instr_effects(instr);
    SliceCallEffect result = {0};
    if (!(effects & (MAY_READ | MAY_WRITE))) return result;
    uint32_t reads = effects & MAY_READ ? 1 : 0, writes = effects & MAY_WRITE ? 1 : 0;
    uint64_t size = (uint64_t)instr->imm;
    for (uint32_t k = 0; k < reads + writes; k++) {
        bool write = k < writes;
        MemBytes bytes = instr_has_address(instr)
                             ? places_moved(places, func, instr)
                             : places_behind(places, func, instr->arg[k], size);
        if (bytes.base == BASE_SLOT) continue;
        if (bytes.base == BASE_SYMBOL && !write &&
            program_at(func->program, (Sym){bytes.ref})->flags & SYMF_CONST)
            continue;
        if (write)
            result.may_set |= one(SLICE_MEMORY);
        else
            result.reads |= one(SLICE_MEMORY);
    }
    return result;
}

// The effects of a function itself; its calls are noted.
static void summarize(CallSummary *summary, const Func *func, Arena *scratch) {
    Places places = places_of(scratch, func);
    uint32_t symbol = func->symbol.i;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_CALL) {
            join_effect(summary, symbol, slice_node_effect(summary->calls, func, instr));
            join_effect(summary, symbol, access_effect(&places, func, instr));
            continue;
        }
        bool direct = instr->ref != NO_ID;
        join_effect(summary, symbol, slice_call_effect(summary->calls, func, places.values, instr));
        if (direct && body_counts(program_at(func->program, (Sym){instr->ref})))
            vec_push(summary->arena, &summary->callers, symbol);
    }
}

// Calls of functions with bodies, in the order in which they were noted, by callee.
static void index_calls(CallSummary *summary) {
    const Program *program = summary->calls->program;
    uint32_t symbols = program->symbols.count, call = 0;
    summary->first = ARENA_ARRAY(summary->arena, uint32_t, symbols);
    summary->next = ARENA_ARRAY(summary->arena, uint32_t, summary->callers.count);
    for (uint32_t i = 0; i < symbols; i++) summary->first[i] = NO_ID;
    for (uint32_t i = 0; i < symbols; i++) {
        const Func *func = program->symbols.at[i].func;
        for (uint32_t n = 0; func && n < func->nodes.count; n++) {
            const Instr *instr = &func->nodes.at[n];
            if (instr->kind != I_CALL || instr->ref == NO_ID ||
                !body_counts(program_at(program, (Sym){instr->ref})))
                continue;
            summary->next[call] = summary->first[instr->ref];
            summary->first[instr->ref] = call++;
        }
    }
}

// Before bodies are looked at: a function without a body has the effects of its row, or all
// effects. A function of the program that is called at any time may leave any other by a jump.
static void begin_effects(SliceCalls *calls, Arena *arena) {
    SliceLibrary library = slice_library_of(arena, calls->program);
    calls->floating = library.traits >> SLICE_TRAIT_FLOATING & 1;
    calls->jumps = library.traits >> SLICE_TRAIT_JUMPS & 1;
    for (uint32_t i = 0; i < calls->program->symbols.count; i++) {
        const Symbol *symbol = &calls->program->symbols.at[i];
        SliceCallEffect *effect = &calls->of[i];
        *effect = body_counts(symbol) ? (SliceCallEffect){0} : anything;
        calls->format[i] = -1;
        if (symbol->kind == SYM_FUNC && !symbol->defined)
            slice_library_effect(&library, program_text(calls->program, symbol->name), effect,
                                 &calls->format[i]);
        effect->leaves |= library.traits >> SLICE_TRAIT_SIGNALS & 1;
    }
}

SliceCalls slice_calls_of(Arena *arena, const Program *program) {
    SliceCalls calls = {.program = program};
    uint32_t symbols = program->symbols.count;
    calls.of = ARENA_ARRAY(arena, SliceCallEffect, symbols);
    calls.format = ARENA_ARRAY(arena, int8_t, symbols);
    CallSummary summary = {.calls = &calls, .arena = arena_new("calls")};
    Arena *scratch = arena_new("places");
    begin_effects(&calls, summary.arena);
    for (uint32_t i = 0; i < symbols; i++) {
        if (!program->symbols.at[i].func) continue;
        summarize(&summary, program->symbols.at[i].func, scratch);
        arena_reset(scratch);
    }
    index_calls(&summary);
    while (summary.work.count) {
        uint32_t callee = vec_pop(&summary.work);
        for (uint32_t c = summary.first[callee]; c != NO_ID; c = summary.next[c])
            join_effect(&summary, summary.callers.at[c], calls.of[callee]);
    }
    arena_free(scratch);
    arena_free(summary.arena);
    return calls;
}

SliceCallEffect slice_call_effect(const SliceCalls *calls, const Func *func,
                                  const RegisterValue *values, const Instr *call) {
    if (!calls || call->ref == NO_ID) return anything;
    SliceCallEffect effect = calls->of[call->ref];
    int8_t format = calls->format[call->ref];
    if (format < 0) return effect;
    SliceFormatKind kind = SLICE_FORMAT_UNKNOWN;
    if ((uint32_t)format < call->arg_count)
        kind = slice_format_of(func, &values[instr_args(func, call)[format].i]);
    if (kind != SLICE_FORMAT_PLAIN) effect.reads |= one(SLICE_MEMORY);
    if (kind == SLICE_FORMAT_UNKNOWN) {
        effect.may_set |= one(SLICE_MEMORY);
        effect.reads |= one(SLICE_ERRNO);
    }
    return effect;
}
