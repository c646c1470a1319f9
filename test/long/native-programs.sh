#!/bin/sh
# The benchmark programs, with little to do, do natively what they do under the RTL interpreter.
"$ROOT/tools/native-check" -l 70 -a 1 "$ROOT"/bench/programs/*.c "$ROOT"/bench/kernels/*.c
