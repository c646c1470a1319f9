#!/bin/sh
# 300 random programs about __int128: as test/c/int128-random.sh.
"$ROOT/tools/wide-check" 1 300
