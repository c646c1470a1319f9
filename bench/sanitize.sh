#!/bin/bash
# What checks for undefined behaviour cost: each program of bench/programs with -fsanitize=undefined, where a failed check
# traps, against the same compiler without. For gatecc, gcc and clang, all at -O1 (or LEVEL); runs are interleaved,
# ROUNDS (3) of them, and the least CPU time of each counts. Before that: checks that the front end puts in, how many they are
# when bodies have been copied to their calls, and those that are left in the code, as instructions of their own or part of the
# arithmetic: what the pipeline could not show to hold. What is printed must not depend on the checks.
# PROGRAMS chooses some.
set -u
cd "$(dirname "$0")/programs" || exit 2
rounds=${ROUNDS:-3}
level=-O${LEVEL:-1}
gate=$BUILT/bin/gate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
programs=${PROGRAMS:-$(ls ./*.c | sed 's|^\./||; s|\.c$||')}

compile() { # compiler, options, file, output
    case $1 in
    gatecc) "${GATECC:-$BUILT/bin/gatecc}" -w "$level" $2 -o "$4" "$3" -lm ;;
    *) "$1" -w "$level" $2 -o "$4" "$3" -lm ;;
    esac >"$work/errors" 2>&1
}

checks_of() { # compiler: the options that it needs
    case $1 in
    gcc) echo -fsanitize=undefined -fsanitize-undefined-trap-on-error ;;
    *) echo -fsanitize=undefined -fsanitize-trap=undefined ;;
    esac
}

count() { # form, pattern, options: how many lines of a program have it
    "$gate" show "$1" -w $3 "$program.c" 2>/dev/null | grep -c "$2"
}

measure() { # name
    local TIMEFORMAT='%U %S'
    { time "$work/$1" >"$work/output" 2>&1; } 2>"$work/time"
    local status=$?
    [ -f "$work/expected" ] || cp "$work/output" "$work/expected"
    if [ $status != 0 ] || ! cmp -s "$work/output" "$work/expected"; then
        echo "$program: wrong with $1: status $status" >&2
        failed=1
        return
    fi
    echo "$program $1 $(cat "$work/time")" >>"$work/times"
}

for program in $programs; do
    rm -f "$work/expected"
    trap='-fsanitize=undefined -fsanitize-trap'
    echo "$program $(count rtl '^ *[0-9]*: check ' "$trap") $(count rtl '^ *[0-9]*: check ' "$trap --after=inline_calls") $(
        count mach '^ *check \| checked$' "$trap --after=allocate")" >>"$work/counts"
    built=
    for compiler in gatecc gcc clang; do
        for kind in plain checked; do
            options=
            [ $kind = checked ] && options=$(checks_of $compiler)
            if compile $compiler "$options" "$program.c" "$work/$compiler-$kind"; then
                built="$built $compiler-$kind"
            else
                echo "$program: $compiler cannot compile it: $(grep -m 1 error "$work/errors")" >&2
                failed=1
            fi
        done
    done
    for _ in $(seq "$rounds"); do
        for name in $built; do measure "$name"; done
    done
done

awk '
    FNR == NR { order[++programs] = $1; inserted[$1] = $2; copied[$1] = $3; left[$1] = $4; next }
    { s = $3 + $4; key = $1 " " $2 }
    !(key in best) || s < best[key] { best[key] = s }
    function ratio(program, compiler,    plain, checked) {
        plain = best[program " " compiler "-plain"]
        checked = best[program " " compiler "-checked"]
        if (plain == 0) return 0
        sum[compiler] += log(checked / plain)
        number[compiler]++
        return checked / plain
    }
    END {
        printf "%-18s %8s %8s %8s %8s %8s %8s %8s\n", "program", "checks", "inlined", "left", "s", "gatecc", "gcc", "clang"
        for (p = 1; p <= programs; p++) {
            name = order[p]
            printf "%-18s %8d %8d %8d %8.2f %8.2f %8.2f %8.2f\n", name, inserted[name], copied[name], left[name],
                best[name " gatecc-checked"], ratio(name, "gatecc"), ratio(name, "gcc"), ratio(name, "clang")
            all += inserted[name]
            more += copied[name]
            kept += left[name]
        }
        printf "%-18s %8d %8d %8d %8s", "geometric mean", all, more, kept, ""
        split("gatecc gcc clang", compilers, " ")
        for (c = 1; c <= 3; c++) printf " %8.2f", number[compilers[c]] ? exp(sum[compilers[c]] / number[compilers[c]]) : 0
        printf "\n"
    }' "$work/counts" "$work/times"
exit $failed
