// One function per family of instructions; the shape of an operator (sequences.def) says which.
//
// Sequences that need registers of their own take r11, then r10 and xmm15. Those of operators are
// columns of sequences.def; the others are here, in `clobbers`:
//   r11             compare floats by eq or ne into a register; parts of 3, 5, 6, 7 bytes;
//                   va_start; a sequentially consistent atomic store; atomic and, or, xor, nand;
//                   alloca
//   r11 xmm15       copies of up to INLINE_BYTES, va_copy
//   r11 r10         long double with integers, switch, va_arg, parts of odd size to vectors
//   r11 r10 xmm15   fills of up to INLINE_BYTES
// Longer copies and fills are string instructions: rdi, rsi (rax), rcx.
#include "target/x64/model/constraints.h"

#include "fact/calls.h"
#include "fact/effects.h"
#include "form/inline_asm.h"
#include "target/x64/model/x64.h"

#define GENERAL_SCRATCH (X64_BIT(M_R10) | X64_BIT(M_R11))
#define ALL_GENERAL     (X64_GENERAL & ~X64_BIT(M_RSP))
#define ALL_VECTOR      X64_VECTOR

// All but the registers of the frame, rsp and rbp: the buffer of __builtin_setjmp brings those
// back.
static const X64Regs machine_regs_all = (ALL_GENERAL & ~X64_BIT(M_RBP)) | ALL_VECTOR;

const X64Regs callee_saved_regs = X64_CALLEE_SAVED;
const X64Regs caller_saved_regs = (ALL_GENERAL & ~X64_CALLEE_SAVED) | ALL_VECTOR;

MachClass mach_class_of(Type type) {
    if (type == TYPE_F80) return CLASS_MEMORY;
    return type == TYPE_F32 || type == TYPE_F64 ? MC_VECTOR : CLASS_GENERAL;
}

// ---- Memory and immediate operands

static bool fits_32(int64_t value) {
    return value >= INT32_MIN && value <= INT32_MAX;
}

static bool is_narrow(Chunk chunk) {
    return chunk_size(chunk) < 4;
}

static bool in_chunk(Chunk chunk, int64_t value) {
    switch (chunk) {
    case CHUNK_I8: return value >= INT8_MIN && value <= INT8_MAX;
    case CHUNK_U8: return value >= 0 && value <= UINT8_MAX;
    case CHUNK_I16: return value >= INT16_MIN && value <= INT16_MAX;
    case CHUNK_U16: return value >= 0 && value <= UINT16_MAX;
    default: return true;
    }
}

// Whether a narrow chunk may be compared in its own width: the immediate is one of its values, and
// the order is that of the extension.
static bool narrow_comparison(Op op, Chunk chunk, int64_t value) {
    if (!op_compares_integers(op) || op_info(op)->at != TYPE_I32 || !in_chunk(chunk, value))
        return false;
    if (op == OP_EQ_I32 || op == OP_NE_I32) return true;
    return op_compares_unsigned(op) == (chunk == CHUNK_U8 || chunk == CHUNK_U16);
}

static bool comparison_takes_memory(const MachInstr *instr, unsigned source, Chunk chunk) {
    if (source > 1 || instr->memory == !source) return false;
    if (!is_narrow(chunk)) return true;
    return source == 0 && instr->immediate == 1 && narrow_comparison(instr->op, chunk, instr->imm);
}

// Floats are compared by an instruction whose first operand is a register and which can tell
// "above": a < b is b > a.
static bool float_comparison_takes_memory(Op op, unsigned source) {
    switch (op_family(op)) {
    case FAM_LT:
    case FAM_LE:
    case FAM_NLT:
    case FAM_NLE: return source == 0;
    default: return source == 1 || (op_info(op)->flags & OPF_COMM);
    }
}

// Equality of floats is told by two flags, since it is also "unordered" to one of them.
static bool needs_two_flags(Op op) {
    OpFamily family = op_family(op);
    return (family == FAM_EQ || family == FAM_NE) && !type_is_int(op_info(op)->at);
}

