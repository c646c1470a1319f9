#!/bin/sh
# Some programs of the gcc torture suite give the right result natively, at each level.
# test/long/native-torture.sh runs all.
status=0
"$ROOT/tools/torture" -e 24 -O 0 native | "$ROOT/tools/at-least" 100 55 || status=1
"$ROOT/tools/torture" -e 12 -O 1 native | "$ROOT/tools/at-least" 100 110 || status=1
"$ROOT/tools/torture" -e 24 -O 2 native | "$ROOT/tools/at-least" 100 55 || status=1
exit $status
