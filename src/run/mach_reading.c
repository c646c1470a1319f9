// Translates a machine function to the RTL function that says what it means: one small run of RTL
// nodes for each instruction.
//
// In the unbounded state, the registers of the machine function are registers of its reading. In
// the allocated state, there is an i64 for each machine register and each spill of 8 bytes,
// whatever its contents, and an f80 for each spill of 16. An operand of another type is taken from
// the low bits. A result of 32 bits leaves the upper half undefined, since no promise about the
// upper half holds for all instructions. Registers that an instruction destroys are undefined
// afterwards. The areas of arguments on the stack are slots. Spills are marked, since a call that
// returns twice restores registers, but not spills (calls.h).
#include "run/mach_reading.h"
#include "run/mach_reader.h"

#include <string.h>

// ---- Nodes

Node reader_add(Reader *r, Instr instr, const Reg *args, uint32_t count) {
    instr.loc = r->loc;
    Node node = func_add(r->to, instr);
    vec_push(r->arena, &r->instr_of, r->instr);
    func_set_args(r->to, node, args, count);
    func_set_succs(r->to, node, &(Node){node.i + 1}, 1);
    return node;
}

Reg reader_temp(Reader *r, Type type) {
    return func_temp(r->to, type);
}

static Reg add_operator(Reader *r, Instr instr, const Reg *args, uint32_t count) {
    instr.kind = I_OP;
    instr.dest = reader_temp(r, op_info(instr.op)->result);
    reader_add(r, instr, args, count);
    return instr.dest;
}

Reg reader_unary(Reader *r, Op op, Reg a) {
    return add_operator(r, (Instr){.op = (uint16_t)op}, &a, 1);
}

Reg reader_binary(Reader *r, Op op, Reg a, Reg b) {
    return add_operator(r, (Instr){.op = (uint16_t)op}, (Reg[]){a, b}, 2);
}

Reg reader_immediate(Reader *r, Op op, Reg a, int64_t value) {
    return add_operator(r, (Instr){.op = (uint16_t)op, .immediate = true, .imm = value}, &a, 1);
}

Reg reader_constant(Reader *r, Type type, int64_t bits) {
    return add_operator(r, (Instr){.op = (uint16_t)op_const(type), .imm = bits}, NULL, 0);
}

Reg reader_address_of(Reader *r, Op op, uint32_t ref, int64_t displacement) {
    return add_operator(r, (Instr){.op = (uint16_t)op, .ref = ref, .imm = displacement}, NULL, 0);
}

Reg reader_load(Reader *r, Chunk chunk, Reg base, int64_t offset) {
    Instr load = {.kind = I_LOAD,
                  .base = BASE_REG,
                  .chunk = (uint8_t)chunk,
                  .imm = offset,
                  .dest = reader_temp(r, chunk_type(chunk))};
    reader_add(r, load, &base, 1);
    return load.dest;
}

void reader_store(Reader *r, Chunk chunk, Reg base, int64_t offset, Reg value) {
    Instr store = {
        .kind = I_STORE, .base = BASE_REG, .chunk = (uint8_t)chunk, .imm = offset, .dest = NO_REG};
    reader_add(r, store, (Reg[]){base, value}, 2);
}

// ---- Places

static Reg *cell(Reader *r, Place place) {
    return place_is_machine(place) ? &r->machine[place_index(place)]
                                   : &r->spill[place_index(place)];
}

Reg reader_get(Reader *r, Place place, Type type) {
    if (!r->allocated) return place_reg(place);
    Reg whole = *cell(r, place);
    switch (type) {
    case TYPE_I32: return reader_unary(r, OP_TRUNC_I32, whole);
    case TYPE_F32: return reader_unary(r, OP_BITS_F32_I32, reader_unary(r, OP_TRUNC_I32, whole));
    case TYPE_F64: return reader_unary(r, OP_BITS_F64_I64, whole);
    default: return whole;
    }
}

static void assign(Reader *r, Reg dest, Reg value) {
    Instr move = {.kind = I_OP, .op = (uint16_t)op_move(reg_type(r->to, dest)), .dest = dest};
    reader_add(r, move, &value, 1);
}

static Reg widened(Reader *r, Reg value) {
    return reader_binary(r, OP_OR_I64, reader_unary(r, OP_ZEXT_I64, value), r->upper);
}

