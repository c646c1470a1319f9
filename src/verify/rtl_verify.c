// The rules for one instruction of RTL.
//
// Kind, operator, builtin, chunk, address and signature decide the shape of an instruction. The
// verifier works the shape out once (Shape); most rules then compare the instruction with the
// shape. If the kind or another of these is out of range, its own rule complains and the shape
// stays unknown: then the operands cannot be judged, but registers, successors and pools are still
// checked.
#include "fact/effects.h"
#include "verify/reserved.h"
#include "verify/verify_rules.h"

// Stands for "i32 or i64" where a type is expected.
#define TYPE_INTEGER TYPE_COUNT

// Fields that mean something in an instruction; the others must be zero.
enum {
    USES_ADDRESS = 1, // base, scale, chunk, imm
    USES_OP = 2,
    USES_HIGH = 4,
    USES_REF = 8,
    USES_AUX = 16,
    USES_IMM = 32,
    USES_EFFECTIVE = 64
};

// No operator, memory access or builtin has more; calls have a signature instead.
enum { MOST_OPERANDS = 4 };

typedef struct {
    const Instr *instr;
    const char *name;  // of the operator, builtin or kind
    const Reg *args;   // NULL if they cannot be read
    const Node *succs; // likewise

    bool known;           // the rest of the shape is right
    Type result;          // TYPE_VOID: no destination
    bool result_optional; // the destination may be left out
    uint32_t uses;
    uint64_t operand_count;
    Type operand[MOST_OPERANDS];
    const SigInfo *sig; // of a call: an address if it is indirect, the parameters, then an address
                        // if the result is an aggregate
    bool indirect;
} Shape;

static bool is_op_kind(const Instr *instr) {
    return instr_has(instr, INSTR_OPERATION);
}

static bool is_builtin(const Instr *instr, Builtin builtin) {
    return instr->kind == I_BUILTIN && instr->op == builtin;
}

// ---- Ranges: what must hold before anything else can be read

static bool rule_kind(Verifier *v, const Instr *instr) {
    if (instr->kind < INSTR_KIND_COUNT) return true;
    complain(v, "kind", "expected an instruction kind below %d; found %u", INSTR_KIND_COUNT,
             instr->kind);
    return false;
}

static void rule_operator(Verifier *v, const Instr *instr) {
    if (is_op_kind(instr) && instr->op >= OP_COUNT)
        complain(v, "operator", "expected an operator below %d; found %u", OP_COUNT, instr->op);
}

static void rule_builtin(Verifier *v, const Instr *instr) {
    if (instr->kind == I_BUILTIN && instr->op >= BI_COUNT)
        complain(v, "builtin", "expected a builtin below %d; found %u", BI_COUNT, instr->op);
}

static void rule_location(Verifier *v, const Instr *instr) {
    if (instr->loc >= v->program->locs.count)
        complain(v, "location", "expected one of %u locations; found %u", v->program->locs.count,
                 instr->loc);
}

// A change to one instruction must not change another. Since the walk stops at the first entry that
// is taken, all walks together are linear.
bool verify_pool(Verifier *v, Bits *taken, const char *what, uint32_t at, uint64_t count) {
    if (at + count > taken->size) {
        complain(v, "pool", "%s: expected a range within %u pool entries; found %ju from %u", what,
                 taken->size, (uintmax_t)count, at);
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (bits_put(taken, (uint32_t)(at + i))) continue;
        complain(v, "pool",
                 "%s: expected a pool range of its own; found entry %u to be another instruction's",
                 what, (uint32_t)(at + i));
        return false;
    }
    return true;
}

static const Reg *readable_args(Verifier *v, const Instr *instr) {
    bool pooled = instr->arg_count > INLINE_ARGS;
    if (pooled &&
        !verify_pool(v, &v->reg_pool_taken, "arguments", instr->args_at, instr->arg_count))
        return NULL;
    return instr_args(v->func, instr);
}

