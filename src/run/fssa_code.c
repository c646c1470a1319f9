// Functions of functional SSA are prepared for evaluation: terms become registers, operators become
// instructions, which the RTL interpreter performs. Equal terms become one register, so that what
// is written down twice is computed once and the conditions of a loop's `close` terms are seen to
// be the same.
#include "fact/eval.h"
#include "run/fssa_run.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Interpreter *in;
    Func *func; // the copy that grows
    VEC(FlowValue) values;
    VEC(Reg) args;
    VEC(Value) constants; // what the registers that are there hold
    Table known;          // values, by what they are made of
    Reg *reg_of;          // of each term
    Reg *root;            // of each term, the first identifier that it defines, or NO_REG
    FssaRegions regions;  // of each term
} Flatten;

// ---- Registers

static void set_value(Flatten *f, Reg reg, FlowValue value) {
    while (f->values.count <= reg.i) vec_push(f->arena, &f->values, (FlowValue){0});
    f->values.at[reg.i] = value;
}

static uint64_t hash_value(const Flatten *f, const FlowValue *value) {
    uint64_t hash = hash_mix((uint64_t)value->kind << 32 | value->loop);
    if (value->kind == FLOW_OP) {
        const Instr *instr = &f->func->nodes.at[value->node];
        hash = hash_add(hash_add(hash_add(hash, instr->op), instr->ref), (uint64_t)instr->imm);
    } else {
        hash = hash_add(hash_add(hash, value->node), (uint64_t)value->imm);
    }
    for (uint32_t i = 0; i < value->arg_count; i++)
        hash = hash_add(hash, f->args.at[value->args_at + i].i);
    return hash;
}

static bool same_value(const Flatten *f, const FlowValue *a, const FlowValue *b) {
    bool same = a->kind == b->kind && a->loop == b->loop && a->imm == b->imm &&
                a->arg_count == b->arg_count;
    for (uint32_t i = 0; same && i < a->arg_count; i++)
        same = f->args.at[a->args_at + i].i == f->args.at[b->args_at + i].i;
    if (!same || a->kind != FLOW_OP) return same && a->node == b->node;
    return instr_alike(f->func, &f->func->nodes.at[a->node], f->func, &f->func->nodes.at[b->node]);
}

// The register that has a value already; NO_REG if there is none. States are made once each.
static Reg find_value(const Flatten *f, const FlowValue *value, uint64_t hash) {
    uint32_t at = table_first(&f->known, hash), id;
    while ((id = table_id(&f->known, hash, &at)) != HASH_NONE)
        if (same_value(f, &f->values.at[id], value)) return (Reg){id};
    return NO_REG;
}

static Reg new_register(Flatten *f, Type type) {
    return func_add_reg(f->func, (RegInfo){.type = type});
}

// ---- Terms

static uint32_t add_node(Flatten *f, Instr instr, const Reg *args, uint32_t count) {
    Node node = func_add(f->func, instr);
    func_set_args(f->func, node, args, count);
    return node.i;
}

static void add_args(Flatten *f, FlowValue *value, const Reg *args, uint32_t count) {
    value->args_at = f->args.count;
    value->arg_count = count;
    if (count) memcpy(vec_extend(f->arena, &f->args, count), args, count * sizeof *args);
}

// Constants and addresses of symbols are there from the start; the address of a slot is known when
// there is a frame.
static FlowValue flatten_constant(Flatten *f, const FssaTermNode *term, Value *constant) {
    Instr instr = fssa_constant_instr(term);
    if (term->op == OP_ADDR_SLOT)
        return (FlowValue){.kind = FLOW_OP, .node = add_node(f, instr, NULL, 0)};
    *constant = value_immediate(op_info(term->op)->result, term->imm);
    constant->high = term->op == OP_CONST_F80 ? term->high : 0;
    if (term->op == OP_ADDR_SYMBOL) constant->bits += f->in->world.symbol_address[term->ref];
    return (FlowValue){.kind = FLOW_THERE};
}

static bool is_integer(const FssaTermNode *term) {
    return term->kind == FT_CONST && op_family(term->op) == FAM_CONST &&
           (term->type == TYPE_I32 || term->type == TYPE_I64);
}

