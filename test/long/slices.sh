#!/bin/sh
# Slices of 200 random functions and of 25 programs by csmith (each GATE_LONG times), and of every function of five real
# programs, and of functions with pointers to the same memory, give, compiled and run, the values that the originals give.
check=$ROOT/tools/slice-check
times=${GATE_LONG:-1}
programs=$((25 * times))
"$check" random 1 $((200 * times)) | tee random && "$check" csmith 1 $programs | tee csmith && "$check" real | tee real &&
    "$check" -e real bzip2 zlib lua | tee effects && "$check" -n 8 cells 1 $((200 * times)) | tee cells
grep -qE '^cells: .* [1-9][0-9]{3,} runs compared, 0 complaints' cells &&
    grep -qE '^random: ([0-9]+) of \1 slices right, 0 wrong, 0 refused, 0 do not compile; [1-9][0-9]{3,} runs compared' random &&
    grep -qE "^csmith: $programs programs, .* 0 wrong; 0 refused, 0 slices do not compile.* 0 wrong, 0 refused" csmith &&
    [ "$(grep -cE '^[a-z0-9]+: [0-9]+ functions: [1-9][0-9]+ compared .* 0 wrong; 0 refused, 0 slices do not compile' real)" = 5 ] &&
    [ "$(grep -cE '^[a-z0-9]+: [0-9]+ functions: [1-9][0-9]+ compared .* 0 wrong; 0 refused' effects)" = 3 ]
