#!/bin/sh
# x86-64 is known in src/target/x64 alone. Elsewhere no file includes its headers or names its registers, the classes of its
# calling convention, its units, its relocations, the functions of its model, or what only its code has: segments, thunks, a red
# zone, functions that count, the area of variable arguments. There are no exceptions.
set -eu
cd "$ROOT"
words='r[89]|e[sd]i|e[sb]p|ymm[0-9]*|mxcsr|r[abcd]x|r[sb]p|r[sd]i|r1[0-5]|e[abcd]x|xmm[0-9]*|x87|eightbytes?|M_R[A-Z0-9]+|M_XMM[0-9]+|SSE2?'
words="$words|target/x64|sysv_(convention|x87|classify|[a-rt-z])[a-z0-9_]*|X64[A-Za-z]+|EM_X86_64|M_STACK|M_FRAME|rip|eflags|movq|ud2|endbr64|i386|avx[0-9]*|x64_[a-z0-9_]+|X64_[A-Z0-9_]+|MC_[A-Z]+|R_X86_64_[A-Z0-9_]+"
words="$words|(__)?[xX]86([-_]64)?(__)?|amd64|x86_64-linux-gnu|machine_reg_name|machine_is_vector|machine_unwind_number"
words="$words|\"gs\"|%[fg]s|thunks?|[a-z_]*_thunks?|[A-Z_]*THUNK[A-Z_]*|(no_)?red_zone|[A-Z_]*RED_ZONE|(no-)?red-zone"
words="$words|[a-z_]*mcount[a-z_]*|(nop|record)-mcount|(-m(no-)?|__)?fentry(__)?|= 176|[A-Z_]*SAVE_AREA|VA_LIST_[A-Z]+"
# Each kind of word is found where somebody plants it.
for planted in M_RAX rsp xmm3 x87 eightbyte SSE2 '#include "target/x64/model/x64.h"' sysv_x87_results X64Shape EM_X86_64 M_STACK rip eflags movq ud2 avx2 x64_func X64_COMPARE \
    MC_VECTOR R_X86_64_PC32 machine_reg_name x86-64 x86 __x86_64__ amd64 \
    '"fs", "gs"' '"%%%s:40", %fs' thunk thunks x64_thunks BRANCH_THUNK_INLINE no_red_zone RED_ZONE -mno-red-zone mcount __mcount_loc \
    record_mcount -mnop-mcount __fentry__ -mno-fentry 'SAVED = 176' SAVE_AREA VA_SAVE_AREA VA_LIST_SIZE; do
    echo "int a; $planted" | grep -qwE -- "$words" || { echo "'$planted' is not seen"; exit 1; }
done
grep -rlwE "$words" src --include='*.[ch]' --include='*.def' | grep -vE '^src/target/x64/' | sort >"$TMPDIR/found"
[ "$(grep -rlwE "$words" src/target | wc -l)" -gt 10 ]
while read -r file; do
    grep -nwE "$words" "$file" /dev/null
    echo "$file names what is the target's: let src/target/x64 say it, and the record of a machine hand it on"
done <"$TMPDIR/found"
[ ! -s "$TMPDIR/found" ]
