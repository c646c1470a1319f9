#!/bin/sh
# 2,000 random programs by csmith print the same checksum compiled by gatecc -O1 and -O2 as by gcc -O0; those that
# do not end are left out, but most must count.
"$ROOT/tools/csmith-check" -n 1 2000 | tee report
grep -qE '^csmith: 1[6-9][0-9]{2} of [0-9]* right, 0 failed' report
