#!/bin/bash
# Sources of other projects, and our own, become verified RTL unchanged; what is refused is refused
# for a reason that test/c/real-sources-expected.txt names, and only that.
set -u
cd "$ROOT" || exit 1
tools/install-deps sources || exit 1
out=$(mktemp)
tools/real-sources -b "$BUILT/bin/gatecc" >"$out"
sed -n '/^package/,$p' "$out"
good=$(sed -n 's/^all  *[0-9]* *\([0-9]*\).*/\1/p' "$out")
[ "${good:-0}" -gt 300 ] || { echo "only ${good:-0} files are good"; exit 1; }

failed=0
while IFS= read -r line; do
    file=${line%%: *}
    file=${file#build/sources/}
    reason=
    while IFS= read -r expected; do
        pattern=${expected%% # *}
        # The pattern is meant to match as one.
        # shellcheck disable=SC2053
        [[ $expected == '#'* || $file != $pattern ]] || reason=${expected#* # }
    done <test/c/real-sources-expected.txt
    case $reason in
    'inline assembly') [[ $line == *'inline assembly'* ]] || reason= ;;
    'SSE intrinsics') [[ $line == *__builtin_ia32_* || $line == *vector* ]] || reason= ;;
    esac
    if [ -z "$reason" ]; then
        echo "not expected: $line"
        failed=1
    fi
done < <(grep -v '^package\|^$' "$out" | grep ': ')
rm -f "$out"
exit $failed
