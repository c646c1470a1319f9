#!/bin/bash
# What trust costs, on the SQLite amalgamation and on our own sources ($FILES names others, $FLAGS their options): the size
# of certificates against that of the object's code, and CPU time. The compilation to assembler text with every check on,
# against that without; gatecheck against the checked compilation, without and with the comparison of the object. Three rounds,
# interleaved; the best one counts. The aims: 10 times the code, 1.15, and 0.4 without the object.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# bash's own clock tells of milliseconds, of which small files take few.
TIMEFORMAT='%3U %3S'
timed() { # name command...
    local name=$1
    shift
    { time "$@" >/dev/null 2>"$work/errors"; } 2>>"$work/$name.$index" ||
        { head -n 3 "$work/errors"; echo "fails: $*"; exit 1; }
}

# The best round: each is the sum over the files.
best() { # name
    awk '{ sum[FNR] += $1 + $2 }
         END { for (round in sum) if (!least || sum[round] < least) least = sum[round]; printf "%.3f", least }' \
        "$work/$1".[0-9]*
}

measure() { # label options files...
    local label=$1 options=$2
    shift 2
    rm -f "$work"/*.[0-9]*
    local code=0 certificate=0
    index=0
    for file; do
        index=$((index + 1))
        for _ in $(seq "$rounds"); do
            # shellcheck disable=SC2086
            timed unchecked gatecc -O1 -S -w $options --check=off -o "$work/f.s" "$file"
            # shellcheck disable=SC2086
            timed compile gatecc -O1 -S -w $options -o "$work/f.s" "$file"
            # shellcheck disable=SC2086
            timed certify gatecc -O1 -c -w $options -o "$work/f.o" --certificate="$work/f.gcert" "$file"
            timed gatecheck gatecheck "$work/f.gcert"
            timed object gatecheck "$work/f.gcert" --object "$work/f.o"
        done
        code=$((code + $(size -A "$work/f.o" | awk '$1 ~ /^\.text/ { sum += $2 } END { print sum + 0 }')))
        certificate=$((certificate + $(wc -c <"$work/f.gcert")))
    done
    echo "$label $code $certificate $(best unchecked) $(best compile) $(best certify) $(best gatecheck) $(best object)" | awk '
        { printf "%-12s %9d %12d %8.1f %9.3f %9.3f %8.2f %9.3f %9.3f %8.2f %9.3f %8.2f\n", $1, $2, $3, $3 / $2, \
              $4, $5, $5 / $4, $6, $7, $7 / $5, $8, $8 / $5 }'
}

printf '%-12s %9s %12s %8s %9s %9s %8s %9s %9s %8s %9s %8s\n' "" "code" "certificate" "/code" "unchecked" \
    "compile s" "ratio" "certify s" "check s" "ratio" "object s" "ratio"
if [ -n "${FILES-}" ]; then
    # shellcheck disable=SC2086
    measure files "${FLAGS-}" $FILES
    exit
fi
tools/real-sources --list better-sqlite3 | awk -F '\t' '/sqlite3\.c/ { print $2, $3 }' >"$work/list"
while read -r file options; do measure "$(basename "$file")" "$options" "$file"; done <"$work/list"
measure src "-D_GNU_SOURCE -Isrc -Iinclude" src/*/*.c
