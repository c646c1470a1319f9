#!/bin/bash
# Certificates: their size against the source and against the RTL text, and the time of gatecheck against
# that of the compilation to an object file, every check on, on the SQLite amalgamation and on our own
# sources. $FILES names other sources, $FLAGS their options. Three rounds, interleaved; the best CPU time of each counts, summed over the files. The aim is at most
# 0.5 of the compilation.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

timed() { # name command...
    local name=$1
    shift
    /usr/bin/time -q -a -o "$work/$name.$index" -f '%U %S %M' "$@" >/dev/null 2>"$work/errors" ||
        { head -n 3 "$work/errors"; echo "fails: $*"; exit 1; }
}

# The sum over the files of the best of the rounds.
best() { # name
    for file in "$work/$1".[0-9]*; do
        awk '{ s = $1 + $2 } NR == 1 || s < best { best = s } END { print best }' "$file"
    done | awk '{ sum += $1 } END { printf "%.3f", sum }'
}

measure() { # label options files...
    local label=$1 options=$2
    shift 2
    rm -f "$work"/*.[0-9]*
    local source=0 rtl=0 certificate=0
    index=0
    for file; do
        index=$((index + 1))
        for _ in $(seq "$rounds"); do
            # shellcheck disable=SC2086
            timed compile gatecc -O1 -c -w $options -o "$work/f.o" "$file"
            # shellcheck disable=SC2086
            timed certify gatecc -O1 -c -w $options -o "$work/f.o" --certificate="$work/f.gcert" "$file"
            timed gatecheck gatecheck "$work/f.gcert"
        done
        # shellcheck disable=SC2086
        gate show rtl -w $options -o "$work/f.rtl" "$file"
        source=$((source + $(wc -c <"$file")))
        rtl=$((rtl + $(wc -c <"$work/f.rtl")))
        certificate=$((certificate + $(wc -c <"$work/f.gcert")))
    done
    echo "$label $source $rtl $certificate $(best compile) $(best certify) $(best gatecheck)" | awk '
        { printf "%-14s %10d %10d %12d %8.1f %8.1f %9.3f %9.3f %9.3f %8.2f\n", $1, $2, $3, $4, \
              $4 / $2, $4 / $3, $5, $6, $7, $7 / $5 }'
}

printf '%-14s %10s %10s %12s %8s %8s %9s %9s %9s %8s\n' "" "source" "RTL" "certificate" "/source" \
    "/RTL" "compile s" "certify s" "check s" "ratio"
if [ -n "${FILES-}" ]; then
    # shellcheck disable=SC2086
    measure files "${FLAGS-}" $FILES
    exit
fi
tools/real-sources --list better-sqlite3 | awk -F '\t' '/sqlite3\.c/ { print $2, $3 }' >"$work/list"
while read -r file options; do measure "$(basename "$file")" "$options" "$file"; done <"$work/list"
measure src "-D_GNU_SOURCE -Isrc -Iinclude" src/*/*.c
