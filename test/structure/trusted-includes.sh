#!/bin/sh
# Trusted code includes nothing untrusted: its quoted includes name trusted files only.
set -eu
cd "$ROOT"
status=0 count=0
tools/trusted --files >"$TMPDIR/files"
while read -r file; do
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" >"$TMPDIR/includes"
    while read -r include; do
        count=$((count + 1))
        if ! grep -qx "src/$include" "$TMPDIR/files"; then
            echo "$file is trusted and includes $include, which is not"
            status=1
        fi
    done <"$TMPDIR/includes"
    # An include that is neither "name" nor <name> could hide anything.
    if grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*[^"<[:space:]]' "$file"; then
        echo "$file includes something that is not a plain name"
        status=1
    fi
done <"$TMPDIR/files"
[ $count -gt 400 ] || { echo "only $count includes were seen"; status=1; }
exit $status
