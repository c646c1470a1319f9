// The normal form of terms keeps values: random expressions are built as terms and, beside that,
// evaluated by the rules of ops.def; the term's own evaluation must agree.
#include "check/machine/terms.h"
#include "fact/eval.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ATOMS = 6, POOL = 40 };

typedef struct {
    Terms terms;
    Value atoms[TYPE_COUNT][ATOMS];
    uint8_t memory[256]; // behind the addresses of loads
    struct {
        Term term;
        Value value;
        Type type;
    } pool[POOL];
    uint32_t count;
} Trial;

// ---- Evaluation of terms

static Value value_of(Trial *trial, Term term);

static Value value_of_load(Trial *trial, const TermNode *node) {
    uint64_t at = value_of(trial, (Term){node->a}).bits % 200;
    uint64_t bits = 0;
    for (uint32_t i = chunk_size((Chunk)node->code); i-- > 0;)
        bits = bits << 8 | trial->memory[at + i];
    switch ((Chunk)node->code) {
    case CHUNK_I8: return value_i32((uint32_t)(int8_t)bits);
    case CHUNK_I16: return value_i32((uint32_t)(int16_t)bits);
    default: return (Value){.bits = bits};
    }
}

static Value value_of_sum(Trial *trial, const TermNode *node) {
    uint64_t sum = (uint64_t)node->imm;
    for (uint32_t i = 0; i < node->count; i++) {
        TermPart part = trial->terms.parts.at[node->a + i];
        sum += (uint64_t)part.factor * value_of(trial, (Term){part.term}).bits;
    }
    return (Value){.bits = sum & type_mask(node->type)};
}

static Value value_of(Trial *trial, Term term) {
    TermNode node = *term_at(&trial->terms, term);
    Value args[3] = {{0}}, result = {0};
    switch ((TermKind)node.kind) {
    case TERM_ATOM: return trial->atoms[node.type][node.a];
    case TERM_CONST: return (Value){.bits = (uint64_t)node.imm & type_mask(node.type)};
    case TERM_SUM: return value_of_sum(trial, &node);
    case TERM_WHOLE: return value_of(trial, (Term){node.a});
    case TERM_LOAD: return value_of_load(trial, &node);
    case TERM_OP: break;
    }
    uint32_t ids[] = {node.a, node.b, node.c};
    for (uint32_t k = 0; k < node.count; k++) args[k] = value_of(trial, (Term){ids[k]});
    assert_true(op_eval(node.code, args[0], args[1], args[2], &result));
    return result;
}

// ---- Random expressions

static uint64_t interesting(Random *random) {
    static const uint64_t values[] = {
        0,          1,          2,          3,          0xff,      0xffff, 0x80, 0x8000,
        0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX, INT64_MAX, 8,      31,   63};
    if (random_below(random, 3))
        return values[random_below(random, sizeof values / sizeof *values)];
    return random_next(random);
}

static void push(Trial *trial, Term term, Value value, Type type) {
    trial->pool[trial->count].term = term;
    trial->pool[trial->count].value = value;
    trial->pool[trial->count++].type = type;
}

static uint32_t pick(const Trial *trial, Random *random, Type type) {
    for (uint32_t i = random_below(random, trial->count);; i = (i + 1) % trial->count)
        if (trial->pool[i].type == type) return i;
}

static bool is_tried(Op op) {
    const OpInfo *info = op_info(op);
    bool plain = info->arity > 0 && info->result != TYPE_F80;
    for (uint32_t k = 0; k < info->arity; k++) plain &= info->operand[k] != TYPE_F80;
    return plain;
}

static void start(Trial *trial, Random *random) {
    for (size_t i = 0; i < sizeof trial->memory; i++)
        trial->memory[i] = (uint8_t)random_next(random);
    for (Type type = TYPE_I32; type <= TYPE_F64; type++)
        for (uint32_t a = 0; a < 2; a++) {
            trial->atoms[type][a] = (Value){.bits = interesting(random) & type_mask(type)};
            push(trial, term_atom(&trial->terms, type, 0, a, 0), trial->atoms[type][a], type);
            uint64_t bits = interesting(random) & type_mask(type);
            push(trial, term_const(&trial->terms, type, (int64_t)bits, 0), (Value){.bits = bits},
                 type);
        }
    static const Chunk chunks[] = {CHUNK_I8, CHUNK_U16, CHUNK_I32, CHUNK_I64};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        Term load = term_load(&trial->terms, chunks[i], trial->pool[4].term, 7);
        push(trial, load, value_of(trial, load), chunk_type(chunks[i]));
    }
}

