#!/bin/sh
# The test of calls between compilers finds compilers that disagree, and none where there is one compiler.
"$ROOT/tools/abi-check" -n 100 gcc 'gcc -O1' || exit 1
"$ROOT/tools/abi-check" -n 100 gcc 'gcc -mlong-double-64' >report && exit 1
grep -q 'gcc calls gcc -mlong-double-64: f[0-9]*: callee.c: a' report || exit 1
"$ROOT/tools/abi-check" -n 400 gcc 'gcc -fshort-enums' >report && exit 1
grep -q 'calls.*: f[0-9]*: ' report
