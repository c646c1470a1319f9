#include "check/unit/unit_ranges.h"

#include "fact/eval.h"
#include "fact/initial_data.h"

enum { DEEPEST_RANGE = 16 };

typedef enum { RANGE_UNSEEN, RANGE_OPEN, RANGE_DONE } RangeState;

typedef struct {
    Arena *arena;
    const Func *func;
    const Program *program;
    uint32_t *first; // register -> one more than the first node that sets it, or 0
    uint32_t *next;  // node -> one more than the next node that sets the same register, or 0
    uint8_t *state;  // RangeState of each register
    Range *range;    // of each register
} RangeScan;

Type unit_type_of_ptype(const Program *program, PType type) {
    const ParamType *info = program_ptype_info(program, type);
    return ptype_is_aggregate(info) || !type_is_int(info->type) ? TYPE_VOID : info->type;
}

Type unit_type_of_object(const Symbol *symbol) {
    if (symbol->size == 1 || symbol->size == 2 || symbol->size == 4) return TYPE_I32;
    return symbol->size == 8 ? TYPE_I64 : TYPE_VOID;
}

bool unit_initial_range(const Program *program, Sym symbol, Range *range) {
    const Symbol *info = program_at(program, symbol);
    InitialData data;
    if (!initial_data_at_start(program, symbol, 0, info->size, &data) || data.symbol.i != NO_ID)
        return false;
    *range = range_constant(range_bits(unit_type_of_object(info)), data.number);
    return true;
}

// ---- Registers

static void find_settings(RangeScan *s) {
    const Func *func = s->func;
    s->first = ARENA_ARRAY(s->arena, uint32_t, (size_t)func->regs.count + 1);
    s->next = ARENA_ARRAY(s->arena, uint32_t, (size_t)func->nodes.count + 1);
    s->state = ARENA_ARRAY(s->arena, uint8_t, (size_t)func->regs.count + 1);
    s->range = ARENA_ARRAY(s->arena, Range, (size_t)func->regs.count + 1);
    for (uint32_t n = func->nodes.count; n-- > 0;) {
        uint32_t dest = func->nodes.at[n].dest.i;
        if (dest == NO_ID) continue;
        s->next[n] = s->first[dest];
        s->first[dest] = n + 1;
    }
}

static Range range_of_reg(RangeScan *s, Reg reg, uint32_t depth);

static Range range_of_operator(RangeScan *s, const Instr *instr, uint32_t depth) {
    const OpInfo *info = op_info(instr->op);
    Range args[3];
    if (info->arity == 0 && op_family(instr->op) == FAM_CONST)
        return range_constant(range_bits(info->result),
                              value_immediate(info->result, instr->imm).bits);
    if (info->arity == 0) return range_of_address(s->func, instr->op, instr->ref, instr->imm);
    for (uint32_t k = 0; k < info->arity; k++) {
        if (!type_is_int(info->operand[k])) return range_of_op(instr->op, args);
        uint32_t bits = range_bits(info->operand[k]);
        args[k] = k < instr->arg_count
                      ? range_of_reg(s, instr->arg[k], depth)
                      : range_constant(bits, value_immediate(info->operand[k], instr->imm).bits);
        if (range_is_empty(&args[k])) return args[k];
    }
    return range_of_op(instr->op, args);
}

static Range range_of_instr(RangeScan *s, const Instr *instr, uint32_t depth) {
    Range range;
    if (instr->kind == I_OP) return range_of_operator(s, instr, depth);
    if (unit_range_of_instr(s->program, instr, &range)) return range;
    if (instr->kind == I_LOAD) return range_of_chunk((Chunk)instr->chunk);
    return range_full(range_bits(reg_type(s->func, instr->dest)));
}

static bool is_param(const RangeScan *s, Reg reg) {
    for (uint32_t k = 0; k < s->func->params.count; k++)
        if (s->func->params.at[k].i == reg.i) return true;
    return false;
}

