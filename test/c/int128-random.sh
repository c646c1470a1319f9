#!/bin/sh
# Random programs about __int128 print the same under the RTL interpreter as compiled by gcc.
seed=1
while [ $seed -le 40 ]; do
    "$ROOT/tools/random-wide" $seed >x.c || exit 1
    gcc -w -O0 -fwrapv -o x x.c || exit 1
    ./x >expected || exit 1
    [ -s expected ] || exit 1
    gate run rtl -w x.c >found || { echo "seed $seed: status $?"; exit 1; }
    cmp expected found || { echo "seed $seed"; exit 1; }
    seed=$((seed + 1))
done
