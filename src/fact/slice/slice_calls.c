#include "fact/slice/slice_calls.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "fact/slice/slice_addresses.h"
#include "fact/slice/slice_library.h"
#include "fact/unit_memory.h"

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

// A function and all that is known of it so far. Facts only ever get worse.
typedef struct {
    const Func *func;
    Bits exposed; // objects of slice_addresses.h
    bool waits;
} FunctionFacts;

typedef struct {
    SliceCalls *calls;
    Arena *arena, *scratch;
    FunctionFacts *functions; // by symbol
    uint32_t *first;          // function -> its first call in `callers`, one more at the end
    uint32_t *callers;
} CallSummary;

static bool body_counts(const Symbol *symbol) {
    return symbol->func && symbol->alias.i == NO_ID && !symbol_is_replaceable(symbol);
}

// What a look at a function goes by, and what it finds.
typedef struct {
    const FunctionFacts *facts;
    const SliceCarriers *carriers;
    const Places *places;
    SliceCallEffect effect;
    SliceParam *params;
} Look;

// An access to bytes, by a register or NO_REG. Reads of read-only objects, accesses to slots by
// name, and accesses through registers that lead to objects that are not exposed do not count.
static void count_access(Look *look, MemBytes bytes, Reg reg, bool write) {
    const Func *func = look->facts->func;
    if (bytes.base == BASE_SLOT) return;
    if (bytes.base == BASE_SYMBOL && !write &&
        program_at(func->program, (Sym){bytes.ref})->flags & SYMF_CONST)
        return;
    uint32_t object = reg.i == NO_ID ? NO_ID : look->carriers->carries[reg.i];
    bool counts =
        object == NO_ID || bits_has(&look->facts->exposed, object) || look->carriers->number[reg.i];
    if (counts) *(write ? &look->effect.may_set : &look->effect.reads) |= one(SLICE_MEMORY);
    if (object == NO_ID || object < func->slots.count) return;
    look->params[object - func->slots.count].read |= !write;
    look->params[object - func->slots.count].written |= write;
}

// An aggregate of a call or return, which is copied from or to the address in a register.
static void count_copy(Look *look, PType type, Reg reg, bool write) {
    const Func *func = look->facts->func;
    const ParamType *info = program_ptype_info(func->program, type);
    if (ptype_is_aggregate(info))
        count_access(look, places_behind(look->places, func, reg, info->size), reg, write);
}

static void count_call_copies(Look *look, const Instr *call) {
    const Func *func = look->facts->func;
    const SigInfo *sig = program_sig_info(func->program, (Sig){call->aux});
    const Reg *args = instr_args(func, call);
    uint32_t first = call->ref == NO_ID;
    for (uint32_t i = 0; i < sig->param_count; i++)
        count_copy(look, sig->params[i], args[first + i], false);
    if (call->arg_count) count_copy(look, sig->result, args[call->arg_count - 1], true);
}

static void count_accesses(Look *look, const Instr *instr) {
    const Func *func = look->facts->func;
    const Reg *args = instr_args(func, instr);
    Effects effects = instr_effects(instr);
    uint32_t reads = effects & MAY_READ ? 1 : 0, writes = effects & MAY_WRITE ? 1 : 0;
    bool address = instr_has_address(instr);
    for (uint32_t k = 0; k < reads + writes; k++) {
        bool by_name = address && instr->base != BASE_REG;
        Reg reg = by_name ? NO_REG : args[address ? 0 : k];
        MemBytes bytes = address ? places_moved(look->places, func, instr)
                                 : places_behind(look->places, func, reg, (uint64_t)instr->imm);
        count_access(look, bytes, reg, k < writes);
    }
    if (instr->kind == I_RETURN && instr->arg_count)
        count_copy(look, program_sig_info(func->program, func->sig)->result, instr->arg[0], false);
}

