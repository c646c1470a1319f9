// Operands of asm that must be constants and that the front end does not know yet: parameters of an
// always_inline function, and values that are computed from parameters. The kernel's static
// branches are of this kind.
//
// Such a statement is lowered with its operands as further arguments of the instruction and with
// holes in its text. When all functions are there, callees first, calls of functions that still
// have such statements are replaced by their bodies, each copy with a statement of its own. The
// values of operands are read off the function in SSA form, where the usual transforms have
// propagated constants and taken the branches that constants decide. If all operands are constants
// that fit the constraints, they are put into the text and the instruction has its one argument
// again. Otherwise calls of the function are to be replaced. A statement with holes in a function
// that stays is an error. At -O0 only always_inline functions are copied, as in gcc, otherwise all
// functions that may be copied.
//
// Why here, and not in later forms: the text of a statement is final in every form. So verifiers,
// interpreters, certificates and checkers need not know constants that are still to come, and all
// levels take the same way. The price: the certificate starts behind the replacement of these
// calls, so the checker of inline_calls checks the replacement here. That a number in the text is
// the operand's value is trusted by testing, as all of the text is. If the operands remained
// registers up to the machine form, every transform on the way could turn a constant into something
// else, and a rejected pass would mean a program that does not compile.
#include "c/asm/asm_plan.h"
#include "c/late/late.h"

#include "fact/eval.h"

#include <string.h>

// ---- What is noted while functions are lowered

void asm_defer(Lower *lower, uint32_t statement, const AsmPlan *plan, const AsmHoles *holes,
               Pos pos) {
    AsmLate late = {.pos = pos,
                    .function = lower->f->symbol,
                    .holes = *holes,
                    .count = plan->late_count,
                    .constraints = ARENA_ARRAY(lower->arena, const char *, plan->late_count),
                    .sizes = ARENA_ARRAY(lower->arena, uint64_t, plan->late_count)};
    for (uint32_t i = plan->output_count; i < plan->count; i++) {
        const AsmPlace *place = &plan->places[i];
        if (place->kind != ASM_LATE) continue;
        late.constraints[place->late] =
            arena_text(lower->arena, place->constraint, strlen(place->constraint));
        late.sizes[place->late] = asm_operand_size(place);
    }
    map_set(lower->arena, &lower->late_of, statement, lower->late_asms.count);
    vec_push(lower->arena, &lower->late_asms, late);
}

void asm_mention(Lower *lower, uint32_t statement, Sym symbol) {
    uint32_t before = map_get(&lower->mentions_of, statement);
    map_set(lower->arena, &lower->mentions_of, statement, lower->mentions.count);
    vec_push(lower->arena, &lower->mentions, (AsmMention){.symbol = symbol, .next = before});
}

// ---- Constants of a function

static const KnownRegister unknown = {.symbol = {NO_ID}};

static KnownRegister known_number(Type type, uint64_t bits) {
    int64_t value = type == TYPE_I32 ? (int32_t)bits : (int64_t)bits;
    return (KnownRegister){.known = true, .symbol = NO_SYM, .value = value};
}

static bool same_known(const KnownRegister *a, const KnownRegister *b) {
    return a->known && b->known && a->symbol.i == b->symbol.i && a->value == b->value;
}

// Operators on addresses: sums of a symbol and a number, and the distance between two places in a
// symbol.
static KnownRegister address_operator(Op op, const KnownRegister *a, const KnownRegister *b) {
    bool add = op == OP_ADD_I64, left = a->symbol.i != NO_ID, right = b->symbol.i != NO_ID;
    if ((!add && op != OP_SUB_I64) || (right && (add ? left : a->symbol.i != b->symbol.i)))
        return unknown;
    uint64_t x = (uint64_t)a->value, y = (uint64_t)b->value;
    return (KnownRegister){.known = true,
                           .symbol = left && right ? NO_SYM
                                     : left        ? a->symbol
                                                   : b->symbol,
                           .value = (int64_t)(add ? x + y : x - y)};
}

