#!/bin/sh
# The page of docs/guide.md that follows a function from main to its bytes names functions that are in the files it names.
set -eu
cd "$ROOT"
sed -n '/^## From main to the bytes/,/^## Where/s/^| `\([^`]*\)` | `\([^`]*\)` |.*/\1 \2/p' docs/guide.md >"$TMPDIR/rows"
[ "$(wc -l <"$TMPDIR/rows")" -gt 10 ]
while read -r file name; do
    grep -qE "^[a-zA-Z].*\b$name\(" "$file" || { echo "docs/guide.md: $file has no function $name"; exit 1; }
done <"$TMPDIR/rows"
