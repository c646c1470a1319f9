#!/bin/bash
# gatecheck --object accepts everything that we compile, at every level, position-independent or not, with protections, and
# finds every changed bit that means something. All sets of options: bench, examples; one each: every sixth of all else, or all
# if GATE_LONG is above 1.
status=0 every=6
[ "${GATE_LONG:-1}" -eq 1 ] || every=1
"$ROOT/tools/real-sources" --list better-sqlite3 >/dev/null || exit 1
"$ROOT/tools/object-check" -a -f 50 bench examples every >found || status=1
cat found
grep -qE '^object: ([0-9]{3,}) of \1 accepted, 0 refused, ' found || status=1
"$ROOT/tools/object-check" -e $every -f 20 >found || status=1
cat found
grep -qE '^object: ([0-9]{4,}|[3-9][0-9]{2}) of \1 accepted, 0 refused, ' found || status=1
grep -qE '^flips: [0-9]{4,} tried, .* 0 missed, [0-9]{2,} asked, 0 strange' found || status=1
# SQLite at three levels, with hundreds of changed bits each.
for level in 0 1 2; do
    for pic in -fPIC -fno-pie; do echo "-O$level $pic"; done
done >variants
OBJECT_VARIANTS=$PWD/variants "$ROOT/tools/object-check" -a -f 500 sqlite >found || status=1
cat found
grep -q '^object: 6 of 6 accepted, 0 refused' found || status=1
exit $status
