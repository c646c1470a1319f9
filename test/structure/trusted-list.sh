#!/bin/sh
# docs/TRUSTED.md names every trusted file with its length.
set -eu
cd "$ROOT"
sed -n '/^<!-- table/,/^<!-- end of table/p' docs/TRUSTED.md | grep -v '^<!--' >"$TMPDIR/written"
tools/trusted >"$TMPDIR/true"
[ "$(wc -l <"$TMPDIR/true")" -gt 200 ]
diff "$TMPDIR/written" "$TMPDIR/true" || {
    echo "docs/TRUSTED.md is out of date: run make trusted"
    exit 1
}
