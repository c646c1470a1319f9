#!/bin/sh
# 300 random programs (GATE_LONG times) about the memory of a unit: as test/c/unit-random.sh.
set -e
"$ROOT/tools/unit-check" 1 $((300 * ${GATE_LONG:-1}))
