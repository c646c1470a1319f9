#!/bin/sh
# Slices of 2,000 random functions, of 300 programs by csmith and of every function of five real programs give, compiled
# and run, the values that the originals give.
check=$ROOT/tools/slice-check
"$check" random 1 2000 | tee random && "$check" csmith 1 300 | tee csmith && "$check" real | tee real &&
    "$check" -e real bzip2 zlib lua | tee effects
grep -qE '^random: ([0-9]+) of \1 slices right, 0 wrong, 0 refused, 0 do not compile; [1-9][0-9]{4,} runs compared' random &&
    grep -qE '^csmith: 300 programs, .* 0 wrong; 0 refused, 0 slices do not compile.* 0 wrong, 0 refused' csmith &&
    [ "$(grep -cE '^[a-z0-9]+: [0-9]+ functions: [1-9][0-9]+ compared .* 0 wrong; 0 refused, 0 slices do not compile' real)" = 5 ] &&
    [ "$(grep -cE '^[a-z0-9]+: [0-9]+ functions: [1-9][0-9]+ compared .* 0 wrong; 0 refused' effects)" = 3 ]
