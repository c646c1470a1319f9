#!/bin/sh
# gatecc compiles itself with every check on, and the result compiles gatecc again: the same objects and programs, byte for
# byte. gatecc makes the same assembly of programs that are unlike its own sources, too, whichever compiler built gatecc.
build=$(dirname "$(dirname "$(command -v gatecc)")")
make -C "$ROOT" bootstrap-compare BUILD="$build" STAGE2="$PWD/stage2" STAGE3="$PWD/stage3" >log 2>&1 || {
    tail -20 log
    exit 1
}
for seed in 1 2 3 4 5; do
    "$ROOT/tools/random-wide" $seed >wide$seed.c
    "$ROOT/tools/random-half" $seed >half$seed.c
done
find "$ROOT/test/c" "$ROOT/test/native" "$ROOT/test/programs" "$ROOT/test/abi" -name '*.c' >files
"$ROOT/tools/compare-builds" "$build/bin/gatecc" stage2/bin/gatecc $(cat files) "$PWD"/wide?.c "$PWD"/half?.c >log 2>&1 && exit 0
cat log
exit 1
