// Checks claims about the memory of a unit: one look at the declarations, one at each function.
//
// The argument. Let P be the first program: the first forms of all functions, and all code that is
// linked to them. A run of P that goes right does so for every place of the objects (docs/rtl.md).
//
// 1. Addresses. Take one object: a hidden symbol, or a slot of one activation. Place the object
//    elsewhere from the beginning, at a distance d. By induction on steps the same run is taken,
//    and a register has the same contents, but d more if the register carries the object
//    (unit_needs.h). The known uses allow for this: moves and sums with numbers hand d on; a
//    comparison of an address in the object with null is false before and after; plain parameters
//    carry the object in turn. Nothing else reads such registers. So no memory, no result and no
//    event depends on d. An access by a register that carries nothing, or by code outside, never
//    hits the object: in its other place the access would miss the object, and hit nothing. An
//    access by a register that carries just this object hits the object. A register that may also
//    hold something else counts as both. Memory holds no address of the object.
//    Symbols are hidden only if the declarations, texts for the assembler included, do not use
//    their addresses, and no other unit, thread or section can name them. A text may make names of
//    parts by quotes and backslashes: then it may use all. (Parts that operands of an asm statement
//    put together do not count: gcc, too, asks for `used` there.)
//    The first form of a function has to say all that is done with its parameters. The form of a
//    naked function does not: its parameters are never plain.
//    A call of a function that yields a symbol makes its destination carry the symbol. All calls of
//    such a function are known: nobody unknown calls it.
//
// 2. Effects. The claims about a function contain its own effects and the claims about its callees.
//    An unknown callee can execute code of the unit only by calls of exposed functions: others can
//    name such a function, or its address is taken in code or data. Their families are in
//    `outside`. Other threads, signal handlers and coroutines that run meanwhile began in exposed
//    functions as well; unless an instruction orders accesses, a write of theirs is a race. A jump
//    out of a call (longjmp) ends the calls on its way early, and the call that returns twice is
//    unknown.
//    An access by a plain parameter hits an object of a caller. A caller may pass a symbol: the
//    families of passed symbols count as accessed. A caller may pass a slot, or an object of its
//    own caller: the bits of the parameter tell, and calls with a slot look at the bits. A caller
//    may pass a number: each such call counts as an access to memory that others know of.
//    A function of depth d > 0 has no recursion: its callees have smaller depths. A run that stays
//    in one activation for ever without a spin or an event is wrong (docs/rtl.md, "Endless runs").
//    So a call of the function returns if `effects` has no MAY_STOP, MAY_SPIN or MAY_BE_EVENT.
//
// 3. Later forms. The claims are facts about runs of P. A step replaces a function by another one
//    that goes in lock step. Effects stay, in their order. Copies of a callee's effects take the
//    place of a call. P comes to the loads that are done ahead. Effects that nobody sees are left
//    out. So a run of the new program goes along with a run of P: the same happens between a call
//    and its return, and the claims hold for the call. This is so for every place of the objects,
//    by 1: values that refine each other do not differ by d if the old value does not. A later form
//    may have the address of a hidden object in registers that places.h does not follow. Then the
//    object counts there as one that accesses to ANYWHERE may hit.
//    Ranges (5) are about P, too. Take a later form of a function, and let its parameters, the
//    results of its calls and what it loads from hidden objects be as in P. By monotony this run
//    goes along with the run of P, and its values refine those of P. Here the claimed ranges hold,
//    and so do the facts that the values kernel concludes from them for the next form. In the new
//    program, callers, callees and memory may give refined values instead; by monotony all values
//    are refined again.
//
// 4. Certificates have one function at a time. Steps of a function may use claims about functions
//    that come later. The certificate is valid only if all first forms were found right.
//
// 5. Ranges. An undefined bit may be filled in at any time: by monotony the run goes on as before,
//    with refined values. So take a shadow of the run of P (range.h), in which the undefined bits
//    of a register are filled in so that the register lies in its range (unit_ranges.h): a register
//    that was not set is undefined, and so is a bit that an instruction leaves undefined. By
//    induction on steps, all claims at once: each instruction yields something in the range of its
//    destination, if arguments, results and loads lie in their ranges. All calls of a function are
//    known if nobody unknown calls it. A return gives the result, but for a naked function. A
//    hidden object holds its initial contents, or what a store by its name has stored as a whole;
//    other stores may have stored anything, in parts.
#include "check/unit/check_unit.h"

#include "check/unit/unit_needs.h"
#include "check/unit/unit_ranges.h"

// ---- Declarations

#define REJECT(arena, ...) verdict_rejected(arena, NO_SITE, __VA_ARGS__)

// Whether a claim is about something of a type, and is a range of such integers; then it counts.
static bool is_right_range(const UnitMemory *claims, uint32_t of, Type type, uint32_t *count) {
    const Range *range = unit_range(claims, of);
    *count += range != NULL;
    return !range ||
           (type != TYPE_VOID && !range->defined && range_is_claim(range, range_bits(type)));
}

