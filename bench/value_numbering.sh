#!/bin/bash
# What value numbering removes: Table 1 of Barthe et al., on our programs. Per group
# the operators in SSA after copy propagation, how many local value numbering removes, how many
# global value numbering removes after it, and how many without it.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { # name arguments...
    local name=$1
    shift
    "$BUILT/bin/gate" stats -w -Werror "$@" | sed -n "\$s|%  .*|%  $name|p"
}

"$BUILT/bin/gate" stats -w examples/motivating.c | head -n 1
row examples examples
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
