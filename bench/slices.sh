#!/bin/bash
# Slices of C: how much of a function is in a slice on its result (of void functions: on all effects), how much of that
# is needed, and what slicing costs.
#
# size: all functions of SQLite, Lua, zlib, bzip2 and expat: the mean share of statements that are kept, over all functions
#   and over those of at least ten statements; seconds for the whole file, with reading it and with checking every slice;
#   the slowest function. A second line for each, "once", is with --once: without it, a function that may be called again
#   while it runs keeps all its effects. The third is with -O2, too: stores do not change what loads of other types find.
#   void functions have no result: all their effects are asked for, above all memory. Published means: just under 30 % between procedures on 43 C programs, 53 % within, on WebAssembly.
# need: random functions (tools/slice-check -r): from each slice one assignment is removed that some of the inputs come to, and the
#   share of slices that then show other values on these inputs.
# growth: functions of about 10^3 to 10^5 nodes of RTL, of several shapes; CPU seconds of gate slice for each, with
#   everything, and the exponent e of the best fit of time to nodes^e.
# What keeps SQLite's statements, by leaving a cause out (which is unsound): functions with results, all / of ten and more
#   statements, -O2 --once: 73.5 / 69.5; calls set no memory and nothing of the world 68.9 / 63.6; calls read no memory
#   70.5 / 65.5; neither 67.3 / 61.1; stores through pointers change nothing else 72.1 / 67.6; no memory at all 63.9 / 54.9; no
#   control, and no jumps 71.5 / 66.1; no registers 51.5 / 37.8. Without --once: 82.0 / 82.4; if calls by address led to no
#   function 74.4 / 70.9. Of all 3,146 functions, 1,138 are void, and keep 86 % for all their effects.
# bench/slices.sh NAME... measures only these parts.
set -u
cd "$(dirname "$0")/.." || exit 2
gate=${BUILT:-$PWD/build}/bin/gate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

size() {
    local name
    tools/projects --fetch sqlite lua zlib bzip2 expat >"$work/fetched" || { cat "$work/fetched"; return 1; }
    printf '%-8s %9s %10s %7s %7s %9s %8s %11s  %s\n' '' functions statements kept of-ten+ rejected seconds slowest-ms of
    for name in sqlite lua zlib bzip2 expat; do
        tools/slice-check --list real "$name" >"$work/list"
        [ -s "$work/list" ] || { echo "$name: no files"; failed=1; continue; }
        size_of "$name"
        size_of '  once' --once
        size_of '  -O2' --once -O2
    done
}

size_of() { # what the line begins with, options
    local name=$1
    shift
    /usr/bin/time -o "$work/time" -f '%U %S' xargs -L 1 -a "$work/list" "$gate" slice -w --each-function \
        --variable return "$@" >"$work/table" 2>"$work/errors" || true
    awk -F '\t' -v name="$name" -v seconds="$(awk 'END { print $1 + $2 }' "$work/time")" '
        NF < 5 || $3 == 0 { next }
        { functions++; statements += $3; share += $2 / $3 }
        $3 >= 10 { large++; large_share += $2 / $3 }
        $5 != "accepted" { rejected++ }
        $4 > slowest { slowest = $4; which = $1 }
        END {
            if (!functions) { print name ": nothing was sliced"; exit 1 }
            printf "%-8s %9d %10d %6.1f%% %6.1f%% %9d %8.1f %11.1f  %s\n", name, functions, statements,
                100 * share / functions, 100 * large_share / large, rejected, seconds, slowest, which
            exit rejected > 0
        }' "$work/table" || failed=1
}

need() {
    tools/slice-check -r -c gcc random 1 "${SEEDS:-400}" >"$work/need"
    awk '/^random: / { right = $2; all = $4 } END { if (!all) { print "nothing was compared"; exit 1 }
        printf "%d slices with a statement less: %d show other values, %.0f %%\n", all, all - right, 100 * (all - right) / all }' \
        "$work/need" || failed=1
}

