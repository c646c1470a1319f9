#!/bin/bash
# How fast the generated code is: each program of bench/programs and of bench/kernels built by gatecc, gcc and
# clang at -O1 and -O2, and by tcc, as ratios to gcc -O1, with geometric means for each folder and for both.
# Then gatecc against the other compilers at the same level: the means, and the programs with the worst ratios.
# Runs are interleaved, ROUNDS (5) of them; the least CPU time (user and system) of each counts. What a program
# prints must be what gcc -O1's build prints: anything else is an error. FOLDERS, PROGRAMS and COMPILERS choose
# some of them, and WORST (5) says how many ratios; a compiler that cannot build and run an empty program is left
# out, with a word about it.
set -u
cd "$(dirname "$0")" || exit 2
rounds=${ROUNDS:-5}
gatecc=${GATECC:-$BUILT/bin/gatecc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

read -r -a names <<<"${COMPILERS:-gatecc-O1 gatecc-O2 gcc-O1 gcc-O2 clang-O1 clang-O2 tcc}"
compile() { # name, file, output
    local level=-O${1##*-O}
    case $1 in
    gatecc*) "$gatecc" -w "$level" -o "$3" "$2" -lm ;;
    tcc) tcc -w -o "$3" "$2" -lm ;;
    *) "${1%-O*}" -w "$level" -o "$3" "$2" -lm ;;
    esac >"$work/errors" 2>&1
}

measure() { # name, folder, program: runs it once and notes the time
    local TIMEFORMAT='%U %S'
    { time "$work/$1" >"$work/output" 2>&1; } 2>"$work/time"
    local status=$?
    [ "$1" = gcc-O1 ] && [ ! -f "$work/expected" ] && cp "$work/output" "$work/expected"
    if [ $status != 0 ] || ! cmp -s "$work/output" "$work/expected"; then
        echo "$3: wrong with $1: status $status, $(head -n 1 "$work/output")" | cut -c 1-100
        failed=1
        return
    fi
    echo "$2 $3 $1 $(cat "$work/time")" >>"$work/times"
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

touch "$work/times"
for folder in ${FOLDERS:-programs kernels}; do
    for file in "$folder"/*.c; do
        program=$(basename "$file" .c)
        case " ${PROGRAMS:-$program} " in *" $program "*) ;; *) continue ;; esac
        rm -f "$work/expected"
        # gcc -O1 comes first, as its output is what the others are compared with.
        built=()
        for name in gcc-O1 "${used[@]}"; do
            [[ " ${built[*]} " == *" $name "* ]] && continue
            if compile "$name" "$file" "$work/$name"; then
                built+=("$name")
            else
                echo "$program: $name cannot compile it: $(grep -m 1 error "$work/errors")" | cut -c 1-120
                failed=1
            fi
        done
        for _ in $(seq "$rounds"); do
            for name in "${built[@]}"; do measure "$name" "$folder" "$program"; done
        done
    done
done

awk -v names="${used[*]}" -v worst="${WORST:-5}" '
    { s = $4 + $5; program = $1 " " $2; key = program " " $3 }
    !($1 in size) { size[$1] = 0; folder[++folders] = $1 }
    !(program in seen) { seen[program]; order[$1, ++size[$1]] = $2 }
    !(key in best) || s < best[key] { best[key] = s }

    # The time of a program by one compiler in that of another, or zero if one of them is not known.
    function ratio(f, p, one, other,    program) {
        program = folder[f] " " order[folder[f], p]
        if (!(program " " one in best) || !(program " " other in best)) return 0
        if (best[program " " one] == 0 || best[program " " other] == 0) return 0
        return best[program " " one] / best[program " " other]
    }
    # The geometric mean of the ratios of the folders from..to; highest becomes the largest of them.
    function mean(from, to, one, other,    f, p, r, sum, count) {
        highest = 0
        for (f = from; f <= to; f++) {
            for (p = 1; p <= size[folder[f]]; p++) {
                r = ratio(f, p, one, other)
                if (r == 0) continue
                sum += log(r)
                count++
                if (r > highest) highest = r
            }
        }
        return count ? exp(sum / count) : 0
    }
    function rows(from, to, what,    c, line) {
        printf "%-18s %8s", "mean, " what, ""
        line = sprintf("%-18s %8s", "most, " what, "")
        for (c = 1; c <= columns; c++) {
            if (name[c] == "gcc-O1") continue
            printf " %9.2f", mean(from, to, name[c], "gcc-O1")
            line = line sprintf(" %9.2f", highest)
        }
        printf "\n%s\n", line
    }
    function table(f,    p, c, r) {
        printf "%-18s %8s", folder[f], "gcc-O1 s"
        for (c = 1; c <= columns; c++) if (name[c] != "gcc-O1") printf " %9s", name[c]
        printf "\n"
        for (p = 1; p <= size[folder[f]]; p++) {
            printf "%-18s %8.2f", order[folder[f], p], best[folder[f] " " order[folder[f], p] " gcc-O1"]
            for (c = 1; c <= columns; c++) {
                if (name[c] == "gcc-O1") continue
                r = ratio(f, p, name[c], "gcc-O1")
                if (r == 0) printf " %9s", "-"
                else printf " %9.2f", r
            }
            printf "\n"
        }
        rows(f, f, folder[f])
        printf "\n"
    }
    function compare(one, other,    f, p, k, r, top, which, taken) {
        printf "%s / %s:", one, other
        for (f = 1; f <= folders; f++) printf " %s %.3f,", folder[f], mean(f, f, one, other)
        if (folders > 1) printf " all %.3f,", mean(1, folders, one, other)
        printf " worst"
        for (k = 1; k <= worst; k++) {
            top = 0
            for (f = 1; f <= folders; f++)
                for (p = 1; p <= size[folder[f]]; p++)
                    if (!((f, p) in taken) && (r = ratio(f, p, one, other)) > top) {
                        top = r
                        which = f SUBSEP p
                    }
            if (top == 0) break
            taken[which]
            split(which, part, SUBSEP)
            printf "%s %s %.2f", (k > 1 ? "," : ""), order[folder[part[1]], part[2]], top
        }
        printf "\n"
    }
    END {
        columns = split(names, name, " ")
        for (f = 1; f <= folders; f++) table(f)
        if (folders > 1) {
            rows(1, folders, "all")
            printf "\n"
        }
        for (c = 1; c <= columns; c++)
            for (d = 1; d <= columns; d++)
                if (name[c] ~ /^gatecc/ && name[d] !~ /^gatecc/ && level(name[c]) == level(name[d]))
                    compare(name[c], name[d])
    }
    function level(name) { return name ~ /-O/ ? substr(name, index(name, "-O")) : "" }' "$work/times"
exit $failed
