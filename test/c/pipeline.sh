#!/bin/sh
# Every sixteenth program of the gcc torture suite and a few by csmith go through the whole pipeline: no pass
# is rejected by its checker, and all forms behave alike. test/long/pipeline.sh takes all.
"$ROOT/tools/torture" -e 16 pipeline | tee report
"$ROOT/tools/csmith-check" -p 1 4 | tee -a report
grep -q '^pipeline: [89][0-9] of [0-9]* right, 0 failed' report &&
    grep -q '^csmith: [1-9][0-9]* of [0-9]* right, 0 failed' report