void reader_put(Reader *r, Place place, Type type, Reg value) {
    if (!r->allocated) {
        if (place.i != value.i) assign(r, place_reg(place), value);
        return;
    }
    switch (type) {
    case TYPE_I32: value = widened(r, value); break;
    case TYPE_F32: value = widened(r, reader_unary(r, OP_BITS_I32_F32, value)); break;
    case TYPE_F64: value = reader_unary(r, OP_BITS_I64_F64, value); break;
    default: break;
    }
    assign(r, *cell(r, place), value);
}

void reader_kill(Reader *r) {
    MachineRegSet lost = regs_or(r->constraints.clobbers, r->constraints.killed);
    for (uint32_t reg = 0; r->allocated && reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(lost, reg) && regs_has(r->used, reg)) assign(r, r->machine[reg], r->undefined);
}

// ---- Operands

uint32_t reader_set_address(Reader *r, const MachInstr *instr, Instr *to, Reg *args) {
    uint32_t count = 0;
    to->imm = instr->displacement;
    to->scale = instr->scale;
    switch ((MachBase)instr->base) {
    case MB_NONE: break;
    case MB_PLACE:
        to->base = BASE_REG;
        args[count++] = reader_get(r, instr->base_place, TYPE_I64);
        break;
    case MB_SYMBOL:
    case MB_SLOT:
        to->base = instr->base == MB_SYMBOL ? BASE_SYMBOL : BASE_SLOT;
        to->ref = instr->ref;
        break;
    case MB_INCOMING:
    case MB_OUTGOING:
        to->base = BASE_SLOT;
        to->ref = instr->base == MB_INCOMING ? r->incoming : r->outgoing;
        break;
    }
    if (instr->scale) args[count++] = reader_get(r, instr->index, TYPE_I64);
    return count;
}

// A load, a store or a builtin at the address, with so many values. The result is in a new
// register.
static Reg access(Reader *r, const MachInstr *instr, Instr to, const Reg *values, uint32_t count,
                  bool loads) {
    Reg args[2 + MACH_SOURCES];
    to.chunk = instr->chunk;
    to.dest = loads ? reader_temp(r, chunk_type(instr->chunk)) : NO_REG;
    uint32_t at = reader_set_address(r, instr, &to, args);
    for (uint32_t k = 0; k < count; k++) args[at++] = values[k];
    reader_add(r, to, args, at);
    return to.dest;
}

static Reg load(Reader *r, const MachInstr *instr) {
    return access(r, instr, (Instr){.kind = I_LOAD}, NULL, 0, true);
}

static void store(Reader *r, const MachInstr *instr, Reg value) {
    access(r, instr, (Instr){.kind = I_STORE}, &value, 1, false);
}

static Reg source(Reader *r, const MachInstr *instr, unsigned which, Type type) {
    if (instr->memory == which) return load(r, instr);
    if (instr->immediate == which) return reader_constant(r, type, instr->imm);
    return reader_get(r, instr->src[which], type);
}

// The operator and operands of an instruction, in one of RTL; the number of its registers.
static uint32_t set_operator(Reader *r, const MachInstr *instr, Instr *to, Reg *args) {
    const OpInfo *info = op_info(instr->op);
    uint32_t count = 0;
    to->op = instr->op;
    if (instr->tested) {
        Type type = info->operand[0];
        Reg a = source(r, instr, 0, type), b = source(r, instr, 1, type);
        args[0] = reader_binary(r, type == TYPE_I32 ? OP_AND_I32 : OP_AND_I64, a, b);
        to->immediate = true;
        return 1;
    }
    for (unsigned k = 0; k < info->arity; k++)
        if (instr->immediate == k) {
            to->immediate = true;
            to->imm = instr->imm;
        } else {
            args[count++] = source(r, instr, k, info->operand[k]);
        }
    return count;
}

static Reg operation(Reader *r, const MachInstr *instr) {
    Reg args[MACH_SOURCES];
    Instr to = {.high = instr->high};
    if (op_info(instr->op)->arity == 0) {
        to.op = instr->op;
        to.imm = instr->imm;
        if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) to.ref = instr->ref;
        return add_operator(r, to, NULL, 0);
    }
    uint32_t count = set_operator(r, instr, &to, args);
    if (instr->checked) {
        Instr fits = to;
        fits.op = (uint16_t)op_exactness(instr->op);
        Reg holds = add_operator(r, fits, args, count);
        reader_add(r, (Instr){.kind = I_CHECK, .dest = NO_REG}, &holds, 1);
    }
    return add_operator(r, to, args, count);
}

