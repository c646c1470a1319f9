#!/bin/bash
# What gates bring: per group the branches (if and switch) before correlate, how many of them others
# before them decide, how many selects if_convert makes, and how many branches straighten then finds to
# make no difference.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # pattern step files and options...
    local pattern=$1 step=$2
    shift 2
    for file in "${files[@]}"; do
        "$BUILT/bin/gate" show "${step##*:}" -w -Werror --after="${step%%:*}" "$@" "$file" 2>"$work/errors" ||
            cat "$work/errors" >&2
    done | grep -c "$pattern" || true
}

row() { # name options... ; the files are in `files`
    local name=$1 branch='^ *[0-9]*: \(if\|switch\) '
    shift
    local all decided selects emptied straight
    all=$(count "$branch" copy_prop.2:ssa "$@")
    decided=$((all - $(count "$branch" correlate:ssa "$@")))
    selects=$(count '= select\.' if_convert:gsa "$@")
    emptied=$(count "$branch" dead_code.2:ssa "$@")
    straight=$((emptied - $(count "$branch" straighten:ssa "$@")))
    printf '%10s %10s %10s %10s  %s\n' "$all" "$decided" "$selects" "$straight" "$name"
}

printf '%10s %10s %10s %10s\n' branches decided selects straight
files=(examples/*.c)
row examples
tools/test-programs "$work" >"$work/programs"
mapfile -t files <"$work/programs"
row 'test programs'
files=(src/*/*.c)
row 'gatecc itself' -std=c11 -D_GNU_SOURCE -Isrc -Iinclude
tools/real-sources --list better-sqlite3 tree-sitter-cpp |
    awk -F '\t' '/sqlite3\.c|parser\.c/ { print $2, $3 }' >"$work/list"
while read -r file options; do
    files=("$file")
    # shellcheck disable=SC2086
    row "$(basename "$file")" $options
done <"$work/list"
