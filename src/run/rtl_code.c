// Decoding functions for the interpreter. Addresses of symbols become constants, slots and absent
// parts of an address become hidden registers, so that the loop has fewer cases and no branch for
// them.
#include "base/bits.h"
#include "fact/eval.h"
#include "form/son.h"
#include "run/rtl_interpreter.h"

static uint32_t zero_register(const Code *code) {
    return code->reg_count - 2;
}

static uint32_t scratch_register(const Code *code) {
    return code->reg_count - 1;
}

// Whether an address that is written with a slot or symbol may lead out of it. A displacement that
// stays inside starts there, and what starts there and does not end there is no good anyway.
static bool may_leave(const Func *func, const Instr *instr) {
    if (func->reading || (instr->base != BASE_SLOT && instr->base != BASE_SYMBOL)) return false;
    uint64_t size = instr->base == BASE_SLOT ? func->slots.at[instr->ref].size
                                             : program_at(func->program, (Sym){instr->ref})->size;
    return instr->scale || (uint64_t)instr->imm >= size;
}

// Arguments stand in the order base, index, value; see program.h.
static void decode_address(const World *world, const Code *code, const Instr *instr,
                           DecodedStep *step) {
    const Reg *args = instr_args(code->func, instr);
    uint32_t at = 0;
    step->chunk = instr->chunk;
    step->scale = instr->scale;
    step->confined = may_leave(code->func, instr);
    step->a = step->b = zero_register(code);
    if (instr->base == BASE_REG) step->a = args[at++].i;
    if (instr->base == BASE_SYMBOL) step->imm += world->symbol_address[instr->ref];
    if (instr->base == BASE_SLOT) step->a = code->first_slot + instr->ref;
    if (instr->effective && world->options->strict_aliasing)
        step->code = instr->kind == I_LOAD ? CODE_TYPED_LOAD : CODE_TYPED_STORE;
    if (instr->scale) step->b = args[at++].i;
    if (at < instr->arg_count) step->c = args[at].i;
}

static void decode_op(const World *world, const Code *code, const Instr *instr, DecodedStep *step) {
    const OpInfo *info = op_info(instr->op);
    step->code = instr->op;
    step->immediate = instr->immediate;
    if (instr->immediate) {
        step->imm = value_immediate(info->operand[info->arity - 1], instr->imm).bits;
    } else if (instr->op == OP_ADDR_SLOT) {
        *step = (DecodedStep){.code = OP_ADD_I64,
                              .immediate = true,
                              .dest = step->dest,
                              .a = code->first_slot + instr->ref,
                              .imm = step->imm,
                              .next = step->next};
    } else if (info->arity == 0) {
        step->code = CODE_CONST;
        step->c = instr->op == OP_CONST_F80 ? instr->high : 0;
        step->imm = value_immediate(info->result, instr->imm).bits;
        if (instr->op == OP_ADDR_SYMBOL) step->imm += world->symbol_address[instr->ref];
    }
}

static void decode(const World *world, const Code *code, const Instr *instr, DecodedStep *step) {
    enum { CODE_OP, CODE_COND }; // the operator says it: decode_op
    static const uint16_t codes[INSTR_KIND_COUNT] = {
#define INSTR(id, ...) [I_##id] = CODE_##id,
#include "form/kinds.def"
    };
    const Reg *args = instr_args(code->func, instr);
    const Node *succs = instr_succs(code->func, instr);
    *step = (DecodedStep){.code = codes[instr->kind],
                          .dest = instr->dest.i == NO_ID ? scratch_register(code) : instr->dest.i,
                          .imm = (uint64_t)instr->imm};
    if (instr->arg_count > 0) step->a = args[0].i;
    if (instr->arg_count > 1) step->b = args[1].i;
    if (instr->arg_count > 2) step->c = args[2].i;
    if (instr->succ_count) step->next = code->steps + succs[0].i;
    if (instr->kind == I_COND) step->other = code->steps + succs[1].i;
    if (instr->kind == I_OP || instr->kind == I_COND) decode_op(world, code, instr, step);
    if (instr_has_address(instr)) decode_address(world, code, instr, step);
}

// Whether a move reads what an earlier one of the block writes. `written` is all zero before and
// after.
static bool needs_parallelism(const PhiMove *moves, uint32_t count, Bits *written) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        found |= bits_has(written, moves[i].source);
        bits_add(written, moves[i].dest);
    }
    for (uint32_t i = 0; i < count; i++) bits_remove(written, moves[i].dest);
    return found;
}

void rtl_decode_moves(Code *code, Node nop, uint32_t first, uint32_t count, Bits *written) {
    DecodedStep *step = &code->steps[nop.i];
    if (count == 0) return;
    bool parallel = needs_parallelism(code->moves + first, count, written);
    step->code = parallel ? CODE_PARALLEL : CODE_PHIS;
    step->a = first;
    step->b = count;
}

void rtl_reserve_values(Interpreter *in, uint32_t count) {
    if (count <= in->phi_room) return;
    in->phi_room = count;
    in->phi_values = ARENA_ARRAY(in->arena, Value, count);
}

// Registers are undefined on entry but for the zero register.
static const Value *initial_registers(Arena *arena, const Code *code) {
    Value *initial = ARENA_ARRAY(arena, Value, code->reg_count);
    for (uint32_t i = 0; i < code->func->regs.count; i++)
        initial[i] = value_undefined(code->func->regs.at[i].type);
    return initial;
}

// Slots are named "function.slot" in reasons and events.
static const char **slot_names(Arena *arena, const Func *func) {
    const char **names = ARENA_ARRAY(arena, const char *, func->slots.count);
    for (uint32_t i = 0; i < func->slots.count; i++) {
        Str name = func->slots.at[i].name;
        names[i] = name.i ? arena_printf(arena, "%s.%s", func_name(func),
                                         program_text(func->program, name))
                          : arena_printf(arena, "%s.%u", func_name(func), i);
    }
    return names;
}

void rtl_decode_instr(const Interpreter *in, const Code *code, const Instr *instr,
                      DecodedStep *step) {
    decode(&in->world, code, instr, step);
}

Code *rtl_decode(Interpreter *in, const Func *func) {
    Code *code = ARENA_NEW(in->arena, Code);
    size_t count = func->nodes.count, hidden = (size_t)func->slots.count + 2;
    if (func->son || in->world.options->watch) count *= 2; // son_run.c, mach0_run.c
    if (func->son) {
        hidden += (size_t)func->son->floating.count + 1;
    }
    *code = (Code){.func = func,
                   .sig = program_sig_info(in->program, func->sig),
                   .steps = ARENA_ARRAY(in->arena, DecodedStep, count),
                   .reg_count = size_to_u32(func->regs.count + hidden, "registers"),
                   .first_slot = func->regs.count,
                   .first_memo = func->regs.count + func->slots.count,
                   .slot_names = slot_names(in->arena, func)};
    code->initial = initial_registers(in->arena, code);
    for (uint32_t i = 0; i < func->nodes.count; i++)
        decode(&in->world, code, &func->nodes.at[i], &code->steps[i]);
    return code;
}

const Code *rtl_prepare(Interpreter *in, const Func *func) {
    return rtl_decode(in, func);
}