static bool operator_takes_memory(const MachInstr *instr, unsigned source, Chunk chunk) {
    Op op = instr->op;
    switch (x64_shape(op)) {
    case X64_BINARY:
    case X64_FLOAT:
    case X64_FQUOTIENT: return source == 1 && !is_narrow(chunk);
    case X64_MULTIPLY: return (source == 1 || instr->immediate == 1) && !is_narrow(chunk);
    case X64_HIGH:
    case X64_DIVIDE:
    case X64_REMAINDER: return source == 1 && !is_narrow(chunk);
    case X64_EXTEND:
    case X64_TRUNCATE: return true;
    case X64_COUNT:
    case X64_POPCOUNT:
    case X64_ROOT:
    case X64_CONVERT:
    case X64_FROM_INT:
    case X64_FROM_WIDE:
    case X64_TO_INT:
    case X64_TO_WIDE: return !is_narrow(chunk);
    case X64_COMPARE: return comparison_takes_memory(instr, source, chunk);
    case X64_OVERFLOW: return source == 1 && !is_narrow(chunk);
    case X64_FCOMPARE: return float_comparison_takes_memory(op, source);
    case X64_X87: return op_info(op)->operand[source] != TYPE_I32 || chunk == CHUNK_I32;
    default: return false;
    }
}

// What a comparison of a SELECT, CHECK or BRANCH may have in memory.
static bool condition_takes_memory(const MachInstr *instr, unsigned source, Chunk chunk) {
    return (op_info(instr->op)->flags & OPF_COND) && source < op_info(instr->op)->arity &&
           chunk_type(chunk) == op_info(instr->op)->operand[source] &&
           operator_takes_memory(instr, source, chunk);
}

static bool update_takes(const MachInstr *instr, Chunk chunk) {
    X64Shape shape = x64_shape(instr->op);
    if (op_info(instr->op)->result != chunk_type(chunk)) return false;
    if (shape == X64_BINARY || shape == X64_UNARY) return true;
    return shape == X64_SHIFT && !is_narrow(chunk);
}

bool mach_takes_memory(const MachInstr *instr, unsigned source, Chunk chunk) {
    switch (instr->kind) {
    case MK_OP:
        return source < op_info(instr->op)->arity &&
               op_info(instr->op)->operand[source] == chunk_type(chunk) &&
               operator_takes_memory(instr, source, chunk);
    case MK_UPDATE: return source == 0 && update_takes(instr, chunk);
    case MK_SELECT:
        if (source < 2) return condition_takes_memory(instr, source, chunk);
        return source == 2 && chunk_type(chunk) == (Type)instr->aux && !is_narrow(chunk) &&
               !needs_two_flags(instr->op);
    case MK_CHECK:
    case MK_BRANCH: return condition_takes_memory(instr, source, chunk);
    case MK_CALL: return source == 0 && chunk == CHUNK_I64;
    default: return false;
    }
}

static bool operator_takes_immediate(const MachInstr *instr, unsigned source, int64_t value) {
    if (source != 1 || !op_allows_immediate(instr->op)) return false;
    switch (x64_shape(instr->op)) {
    case X64_BINARY:
    case X64_MULTIPLY:
    case X64_OVERFLOW:
    case X64_SHIFT: return fits_32(value);
    case X64_COMPARE:
        return fits_32(value) && (instr->memory != 0 || !is_narrow(instr->chunk) ||
                                  narrow_comparison(instr->op, instr->chunk, value));
    default: return false;
    }
}

// The bits of a stored constant, as the constant operators have them.
static bool store_takes_immediate(Chunk chunk, int64_t value) {
    if (chunk == CHUNK_F32) return value >= 0 && value <= UINT32_MAX;
    return chunk != CHUNK_F80 && fits_32(value);
}

static bool builtin_takes_immediate(const MachInstr *instr, unsigned source, int64_t value) {
    switch (instr->op) {
    case BI_MEMSET: return source == 1;
    case BI_VOLATILE_STORE: return source == 0 && instr->chunk != CHUNK_F80 && fits_32(value);
    case BI_ATOMIC_STORE:
    case BI_ATOMIC_AND:
    case BI_ATOMIC_OR:
    case BI_ATOMIC_XOR:
    case BI_ATOMIC_NAND: return source == 0 && fits_32(value);
    default: return false;
    }
}

