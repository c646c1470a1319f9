// Emits nodes. While a function is being lowered its nodes stand in the order of their emission,
// each going on to the next; jumps name labels, which are marked by a bit in the successor.
// emit_finish resolves the labels, drops the nops that only jumped and all unreachable nodes, and
// copies the remaining nodes, densely numbered, into their final place. So lowering need not care
// whether code is reachable, and its working memory is used again for each function.
#include "c/lower/lower_private.h"

#include "base/bits.h"

#include <string.h>

void emit_start(Lower *lower) {
    Func *f = lower->f;
    vec_clear(&f->params);
    vec_clear(&f->regs);
    vec_clear(&f->slots);
    vec_clear(&f->nodes);
    vec_clear(&f->reg_pool);
    vec_clear(&f->node_pool);
    vec_clear(&f->case_pool);
    f->next_temp = 0;
    vec_clear(&lower->label_at);
    lower->reg_names = lower->slot_names = (Map){0};
}

// ---- Locations

void emit_at(Lower *lower, Pos pos) {
    lower->pos = pos;
}

static uint32_t file_index(Lower *lower, const char *name) {
    if (name == lower->file_name) return lower->file;
    Program *program = lower->program;
    Str text = str_of(&program->strings, name);
    uint32_t file = program->files.count;
    for (uint32_t i = 1; i < program->files.count; i++)
        if (str_same(program->files.at[i], text)) file = i;
    if (file == program->files.count) vec_push(program->arena, &program->files, text);
    lower->file_name = name;
    return lower->file = file;
}

Loc lower_loc(Lower *lower, Pos pos) {
    Presumed presumed = pp_presumed(lower->pp, pos);
    return (Loc){
        .file = file_index(lower, presumed.file), .line = presumed.line, .column = presumed.column};
}

void lower_forget_location(Lower *lower) {
    lower->loc_pos = UINT32_MAX;
}

// The location of the current position; the same place in a row costs nothing.
static uint32_t current_location(Lower *lower) {
    if (lower->pos == lower->loc_pos) return lower->loc;
    lower->loc_pos = lower->pos;
    if (!lower->pos) return lower->loc = 0;
    uint32_t loc = program_loc(lower->program, lower_loc(lower, lower->pos));
    return lower->loc = debug_location(lower, loc);
}

void lower_renew_location(Lower *lower) {
    uint32_t loc = current_location(lower);
    if (loc) lower->loc = lower_location_like(lower, loc);
}

uint32_t lower_location(Lower *lower, Pos pos) {
    emit_at(lower, pos);
    return current_location(lower);
}

// ---- Labels and nodes

Label label_new(Lower *lower) {
    vec_push(lower->arena, &lower->label_at, NO_ID);
    return (Label){lower->label_at.count - 1};
}

void label_place(Lower *lower, Label label) {
    lower->label_at.at[label.i] = lower->f->nodes.count;
}

bool label_is_placed(const Lower *lower, Label label) {
    return lower->label_at.at[label.i] != NO_ID;
}

static Node to_label(Label label) {
    return (Node){label.i | LABEL_BIT};
}

static Node add_node(Lower *lower, Instr instr) {
    if (lower->units) vec_push(lower->arena, &lower->units->emitted, lower->unit);
    instr.automatic = lower->automatic;
    return func_add(lower->f, instr);
}

// Appends a node that goes on to the next one.
static Node emit(Lower *lower, Instr instr) {
    instr.loc = current_location(lower);
    instr.succ_count = 1;
    instr.succ[0] = (Node){lower->f->nodes.count + 1};
    return add_node(lower, instr);
}

static void emit_end(Lower *lower, Instr instr) {
    instr.loc = current_location(lower);
    add_node(lower, instr);
}

void emit_jump(Lower *lower, Label label) {
    Instr nop = {.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {to_label(label)}};
    emit_end(lower, nop);
}

// ---- Registers and slots

Str lower_str(Lower *lower, const Ident *name) {
    if (!name) return STR_NONE;
    if (pp_strings(lower->pp) == &lower->program->strings) return name->name;
    return str_intern(&lower->program->strings, name->text, name->length);
}

