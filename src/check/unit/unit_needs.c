#include "check/unit/unit_needs.h"

#include "graph/definitions.h"

typedef struct {
    const Func *func;
    const Program *program;
    const UnitMemory *unit;
    const Definition *definitions;
    UnitObject *carries; // by register; NO_ID: none
    bool *other;         // by register: it may also hold something that was not made from it
    bool *exact;         // by register: it is set once, to an address in the object
    bool lost;           // the registers that carry are not all known
    Node node;
    UnitNeeds *need;
    void *context;
} NeedScan;

static bool tell(NeedScan *s, UnitNeed need) {
    need.node = s->node;
    return s->need(s->context, &need);
}

static bool exposes(NeedScan *s, UnitObject object) {
    return object == NO_ID || tell(s, (UnitNeed){.kind = UNIT_EXPOSES, .object = object});
}

// ---- What registers carry

static UnitObject object_of_symbol(const NeedScan *s, uint32_t symbol) {
    return unit_family(s->unit, symbol) == UNIT_OPEN ? NO_ID : symbol;
}

static UnitObject object_of_slot(const NeedScan *s, uint32_t slot) {
    return s->program->symbols.count + slot;
}

static uint64_t object_size(const NeedScan *s, UnitObject object) {
    uint32_t symbols = s->program->symbols.count;
    return object < symbols ? program_at(s->program, (Sym){object})->size
                            : s->func->slots.at[object - symbols].size;
}

// A second object exposes both.
static bool carry(NeedScan *s, Reg reg, UnitObject object, bool *changed) {
    UnitObject *has = &s->carries[reg.i];
    if (*has == object) return true;
    if (*has != NO_ID) return exposes(s, *has) && exposes(s, object);
    *has = object;
    return *changed = true;
}

// The argument whose object an operator hands on to its result; NO_ID if there is none.
static uint32_t handed_on(const NeedScan *s, const Instr *instr) {
    if (instr->kind != I_OP) return NO_ID;
    bool sum = instr->op == OP_ADD_I64, difference = instr->op == OP_SUB_I64;
    if (instr->op != OP_MOVE_I64 && !sum && !difference) return NO_ID;
    bool a = s->carries[instr->arg[0].i] != NO_ID;
    bool b = instr->arg_count > 1 && s->carries[instr->arg[1].i] != NO_ID;
    if (a == b) return NO_ID;
    return a ? 0 : sum ? 1 : NO_ID;
}

static UnitObject object_named(const NeedScan *s, const Instr *instr) {
    if (instr->kind != I_OP) return NO_ID;
    if (instr->op == OP_ADDR_SLOT) return object_of_slot(s, instr->ref);
    return instr->op == OP_ADDR_SYMBOL ? object_of_symbol(s, instr->ref) : NO_ID;
}

static bool look_at_setting(NeedScan *s, const Instr *instr, bool *changed) {
    uint32_t dest = instr->dest.i, k = handed_on(s, instr);
    UnitObject object = object_named(s, instr), yielded = unit_yielded(s->program, instr).i;
    bool exact = false, other = false;
    if (yielded != NO_ID) {
        object = yielded;
        other = true;
    } else if (object != NO_ID) {
        exact = instr->imm >= 0 && (uint64_t)instr->imm < object_size(s, object);
    } else if (k != NO_ID) {
        object = s->carries[instr->arg[k].i];
        exact = instr->op == OP_MOVE_I64 && s->exact[instr->arg[k].i];
        other = s->other[instr->arg[k].i];
    } else {
        other = true;
    }
    exact &= s->definitions[dest].by == SET_BY_INSTR;
    *changed |= (other && !s->other[dest]) || exact != s->exact[dest];
    s->other[dest] |= other;
    s->exact[dest] = exact;
    return object == NO_ID || carry(s, instr->dest, object, changed);
}

static void carry_params(NeedScan *s) {
    const Func *func = s->func;
    const SigInfo *sig = program_sig_info(s->program, func->sig);
    uint32_t at = s->unit->params_at[func->symbol.i];
    for (uint32_t k = 0; k < func->params.count; k++) {
        uint32_t reg = func->params.at[k].i;
        bool plain = at != NO_ID && sig->params[k].i == PTYPE_OF(TYPE_I64).i &&
                     s->unit->params.at[at + k] & UNIT_PLAIN;
        s->other[reg] = !plain;
        if (!plain) continue;
        s->carries[reg] = s->program->symbols.count + func->slots.count + k;
        s->exact[reg] = s->definitions[reg].by == SET_BY_CALLER;
    }
}

