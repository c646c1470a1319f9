#!/bin/sh
# Every C program of the tests leaves a certificate that gatecheck accepts; so do our own sources. A certificate that
# certifies nothing would be accepted, too: functions and steps are counted.
set -u
failed=0
cd "$ROOT" || exit 1
tools/test-programs "$TMPDIR/programs" >"$TMPDIR/list" || exit 1
programs=$(wc -l <"$TMPDIR/list")
ls src/*/*.c >>"$TMPDIR/list"
: >"$TMPDIR/checked"
while read -r file; do
    gatecc -w -Werror=pipeline -fsyntax-only -D_GNU_SOURCE -Isrc -Iinclude -I. --certificate="$TMPDIR/f.gcert" "$file" &&
        gatecheck -v "$TMPDIR/f.gcert" >>"$TMPDIR/checked" || {
        echo "$file"
        failed=1
    }
    gatecheck --text "$TMPDIR/f.gcert" >>"$TMPDIR/all"
done <"$TMPDIR/list"
functions=$(grep -c '^certify ' "$TMPDIR/all")
steps=$(grep -c '^step ' "$TMPDIR/all")
echo "$programs programs, $(wc -l <"$TMPDIR/list") certificates, $functions functions, $steps steps," \
    "$(wc -l <"$TMPDIR/checked") lines by gatecheck"
[ "$programs" -gt 100 ] && [ "$functions" -gt 3000 ] && [ "$steps" -gt $((7 * functions)) ] &&
    [ "$(wc -l <"$TMPDIR/checked")" -ge $((functions + steps)) ] || failed=1
exit $failed
