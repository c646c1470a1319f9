#!/bin/sh
# Random programs about __int128 print the same under the RTL interpreter as compiled by gcc.
# test/long/int128.sh runs more.
"$ROOT/tools/wide-check" 1 30
