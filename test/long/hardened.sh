#!/bin/bash
# Hardened builds of programs of others pass their tests, with the flags that distributions use, and call checked functions of the
# library wherever a build by gcc with the same flags does.
cd "$ROOT" || exit 2
gatecc=${GATECC:-$ROOT/build/bin/gatecc}
names=${HARDENED:-zlib lua bzip2 brotli expat pcre2}
failed=0

# What a program is compiled with: a compiler that adds the flags to those of the project.
compiler() { # NAME COMMAND FLAGS...
    local file=$PWD/build/$1 command=$2
    shift 2
    printf '#!/bin/sh\nexec %s "$@" %s\n' "$command" "$*" >"$file"
    chmod +x "$file"
}

for level in 2 3; do
    flags="-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level -fstack-protector-strong -fPIE"
    compiler "hardened-$level" "$(realpath "$gatecc")" "$flags"
    # shellcheck disable=SC2086
    tools/real-programs -b "build/hardened-$level" $names | tee "build/hardened-$level.txt" || failed=1
    for name in $names; do
        checked=$(find build/programs/"$name"* -name '*.o' -newer "build/hardened-$level" -exec nm -u {} + 2>/dev/null |
            grep -o '__[a-z_]*_chk$' | sort -u | grep -v stack_chk | tr '\n' ' ')
        echo "$name, level $level: ${checked:-no checked functions}"
    done
done
exit $failed