// Registers that are set before they are carried on are known after few rounds.
static bool find_carriers(NeedScan *s) {
    enum { MOST_ROUNDS = 10 };
    const Func *func = s->func;
    for (uint32_t r = 0; r < func->regs.count; r++) s->carries[r] = NO_ID;
    carry_params(s);
    s->lost = true;
    for (uint32_t round = 0; s->lost && round < MOST_ROUNDS; round++) {
        s->lost = false;
        for (uint32_t n = 0; n < func->nodes.count; n++) {
            s->node.i = n;
            if (func->nodes.at[n].dest.i != NO_ID &&
                !look_at_setting(s, &func->nodes.at[n], &s->lost))
                return false;
        }
    }
    for (uint32_t r = 0; s->lost && r < func->regs.count; r++)
        if (!exposes(s, s->carries[r])) return false;
    return true;
}

// ---- What is done with them

// An access to an object, or to memory that others know of.
static bool accesses(NeedScan *s, UnitObject object, Effects effects) {
    return tell(s, (UnitNeed){.kind = UNIT_ACCESSES, .object = object, .effects = effects});
}

static bool accesses_by_name(NeedScan *s, UnitObject object, Effects effects) {
    return tell(
        s, (UnitNeed){.kind = UNIT_ACCESSES, .object = object, .effects = effects, .named = true});
}

static bool accesses_by(NeedScan *s, Reg reg, Effects effects) {
    UnitObject object = s->carries[reg.i];
    return ((object != NO_ID && !s->other[reg.i]) || accesses(s, NO_ID, effects)) &&
           (object == NO_ID || accesses(s, object, effects));
}

// What an instruction does to the bytes at its address, or at its k-th argument.
static Effects effects_at(const Instr *instr, uint32_t k) {
    Effects effects = instr_effects(instr) & (MAY_READ | MAY_WRITE);
    return instr_has_address(instr) ? effects : k || !(effects & MAY_WRITE) ? MAY_READ : MAY_WRITE;
}

// A constant object is never written, so that reading it needs nothing.
static bool accesses_symbol(NeedScan *s, const Instr *instr) {
    const Symbol *symbol = program_at(s->program, (Sym){instr->ref});
    UnitObject object = object_of_symbol(s, instr->ref);
    bool constant = symbol_is_own_object(symbol) && symbol->flags & SYMF_CONST;
    if (instr->kind != I_LOAD && instr->kind != I_STORE && !exposes(s, object)) return false;
    return (constant && instr->kind == I_LOAD) || accesses_by_name(s, object, effects_at(instr, 0));
}

static bool accesses_named(NeedScan *s, const Instr *instr) {
    bool plain = instr->kind == I_LOAD || instr->kind == I_STORE;
    if (!instr_has_address(instr)) return true;
    switch ((BaseKind)instr->base) {
    case BASE_REG: return plain || exposes(s, s->carries[instr_args(s->func, instr)[0].i]);
    case BASE_SLOT: return plain || exposes(s, object_of_slot(s, instr->ref));
    case BASE_SYMBOL: return accesses_symbol(s, instr);
    case BASE_NONE: break;
    }
    return accesses(s, NO_ID, effects_at(instr, 0));
}

// An argument that is an aggregate is copied at the call, as is a result.
static bool passes(NeedScan *s, const Instr *call, uint32_t k, Reg reg) {
    UnitObject object = s->carries[reg.i];
    if (!unit_param(s->program, call, k)) return exposes(s, object);
    UnitNeed need = {.kind = UNIT_PASSES,
                     .object = object,
                     .callee = {call->ref},
                     .param = k,
                     .exact = s->exact[reg.i] && !s->other[reg.i]};
    if (!tell(s, need)) return false;
    need.object = NO_ID;
    return object == NO_ID || !s->other[reg.i] || tell(s, need);
}