static KnownRegister known_operator(const Func *func, const Instr *instr, const KnownRegister *of) {
    enum { MOST = 3 };
    const OpInfo *info = op_info(instr->op);
    KnownRegister operands[MOST] = {unknown, unknown, unknown};
    Value values[MOST] = {{0}};
    bool numbers = true;
    for (uint32_t k = 0; k < info->arity; k++) {
        bool immediate = instr->immediate && k + 1 == info->arity;
        operands[k] = immediate ? known_number(TYPE_I64, (uint64_t)instr->imm)
                                : of[instr_args(func, instr)[k].i];
        if (!operands[k].known || !type_is_int(info->operand[k])) return unknown;
        numbers = numbers && operands[k].symbol.i == NO_ID;
        values[k] = value_immediate(info->operand[k], operands[k].value);
    }
    if (op_is_move(instr->op)) return operands[0];
    if (!numbers && info->arity == 2) return address_operator(instr->op, operands, operands + 1);
    Value result;
    if (!numbers || !type_is_int(info->result) ||
        !op_eval(instr->op, values[0], values[1], values[2], &result) || result.undef)
        return unknown;
    return known_number(info->result, result.bits);
}

static KnownRegister known_instr(const Func *func, const Instr *instr, const KnownRegister *of) {
    if (instr->kind != I_OP) return unknown;
    switch ((Op)instr->op) {
    case OP_CONST_I32: return known_number(TYPE_I32, (uint64_t)instr->imm);
    case OP_CONST_I64: return known_number(TYPE_I64, (uint64_t)instr->imm);
    case OP_CONST_F32:
    case OP_CONST_F64:
    case OP_CONST_F80:
    case OP_ADDR_SLOT: return unknown;
    case OP_ADDR_SYMBOL: {
        Sym symbol = {instr->ref};
        bool constant = !(program_at(func->program, symbol)->flags & SYMF_THREAD);
        return (KnownRegister){.known = constant, .symbol = symbol, .value = instr->imm};
    }
    default: return known_operator(func, instr, of);
    }
}

// The known contents of the registers of a function in SSA form; `answers`, if there are any, give
// the results of calls. Nodes are in reverse postorder, so a register that is not known when it is
// asked for comes from a loop.
const KnownRegister *late_known(LateFacts *facts, const KnownRegister *answers) {
    const Func *func = facts->ssa;
    KnownRegister *of = ARENA_ARRAY(facts->arena, KnownRegister, (size_t)func->regs.count + 1);
    for (uint32_t r = 0; r < func->regs.count; r++) of[r] = unknown;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Phi *phis = func_phis(func, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Reg *args = phi_args(func, &phis[i]);
            KnownRegister first = of[args[0].i];
            for (uint32_t k = 1; k < preds_count(&facts->preds, (Node){n}); k++)
                if (!same_known(&first, &of[args[k].i])) first = unknown;
            of[phis[i].dest.i] = first;
        }
        const Instr *instr = &func->nodes.at[n];
        if (instr->dest.i == NO_ID) continue;
        bool answered = answers && instr->kind == I_CALL && answers[instr->dest.i].known;
        of[instr->dest.i] = answered ? answers[instr->dest.i] : known_instr(func, instr, of);
    }
    return of;
}

// ---- One function

// The statement of an instruction, if its operands are not known yet; else NULL.
static const AsmLate *late_of(const Late *late, const Instr *instr) {
    if (instr->kind != I_BUILTIN || instr->op != BI_ASM || instr->arg_count == 1) return NULL;
    return &late->lower->late_asms.at[map_get(&late->lower->late_of, (uint64_t)instr->imm)];
}

bool asm_is_late(const Late *late, const Instr *instr) {
    return late_of(late, instr) != NULL;
}

// Normal form may have several copies of a node: they have to agree.
static void note_values(Late *late, const Func *ssa, const Instr *instr, const KnownRegister *of) {
    uint32_t at = map_get(&late->found, (uint64_t)instr->imm);
    bool first = at == HASH_NONE;
    if (first) {
        at = late->values.count;
        map_set(late->scratch, &late->found, (uint64_t)instr->imm, at);
    }
    for (uint32_t k = 1; k < instr->arg_count; k++) {
        KnownRegister value = of[instr_args(ssa, instr)[k].i];
        if (first)
            vec_push(late->scratch, &late->values, value);
        else if (!same_known(&late->values.at[at + k - 1], &value))
            late->values.at[at + k - 1] = unknown;
    }
}

void asm_find_values(Late *late, const LateFacts *facts) {
    const Func *ssa = facts->ssa;
    late->found = (Map){0};
    late->values.at = NULL;
    late->values.count = late->values.capacity = 0;
    for (uint32_t n = 0; n < ssa->nodes.count; n++)
        if (late_of(late, &ssa->nodes.at[n]))
            note_values(late, ssa, &ssa->nodes.at[n], facts->known);
}

