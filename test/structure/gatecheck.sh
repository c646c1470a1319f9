#!/bin/sh
# gatecheck is linked from trusted objects only: it defines no function of an untrusted one. What
# its own main file defines does not count, nor do the folders that are trusted.
set -eu
program=$BUILT/bin/gatecheck
functions() {
    nm --defined-only "$@" 2>/dev/null | awk '$2 == "T" { print $3 }' | sort -u
}
untrusted=$(find "$BUILT/obj" -name '*.o' ! -path '*/obj/base/*' ! -path '*/obj/ir/*' \
    ! -path '*/obj/cert/*' ! -path '*/obj/check/*' ! -path '*/obj/test/*' ! -path '*/obj/bench/*' \
    ! -name gatecheck.o ! -name gate.o ! -name gatecc.o)
functions $untrusted >"$TMPDIR/untrusted"
functions "$program" >"$TMPDIR/linked"
grep -qx main "$TMPDIR/linked"
[ "$(wc -l <"$TMPDIR/untrusted")" -gt 500 ]
[ "$(wc -l <"$TMPDIR/linked")" -gt 300 ]
common=$(comm -12 "$TMPDIR/untrusted" "$TMPDIR/linked")
[ -z "$common" ] || {
    echo "gatecheck contains untrusted functions:"
    echo "$common"
    exit 1
}