Reg reg_new(Lower *lower, Type type) {
    if (type != TYPE_WIDE) return func_temp(lower->f, type);
    Reg low = func_temp(lower->f, TYPE_I64);
    func_temp(lower->f, TYPE_I64);
    return low;
}

static bool is_plain_name(const Ident *name) {
    for (uint32_t i = 0; i < name->length; i++)
        if ((unsigned char)name->text[i] >= 0x80 || (i == 0 && name->text[i] == '$')) return false;
    return name->length > 0;
}

// Counts the uses of a name: 0 for the first, then 2, 3, ...
static uint32_t count_name(Lower *lower, Map *names, Str name) {
    uint32_t count = map_get(names, name.i);
    count = count == HASH_NONE ? 1 : count + 1;
    map_set(lower->scratch, names, name.i, count);
    return count == 1 ? 0 : count;
}

Reg reg_named(Lower *lower, Type type, const Ident *name) {
    if (!name || !is_plain_name(name)) return reg_new(lower, type);
    if (type == TYPE_WIDE) {
        Reg low = reg_named(lower, TYPE_I64, name);
        reg_named(lower, TYPE_I64, name);
        return low;
    }
    Str text = lower_str(lower, name);
    uint32_t number = count_name(lower, &lower->reg_names, text);
    return func_add_reg(lower->f, (RegInfo){.name = text, .number = number, .type = type});
}

Slot slot_new(Lower *lower, uint64_t size, uint32_t align, Str name) {
    SlotInfo info = {.name = name, .size = size, .align = align ? align : 1};
    if (!str_same(name, STR_NONE)) {
        uint32_t number = count_name(lower, &lower->slot_names, name);
        if (number) {
            const char *text =
                arena_printf(lower->scratch, "%s.%u", program_text(lower->program, name), number);
            info.name = str_of(&lower->program->strings, text);
        }
    }
    return func_add_slot(lower->f, info);
}

// ---- Operands and operators

Operand operand_int(Type type, int64_t value) {
    return (Operand){.type = type,
                     .constant = true,
                     .reg = NO_REG,
                     .imm = type == TYPE_I32 ? (int32_t)(uint32_t)(uint64_t)value : value};
}

static void emit_const(Lower *lower, Reg dest, int64_t value) {
    emit(lower, (Instr){.kind = I_OP,
                        .op = (uint16_t)op_const(reg_type(lower->f, dest)),
                        .dest = dest,
                        .imm = value});
}

Reg operand_in_reg(Lower *lower, Operand operand) {
    if (!operand.constant) return operand.reg;
    Reg reg = reg_new(lower, operand.type);
    emit_const(lower, reg, operand.imm);
    return reg;
}

void emit_move(Lower *lower, Reg dest, Operand from) {
    if (from.type == TYPE_WIDE) {
        wide_move(lower, dest, from);
    } else if (from.constant) {
        emit_const(lower, dest, from.imm);
    } else if (from.reg.i != dest.i) {
        Node node = emit(
            lower,
            (Instr){.kind = I_OP, .op = (uint16_t)op_move(reg_type(lower->f, dest)), .dest = dest});
        func_set_args(lower->f, node, &from.reg, 1);
    }
}

static Value constant_value(Operand operand) {
    return value_immediate(operand.type, operand.imm);
}

static bool fold(Op op, Value a, Value b, Operand *result) {
    Value value;
    Type type = op_info(op)->result;
    if (!type_is_int(type) || !op_eval(op, a, b, (Value){0}, &value)) return false;
    *result = operand_int(type, (int64_t)value.bits);
    return true;
}

Operand emit_unary(Lower *lower, Op op, Operand a, Reg dest) {
    Operand folded;
    if (a.constant && fold(op, constant_value(a), (Value){0}, &folded)) return folded;
    Reg arg = operand_in_reg(lower, a);
    Reg to = reg_or_new(lower, dest, op_info(op)->result);
    Node node = emit(lower, (Instr){.kind = I_OP, .op = (uint16_t)op, .dest = to});
    func_set_args(lower->f, node, &arg, 1);
    return operand_reg(lower, to);
}

