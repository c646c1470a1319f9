#!/bin/bash
# How fast the generated code is: each program of bench/programs built by gatecc -O1 and -O2, gcc -O1 and
# -O2, clang -O1 and tcc, as ratios to gcc -O1, with geometric means. Runs are interleaved, ROUNDS (5) of
# them; the least CPU time (user and system) of each counts. What a program prints must be what gcc -O1's
# build prints: anything else is an error. PROGRAMS and COMPILERS choose some of them; a compiler that cannot build
# and run an empty program is left out, with a word about it.
set -u
cd "$(dirname "$0")/programs" || exit 2
rounds=${ROUNDS:-5}
gatecc=${GATECC:-$BUILT/bin/gatecc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

read -r -a names <<<"${COMPILERS:-gatecc-O1 gatecc-O2 gcc-O1 gcc-O2 clang-O1 tcc}"
compile() { # name, file, output
    local level=-O${1##*-O}
    case $1 in
    gatecc*) "$gatecc" -w "$level" -o "$3" "$2" -lm ;;
    tcc) tcc -w -o "$3" "$2" -lm ;;
    *) "${1%-O*}" -w "$level" -o "$3" "$2" -lm ;;
    esac >"$work/errors" 2>&1
}

measure() { # name, program: runs it once and notes the time
    local TIMEFORMAT='%U %S'
    { time "$work/$1" >"$work/output" 2>&1; } 2>"$work/time"
    local status=$?
    [ "$1" = gcc-O1 ] && [ ! -f "$work/expected" ] && cp "$work/output" "$work/expected"
    if [ $status != 0 ] || ! cmp -s "$work/output" "$work/expected"; then
        echo "$2: wrong with $1: status $status, $(head -n 1 "$work/output")" | cut -c 1-100
        failed=1
        return
    fi
    echo "$1 $(cat "$work/time")" >>"$work/$2.times"
}

echo 'int main(void) { return 0; }' >"$work/empty.c"
used=()
for name in "${names[@]}"; do
    if compile "$name" "$work/empty.c" "$work/empty" && "$work/empty"; then
        used+=("$name")
    else
        echo "left out: $name, which cannot build an empty program: $(head -n 1 "$work/errors")"
    fi
done

programs=${PROGRAMS:-$(ls ./*.c | sed 's|^\./||; s|\.c$||')}
for program in $programs; do
    rm -f "$work/expected"
    # gcc -O1 comes first, as its output is what the others are compared with.
    built=()
    for name in gcc-O1 "${used[@]}"; do
        [[ " ${built[*]} " == *" $name "* ]] && continue
        if compile "$name" "$program.c" "$work/$name"; then
            built+=("$name")
        else
            echo "$program: $name cannot compile it: $(grep -m 1 error "$work/errors")" | cut -c 1-120
            failed=1
        fi
    done
    for _ in $(seq "$rounds"); do
        for name in "${built[@]}"; do measure "$name" "$program"; done
    done
done

# shellcheck disable=SC2086
(cd "$work" && for program in $programs; do
    [ -f "$program.times" ] && sed "s/^/$program /" "$program.times"
done) | awk -v names="${used[*]}" '
    { s = $3 + $4; key = $1 " " $2; if (!($1 in seen)) { seen[$1]; order[++programs] = $1 } }
    !(key in best) || s < best[key] { best[key] = s }
    END {
        columns = split(names, name, " ")
        printf "%-18s %8s", "program", "gcc-O1 s"
        for (c = 1; c <= columns; c++) if (name[c] != "gcc-O1") printf " %9s", name[c]
        printf "\n"
        for (p = 1; p <= programs; p++) {
            base = best[order[p] " gcc-O1"]
            printf "%-18s %8.2f", order[p], base
            for (c = 1; c <= columns; c++) {
                if (name[c] == "gcc-O1") continue
                key = order[p] " " name[c]
                if (!(key in best) || base == 0) { printf " %9s", "-"; continue }
                ratio = best[key] / base
                printf " %9.2f", ratio
                sum[c] += log(ratio)
                count[c]++
                if (ratio > most[c]) most[c] = ratio
            }
            printf "\n"
        }
        printf "%-18s %8s", "geometric mean", ""
        for (c = 1; c <= columns; c++)
            if (name[c] != "gcc-O1") printf " %9.2f", count[c] ? exp(sum[c] / count[c]) : 0
        printf "\n%-18s %8s", "most", ""
        for (c = 1; c <= columns; c++) if (name[c] != "gcc-O1") printf " %9.2f", most[c]
        printf "\n"
    }'
exit $failed
