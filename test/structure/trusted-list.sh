#!/bin/sh
# docs/TRUSTED.md names every file that decides or defines, and every file of gatecheck, with its length.
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
sed -n "/^<!-- table of gatecheck/,/^<!-- end of table/p" docs/TRUSTED.md | grep -v '^<!--' >"$TMPDIR/written"
tools/trusted --gatecheck >"$TMPDIR/true"
diff "$TMPDIR/written" "$TMPDIR/true" || {
    echo "docs/TRUSTED.md is out of date: run make trusted"
    exit 1
}
# What must be read to believe gatecheck shall not grow without anybody noticing. It was 27,100, with comments, before the Sea of Nodes: its
# kernel of values, its form, and checked arithmetic came to it. Then slices, whose checker needs what variables are. Then, for
# objects, what linkers go by: tables of relocations and sections, and the order of constructors. Then the record of a machine:
# what the machine expects of types and addresses is asked by a field. Then claims about the memory of the whole unit, and
# about values in the unit: ranges, equal calls, addresses that functions yield; and sums of counters.
most=29950
lines=$(sed -n 's/^| total | [0-9]* | \([0-9]*\) |.*/\1/p' "$TMPDIR/true")
[ "$lines" -le $most ] || {
    echo "gatecheck is made of $lines lines of code, more than $most"
    exit 1
}