// Moves a constant to the right, where it can be an immediate.
static void constant_last(Op *op, Operand *a, Operand *b) {
    if (!a->constant || b->constant || op_mirror(*op) == OP_COUNT) return;
    *op = op_mirror(*op);
    Operand left = *a;
    *a = *b;
    *b = left;
}

// Sets the operands of a node, the last operand as an immediate if it is a constant.
static void set_operands(Lower *lower, Node node, Reg a, Operand b) {
    Reg args[2] = {a, b.reg};
    if (b.constant) {
        lower->f->nodes.at[node.i].immediate = true;
        lower->f->nodes.at[node.i].imm = b.imm;
    }
    func_set_args(lower->f, node, args, b.constant ? 1 : 2);
}

// Whether the operator leaves its first operand as it is if the second is this constant.
static bool is_neutral(Op op, int64_t constant) {
    switch (op_family(op)) {
    case FAM_ADD:
    case FAM_SUB:
    case FAM_SHL:
    case FAM_SHR:
    case FAM_SAR:
    case FAM_OR: return constant == 0;
    case FAM_MUL: return constant == 1;
    default: return false;
    }
}

// Whether a number is the same however far it is shifted.
static bool stays_under_shift(Op op, int64_t number) {
    bool right = op == OP_SAR_I32 || op == OP_SAR_I64;
    bool any =
        right || op == OP_SHL_I32 || op == OP_SHL_I64 || op == OP_SHR_I32 || op == OP_SHR_I64;
    return (any && number == 0) || (right && number == -1);
}

Operand emit_binary(Lower *lower, Op op, Operand a, Operand b, Reg dest) {
    Operand folded;
    if (a.constant && b.constant && fold(op, constant_value(a), constant_value(b), &folded))
        return folded;
    if (a.constant && stays_under_shift(op, a.imm)) return a;
    constant_last(&op, &a, &b);
    if (b.constant && !a.constant && is_neutral(op, b.imm)) return a;
    Reg left = operand_in_reg(lower, a);
    Reg to = reg_or_new(lower, dest, op_info(op)->result);
    Node node = emit(lower, (Instr){.kind = I_OP, .op = (uint16_t)op, .dest = to});
    set_operands(lower, node, left, b);
    return operand_reg(lower, to);
}

Operand emit_ternary(Lower *lower, Op op, const Reg args[3], Reg dest) {
    Reg to = reg_or_new(lower, dest, op_info(op)->result);
    Node node = emit(lower, (Instr){.kind = I_OP, .op = (uint16_t)op, .dest = to});
    func_set_args(lower->f, node, args, 3);
    return operand_reg(lower, to);
}

// A conversion in the machine would make a quiet NaN of a signaling one.
Value float_bits(Type type, long double value) {
    Value bits = type == TYPE_F32   ? value_f32((float)value)
                 : type == TYPE_F64 ? value_f64((double)value)
                                    : value_f80(value);
    uint64_t quiet = type == TYPE_F32 ? 1u << 22 : type == TYPE_F64 ? (uint64_t)1 << 51 : 0;
    bool signaling = value != value && !(value_f80(value).bits >> 62 & 1);
    if (signaling) bits.bits &= ~quiet;
    return bits;
}

Operand emit_float(Lower *lower, Type type, long double value, Reg dest) {
    Value bits = float_bits(type, value);
    Reg to = reg_or_new(lower, dest, type);
    emit(lower, (Instr){.kind = I_OP,
                        .op = (uint16_t)op_const(type),
                        .dest = to,
                        .imm = (int64_t)bits.bits,
                        .high = (uint16_t)bits.high});
    return operand_reg(lower, to);
}

// ---- Control

void emit_branch(Lower *lower, Op op, Operand a, Operand b, Label then, Label otherwise) {
    Operand folded;
    if (a.constant && b.constant && fold(op, constant_value(a), constant_value(b), &folded)) {
        emit_jump(lower, folded.imm ? then : otherwise);
        return;
    }
    constant_last(&op, &a, &b);
    Reg left = operand_in_reg(lower, a);
    Node node = emit(lower, (Instr){.kind = I_COND, .op = (uint16_t)op, .dest = NO_REG});
    set_operands(lower, node, left, b);
    Node succs[2] = {to_label(then), to_label(otherwise)};
    func_set_succs(lower->f, node, succs, 2);
}

