#!/bin/sh
# With every protection on, programs do what they do without: the gcc torture suite at -O0 and -O1, random programs by
# csmith, and five programs of others with their own tests.
flags='-fstack-protector-all -fcf-protection=full -fstack-clash-protection -ftrivial-auto-var-init=pattern -fzero-call-used-regs=used'
printf '#!/bin/sh\nexec gatecc "$@" %s\n' "$flags" >gatecc-hardened
chmod +x gatecc-hardened
export GATECC="$PWD/gatecc-hardened"
status=0
for level in 0 1; do
    "$ROOT/tools/torture" -O $level native | "$ROOT/tools/at-least" 100 1400 || status=1
done
"$ROOT/tools/csmith-check" -n 1 200 | tee report
grep -qE '^csmith: 1[5-9][0-9] of [0-9]* right, 0 failed' report || status=1
"$ROOT/tools/real-programs" zlib lua bzip2 expat sqlite || status=1
exit $status