// The first operand that is no constant, or not one that its constraint allows; count if all are
// good.
static uint32_t first_bad(const Late *late, const AsmLate *statement, KnownRegister *values) {
    for (uint32_t k = 0; k < statement->count; k++) {
        KnownRegister *value = &values[k];
        if (!value->known) return k;
        if (value->symbol.i == NO_ID)
            value->value = asm_extended(statement->sizes[k], value->value);
        if (!asm_constant_fits(late->lower, statement->constraints[k], value->symbol, value->value))
            return k;
    }
    return statement->count;
}

static void fill_holes(Late *late, const AsmLate *statement, uint32_t number,
                       const KnownRegister *values) {
    Program *program = late->program;
    Str *text = &program->asms.at[number].text;
    const char *old = program_text(program, *text);
    uint32_t length = str_length(&program->strings, *text), from = 0;
    Out out = {0};
    for (uint32_t i = 0; i < statement->holes.count; i++) {
        const AsmHole *hole = &statement->holes.at[i];
        const KnownRegister *value = &values[hole->late];
        out_bytes(&out, old + from, hole->at - from);
        asm_put_late(late->lower, &out, statement->sizes[hole->late], value->symbol, value->value,
                     hole->modifier);
        from = hole->at;
    }
    out_bytes(&out, old + from, length - from);
    *text = str_intern(&program->strings, out.text, out.length);
    out_free(&out);
    for (uint32_t k = 0; k < statement->count; k++)
        if (values[k].symbol.i != NO_ID) asm_mention(late->lower, number, values[k].symbol);
}

// Whether the operands of all statements are known now. A statement that constants make unreachable
// does not count any more.
bool asm_settle(Late *late) {
    bool all = true;
    for (uint32_t n = 0; n < late->func->nodes.count; n++) {
        Instr *instr = &late->func->nodes.at[n];
        const AsmLate *statement = late_of(late, instr);
        if (!statement) continue;
        uint32_t at = map_get(&late->found, (uint64_t)instr->imm);
        if (at == HASH_NONE) {
            *instr = (Instr){.kind = I_BUILTIN, .op = BI_TRAP, .dest = NO_REG, .loc = instr->loc};
        } else if (first_bad(late, statement, &late->values.at[at]) == statement->count) {
            fill_holes(late, statement, (uint32_t)instr->imm, &late->values.at[at]);
            func_set_args(late->func, (Node){n}, (Reg[]){*instr_args(late->func, instr)}, 1);
        } else {
            all = false;
        }
    }
    return all;
}

void asm_report_late(Late *late) {
    Lower *lower = late->lower;
    for (uint32_t n = 0; n < late->func->nodes.count; n++) {
        const Instr *instr = &late->func->nodes.at[n];
        const AsmLate *statement = late_of(late, instr);
        if (!statement) continue;
        uint32_t at = map_get(&late->found, (uint64_t)instr->imm);
        uint32_t bad = first_bad(late, statement, &late->values.at[at]);
        const KnownRegister *value = &late->values.at[at + bad];
        const char *where = "";
        if (late->func->symbol.i != statement->function.i)
            where = arena_printf(lower->arena, ", inlined into '%s'", func_name(late->func));
        const char *what = value->known ? "takes another constant" : "takes a constant";
        vec_push(lower->arena, &lower->late_errors,
                 (LateError){.function = late->func->symbol,
                             .statement = (uint32_t)instr->imm,
                             .pos = statement->pos,
                             .message = arena_printf(
                                 lower->arena, "impossible constraint in 'asm': '%.*s' %s%s",
                                 (int)strcspn(statement->constraints[bad], ",#"),
                                 statement->constraints[bad], what, where)});
    }
}

// Each copy of a statement has values of its own.
void asm_number_copies(Late *late, uint32_t first) {
    Program *program = late->program;
    for (uint32_t n = first; n < late->func->nodes.count; n++) {
        Instr *instr = &late->func->nodes.at[n];
        if (!late_of(late, instr)) continue;
        uint32_t number = program->asms.count, old = (uint32_t)instr->imm;
        AsmStatement copy = program->asms.at[old];
        vec_push(program->arena, &program->asms, copy);
        map_set(late->lower->arena, &late->lower->late_of, number,
                map_get(&late->lower->late_of, old));
        for (uint32_t i = map_get(&late->lower->mentions_of, old); i != HASH_NONE;
             i = late->lower->mentions.at[i].next)
            asm_mention(late->lower, number, late->lower->mentions.at[i].symbol);
        instr->imm = number;
    }
}
