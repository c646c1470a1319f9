#!/bin/sh
# A machine is one folder and one row. The script puts the toy machine of test/target/toy, with 70 registers in nine classes,
# loads and stores, into a copy of the sources: a folder src/target/toy and a row of targets.def, nothing else. The integer
# programs of the tests of C then run in the toy's allocated machine code as they do in RTL.
set -eu
mkdir tree objects
cp -R "$ROOT/src" "$ROOT/include" tree
cp -R "$ROOT/test/target/toy" tree/src/target/toy
cd tree
sed -i 's/^TARGET(x64,.*/&\nTARGET(toy, 70, 9)/' src/form/targets.def
[ "$(diff -rq "$ROOT/src" src | wc -l)" -eq 2 ] || { diff -rq "$ROOT/src" src; exit 1; }

# The row decides how large sets of registers are, so what has sets is compiled: by gatecc, which is fast. The other objects are
# those of the build.
objects() { # reads the names of files, writes those of their objects
    while read -r file; do
        object=${file#src/}
        object=${object%.c}.o
        if [ -e "$BUILT/obj/$object" ] && ! grep -q 'form/registers\.h' "$BUILT/obj/${object%o}d"; then
            echo "$BUILT/obj/$object"
        else
            mkdir -p "../objects/${object%/*}"
            [ -e "../objects/$object" ] || echo "$file ../objects/$object" >>../stale
            echo "../objects/$object"
        fi
    done
}
compile() { # what is stale
    xargs -P 2 -L 8 sh -c 'while [ $# -gt 0 ]; do gatecc -w -O0 -std=c11 -D_GNU_SOURCE -Isrc -Iinclude --check=off -c "$1" -o "$2" || exit 255; shift 2; done' - <../stale
    rm ../stale
}
find src -name '*.c' ! -name gatecc.c ! -name 'gatecheck*.c' ! -path 'src/lib/*' | objects >linked
[ "$(grep -c '^\.\./objects/target/toy' linked)" -ge 5 ]
compile
${CC:-cc} -o ../toy $(cat linked) $BUILT/obj/explore/page.o -lm $(sed 's/./-l&/' $BUILT/http)
# gatecheck gets the toy's model and comparison of objects, and nothing else of the toy.
{ cd "$ROOT" && tools/trusted --decides && cd "$OLDPWD"; } | grep '\.c$' | grep -v gatecheck-slice >decides
find src/target/toy/model src/target/toy/object -name '*.c' >>decides
objects <decides >linked
[ "$(grep -c '^\.\./objects/target/toy' linked)" -eq 3 ]
compile
${CC:-cc} -o ../gatecheck-toy $(cat linked) $BUILT/obj/trusted.o -lm
cd ..
toy=$PWD/toy

# The toy has no long double of its own format, no floats, no registers of another name.
"$ROOT/tools/test-programs" -m programs >list
ran=0
while read -r file; do
    if grep -qE 'long double|asm|va_start|__builtin_va' "$file"; then continue; fi
    gatecc -w -E -P "$file" -o one.c
    if gate show rtl -w one.c | grep -qE '\bf(32|64|80)\b'; then continue; fi
    status=0 && gate run rtl -w one.c </dev/null >expected 2>/dev/null || status=$?
    found=0 && "$toy" run mach --after=allocate --target=toy one.c </dev/null >output 2>errors || found=$?
    if grep -E "pass .* was undone|rejected-pass" errors; then echo "$file"; exit 1; fi
    [ $status = $found ] && cmp -s expected output || { cat errors; echo "$file: $status expected, $found found"; exit 1; }
    ran=$((ran + 1))
done <list
echo "$ran programs"
[ $ran -ge 90 ]

# The toy's own rules hold: a type and an address that x86-64 has and the toy has not.
cat >float.c <<'END'
double half(double x) { return x / 2; }
int main(void) { return (int)half(3); }
END
if "$toy" run mach --target=toy float.c 2>errors; then exit 1; fi
grep -q 'expected a type that the toy machine has; found f64' errors || { cat errors; exit 1; }
cat >index.mach <<'END'
function i64 @f(i64 %p, i64 %i) {
b0:
  %p, %i = params
  %r = load.i64 [%p + %i * 8]
  return %r
}
END
gate check index.mach
if "$toy" check --target=toy index.mach 2>errors; then exit 1; fi
grep -q 'expected an address without index' errors || { cat errors; exit 1; }

# Allocated code of the toy reads back with the toy's registers, and code with x86-64's registers does not.
printf 'int f(int x) { return x + 1; }\nint main(void) { return f(2); }\n' >two.c
"$toy" show mach --after=allocate --target=toy two.c >two.mach
grep -q 'r2 = params' two.mach
"$toy" check --target=toy two.mach
if gate check two.mach 2>errors; then exit 1; fi
gate show mach --after=allocate two.c >other.mach
if "$toy" check --target=toy other.mach 2>errors; then exit 1; fi

# A certificate for the toy: gatecheck goes by the toy's model, names the toy, and finds mistakes in selection and allocation.
# Another gatecheck, which does not know the toy, says so.
cat >loop.c <<'END'
int other(int n);
int f(int *at, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += other(at[i]) + i * 5;
    return sum;
}
END
"$toy" certify -O2 --target=toy loop.c -o loop.gcert
./gatecheck-toy loop.gcert >said || { cat said; exit 1; }
grep -q '^shown: 1 function from rtl to allocated machine code' said || { cat said; exit 1; }
grep -qx 'machine: toy (the toy machine)' said || { cat said; exit 1; }
./gatecheck-toy --text loop.gcert >loop.txt
./gatecheck-toy loop.txt | cmp - said
grep -q '^target "toy" ' loop.txt
grep -q 'results (r2 r3)' loop.txt
grep -q '^  saved r18' loop.txt
rejected() { # PASS SED REASON
    sed "/^step $1/,/^step\|^end/ $2" loop.txt >forged.txt
    if cmp -s loop.txt forged.txt; then echo "$1: nothing was changed"; exit 1; fi
    if ./gatecheck-toy forged.txt >errors 2>&1; then echo "$1: accepted"; exit 1; fi
    grep -q "$1: .*$3" errors || { cat errors; exit 1; }
}
rejected select_code 's/\(mul.i32 .* imm\) 5/\1 6/' 'a register that is needed later differs'
rejected allocate 's/results (r2 r3)/results (r3 r2)/' 'places as the toy machine wants them'
rejected allocate 's/move.i32 a r3 dest r18/move.i32 a r2 dest r18/' 'it destroys a value that is needed'
rejected allocate 's/^  saved r18/  saved r66/' 'expected r18, which is written, to be saved'
rejected allocate 's/add.i64 a r42 b r43 dest r42/add.i64 a r42 b r43 dest r66/;s/start r42/start r66/' 'a register of the wrong class'
sed 's/^target "toy"/target "x64"/' loop.txt >forged.txt
if ./gatecheck-toy forged.txt 2>errors; then exit 1; fi
if gatecheck loop.gcert 2>errors; then exit 1; fi
grep -q 'the machine "toy" is not known here, only x64' errors || { cat errors; exit 1; }
"$toy" certify two.c -o two.gcert
gate certify two.c -o other.gcert
cmp two.gcert other.gcert
./gatecheck-toy two.gcert loop.gcert | grep -qx 'machine: x64 (x86-64), toy (the toy machine)'
