#!/bin/sh
# 300 random programs (GATE_LONG times) about __int128: as test/c/int128-random.sh.
"$ROOT/tools/wide-check" 1 $((300 * ${GATE_LONG:-1}))
