#!/bin/sh
# 200 random programs by csmith (GATE_LONG times) print the same checksum compiled by gatecc -O1 and -O2 as by gcc -O0;
# those that do not end are left out, but most must count.
times=${GATE_LONG:-1}
"$ROOT/tools/csmith-check" -n 1 $((200 * times)) | "$ROOT/tools/at-least" 100 $((150 * times))
