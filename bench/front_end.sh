#!/bin/bash
# From source to verified RTL (gatecc -fsyntax-only), against gcc -fsyntax-only, clang -fsyntax-only
# and tcc -c, on the SQLite amalgamation and the largest generated parser of tools/real-sources. Five
# rounds, interleaved; the best CPU time (user and system) of each counts, and the ratio to gcc's.
# Memory is the peak resident size in MiB.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { # compiler options...
    local compiler=$1
    shift
    case $compiler in
    gatecc) set -- "$BUILT/bin/gatecc" -fsyntax-only "$@" ;;
    gcc | clang) set -- "$compiler" -fsyntax-only "$@" ;;
    tcc) set -- tcc -c -o "$work/object" "$@" ;;
    esac
    /usr/bin/time -q -a -o "$work/$compiler" -f '%U %S %M' "$@" -w 2>"$work/errors" ||
        { head -n 3 "$work/errors"; echo "$compiler fails"; }
}

tools/real-sources --list better-sqlite3 tree-sitter-cpp |
    awk -F '\t' '/sqlite3\.c|parser\.c/ { print $2, $3 }' >"$work/list"
while read -r file options; do
    rm -f "$work"/{gatecc,gcc,clang,tcc}
    echo "$(basename "$file"), $(wc -l <"$file") lines:"
    for _ in $(seq "$rounds"); do
        for compiler in gatecc gcc clang tcc; do
            # shellcheck disable=SC2086
            run $compiler $options "$file"
        done
    done
    (cd "$work" && awk '
        { s = $1 + $2 }
        !(FILENAME in best) || s < best[FILENAME] { best[FILENAME] = s }
        $3 > peak[FILENAME] { peak[FILENAME] = $3 }
        END {
            printf "  %-8s %8s %8s %8s\n", "", "seconds", "of gcc", "MiB"
            for (i = 1; i < ARGC; i++) {
                c = ARGV[i]
                printf "  %-8s %8.2f %8.2f %8.0f\n", c, best[c], best[c] / best["gcc"], peak[c] / 1024
            }
        }' gatecc gcc clang tcc)
done <"$work/list"