void emit_switch(Lower *lower, Reg selector, const int64_t *cases, const Label *labels,
                 uint32_t count, Label otherwise) {
    if (count == 0) {
        emit_jump(lower, otherwise);
        return;
    }
    Node node = emit(lower, (Instr){.kind = I_SWITCH, .dest = NO_REG});
    func_set_args(lower->f, node, &selector, 1);
    Node *succs = ARENA_ARRAY(lower->scratch, Node, (size_t)count + 1);
    succs[0] = to_label(otherwise);
    for (uint32_t i = 0; i < count; i++) succs[i + 1] = to_label(labels[i]);
    func_set_succs(lower->f, node, succs, count + 1);
    lower->f->nodes.at[node.i].aux = func_add_cases(lower->f, cases, count);
}

void emit_return(Lower *lower, Reg value) {
    if (lower->func && lower->func->attributes->emission & SYMF_NAKED) {
        emit_builtin(lower, BI_TRAP, NO_REG, NULL, 0, 0);
        return;
    }
    instrument_leave(lower);
    emit_end(lower, (Instr){.kind = I_RETURN, .dest = NO_REG});
    if (value.i != NO_ID) func_set_args(lower->f, (Node){lower->f->nodes.count - 1}, &value, 1);
}

void emit_check(Lower *lower, Reg value) {
    func_set_args(lower->f, emit(lower, (Instr){.kind = I_CHECK, .dest = NO_REG}), &value, 1);
}

// ---- Memory

static uint32_t address_args(const Spot *place, Reg *args) {
    uint32_t count = 0;
    if (place->base == BASE_REG) args[count++] = place->reg;
    if (place->scale) args[count++] = place->index;
    return count;
}

static Instr access(const Spot *place, InstrKind kind, Builtin builtin, Chunk chunk) {
    bool named = place->base == BASE_SYMBOL || place->base == BASE_SLOT;
    return (Instr){.kind = (uint8_t)(place->is_volatile ? I_BUILTIN : kind),
                   .op = (uint16_t)(place->is_volatile ? builtin : 0),
                   .base = place->base,
                   .scale = place->scale,
                   .chunk = (uint8_t)chunk,
                   .effective = place->is_volatile ? EFFECTIVE_ANY : place->effective,
                   .dest = NO_REG,
                   .ref = named ? place->ref : 0,
                   .imm = place->offset};
}

Operand emit_load(Lower *lower, const Spot *place, Chunk chunk, Reg dest) {
    Reg args[2];
    uint32_t count = address_args(place, args);
    Instr instr = access(place, I_LOAD, BI_VOLATILE_LOAD, chunk);
    instr.dest = reg_or_new(lower, dest, chunk_type(chunk));
    Node node = emit(lower, instr);
    func_set_args(lower->f, node, args, count);
    return operand_reg(lower, instr.dest);
}

void emit_store(Lower *lower, const Spot *place, Chunk chunk, Operand value) {
    Reg args[3];
    uint32_t count = address_args(place, args);
    args[count++] = operand_in_reg(lower, value);
    Node node = emit(lower, access(place, I_STORE, BI_VOLATILE_STORE, chunk_to_store(chunk)));
    func_set_args(lower->f, node, args, count);
}

Operand emit_address(Lower *lower, const Spot *place, Reg dest) {
    bool named = place->base == BASE_SYMBOL || place->base == BASE_SLOT;
    bool alone = !place->scale;
    Operand base = operand_int(TYPE_I64, 0);
    if (place->base == BASE_REG) base = operand_reg(lower, place->reg);
    if (named) {
        Reg to = alone ? reg_or_new(lower, dest, TYPE_I64) : reg_new(lower, TYPE_I64);
        Op op = place->base == BASE_SYMBOL ? OP_ADDR_SYMBOL : OP_ADDR_SLOT;
        emit(lower, (Instr){.kind = I_OP,
                            .op = (uint16_t)op,
                            .dest = to,
                            .ref = place->ref,
                            .imm = place->offset});
        base = operand_reg(lower, to);
    }
    if (place->scale) {
        Operand index = operand_reg(lower, place->index);
        Operand offset =
            emit_binary(lower, OP_MUL_I64, index, operand_int(TYPE_I64, place->scale), NO_REG);
        bool last = named || place->offset == 0;
        base = emit_binary(lower, OP_ADD_I64, base, offset, last ? dest : NO_REG);
    }
    if (named) return base;
    return emit_binary(lower, OP_ADD_I64, base, operand_int(TYPE_I64, place->offset), dest);
}