# Prints a function of that shape with about so many nodes.
shape() { # name, nodes
    awk -v shape="$1" -v nodes="$2" '
        function random(n) { state = (state * 16807) % 2147483647; return int(state / 7) % n }
        function v() { return "v" random(24) }
        function simple() {
            count += 3
            return v() " = " v() " " (random(2) ? "+" : "^") " " v() " * " (random(9) + 1) ";"
        }
        function condition() { count += 2; return v() " < " v() }
        function straight() { print simple() }
        function loops(   i) {
            for (i = 0; i < 10; i++) print simple() " while (" condition() ") {" simple()
            for (i = 0; i < 10; i++) print simple() "}"
        }
        function diamonds() { print "if (" condition() ") " simple() " else " simple() }
        function memory(   kind) {
            kind = random(5)
            count += 4
            if (kind == 0) print "p[" v() " & 63] = " v() ";"
            if (kind == 1) print v() " = table[" v() " & 63];"
            if (kind == 2) print "s->f" random(8) " = " v() ";"
            if (kind == 3) print v() " = s->f" random(8) " + local[" random(16) "];"
            if (kind == 4) print "local[" random(16) "] = " v() ";"
        }
        function calls() { count += 2; print random(3) ? simple() : v() " = helper(" v() ", " v() ");" }
        function gotos() {
            print "l" labels++ ": " simple() " if (" condition() ") goto l" (labels + random(12)) "; " simple()
            if (random(6) == 0 && labels > 20) print "if (" condition() ") goto l" (labels - 1 - random(20)) ";"
        }
        function breaks() { print simple() " if (" condition() ") break; if (" condition() ") continue; " simple() }
        function chain() { print (count > 0 ? "else " : "") "if (" condition() ") { " simple() simple() " }" }
        function cases() { print "case " labels++ ": " simple() simple() (random(8) ? " break;" : "") }
        function one() {
            if (shape == "straight") straight()
            if (shape == "loops") loops()
            if (shape == "diamonds") diamonds()
            if (shape == "memory") memory()
            if (shape == "calls") calls()
            if (shape == "gotos") gotos()
            if (shape == "breaks") breaks()
            if (shape == "chain") chain()
            if (shape == "switch") cases()
        }
        BEGIN {
            state = 12345
            print "struct s { int f0, f1, f2, f3, f4, f5, f6, f7; };\nint table[64];\nint helper(int, int);"
            print "int f(int n, int *p, struct s *s) {\nint local[16] = {0};"
            for (i = 0; i < 24; i++) print "int v" i " = n + " i ";"
            if (shape == "breaks") print "while (n-- > 0) {"
            if (shape == "switch") print "while (n-- > 0) switch (v1) {"
            while (count < nodes) one()
            if (shape == "breaks" || shape == "switch") print "}"
            if (shape == "gotos") for (i = 0; i < 13; i++) print "l" labels++ ": ;"
            print "return v3;\n}"
        }' </dev/null
}

# CPU seconds of slicing the file; the least of three.
seconds() {
    local round
    for round in 1 2 3; do
        /usr/bin/time -q -o "$work/time" -f '%U %S' "$gate" slice -w "$1" --function f --variable return \
            >"$work/slice.c" 2>"$work/errors" || { head -n 1 "$work/errors" >&2; echo failed; return; }
        awk 'END { print $1 + $2 }' "$work/time"
    done | sort -g | head -n 1
}

growth() {
    local name nodes t
    printf '%-9s' ''
    printf ' %9s' 1000 3000 10000 30000 100000
    printf ' %9s\n' exponent
    for name in straight diamonds loops breaks gotos switch chain memory calls; do
        printf '%-9s' "$name"
        : >"$work/points"
        for nodes in 1000 3000 10000 30000 100000; do
            shape $name $nodes >"$work/f.c"
            t=$(seconds "$work/f.c")
            printf ' %9s' "$t"
            [ "$t" = failed ] && failed=1
            echo "$nodes $t" >>"$work/points"
        done
        # Below a hundredth of a second there is nothing but rounding and starting.
        awk '$2 + 0 >= 0.02 { x = log($1); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
            END { if (n < 2) print "         -"; else printf " %9.2f\n", (n * sxy - sx * sy) / (n * sxx - sx * sx) }' "$work/points"
    done
}

[ $# -gt 0 ] || set -- size need growth
for part; do
    echo "$part:"
    "$part" || failed=1
done
exit $failed