static bool is_right_object(const Program *program, const UnitMemory *claims, Sym symbol) {
    const Range *range = unit_range(claims, unit_of_object(claims, symbol));
    Range start;
    return !range || (unit_family(claims, symbol.i) != UNIT_OPEN &&
                      unit_initial_range(program, symbol, &start) && range_contains(range, &start));
}

// The ranges of what belongs to a symbol; counts them.
static bool are_right_ranges(const Program *program, const UnitMemory *claims, Sym symbol,
                             uint32_t *count) {
    const Symbol *info = program_at(program, symbol);
    uint32_t of = unit_of_object(claims, symbol);
    if (!is_right_range(claims, of, unit_type_of_object(info), count) ||
        !is_right_object(program, claims, symbol))
        return false;
    if (!unit_has_claims(info)) return true;
    const SigInfo *sig = program_sig_info(program, info->sig);
    Type result = info->flags & SYMF_NAKED ? TYPE_VOID : unit_type_of_ptype(program, sig->result);
    bool exposed = claims->effects.at[symbol.i].effects & UNIT_EXPOSED;
    for (uint32_t k = 0; k < sig->fixed_count; k++) {
        Type type = exposed ? TYPE_VOID : unit_type_of_ptype(program, sig->params[k]);
        if (!is_right_range(claims, unit_of_param(claims, symbol, k), type, count)) return false;
    }
    return is_right_range(claims, unit_of_result(claims, symbol), result, count);
}

static Verdict check_ranges(Arena *arena, const Program *program, const UnitMemory *claims) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (!are_right_ranges(program, claims, (Sym){i}, &count))
            return REJECT(arena, "a range of '%s' cannot be",
                          program_text(program, program->symbols.at[i].name));
    return count == claims->ranges.count ? VERDICT_ACCEPTED
                                         : REJECT(arena, "a range is about nothing");
}

Verdict check_unit(Arena *arena, Program *program, UnitMemory *claims) {
    if (!unit_memory_index(program->arena, program, claims))
        return REJECT(arena, "the claims do not cover every symbol and parameter");
    Bits used = unit_used_symbols(arena, program);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        const char *name = program_text(program, symbol->name);
        uint32_t family = claims->family_of.at[i];
        if (family != UNIT_OPEN && family >= UNIT_FAMILIES)
            return REJECT(arena, "'%s' has no family that exists", name);
        if (family != UNIT_OPEN && (!unit_may_be_hidden(symbol) || bits_has(&used, i)))
            return REJECT(arena, "'%s' is not hidden: declarations use its address", name);
        if (unit_has_claims(symbol) && (symbol_is_root(symbol) || bits_has(&used, i)) &&
            !(claims->effects.at[i].effects & UNIT_EXPOSED))
            return REJECT(arena, "others may call '%s'", name);
        const UnitEffect *effect = &claims->effects.at[i];
        if (effect->yields &&
            (effect->yields > program->symbols.count || effect->effects & UNIT_EXPOSED))
            return REJECT(arena, "'%s' yields an object to others", name);
    }
    program->unit = claims;
    return check_ranges(arena, program, claims);
}

// ---- Functions

typedef struct {
    Arena *arena;
    const Func *func;
    const UnitMemory *unit;
    const UnitEffect *own; // the claims about the function
    Verdict verdict;
} Check;

#define NEEDS(check, node, condition, ...)                                                         \
    ((condition) ||                                                                                \
     ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false))

static uint32_t symbol_count(const Check *check) {
    return check->func->program->symbols.count;
}

static bool is_symbol(const Check *check, UnitObject object) {
    return object < symbol_count(check);
}

// The parameter that leads to an object; NO_ID if none does.
static uint32_t param_of(const Check *check, UnitObject object) {
    uint32_t others = symbol_count(check) + check->func->slots.count;
    return object == NO_ID || object < others ? NO_ID : object - others;
}

static uint32_t bits_of(const Check *check, Sym function, uint32_t param) {
    return check->unit->params.at[check->unit->params_at[function.i] + param];
}

static bool does(Check *check, Node node, Effects effects) {
    return NEEDS(check, node, !(effects & ~check->own->effects),
                 "it has an effect that its function is not said to have");
}

static bool param_has(Check *check, Node node, uint32_t param, uint32_t bits) {
    return NEEDS(check, node, !(bits & ~bits_of(check, check->func->symbol, param)),
                 "it does what is not said of parameter %u", param);
}

static bool touches(Check *check, Node node, UnitSet families, Effects effects) {
    UnitSet open = (effects & MAY_WRITE ? families & ~check->own->writes : 0) |
                   (effects & MAY_READ ? families & ~check->own->reads : 0);
    return NEEDS(check, node, !open,
                 "it accesses a hidden object that its function is not said to access");
}