bool mach_takes_immediate(const MachInstr *instr, unsigned source, int64_t value) {
    switch (instr->kind) {
    case MK_OP:
    case MK_UPDATE: return operator_takes_immediate(instr, source, value);
    case MK_SELECT:
    case MK_CHECK:
    case MK_BRANCH:
        return (op_info(instr->op)->flags & OPF_COND) &&
               operator_takes_immediate(instr, source, value);
    case MK_STORE: return source == 0 && store_takes_immediate(instr->chunk, value);
    case MK_BUILTIN: return builtin_takes_immediate(instr, source, value);
    default: return false;
    }
}

// ---- Operands

typedef struct {
    Arena *arena;
    const Func *func;
    const MachInstr *instr;
    MachConstraints *to;
} ConstraintBuilder;

enum { ANY_REGISTER = MACHINE_REG_LIMIT, IN_REGISTER = 0, OR_SPILL = 1 };

// Adds an operand; yields its index. The place is const only as far as this file is concerned.
static uint8_t add_operand(ConstraintBuilder *a, MachRole role, const Place *place, Type type,
                           uint32_t fixed, bool spill_ok) {
    MachClass reg_class = mach_class_of(type);
    vec_push(a->arena, &a->to->operands,
             (MachOperand){.place = (Place *)(uintptr_t)place,
                           .role = (uint8_t)role,
                           .reg_class = (uint8_t)reg_class,
                           .type = (uint8_t)type,
                           .fixed = (uint8_t)fixed,
                           .spill_ok = spill_ok || reg_class == CLASS_MEMORY});
    return (uint8_t)(a->to->operands.count - 1);
}

static uint8_t add_result(ConstraintBuilder *a, Type type, uint32_t fixed, bool spill_ok) {
    return add_operand(a, MO_DEF, &a->instr->dest, type, fixed, spill_ok);
}

// Adds a source if it is a place; NO_SOURCE if it is not.
static uint8_t add_source(ConstraintBuilder *a, unsigned source, Type type, uint32_t fixed,
                          bool spill_ok) {
    const Place *place = &a->instr->src[source];
    if (place->i == NO_ID) return NO_SOURCE;
    return add_operand(a, MO_USE, place, type, fixed, spill_ok);
}

static void add_address(ConstraintBuilder *a) {
    if (!a->instr->addressed) return;
    const Place *parts[] = {&a->instr->base_place, &a->instr->index};
    Type type = a->instr->kind == MK_LEA && a->instr->chunk == CHUNK_I32 ? TYPE_I32 : TYPE_I64;
    for (uint32_t k = 0; k < 2; k++) {
        if (parts[k]->i == NO_ID) continue;
        uint8_t at = add_operand(a, MO_USE, parts[k], type, ANY_REGISTER, IN_REGISTER);
        a->to->operands.at[at].address = true;
    }
}

static void set_early(ConstraintBuilder *a) {
    a->to->operands.at[0].early = true;
}

// What was added so far behind the result is compared before anything is written.
static void set_over(ConstraintBuilder *a) {
    for (uint32_t k = 1; k < a->to->operands.count; k++) a->to->operands.at[k].over = true;
}

// The result, the first operand, is written over a source; another may take its part.
static void tie(ConstraintBuilder *a, uint8_t operand, uint8_t swappable) {
    a->to->tied = operand;
    a->to->swappable = operand == NO_SOURCE ? NO_SOURCE : swappable;
}

// ---- Operators

static void ask_two_address(ConstraintBuilder *a, const OpInfo *op, bool spilled_result) {
    const MachInstr *instr = a->instr;
    a->to->one_memory = true;
    add_result(a, op->result, ANY_REGISTER, spilled_result);
    uint8_t first = add_source(a, 0, op->operand[0], ANY_REGISTER, OR_SPILL);
    uint8_t second = NO_SOURCE;
    if (op->arity > 1) second = add_source(a, 1, op->operand[1], ANY_REGISTER, OR_SPILL);
    tie(a, first, op->flags & OPF_COMM ? second : NO_SOURCE);
    // The product with an immediate has a destination of its own, which is a register.
    if (x64_shape(instr->op) == X64_MULTIPLY && instr->immediate == 1) tie(a, NO_SOURCE, NO_SOURCE);
}