// The arguments of a call that lead to objects of the function that are not exposed. What the
// callee does through them, the function does through its own parameters.
static uint64_t hidden_arguments(CallSummary *summary, const FunctionFacts *facts,
                                 const SliceCarriers *carriers, const Instr *call,
                                 SliceParam *params) {
    const Func *func = facts->func;
    const Reg *args = instr_args(func, call);
    uint64_t hidden = 0;
    for (uint32_t k = 0; k < call->arg_count && k < 64; k++) {
        if (slice_use_of(carriers, summary->calls, call, k) != SLICE_USE_ARGUMENT) continue;
        uint32_t object = carriers->carries[args[k].i];
        const SliceParam *param = &summary->calls->params[call->ref].at[k];
        if (bits_has(&facts->exposed, object)) continue;
        hidden |= (uint64_t)1 << k;
        if (object < func->slots.count) continue;
        params[object - func->slots.count].read |= param->read;
        params[object - func->slots.count].written |= param->written;
    }
    return hidden;
}

static void find_exposed(CallSummary *summary, FunctionFacts *facts,
                         const SliceCarriers *carriers) {
    const Func *func = facts->func;
    bits_union(&facts->exposed, &carriers->lost);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (slice_use_of(carriers, summary->calls, instr, k) == SLICE_USE_EXPOSES)
                bits_add(&facts->exposed, carriers->carries[instr_args(func, instr)[k].i]);
    }
}

static bool worse(SliceCallEffect *effect, SliceCallEffect more) {
    SliceCallEffect was = *effect;
    effect->reads |= more.reads;
    effect->may_set |= more.may_set;
    effect->leaves |= more.leaves;
    return effect->reads != was.reads || effect->may_set != was.may_set ||
           effect->leaves != was.leaves;
}

// The effects of a function, given those of its callees. True if they are worse than was known.
static bool summarize(CallSummary *summary, FunctionFacts *facts) {
    const Func *func = facts->func;
    SliceCalls *calls = summary->calls;
    Places places = places_of(summary->scratch, func);
    SliceCarriers carriers = slice_carriers_of(summary->scratch, func, &places, &facts->exposed);
    SliceParam *params = calls->params[func->symbol.i].at;
    SliceParam *found = ARENA_ARRAY(summary->scratch, SliceParam, (size_t)func->params.count + 1);
    Look look = {.facts = facts, .carriers = &carriers, .places = &places, .params = found};
    find_exposed(summary, facts, &carriers);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_CALL) {
            worse(&look.effect, slice_node_effect(calls, func, instr));
            count_accesses(&look, instr);
            continue;
        }
        count_call_copies(&look, instr);
        uint64_t hidden = hidden_arguments(summary, facts, &carriers, instr, found);
        worse(&look.effect, slice_call_effect(calls, func, places.values, instr, hidden));
    }
    SliceCallEffect effect = look.effect;
    bool changed = worse(&calls->own[func->symbol.i], effect);
    for (uint32_t i = 0; i < func->params.count; i++) {
        SliceParam was = params[i];
        params[i].exposed |= bits_has(&facts->exposed, func->slots.count + i);
        params[i].read |= found[i].read;
        params[i].written |= found[i].written;
        changed |= params[i].exposed != was.exposed || params[i].read != was.read ||
                   params[i].written != was.written;
        if (params[i].read) effect.reads |= one(SLICE_MEMORY);
        if (params[i].written) effect.may_set |= one(SLICE_MEMORY);
    }
    return worse(&calls->of[func->symbol.i], effect) || changed;
}

// The callers of functions with bodies, by callee.
static void index_calls(CallSummary *summary) {
    const Program *program = summary->calls->program;
    uint32_t symbols = program->symbols.count, *at;
    summary->first = at = ARENA_ARRAY(summary->arena, uint32_t, (size_t)symbols + 2);
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t i = 0; i < symbols; i++) {
            const Func *func = summary->functions[i].func;
            for (uint32_t n = 0; func && n < func->nodes.count; n++) {
                const Instr *instr = &func->nodes.at[n];
                if (instr->kind != I_CALL || instr->ref == NO_ID) continue;
                if (fill)
                    summary->callers[at[instr->ref + 1]++] = i;
                else
                    at[instr->ref + 2]++;
            }
        }
        if (fill) break;
        for (uint32_t i = 0; i < symbols; i++) at[i + 2] += at[i + 1];
        summary->callers = ARENA_ARRAY(summary->arena, uint32_t, (size_t)at[symbols + 1] + 1);
    }
}

