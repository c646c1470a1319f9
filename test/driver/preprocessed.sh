#!/bin/sh
# Compiling in two steps, as ccache and distcc do, gives the same program: what -E prints, as a .i file, becomes the
# same RTL.
set -eu
flags="-I$ROOT/src -I$ROOT/include -D_GNU_SOURCE -w"
count=0
for file in "$ROOT"/examples/*.c "$ROOT"/src/c/*/*.c; do
    gatecc $flags --emit=rtl -o direct.rtl "$file"
    gatecc $flags -E -o step.i "$file"
    # Options that the first step has used up do not matter in the second.
    gatecc $flags -Dint=long -include /not/there --emit=rtl -o steps.rtl step.i
    cmp direct.rtl steps.rtl || { echo "$file differs"; exit 1; }
    count=$((count + 1))
done
[ $count -gt 50 ]