// Addresses of 32 bits are computed in 32 bits.
static Reg lea(Reader *r, const MachInstr *instr) {
    bool narrow = instr->chunk == CHUNK_I32;
    Type type = narrow ? TYPE_I32 : TYPE_I64;
    Reg sum = NO_REG;
    if (instr->base == MB_PLACE) {
        sum = reader_get(r, instr->base_place, type);
    } else if (instr->base != MB_NONE) {
        bool slot = instr->base != MB_SYMBOL;
        uint32_t ref = instr->base == MB_INCOMING   ? r->incoming
                       : instr->base == MB_OUTGOING ? r->outgoing
                                                    : instr->ref;
        sum = reader_address_of(r, slot ? OP_ADDR_SLOT : OP_ADDR_SYMBOL, ref, 0);
        if (narrow) sum = reader_unary(r, OP_TRUNC_I32, sum);
    }
    if (instr->scale) {
        Reg index = reader_get(r, instr->index, type);
        index = reader_immediate(r, narrow ? OP_MUL_I32 : OP_MUL_I64, index, instr->scale);
        sum =
            sum.i == NO_ID ? index : reader_binary(r, narrow ? OP_ADD_I32 : OP_ADD_I64, sum, index);
    }
    if (sum.i == NO_ID) return reader_constant(r, type, instr->displacement);
    return reader_immediate(r, narrow ? OP_ADD_I32 : OP_ADD_I64, sum, instr->displacement);
}

// ---- Instructions

// The chunk is that of the load; stores have the signed one.
static void update(Reader *r, const MachInstr *instr) {
    MachInstr stored = *instr;
    if (instr->chunk == CHUNK_U8) stored.chunk = CHUNK_I8;
    if (instr->chunk == CHUNK_U16) stored.chunk = CHUNK_I16;
    store(r, &stored, operation(r, instr));
}

static Reg select_(Reader *r, const MachInstr *instr) {
    Type type = (Type)instr->aux;
    Reg condition = operation(r, instr);
    Reg yes = source(r, instr, 2, type), no = source(r, instr, 3, type);
    Instr to = {.op = (uint16_t)op_select(type)};
    return add_operator(r, to, (Reg[]){condition, yes, no}, 3);
}

static Reg load_part(Reader *r, const MachInstr *instr) {
    MachInstr at = *instr;
    at.chunk = CHUNK_I64;
    Reg bits = reader_load_part(r, lea(r, &at), 0, (uint32_t)instr->imm);
    return instr->op == OP_MOVE_F64 ? reader_unary(r, OP_BITS_F64_I64, bits) : bits;
}

static void store_part(Reader *r, const MachInstr *instr) {
    MachInstr at = *instr;
    at.chunk = CHUNK_I64;
    Reg bits = reader_get(r, instr->src[0], op_info(instr->op)->result);
    if (instr->op == OP_MOVE_F64) bits = reader_unary(r, OP_BITS_I64_F64, bits);
    reader_store_part(r, lea(r, &at), 0, (uint32_t)instr->imm, bits);
}

static void exchange(Reader *r, const MachInstr *instr) {
    Reg kept = reader_temp(r, TYPE_I64);
    assign(r, kept, *cell(r, instr->dest));
    assign(r, *cell(r, instr->dest), *cell(r, instr->src[0]));
    assign(r, *cell(r, instr->src[0]), kept);
}

static Type builtin_operand(const BuiltinInfo *info, const MachInstr *instr, unsigned which) {
    if (which >= strlen(info->arguments)) return TYPE_I64; // where va_arg copies an aggregate
    char letter = info->arguments[which];
    return letter == 'c' ? chunk_type(instr->chunk) : letter == 'w' ? TYPE_I32 : TYPE_I64;
}

