#!/bin/bash
# With every protection on, programs do what they do without: the gcc torture suite at -O0 and -O1, random programs by
# csmith, and projects of others with their own tests, built with the flags that distributions use; those call checked
# functions of the library.
status=0 times=${GATE_LONG:-1}
every='-fstack-protector-all -fcf-protection=full -fstack-clash-protection -ftrivial-auto-var-init=pattern -fzero-call-used-regs=used'
printf '#!/bin/sh\nexec gatecc "$@" %s\n' "$every" >gatecc-hardened
chmod +x gatecc-hardened
for level in 0 1; do
    GATECC=$PWD/gatecc-hardened "$ROOT/tools/torture" -O $level native | "$ROOT/tools/at-least" 100 1400 || status=1
done
GATECC=$PWD/gatecc-hardened "$ROOT/tools/csmith-check" -n 1 $((60 * times)) | "$ROOT/tools/at-least" 100 $((45 * times)) || status=1

names='zlib lua bzip2 brotli expat pcre2'
for level in 2 3; do
    export PROJECT_WORK=$PWD/fortified-$level
    flags="-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level -fstack-protector-strong -fstack-clash-protection -fcf-protection -fPIE"
    # shellcheck disable=SC2086
    "$ROOT/tools/projects" --keep -f "$flags" $names || status=1
    for name in $names; do
        checked=$(find "$PROJECT_WORK/$name.gatecc" -name '*.o' -exec nm -u {} + | grep -o '__[a-z_]*_chk$' | sort -u | tr '\n' ' ')
        echo "$name, level $level: $checked"
        [ "$checked" ] || { echo "no checked functions" && status=1; }
    done
done
exit $status
