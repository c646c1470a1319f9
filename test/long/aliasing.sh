#!/bin/sh
# 300 random programs (GATE_LONG times) about effective types: as test/c/aliasing-random.sh. No program of csmith or of
# gcc's torture suite has a load by another type.
set -e
"$ROOT/tools/aliasing-check" 1 $((300 * ${GATE_LONG:-1}))
"$ROOT/tools/csmith-check" -a 1 100 | grep ' 0 failed'
"$ROOT/tools/torture" aliasing | awk '/: reads .* where/ { print; bad = 1 } /^aliasing: / { done = $2 } END { exit bad || done < 1400 }'
