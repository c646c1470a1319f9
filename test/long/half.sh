#!/bin/sh
# 300 random programs about _Float16: as test/c/half-random.sh.
"$ROOT/tools/half-check" 1 300
