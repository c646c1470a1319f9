#!/bin/sh
# The pipeline loop knows the rows of passes.def and no pass by its name.
set -eu
cd "$ROOT"
status=0
sed -nE 's/^PASS\(([a-z_0-9]*),.*/\1/p' src/check/passes.def >"$TMPDIR/passes"
[ "$(wc -l <"$TMPDIR/passes")" -gt 20 ]
while read -r pass; do
    if grep -nE "\b(PASS_|check_)?$pass\b" src/pipeline/pipeline.c src/pipeline/pipeline.h; then
        echo "the pipeline loop names the pass $pass"
        status=1
    fi
done <"$TMPDIR/passes"
exit $status