// The count is in rcx, which the result must not be, though the shifted operand may.
static void ask_shift(ConstraintBuilder *a, const OpInfo *op) {
    a->to->one_memory = true;
    add_result(a, op->result, ANY_REGISTER, OR_SPILL);
    tie(a, add_source(a, 0, op->operand[0], ANY_REGISTER, OR_SPILL), NO_SOURCE);
    if (add_source(a, 1, op->operand[1], M_RCX, IN_REGISTER) != NO_SOURCE) set_early(a);
}

// The first operand is in rax. A product writes rdx:rax after the second was read; for a quotient
// rdx is written (the sign, or zero) before the divisor is read.
static void ask_rax(ConstraintBuilder *a, const OpInfo *op, MachineReg result) {
    a->to->one_memory = true;
    add_result(a, op->result, result, IN_REGISTER);
    add_source(a, 0, op->operand[0], M_RAX, IN_REGISTER);
    add_source(a, 1, op->operand[1], ANY_REGISTER, OR_SPILL);
}

// One operand, one result, neither tied.
static void ask_one(ConstraintBuilder *a, const OpInfo *op, bool spilled_result) {
    a->to->one_memory = true;
    add_result(a, op->result, ANY_REGISTER, spilled_result);
    add_source(a, 0, op->operand[0], ANY_REGISTER, OR_SPILL);
}

// The two sides of a comparison, whatever becomes of the outcome.
static void add_compared(ConstraintBuilder *a, const OpInfo *op) {
    a->to->one_memory = true;
    bool floats = x64_shape(a->instr->op) == X64_FCOMPARE;
    for (unsigned k = 0; k < op->arity; k++)
        add_source(a, k, op->operand[k], ANY_REGISTER,
                   !floats || float_comparison_takes_memory(a->instr->op, k));
    a->to->clobbers = x64_shapes[x64_shape(a->instr->op)].clobbers;
}

static void ask_compare(ConstraintBuilder *a, const OpInfo *op) {
    add_result(a, op->result, ANY_REGISTER, IN_REGISTER);
    add_compared(a, op);
    if (needs_two_flags(a->instr->op)) a->to->clobbers = X64_SET(X64_BIT(M_R11));
}

static void ask_choose(ConstraintBuilder *a, const OpInfo *op) {
    a->to->one_memory = true;
    add_result(a, op->result, ANY_REGISTER, IN_REGISTER);
    add_source(a, 0, op->operand[0], ANY_REGISTER, OR_SPILL);
    set_over(a);
    uint8_t yes = add_source(a, 1, op->operand[1], ANY_REGISTER, OR_SPILL);
    tie(a, add_source(a, 2, op->operand[2], ANY_REGISTER, OR_SPILL), yes);
}

static bool op_touches_integer(const OpInfo *op) {
    bool touches = type_is_int(op->result);
    for (uint32_t k = 0; k < op->arity; k++) touches |= type_is_int(op->operand[k]);
    return touches;
}

// Operands that are no long doubles go by way of memory, so they may be there.
static void ask_x87(ConstraintBuilder *a, const OpInfo *op) {
    add_result(a, op->result, ANY_REGISTER, IN_REGISTER);
    for (unsigned k = 0; k < op->arity; k++)
        add_source(a, k, op->operand[k], ANY_REGISTER, OR_SPILL);
    if (op_touches_integer(op)) a->to->clobbers = X64_SET(GENERAL_SCRATCH);
    if (type_is_int(op->result)) set_early(a);
}

static void ask_constant(ConstraintBuilder *a, const OpInfo *op) {
    bool stored = type_is_int(op->result) && fits_32(a->instr->imm);
    add_result(a, op->result, ANY_REGISTER, stored);
}

// A function that yields it is called.
static void ask_address(ConstraintBuilder *a, const OpInfo *op) {
    bool called = mach_asks_for_address(a->func->program, a->instr);
    add_result(a, op->result, called ? M_RAX : ANY_REGISTER, IN_REGISTER);
    if (called) a->to->killed = X64_SET(caller_saved_regs);
}