// ---- Builtins and calls

void emit_builtin(Lower *lower, Builtin builtin, Reg dest, const Reg *args, uint32_t count,
                  int64_t imm) {
    Instr instr = {.kind = I_BUILTIN, .op = (uint16_t)builtin, .dest = dest, .imm = imm};
    if (builtin_info(builtin)->end)
        emit_end(lower, instr);
    else
        func_set_args(lower->f, emit(lower, instr), args, count);
}

// Slices ask for values, and may go on where the program does not. Nothing counts how often a spin
// runs.
void emit_spin(Lower *lower) {
    Pos pos = lower->pos;
    if (lower->coverage) lower->pos = 0;
    if (!lower->units) emit_builtin(lower, BI_SPIN, NO_REG, NULL, 0, 0);
    lower->pos = pos;
}

Operand emit_atomic(Lower *lower, Builtin builtin, const Spot *place, Chunk chunk,
                    MemoryOrder order, const Operand *values, uint32_t count, Reg dest) {
    Reg args[4];
    uint32_t arg_count = address_args(place, args);
    for (uint32_t i = 0; i < count; i++) args[arg_count++] = operand_in_reg(lower, values[i]);
    bool store = builtin == BI_ATOMIC_STORE;
    Instr instr = access(place, I_BUILTIN, builtin, store ? chunk_to_store(chunk) : chunk);
    instr.op = (uint16_t)builtin;
    instr.aux = order | (place->is_volatile ? ATOMIC_VOLATILE : 0);
    if (!store) instr.dest = reg_or_new(lower, dest, chunk_type(chunk));
    func_set_args(lower->f, emit(lower, instr), args, arg_count);
    return store ? NO_OPERAND : operand_reg(lower, instr.dest);
}

void emit_fence(Lower *lower, Builtin builtin, MemoryOrder order) {
    emit(lower, (Instr){.kind = I_BUILTIN, .op = (uint16_t)builtin, .dest = NO_REG, .aux = order});
}

void emit_va_arg(Lower *lower, PType type, Reg dest, const Reg *args, uint32_t count) {
    Instr instr = {.kind = I_BUILTIN, .op = BI_VA_ARG, .dest = dest, .ref = type.i};
    func_set_args(lower->f, emit(lower, instr), args, count);
}

void emit_call(Lower *lower, Sym callee, Sig sig, Reg dest, const Reg *args, uint32_t count) {
    Instr instr = {.kind = I_CALL, .dest = dest, .ref = callee.i, .aux = sig.i};
    func_set_args(lower->f, emit(lower, instr), args, count);
}

// ---- Finishing

typedef struct {
    const Lower *lower;
    const Func *from;
    uint32_t *goes_to; // of each node: where a jump to it ends up, past the nops
    uint32_t *number;  // of each node: its new number; NO_ID if it cannot be reached
} Finish;

static uint32_t resolve(const Finish *finish, Node succ) {
    return succ.i & LABEL_BIT ? finish->lower->label_at.at[succ.i & ~LABEL_BIT] : succ.i;
}

// Follows nops to a node that does something. The nops of an endless loop stay: one nop is its own
// target. Every nop is walked over once.
static void thread_nops(Finish *finish) {
    const Func *from = finish->from;
    uint32_t count = from->nodes.count;
    Bits walked = bits_new(finish->lower->scratch, count);
    for (uint32_t n = 0; n < count; n++) finish->goes_to[n] = NO_ID;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t end = n;
        while (finish->goes_to[end] == NO_ID && from->nodes.at[end].kind == I_NOP &&
               bits_put(&walked, end))
            end = resolve(finish, from->nodes.at[end].succ[0]);
        uint32_t target = finish->goes_to[end] == NO_ID ? end : finish->goes_to[end];
        for (uint32_t at = n; finish->goes_to[at] == NO_ID;) {
            finish->goes_to[at] = target;
            if (at == target || from->nodes.at[at].kind != I_NOP) break;
            at = resolve(finish, from->nodes.at[at].succ[0]);
        }
    }
}

