#!/bin/sh
# On every C program of the tests, rewrite is never rejected, and the program behaves as before after it.
set -u
"$ROOT/tools/test-programs" -m . >programs
[ "$(wc -l <programs)" -ge 60 ] || { echo 'there are too few programs'; exit 1; }
failed=0
while read -r file; do
    gate compare -w -Werror --off=son_build --on=copy_prop,sccp --after=rewrite --fuel=3000000 "$file" </dev/null >result 2>&1 ||
        { cat "$file" result; failed=1; }
done <programs
exit $failed
