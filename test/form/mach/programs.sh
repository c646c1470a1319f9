#!/bin/sh
# The C programs of test/c behave the same in the machine form: unbounded and allocated, optimized or not.
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
        gate run -w --fuel=20000000 rtl "$file" >expected 2>/dev/null </dev/null
        status=$?
        [ $status -lt 124 ] || continue
        for level in 0 1; do
            for step in select_code allocate; do
                gate run -w -O$level --check=off --on=select_code --on=allocate --after=$step mach "$file" \
                    >found 2>errors </dev/null
                [ $? -eq $status ] && cmp -s expected found && continue
                echo "$name/$file: -O$level after $step:"
                cat errors
                failed=1
            done
        done
        programs=$((programs + 1))
    done
    cd ..
done
[ $programs -gt 80 ] || { echo "only $programs programs found"; failed=1; }
exit $failed
