#!/bin/bash
# From source to object file: gatecc -O1 (all checks on), gcc -O0, -O1 and -O2, clang -O1 and tcc, on the
# programs of bench/programs (one after another) and on the SQLite amalgamation of tools/real-sources.
# ROUNDS (3) rounds, interleaved; the least CPU time (user and system, with the assembler) counts, and the
# ratio to gcc -O1's. Memory is the peak resident size in MiB of the largest process.
set -u
cd "$(dirname "$0")/.." || exit 2
rounds=${ROUNDS:-3}
gatecc=${GATECC:-$BUILT/bin/gatecc}
names="gatecc-O1 gcc-O0 gcc-O1 gcc-O2 clang-O1 tcc"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

compile() { # name, list of files with their options: all of them, one after another
    local name=$1 list=$2
    case $name in
    gatecc*) set -- "$gatecc" "-O${name##*-O}" ;;
    tcc) set -- tcc ;;
    *) set -- "${name%-O*}" "-O${name##*-O}" ;;
    esac
    /usr/bin/time -q -a -o "$work/time.$name" -f '%U %S %M' \
        xargs -L 1 -a "$list" "$@" -w -c -o "$work/object.o" >"$work/errors" 2>&1
}

section() { # title, list of files with their options
    local used='' name
    rm -f "$work"/time.* "$work"/failed.*
    echo "$1:"
    for _ in $(seq "$rounds"); do
        for name in $names; do
            [ -f "$work/failed.$name" ] && continue
            compile "$name" "$2" && continue
            echo "  $name fails: $(grep -m 1 error "$work/errors")" | cut -c 1-120
            touch "$work/failed.$name"
            case $name in gatecc*) failed=1 ;; esac
        done
    done
    for name in $names; do [ -f "$work/failed.$name" ] || used="$used $name"; done
    # shellcheck disable=SC2086
    (cd "$work" && awk '
        { name = substr(FILENAME, 6); s = $1 + $2 }
        !(name in best) || s < best[name] { best[name] = s }
        $3 > peak[name] { peak[name] = $3 }
        END {
            printf "  %-10s %8s %10s %8s\n", "", "seconds", "of gcc-O1", "MiB"
            for (i = 1; i < ARGC; i++) {
                name = substr(ARGV[i], 6)
                printf "  %-10s %8.2f %10.2f %8.0f\n", name, best[name], best[name] / best["gcc-O1"],
                    peak[name] / 1024
            }
        }' $(printf 'time.%s ' $used))
}

for file in bench/programs/*.c; do echo "$file"; done >"$work/programs"
section "bench/programs, $(wc -l <"$work/programs") files, $(cat bench/programs/*.c | wc -l) lines" "$work/programs"
tools/real-sources --list better-sqlite3 | awk -F '\t' '/sqlite3\.c/ { print $2, $3 }' >"$work/sqlite"
section "SQLite, $(awk '{ print $1 }' "$work/sqlite" | xargs cat | wc -l) lines" "$work/sqlite"
exit $failed
