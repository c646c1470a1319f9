#!/bin/sh
# On every C program of the tests gated value numbering is never rejected, and the program behaves as before it.
set -u
"$ROOT/tools/test-programs" . >programs
[ "$(wc -l <programs)" -ge 60 ] || { echo 'there are too few programs'; exit 1; }
failed=0
while read -r file; do
    gate show gsa -w -Werror --after=gated_gvn -o /dev/null "$file" || failed=1
done <programs
exit $failed