// Whether the operator had a value.
static bool grow(Trial *trial, Random *random) {
    Op op;
    do op = (Op)random_below(random, OP_COUNT);
    while (!is_tried(op));
    const OpInfo *info = op_info(op);
    Term args[3];
    Value values[3] = {{0}}, result;
    for (uint32_t k = 0; k < info->arity; k++) {
        uint32_t i = pick(trial, random, info->operand[k]);
        args[k] = trial->pool[i].term;
        values[k] = trial->pool[i].value;
    }
    if (!op_eval(op, values[0], values[1], values[2], &result)) return false;
    Term term = term_op(&trial->terms, op, args);
    assert_int_equal(term_at(&trial->terms, term)->type, info->result);
    if (value_of(trial, term).bits != result.bits) fail_msg("%s is not kept", info->name);
    if (info->flags & OPF_COND) {
        Term negation = term_negation(&trial->terms, term);
        if (negation.i != NO_ID) assert_int_equal(value_of(trial, negation).bits, !result.bits);
    }
    if (info->result == TYPE_I32) {
        Term low = term_low(&trial->terms, CHUNK_I8, term);
        assert_int_equal(value_of(trial, low).bits & 0xff, result.bits & 0xff);
    }
    push(trial, term, result, info->result);
    return true;
}

static void test_values_are_kept(void **state) {
    (void)state;
    Random random = random_from(20);
    uint64_t trials = effort(2000, 30000, 500000), kept = 0;
    for (uint64_t t = 0; t < trials; t++) {
        Arena *arena = arena_new("terms");
        Trial trial = {.terms = {.arena = arena, .target = program_usual_target()}};
        start(&trial, &random);
        while (trial.count < POOL && random_below(&random, 40)) kept += grow(&trial, &random);
        arena_free(arena);
    }
    assert_true(kept > 10 * trials);
}

// ---- What must be equal

static Term apply(Terms *terms, Op op, Term a, Term b) {
    return term_op(terms, op, (Term[]){a, b});
}

static void test_equal_forms(void **state) {
    (void)state;
    Arena *arena = arena_new("terms");
    Terms terms = {.arena = arena, .target = program_usual_target()};
    Term x = term_atom(&terms, TYPE_I64, 0, 0, 0), y = term_atom(&terms, TYPE_I64, 0, 1, 0);
    Term i = term_atom(&terms, TYPE_I32, 0, 2, 0), j = term_atom(&terms, TYPE_I32, 0, 3, 0);
    Term four = term_const(&terms, TYPE_I64, 4, 0), two = term_const(&terms, TYPE_I32, 2, 0);
    Term zero = term_const(&terms, TYPE_I32, 0, 0);
    // x + 4 * y by multiplication and by shift, in both orders
    assert_int_equal(apply(&terms, OP_ADD_I64, x, apply(&terms, OP_MUL_I64, y, four)).i,
                     apply(&terms, OP_ADD_I64, apply(&terms, OP_SHL_I64, y, two), x).i);
    assert_int_equal(apply(&terms, OP_GT_I32, i, j).i, apply(&terms, OP_LT_I32, j, i).i);
    Term less = apply(&terms, OP_LT_I32, i, j);
    assert_int_equal(term_negation(&terms, less).i, apply(&terms, OP_LE_I32, j, i).i);
    assert_int_equal(apply(&terms, OP_EQ_I32, less, zero).i, term_negation(&terms, less).i);
    assert_int_equal(apply(&terms, OP_NE_I32, less, zero).i, less.i);
    // and what must not be
    assert_int_not_equal(less.i, apply(&terms, OP_LT_I32, j, i).i);
    assert_int_not_equal(less.i, apply(&terms, OP_ULT_I32, i, j).i);
    assert_int_not_equal(term_load(&terms, CHUNK_I32, x, 0).i,
                         term_load(&terms, CHUNK_I32, x, 1).i);
    arena_free(arena);
}

// The low bits of a sum or of bitwise logic depend on the low bits of its operands only, however
// often these have been cut off before.
static void test_low_bits_of_low_bits(void **state) {
    (void)state;
    static const Op ops[] = {OP_ADD_I32, OP_SUB_I32, OP_MUL_I32, OP_SHL_I32,
                             OP_AND_I32, OP_OR_I32,  OP_XOR_I32};
    enum { OPS = sizeof ops / sizeof *ops };
    Random random = random_from(21);
    for (uint32_t t = 0; t < 3000; t++) {
        Arena *arena = arena_new("terms");
        Terms terms = {.arena = arena, .target = program_usual_target()};
        Chunk chunk = t % 2 ? CHUNK_I8 : CHUNK_I16;
        Term whole = term_atom(&terms, TYPE_I32, 0, 0, 0), cut = whole;
        for (uint32_t depth = 0; depth < 4; depth++) {
            Op op = ops[random_below(&random, OPS)];
            int64_t number = op == OP_SHL_I32 ? random_below(&random, 32)
                                              : (int64_t)(int32_t)random_next(&random);
            Term by = term_const(&terms, TYPE_I32, number, 0);
            whole = apply(&terms, op, whole, by);
            cut = term_low(&terms, chunk, apply(&terms, op, cut, by));
            if (term_low(&terms, chunk, whole).i != cut.i) fail_msg("%s", op_info(op)->name);
        }
        arena_free(arena);
    }
}

