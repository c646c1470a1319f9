#!/bin/sh
# Every sixteenth program of the gcc torture suite, a few by csmith and our own go through the whole pipeline: no pass
# is rejected by its checker, every function reaches every form, and all forms behave alike. test/long/pipeline.sh
# takes all.
"$ROOT/tools/torture" -e 16 pipeline | tee report
"$ROOT/tools/csmith-check" -p 1 4 | tee -a report
"$ROOT/tools/test-programs" "$PWD" >programs
xargs -P "$(nproc)" -I '{}' sh -c 'cd "$(dirname "$1")" && "$ROOT/tools/pipeline-check" "$1"
    case $? in 0) echo compared ;; 4) echo checked ;; *) echo "not $1" ;; esac' sh '{}' <programs >own
sort own | uniq -c | sort -rn | tee -a report
[ "$(grep -c '^compared$' own)" -ge 100 ] && ! grep -qvx 'compared\|checked' own &&
    grep -q '^pipeline: [89][0-9] of [0-9]* right, 0 failed' report &&
    grep -q '^csmith: [1-9][0-9]* of [0-9]* right, 0 failed' report
