#!/bin/sh
# tools/mutate, on a small tree: what a test notices, what none notices, what none reaches, what is listed as changing
# nothing; a run that goes on where the last one ended; the mistakes in the list that it finds.
set -eu
mkdir tree
cd tree
mkdir -p src/base src/gate include test/unit test/gen test/form test/mutation tools docs bench
cp "$ROOT/Makefile" .
cp "$ROOT/tools/trusted" tools
echo "decides base/*" >src/tiers.txt
ln -s "$ROOT/test/runner" test/runner
cat >src/base/small.h <<'END'
#pragma once
#include <stdbool.h>
bool small_is_between(int low, int value, int high);
int small_sum(const int *at, int count);
int small_never(int value);
int small_slow(int value);
END
cat >src/base/small.c <<'END'
#include "base/small.h"

bool small_is_between(int low, int value, int high) {
    return low <= value && value < high;
}

int small_sum(const int *at, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += at[i];
    return sum;
}

// Nobody calls it.
int small_never(int value) {
    return value ? 1 : 2;
}

// The first line makes no difference.
int small_slow(int value) {
    if (value == 0) return 0;
    return value * 3;
}
END
cat >src/gate/gate.c <<'END'
#include "base/small.h"
#include <stdio.h>
int main(void) {
    printf("%d %d\n", small_slow(0), small_slow(1));
    return 0;
}
END
echo 'int gate_one(void);' >include/gate.h
echo 'int help(void); int help(void) { return 0; }' >test/gen/help.c
# It does not look at the upper bound.
cat >test/unit/small.c <<'END'
#include "base/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
static void test_between(void **state) {
    (void)state;
    assert_true(small_is_between(1, 1, 9));
    assert_true(small_is_between(1, 2, 9));
    assert_false(small_is_between(1, 0, 9));
}
static void test_sum(void **state) {
    (void)state;
    int numbers[] = {4, 5};
    assert_int_equal(small_sum(numbers, 2), 9);
}
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_between), cmocka_unit_test(test_sum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
printf 'Slow.\n--- command\ngate\n--- output\n0 3\n' >test/form/slow.test
echo 'src/base/small.c | small_slow | value == 0 => false | three times nothing is nothing' >test/mutation/equivalent.txt

run() { # OPTIONS...: the report in `report`, the status in $result
    result=0
    "$ROOT/tools/mutate" --root . -n 0 "$@" >report 2>&1 || result=$?
}
fail() {
    echo "$1"
    cat report
    exit 1
}
expect() { # the report has these lines
    for line; do grep -qF -- "$line" report || fail "expected: $line"; done
}
run
[ $result = 0 ] || fail "status $result"
expect '4 tests in' \
    'survived src/base/small.c:4: small_is_between: value < high => true  [it never was so]' \
    'survived src/base/small.c:4: small_is_between: value < high => value <= high  [never at the bound]' \
    'unreached src/base/small.c:15: small_never: value => true'
for noticed in 'low <= value => true' 'low <= value => low < value' 'sum += at[i]; => nothing' 'i < count => false' \
    'value * 3 => {0}' '0 => 0 + 1' 'value == 0 => true'; do
    ! grep -F -- ": $noticed" report || fail "not noticed: $noticed"
done
grep -q '"result": "noticed".*test/unit/small.c' build/mutate/results || fail 'no unit test noticed anything'
grep -q '"result": "noticed".*test/form/slow.test' build/mutate/results || fail 'no text test noticed anything'
! grep -F 'small_slow: value == 0 => false' report || fail 'what is listed is shown'
awk '$1 == "all" { seen = $2 == 4 && $3 == $4 + $5 + $6 + $7 && $4 >= 15 && $5 == 2 && $6 >= 5 && $7 == 1 }
    END { exit !seen }' report || fail 'the counts are wrong'

# What is done is not done again, until it is asked for; a new test is seen then.
lines=$(wc -l <build/mutate/results)
run
[ "$(wc -l <build/mutate/results)" = "$lines" ] || fail 'something was tried again'
sed -i 's/assert_false.*/&\n    assert_false(small_is_between(1, 9, 9));/' test/unit/small.c
run --retry small_is_between
! grep -F 'survived src' report || fail 'the new test noticed nothing'

# What no test can notice, without trying anything; some functions only.
rm build/mutate/results
run --never
awk '$1 == "all" { seen = $4 == 0 && $5 == 0 && $6 >= 5 } END { exit !seen }' report || fail 'the counts are wrong'
run --never --functions 1
awk '$1 == "all" { seen = $2 } END { exit seen > 1 }' report || fail 'more than one function'

# Mistakes in the list.
echo 'src/base/small.c | small_sum | i < count => false | wrong' >>test/mutation/equivalent.txt
echo 'src/base/small.c | small_sum | i < 7 => false | gone' >>test/mutation/equivalent.txt
run --equivalent
[ $result = 1 ] || fail "status $result"
expect 'there is no such change: src/base/small.c | small_sum | i < 7' \
    'says that nothing changes, but test/unit/small.c'

# A test that fails as it is proves nothing.
sed -i 's/, 9);/, 8);/' test/unit/small.c
run small_sum
expect 'not used, since it fails as it is: test/unit/small.c test_sum'
run no_such_function
[ $result = 1 ] || fail "status $result"
expect 'nothing is called so'

# Every row of our own list names a function that is still where the row says.
rows=0
while IFS='|' read -r file function rest; do
    file=${file% } function=${function# } function=${function% }
    case $file in '' | '#'*) continue ;; esac
    rows=$((rows + 1))
    grep -q "\b$function(" "$ROOT/$file" || fail "test/mutation/equivalent.txt: there is no $function in $file"
done <"$ROOT/test/mutation/equivalent.txt"
[ $rows -gt 2 ] || fail "test/mutation/equivalent.txt: only $rows rows"
