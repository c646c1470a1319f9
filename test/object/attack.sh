#!/bin/sh
# Of some changed objects and some changed assembly none is accepted that behaves differently; test/long/attack.sh tries far more.
status=0
for kind in sections text; do
    "$ROOT/tools/object-attack" -n 150 "$kind" || status=1
done
exit $status
