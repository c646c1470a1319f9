// What ops.h says of operators agrees with what they compute.
#include "fact/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// Values of which some are equal, less, greater, of another sign or unordered.
static Value sample(Type type, uint32_t k) {
    static const double numbers[] = {0, 1, 2, -1, -2, __builtin_nan("")};
    bool is_nan = k == 5;
    switch (type) {
    case TYPE_F32: return value_f32((float)numbers[k]);
    case TYPE_F64: return value_f64(numbers[k]);
    case TYPE_F80: return value_f80(numbers[k]);
    default: return value_immediate(type, is_nan ? INT64_MIN >> 1 : (int64_t)numbers[k]);
    }
}

static uint64_t compare(Op op, Value a, Value b) {
    Value result;
    assert_true(op_eval(op, a, b, (Value){0}, &result));
    return result.bits;
}

static void mirrors_and_negations(void **state) {
    (void)state;
    uint32_t count = 0;
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        if (!(info->flags & OPF_COND)) {
            assert_int_equal(op_negation(op), OP_COUNT);
            assert_int_equal(op_mirror(op), info->flags & OPF_COMM ? op : OP_COUNT);
            continue;
        }
        count++;
        assert_int_equal(op_mirror(op_mirror(op)), op);
        assert_int_equal(op_negation(op_negation(op)), op);
        assert_int_equal(op_mirror(op) == op, (info->flags & OPF_COMM) != 0);
        for (uint32_t k = 0; k < 36; k++) {
            Value a = sample(info->at, k / 6), b = sample(info->at, k % 6);
            assert_int_equal(compare(op_mirror(op), b, a), compare(op, a, b));
            assert_int_equal(compare(op_negation(op), a, b), !compare(op, a, b));
        }
    }
    assert_true(count >= 62);
}

static void unsigned_order(void **state) {
    (void)state;
    for (Op op = 0; op < OP_COUNT; op++) {
        if (!op_compares_integers(op)) {
            assert_false(op_compares_unsigned(op));
            continue;
        }
        Type type = op_info(op)->at;
        Value low = value_immediate(type, 1), high = value_immediate(type, -1);
        Value two = value_immediate(type, 2);
        // 1 is less than 2 in both orders, and less than -1 in one.
        bool ordered = compare(op, low, two) != compare(op, two, low);
        bool as_unsigned = ordered && compare(op, low, high) == compare(op, low, two);
        assert_int_equal(op_compares_unsigned(op), as_unsigned);
    }
}

static void families(void **state) {
    (void)state;
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        assert_int_equal(op_of(info->family, info->at), op);
        assert_int_equal(op_for(op, info->at), op);
        assert_int_equal(op_for(op, TYPE_VOID), OP_COUNT);
        assert_int_equal(op_for(op, TYPE_COUNT), OP_COUNT);
        assert_int_equal(op_is_move(op), strncmp(info->name, "move.", 5) == 0);
    }
    for (OpFamily family = FAM_NONE + 1; family < FAM_COUNT; family++) {
        uint32_t members = 0;
        for (Type type = 0; type < TYPE_COUNT; type++) members += op_of(family, type) != OP_COUNT;
        assert_true(members > 0);
    }
    assert_int_equal(op_family(OP_COUNT), FAM_NONE);
    assert_int_equal(op_of(FAM_NONE, TYPE_I32), OP_COUNT);
    assert_int_equal(op_for(OP_LT_I32, TYPE_I64), OP_LT_I64);
    assert_int_equal(op_for(OP_DIVS_I32, TYPE_F32), OP_COUNT);
    assert_int_equal(op_select(TYPE_F80), OP_SELECT_F80);
}

static void conversions(void **state) {
    (void)state;
    uint32_t count = 0;
    for (Type to = TYPE_I32; to < TYPE_COUNT; to++)
        for (Type from = TYPE_I32; from < TYPE_COUNT; from++)
            for (int is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
                Op op = op_conversion(to, from, is_unsigned);
                if (op == OP_COUNT) continue;
                count++;
                assert_int_equal(op_info(op)->result, to);
                assert_int_equal(op_info(op)->operand[0], from);
                assert_int_equal(strchr(op_info(op)->name, 'u') != NULL, is_unsigned);
            }
    assert_true(count >= 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrors_and_negations),
        cmocka_unit_test(unsigned_order),
        cmocka_unit_test(families),
        cmocka_unit_test(conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