static const Node *readable_succs(Verifier *v, const Instr *instr) {
    bool pooled = instr->succ_count > INLINE_SUCCS;
    if (pooled &&
        !verify_pool(v, &v->node_pool_taken, "successors", instr->succs_at, instr->succ_count))
        return NULL;
    return instr_succs(v->func, instr);
}

// ---- Shapes

static void add_operand(Shape *shape, Type type) {
    shape->operand[shape->operand_count++] = type;
}

static void shape_op(Shape *shape) {
    const Instr *instr = shape->instr;
    if (instr->op >= OP_COUNT) return;
    const OpInfo *info = op_info(instr->op);
    bool immediate = instr->immediate && op_allows_immediate(instr->op);
    uint32_t count = immediate ? info->arity - 1u : info->arity;
    for (uint32_t i = 0; i < count; i++) add_operand(shape, info->operand[i]);
    shape->name = info->name;
    shape->uses = USES_OP | (immediate || info->arity == 0 ? USES_IMM : 0);
    if (instr->op == OP_CONST_F80) shape->uses |= USES_HIGH;
    if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) shape->uses |= USES_REF;
    if (instr_has(instr, INSTR_DEST)) shape->result = info->result;
    shape->known = true;
}

// The registers of an address, and so many values.
static void shape_access(Shape *shape, size_t values, bool result) {
    const Instr *instr = shape->instr;
    if (instr->base > BASE_SLOT || instr->chunk >= CHUNK_COUNT) return;
    if (instr->base == BASE_REG) add_operand(shape, TYPE_I64);
    if (instr->scale) add_operand(shape, TYPE_I64);
    for (size_t i = 0; i < values; i++) add_operand(shape, chunk_type(instr->chunk));
    if (result) shape->result = chunk_type(instr->chunk);
    shape->uses |= USES_ADDRESS | USES_IMM;
    if (instr_has(instr, INSTR_ACCESS)) shape->uses |= USES_EFFECTIVE;
    if (instr->base == BASE_SYMBOL || instr->base == BASE_SLOT) shape->uses |= USES_REF;
    shape->known = true;
}

static void shape_call(Verifier *v, Shape *shape) {
    const Instr *instr = shape->instr;
    Sig id = {instr->aux};
    if (!verify_sig(v, id)) return;
    const SigInfo *sig = program_sig_info(v->program, id);
    const ParamType *result = program_ptype_info(v->program, sig->result);
    shape->indirect = instr->ref == NO_ID;
    shape->operand_count =
        (uint64_t)sig->param_count + shape->indirect + ptype_is_aggregate(result);
    // Signatures may be shared, arguments are not: so this walk is paid for by the arguments.
    bool walk = shape->args && shape->operand_count == instr->arg_count;
    if (walk && !verify_sig_params(v, id)) return;
    shape->sig = sig;
    shape->result = result->type;
    shape->result_optional = true;
    shape->uses = USES_REF | USES_AUX;
    shape->known = true;
}

static void shape_return(Verifier *v, Shape *shape) {
    if (!verify_sig_in_range(v->program, v->func->sig)) return;
    PType id = program_sig_info(v->program, v->func->sig)->result;
    if (id.i != PTYPE_VOID.i && !verify_ptype_usable(v->program, id)) return;
    Type type = ptype_reg_type(program_ptype_info(v->program, id));
    if (type != TYPE_VOID) add_operand(shape, type);
    shape->known = true;
}

// The type that va_arg names decides on its destination or its second operand.
static void shape_va_arg(Verifier *v, Shape *shape) {
    PType id = {shape->instr->ref};
    if (!verify_ptype_usable(v->program, id)) return;
    const ParamType *type = program_ptype_info(v->program, id);
    if (ptype_is_aggregate(type)) add_operand(shape, TYPE_I64);
    shape->result = type->type;
    shape->uses |= USES_REF;
    shape->known = true;
}

static bool is_integer_chunk(uint8_t chunk) {
    return chunk < CHUNK_COUNT && type_is_int(chunk_type(chunk));
}

