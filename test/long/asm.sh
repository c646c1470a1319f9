#!/bin/sh
# Every C program of the tests, every program of the gcc torture suite in scope, and 300 by csmith behave alike run in order, by the
# state machine under five seeds and three rules, and as code for mach0 in five orders, which its checker accepts and which runs in
# lock step with the state machine. Random blocks are tried in all orders (test/unit/asm_blocks.c); GATE_LONG makes that 10,000.
#
# Each part takes a while; one can be run by itself, and goes on where it was stopped: tools/asm-check -r FILE csmith 1 300.
check=$ROOT/tools/asm-check
"$check" c | tee c && "$check" csmith 1 300 | tee csmith && "$check" torture | tee torture && "$check" wide 1 100 | tee wide
grep -qE '^asm-check c: ([1-9][0-9]{2}) of \1 programs right, 0 failed' c &&
    grep -qE '^asm-check csmith: 300 of 300 programs right, 0 failed' csmith &&
    grep -qE '^asm-check torture: (1[0-9]{3}) of \1 programs right, 0 failed' torture &&
    grep -qE '^asm-check wide: 100 of 100 programs right, 0 failed' wide
