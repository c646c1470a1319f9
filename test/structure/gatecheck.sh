#!/bin/sh
# gatecheck is made of files that decide and of nothing else: it defines no function of another object. What its
# own main file defines does not count.
set -eu
cd "$ROOT"
program=$BUILT/bin/gatecheck
functions() {
    nm --defined-only "$@" 2>/dev/null | awk '$2 == "T" { print $3 }' | sort -u
}
others=$({ tools/trusted --defines; tools/trusted --tested; tools/trusted --untrusted; } |
    sed -n "s|^src/\(.*\)\.c$|$BUILT/obj/\1.o|p" | grep -v '/gate/gate\.o$\|/gatecc/gatecc\.o$')
functions $others >"$TMPDIR/others"
functions "$program" >"$TMPDIR/linked"
grep -qx main "$TMPDIR/linked"
[ "$(wc -l <"$TMPDIR/others")" -gt 500 ]
[ "$(wc -l <"$TMPDIR/linked")" -gt 300 ]
common=$(comm -12 "$TMPDIR/others" "$TMPDIR/linked")
[ -z "$common" ] || {
    echo "gatecheck contains functions that are not of the tier that decides:"
    echo "$common"
    exit 1
}
