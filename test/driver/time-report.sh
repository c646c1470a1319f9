#!/bin/sh
# --time-report: the parts add up to the total, and what gatecc runs is among them.
set -eu
printf '    .globl main\nmain:\n    ret\n' >main.s
echo 'int f(int a) { int s = 0; while (a--) s += a; return s; }' >a.c
adds_up() {
    awk '$NF == "%" { parts = 1; next }
        parts && $1 == "total" { total = $(NF - 1); next }
        parts { sum += $(NF - 1); rows++ }
        END {
            difference = sum - total
            if (difference < 0) difference = -difference
            if (!rows || total <= 0 || difference > rows * 0.0001) { print "parts", sum, "total", total; exit 1 }
        }' "$1"
}
gatecc --time-report main.s 2>report
adds_up report
awk '$1 == "linker" { seen = $2 > 0 } END { exit !seen }' report
gatecc --time-report -fsyntax-only --certificate=/dev/null a.c 2>report
adds_up report
for part in 'front end' normalize ssa_build son_schedule ssa_destruct certificate emission as linker rest total; do
    grep -q "^$part " report
done
