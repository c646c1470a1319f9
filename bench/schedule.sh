#!/bin/bash
# What the scheduler is worth: each program of bench/programs built by gatecc -O1 with and without it. Of each: CPU seconds
# without it; the ratio of with to without, as the median over ROUNDS (11) pairs of runs, one right after the other; operands
# of the final machine code that are spills, and instructions of the assembly, both without and with it. A program that
# becomes the same assembly is not run. What both print must be the same: anything else is an error. PROGRAMS chooses some.
# Then the share of the pass and of its checker in compile time, and how both grow on one block of more and more
# instructions: of sums, of memory, and of both.
set -u
cd "$(dirname "$0")/programs" || exit 2
rounds=${ROUNDS:-11}
gatecc=${GATECC:-$BUILT/bin/gatecc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

build() { # program, with or without, options
    "$gatecc" -w -O1 $3 -S -o "$work/$2.s" "$1.c" && cc -o "$work/$2" "$work/$2.s" -lm &&
        "$BUILT/bin/gate" show mach -w --after=allocate ${3/-fno-/--off=} "$1.c" >"$work/$2.mach"
}
count_spills() { sed '/^ *spills /d; s/"[^"]*"//g' "$work/$1.mach" | grep -oE '\bs[0-9]+\b' | wc -l; }
count_instructions() { grep -c '^	[a-z]' "$work/$1.s"; }
seconds() { # with or without: the CPU time of a run
    local TIMEFORMAT='%U %S'
    { time "$work/$1" >"$work/$1.output" 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

printf '%-18s %8s %7s %12s %14s\n' program seconds ratio spills instructions
programs=${PROGRAMS:-$(ls ./*.c | sed 's|^\./||; s|\.c$||')}
for program in $programs; do
    if ! build "$program" with '' || ! build "$program" without -fno-schedule; then
        echo "$program: cannot be built"
        failed=1
        continue
    fi
    : >"$work/pairs"
    if ! cmp -s "$work/with.s" "$work/without.s"; then
        for round in $(seq "$rounds"); do
            if [ $((round % 2)) = 0 ]; then
                without=$(seconds without) with=$(seconds with)
            else
                with=$(seconds with) without=$(seconds without)
            fi
            echo "$with $without" >>"$work/pairs"
        done
        if ! cmp -s "$work/with.output" "$work/without.output"; then
            echo "$program: the two builds do not print the same"
            failed=1
        fi
    fi
    echo "$program $(count_spills without) $(count_spills with)" \
        "$(count_instructions without) $(count_instructions with)" >"$work/row"
    awk '{ print $1 / ($2 ? $2 : 1), $2 }' "$work/pairs" | sort -g | awk -v row="$(cat "$work/row")" '
        { ratio[NR] = $1; if (NR == 1 || $2 < least) least = $2 }
        END {
            split(row, c, " ")
            middle = NR == 0 ? 1 : NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
            seconds = NR ? sprintf("%.2f", least) : "-"
            printf "%-18s %8s %7.3f %5d %6d %6d %7d\n", c[1], seconds, middle, c[2], c[3], c[4], c[5]
        }'
done | tee "$work/table"
awk 'NF == 7 { sum += log($3); n++; if ($3 > most) most = $3; s += $4; t += $5; i += $6; j += $7 }
    END { if (n) printf "%-18s %8s %7.3f %5d %6d %6d %7d\nmost %29.3f\n", "mean, sums", "", exp(sum / n), s, t, i, j, most }' \
    "$work/table"
grep -q 'cannot be built\|do not print' "$work/table" && failed=1

# ---- Compile time

# Sums over the steps of the pass: milliseconds of the transform, of verifying and checking, and the share of all passes.
report() { # file, options...
    "$gatecc" -w -O1 -S -o /dev/null --time-report "$@" 2>&1 | awk '
        $1 ~ /^schedule/ { transform += $2; check += $3 + $4; all += $5 }
        $1 == "total" { total = $2 }
        END { printf "%9.1f %9.1f %8.1f %%\n", transform * 1e3, check * 1e3, total ? 100 * all / total : 0 }'
}

# One block of so many statements: of sums that need each other now and then, of loads and stores through two pointers.
generate() { # kind, statements
    awk -v kind="$1" -v count="$2" 'BEGIN {
        print "unsigned f(unsigned *a, unsigned *b, unsigned c) {\n unsigned v0 = c, v1 = c + 1, v2 = c + 2, v3 = c + 3;"
        for (i = 0; i < count; i++) {
            x = "v" i % 4; y = "v" (i * 7 + 1) % 4
            memory = kind == "memory" || (kind == "both" && i % 3 == 0)
            if (memory && i % 2) printf " a[%d] = %s;\n", i % 100, x
            else if (memory) printf " %s += b[%d];\n", x, i * 5 % 97
            else printf " %s = (%s ^ %d) * %s + %d;\n", x, x, i * 3 % 1001, y, i
        }
        print " return v0 ^ v1 ^ v2 ^ v3;\n}"
    }'
}

echo
printf '%-28s %9s %9s %10s\n' 'compile time' 'pass ms' 'check ms' 'share'
for source in sha256 json ray_tracer ${SOURCES:-}; do
    [ -f "$source" ] || source=$source.c
    printf '%-28s %s\n' "$(basename "$source")" "$(report "$source")"
done
for kind in sums memory both; do
    for count in 1000 10000 100000; do
        generate $kind $count >"$work/block.c"
        printf '%-28s %s\n' "$kind, $count statements" "$(report "$work/block.c")"
    done
done
exit $failed
