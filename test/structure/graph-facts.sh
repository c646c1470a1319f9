#!/bin/sh
# Facts about graphs have one definition each (docs/facts.md): nobody else finds out what sets a register, where a
# block begins, which edge goes back, or what a machine instruction reads.
set -eu
cd "$ROOT"
status=0
only() { # PATTERN FACT FILE...
    pattern=$1 fact=$2
    shift 2
    found=$(grep -rnE --include='*.[ch]' "$pattern" src | grep -v '^src/c/' || true)
    for file; do
        printf '%s\n' "$found" | grep -q "^$file:" || { echo "$file does not define $fact: is this test stale?"; status=1; }
        found=$(printf '%s\n' "$found" | grep -v "^$file:" || true)
    done
    [ -z "$found" ] || { echo "$fact is defined elsewhere, too:"; printf '%s\n' "$found"; status=1; }
}
# A register's node is written down.
only 'dest(\.i)?\] = \(?(\(Node\)\{)?n\}?;' 'what sets a register'
only '^static .*\bfind_definitions\(' 'what sets a register' src/graph/definitions.c
only '\b(find_blocks|starts_block)\(' 'where blocks begin' src/analysis/blocks.c
only '^static .*\bcontinues_block\(' 'where blocks begin' src/graph/basic_blocks.h
only '^static .*\bis_back_edge\(' 'which edges go back' src/graph/loop_nest.h
only 'succs\[k\]\.i( \+ 2)?\]\+\+' 'the number of predecessors' src/form/program.c src/pass/ssa/tidy.c
only 'return instr->base_place;' 'what a machine instruction reads' src/form/mach.h
exit $status
