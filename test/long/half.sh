#!/bin/sh
# 300 random programs (GATE_LONG times) about _Float16: as test/c/half-random.sh.
"$ROOT/tools/half-check" 1 $((300 * ${GATE_LONG:-1}))
