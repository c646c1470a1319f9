#!/bin/sh
# What gdb shows of variables of optimized code is what they are, in a few random programs; and it shows most of them.
set -eu
"$ROOT/tools/gdb-shadows" --gatecc "$BUILT/bin/gatecc" --seed 1 --count 2 --stops 60 >out || { cat out; exit 1; }
awk '$3 > $6 && $8 == 0 { good = 1 } END { exit !good }' out || { cat out; exit 1; }
