#!/bin/sh
# Who is believed includes nobody who is not: a file that decides includes only files that decide, one that
# defines only files of these two tiers (src/tiers.txt).
set -eu
cd "$ROOT"
status=0 count=0
tools/trusted --decides >"$TMPDIR/decides"
{ cat "$TMPDIR/decides"; tools/trusted --defines; } >"$TMPDIR/defines"
check() { # TIER
    while read -r file; do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" >"$TMPDIR/includes"
        while read -r include; do
            count=$((count + 1))
            if ! grep -qx "src/$include" "$TMPDIR/$1"; then
                echo "$file $1 and includes $include, which is of another tier"
                status=1
            fi
        done <"$TMPDIR/includes"
        # An include that is neither "name" nor <name> could hide anything.
        if grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*[^"<[:space:]]' "$file"; then
            echo "$file includes something that is not a plain name"
            status=1
        fi
    done <"$TMPDIR/files"
}
cp "$TMPDIR/decides" "$TMPDIR/files"
check decides
tools/trusted --defines >"$TMPDIR/files"
check defines
[ $count -gt 400 ] || { echo "only $count includes were seen"; status=1; }
exit $status
