#!/bin/sh
# docs/TRUSTED.md names every file that decides or defines with its length.
set -eu
cd "$ROOT"
for tier in decides defines; do
    sed -n "/^<!-- table of $tier/,/^<!-- end of table/p" docs/TRUSTED.md | grep -v '^<!--' >"$TMPDIR/written"
    tools/trusted --table $tier >"$TMPDIR/true"
    [ "$(wc -l <"$TMPDIR/true")" -gt 30 ]
    diff "$TMPDIR/written" "$TMPDIR/true" || {
        echo "docs/TRUSTED.md is out of date: run make trusted"
        exit 1
    }
done
