#!/bin/sh
# Random programs by csmith print the same checksum under the RTL interpreter as compiled by gcc.
# test/long/csmith.sh runs more.
"$ROOT/tools/csmith-check" 1 6 | tee report
grep -q '^csmith: [1-9][0-9]* of [0-9]* right, 0 failed' report
