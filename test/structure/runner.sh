#!/bin/bash
# The test runner, on test trees of our own: what passes, what fails, what is shown and counted.
set -eu
runner=$BUILT/test/runner
status=0

mkdir -p tree/build/bin tree/build/unit tree/test/form tree/test/unit tree/test/script tree/test/long tree/docs
cd tree
printf '#!/bin/sh\necho "tool: $*"\n' >build/bin/tool
chmod +x build/bin/tool

run() { # runs the runner; output in `out`, the status in $result
    result=0
    "$runner" "$@" >out 2>err || result=$?
}
complain() {
    echo "runner.sh: $1"
    cat out err
    status=1
}
ends_with() {
    [ "$(tail -n 1 out)" = "$1" ] || complain "expected the last line '$1'"
}
says() {
    grep -qF -- "$1" out || complain "expected to read '$1'"
}
result_is() {
    [ "$result" = "$1" ] || complain "expected exit status $1, got $result"
}

# ---- A test of each kind that passes ----
cat >test/form/good.test <<'END'
Inputs, several commands, a status, both streams, the environment.
--- input a.txt
one
\--- not a section
\\--- nor this
--- input b.txt
no newline
\ no newline
--- command
cat a.txt; tool x; echo bad >&2; exit 3
--- output
one
\--- not a section
\\--- nor this
tool: x
--- errors
bad
--- status 3
--- command
echo "previous status: $?"; wc -c <b.txt; printf 'no newline'
--- output
previous status: 3
10
no newline
\ no newline
--- command
test -d "$ROOT/test/form" && test "$(ls)" = "$(printf 'a.txt\nb.txt')"
END
touch test/unit/cases.c test/unit/plain.c test/unit/helper.h
cat >build/unit/cases <<'END'
#!/bin/sh
echo '[ RUN      ] one'; echo '[       OK ] one'
echo '[ RUN      ] two'; echo '[  SKIPPED ] two'
echo '[ RUN      ] three'; echo '[       OK ] three'
END
printf '#!/bin/sh\nexit 0\n' >build/unit/plain
printf '#!/bin/sh\ntest -d "$ROOT" -a -d "$BUILT" -a -d "$TMPDIR"\n' >test/script/good.sh
chmod +x build/unit/* test/script/good.sh
echo 'not executable, not a test' >test/script/data.sh
cat >docs/page.md <<'END'
# A page
```sh
not run
```
```console
$ tool a \
    b; echo x >&2; false
tool: a b
x
$ echo $?
1
$ ls -d docs; touch new
docs
```
END
echo '# Nothing to run here' >README.md
printf -- '--- command\nsleep 0\n' >test/long/slow.test
run
ends_with '6 passed, 0 failed'
result_is 0
[ ! -s err ] || complain 'expected silence on standard error'
[ -z "$(ls build/test/scratch)" ] || complain 'expected an empty scratch directory'
[ ! -e new ] || complain 'a document wrote into the tree'
run --long
ends_with '7 passed, 0 failed'
# GATE_LONG is 1 unless a number is given, and only the long run passes it on.
printf -- '--- command\necho ${GATE_LONG-short}\n--- output\n%s\n' 1 >test/long/slow.test
run --long
ends_with '7 passed, 0 failed'
printf -- '--- command\necho ${GATE_LONG-short}\n--- output\n%s\n' 30 >test/long/slow.test
GATE_LONG=30 run --long
ends_with '7 passed, 0 failed'
GATE_LONG=x run --long
result_is 2
printf -- '--- command\necho ${GATE_LONG-short}\n--- output\n%s\n' short >test/form/short.test
GATE_LONG=30 run short
ends_with '1 passed, 0 failed'
rm test/form/short.test
run --only unit
ends_with '3 passed, 0 failed'
run --only unit --only text good plain
ends_with '2 passed, 0 failed'
run 'test/*/good.*'
ends_with '2 passed, 0 failed'
run nothing-like-it
result_is 2
# ---- A run that was stopped goes on ----
run --record record --state one
all=$(tail -n 1 out)
run --record record --state one
says 'passed before, according to record:'
ends_with "$all"
grep -q '^[1-9][0-9]* 0 [0-9]* test/form/good.test$' record || complain 'no line for a test that passed'
sed -i '$d' record # the last test was not reached
printf '3 0 1 test/form/good' >>record # and a line was not written to its end
run --record record --state one
ends_with "$all"
run --record record --state two
says 'of another state'
ends_with "$all"
echo exit 1 >test/script/comes_and_goes.sh
chmod +x test/script/comes_and_goes.sh
run --record record --state two
result_is 1
rm test/script/comes_and_goes.sh
printf '#!/bin/sh\n' >test/script/comes_and_goes.sh # what failed is run again
chmod +x test/script/comes_and_goes.sh
run --record record --state two
result_is 0
rm -f test/script/comes_and_goes.sh record

