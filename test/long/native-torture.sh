#!/bin/sh
# The gcc torture suite: all programs of execute in scope give the right result natively, at each level.
status=0
for level in 0 1 2; do
    "$ROOT/tools/torture" -O $level native | "$ROOT/tools/at-least" 100 1400 || status=1
done
exit $status
