#!/bin/sh
# The gcc torture suite: 97 in a hundred programs of execute give the right result natively, at each level.
"$ROOT/tools/native-ready" || exit 0
status=0
for level in 0 1 2; do
    "$ROOT/tools/torture" -O $level native | "$ROOT/tools/at-least" 97 || status=1
done
exit $status