printf '# some\ntest/unit/plain.c it is too plain\n' >except
run --except except
says 'left out, for the reasons in except: 1'
ends_with '5 passed, 0 failed'
run --except except --only text
ends_with '1 passed, 0 failed'
echo 'test/unit/gone.c it is gone' >>except
run --except except
result_is 2
echo 'test/unit/plain.c' >except # without a reason
run --except except
result_is 2
run --nonsense
result_is 2
cp test/form/good.test docs/page.md .
run --update
ends_with '6 passed, 0 failed'
cmp good.test test/form/good.test || complain 'updating changed a test that was right'
cmp page.md docs/page.md || complain 'updating changed a document that was right'

# ---- Tests that fail, one way each ----
rm -r test/* docs/* build/unit/* README.md
mkdir -p test/a test/unit docs
expect_failure() { # NAME TEXT...: the test alone fails and says so
    local name=$1
    shift
    run --limit 1 "$name"
    ends_with '0 passed, 1 failed'
    result_is 1
    says "FAILED $name"
    for text; do says "$text"; done
}
printf -- '--- command\necho yes\n--- output\nno\n' >test/a/output.test
expect_failure test/a/output.test 'line 1: echo yes' '-no' '+yes'
printf -- '--- command\necho yes\n' >test/a/unexpected.test
expect_failure test/a/unexpected.test '+yes'
printf -- '--- command\nprintf yes\n--- output\nyes\n' >test/a/newline.test
expect_failure test/a/newline.test 'No newline at end of file'
printf -- '--- command\necho bad >&2\n' >test/a/errors.test
expect_failure test/a/errors.test '+bad'
printf -- '--- command\nexit 1\n' >test/a/status.test
expect_failure test/a/status.test 'expected exit status 0, got 1'
printf -- '--- command\nkill -9 $$\n' >test/a/signal.test
expect_failure test/a/signal.test 'expected exit status 0, got 137'
printf -- '--- command\nexit 0\n--- status 1\n' >test/a/good-status.test
expect_failure test/a/good-status.test 'expected exit status 1, got 0'
printf -- '--- comand\nexit 0\n' >test/a/misspelt.test
expect_failure test/a/misspelt.test 'line 1: '
printf -- '--- output\nx\n' >test/a/orphan.test
expect_failure test/a/orphan.test 'no command before it'
printf -- '--- command\ntrue\n--- status x\n' >test/a/number.test
expect_failure test/a/number.test 'line 3: no such section'
printf -- '--- command\ntrue\n--- status 0\nx\n' >test/a/after.test
expect_failure test/a/after.test 'line 4: text that belongs to no section'
printf -- '--- input ../x\n--- command\ntrue\n' >test/a/escape.test
expect_failure test/a/escape.test 'not a plain file name'
echo 'nothing but prose' >test/a/prose.test
expect_failure test/a/prose.test 'no command section'
printf '#!/bin/sh\necho broken; exit 1\n' >test/a/script.sh
chmod +x test/a/script.sh
expect_failure test/a/script.sh 'exit status 1' broken
touch test/unit/crash.c test/unit/unbuilt.c
printf '#!/bin/sh\necho "[ RUN      ] one"\necho "[       OK ] one"\necho "[ RUN      ] two"\nkill -11 $$\n' >build/unit/crash
chmod +x build/unit/crash
run test/unit/crash.c
ends_with '1 passed, 1 failed'
says 'exit status 139'
expect_failure test/unit/unbuilt.c 'exit status 127'
printf '```console\n$ echo yes\nno\n```\n' >docs/page.md
expect_failure docs/page.md 'line 2: echo yes' '-no' '+yes'

# Who computes for longer than the time limit is stopped, in whichever process of the test, and so is who waits for longer.
printf -- '--- command\nsh -c "while :; do :; done" | cat\n' >test/a/time.test
expect_failure test/a/time.test 'computed for longer than the time limit of 1 seconds'
printf '#!/bin/sh\nfor i in 1 2; do (ulimit -t 1; while :; do :; done); done 2>/dev/null\nsleep 5\n' >test/a/ended.sh
chmod +x test/a/ended.sh
expect_failure test/a/ended.sh 'computed for longer than the time limit of 1 seconds' # what has ended counts, too
rm test/a/ended.sh
# A busy machine does not count: of ten that compute at once each takes as long as ten by itself.
mkdir test/busy
for i in 1 2 3 4 5 6 7 8 9 0; do
    printf '#!/bin/sh\n(ulimit -t 1; while :; do :; done) 2>/dev/null\ntrue\n' >test/busy/$i.sh
    chmod +x test/busy/$i.sh
done
# The same of a second thread, for which the first one waits.
cat >thread.c <<'END'
#include <pthread.h>
#include <stddef.h>
#include <time.h>
static void *compute(void *unused) {
    while (clock() < CLOCKS_PER_SEC) continue;
    return unused;
}
int main(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, compute, NULL) || pthread_join(thread, NULL);
}
END
${CC:-gcc} -O1 -pthread -o thread thread.c
for i in 1 2 3 4 5; do printf '#!/bin/sh\nexec %s/thread\n' "$PWD" >test/busy/$i.sh; done
run --limit 3 --jobs 10 test/busy
ends_with '10 passed, 0 failed'
rm -r test/busy
# What the test has started is stopped with it.
printf -- '--- command\nsleep 1000 & echo $! >"$ROOT/sleeper"; sleep 1000\n' >test/a/time.test
expect_failure test/a/time.test 'waited for longer than the time limit of 1 seconds'
for i in {1..600}; do # killed is not yet buried
    state=$(sed 's/.*) \(.\).*/\1/' "/proc/$(cat sleeper)/stat" 2>/dev/null || true)
    if [ -z "$state" ] || [ "$state" = Z ]; then break; fi
    sleep 0.1
done
if [ -n "$state" ] && [ "$state" != Z ]; then complain 'a process outlived its test'; fi
rm test/a/time.test

# All of them together, several at once; then what happened becomes what is expected.
run --jobs 7
ends_with '1 passed, 17 failed'
rm test/unit/* test/a/{misspelt,orphan,number,after,escape,prose}.test test/a/script.sh
run --update
ends_with '8 passed, 0 failed'
run
ends_with '8 passed, 0 failed'
printf -- '--- command\nkill -9 $$\n--- status 137\n' | diff - test/a/signal.test
printf -- '--- command\nprintf yes\n--- output\nyes\n\\ no newline\n' | diff - test/a/newline.test
printf '```console\n$ echo yes\nyes\n```\n' | diff - docs/page.md

# A thousand small tests take seconds.
for i in {1..1000}; do printf -- "--- command\necho $i\n--- output\n$i\n" >test/a/number$i.test; done
run number --limit 60
ends_with '1000 passed, 0 failed'
exit $status