// A sum with more parts than are kept apart: where numbers are added makes no difference.
static void test_longest_sums(void **state) {
    (void)state;
    Arena *arena = arena_new("terms");
    Terms terms = {.arena = arena, .target = program_usual_target()};
    Term number = term_const(&terms, TYPE_I32, 1000, 0);
    Term first = term_atom(&terms, TYPE_I32, 0, 0, 0), last = first;
    for (uint32_t i = 1; i < 3 * TERM_MOST; i++) {
        Term x = term_atom(&terms, TYPE_I32, 0, i, 0);
        first = apply(&terms, OP_ADD_I32, apply(&terms, OP_ADD_I32, first, number), x);
        last = apply(&terms, OP_ADD_I32, apply(&terms, OP_ADD_I32, x, last), number);
        assert_int_equal(first.i, last.i);
    }
    arena_free(arena);
}

// A sum that is settled again and again is the same if it is computed in more bits than it is used
// with.
static void test_wide_sums(void **state) {
    (void)state;
    Arena *arena = arena_new("terms");
    Terms terms = {.arena = arena, .target = program_usual_target()};
    Term number = term_const(&terms, TYPE_I32, 1000, 0);
    Term narrow = term_atom(&terms, TYPE_I32, 0, 0, 0), wide = narrow;
    for (uint32_t i = 1; i < 3 * TERM_MOST; i++) {
        Term x = term_atom(&terms, TYPE_I32, 0, i, 0);
        narrow = apply(&terms, OP_ADD_I32, apply(&terms, OP_ADD_I32, narrow, number), x);
        wide = term_add(&terms, term_op(&terms, OP_ZEXT_I64, &wide),
                        term_op(&terms, OP_SEXT_I64, &x), 1);
        wide = term_offset(&terms, wide, 1000);
        wide = term_op(&terms, OP_TRUNC_I32, &wide);
        narrow = term_settled(&terms, narrow);
        wide = term_settled(&terms, wide);
        assert_int_equal(narrow.i, wide.i);
    }
    arena_free(arena);
}

// ---- Long sums

enum { SUMMANDS = TERM_PARTS + 4 };

// The sum of the atoms from the first on, each times its number plus 1.
static Term sum_from(Trial *trial, uint32_t first) {
    Term sum = term_const(&trial->terms, TYPE_I64, first, 0);
    for (uint32_t k = 0; k < SUMMANDS; k++) {
        uint32_t a = (first + k) % SUMMANDS;
        sum = term_add(&trial->terms, sum, term_atom(&trial->terms, TYPE_I64, 0, a % ATOMS, a),
                       a + 1);
    }
    return sum;
}

// Whatever the order of its summands, a long sum is settled as the same whole, plus its constant,
// which has the same value and is one summand in the sums that it is part of.
static void test_long_sums(void **state) {
    (void)state;
    Random random = random_from(21);
    Arena *arena = arena_new("terms");
    Trial trial = {.terms = {.arena = arena, .target = program_usual_target()}};
    Terms *terms = &trial.terms;
    start(&trial, &random);
    for (uint32_t a = 0; a < ATOMS; a++)
        trial.atoms[TYPE_I64][a] = (Value){.bits = interesting(&random)};
    Term whole = term_settled(terms, sum_from(&trial, 0));
    assert_int_equal(term_at(terms, whole)->kind, TERM_WHOLE);
    for (uint32_t first = 0; first < SUMMANDS; first++) {
        Term sum = sum_from(&trial, first), settled = term_settled(terms, sum);
        assert_int_equal(value_of(&trial, settled).bits, value_of(&trial, sum).bits);
        assert_int_equal(settled.i, term_offset(terms, whole, first).i);
        assert_int_equal(term_settled(terms, settled).i, settled.i);
        assert_int_equal(term_load(terms, CHUNK_I8, sum, 0).i,
                         term_load(terms, CHUNK_I8, settled, 0).i);
    }
    Term other = term_add(terms, sum_from(&trial, 0), term_atom(terms, TYPE_I64, 0, 0, 0), 1);
    assert_int_not_equal(term_settled(terms, other).i, whole.i);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_are_kept),
                                       cmocka_unit_test(test_equal_forms),
                                       cmocka_unit_test(test_low_bits_of_low_bits),
                                       cmocka_unit_test(test_longest_sums),
                                       cmocka_unit_test(test_wide_sums),
                                       cmocka_unit_test(test_long_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