static void ask_operator(ConstraintBuilder *a) {
    Op op = a->instr->op;
    const OpInfo *info = op_info(op);
    const X64ShapeInfo *shape = &x64_shapes[x64_shape(op)];
    a->to->clobbers = shape->clobbers;
    a->to->killed = shape->killed;
    switch ((OperandPlan)shape->plan) {
    case PLAN_CONSTANT: ask_constant(a, info); break;
    case PLAN_ADDRESS: ask_address(a, info); break;
    case PLAN_ONE: ask_one(a, info, IN_REGISTER); break;
    case PLAN_ONE_ANYWHERE: ask_one(a, info, OR_SPILL); break;
    case PLAN_ONE_EARLY:
        ask_one(a, info, IN_REGISTER);
        set_early(a);
        break;
    case PLAN_TWO_ADDRESS: ask_two_address(a, info, IN_REGISTER); break;
    case PLAN_TWO_ADDRESS_ANYWHERE: ask_two_address(a, info, OR_SPILL); break;
    case PLAN_COUNT_IN_RCX: ask_shift(a, info); break;
    case PLAN_HIGH_PRODUCT: ask_rax(a, info, M_RDX); break;
    case PLAN_QUOTIENT: ask_rax(a, info, M_RAX); break;
    case PLAN_REMAINDER:
        ask_rax(a, info, M_RDX);
        set_early(a);
        break;
    case PLAN_COMPARED: ask_compare(a, info); break;
    case PLAN_LONG_DOUBLES: ask_x87(a, info); break;
    case PLAN_CHOICE: ask_choose(a, info); break;
    }
    add_address(a);
}

// Compare; copy src 3 to the result; overwrite it with src 2 if the condition holds. If that is
// equality of floats, which two flags tell, it is the other way round.
static void ask_select(ConstraintBuilder *a) {
    Type type = (Type)a->instr->aux;
    add_result(a, type, ANY_REGISTER, IN_REGISTER);
    add_compared(a, op_info(a->instr->op));
    set_over(a);
    uint8_t yes = add_source(a, 2, type, ANY_REGISTER, OR_SPILL);
    uint8_t no = add_source(a, 3, type, ANY_REGISTER, OR_SPILL);
    bool two_flags = needs_two_flags(a->instr->op);
    bool equal = two_flags && op_family(a->instr->op) == FAM_EQ;
    if (equal && yes != NO_SOURCE)
        tie(a, yes, NO_SOURCE);
    else
        tie(a, no, two_flags ? NO_SOURCE : yes);
    add_address(a);
}

static void ask_update(ConstraintBuilder *a) {
    const OpInfo *op = op_info(a->instr->op);
    bool shift = x64_shape(a->instr->op) == X64_SHIFT;
    if (op->arity > 1) add_source(a, 1, op->operand[1], shift ? M_RCX : ANY_REGISTER, IN_REGISTER);
    add_address(a);
}

// ---- Calls

static void add_piece(ConstraintBuilder *a, MachRole role, const Place *place, const Piece *piece) {
    bool stack = piece->type == TYPE_F80;
    add_operand(a, role, place, piece->type, stack ? ANY_REGISTER : piece->reg, IN_REGISTER);
}

// Those of the arguments that are in registers.
static void add_arguments(ConstraintBuilder *a, MachRole role, const Place *places,
                          uint32_t count) {
    const Convention *convention = a->to->convention;
    for (uint32_t k = 0; k < convention->in_registers.count && k < count; k++)
        add_piece(a, role, &places[k], &convention->arguments.at[convention->in_registers.at[k]]);
}

static void add_results(ConstraintBuilder *a, MachRole role, const Place *places, uint32_t count) {
    const Convention *convention = a->to->convention;
    for (uint32_t k = 0; k < convention->results.count && k < count; k++)
        add_piece(a, role, &places[k], &convention->results.at[k]);
}

