#include "test/gen/algebra.h"

#include <stdlib.h>

Value random_value(Random *random, Type type, bool defined) {
    static const uint64_t corners[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       8,
                                       31,
                                       32,
                                       63,
                                       64,
                                       127,
                                       128,
                                       255,
                                       256,
                                       32767,
                                       32768,
                                       65535,
                                       65536,
                                       INT32_MAX,
                                       (uint64_t)1 << 31,
                                       UINT32_MAX,
                                       INT64_MAX,
                                       (uint64_t)1 << 63};
    uint64_t bits = random_next(random);
    switch (random_below(random, 5)) {
    case 0: bits = corners[random_below(random, sizeof corners / sizeof corners[0])]; break;
    case 1: bits = 0 - corners[random_below(random, sizeof corners / sizeof corners[0])]; break;
    case 2: bits = ((uint64_t)1 << random_below(random, 64)) + random_below(random, 3) - 1; break;
    case 3: bits >>= random_below(random, 64); break;
    default: break;
    }
    if (type == TYPE_F80) {
        Value value = value_f80((long double)(int64_t)bits / 16);
        if (!defined && random_chance(random, 1, 4)) value = value_undefined(TYPE_F80);
        return value;
    }
    Value value = {.bits = bits & type_mask(type)};
    if (!defined && random_chance(random, 1, 2)) {
        value.undef = random_next(random) & random_next(random) & type_mask(type);
        if (random_chance(random, 1, 4)) value.undef = type_mask(type);
        value.bits &= ~value.undef;
    }
    return value;
}

typedef struct {
    Random random;
    Func *func;
    VEC(Reg) pool[TYPE_COUNT]; // registers that have been set
    const RuleInfo *rule;
    Bindings bindings;
    Type types[TERM_VARIABLES];
} Maker;

// Appends an operator that leads to the next node; its register joins the pool.
static Reg emit(Maker *maker, Op op, const RuleOperand *operands) {
    Func *func = maker->func;
    const OpInfo *info = op_info(op);
    Reg args[3], dest;
    uint32_t count = 0;
    Instr instr = {.kind = I_OP, .op = (uint16_t)op};
    for (uint8_t k = 0; k < info->arity; k++) {
        Type type = info->operand[k];
        int64_t imm = type == TYPE_I32 ? (int32_t)(uint32_t)operands[k].value.bits
                                       : (int64_t)operands[k].value.bits;
        if (operands[k].reg.i != NO_ID) {
            args[count++] = operands[k].reg;
        } else if (k + 1 == info->arity && op_allows_immediate(op)) {
            instr.immediate = true;
            instr.imm = imm;
        } else {
            args[count] = func_temp(func, type);
            func_const(func, args[count++], imm, (Node){func->nodes.count + 1});
        }
    }
    dest = func_temp(func, info->result);
    instr.dest = dest;
    Node node = func_add(func, instr);
    func_set_args(func, node, args, count);
    Node next = {node.i + 1};
    func_set_succs(func, node, &next, 1);
    vec_push(func->arena, &maker->pool[info->result], dest);
    return dest;
}

static Reg draw_reg(Maker *maker, Type type) {
    uint32_t count = maker->pool[type].count;
    // What was computed last is the more likely to be used.
    uint32_t back = random_below(&maker->random, count) * random_below(&maker->random, 8) / 8;
    return maker->pool[type].at[count - 1 - back];
}

static void note_types(Maker *maker, const RuleTerm *term, Type type) {
    if (*term >= OP_COUNT) {
        if (!term_is_literal(*term)) maker->types[*term - TERM_X] = type;
        return;
    }
    const OpInfo *info = op_info((Op)*term++);
    for (uint8_t k = 0; k < info->arity; k++, term = term_end(term))
        note_types(maker, term, info->operand[k]);
}

static RuleOperand draw_operand(Maker *maker, RuleTerm variable, Type type) {
    bool constant = type_is_int(type) && term_allows_constant(variable) &&
                    (!term_allows_register(variable) || random_chance(&maker->random, 1, 2));
    if (!constant) {
        Reg reg = draw_reg(maker, type);
        // A guard asks for a small number.
        if (maker->rule->guard && type_is_int(type) && random_chance(&maker->random, 3, 4)) {
            uint32_t bits = type == TYPE_I32 ? 32 : 64;
            Value count = value_i32(bits - 1 - random_below(&maker->random, 12));
            Reg other = draw_reg(maker, type);
            reg = emit(maker, op_of(FAM_SHR, type),
                       (RuleOperand[]){{.reg = reg}, {.reg = NO_REG, .value = count}});
            other = emit(maker, op_of(FAM_SHR, type),
                         (RuleOperand[]){{.reg = other}, {.reg = NO_REG, .value = count}});
            reg = emit(maker, op_of(FAM_OR, type), (RuleOperand[]){{.reg = reg}, {.reg = other}});
        }
        return (RuleOperand){.reg = reg};
    }
    return (RuleOperand){.reg = NO_REG, .value = random_value(&maker->random, type, true)};
}

// Operands for the left-hand side, which meet the condition if that can be.
static void draw_operands(Maker *maker) {
    bool holds = false;
    for (int tries = 0; tries < 1000 && !holds; tries++) {
        maker->bindings.bound = 0;
        for (uint32_t k = 0; k < TERM_VARIABLES; k++) {
            if (maker->types[k] == TYPE_VOID) continue;
            maker->bindings.operand[k] =
                draw_operand(maker, (RuleTerm)(TERM_X + k), maker->types[k]);
            maker->bindings.bound |= (uint32_t)1 << k;
        }
        Value value;
        const RuleTerm *end;
        holds = !term_evaluate(maker->rule->when, maker->rule->width, TYPE_I32, &maker->bindings,
                               &value, &end) ||
                value.bits;
    }
}

