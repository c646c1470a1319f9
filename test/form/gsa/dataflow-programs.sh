#!/bin/sh
# The C programs of test/c behave the same when their gated SSA is evaluated on demand, and as functional SSA.
set -u
failed=0
programs=0
for test in "$ROOT"/test/c/*.test "$ROOT"/test/c/regress/*.test; do
    name=$(basename "$test" .test)
    mkdir "$name"
    cd "$name" || exit 1
    awk '/^--- /{file = $2 == "input" ? $3 : ""; next} file != "" {sub(/^\\---/, "---"); print > file}' "$test"
    for file in *.c; do
        grep -q 'main *(' "$file" 2>/dev/null && gatecc -w -fsyntax-only "$file" 2>/dev/null || continue
        gate compare -Werror -w --fuel=20000000 --after=gsa_build "$file" >found 2>&1 </dev/null &&
            grep -q '^gsa dataflow .* same ' found && grep -q '^fssa fssa_build .* same ' found && programs=$((programs + 1)) && continue
        echo "$name/$file:"
        cat found
        failed=1
    done
    cd ..
done
[ $programs -gt 90 ] || { echo "only $programs programs found"; failed=1; }
exit $failed