static void shape_builtin(Verifier *v, Shape *shape) {
    const Instr *instr = shape->instr;
    if (instr->op >= BI_COUNT) return;
    const BuiltinInfo *info = builtin_info(instr->op);
    shape->name = info->name;
    shape->uses = USES_OP;
    bool access = builtin_has_address(info);
    for (const char *c = info->arguments; *c && !access; c++)
        add_operand(shape, *c == 'w' ? TYPE_I32 : TYPE_I64);
    if (builtin_has_number(info)) shape->uses |= USES_IMM;
    if (info->result == BIR_I64) shape->result = TYPE_I64;
    if (builtin_has_order(info)) shape->uses |= USES_AUX;
    if (info->form == BIF_ATOMIC && !is_integer_chunk(instr->chunk)) return;
    if (access)
        shape_access(shape, strlen(info->arguments), info->result == BIR_CHUNK);
    else if (info->form == BIF_PTYPE)
        shape_va_arg(v, shape);
    else
        shape->known = true;
}

// An integer and cases, or neither. The word of a nop of mach0 is in aux: NOP or JMP.
static void shape_plain(const Verifier *v, Shape *shape) {
    bool nop = shape->instr->kind == I_NOP && v->func->form == FORM_MACH0;
    if (instr_has(shape->instr, INSTR_INTEGER)) add_operand(shape, TYPE_INTEGER);
    if (nop || instr_has(shape->instr, INSTR_CASES)) shape->uses = USES_AUX;
    shape->known = true;
}

static void shape_find(Verifier *v, Shape *shape) {
    const Instr *instr = shape->instr;
    if (instr_has(instr, INSTR_OPERATION))
        shape_op(shape);
    else if (instr_has(instr, INSTR_ACCESS))
        shape_access(shape, instr_has(instr, INSTR_VALUE), instr_has(instr, INSTR_DEST));
    else if (instr_has(instr, INSTR_CALLEE))
        shape_call(v, shape);
    else if (instr_has(instr, INSTR_RETURNED))
        shape_return(v, shape);
    else if (instr_has(instr, INSTR_BUILTIN))
        shape_builtin(v, shape);
    else
        shape_plain(v, shape);
}

// ---- Rules that compare with the shape

static Type operand_type(const Verifier *v, const Shape *shape, uint32_t i) {
    if (!shape->sig) return shape->operand[i];
    if (shape->indirect && i == 0) return TYPE_I64;
    uint32_t param = i - shape->indirect;
    if (param >= shape->sig->param_count) return TYPE_I64;
    return ptype_reg_type(program_ptype_info(v->program, shape->sig->params[param]));
}

static bool type_fits(Type found, Type expected) {
    return expected == TYPE_INTEGER ? type_is_int(found) : found == expected;
}

static const char *expected_name(Type type) {
    return type == TYPE_INTEGER ? "i32 or i64" : type_name(type);
}

static void rule_argument_count(Verifier *v, const Shape *shape) {
    if (shape->known && shape->operand_count != shape->instr->arg_count)
        complain(v, "argument-count", "%s: expected %ju register operands; found %u", shape->name,
                 (uintmax_t)shape->operand_count, shape->instr->arg_count);
}

static bool reg_in_range(const Verifier *v, Reg reg) {
    return reg.i < v->func->regs.count;
}

static void rule_register(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    for (uint32_t i = 0; shape->args && i < instr->arg_count; i++)
        if (!reg_in_range(v, shape->args[i]))
            complain(v, "register", "operand %u of %s: expected one of %u registers; found %u",
                     i + 1, shape->name, v->func->regs.count, shape->args[i].i);
    if (instr->dest.i != NO_ID && !reg_in_range(v, instr->dest))
        complain(v, "register", "destination of %s: expected one of %u registers; found %u",
                 shape->name, v->func->regs.count, instr->dest.i);
}

