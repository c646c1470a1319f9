#!/bin/bash
# What gates bring. Per program: its branches (if and switch); how many of them are decided by values or by others before
# them, in Sea of Nodes, and how many make no difference in the end; the selects that if_convert makes; the values that gated_gvn merges beyond
# what gvn does; the gates of gammas, and how many of them gate_simplify shortens.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { # name arguments...
    local name=$1
    shift
    "$BUILT/bin/gate" stats --gates -w -Werror "$@" | sed -n "\$s|  [^ ]*\$|  $name|p"
}

"$BUILT/bin/gate" stats --gates -w examples/motivating.c | head -n 1
for program in examples/*.c bench/programs/*.c; do
    if [ -f "$program" ]; then row "$(basename "$program")" "$program"; fi
done
tools/test-programs "$work" >"$work/programs"
mapfile -t programs <"$work/programs"
row 'test programs' "${programs[@]}"
row 'gatecc itself' -std=c11 -D_GNU_SOURCE -Isrc -Iinclude src/*
tools/real-sources --list better-sqlite3 tree-sitter-cpp |
    awk -F '\t' '/sqlite3\.c|parser\.c/ { print $2, $3 }' >"$work/list"
while read -r file options; do
    # shellcheck disable=SC2086
    row "$(basename "$file")" $options "$file"
done <"$work/list"