static uint32_t target_of(const Finish *finish, Node succ) {
    return finish->goes_to[resolve(finish, succ)];
}

// Numbers what can be reached from the entry, in the order of emission. The entry becomes node 0;
// if it was emitted after something that can be reached, a nop that jumps there does.
static uint32_t number_nodes(Finish *finish, bool *entry_nop) {
    const Func *from = finish->from;
    VEC(uint32_t) work = {0};
    Arena *scratch = finish->lower->scratch;
    uint32_t count = from->nodes.count, entry = finish->goes_to[0];
    for (uint32_t n = 0; n < count; n++) finish->number[n] = NO_ID;
    finish->number[entry] = 0;
    vec_push(scratch, &work, entry);
    while (work.count) {
        const Instr *instr = &from->nodes.at[vec_pop(&work)];
        const Node *succs = instr_succs(from, instr);
        for (uint32_t i = 0; i < instr->succ_count; i++) {
            uint32_t n = target_of(finish, succs[i]);
            if (finish->number[n] != NO_ID) continue;
            finish->number[n] = 0;
            vec_push(scratch, &work, n);
        }
    }
    uint32_t first = 0, next = 0;
    while (finish->number[first] == NO_ID) first++;
    *entry_nop = first != entry;
    if (*entry_nop) next++;
    for (uint32_t n = first; n < count; n++)
        if (finish->number[n] != NO_ID) finish->number[n] = next++;
    return next;
}

// Marks everything that the reachable nodes mention, then numbers it. NO_ID: not mentioned.
static void use(uint32_t *map, uint32_t i) {
    map[i] = 0;
}

static bool mentions_slot(const Instr *instr) {
    return instr_has_address(instr) ? instr->base == BASE_SLOT
                                    : instr->kind == I_OP && instr->op == OP_ADDR_SLOT;
}

static void find_uses(const Finish *finish, uint32_t *regs, uint32_t *slots) {
    const Func *from = finish->from;
    for (uint32_t i = 0; i < from->params.count; i++) use(regs, from->params.at[i].i);
    for (uint32_t n = 0; n < from->nodes.count; n++) {
        if (finish->number[n] == NO_ID) continue;
        const Instr *instr = &from->nodes.at[n];
        const Reg *args = instr_args(from, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++) use(regs, args[i].i);
        if (instr->dest.i != NO_ID) use(regs, instr->dest.i);
        if (mentions_slot(instr)) use(slots, instr->ref);
    }
}

static uint32_t *unused_map(Arena *arena, uint32_t count) {
    uint32_t *map = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    memset(map, 0xff, ((size_t)count + 1) * sizeof *map);
    return map;
}

static void copy_regs(Func *to, const Func *from, uint32_t *map) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->regs.count; i++)
        if (map[i] != NO_ID) map[i] = count++;
    if (count) (void)vec_extend(to->arena, &to->regs, count);
    for (uint32_t i = 0; i < from->regs.count; i++) {
        if (map[i] == NO_ID) continue;
        RegInfo info = from->regs.at[i];
        if (!info.name.i) info.number = to->next_temp++;
        to->regs.at[map[i]] = info;
    }
    if (from->params.count) (void)vec_extend(to->arena, &to->params, from->params.count);
    for (uint32_t i = 0; i < from->params.count; i++)
        to->params.at[i] = (Reg){map[from->params.at[i].i]};
}

static void copy_slots(Func *to, const Func *from, uint32_t *map) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->slots.count; i++)
        if (map[i] != NO_ID) map[i] = count++;
    if (count) (void)vec_extend(to->arena, &to->slots, count);
    for (uint32_t i = 0; i < from->slots.count; i++)
        if (map[i] != NO_ID) to->slots.at[map[i]] = from->slots.at[i];
}

