#!/bin/sh
# The recipes of docs/guide.md for a warning, an option and a command, applied letter by letter to a copy of the tree
# (tools/apply-recipe): it builds, and what was added is there. Only what the changes concern is compiled, the other objects
# are those of the build.
set -eu
mkdir tree objects
cp -R "$ROOT/src" "$ROOT/include" tree
"$ROOT/tools/apply-recipe" tree 'Add a warning' 'Add an option of gatecc' 'Add a command of gate'
cd tree
diff -rq "$ROOT/src" src | sed -n 's/^Files .* and \(src[^ ]*\) differ$/\1/p; s/^Only in \(src[^:]*\): /\1\//p' | sort >../changed
[ "$(wc -l <../changed)" -ge 7 ]
compile="$(cat "$BUILT/flags") -O0"
object() { echo "../objects/$(basename "$1" .c).o"; }
find src -name '*.c' ! -name 'gatecheck*.c' ! -path 'src/lib/*' | sort >../files
while read -r file; do
    if grep -qwFf ../changed "$BUILT/obj/$(echo "${file#src/}" | sed 's/c$/d/')"; then echo "$file"; fi
done <../files >../stale
[ "$(wc -l <../stale)" -gt 20 ]
export compile
xargs -P 2 -n 1 sh -c '$compile -c -o ../objects/$(basename "$0" .c).o "$0"' <../stale
for program in gate gatecc; do
    while read -r file; do
        case $file in src/gate/gate.c | src/gatecc/gatecc.c) [ "$file" = src/$program/$program.c ] || continue ;; esac
        if [ -e "$(object "$file")" ]; then object "$file"; else echo "$BUILT/obj/${file#src/}" | sed 's/c$/o/'; fi
    done <../files >../list
    $compile -o ../$program $(cat ../list) "$BUILT/obj/explore/page.o" -lm $(sed 's/./-l&/' "$BUILT/http")
done
cd ..

printf 'int f(int x) {\n    x = x;\n    return x;\n}\nint g(int x, int y) {\n    x = y;\n    return x;\n}\n' >a.c
./gatecc -Wall -c a.c 2>messages
grep -q '^a.c:2:5: warning: a variable is assigned to itself \[-Wself-assign\]$' messages
[ "$(grep -c warning: messages)" = 1 ]
./gatecc -Wall -Wno-self-assign -c a.c 2>messages
[ ! -s messages ]
./gatecc --help=warnings | grep -q 'variables that are assigned to themselves'
./gatecc -fbanner='made for a test' -S a.c -o - | head -n 1 | grep -qx '# made for a test'
./gatecc --help=options | grep -q -- '-fbanner='
[ "$(./gate functions ssa a.c | tr '\n' ' ')" = 'f g ' ]
./gate functions --help | grep -q "names of a program's functions"