static FlowValue flatten_op(Flatten *f, const FssaTermNode *term) {
    const FssaTerm *terms = fssa_args(f->func, term);
    uint32_t count = term->arg_count;
    Reg args[3];
    Instr instr = {.kind = I_OP, .op = term->op, .dest = NO_REG};
    const FssaTermNode *last = fssa_at(f->func, terms[count - 1]);
    if (is_integer(last) && op_allows_immediate(term->op)) {
        instr.immediate = true;
        instr.imm = last->imm;
        count--;
    }
    for (uint32_t i = 0; i < count; i++) args[i] = f->reg_of[terms[i].i];
    FlowValue value = {.kind = FLOW_OP};
    add_args(f, &value, args, count);
    value.node = add_node(f, instr, args, count);
    return value;
}

static FlowValue flatten_effect(Flatten *f, const FssaTermNode *term) {
    const Instr *instr = &f->func->nodes.at[term->ref];
    FlowValue value = {.kind = FLOW_EFFECT, .node = term->ref, .args_at = f->args.count};
    vec_push(f->arena, &f->args, f->reg_of[fssa_args(f->func, term)->i]);
    for (uint32_t i = 0; i < instr->arg_count; i++)
        vec_push(f->arena, &f->args, instr_args(f->func, instr)[i]);
    value.arg_count = f->args.count - value.args_at;
    return value;
}

static FlowValue flatten_other(Flatten *f, const FssaTermNode *term) {
    static const FlowKind kinds[FSSA_TERM_KINDS] = {
        [FT_LOOP] = FLOW_LOOP,   [FT_CLOSE] = FLOW_CLOSE, [FT_GAMMA] = FLOW_GAMMA,
        [FT_NOT] = FLOW_NOT,     [FT_AND] = FLOW_AND,     [FT_OR] = FLOW_OR,
        [FT_CASE] = FLOW_CASE,   [FT_STUCK] = FLOW_STUCK, [FT_READ] = FLOW_READ,
        [FT_WRITE] = FLOW_WRITE, [FT_PRINT] = FLOW_PRINT};
    FlowValue value = {.kind = (uint8_t)kinds[term->kind],
                       .node = term->ref,
                       .imm = term->imm,
                       .loop = term->loop.i == NO_ID ? 0 : term->loop.i + 1,
                       .args_at = f->args.count,
                       .arg_count = term->arg_count};
    for (uint32_t i = 0; i < term->arg_count; i++)
        vec_push(f->arena, &f->args, f->reg_of[fssa_args(f->func, term)[i].i]);
    if (term->kind == FT_STUCK) // a place to stand at
        value.node = add_node(f, (Instr){.kind = I_NOP, .dest = NO_REG}, NULL, 0);
    return value;
}

static FlowValue flatten_node(Flatten *f, const FssaTermNode *term, Value *constant) {
    switch ((FssaTermKind)term->kind) {
    case FT_CONST: return flatten_constant(f, term, constant);
    case FT_UNDEF: *constant = value_undefined((Type)term->type); return (FlowValue){0};
    case FT_ARRAY: return (FlowValue){0};
    case FT_OP: return flatten_op(f, term);
    case FT_EFFECT: return flatten_effect(f, term);
    default: return flatten_other(f, term);
    }
}

static bool is_shared(FlowKind kind) {
    return kind != FLOW_THERE && kind != FLOW_EFFECT && kind != FLOW_PRINT && kind != FLOW_STUCK;
}

// A term that is no name: the register that it defines, or one that has the same value, or a new
// one.
static Reg flatten_term(Flatten *f, uint32_t index) {
    FssaTermNode term = f->func->fssa->terms.at[index];
    Value constant = {0};
    FlowValue value = flatten_node(f, &term, &constant);
    bool shared = is_shared((FlowKind)value.kind);
    uint64_t hash = shared ? hash_value(f, &value) : 0;
    Reg known = shared ? find_value(f, &value, hash) : NO_REG;
    if (known.i != NO_ID) return known;
    Reg reg = f->root[index];
    if (reg.i == NO_ID) reg = new_register(f, (Type)term.type);
    value.region = f->regions.of[index];
    set_value(f, reg, value);
    if (value.kind == FLOW_OP) f->func->nodes.at[value.node].dest = reg;
    if (value.kind == FLOW_EFFECT) {
        Reg result = f->func->nodes.at[value.node].dest;
        FlowValue part = {.kind = FLOW_RESULT, .region = value.region};
        add_args(f, &part, &reg, 1);
        if (result.i != NO_ID) set_value(f, result, part);
    }
    while (f->constants.count <= reg.i) vec_push(f->arena, &f->constants, (Value){0});
    f->constants.at[reg.i] = constant;
    if (shared) table_insert(f->arena, &f->known, hash, reg.i);
    return reg;
}

