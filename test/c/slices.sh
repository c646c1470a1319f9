#!/bin/sh
# Slices of random functions, of csmith's programs and of bzip2's functions give, compiled and run, the values that the
# originals give; test/long/slices.sh has more of them. A slicer that cuts nothing is not blamed, and one that makes
# mistakes is: otherwise nothing would be shown.
check=$ROOT/tools/slice-check
status=0

expect() { # pattern of the last line, arguments of slice-check
    pattern=$1
    shift
    "$check" -j 2 "$@" >report 2>&1
    tail -n 1 report | grep -qE "$pattern" && return
    echo "slice-check $*:"
    tail -n 8 report
    status=1
}

some='[1-9][0-9]* wrong'
many='[1-9][0-9]{2,}'
expect "^random: ($many) of \1 slices right, 0 wrong, 0 refused, 0 do not compile; $many runs compared" -c gcc -m identity random 1 16
for mistake in dropped straightened exit-lost; do
    expect "^random: .* slices right, $some" -c gcc -m $mistake random 1 16
done
expect "^random: ($many) of \1 slices right, 0 wrong, 0 refused, 0 do not compile; $many runs compared" random 1 60
expect "^csmith: 3 programs, .* compared at [1-9].* calls, 0 wrong; 0 refused, 0 slices do not.* whole programs compared, 0 wrong, 0 refused" \
    csmith 1 3
expect "^cells: 60 slices, [1-9].*; $many runs compared, 0 complaints" -n 6 cells 1 30
if "$check" random 2 1 >report; then
    echo "slice-check is content with comparing nothing"
    status=1
fi
exit $status
