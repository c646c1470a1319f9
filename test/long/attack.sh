#!/bin/sh
# Of 5,000 objects with changed sections, symbols, relocations and contents, and of 5,000 with changed assembly (GATE_LONG times), none is
# accepted that behaves differently.
status=0
for kind in sections text; do
    "$ROOT/tools/object-attack" -s 29 -n $((5000 * ${GATE_LONG:-1})) "$kind" || status=1
done
exit $status
