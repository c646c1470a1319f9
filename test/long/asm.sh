#!/bin/sh
# Every C program of the tests, every sixth program of the gcc torture suite in scope (all of them if GATE_LONG is above 1), and GATE_LONG
# times 30 by csmith behave alike run in order, by the state machine under five seeds and three rules, and as code for mach0 in five orders,
# which its checker accepts and which runs in lock step with the state machine. Random blocks are tried in all orders
# (test/unit/asm_blocks.c), with GATE_LONG more of them.
#
# Each part takes a while; one can be run by itself, and goes on where it was stopped: tools/asm-check -r FILE csmith 1 300.
check=$ROOT/tools/asm-check
times=${GATE_LONG:-1} every=6
random=$((30 * times)) wide=$((25 * times))
[ "$times" -eq 1 ] || every=1
"$check" c | tee c && "$check" csmith 1 $random | tee csmith && "$check" -e $every torture | tee torture && "$check" wide 1 $wide | tee wide
grep -qE '^asm-check c: ([1-9][0-9]{2}) of \1 programs right, 0 failed' c &&
    grep -qE "^asm-check csmith: $random of $random programs right, 0 failed" csmith &&
    grep -qE '^asm-check torture: (1[0-9]{3}|[2-9][0-9]{2}) of \1 programs right, 0 failed' torture &&
    grep -qE "^asm-check wide: $wide of $wide programs right, 0 failed" wide