static void rule_operand_type(Verifier *v, const Shape *shape) {
    if (!shape->known || !shape->args || shape->operand_count != shape->instr->arg_count) return;
    for (uint32_t i = 0; i < shape->instr->arg_count; i++) {
        Reg reg = shape->args[i];
        if (!reg_in_range(v, reg) || !verify_type_is_scalar(reg_type(v->func, reg))) continue;
        Type expected = operand_type(v, shape, i);
        if (!type_fits(reg_type(v->func, reg), expected))
            complain(v, "operand-type", "operand %u of %s: expected %s; found %s of %s", i + 1,
                     shape->name, expected_name(expected), verify_reg_text(v, reg),
                     type_name(reg_type(v->func, reg)));
    }
}

static void rule_destination(Verifier *v, const Shape *shape) {
    Reg dest = shape->instr->dest;
    if (!shape->known) return;
    if (shape->result == TYPE_VOID) {
        if (dest.i != NO_ID)
            complain(v, "destination", "%s: expected no destination; found %s", shape->name,
                     verify_reg_text(v, dest));
        return;
    }
    if (dest.i == NO_ID) {
        if (!shape->result_optional)
            complain(v, "destination", "%s: expected a destination of type %s; found none",
                     shape->name, type_name(shape->result));
        return;
    }
    if (!reg_in_range(v, dest) || !verify_type_is_scalar(reg_type(v->func, dest))) return;
    if (reg_type(v->func, dest) != shape->result)
        complain(v, "destination", "%s: expected a destination of type %s; found %s of %s",
                 shape->name, type_name(shape->result), verify_reg_text(v, dest),
                 type_name(reg_type(v->func, dest)));
}

// The fields that are not zero, as bits of USES_.
static uint32_t used_fields(const Instr *instr) {
    uint32_t used = instr->base | instr->scale | instr->chunk ? USES_ADDRESS : 0;
    used |= instr->op ? USES_OP : 0;
    used |= instr->high ? USES_HIGH : 0;
    used |= instr->ref ? USES_REF : 0;
    used |= instr->aux ? USES_AUX : 0;
    used |= instr->effective ? USES_EFFECTIVE : 0;
    return used | (instr->imm ? USES_IMM : 0);
}

static void complain_unused(Verifier *v, const Shape *shape, const char *field, int64_t value) {
    if (value != 0)
        complain(v, "unused", "%s: expected 0 in the field %s, which it does not use; found %jd",
                 shape->name, field, (intmax_t)value);
}

static void rule_unused(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    uint32_t wrong = used_fields(instr) & ~shape->uses;
    if (!shape->known || !wrong) return;
    if (wrong & USES_ADDRESS) {
        complain_unused(v, shape, "base", instr->base);
        complain_unused(v, shape, "scale", instr->scale);
        complain_unused(v, shape, "chunk", instr->chunk);
    }
    if (wrong & USES_OP) complain_unused(v, shape, "op", instr->op);
    if (wrong & USES_HIGH) complain_unused(v, shape, "high", instr->high);
    if (wrong & USES_REF) complain_unused(v, shape, "ref", instr->ref);
    if (wrong & USES_AUX) complain_unused(v, shape, "aux", instr->aux);
    if (wrong & USES_IMM) complain_unused(v, shape, "imm", instr->imm);
    if (wrong & USES_EFFECTIVE) complain_unused(v, shape, "effective", instr->effective);
}

// ---- Successors

static void rule_successor_count(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    uint32_t least = instr_kinds[instr->kind].least_succs,
             most = instr_kinds[instr->kind].most_succs;
    if (instr->kind == I_BUILTIN) {
        if (instr->op >= BI_COUNT) return;
        least = most = builtin_info(instr->op)->end ? 0 : 1;
    }
    if (instr->succ_count < least || instr->succ_count > most)
        complain(v, "successor-count", "%s: expected %s%u successor%s; found %u", shape->name,
                 least < most ? "at least " : "", least, least == 1 ? "" : "s", instr->succ_count);
}

