#!/bin/sh
# On every C program of the tests, value numbering is never rejected, gvn alone removes at least what
# lvn does, and the program behaves as before after each pass.
set -u
"$ROOT/tools/test-programs" -m . >programs
[ "$(wc -l <programs)" -ge 60 ] || { echo 'there are too few programs'; exit 1; }
xargs gate stats -w -Werror <programs >table || { echo 'a pass was rejected'; exit 1; }
awk '$1 == "operators" { next }
    { rows++; removed += $4 }
    $4 < $2 { print "lvn removes more: " $0; bad = 1 }
    END { if (rows < 60 || removed < 100) { print rows " rows, " removed " removed"; bad = 1 } exit bad }' table || exit 1
failed=0
while read -r file; do
    gate compare -w -Werror --off=son_build --on=lvn,copy_prop --after=gvn --fuel=3000000 "$file" \
        </dev/null >result 2>&1 || { cat "$file" result; failed=1; }
done <programs
exit $failed
