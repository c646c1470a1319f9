#!/bin/sh
# All programs of the gcc torture suite that are in scope, and of 60 by csmith (GATE_LONG times) those that do not run
# for long, go through the whole pipeline: no pass is rejected by its checker, and all forms behave alike.
times=${GATE_LONG:-1} status=0
"$ROOT/tools/torture" pipeline | "$ROOT/tools/at-least" 100 1000 || status=1
"$ROOT/tools/csmith-check" -p 1 $((60 * times)) | "$ROOT/tools/at-least" 100 $((40 * times)) || status=1
exit $status