static void flatten_terms(Flatten *f) {
    const Fssa *fssa = f->func->fssa;
    for (uint32_t i = 0; i < fssa->terms.count; i++) f->root[i] = NO_REG;
    for (uint32_t i = fssa->equations.count; i-- > 0;)
        f->root[fssa->equations.at[i].term.i] = fssa->equations.at[i].dest;
    for (uint32_t i = 0; i < fssa->terms.count; i++)
        f->reg_of[i] =
            fssa->terms.at[i].kind == FT_NAME ? fssa->terms.at[i].reg : flatten_term(f, i);
    for (uint32_t i = 0; i < fssa->equations.count; i++) {
        FssaEquation equation = fssa->equations.at[i];
        Reg source = f->reg_of[equation.term.i];
        FlowValue copy = {.kind = FLOW_COPY, .region = f->regions.of[equation.term.i]};
        if (source.i == equation.dest.i) continue;
        add_args(f, &copy, &source, 1);
        set_value(f, equation.dest, copy);
    }
}

// ---- Regions

static Reg end_register(const Flatten *f, FssaTerm term) {
    return term.i == NO_ID ? NO_REG : f->reg_of[term.i];
}

static void make_regions(Flow *flow, const Flatten *f) {
    const Fssa *fssa = f->func->fssa;
    Arena *arena = f->arena;
    flow->region_count = fssa->loops.count + 1;
    flow->regions = ARENA_ARRAY(arena, FlowRegion, flow->region_count);
    flow->regions[0].parent = NO_ID;
    for (uint32_t i = 0; i < fssa->loops.count; i++) {
        FssaLoop parent = fssa->loops.at[i].parent;
        FlowRegion *region = &flow->regions[i + 1];
        region->parent = parent.i == NO_ID ? 0 : parent.i + 1;
        region->goes_on = end_register(f, fssa->loops.at[i].goes_on);
        region->stuck = end_register(f, fssa->loops.at[i].stuck);
    }
}

// ---- What is needed

static void mark_needed(const Flow *flow, Arena *arena, bool *needed) {
    VEC(Reg) work = {0};
    if (flow->state.i != NO_ID) vec_push(arena, &work, flow->state);
    if (flow->result.i != NO_ID) vec_push(arena, &work, flow->result);
    for (uint32_t i = 1; i < flow->region_count; i++) {
        const FlowRegion *region = &flow->regions[i];
        if (region->goes_on.i != NO_ID) vec_push(arena, &work, region->goes_on);
        if (region->stuck.i != NO_ID) vec_push(arena, &work, region->stuck);
    }
    while (work.count) {
        uint32_t reg = vec_pop(&work).i;
        if (needed[reg]) continue;
        needed[reg] = true;
        const FlowValue *value = &flow->values[reg];
        for (uint32_t i = 0; i < value->arg_count; i++)
            vec_push(arena, &work, flow->args[value->args_at + i]);
    }
}

// Yields the largest number of registers that a loop carries.
static uint32_t find_carried(Flow *flow, Arena *arena, uint32_t count) {
    bool *needed = ARENA_ARRAY(arena, bool, count);
    uint32_t total = 0, most = 0;
    mark_needed(flow, arena, needed);
    for (uint32_t r = 0; r < count; r++)
        if (needed[r] && flow->values[r].kind == FLOW_LOOP)
            flow->regions[flow->values[r].loop].count++;
    for (uint32_t i = 0; i < flow->region_count; i++) {
        flow->regions[i].first = total;
        total += flow->regions[i].count;
        if (most < flow->regions[i].count) most = flow->regions[i].count;
        flow->regions[i].count = 0;
    }
    flow->carried = ARENA_ARRAY(arena, Reg, total);
    for (uint32_t r = 0; r < count; r++) {
        if (!needed[r] || flow->values[r].kind != FLOW_LOOP) continue;
        FlowRegion *region = &flow->regions[flow->values[r].loop];
        flow->carried[region->first + region->count++] = (Reg){r};
    }
    return most;
}

