#!/bin/sh
# The C programs of test/c behave in SSA form, in each of its flavours, as before, and no construction is
# rejected.
set -u
failed=0
programs=0
for test in "$ROOT"/test/c/*.test; do
    name=$(basename "$test" .test)
    mkdir "$name"
    cd "$name" || exit 1
    awk '/^--- /{file = $2 == "input" ? $3 : ""; next} file != "" {sub(/^\\---/, "---"); print > file}' "$test"
    for file in *.c; do
        grep -q 'main *(' "$file" 2>/dev/null && gatecc -w -fsyntax-only "$file" 2>/dev/null || continue
        for flavour in minimal semi-pruned pruned; do
            gate compare -Werror -w --fuel=20000000 --ssa="$flavour" --after=ssa_build "$file" \
                >found 2>&1 </dev/null && ! grep -q 'was undone' found && continue
            echo "$name/$file, $flavour:"
            cat found
            failed=1
        done
        programs=$((programs + 1))
    done
    cd ..
done
[ $programs -gt 50 ] || { echo "only $programs programs found"; failed=1; }
exit $failed