static RuleOperand emit_term(Maker *maker, const RuleTerm *term, Type type) {
    if (term_is_literal(*term))
        return (RuleOperand){.reg = NO_REG, .value = term_literal(term, maker->rule->width, type)};
    if (*term >= OP_COUNT) return maker->bindings.operand[*term - TERM_X];
    Op op = (Op)*term++;
    RuleOperand operands[3];
    for (uint8_t k = 0; k < op_info(op)->arity; k++, term = term_end(term))
        operands[k] = emit_term(maker, term, op_info(op)->operand[k]);
    return (RuleOperand){.reg = emit(maker, op, operands)};
}

static Reg emit_rule(Maker *maker) {
    maker->rule = &rule_table[random_below(&maker->random, RULE_COUNT)];
    for (uint32_t k = 0; k < TERM_VARIABLES; k++) maker->types[k] = TYPE_VOID;
    note_types(maker, maker->rule->from, TYPE_VOID);
    draw_operands(maker);
    return emit_term(maker, maker->rule->from, TYPE_VOID).reg;
}

// A branch on a result, over one more rule.
static void emit_branch(Maker *maker, Reg condition) {
    Func *func = maker->func;
    Node branch = func_add(func, (Instr){.kind = I_COND,
                                         .op = OP_NE_I32,
                                         .dest = NO_REG,
                                         .immediate = true,
                                         .arg_count = 1,
                                         .arg = {condition},
                                         .succ_count = 2});
    // What is computed on one way is not known on the other.
    uint32_t counts[TYPE_COUNT];
    for (uint32_t t = 0; t < TYPE_COUNT; t++) counts[t] = maker->pool[t].count;
    Reg result = emit_rule(maker);
    if (reg_type(func, result) == TYPE_I32)
        emit(maker, OP_ADD_I32, (RuleOperand[]){{.reg = result}, {.reg = condition}});
    for (uint32_t t = 0; t < TYPE_COUNT; t++) maker->pool[t].count = counts[t];
    func->nodes.at[branch.i].succ[0] = (Node){branch.i + 1};
    func->nodes.at[branch.i].succ[1] = (Node){func->nodes.count};
}

static void start_pool(Maker *maker, Reg a, Reg b) {
    vec_push(maker->func->arena, &maker->pool[TYPE_I32], a);
    vec_push(maker->func->arena, &maker->pool[TYPE_I32], b);
    static const Op first[] = {OP_SEXT_I64,    OP_ZEXT_I64,    OP_CVT_F32_I32,
                               OP_CVT_F64_I32, OP_CVT_F80_I32, OP_CVT_F64_U32};
    for (uint32_t i = 0; i < sizeof first / sizeof first[0]; i++)
        emit(maker, first[i], &(RuleOperand){.reg = i % 2 ? a : b});
    // One that needs all of its 64 bits.
    Reg wide = maker->pool[TYPE_I64].at[0];
    emit(maker, OP_MUL_I64,
         (RuleOperand[]){{.reg = wide}, {.reg = NO_REG, .value = value_i64(0x9e3779b97f4a7c15u)}});
}

static Reg as_word(Maker *maker, Reg reg) {
    switch (reg_type(maker->func, reg)) {
    case TYPE_I64: return emit(maker, OP_TRUNC_I32, &(RuleOperand){.reg = reg});
    case TYPE_F32: return emit(maker, OP_BITS_I32_F32, &(RuleOperand){.reg = reg});
    case TYPE_F64: return emit(maker, OP_CVT_I32_F64, &(RuleOperand){.reg = reg});
    case TYPE_F80: return emit(maker, OP_CVT_I32_F80, &(RuleOperand){.reg = reg});
    default: return reg;
    }
}

Func *algebra_func(Arena *arena, Program *program, uint32_t rules, uint64_t seed) {
    const PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                             .param_count = 2,
                                             .fixed_count = 2,
                                             .params = params});
    Str name = str_intern(&program->strings, "f", 1);
    Sym symbol = program_symbol(program, name, SYM_FUNC);
    Maker maker = {.random = random_from(seed), .func = func_new(program, arena, symbol, sig)};
    Func *func = maker.func;
    program_at(program, symbol)->sig = sig;
    program_at(program, symbol)->defined = true;
    program_at(program, symbol)->func = func;
    Reg a = func_temp(func, TYPE_I32), b = func_temp(func, TYPE_I32);
    vec_push(arena, &func->params, a);
    vec_push(arena, &func->params, b);
    start_pool(&maker, a, b);
    Reg sum = a;
    for (uint32_t i = 0; i < rules; i++) {
        Reg result = emit_rule(&maker), word = as_word(&maker, result);
        if (random_chance(&maker.random, 1, 8)) emit_branch(&maker, word);
        sum = emit(&maker, OP_ROTL_I32,
                   (RuleOperand[]){{.reg = sum}, {.reg = NO_REG, .value.bits = 5}});
        sum = emit(&maker, OP_XOR_I32, (RuleOperand[]){{.reg = sum}, {.reg = word}});
    }
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {sum}});
    return func;
}