static void builtin(Reader *r, const MachInstr *instr) {
    const BuiltinInfo *info = builtin_info(instr->op);
    bool addressed = builtin_has_address(info);
    Reg args[2 + MACH_SOURCES];
    Instr to = {.kind = I_BUILTIN, .op = instr->op, .dest = NO_REG};
    if (builtin_has_number(info)) to.imm = instr->imm;
    if (info->form == BIF_PTYPE) to.ref = instr->aux;
    if (builtin_has_order(info)) to.aux = instr->aux;
    uint32_t count = 0;
    for (unsigned k = 0; k < MACH_SOURCES; k++) {
        if (instr->op == BI_MEMSET && instr->immediate == k)
            args[count++] = reader_constant(r, TYPE_I32, instr->high);
        else if (instr->src[k].i != NO_ID || instr->immediate == k)
            args[count++] = source(r, instr, k, builtin_operand(info, instr, k));
    }
    if (addressed) {
        to.dest = access(r, instr, to, args, count, info->result == BIR_CHUNK);
    } else {
        const MachConstraints *c = &r->constraints;
        bool result = instr->dest.i != NO_ID;
        if (result) to.dest = reader_temp(r, (Type)c->operands.at[0].type);
        reader_add(r, to, args, count);
    }
    reader_kill(r);
    if (to.dest.i != NO_ID)
        reader_put(r, instr->dest, (Type)r->constraints.operands.at[0].type, to.dest);
}

static void add_check(Reader *r, const MachInstr *instr) {
    Reg value = operation(r, instr);
    reader_add(r, (Instr){.kind = I_CHECK, .dest = NO_REG}, &value, 1);
}

// Instructions with one result go on behind the switch.
static void instruction(Reader *r, const MachInstr *instr) {
    Reg value = NO_REG;
    switch ((MachKind)instr->kind) {
    case MK_OP:
    case MK_MOVE: value = operation(r, instr); break;
    case MK_LEA: value = lea(r, instr); break;
    case MK_LOAD: value = load(r, instr); break;
    case MK_LOAD_PART: value = load_part(r, instr); break;
    case MK_SELECT: value = select_(r, instr); break;
    case MK_STORE: store(r, instr, source(r, instr, 0, chunk_type(instr->chunk))); break;
    case MK_UPDATE: update(r, instr); break;
    case MK_STORE_PART: store_part(r, instr); break;
    case MK_CHECK: add_check(r, instr); break;
    case MK_CALL: reader_call(r, instr); return;
    case MK_BUILTIN: builtin(r, instr); return;
    case MK_PARAMS: reader_params(r, instr); return;
    case MK_EXCHANGE: exchange(r, instr); return;
    case MK_JUMP: // ends of blocks: see below
    case MK_BRANCH:
    case MK_SWITCH:
    case MK_RETURN:
    case MK_TAIL_CALL:
    case MK_TRAP:
    case MK_STOP:
    case MACH_KIND_COUNT: return;
    }
    reader_kill(r);
    if (value.i != NO_ID)
        reader_put(r, instr->dest, (Type)r->constraints.operands.at[0].type, value);
}

// ---- Ends of blocks

static void leave_to(Reader *r, Node from, uint32_t which, uint32_t block) {
    PendingEdge edge = {.from = from, .which = which, .block = block};
    vec_push(r->arena, &r->edges, edge);
}

static void leave(Reader *r, const MachBlock *block, Instr instr, const Reg *args, uint32_t count) {
    const uint32_t *succs = mach_succs(r->func, block);
    instr.dest = NO_REG;
    Node node = reader_add(r, instr, args, count);
    Node *none = ARENA_ARRAY(r->arena, Node, block->succ_count);
    func_set_succs(r->to, node, none, block->succ_count);
    for (uint32_t k = 0; k < block->succ_count; k++) leave_to(r, node, k, succs[k]);
}

static void end(Reader *r, const MachBlock *block, const MachInstr *instr) {
    Reg args[MACH_SOURCES];
    Instr to = {0};
    switch ((MachKind)instr->kind) {
    case MK_JUMP: leave(r, block, (Instr){.kind = I_NOP}, NULL, 0); break;
    case MK_BRANCH: {
        to.kind = I_COND;
        uint32_t count = set_operator(r, instr, &to, args);
        leave(r, block, to, args, count);
        break;
    }
    case MK_SWITCH:
        args[0] = reader_get(r, instr->src[0], op_info(instr->op)->operand[0]);
        to = (Instr){.kind = I_SWITCH, .aux = instr->aux};
        leave(r, block, to, args, 1);
        break;
    case MK_RETURN: reader_return(r, instr); break;
    case MK_TAIL_CALL: reader_call(r, instr); break;
    default:
        to = (Instr){.kind = I_BUILTIN, .op = instr->kind == MK_TRAP ? BI_TRAP : BI_UNREACHABLE};
        leave(r, block, to, NULL, 0);
        break;
    }
}

