#!/bin/sh
# A program that goes right does so for every placement of its objects, and so do its later forms: our C tests print the same
# when objects touch and take the places of dead objects, in RTL and behind the passes of SSA.
set -eu
compared=0
"$ROOT/tools/test-programs" -m programs >list
awk 'NR % 3 == 0' list >some
while read -r file; do
    for form in rtl 'ssa -O2 --after=dead_code'; do
        for placement in apart touching; do
            status=0
            # shellcheck disable=SC2086
            gate run $form -w --fuel=2000000 --placement=$placement "$file" </dev/null >$placement 2>$placement.err || status=$?
            echo "status $status" >>$placement
        done
        cmp apart touching || { echo "$file differs in $form"; exit 1; }
        compared=$((compared + 1))
    done
done <some
echo "$compared runs are alike"
[ $compared -gt 100 ]
