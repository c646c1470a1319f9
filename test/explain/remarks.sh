#!/bin/bash
# Remarks while compiling: gcc's -fopt-info and clang's -Rpass=, with their variants; as text, JSON, SARIF and in a file. Without them
# nothing is different.
set -eu
cp "$ROOT/test/explain/schedule_out.c" loop.c
cp "$ROOT/test/explain/inline_large.c" large.c
cp "$ROOT/test/explain/allocate_spill.c" spill.c
told() { gatecc -c -o told.o "$@" 2>&1; }
want() { # PATTERN in the file told
    grep -q -- "$1" told || { echo "not told: $1"; cat told; exit 1; }
}
never() { ! grep -q -- "$1" told || { echo "told: $1"; cat told; exit 1; }; }

# What was done, what was not, all of it.
told -fopt-info loop.c >told
want '^loop.c:5:[0-9]*: optimized: son_schedule: moved: out of the loop at node [0-9]*$'
never ': note: '
never '^ *[0-9]* |' # no lines of the source, as gcc has it
told -fopt-info-missed large.c >told
want '^large.c:18:[0-9]*: missed: inline_calls: kept: not inlined: '
never optimized
told -fopt-info-missed spill.c >told
want ': missed: allocate: spilled: .* is spilled'
told -fopt-info-note loop.c >told
want ': note: allocate: placed: '
never optimized
told -fopt-info-all loop.c >told
want optimized
want note
told -fopt-info-optimized-missed large.c >told
want optimized
want missed
never ': note: '

# By kinds of passes. What gcc has and gatecc has not is taken, and nothing is told.
told -fopt-info-inline-all large.c >told
want inline_calls
never son_
told -fopt-info-loop large.c >told
want invert_loops
never inline_calls
for group in vec omp vec-missed; do
    told -fopt-info-$group large.c >told
    [ ! -s told ] || { echo "$group"; cat told; exit 1; }
done
if told -fopt-info-frob loop.c >told; then exit 1; fi
want "^gatecc: error: there are no remarks 'frob' in '-fopt-info-frob'$"

# In a file: of all inputs.
told -fopt-info=remarks loop.c >told
[ ! -s told ]
grep -q '^loop.c:.*: optimized: ' remarks
gatecc -fopt-info-all=remarks -c loop.c large.c
grep -q '^loop.c:' remarks
grep -q '^large.c:' remarks
gatecc -fopt-info=stderr -c loop.c 2>told
want '^loop.c:'
gatecc -fopt-info=stdout -c loop.c >told
want '^loop.c:'
if told -fopt-info=no/where/remarks loop.c >told; then exit 1; fi
want '^gatecc: error: cannot write no/where/remarks'

# As clang has them: by the names of passes, with the line and the option.
told '-Rpass=^son_s' loop.c >told
want '^loop.c:5:[0-9]*: remark: son_schedule: moved: out of the loop at node [0-9]* \[-Rpass=son_schedule\]$'
want '^    5 |'
never invert_loops
told -Rpass-missed=inline large.c >told
want 'remark: inline_calls: kept: .* \[-Rpass-missed=inline_calls\]$'
told -Rpass-analysis=allocate loop.c >told
want '\[-Rpass-analysis=allocate\]$'
told -Rpass loop.c >told
want '\[-Rpass=son_schedule\]$'
told -Rpass -Rpass-missed -Rno-pass loop.c >told
if grep -q 'Rpass=' told; then exit 1; fi
told -Rpass=nothing loop.c >told
[ ! -s told ]
if told '-Rpass=(' loop.c >told; then exit 1; fi
want "^gatecc: error: in '-Rpass=(': "

# For programs.
told -Rpass=son_schedule -fdiagnostics-format=json loop.c >told
python3 - told json <<'END'
import json, sys
messages = json.load(open(sys.argv[1]))
assert any(m["kind"] == "note" and m["remark"] == "remark" and "[-Rpass=son_schedule]" in m["message"]
           and m["locations"][0]["caret"]["line"] == 5 for m in messages), messages
END
told -fopt-info -fdiagnostics-format=sarif-stderr loop.c >told
python3 - told <<'END'
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
assert any(r["ruleId"] == "optimized" and r["level"] == "note" and "out of the loop" in r["message"]["text"]
           for r in results), results
END
# They come behind the messages about the source.
printf 'int f(int a) { int b; return a * 8; }\n' >warn.c
told -Wall -fopt-info warn.c >told
[ "$(grep -n -e warning told | cut -d: -f1)" -lt "$(grep -n optimized told | cut -d: -f1 | head -n 1)" ]
# Where line directives say so, the place is that of another file.
printf '#line 70 "there.y"\nint f(int a) { return a * 8; }\n' >line.c
told -fopt-info line.c >told
want 'there.y:70:'

# The code, and the certificate, are the same.
for file in "$ROOT"/bench/programs/json.c "$ROOT"/bench/programs/fft.c "$ROOT"/bench/programs/state_machine.c; do
    for level in -O0 -O1 -O2 -Og; do
        gatecc $level -g -c -o plain.o --certificate=plain.gcert "$file"
        gatecc $level -g -c -o remarked.o --certificate=remarked.gcert -fopt-info-all=remarks "$file"
        cmp plain.o remarked.o
        cmp plain.gcert remarked.gcert
        [ -s remarks ]
    done
done
