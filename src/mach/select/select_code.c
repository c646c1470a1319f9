// Instruction selection.
//
// Blocks are taken one by one, the uses of a register before its definition (postorder), and each
// block is walked backward. An instruction with an effect is always written. An operator or load is
// written only if its result must be in its register: because another block reads the result, or
// because a later instruction could not fold it. Folding evaluates an operator where its result is
// used instead of where it was set, so its operands must still have their values there, and for a
// load nothing may have changed memory in between. Both conditions are decided in constant time:
// each operand carries the definition that reaches it, and the walk keeps the definition that
// reaches the present item.
//
// A register that the whole function sets once, to a constant or an address, stands for that
// constant wherever it is read. Constants that do not fit into an instruction are computed again at
// each use, unless the computation takes a long instruction or a load.
//
// The knowledge that the checker must have. The checker runs both functions block by block on terms
// and compares registers, memory and effects; beyond equal operators on equal terms the selector
// relies on:
//   - nops: a block may start at any node that the RTL node it stands for reaches by nops alone,
//     and an edge to nops may lead to the target of the nops. Blocks of nops are left out. The
//     nodes of an entry that has predecessors may be in a second block, behind a block that only
//     has PARAMS;
//   - a register set once, to a constant or address, is that constant wherever RTL reads it; so is
//     a register that the machine function adds and sets once, in its first block;
//   - sums: addresses, LEA, add, sub, neg, mul and shl by constants as linear forms, in i64 and, of
//     the low half, in i32; i32 registers as parts of an LEA to i32 (only low halves count);
//   - comparisons: swapped and negated, compared with 0 (ne c 0 is c, eq c 0 its negation),
//     `tested` as the comparison of an and with 0; select by a register as select by ne 0 of it;
//   - sext8 and zext8 (16) of a load of that width is the load with that sign; and.i32 with 255
//     (65535) is zext8 (zext16); a store of 8 (16) bits of sext8, zext8 or and 255 of x stores x;
//   - a remainder as the dividend less the quotient times the divisor;
//   - commutative operators with their operands exchanged;
//   - a `checked` operator as the check that its result fits, then the operator;
//   - UPDATE: a load and a store of the same address and memory.
#include "pass/pass.h"

#include "analysis/liveness.h"
#include "fact/calls.h"
#include "fact/effects.h"
#include "graph/definitions.h"
#include "mach/select/select.h"
#include "target/target.h"

// ---- What is known

SelectOperand sel_operand_of(const Selector *s, SelectValue value) {
    SelectOperand operand = {.value = value, .type = reg_type(s->rtl, value.reg)};
    const Instr *constant = sel_constant(s, value);
    if (constant && (constant->op == OP_CONST_I32 || constant->op == OP_CONST_I64)) {
        operand.constant = true;
        operand.imm = constant->imm;
    }
    return operand;
}

SelectOperand sel_operand(const Selector *s, const SelectItem *item, uint32_t k) {
    const OpInfo *info = op_info(item->instr->op);
    if (!item->instr->immediate || k + 1 < info->arity)
        return sel_operand_of(s, sel_arg(s, item, k));
    return (SelectOperand){.value = {.reg = NO_REG},
                           .type = info->operand[k],
                           .constant = true,
                           .imm = item->instr->imm};
}

static bool is_constant(const Instr *instr) {
    return instr->kind == I_OP && op_info(instr->op)->arity == 0;
}

const Instr *sel_constant(const Selector *s, SelectValue value) {
    if (s->plain) return NULL;
    if (s->constant[value.reg.i]) return s->constant[value.reg.i];
    if (!value.def) return NULL;
    const Instr *instr = s->items.at[value.def - 1].instr;
    return is_constant(instr) ? instr : NULL;
}

// Whether the arguments of an item have the values now that they had there.
static bool unchanged(const Selector *s, const SelectItem *item) {
    for (uint32_t k = 0; k < item->instr->arg_count; k++) {
        SelectValue arg = sel_arg(s, item, k);
        if (s->current[arg.reg.i] != arg.def && !sel_constant(s, arg)) return false;
    }
    return true;
}

const SelectItem *sel_again(Selector *s, SelectValue value) {
    const SelectItem *item = sel_item(s, value);
    if (s->plain || !item || item->instr->kind != I_OP || !unchanged(s, item)) return NULL;
    return item;
}

static bool read_once(const SelectItem *item) {
    return item->reads.uses == 1 && !item->reads.live_out;
}

const SelectItem *sel_only(Selector *s, SelectValue value) {
    const SelectItem *item = sel_again(s, value);
    return item && read_once(item) ? item : NULL;
}