// rax tells a variadic function how many vector registers were used.
static void ask_call(ConstraintBuilder *a) {
    const MachInstr *instr = a->instr;
    a->to->convention = convention_of(a->func->program, (Sig){instr->aux});
    add_results(a, MO_DEF, mach_results(a->func, instr), instr->results);
    add_source(a, 0, TYPE_I64, M_R11, IN_REGISTER);
    add_address(a);
    add_arguments(a, MO_USE, mach_arguments(a->func, instr), instr->arguments);
    a->to->clobbers = X64_SET(X64_BIT(M_RAX));
    a->to->killed = X64_SET(caller_saved_regs);
    if (mach_call_destroys_all(a->func->program, instr))
        a->to->killed = X64_SET(machine_regs_all & ~x64_regs(a->func->program->reserved));
}

static void ask_params(ConstraintBuilder *a) {
    a->to->convention = convention_of(a->func->program, a->func->sig);
    add_arguments(a, MO_DEF, mach_results(a->func, a->instr), a->instr->results);
}

static void ask_return(ConstraintBuilder *a) {
    a->to->convention = convention_of(a->func->program, a->func->sig);
    add_results(a, MO_USE, mach_arguments(a->func, a->instr), a->instr->arguments);
}

// ---- Parts and moves

static bool odd_size(int64_t size) {
    return size != 1 && size != 2 && size != 4 && size != 8;
}

// A part is i64 or f64: `op`, a move, tells which.
static void ask_load_part(ConstraintBuilder *a) {
    Type type = op_info(a->instr->op)->result;
    bool vector = mach_class_of(type) == MC_VECTOR, odd = odd_size(a->instr->imm);
    add_result(a, type, ANY_REGISTER, IN_REGISTER);
    if (odd) set_early(a);
    add_address(a);
    if (odd || (vector && a->instr->imm < 4))
        a->to->clobbers = X64_SET(vector ? GENERAL_SCRATCH : X64_BIT(M_R11));
    if (a->instr->imm == 8) // by halves, perhaps
        a->to->clobbers = X64_SET(vector ? X64_BIT(M_XMM15) : GENERAL_SCRATCH);
}

static void ask_store_part(ConstraintBuilder *a) {
    Type type = op_info(a->instr->op)->result;
    add_source(a, 0, type, ANY_REGISTER, IN_REGISTER);
    add_address(a);
    if (odd_size(a->instr->imm) || (mach_class_of(type) == MC_VECTOR && a->instr->imm < 4))
        a->to->clobbers = X64_SET(X64_BIT(M_R11));
}

static void ask_move(ConstraintBuilder *a) {
    Type type = op_info(a->instr->op)->result;
    a->to->one_memory = true;
    add_result(a, type, ANY_REGISTER, OR_SPILL);
    add_source(a, 0, type, ANY_REGISTER, OR_SPILL);
}

// Both are read and written.
static void ask_exchange(ConstraintBuilder *a) {
    const Place *places[] = {&a->instr->dest, &a->instr->src[0]};
    for (uint32_t k = 0; k < 4; k++)
        add_operand(a, k < 2 ? MO_DEF : MO_USE, places[k % 2], TYPE_I64, ANY_REGISTER, IN_REGISTER);
}

// ---- Builtins

enum { INLINE_BYTES = 128 };

static void ask_copy(ConstraintBuilder *a) {
    bool inlined = a->instr->imm <= INLINE_BYTES;
    add_source(a, 0, TYPE_I64, inlined ? ANY_REGISTER : M_RDI, IN_REGISTER);
    add_source(a, 1, TYPE_I64, inlined ? ANY_REGISTER : M_RSI, IN_REGISTER);
    if (inlined)
        a->to->clobbers = X64_SET(X64_BIT(M_R11) | X64_BIT(M_XMM15));
    else
        a->to->killed = X64_SET(X64_BIT(M_RDI) | X64_BIT(M_RSI) | X64_BIT(M_RCX));
}

static void ask_fill(ConstraintBuilder *a) {
    bool inlined = a->instr->imm <= INLINE_BYTES;
    add_source(a, 0, TYPE_I64, inlined ? ANY_REGISTER : M_RDI, IN_REGISTER);
    add_source(a, 1, TYPE_I32, inlined ? ANY_REGISTER : M_RAX, IN_REGISTER);
    a->to->clobbers = X64_SET(GENERAL_SCRATCH | X64_BIT(M_XMM15));
    if (!inlined) a->to->killed = X64_SET(X64_BIT(M_RDI) | X64_BIT(M_RAX) | X64_BIT(M_RCX));
}

