#!/bin/sh
# Programs of the tests and of csmith behave alike run in order, by the state machine in several orders, and as code for mach0, which
# runs in lock step with the state machine. test/long/asm.sh runs all of them.
"$ROOT/tools/asm-check" -s 2 -e 12 c | tee report && "$ROOT/tools/asm-check" -s 2 -f 300000 csmith 1 3 | tee -a report
grep -qE '^asm-check c: ([1-9][0-9]) of \1 programs right, 0 failed,.* [1-9][0-9]* blocks and [1-9][0-9]* values' report &&
    grep -qE '^asm-check csmith: 3 of 3 programs right, 0 failed,.* [1-9][0-9]{3,} blocks and [1-9][0-9]{3,} values' report