const SelectItem *sel_load(Selector *s, SelectValue value) {
    const SelectItem *item = sel_item(s, value);
    if (s->plain || !item || item->instr->kind != I_LOAD || !read_once(item)) return NULL;
    return item->memory == s->items.at[s->now].memory && unchanged(s, item) ? item : NULL;
}

// ---- Writing

void sel_put(Selector *s, MachInstr instr) {
    if (s->now < s->items.count) {
        const Instr *item = s->items.at[s->now].instr;
        instr.loc = item->loc;
        instr.node = (uint32_t)(item - s->rtl->nodes.at);
    }
    vec_push(s->scratch, &s->group, instr);
}

Place sel_temp(Selector *s, Type type) {
    return place_of_reg(func_temp(s->func, type));
}

// An address too far from its symbol or slot for a displacement.
static void put_far_address(Selector *s, const Instr *address, Place dest) {
    Instr near = *address;
    near.imm = 0;
    MachInstr add = mach_instr(MK_OP);
    add.op = OP_ADD_I64;
    add.src[0] = sel_temp(s, TYPE_I64);
    sel_put_constant(s, &near, add.src[0]);
    add.src[1] = sel_constant_place(s, TYPE_I64, address->imm);
    add.dest = dest;
    sel_put(s, add);
}

void sel_put_constant(Selector *s, const Instr *constant, Place dest) {
    bool address = constant->op == OP_ADDR_SYMBOL || constant->op == OP_ADDR_SLOT;
    if (address && !sel_fits(constant->imm)) {
        put_far_address(s, constant, dest);
        return;
    }
    MachInstr instr = mach_instr(MK_OP);
    instr.op = constant->op;
    instr.high = constant->high;
    instr.imm = constant->imm;
    if (address) instr.ref = constant->ref;
    instr.dest = dest;
    sel_put(s, instr);
}

Place sel_constant_place(Selector *s, Type type, int64_t imm) {
    Place place = sel_temp(s, type);
    sel_put_constant(s, &(Instr){.op = (uint16_t)op_const(type), .imm = imm}, place);
    return place;
}

// In a loop it is worth a register for the whole function; that is then there at the entry, too,
// which comes last.
Place sel_symbol_place(Selector *s, Sym symbol) {
    bool there = s->at_entry && map_get(&s->global.places, symbol.i) != HASH_NONE;
    SymbolPool *pool = s->in_loop || there ? &s->global : &s->local;
    uint32_t reg = map_get(&pool->places, symbol.i);
    if (reg == HASH_NONE) {
        reg = func_temp(s->func, TYPE_I64).i;
        map_set(s->scratch, &pool->places, symbol.i, reg);
        vec_push(s->scratch, &pool->symbols, symbol);
    }
    return place_of_reg((Reg){reg});
}

static void put_pool(Selector *s, SymbolPool *pool) {
    for (uint32_t i = 0; i < pool->symbols.count; i++) {
        Sym symbol = pool->symbols.at[i];
        Instr address = {.op = OP_ADDR_SYMBOL, .ref = symbol.i};
        Reg reg = {map_get(&pool->places, symbol.i)};
        sel_put_constant(s, &address, place_of_reg(reg));
    }
    *pool = (SymbolPool){0};
}

// Whether a constant takes one short instruction that reads no memory.
static bool is_cheap(const Selector *s, const Instr *constant) {
    switch (constant->op) {
    case OP_CONST_I32:
    case OP_ADDR_SLOT: return true;
    case OP_CONST_I64: return constant->imm >= INT32_MIN && constant->imm <= UINT32_MAX;
    case OP_ADDR_SYMBOL: return mach_symbol_is_near(s->program, (Sym){constant->ref});
    default: return false;
    }
}

// Whether the register of a constant holds it now, or can be made to.
static bool is_held(const Selector *s, SelectValue value) {
    if (!s->constant[value.reg.i]) return s->current[value.reg.i] == value.def;
    return bits_has(&s->constant_needed, value.reg.i) ||
           !bits_has(&s->constant_passed, value.reg.i);
}

Place sel_place(Selector *s, SelectValue value) {
    const Instr *constant = sel_constant(s, value);
    if (constant && (is_cheap(s, constant) || !is_held(s, value))) {
        Place place = sel_temp(s, op_info(constant->op)->result);
        sel_put_constant(s, constant, place);
        return place;
    }
    if (constant && s->constant[value.reg.i])
        bits_add(&s->constant_needed, value.reg.i);
    else if (value.def)
        sel_item(s, value)->needed = true;
    return place_of_reg(value.reg);
}

