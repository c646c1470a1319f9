#!/bin/sh
# Random programs by csmith print the same checksum compiled by gatecc -O1 and -O2 as by gcc -O0.
# test/long/native-csmith.sh runs more.
"$ROOT/tools/csmith-check" -n 1 12 | tee report
grep -q '^csmith: [1-9][0-9]* of [0-9]* right, 0 failed' report
