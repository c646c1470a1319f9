#!/bin/sh
# On every C program of the tests, forwarding is never rejected and the program behaves as before, and
# loads do disappear.
set -u
"$ROOT/tools/test-programs" -m . >programs
[ "$(wc -l <programs)" -ge 60 ] || { echo 'there are too few programs'; exit 1; }
failed=0
loads() {
    gate show ssa -w -Werror --off=son_build --on=gvn --after="$1" "$2" | grep -c ' = load'
}
before=0 after=0
while read -r file; do
    gate compare -w -Werror --off=son_build --on=gvn,hoist --after=forward --fuel=3000000 "$file" </dev/null >result 2>&1 ||
        { cat "$file" result; failed=1; }
    before=$((before + $(loads gvn "$file")))
    after=$((after + $(loads forward "$file")))
done <programs
echo "of $before loads, $after are left"
[ $((after * 10)) -lt $((before * 9)) ] || failed=1
exit $failed