static void rule_successor(Verifier *v, const Shape *shape) {
    for (uint32_t i = 0; shape->succs && i < shape->instr->succ_count; i++)
        if (shape->succs[i].i >= v->func->nodes.count)
            complain(v, "successor", "successor %u of %s: expected one of %u nodes; found %u", i,
                     shape->name, v->func->nodes.count, shape->succs[i].i);
}

void verify_cases(Verifier *v, const int64_t *cases, uint32_t count, bool narrow) {
    for (uint32_t i = 0; i < count; i++) {
        if (narrow && cases[i] != (int32_t)cases[i])
            complain(v, "switch", "expected cases that fit the selector's type i32; found %jd",
                     (intmax_t)cases[i]);
        if (i > 0 && cases[i - 1] >= cases[i])
            complain(v, "switch", "expected strictly ascending cases; found %jd before %jd",
                     (intmax_t)cases[i - 1], (intmax_t)cases[i]);
    }
}

static void rule_switch(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    if (instr->succ_count == 0) return;
    uint32_t count = instr->succ_count - 1;
    if (!verify_pool(v, &v->case_pool_taken, "cases", instr->aux, count)) return;
    bool narrow = shape->args && instr->arg_count == 1 && reg_in_range(v, shape->args[0]) &&
                  reg_type(v->func, shape->args[0]) == TYPE_I32;
    verify_cases(v, instr_cases(v->func, instr), count, narrow);
}

// ---- Rules for single kinds

static void rule_condition(Verifier *v, const Instr *instr) {
    if (instr->op < OP_COUNT && !(op_info(instr->op)->flags & OPF_COND))
        complain(v, "condition", "expected a comparison as condition; found %s",
                 op_info(instr->op)->name);
}

static void rule_immediate(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    if (is_op_kind(instr) && instr->op >= OP_COUNT) return;
    if (!is_op_kind(instr) || !op_allows_immediate(instr->op))
        complain(v, "immediate", "%s: expected no immediate operand; found one", shape->name);
}

// Constants and immediate operands are stored in one way only: i32 sign-extended, f32
// zero-extended.
static void rule_constant(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    if (!shape->known) return;
    const OpInfo *info = op_info(instr->op);
    bool i32 = instr->op == OP_CONST_I32 ||
               (instr->immediate && info->arity == 2 && info->operand[1] == TYPE_I32);
    if (i32 && instr->imm != (int32_t)instr->imm)
        complain(v, "constant", "%s: expected a sign-extended 32-bit integer; found %jd",
                 shape->name, (intmax_t)instr->imm);
    if (instr->op == OP_CONST_F32 && instr->imm != (int64_t)(uint32_t)instr->imm)
        complain(v, "constant", "%s: expected 32 bits of a float; found 0x%jx", shape->name,
                 (uintmax_t)instr->imm);
}

static void rule_chunk(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    bool store = !(instr_effects(instr) & MAY_READ);
    if (instr->chunk >= CHUNK_COUNT)
        complain(v, "chunk", "%s: expected a chunk below %d; found %u", shape->name, CHUNK_COUNT,
                 instr->chunk);
    else if (store && (instr->chunk == CHUNK_U8 || instr->chunk == CHUNK_U16))
        complain(v, "chunk", "%s: expected the signed chunk, as stores write it; found %s",
                 shape->name, chunk_name(instr->chunk));
}

static void rule_effective(Verifier *v, const Shape *shape) {
    if (shape->instr->effective >= EFFECTIVE_COUNT)
        complain(v, "effective", "%s: expected an effective type below %d; found %u", shape->name,
                 EFFECTIVE_COUNT, shape->instr->effective);
}

static const uint32_t load_orders = 1u << ORDER_RELAXED | 1u << ORDER_ACQUIRE | 1u << ORDER_SEQ_CST;
static const uint32_t store_orders =
    1u << ORDER_RELAXED | 1u << ORDER_RELEASE | 1u << ORDER_SEQ_CST;

