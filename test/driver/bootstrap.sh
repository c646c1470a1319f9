#!/bin/sh
# gatecc compiles itself with every check on, and what comes out compiles gatecc again: the same objects and
# programs, byte for byte.
build=$(dirname "$(dirname "$(command -v gatecc)")")
make -C "$ROOT" bootstrap-compare BUILD="$build" STAGE2="$PWD/stage2" STAGE3="$PWD/stage3" >log 2>&1 && exit 0
tail -20 log
exit 1