Place sel_operand_place(Selector *s, const SelectOperand *operand) {
    const Instr *constant = operand->type == TYPE_I64 && operand->value.reg.i != NO_ID
                                ? sel_constant(s, operand->value)
                                : NULL;
    if (constant && constant->op == OP_ADDR_SYMBOL && constant->imm == 0 && is_cheap(s, constant))
        return sel_symbol_place(s, (Sym){constant->ref});
    return operand->value.reg.i == NO_ID ? sel_constant_place(s, operand->type, operand->imm)
                                         : sel_place(s, operand->value);
}

// ---- One block

// The record of who reads a value; `block` is the one at hand.
static Reads *reads_of(Selector *s, SelectValue value, uint32_t block) {
    if (value.def) return &s->items.at[value.def - 1].reads;
    Reads *reads = &s->entering[value.reg.i];
    if (reads->block != block + 1) *reads = (Reads){.block = block + 1};
    return reads;
}

const Reads *sel_reads(const Selector *s, SelectValue value) {
    return value.def ? &s->items.at[value.def - 1].reads : &s->entering[value.reg.i];
}

static void add_item(Selector *s, const Instr *instr, uint32_t memory, uint32_t block) {
    SelectItem item = {
        .instr = instr, .args = instr_args(s->rtl, instr), .defs = s->defs.count, .memory = memory};
    uint32_t in_address = instr_has_address(instr) ? sel_address_registers(instr) : 0;
    bool increment = instr->kind == I_OP && instr->op == OP_ADD_I64 && instr->immediate;
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        SelectValue value = {.reg = item.args[k], .def = s->current[item.args[k].i]};
        vec_push(s->scratch, &s->defs, value.def);
        Reads *reads = reads_of(s, value, block);
        reads->uses++;
        reads->address_uses += k < in_address;
        if (increment) reads->increment = s->items.count + 1;
    }
    vec_push(s->scratch, &s->items, item);
    if (instr->dest.i == NO_ID) return;
    s->items.at[s->items.count - 1].previous = s->current[instr->dest.i];
    s->current[instr->dest.i] = s->items.count;
}

static void list_items(Selector *s, uint32_t block) {
    uint32_t memory = 0;
    vec_clear(&s->items);
    vec_clear(&s->defs);
    for (uint32_t n = s->blocks.start[block]; n < s->blocks.start[block + 1]; n++) {
        const Instr *instr = func_at(s->rtl, (Node){s->blocks.order[n]});
        if (instr_is_idle(instr)) continue;
        add_item(s, instr, memory, block);
        memory += instr_has_effect(instr);
    }
}

// Marks the last definitions of registers that are live at the start of a successor.
static void mark_live(Selector *s, const Liveness *liveness, uint32_t block, uint32_t *seen) {
    const Graph *graph = &s->blocks.graph;
    for (uint32_t e = graph->succ_at[block]; e < graph->succ_at[block + 1]; e++) {
        uint32_t succ = graph->succ[e];
        if (seen[succ] == block) continue;
        seen[succ] = block;
        for (uint32_t i = liveness->live_at[succ]; i < liveness->live_at[succ + 1]; i++) {
            Reg reg = liveness->live[i];
            reads_of(s, (SelectValue){.reg = reg, .def = s->current[reg.i]}, block)->live_out =
                true;
        }
    }
}

// The operator tells the type of the operand.
static void put_switch(Selector *s, const SelectItem *item) {
    MachInstr instr = mach_instr(MK_SWITCH);
    SelectValue value = sel_arg(s, item, 0);
    instr.op = (uint16_t)op_of(FAM_EQ, reg_type(s->rtl, value.reg));
    instr.src[0] = sel_place(s, value);
    instr.aux = item->instr->aux;
    sel_put(s, instr);
}

static void select_effect(Selector *s, const SelectItem *item) {
    switch ((InstrKind)item->instr->kind) {
    case I_STORE: sel_store(s, item); break;
    case I_CALL: sel_call(s, item); break;
    case I_COND: s->target->branch(s, item); break;
    case I_SWITCH: put_switch(s, item); break;
    case I_RETURN: sel_return(s, item); break;
    case I_CHECK: s->target->check(s, item); break;
    case I_BUILTIN: sel_builtin(s, item); break;
    case I_NOP:
    case I_OP:
    case I_LOAD:
    case INSTR_KIND_COUNT: break;
    }
}

// Whether the result of an operator or load must be set here.
static bool is_needed(Selector *s, const SelectItem *item) {
    uint32_t dest = item->instr->dest.i;
    if (s->plain || !s->constant[dest]) return s->plain || item->needed || item->reads.live_out;
    bits_add(&s->constant_passed, dest);
    return bits_has(&s->constant_needed, dest);
}

