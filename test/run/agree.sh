#!/bin/sh
# What is executed is the same thing in every form, as far as forms must agree: the calls of functions with their arguments and results in all
# of them; each value that is computed, in order, from RTL to SSA; the same values in any order, as a state machine. Stepping back and
# forth leads to the same state.
set -eu
compared=0

# The values of what is computed, without phis and jumps.
values() {
    sed -n 's/^[^ ]* [0-9]*: \(%.*\)$/\1/p' "$1" | grep -v '= phi(' | sed -e 's/  ([^()]*)$//' -e 's/.* = //'
}

for program in gcd motivating squares sort clamp orders rows; do
    file=$ROOT/examples/$program.c
    set -- -O1 --off=inline_calls --fuel=200000
    status=0
    gate run rtl "$@" --trace=calls "$file" 84 36 >out 2>expected || status=$?
    for form in ssa son gsa mach 'mach --after=allocate' mach0 fssa 'gsa --dataflow' 'asm --order=lazy'; do
        found=0
        # shellcheck disable=SC2086
        gate run $form "$@" --trace=calls "$file" 84 36 >found.out 2>found || found=$?
        # where a call is in the source is told by the instruction, which may be another
        sed 's/  ([^()]*)$//' expected >expected.calls
        sed 's/  ([^()]*)$//' found >found.calls
        cmp expected.calls found.calls
        cmp out found.out
        [ "$found" = "$status" ]
        compared=$((compared + 1))
    done
    gate run rtl "$@" --after=normalize --trace=all "$file" 84 36 >out 2>rtl || true
    gate run ssa "$@" --trace=all "$file" 84 36 >out 2>ssa || true
    gate run asm "$@" --order=reverse --trace=all "$file" 84 36 >out 2>asm || true
    for form in rtl ssa asm; do values $form >$form.values; done
    cmp rtl.values ssa.values
    sort ssa.values >ssa.sorted
    sort asm.values >asm.sorted
    cmp ssa.sorted asm.sorted
    [ "$(wc -l <ssa.values)" -gt 10 ]
    compared=$((compared + 2))
done
echo "$compared comparisons"
[ "$compared" -ge 77 ]

# Back and forth: what is shown at an item is what was shown there before.
for form in rtl ssa son gsa mach 'mach --after=allocate' mach0 fssa 'gsa --dataflow' 'asm --order=eager'; do
    # shellcheck disable=SC2086
    printf 's 20\nregs\nstack\nevents\nq\n' | gate run $form -O1 --step "$ROOT/examples/gcd.c" 84 36 2>once >out || true
    # shellcheck disable=SC2086
    printf 's 24\nback 15\ns 15\nback 4\nregs\nstack\nevents\nq\n' | gate run $form -O1 --step "$ROOT/examples/gcd.c" 84 36 2>again >out || true
    sed -n '/^21>/,$p' once >once.state
    tail -n "$(wc -l <once.state)" again >again.tail
    grep -q '^21>' again.tail
    cmp once.state again.tail
done
