#!/bin/sh
# The gcc torture suite: 97 in a hundred programs of execute give the right result under the RTL
# interpreter, 95 in a hundred files of compile become RTL that verifies.
status=0
"$ROOT/tools/torture" execute | "$ROOT/tools/at-least" 97 1400 || status=1
"$ROOT/tools/torture" compile | "$ROOT/tools/at-least" 95 1500 || status=1
exit $status