// ---- Functions

static void note_used(Reader *r) {
    for (uint32_t i = 0; i < r->func->mach->code.count; i++) {
        mach_constraints(r->arena, r->func, mach_at(r->func, i), &r->constraints);
        for (uint32_t k = 0; k < r->constraints.operands.count; k++) {
            Place place = *r->constraints.operands.at[k].place;
            if (place_is_machine(place)) regs_add(&r->used, place_index(place));
        }
    }
}

static Reg named_cell(Reader *r, const char *name, Type type) {
    return func_add_reg(r->to,
                        (RegInfo){.name = str_of(&r->to->program->strings, name), .type = type});
}

// Registers for the places of the allocated state.
static void make_cells(Reader *r) {
    const Mach *mach = r->func->mach;
    note_used(r);
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        r->machine[reg] =
            regs_has(r->used, reg)
                ? named_cell(r, target_register_name(r->func->program->target, reg), TYPE_I64)
                : NO_REG;
    r->spill = ARENA_ARRAY(r->arena, Reg, mach->spills.count);
    r->to->first_spill = r->to->regs.count;
    r->to->spill_count = mach->spills.count;
    for (uint32_t i = 0; i < mach->spills.count; i++)
        r->spill[i] = named_cell(r, arena_printf(r->arena, "s%u", i),
                                 mach->spills.at[i].size == 16 ? TYPE_F80 : TYPE_I64);
    r->undefined = reader_temp(r, TYPE_I64);
    r->upper = reader_immediate(r, OP_SHL_I64, r->undefined, 32);
}

static Func *like(Arena *arena, const Func *func) {
    Func *to = func_like(func, arena);
    to->form = FORM_RTL;
    to->reading = true;
    vec_clear(&to->params);
    func_add_cases(to, func->case_pool.at, func->case_pool.count);
    return to;
}

static MachReading *told(const Reader *r) {
    MachReading *reading = ARENA_NEW(r->arena, MachReading);
    Reg *machine = ARENA_ARRAY(r->arena, Reg, MACHINE_REG_LIMIT);
    memcpy(machine, r->machine, sizeof r->machine);
    *reading = (MachReading){.of = r->func,
                             .func = r->to,
                             .instr_of = r->instr_of.at,
                             .machine = machine,
                             .spill = r->spill};
    return reading;
}

Reg mach_reading_reg(const MachReading *reading, Place place) {
    if (place.i == NO_ID) return NO_REG;
    if (!reading->of->mach->allocated) return place_reg(place);
    return place_is_machine(place) ? reading->machine[place_index(place)]
                                   : reading->spill[place_index(place)];
}

const Func *mach_reading(Arena *arena, const Func *func) {
    return mach_reading_of(arena, func)->func;
}

const MachReading *mach_reading_of(Arena *arena, const Func *func) {
    const Mach *mach = func->mach;
    Reader reader = {.arena = arena,
                     .func = func,
                     .allocated = mach->allocated,
                     .to = like(arena, func),
                     .instr = NO_ID,
                     .start = ARENA_ARRAY(arena, uint32_t, mach->blocks.count)},
           *r = &reader;
    if (r->allocated) make_cells(r);
    reader_begin(r);
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        r->start[b] = r->to->nodes.count;
        for (uint32_t i = 0; i < block->count; i++) {
            const MachInstr *instr = mach_at(func, block->first + i);
            r->loc = instr->loc;
            r->instr = block->first + i;
            mach_constraints(arena, func, instr, &r->constraints);
            if (mach_kind_ends(instr->kind))
                end(r, block, instr);
            else
                instruction(r, instr);
        }
    }
    for (uint32_t i = 0; i < r->edges.count; i++)
        func_set_succ(r->to, r->edges.at[i].from, r->edges.at[i].which,
                      (Node){r->start[r->edges.at[i].block]});
    return told(r);
}