static void select_item(Selector *s, const SelectItem *item) {
    const Instr *instr = item->instr;
    if (!instr_is_removable(instr))
        select_effect(s, item);
    else if (is_needed(s, item) && is_constant(instr))
        sel_put_constant(s, instr, place_of_reg(instr->dest));
    else if (is_needed(s, item))
        s->target->compute(s, item, place_of_reg(instr->dest));
}

// Moves what was written for one item to the block's code, backward.
static void end_group(Selector *s) {
    while (s->group.count) {
        MachInstr instr = vec_pop(&s->group);
        vec_push(s->scratch, &s->code, instr);
    }
}

static void put_jump(Selector *s) {
    s->now = s->items.count;
    sel_put(s, mach_instr(MK_JUMP));
    end_group(s);
}

static bool ends_block(const Instr *instr) {
    return instr->succ_count != 1 || instr->kind == I_SWITCH;
}

static void select_block(Selector *s, const Liveness *liveness, uint32_t block, uint32_t *seen) {
    list_items(s, block);
    mark_live(s, liveness, block, seen);
    s->spans[block].first = s->code.count;
    s->at_entry = block == 0;
    s->in_loop = s->forest.innermost[block] != NO_ID && !s->cold[block];
    uint32_t count = s->items.count;
    if (count == 0 || !ends_block(s->items.at[count - 1].instr)) put_jump(s);
    bool tail = sel_is_tail_call(s);
    for (uint32_t i = count; i-- > 0;) {
        SelectItem *item = &s->items.at[i];
        s->now = i;
        if (item->instr->dest.i != NO_ID) s->current[item->instr->dest.i] = item->previous;
        if (tail && i == count - 1) continue;
        if (tail && i == count - 2)
            sel_tail_call(s, item);
        else
            select_item(s, item);
        end_group(s);
    }
    put_pool(s, &s->local);
    end_group(s);
    s->spans[block].end = s->code.count;
}

// ---- The whole function

// Where the function never comes counts, too, as it does for the checker; what is set there is not
// held by its register.
static void find_constants(Selector *s) {
    uint32_t count = s->rtl->regs.count;
    const Definition *definitions = definitions_of(s->scratch, s->rtl);
    s->constant = ARENA_ARRAY(s->scratch, const Instr *, count);
    for (uint32_t r = 0; r < count; r++) {
        const Instr *instr = defining_instr(s->rtl, definitions, (Reg){r});
        if (!instr || !is_constant(instr)) continue;
        s->constant[r] = instr;
        bits_add(&s->constant_passed, r);
    }
    for (uint32_t i = 0; i < s->graph.reached; i++) {
        const Instr *instr = func_at(s->rtl, (Node){s->graph.order[i]});
        if (is_constant(instr)) bits_remove(&s->constant_passed, instr->dest.i);
    }
}

// Alloca ties a function to its frame, and so may variable arguments; a call that returns twice may
// come back to it.
static bool needs_frame(const Func *func) {
    for (uint32_t i = 0; i < func->nodes.count; i++) {
        const Instr *instr = &func->nodes.at[i];
        if (instr_effects(instr) & MAY_MOVE_STACK) return true;
        if (instr->kind == I_BUILTIN && builtin_asks_frame(instr->op, instr->imm)) return true;
    }
    return func->slots.count > 0 || program_sig_info(func->program, func->sig)->variadic ||
           func_returns_twice(func);
}

// Whether the function may end by tail calls.
static bool may_leave(const Func *func) {
    const Program *program = func->program;
    const uint32_t returns = SYMF_KEEPS_ALL | SYMF_INTERRUPT;
    return !needs_frame(func) && !(program_at(program, func->symbol)->flags & returns) &&
           !program->frame_pointer && !program->calls_return &&
           !regs_has(program->reserved, program->target->frame);
}

static const Instr *last_node(const Selector *s, uint32_t block) {
    return func_at(s->rtl, (Node){s->blocks.order[s->blocks.start[block + 1] - 1]});
}

static bool is_idle(const Selector *s, uint32_t block) {
    for (uint32_t n = s->blocks.start[block]; n < s->blocks.start[block + 1]; n++)
        if (!instr_is_idle(func_at(s->rtl, (Node){s->blocks.order[n]}))) return false;
    return true;
}

