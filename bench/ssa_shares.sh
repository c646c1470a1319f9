#!/bin/sh
# Shares of time on the way into SSA form, with every check on: for our own sources, or the C files that
# $FILES names. Liveness is found while phis are placed and counts as construction; what pruning costs or
# saves shows in the rows of the other flavours.
set -eu
for flavour in pruned semi-pruned minimal; do
    for file in ${FILES:-src/*/*.c}; do
        gate show ssa -w -D_GNU_SOURCE -Isrc -Iinclude ${FLAGS:-} --ssa=$flavour --stats -o /dev/null "$file" 2>&1
    done | awk -v flavour="$flavour" '
        $1 == "normalize" { functions += $2; nodes += $6; normalize += $7; verify += $8; check += $9 }
        $1 == "ssa_build" { build += $7; verify_ssa += $8; check_ssa += $9; rejected += $4 }
        END {
            total = normalize + verify + check + build + verify_ssa + check_ssa
            if (flavour == "pruned") {
                printf "%d functions, %d nodes\n", functions, nodes
                printf "%-12s %9s %9s %9s %9s %9s %9s %9s %9s\n", "flavour", "ms", "normalize", "verify", \
                    "check", "build", "verify", "check", "check/build"
            }
            printf "%-12s %9.1f %8.0f%% %8.0f%% %8.0f%% %8.0f%% %8.0f%% %8.0f%% %9.2f\n", flavour, \
                total * 1e3, 100 * normalize / total, 100 * verify / total, 100 * check / total, \
                100 * build / total, 100 * verify_ssa / total, 100 * check_ssa / total, check_ssa / build
            if (rejected) { print rejected " constructions were rejected"; exit 1 }
        }'
done