// Copies one node to its place; its operands and successors are renumbered on the way.
static void copy_node(Finish *finish, Func *to, Instr *place, const Instr *instr,
                      const uint32_t *regs, const uint32_t *slots) {
    const Func *from = finish->from;
    *place = *instr;
    Node node = {(uint32_t)(place - to->nodes.at)};
    func_set_args(to, node, instr_args(from, instr), instr->arg_count);
    func_set_succs(to, node, instr_succs(from, instr), instr->succ_count);
    Reg *args = instr->arg_count <= INLINE_ARGS ? place->arg : to->reg_pool.at + place->args_at;
    for (uint32_t i = 0; i < instr->arg_count; i++) args[i].i = regs[args[i].i];
    Node *succs =
        instr->succ_count <= INLINE_SUCCS ? place->succ : to->node_pool.at + place->succs_at;
    for (uint32_t i = 0; i < instr->succ_count; i++)
        succs[i].i = finish->number[target_of(finish, succs[i])];
    if (instr->dest.i != NO_ID) place->dest.i = regs[instr->dest.i];
    if (mentions_slot(instr)) place->ref = slots[instr->ref];
    if (instr->kind == I_SWITCH)
        place->aux = func_add_cases(to, instr_cases(from, instr), instr->succ_count - 1);
}

// A label may lie in an expression that turned out to be constant and was never lowered. Control
// does not get there.
static void place_missing_labels(Lower *lower) {
    uint32_t end = lower->f->nodes.count;
    for (uint32_t i = 0; i < lower->label_at.count; i++) {
        if (lower->label_at.at[i] != NO_ID) continue;
        if (end == lower->f->nodes.count) emit_builtin(lower, BI_UNREACHABLE, NO_REG, NULL, 0, 0);
        lower->label_at.at[i] = end;
    }
}

// Tells what became of the nodes.
static void tell_units(Lower *lower, const Finish *finish, const uint32_t *regs,
                       const uint32_t *slots) {
    if (!lower->units) return;
    const Func *from = finish->from;
    uint32_t *leads = ARENA_ARRAY(lower->scratch, uint32_t, from->nodes.count);
    uint32_t *jumps = ARENA_ARRAY(lower->scratch, uint32_t, from->nodes.count);
    for (uint32_t n = 0; n < from->nodes.count; n++) {
        bool nop = from->nodes.at[n].kind == I_NOP;
        leads[n] = finish->number[finish->goes_to[n]];
        jumps[n] = nop ? resolve(finish, from->nodes.at[n].succ[0]) : NO_ID;
    }
    units_finished(lower, (UnitNumbers){.number = finish->number,
                                        .leads = leads,
                                        .jumps = jumps,
                                        .regs = regs,
                                        .slots = slots});
}

Func *emit_finish(Lower *lower, Arena *arena) {
    place_missing_labels(lower);
    coverage_function(lower);
    const Func *from = lower->f;
    Finish finish = {.lower = lower,
                     .from = from,
                     .goes_to = ARENA_ARRAY(lower->scratch, uint32_t, from->nodes.count),
                     .number = ARENA_ARRAY(lower->scratch, uint32_t, from->nodes.count)};
    bool entry_nop;
    thread_nops(&finish);
    uint32_t count = number_nodes(&finish, &entry_nop);
    uint32_t *regs = unused_map(lower->scratch, from->regs.count);
    uint32_t *slots = unused_map(lower->scratch, from->slots.count);
    find_uses(&finish, regs, slots);
    Func *to = func_new(from->program, arena, from->symbol, from->sig);
    copy_regs(to, from, regs);
    copy_slots(to, from, slots);
    tell_units(lower, &finish, regs, slots);
    (void)vec_extend(arena, &to->nodes, count);
    if (entry_nop)
        to->nodes.at[0] = (Instr){.kind = I_NOP,
                                  .dest = NO_REG,
                                  .succ_count = 1,
                                  .succ = {{finish.number[finish.goes_to[0]]}}};
    for (uint32_t n = 0; n < from->nodes.count; n++)
        if (finish.number[n] != NO_ID)
            copy_node(&finish, to, &to->nodes.at[finish.number[n]], &from->nodes.at[n], regs,
                      slots);
    return to;
}