// Where an edge to each block leads: blocks of nops that go on forward are passed over, and spins
// on an edge that goes back.
static uint32_t *find_targets(const Selector *s) {
    const Graph *graph = &s->blocks.graph;
    uint32_t *target = ARENA_ARRAY(s->scratch, uint32_t, s->blocks.count);
    for (uint32_t b = s->blocks.count; b-- > 0;) {
        target[b] = b;
        if (b == 0 || !is_idle(s, b)) continue;
        uint32_t succ = graph->succ[graph->succ_at[b]];
        bool spins = last_node(s, b)->kind != I_NOP;
        if (succ > b)
            target[b] = target[succ];
        else if (spins && !is_idle(s, succ))
            target[b] = succ;
    }
    return target;
}

static void put_code(Selector *s, CodeSpan span) {
    for (uint32_t i = span.end; i-- > span.first;) mach_add(s->func, s->code.at[i]);
}

// Lays the blocks out in order, the parameters' code before the entry's.
static void assemble(Selector *s, CodeSpan params, CodeSpan pool, SelectHint *hint) {
    const Graph *graph = &s->blocks.graph;
    bool apart = graph->pred_at[1] > graph->pred_at[0];
    uint32_t *target = find_targets(s);
    uint32_t *order = ARENA_ARRAY(s->scratch, uint32_t, s->blocks.count);
    uint32_t *place = ARENA_ARRAY(s->scratch, uint32_t, s->blocks.count);
    uint32_t count = sel_order(s, target, order);
    for (uint32_t i = 0; i < count; i++) place[order[i]] = i + apart;
    VEC(uint32_t) succs = {0};
    mach_open(s->func);
    vec_push(s->func->arena, &hint->node_of_block, 0);
    put_code(s, params);
    put_code(s, pool);
    if (apart) {
        mach_add(s->func, mach_instr(MK_JUMP));
        mach_end(s->func, &place[0], 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = order[i];
        if (i > 0 || apart) {
            mach_open(s->func);
            vec_push(s->func->arena, &hint->node_of_block, block_first(&s->blocks, b));
        }
        put_code(s, s->spans[b]);
        vec_clear(&succs);
        for (uint32_t e = graph->succ_at[b]; e < graph->succ_at[b + 1]; e++)
            vec_push(s->scratch, &succs, place[target[graph->succ[e]]]);
        mach_end(s->func, succs.at, succs.count);
    }
}

static Func *run(Arena *arena, const Func *func, SelectHint *hint, bool plain) {
    Arena *scratch = arena_new("select_code");
    Selector s = {.scratch = scratch,
                  .rtl = func,
                  .func = mach_like(func, arena, false),
                  .program = func->program,
                  .model = func->program->target,
                  .target = target_record(func->program->target)->code->select,
                  .plain = plain,
                  .graph = graph_of(scratch, func),
                  .constant_needed = bits_new(scratch, func->regs.count),
                  .constant_passed = bits_new(scratch, func->regs.count),
                  .entering = ARENA_ARRAY(scratch, Reads, func->regs.count),
                  .current = ARENA_ARRAY(scratch, uint32_t, func->regs.count)};
    CodeSpan params = {.first = 0}, pool;
    s.tail_call = !plain && may_leave(func);
    sel_params(&s);
    end_group(&s);
    params.end = s.code.count;
    s.rtl = sel_returns_behind_calls(&s, scratch);
    if (s.rtl != func) s.graph = graph_of(scratch, s.rtl);
    s.blocks = blocks_of(scratch, &s.graph);
    s.forest = loops_of(scratch, &s.blocks.graph);
    s.spans = ARENA_ARRAY(scratch, CodeSpan, s.blocks.count);
    Liveness liveness = liveness_of(scratch, s.rtl, &s.graph, &s.blocks);
    uint32_t *seen = graph_table(scratch, s.blocks.count);
    find_constants(&s);
    sel_find_cold(&s);
    for (uint32_t b = s.blocks.count; b-- > 0;) select_block(&s, &liveness, b, seen);
    pool.first = s.code.count;
    vec_clear(&s.items);
    put_pool(&s, &s.global);
    end_group(&s);
    pool.end = s.code.count;
    assemble(&s, params, pool, hint);
    arena_free(scratch);
    return s.func;
}

Func *select_code(Arena *arena, const Func *func, SelectHint *hint) {
    return select_code_is_possible(func) ? run(arena, func, hint, false) : NULL;
}

Func *select_code_plain(Arena *arena, const Func *func, SelectHint *hint) {
    return select_code_is_possible(func) ? run(arena, func, hint, true) : NULL;
}

// Spills and arguments of calls, which are not known yet, find room in what is left of
// MACH_FRAME_LIMIT.
bool select_code_is_possible(const Func *func) {
    return mach_slot_bytes(func) <= MACH_FRAME_LIMIT / 3 * 2;
}