void verify_order(Verifier *v, Builtin builtin, uint32_t aux) {
    const BuiltinInfo *info = builtin_info(builtin);
    Effects access = builtin_effects[builtin] & (MAY_READ | MAY_WRITE);
    uint32_t possible = access == MAY_READ    ? load_orders
                        : access == MAY_WRITE ? store_orders
                                              : (1u << ORDER_COUNT) - 1;
    uint32_t order = info->form == BIF_ATOMIC ? aux_order(aux) : aux;
    if (order >= ORDER_COUNT)
        complain(v, "atomic", "%s: expected a memory order below %d; found %u", info->name,
                 ORDER_COUNT, order);
    else if (!(possible >> order & 1))
        complain(v, "atomic", "%s: expected a memory order that it can have; found %s", info->name,
                 order_name(order));
}

// Only integers are accessed atomically; an order is one that the access or fence can have.
static void rule_atomic(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    BuiltinForm form = builtin_info(instr->op)->form;
    if (form == BIF_ATOMIC && instr->chunk < CHUNK_COUNT && !is_integer_chunk(instr->chunk))
        complain(v, "atomic", "%s: expected the chunk of an integer; found %s", shape->name,
                 chunk_name(instr->chunk));
    verify_order(v, instr->op, instr->aux);
}

static void rule_address(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    if (instr->base > BASE_SLOT)
        complain(v, "address", "%s: expected a base kind up to %d; found %u", shape->name,
                 BASE_SLOT, instr->base);
    uint8_t scale = instr->scale;
    if (scale > 8 || (scale & (scale - 1)) != 0)
        complain(v, "address", "%s: expected a scale of 1, 2, 4 or 8, or 0 for no index; found %u",
                 shape->name, scale);
}

// The base of an address or of an address operator exists.
static void rule_reference(Verifier *v, const Shape *shape, bool symbol, bool slot) {
    const Instr *instr = shape->instr;
    if (symbol && instr->ref >= v->program->symbols.count)
        complain(v, "reference", "%s: expected one of %u symbols; found %u", shape->name,
                 v->program->symbols.count, instr->ref);
    if (slot && instr->ref >= v->func->slots.count)
        complain(v, "reference", "%s: expected one of %u slots; found %u", shape->name,
                 v->func->slots.count, instr->ref);
}

static void rule_callee(Verifier *v, const Instr *instr) {
    if (instr->ref == NO_ID) return;
    Sym callee = {instr->ref};
    if (callee.i >= v->program->symbols.count)
        complain(v, "callee", "expected one of %u symbols; found %u", v->program->symbols.count,
                 callee.i);
    else if (program_at(v->program, callee)->kind != SYM_FUNC)
        complain(v, "callee", "expected a function; found %s, which is data",
                 verify_symbol_text(v, callee));
}

static void rule_size(Verifier *v, const Shape *shape) {
    const Instr *instr = shape->instr;
    BuiltinForm form = builtin_info(instr->op)->form;
    if (form == BIF_SIZE && instr->imm < 0)
        complain(v, "size", "%s: expected a size of at least 0; found %jd", shape->name,
                 (intmax_t)instr->imm);
    if (form == BIF_LEVEL && (uint64_t)instr->imm > MOST_FRAMES)
        complain(v, "size", "%s: expected a frame up to number %d; found %jd", shape->name,
                 MOST_FRAMES, (intmax_t)instr->imm);
    if (form == BIF_ASM && (uint64_t)instr->imm >= v->program->asms.count)
        complain(v, "asm", "expected one of %u asm statements; found %jd", v->program->asms.count,
                 (intmax_t)instr->imm);
    if (form == BIF_MACHINE &&
        !(instr->op == BI_READ_REGISTER ? register_is_readable(v->program, instr->imm)
                                        : register_is_writable(v->program, instr->imm)))
        complain(v, "reserve", "%s: expected a register that is reserved", shape->name);
    if (form == BIF_ALIGN && (instr->imm < 0 || !verify_is_alignment((uint64_t)instr->imm)))
        complain(v, "size", "%s: expected a power of two as alignment; found %jd", shape->name,
                 (intmax_t)instr->imm);
}

