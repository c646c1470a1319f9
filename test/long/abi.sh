#!/bin/sh
# 5,000 random signatures called across gatecc and gcc, and across gatecc and clang, in both directions: none wrong.
# gcc and clang agree on them, too: it is not the test that is wrong.
"$ROOT/tools/install-deps" build clang || exit 1
"$ROOT/tools/abi-check" -n 5000 gcc 'clang -O1' || exit 1
gatecc=$ROOT/tools/strict-gatecc
"$ROOT/tools/abi-check" -n 3000 "$gatecc -O1" gcc &&
    "$ROOT/tools/abi-check" -s 1001 -n 2000 "$gatecc -O2" 'gcc -O2' &&
    "$ROOT/tools/abi-check" -n 3000 "$gatecc -O1" 'clang -O1' &&
    "$ROOT/tools/abi-check" -s 1001 -n 2000 "$gatecc -O0" clang