static bool is_null_test(const Instr *instr) {
    return (instr->kind == I_OP || instr->kind == I_COND) &&
           (instr->op == OP_EQ_I64 || instr->op == OP_NE_I64) && instr->immediate && !instr->imm;
}

static bool returns_aggregate(const NeedScan *s) {
    const SigInfo *sig = program_sig_info(s->program, s->func->sig);
    return ptype_is_aggregate(program_ptype_info(s->program, sig->result));
}

static bool uses_arg(NeedScan *s, const Instr *instr, uint32_t k) {
    Reg reg = instr_args(s->func, instr)[k];
    UnitObject object = s->carries[reg.i];
    if (k < instr_accessed_args(instr)) return accesses_by(s, reg, effects_at(instr, k));
    if (instr->kind == I_CALL) return passes(s, instr, k, reg);
    if (instr->kind == I_RETURN && object != NO_ID && !returns_aggregate(s))
        return tell(s, (UnitNeed){.kind = UNIT_YIELDS, .object = object});
    if (object == NO_ID || handed_on(s, instr) == k) return true;
    if (!is_null_test(instr) || !s->exact[reg.i]) return exposes(s, object);
    return tell(s, (UnitNeed){.kind = UNIT_COMPARES, .object = object});
}

// A return reads the aggregate that it returns, and does nothing else. What orders accesses lets
// others run.
static bool does(NeedScan *s, const Instr *instr) {
    Effects effects = instr_effects(instr), shared = MAY_READ_SHARED | MAY_WRITE_SHARED;
    if (instr->kind == I_CALL)
        return tell(s, (UnitNeed){.kind = UNIT_CALLS,
                                  .callee = {unit_calls_own(s->program, instr) ? instr->ref
                                                                               : NO_ID}}) &&
               tell(s, (UnitNeed){.kind = UNIT_DOES,
                                  .effects = unit_instr_effects(s->program, instr) & shared});
    if (instr->kind == I_RETURN)
        effects = returns_aggregate(s) ? MAY_READ_SHARED : 0;
    else if (effects & shared && !tell(s, (UnitNeed){.kind = UNIT_CALLS, .callee = NO_SYM}))
        return false;
    effects &= UNIT_EFFECTS;
    return !effects || tell(s, (UnitNeed){.kind = UNIT_DOES, .effects = effects});
}

// Whether an instruction names a function for something else than a call as the function is
// defined.
static bool takes_function(const NeedScan *s, const Instr *instr) {
    if (instr->kind == I_CALL) return instr->ref != NO_ID && !unit_calls_own(s->program, instr);
    return instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL &&
           program_at(s->program, (Sym){instr->ref})->kind == SYM_FUNC;
}

static bool uses(NeedScan *s, const Instr *instr) {
    if (takes_function(s, instr) &&
        !tell(s, (UnitNeed){.kind = UNIT_TAKES, .callee = {instr->ref}}))
        return false;
    if (!accesses_named(s, instr) || !does(s, instr)) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (!uses_arg(s, instr, k)) return false;
    return true;
}

// The code of a naked function is its asm statement, which finds the arguments in registers of the
// machine: the form does not tell what is done with them. Of a function marked noipa nobody is
// told.
static bool exposes_params(NeedScan *s) {
    if (!(program_at(s->program, s->func->symbol)->flags & (SYMF_NAKED | SYMF_NOIPA))) return true;
    for (uint32_t k = 0; k < s->func->params.count; k++)
        if (!exposes(s, s->carries[s->func->params.at[k].i])) return false;
    return true;
}

bool unit_needs_of(Arena *arena, const Func *func, UnitNeeds *need, void *context) {
    size_t regs = (size_t)func->regs.count + 1;
    NeedScan s = {.func = func,
                  .program = func->program,
                  .unit = func->program->unit,
                  .definitions = definitions_of(arena, func),
                  .carries = ARENA_ARRAY(arena, UnitObject, regs),
                  .other = ARENA_ARRAY(arena, bool, regs),
                  .exact = ARENA_ARRAY(arena, bool, regs),
                  .need = need,
                  .context = context};
    if (!find_carriers(&s) || !exposes_params(&s)) return false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        s.node.i = n;
        if (!uses(&s, &func->nodes.at[n])) return false;
    }
    return true;
}