// va_arg names a type that an argument can have; va_start stands in a function that has variable
// arguments.
static void rule_varargs(Verifier *v, const Instr *instr) {
    if (is_builtin(instr, BI_VA_ARG)) {
        PType type = {instr->ref};
        if (!verify_ptype_usable(v->program, type))
            complain(v, "varargs", "va_arg: expected a type that an argument can have; found %u",
                     type.i);
    }
    if (!is_builtin(instr, BI_VA_START) || !verify_sig_in_range(v->program, v->func->sig)) return;
    if (!program_sig_info(v->program, v->func->sig)->variadic)
        complain(v, "varargs",
                 "va_start: expected to stand in a variadic function; found a "
                 "function without variable arguments");
}

static void rules_of_operator(Verifier *v, const Shape *shape) {
    uint16_t op = shape->instr->op;
    rule_constant(v, shape);
    rule_reference(v, shape, op == OP_ADDR_SYMBOL, op == OP_ADDR_SLOT);
}

static void rules_of_access(Verifier *v, const Shape *shape) {
    rule_chunk(v, shape);
    rule_effective(v, shape);
    rule_address(v, shape);
    rule_reference(v, shape, shape->instr->base == BASE_SYMBOL, shape->instr->base == BASE_SLOT);
}

static void rules_of_builtin(Verifier *v, const Shape *shape) {
    if (shape->instr->op >= BI_COUNT) return;
    const BuiltinInfo *info = builtin_info(shape->instr->op);
    if (builtin_has_address(info)) rules_of_access(v, shape);
    if (builtin_has_order(info)) rule_atomic(v, shape);
    rule_size(v, shape);
    rule_varargs(v, shape->instr);
}

// Without a frame there is nothing to return from.
static void rule_naked(Verifier *v) {
    if (func_flags(v->func) & SYMF_NAKED)
        complain(v, "naked", "expected a naked function not to return");
}

static void rules_of_kind(Verifier *v, const Shape *shape) {
    if (shape->instr->immediate) rule_immediate(v, shape);
    if (instr_has(shape->instr, INSTR_CONDITION)) rule_condition(v, shape->instr);
    if (instr_has(shape->instr, INSTR_OPERATION)) rules_of_operator(v, shape);
    if (instr_has(shape->instr, INSTR_ACCESS)) rules_of_access(v, shape);
    if (instr_has(shape->instr, INSTR_CALLEE)) rule_callee(v, shape->instr);
    if (instr_has(shape->instr, INSTR_CASES)) rule_switch(v, shape);
    if (instr_has(shape->instr, INSTR_BUILTIN)) rules_of_builtin(v, shape);
    if (instr_has(shape->instr, INSTR_RETURNED)) rule_naked(v);
}

void verify_instr(Verifier *v) {
    verify_instr_rules(v, func_at(v->func, v->node), true);
}

void verify_instr_rules(Verifier *v, const Instr *instr, bool goes_on) {
    rule_location(v, instr);
    if (!rule_kind(v, instr)) return;
    rule_operator(v, instr);
    rule_builtin(v, instr);
    Shape shape = {.instr = instr,
                   .name = instr_kinds[instr->kind].word,
                   .args = readable_args(v, instr),
                   .succs = readable_succs(v, instr)};
    shape_find(v, &shape);
    rule_argument_count(v, &shape);
    rule_register(v, &shape);
    rule_operand_type(v, &shape);
    rule_destination(v, &shape);
    rule_unused(v, &shape);
    if (goes_on) rule_successor_count(v, &shape);
    rule_successor(v, &shape);
    rules_of_kind(v, &shape);
}

void rtl_verify(Verifier *v) {
    verify_graph(v, false, false);
}
