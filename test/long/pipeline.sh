#!/bin/sh
# All programs of the gcc torture suite that are in scope, and of 600 by csmith those that do not run for long, go through
# the whole pipeline: no pass is rejected by its checker, and all forms behave alike.
"$ROOT/tools/torture" pipeline | tee report
"$ROOT/tools/csmith-check" -p 1 600 | tee -a report
grep -qE '^pipeline: 1[0-9]{3} of [0-9]* right, 0 failed' report &&
    grep -qE '^csmith: [45][0-9]{2} of [0-9]* right, 0 failed' report
