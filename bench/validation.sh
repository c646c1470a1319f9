#!/bin/bash
# What checking costs: whole compilation (C to an object file) with --check=fast and --check=matrix against
# --check=off, and z3 alone on the obligations of the matrix check, one question each (Herklotz et al.: 35
# times the compile time with Z3, 416 with a checked solver). Rounds are interleaved; the best CPU time (user
# and system, the solver's included) of each counts. z3 runs once, for at most LIMIT seconds of CPU time.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
failed=0
limit=${LIMIT:-120}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # check, files with their options, one a line
    while read -r file options; do
        # shellcheck disable=SC2086
        "$BUILT/bin/gatecc" -O1 -c -w --check="$1" -o "$work/out.o" $options "$file"
    done <"$2"
}

obligations() {
    while read -r file options; do
        # shellcheck disable=SC2086
        "$BUILT/bin/gate" show gsa -w --obligations=two-rail -o "$work/questions.smt2" $options "$file"
        tools/limit "$limit" z3 -smt2 "$work/questions.smt2" >>"$work/answers" || echo late >>"$work/answers"
    done <"$1"
}

measure() { # what, command...
    local what=$1
    shift
    TIMEFORMAT='%U %S'
    { time "$@" 2>"$work/errors" || failed=1; } 2>>"$work/time.$what"
    cat "$work/errors"
}

seconds() { # what: the best time
    awk '{ s = $1 + $2 } NR == 1 || s < best { best = s } END { print best }' "$work/time.$1"
}

row() { # name, list of files with their options
    rm -f "$work"/time.* "$work/answers"
    for _ in $(seq "$rounds"); do
        for check in off fast matrix; do measure $check compile $check "$2"; done
    done
    measure z3 obligations "$2"
    awk -v off="$(seconds off)" -v fast="$(seconds fast)" -v matrix="$(seconds matrix)" \
        -v z3="$(seconds z3)" -v name="$1" '
        { count[$1]++ }
        END {
            printf "%8.2f %9.2f %10.2f %9s%-6.1f %11d  %s\n", off, fast / off, matrix / off,
                count["late"] ? "> " : "", z3 / off, count["unsat"], name
            if (count["sat"]) print "z3 refutes " count["sat"] " obligations"
        }' "$work/answers"
}

printf '%8s %9s %10s %15s %11s\n' 'off, s' fast/off matrix/off z3/off obligations
for file in bench/programs/*.c; do echo "$file"; done >"$work/bench"
row 'our benchmarks' "$work/bench"
PATH=$BUILT/bin:$PATH tools/test-programs "$work/programs" >"$work/tests"
row 'test programs' "$work/tests"
for file in src/*/*.c; do echo "$file -std=c11 -D_GNU_SOURCE -Isrc -Iinclude"; done >"$work/own"
row 'gatecc itself' "$work/own"
tools/real-sources --list better-sqlite3 | awk -F '\t' '/sqlite3\.c/ { print $2, $3 }' >"$work/sqlite"
row SQLite "$work/sqlite"
exit $failed
