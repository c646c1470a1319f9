#!/bin/sh
# The benchmark programs, with little to do, print at -O1 and -O2 what gcc's build prints.
# test/long/native-programs.sh compares them with the interpreter, too.
for file in "$ROOT"/bench/programs/*.c "$ROOT"/bench/kernels/*.c; do
    name=$(basename "$file" .c)
    gcc -w -O1 -o "$name" "$file" -lm && "./$name" 1 >expected && [ -s expected ] || exit 1
    for level in 1 2; do
        "$ROOT/tools/strict-gatecc" -w -O$level -o "$name" "$file" -lm && "./$name" 1 >found || exit 1
        cmp -s expected found || { echo "$name: wrong at -O$level"; exit 1; }
    done
done
