#!/bin/bash
# What each pass and each kind of facts brings at -O2: the programs of bench/programs with one pass or kind
# left out (-fno-NAME), as ratios to the programs with all of them, geometric means.
#
#   time     of the programs, and the most of any program: above 1, the pass makes code faster
#   size     of their text
#   compile  time of the compilations: below 1, the pass costs time
#   checks   time that checking takes, the difference to --check=off
#
# Runs are interleaved, ROUNDS (3) of them; the least CPU time of each counts. WITHOUT chooses passes and
# kinds, PROGRAMS programs, LEVEL another level. What a program prints must not change: that is an error.
set -u
cd "$(dirname "$0")/programs" || exit 2
rounds=${ROUNDS:-3}
level=${LEVEL:--O2}
gatecc=${GATECC:-$BUILT/bin/gatecc}
gate=${GATE:-$BUILT/bin/gate}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

read -r -a programs <<<"${PROGRAMS:-$(ls ./*.c | sed 's|^\./||; s|\.c$||' | tr '\n' ' ')}"
kinds=$(sed -n 's/^FACT_KIND(\([a-z_]*\),.*/\1/p' ../../src/pass/fact_kinds.def)
passes=$("$gate" passes | awk '{ sub(/\..*/, "", $1); print $1 }' | awk '!seen[$1]++')
read -r -a names <<<"${WITHOUT:-$(echo $passes $kinds)}"

compile() { # directory, option...: all programs; prints the seconds
    local directory=$1 TIMEFORMAT='%U %S'
    shift
    mkdir -p "$directory"
    { time for program in "${programs[@]}"; do
        "$gatecc" -w "$level" "$@" -c -o "$directory/$program.o" "$program.c" || return 1
    done; } 2>"$work/time" || return 1
    awk '{ print $1 + $2 }' "$work/time"
}

least() { # file of numbers
    sort -g "$1" | head -n 1
}

measure() { # directory, program
    local TIMEFORMAT='%U %S'
    { time "$1/$2" >"$1/output" 2>&1; } 2>"$work/time" || return 1
    awk '{ print $1 + $2 }' "$work/time" >>"$1/$2.times"
    cmp -s "$1/output" "$work/all/$2.expected"
}

# A pass that changes no object when it is left out does nothing at this level.
used=(all)
compile "$work/all" >/dev/null || exit 1
for name in "${names[@]}"; do
    if ! compile "$work/$name" "-fno-$name" >/dev/null; then
        echo "left out: -fno-$name: there is no code without it"
        continue
    fi
    same=1
    for program in "${programs[@]}"; do
        cmp -s "$work/all/$program.o" "$work/$name/$program.o" || same=0
    done
    if [ $same = 1 ]; then echo "left out: -fno-$name changes nothing"; else used+=("$name"); fi
done

for name in "${used[@]}"; do
    option=-fno-$name
    [ "$name" = all ] && option=-w
    for _ in $(seq "$rounds"); do
        compile "$work/$name" "$option" >>"$work/$name/compile"
        compile "$work/unchecked" "$option" --check=off >>"$work/$name/unchecked"
    done
    for program in "${programs[@]}"; do
        "$gatecc" -o "$work/$name/$program" "$work/$name/$program.o" -lm || failed=1
    done
done

for program in "${programs[@]}"; do
    "$work/all/$program" >"$work/all/$program.expected" 2>&1
    for _ in $(seq "$rounds"); do
        for name in "${used[@]}"; do
            measure "$work/$name" "$program" || { echo "$program: wrong with -fno-$name"; failed=1; }
        done
    done
done

for name in "${used[@]}"; do
    compiled=$(least "$work/$name/compile")
    echo "compile $name $compiled $(awk -v all="$compiled" -v off="$(least "$work/$name/unchecked")" 'BEGIN { print all - off }')"
    for program in "${programs[@]}"; do
        echo "run $name $program $(least "$work/$name/$program.times") $(size "$work/$name/$program.o" | awk 'NR == 2 { print $1 }')"
    done
done | awk '
    $1 == "compile" { compiled[$2] = $3; checked[$2] = $4; order[++n] = $2 }
    $1 == "run" { time[$2, $3] = $4; size[$2] += $5; if ($2 == "all") program[++p] = $3 }
    END {
        printf "%-16s %6s %6s %-18s %6s %8s %7s\n", "without", "time", "most", "", "size", "compile", "checks"
        for (i = 2; i <= n; i++) {
            name = order[i]; sum = count = most = 0; worst = ""
            for (k = 1; k <= p; k++) {
                base = time["all", program[k]]
                if (base == 0) continue
                ratio = time[name, program[k]] / base
                sum += log(ratio); count++
                if (ratio > most) { most = ratio; worst = program[k] }
            }
            printf "%-16s %6.3f %6.2f %-18s %6.3f %8.3f %7.3f\n", name, count ? exp(sum / count) : 0, most, worst,
                size[name] / size["all"], compiled[name] / compiled["all"], checked[name] / checked["all"]
        }
    }'
exit $failed