static void add_range(Range *range, bool *known, const Range *one) {
    if (range_is_empty(one) && *known) return;
    *range = *known && !range_is_empty(range) ? range_either(range, one) : *one;
    *known = true;
}

static Range range_of_settings(RangeScan *s, Reg reg, uint32_t depth) {
    Range full = range_full(range_bits(reg_type(s->func, reg))), range = full;
    bool known = false;
    if (is_param(s, reg)) {
        const Range *claim = unit_range_of_param(s->func, reg);
        add_range(&range, &known, claim ? claim : &full);
    }
    for (uint32_t n = s->first[reg.i]; n; n = s->next[n - 1]) {
        Range one = range_of_instr(s, &s->func->nodes.at[n - 1], depth);
        add_range(&range, &known, &one);
        if (range_contains(&range, &full)) break;
    }
    range.defined = 0; // the register may be read before it is set
    return range;
}

static Range range_of_reg(RangeScan *s, Reg reg, uint32_t depth) {
    Type type = reg_type(s->func, reg);
    if (!s->first) find_settings(s);
    if (!type_is_int(type) || depth == 0 || s->state[reg.i] == RANGE_OPEN)
        return range_full(type_is_int(type) ? range_bits(type) : 64);
    if (s->state[reg.i] == RANGE_UNSEEN) {
        s->state[reg.i] = RANGE_OPEN;
        s->range[reg.i] = range_of_settings(s, reg, depth - 1);
        s->state[reg.i] = RANGE_DONE;
    }
    return s->range[reg.i];
}

// ---- What is given

typedef struct {
    RangeScan scan;
    UnitGive *give;
    void *context;
} Gives;

static bool gives_reg(Gives *g, Node node, uint32_t of, Reg reg) {
    if (!unit_range(g->scan.program->unit, of)) return true;
    Range range = range_of_reg(&g->scan, reg, DEEPEST_RANGE);
    return g->give(g->context, node, of, &range);
}

// What a load yields as an unsigned number, behind a store. Anything may be stored in parts.
static bool gives_object(Gives *g, Node node, const Instr *store) {
    Sym symbol = {store->ref};
    const Func *func = g->scan.func;
    uint32_t of = unit_of_object(g->scan.program->unit, symbol);
    if (!unit_range(g->scan.program->unit, of)) return true;
    uint32_t size = chunk_size((Chunk)store->chunk);
    Range range = range_full(64);
    if (unit_accesses_whole(g->scan.program, store)) {
        Op extension = size == 1 ? OP_ZEXT8_I32 : size == 2 ? OP_ZEXT16_I32 : OP_COUNT;
        range =
            range_of_reg(&g->scan, instr_args(func, store)[store->arg_count - 1], DEEPEST_RANGE);
        if (extension != OP_COUNT && !range_is_empty(&range))
            range = range_of_op(extension, &range);
    }
    return g->give(g->context, node, of, &range);
}

static bool gives(Gives *g, Node node, const Instr *instr) {
    const Program *program = g->scan.program;
    const UnitMemory *unit = program->unit;
    if (instr->kind == I_STORE && instr->base == BASE_SYMBOL) return gives_object(g, node, instr);
    if (instr->kind == I_RETURN && instr->arg_count)
        return gives_reg(g, node, unit_of_result(unit, g->scan.func->symbol), instr->arg[0]);
    if (!unit_calls_own(program, instr)) return true;
    const SigInfo *sig = program_sig_info(program, (Sig){instr->aux});
    for (uint32_t k = 0; k < sig->fixed_count; k++)
        if (!gives_reg(g, node, unit_of_param(unit, (Sym){instr->ref}, k),
                       instr_args(g->scan.func, instr)[k]))
            return false;
    return true;
}

bool unit_gives_of(Arena *arena, const Func *func, UnitGive *give, void *context) {
    Gives g = {.scan = {.arena = arena, .func = func, .program = func->program},
               .give = give,
               .context = context};
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (!gives(&g, (Node){n}, &func->nodes.at[n])) return false;
    return true;
}