// An aggregate is copied with string instructions or by eightbytes.
static void ask_va_arg(ConstraintBuilder *a) {
    const ParamType *type = program_ptype_info(a->func->program, (PType){a->instr->aux});
    a->to->clobbers = X64_SET(GENERAL_SCRATCH);
    if (ptype_is_aggregate(type))
        regs_add_all(&a->to->clobbers, X64_SET(X64_BIT(M_RCX) | X64_BIT(M_RSI) | X64_BIT(M_RDI)));
    else
        add_result(a, type->type, ANY_REGISTER, IN_REGISTER);
    add_source(a, 0, TYPE_I64, ANY_REGISTER, IN_REGISTER);
    add_source(a, 1, TYPE_I64, ANY_REGISTER, IN_REGISTER);
}

// The code finds its operands in registers of its own choice, loaded from the block at the address.
// Where it leaves no register alone, the address is kept on the stack meanwhile. rbp, which may
// hold the frame, always is.
static void ask_asm(ConstraintBuilder *a) {
    const AsmStatement *statement = &a->func->program->asms.at[a->instr->imm];
    MachineReg block = asm_block_register(a->func->program, statement);
    add_source(a, 0, TYPE_I64, block, IN_REGISTER);
    a->to->clobbers = statement->destroys;
    regs_remove(&a->to->clobbers, M_RBP);
    if (block == MACHINE_REG_LIMIT) return;
    regs_remove(&a->to->clobbers, block);
    a->to->killed = regs_of(block);
}

// What is there comes back; exchange and add leave it in the operand's register, sub negates that
// first, compare expects and yields it in rax, as do the loops for the others.
static void ask_atomic(ConstraintBuilder *a) {
    Type type = chunk_type(a->instr->chunk);
    switch (a->instr->op) {
    case BI_ATOMIC_EXCHANGE:
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB:
        add_result(a, type, ANY_REGISTER, IN_REGISTER);
        if (a->instr->op == BI_ATOMIC_SUB) set_early(a);
        tie(a, add_source(a, 0, type, ANY_REGISTER, OR_SPILL), NO_SOURCE);
        break;
    case BI_ATOMIC_COMPARE:
        add_result(a, type, M_RAX, IN_REGISTER);
        add_source(a, 0, type, M_RAX, IN_REGISTER);
        add_source(a, 1, type, ANY_REGISTER, IN_REGISTER);
        break;
    default:
        add_result(a, type, M_RAX, IN_REGISTER);
        set_early(a);
        add_source(a, 0, type, ANY_REGISTER, IN_REGISTER);
        a->to->clobbers = X64_SET(X64_BIT(M_R11));
        break;
    }
    add_address(a);
}

static void ask_access(ConstraintBuilder *a) {
    const MachInstr *instr = a->instr;
    bool loads = instr->kind == MK_LOAD ||
                 (instr->kind == MK_BUILTIN && builtin_effects[instr->op] & MAY_READ);
    if (loads)
        add_result(a, chunk_type(instr->chunk), ANY_REGISTER, IN_REGISTER);
    else
        add_source(a, 0, chunk_type(instr->chunk), ANY_REGISTER, IN_REGISTER);
    add_address(a);
    if (instr->kind == MK_BUILTIN && instr->op == BI_ATOMIC_STORE &&
        aux_order(instr->aux) == ORDER_SEQ_CST)
        a->to->clobbers = X64_SET(X64_BIT(M_R11));
}

// What does not fit a stack that is split comes from a function, which is called as all are.
static void ask_alloca(ConstraintBuilder *a) {
    bool calls = mach_splits_stack(a->func);
    add_result(a, TYPE_I64, calls ? M_RAX : ANY_REGISTER, IN_REGISTER);
    if (!calls) set_early(a);
    add_source(a, 0, TYPE_I64, calls ? M_RDI : ANY_REGISTER, IN_REGISTER);
    a->to->clobbers = X64_SET(X64_BIT(M_R11));
    if (calls) a->to->killed = X64_SET(caller_saved_regs);
}

