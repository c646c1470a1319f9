#!/bin/sh
# x86-64 is known in src/target/x64 alone. Elsewhere no file includes its headers or names its registers, the classes of its
# calling convention, its units, its relocations or the functions of its model. The list below has the remaining
# exceptions, each with a reason; an exception that is not needed is a mistake.
set -eu
cd "$ROOT"
words='r[89]|e[sd]i|e[sb]p|ymm[0-9]*|mxcsr|r[abcd]x|r[sb]p|r[sd]i|r1[0-5]|e[abcd]x|xmm[0-9]*|x87|eightbytes?|M_R[A-Z0-9]+|M_XMM[0-9]+|SSE2?'
words="$words|target/x64|sysv_(convention|x87_results|classify)|x64_[a-z0-9_]+|X64_[A-Z0-9_]+|MC_[A-Z]+|R_X86_64_[A-Z0-9_]+"
words="$words|machine_reg_name|machine_is_vector|machine_unwind_number"
# Each kind of word is found where somebody plants it.
for planted in M_RAX rsp xmm3 x87 eightbyte SSE2 '#include "target/x64/model/x64.h"' sysv_x87_results x64_func X64_COMPARE \
    MC_VECTOR R_X86_64_PC32 machine_reg_name; do
    echo "int a; $planted" | grep -qwE "$words" || { echo "'$planted' is not seen"; exit 1; }
done
cat >"$TMPDIR/exceptions" <<'END'
src/fact/eval_rules.h       floats are those of the machine
src/form/builtins.def       read_register may read the stack pointer
src/form/program.h          parts of aggregates, as the calling convention has them
src/form/types.h            f80 is the machine's long double
src/verify/verify_program.c   parts of aggregates, as the calling convention has them
src/assembly/frame.c            the frame of the System V convention
src/assembly/frame.h            the same
src/check/machine/check_allocate.c  the rows of sequences.def
src/run/mach_reading.c          the same
src/elf/elf.c                   the sizes of relocations
src/gatecheck/gatecheck_account.h   the comparison with objects
src/mach/allocate_again.c       constants that are made again
src/mach/schedule.c             the times of instructions
src/mach/schedule_cost.c        the same
src/mach/schedule_forward.c     the same
src/mach/schedule_private.h     the same
src/mach/schedule_region.c      the same
END
grep -rlwE "$words" src --include='*.[ch]' --include='*.def' | grep -vE '^src/target/' | sort >"$TMPDIR/found"
sed 's/ .*//' "$TMPDIR/exceptions" | sort >"$TMPDIR/listed"
[ "$(grep -rlwE "$words" src/target | wc -l)" -gt 10 ]
status=0
for file in $(comm -23 "$TMPDIR/found" "$TMPDIR/listed"); do
    grep -nwE "$words" "$file" /dev/null
    echo "$file names what is the target's: let src/target/x64/model say it"
    status=1
done
for file in $(comm -13 "$TMPDIR/found" "$TMPDIR/listed"); do
    echo "$file is an exception no longer"
    status=1
done
exit $status
