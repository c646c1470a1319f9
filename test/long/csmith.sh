#!/bin/sh
# 150 random programs by csmith (GATE_LONG times) print the same checksum under the RTL interpreter as compiled by gcc;
# those that do not end natively are left out, but most must count.
times=${GATE_LONG:-1}
"$ROOT/tools/csmith-check" 1 $((150 * times)) | "$ROOT/tools/at-least" 100 $((110 * times))