static void ask_builtin(ConstraintBuilder *a) {
    switch ((Builtin)a->instr->op) {
    case BI_MEMCPY: ask_copy(a); break;
    case BI_MEMSET: ask_fill(a); break;
    case BI_ALLOCA: ask_alloca(a); break;
    case BI_READ_REGISTER:
    case BI_FRAME_ADDRESS:
    case BI_RETURN_ADDRESS:
    case BI_STACK_SAVE: add_result(a, TYPE_I64, ANY_REGISTER, IN_REGISTER); break;
    case BI_WRITE_REGISTER:
    case BI_STACK_RESTORE: add_source(a, 0, TYPE_I64, ANY_REGISTER, IN_REGISTER); break;
    case BI_VA_START:
        add_source(a, 0, TYPE_I64, ANY_REGISTER, IN_REGISTER);
        a->to->clobbers = X64_SET(X64_BIT(M_R11));
        break;
    case BI_VA_ARG: ask_va_arg(a); break;
    case BI_ASM: ask_asm(a); break;
    case BI_ASM_ALONE:
        a->to->clobbers = a->func->program->asms.at[a->instr->imm].destroys;
        regs_remove(&a->to->clobbers, M_RBP);
        break;
    case BI_VA_COPY:
        add_source(a, 0, TYPE_I64, ANY_REGISTER, IN_REGISTER);
        add_source(a, 1, TYPE_I64, ANY_REGISTER, IN_REGISTER);
        a->to->clobbers = X64_SET(X64_BIT(M_R11) | X64_BIT(M_XMM15));
        break;
    case BI_VA_END: add_source(a, 0, TYPE_I64, ANY_REGISTER, OR_SPILL); break;
    case BI_VOLATILE_LOAD:
    case BI_VOLATILE_STORE:
    case BI_ATOMIC_LOAD:
    case BI_ATOMIC_STORE: ask_access(a); break;
    case BI_ATOMIC_EXCHANGE:
    case BI_ATOMIC_COMPARE:
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB:
    case BI_ATOMIC_AND:
    case BI_ATOMIC_OR:
    case BI_ATOMIC_XOR:
    case BI_ATOMIC_NAND: ask_atomic(a); break;
    case BI_FENCE:
    case BI_SIGNAL_FENCE:
    case BI_SPIN:
    case BI_TRAP:
    case BI_UNREACHABLE:
    case BI_COUNT: break;
    }
}

void x64_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                     MachConstraints *constraints) {
    vec_clear(&constraints->operands);
    constraints->clobbers = constraints->killed = NO_REGS;
    constraints->tied = constraints->swappable = NO_SOURCE;
    constraints->one_memory = false;
    ConstraintBuilder asker = {.arena = arena, .func = func, .instr = instr, .to = constraints},
                      *a = &asker;
    switch ((MachKind)instr->kind) {
    case MK_OP: ask_operator(a); break;
    case MK_LEA:
        add_result(a, chunk_type(instr->chunk), ANY_REGISTER, IN_REGISTER);
        add_address(a);
        break;
    case MK_LOAD:
    case MK_STORE: ask_access(a); break;
    case MK_UPDATE: ask_update(a); break;
    case MK_LOAD_PART: ask_load_part(a); break;
    case MK_STORE_PART: ask_store_part(a); break;
    case MK_SELECT: ask_select(a); break;
    case MK_CHECK:
    case MK_BRANCH:
        add_compared(a, op_info(instr->op));
        add_address(a);
        break;
    case MK_CALL:
    case MK_TAIL_CALL: ask_call(a); break;
    case MK_BUILTIN: ask_builtin(a); break;
    case MK_PARAMS: ask_params(a); break;
    case MK_MOVE: ask_move(a); break;
    case MK_EXCHANGE: ask_exchange(a); break;
    case MK_SWITCH:
        add_source(a, 0, op_info(instr->op)->operand[0], ANY_REGISTER, IN_REGISTER);
        a->to->clobbers = X64_SET(GENERAL_SCRATCH);
        break;
    case MK_RETURN: ask_return(a); break;
    case MK_JUMP:
    case MK_TRAP:
    case MK_STOP:
    case MACH_KIND_COUNT: break;
    }
}