// ---- All of it

// The instruction that leaves the function with its result.
static void add_return(Flatten *f, Flow *flow) {
    Instr leave = {.kind = I_RETURN, .dest = NO_REG};
    flow->leave = add_node(f, leave, &flow->result, flow->result.i != NO_ID);
}

// Of each node, the site of the register that it defines; NO_ID for those of operators inside of
// terms.
static uint32_t *find_sites(const Flatten *f, const uint32_t *of_register, uint32_t count) {
    uint32_t *sites = ARENA_ARRAY(f->arena, uint32_t, f->func->nodes.count);
    for (uint32_t n = 0; n < f->func->nodes.count; n++) sites[n] = NO_ID;
    for (uint32_t r = 0; r < count; r++) {
        FlowKind kind = (FlowKind)f->values.at[r].kind;
        if (kind == FLOW_OP || kind == FLOW_EFFECT || kind == FLOW_STUCK)
            sites[f->values.at[r].node] = of_register[r];
    }
    return sites;
}

static void set_initial(const Flatten *f, Code *code) {
    Value *initial = ARENA_ARRAY(f->arena, Value, code->reg_count);
    memcpy(initial, code->initial, code->reg_count * sizeof *initial);
    for (uint32_t i = 0; i < f->constants.count; i++)
        if (f->values.at[i].kind == FLOW_THERE) initial[i] = f->constants.at[i];
    code->initial = initial;
}

// An instruction that is performed goes nowhere: the frame stays where it is.
static Code *decode(Interpreter *in, const Flatten *f) {
    Code *code = rtl_decode(in, f->func);
    for (uint32_t n = 0; n < f->func->nodes.count; n++) code->steps[n].next = &code->steps[n];
    set_initial(f, code);
    return code;
}

static void flatten(Flatten *f, Flow *flow, const Func *func) {
    for (uint32_t i = 0; i < func->regs.count; i++)
        vec_push(f->arena, &f->constants, value_undefined(func->regs.at[i].type));
    flatten_terms(f);
    flow->state = end_register(f, func->fssa->state);
    flow->result = end_register(f, func->fssa->result);
    add_return(f, flow);
    while (f->values.count < f->func->regs.count) vec_push(f->arena, &f->values, (FlowValue){0});
    for (uint32_t i = 0; i < f->values.count; i++)
        if (f->values.at[i].kind == FLOW_THERE)
            f->values.at[i].region = func->fssa->loops.count + 1;
    flow->values = f->values.at;
    flow->args = f->args.at;
}

const Code *flow_prepare(Interpreter *in, const Func *func, const Func *shown,
                         const uint32_t *sites) {
    Arena *arena = in->arena;
    uint32_t terms = func->fssa->terms.count;
    Flatten f = {.arena = arena,
                 .in = in,
                 .func = func_clone(func, arena),
                 .reg_of = ARENA_ARRAY(arena, Reg, terms),
                 .root = ARENA_ARRAY(arena, Reg, terms),
                 .regions = fssa_regions(arena, func)};
    Flow *flow = ARENA_NEW(arena, Flow);
    flatten(&f, flow, func);
    uint32_t registers = f.func->regs.count;
    flow->func = f.func;
    flow->shown = shown;
    flow->sites = find_sites(&f, sites, func->regs.count);
    flow->register_sites = sites;
    flow->register_count = func->regs.count;
    make_regions(flow, &f);
    rtl_reserve_values(in, find_carried(flow, arena, registers));
    flow->size = sizeof(Activation) + registers * sizeof(uint64_t) +
                 (flow->region_count + 1) * sizeof(RegionState);
    Code *code = decode(in, &f);
    code->flow = flow;
    flow->code = code;
    return code;
}

const Code *fssa_prepare(Interpreter *in, const Func *func) {
    return flow_prepare(in, func, func, fssa_definitions(in->arena, func));
}