// Before bodies are looked at: a function without a body has the effects of its row, or all
// effects. A function of the program that is called at any time may leave any other by a jump.
static void begin_effects(CallSummary *summary, Arena *arena) {
    SliceCalls *calls = summary->calls;
    SliceLibrary library = slice_library_of(summary->arena, calls->program);
    calls->floating = library.traits >> SLICE_TRAIT_FLOATING & 1;
    calls->jumps = library.traits >> SLICE_TRAIT_JUMPS & 1;
    for (uint32_t i = 0; i < calls->program->symbols.count; i++) {
        const Symbol *symbol = &calls->program->symbols.at[i];
        SliceCallEffect *effect = &calls->of[i];
        bool body = body_counts(symbol);
        *effect = body ? (SliceCallEffect){0} : anything;
        calls->format[i] = -1;
        const char *name = program_text(calls->program, symbol->name);
        bool library_function = symbol->kind == SYM_FUNC && !symbol->defined &&
                                slice_library_effect(&library, name, effect, &calls->format[i]);
        effect->leaves |= library.traits >> SLICE_TRAIT_SIGNALS & 1;
        calls->own[i] = *effect;
        if (library_function && slice_library_params(arena, name, &calls->params[i])) {
            calls->own[i].reads &= ~one(SLICE_MEMORY);
            calls->own[i].may_set &= ~one(SLICE_MEMORY);
        }
        if (!body) continue;
        uint32_t objects = symbol->func->slots.count + symbol->func->params.count;
        summary->functions[i] = (FunctionFacts){
            .func = symbol->func, .exposed = bits_new(summary->arena, objects), .waits = true};
        calls->params[i].count = symbol->func->params.count;
        calls->params[i].at = ARENA_ARRAY(arena, SliceParam, (size_t)calls->params[i].count + 1);
    }
}

// Not symbols whose address the declarations or texts for the assembler use, nor those that code
// mentions other than as the base of an access.
static void find_unaddressed(SliceCalls *calls, Arena *arena) {
    const Program *program = calls->program;
    Bits *found = &calls->unaddressed;
    Bits used = unit_used_symbols(arena, program);
    *found = bits_new(arena, program->symbols.count);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol_is_own_object(symbol) && !symbol_is_root(symbol) && !bits_has(&used, i))
            bits_add(found, i);
    }
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        for (uint32_t n = 0; symbol->func && n < symbol->func->nodes.count; n++) {
            const Instr *instr = &symbol->func->nodes.at[n];
            Sym named = instr_symbol(instr);
            bool accessed = instr->kind == I_LOAD || instr->kind == I_STORE;
            if (named.i != NO_ID && !accessed) bits_remove(found, named.i);
        }
    }
}

static bool look_at_function(CallSummary *summary, uint32_t symbol) {
    FunctionFacts *facts = &summary->functions[symbol];
    if (!facts->waits) return false;
    facts->waits = false;
    // What is exposed now carries nothing any more, so that less may be known of the rest.
    bool changed = false, more = true;
    while (more) {
        uint32_t exposed = bits_count(&facts->exposed);
        changed |= summarize(summary, facts);
        more = bits_count(&facts->exposed) != exposed;
        arena_reset(summary->scratch);
    }
    for (uint32_t c = summary->first[symbol]; changed && c < summary->first[symbol + 1]; c++)
        summary->functions[summary->callers[c]].waits = true;
    return changed;
}

// All that is known is true together when nothing changes any more. An address that was handed to
// functions that do not expose it stays with them: the first instruction of a run that exposes it
// would be one that exposes a parameter of such a function.
static void settle(CallSummary *summary) {
    enum { MOST_SWEEPS = 64 };
    SliceCalls *calls = summary->calls;
    uint32_t symbols = calls->program->symbols.count;
    bool changed = true;
    for (uint32_t sweep = 0; changed && sweep < MOST_SWEEPS; sweep++) {
        changed = false;
        for (uint32_t i = 0; i < symbols; i++)
            changed |= look_at_function(summary, sweep & 1 ? i : symbols - 1 - i);
    }
    for (uint32_t i = 0; changed && i < symbols; i++) {
        if (!summary->functions[i].func) continue;
        calls->of[i] = calls->own[i] = anything;
        calls->params[i].count = 0;
    }
}

