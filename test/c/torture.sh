#!/bin/sh
# Every twelfth program of the gcc torture suite gives the right result under the RTL interpreter.
# test/long/torture.sh runs all.
"$ROOT/tools/torture" -e 12 execute | "$ROOT/tools/at-least" 97 110
