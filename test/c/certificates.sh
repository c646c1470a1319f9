#!/bin/sh
# Every C program of the tests leaves a certificate that gatecheck accepts; so do our own sources.
set -u
failed=0 count=0
cd "$ROOT" || exit 1
tools/test-programs "$TMPDIR/programs" >"$TMPDIR/list"
ls src/*/*.c >>"$TMPDIR/list"
while read -r file; do
    gatecc -w -Werror=pipeline -fsyntax-only -D_GNU_SOURCE -Isrc -Iinclude -I. --certificate="$TMPDIR/f.gcert" "$file" &&
        gatecheck "$TMPDIR/f.gcert" || {
        echo "$file"
        failed=1
    }
    count=$((count + 1))
done <"$TMPDIR/list"
echo "$count certificates"
[ "$count" -gt 100 ] || failed=1
exit $failed