static bool accesses(Check *check, Node node, UnitObject object, Effects effects, bool named) {
    Effects shared =
        (effects & MAY_READ ? MAY_READ_SHARED : 0) | (effects & MAY_WRITE ? MAY_WRITE_SHARED : 0);
    uint32_t param = param_of(check, object);
    if (object == NO_ID) return does(check, node, shared);
    if (is_symbol(check, object))
        return touches(check, node, (UnitSet)1 << unit_family(check->unit, object), effects) &&
               NEEDS(check, node,
                     named || !(effects & MAY_WRITE) ||
                         !unit_range(check->unit, unit_of_object(check->unit, (Sym){object})),
                     "it writes an object of a known range by an address");
    if (param == NO_ID) return true;
    return param_has(check, node, param,
                     (effects & MAY_READ ? UNIT_READ : 0) |
                         (effects & MAY_WRITE ? UNIT_WRITTEN : 0)) &&
           touches(check, node, check->unit->passed_written, effects & MAY_WRITE) &&
           touches(check, node, check->unit->passed_read, effects & MAY_READ);
}

// Only a slot can be exposed: nobody claims that it is not.
static bool exposes(Check *check, Node node, UnitObject object) {
    if (is_symbol(check, object) || param_of(check, object) != NO_ID)
        return NEEDS(check, node, false, "it makes an address known that is said to be unknown");
    return does(check, node, UNIT_FRAME_KNOWN);
}

static bool compares(Check *check, Node node, UnitObject object) {
    uint32_t param = param_of(check, object);
    return param == NO_ID || param_has(check, node, param, UNIT_COMPARED);
}

static bool passes(Check *check, const UnitNeed *need) {
    uint32_t bits = bits_of(check, need->callee, need->param);
    Effects effects = (bits & UNIT_READ ? MAY_READ : 0) | (bits & UNIT_WRITTEN ? MAY_WRITE : 0);
    if (need->object != NO_ID && bits & UNIT_COMPARED) {
        if (!need->exact) return exposes(check, need->node, need->object);
        if (!compares(check, need->node, need->object)) return false;
    }
    if (need->object != NO_ID && is_symbol(check, need->object)) {
        uint32_t family = unit_family(check->unit, need->object);
        bool read = check->unit->passed_read >> family & 1,
             written = check->unit->passed_written >> family & 1;
        if (!NEEDS(check, need->node,
                   (read || !(bits & UNIT_READ)) && (written || !(bits & UNIT_WRITTEN)),
                   "it passes an object that is said to be passed nowhere"))
            return false;
    }
    return accesses(check, need->node, need->object, effects, false);
}

static bool yields(Check *check, Node node, UnitObject object) {
    return (is_symbol(check, object) && check->own->yields == object + 1) ||
           exposes(check, node, object);
}

static bool calls(Check *check, const UnitNeed *need) {
    const UnitEffect *callee = &check->unit->outside;
    if (need->callee.i == NO_ID) {
        if (!does(check, need->node, UNIT_EFFECTS)) return false;
    } else {
        callee = &check->unit->effects.at[need->callee.i];
        if (!does(check, need->node, callee->effects & UNIT_EFFECTS)) return false;
    }
    bool ends = callee->depth && callee->depth < check->own->depth;
    return touches(check, need->node, callee->writes, MAY_WRITE) &&
           touches(check, need->node, callee->reads, MAY_READ) &&
           NEEDS(check, need->node, !check->own->depth || ends,
                 "it calls a function that is not less deep");
}

static bool allows(void *context, const UnitNeed *need) {
    Check *check = context;
    switch (need->kind) {
    case UNIT_EXPOSES: return exposes(check, need->node, need->object);
    case UNIT_ACCESSES:
        return accesses(check, need->node, need->object, need->effects, need->named);
    case UNIT_YIELDS: return yields(check, need->node, need->object);
    case UNIT_PASSES: return passes(check, need);
    case UNIT_COMPARES: return compares(check, need->node, need->object);
    case UNIT_CALLS: return calls(check, need);
    case UNIT_TAKES:
        return NEEDS(check, need->node,
                     !unit_has_claims(program_at(check->func->program, need->callee)) ||
                         check->unit->effects.at[need->callee.i].effects & UNIT_EXPOSED,
                     "it takes the address of a function that nobody else is said to call");
    case UNIT_DOES: return does(check, need->node, need->effects);
    }
    return false;
}

static bool allows_range(void *context, Node node, uint32_t of, const Range *range) {
    Check *check = context;
    Range plain = *range;
    plain.defined = 0;
    return NEEDS(check, node, range_contains(unit_range(check->unit, of), &plain),
                 "it gives something out of its range");
}

Verdict check_unit_function(Arena *arena, const Func *func) {
    const UnitMemory *unit = func->program->unit;
    if (!unit) return VERDICT_ACCEPTED;
    Check check = {.arena = arena,
                   .func = func,
                   .unit = unit,
                   .own = &unit->effects.at[func->symbol.i],
                   .verdict = VERDICT_ACCEPTED};
    const Symbol *symbol = program_at(func->program, func->symbol);
    if (!unit_has_claims(symbol) || symbol->sig.i != func->sig.i)
        return verdict_rejected(arena, NO_SITE, "there are no claims about this function");
    if (unit_needs_of(arena, func, allows, &check))
        unit_gives_of(arena, func, allows_range, &check);
    return check.verdict;
}
