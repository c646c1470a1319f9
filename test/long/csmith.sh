#!/bin/sh
# 300 random programs by csmith print the same checksum under the RTL interpreter as compiled by gcc;
# those that do not end natively are left out, but most must count.
"$ROOT/tools/csmith-check" 1 300 | tee report
grep -qE '^csmith: (2[0-9]{2}|300) of [0-9]* right, 0 failed' report
