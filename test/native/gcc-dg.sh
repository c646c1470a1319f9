#!/bin/sh
# Every sixteenth of gcc's own programs to run is right, or listed with its reason. test/long/gcc-dg.sh runs all.
"$ROOT/tools/gcc-dg" -e 16 >report || { cat report; exit 1; }
"$ROOT/tools/at-least" 92 100 <report