SliceCalls slice_calls_of(Arena *arena, const Program *program) {
    SliceCalls calls = {.program = program};
    size_t symbols = program->symbols.count;
    calls.of = ARENA_ARRAY(arena, SliceCallEffect, symbols + 1);
    calls.own = ARENA_ARRAY(arena, SliceCallEffect, symbols + 1);
    calls.params = ARENA_ARRAY(arena, SliceParams, symbols + 1);
    calls.format = ARENA_ARRAY(arena, int8_t, symbols + 1);
    CallSummary summary = {
        .calls = &calls, .arena = arena_new("calls"), .scratch = arena_new("places")};
    summary.functions = ARENA_ARRAY(summary.arena, FunctionFacts, symbols + 1);
    find_unaddressed(&calls, arena);
    begin_effects(&summary, arena);
    index_calls(&summary);
    settle(&summary);
    arena_free(summary.scratch);
    arena_free(summary.arena);
    return calls;
}

static bool same_kind(const Program *program, PType a, PType b) {
    const ParamType *x = program_ptype_info(program, a), *y = program_ptype_info(program, b);
    return x->type == y->type && x->size == y->size;
}

bool slice_call_fits(const Program *program, Sig call, Sym function) {
    const SigInfo *a = program_sig_info(program, call);
    const SigInfo *b = program_sig_info(program, program_at(program, function)->sig);
    if (a->c_type && b->c_type && a->c_type != b->c_type) return false;
    if (a->variadic || b->variadic) return true;
    bool fits = a->param_count == b->param_count;
    for (uint32_t i = 0; fits && i < a->param_count; i++)
        fits = same_kind(program, a->params[i], b->params[i]);
    return fits;
}

static Bits addressed_symbols(Arena *arena, const Program *program) {
    Bits addressed = bits_new(arena, program->symbols.count);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->alias.i != NO_ID) bits_add(&addressed, symbol->alias.i);
        for (uint32_t k = 0; k < symbol->data.count; k++)
            if (symbol->data.at[k].kind == DATA_ADDR)
                bits_add(&addressed, symbol->data.at[k].symbol.i);
        for (uint32_t n = 0; symbol->func && n < symbol->func->nodes.count; n++) {
            const Instr *instr = &symbol->func->nodes.at[n];
            Sym named = instr->kind == I_CALL ? NO_SYM : instr_symbol(instr);
            if (named.i != NO_ID) bits_add(&addressed, named.i);
        }
    }
    return addressed;
}

SliceTargets slice_targets_of(Arena *arena, const Program *program) {
    uint32_t count = program->symbols.count;
    SliceTargets targets = {.addressed = addressed_symbols(arena, program),
                            .next = ARENA_ARRAY(arena, Sym, (size_t)count + 1)};
    Sym *first = ARENA_ARRAY(arena, Sym, (size_t)program->sigs.count + 1);
    for (uint32_t i = 0; i < program->sigs.count; i++) first[i] = NO_SYM;
    for (uint32_t i = 0; i < count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->kind != SYM_FUNC || !bits_has(&targets.addressed, i)) continue;
        targets.next[i] = first[symbol->sig.i];
        first[symbol->sig.i] = (Sym){i};
    }
    for (uint32_t i = 0; i < program->sigs.count; i++)
        if (first[i].i != NO_ID) vec_push(arena, &targets.first, first[i]);
    return targets;
}

SliceCallEffect slice_call_effect(const SliceCalls *calls, const Func *func,
                                  const RegisterValue *values, const Instr *call, uint64_t hidden) {
    if (!calls || call->ref == NO_ID) return anything;
    SliceCallEffect effect = calls->own[call->ref];
    SliceParams params = calls->params[call->ref];
    for (uint32_t k = 0; k < params.count; k++) {
        if (k < 64 && hidden >> k & 1) continue;
        if (params.at[k].read) effect.reads |= one(SLICE_MEMORY);
        if (params.at[k].written) effect.may_set |= one(SLICE_MEMORY);
    }
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
