#!/bin/sh
# What is x86-64 stays in src/target/x64: elsewhere no register, class of
# the calling convention or unit of the machine is named. The exceptions that remain, with the reason, are listed here; one that is no longer needed is a mistake.
set -eu
cd "$ROOT"
words='r[89]|e[sd]i|e[sb]p|ymm[0-9]*|mxcsr|r[abcd]x|r[sb]p|r[sd]i|r1[0-5]|e[abcd]x|xmm[0-9]*|x87|eightbytes?|M_R[A-Z0-9]+|M_XMM[0-9]+|SSE2?'
cat >"$TMPDIR/exceptions" <<'END'
src/fact/eval_rules.h       floats are those of the machine
src/form/builtins.def       read_register may read the stack pointer
src/form/program.h          parts of aggregates, as the calling convention has them
src/form/types.h            f80 is the machine's long double
src/verify/verify_program.c   parts of aggregates, as the calling convention has them
src/assembly/frame.c            the frame of the System V convention
src/assembly/frame.h            the same
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
