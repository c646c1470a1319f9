#!/bin/sh
# Programs in which one fact opens the next: test/facts/*.c. At -O2 no conditional jump, no call and no loop is left in
# their function f, or test/facts/open.txt lists the program with the words of what is left. The compiled f gives the
# results that gcc -O0 gives, and leaves the same memory.
set -u
folder=$ROOT/test/facts
failed=0 programs=0 compared=0

fail() {
    echo "$1"
    failed=1
}

# left FILE.s: the kinds of jumps and calls in the function f, in words. A jump to a symbol is a call at the end.
left() {
    awk '
        $1 == "f:" { inside = 1; found = 1 }
        $1 == ".size" && $2 ~ /^f,?$/ { inside = 0 }
        !inside { next }
        /^[.A-Za-z_][^ \t]*:/ { sub(/:.*/, "", $1); seen[$1] = 1; next }
        $1 ~ /^call/ { call = 1 }
        $1 ~ /^j/ && $1 !~ /^jmp/ { conditional = 1 }
        $1 ~ /^jmp/ && $2 ~ /^\*/ { indirect = 1 }
        $1 ~ /^jmp/ && $2 !~ /^[.*]/ { call = 1 }
        $1 ~ /^j/ && $2 in seen { back = 1 }
        END {
            if (!found) words = ", no function f"
            if (conditional) words = words ", conditional jump"
            if (call) words = words ", call"
            if (indirect) words = words ", indirect jump"
            if (back) words = words ", jump back"
            print substr(words, 3)
        }' "$1"
}

# caller PROTOTYPE: a program that calls f with many arguments, and prints the results and the memory behind pointers.
caller() {
    echo "$1" | awk '
        {
            parameters = $0
            sub(/^[^(]*\(/, "", parameters)
            sub(/\).*/, "", parameters)
            count = split(parameters, types, ",")
            for (i = 1; i <= count; i++) {
                if (types[i] ~ /\*/) { argument = "cells" } else {
                    argument = "values[i" i "]"
                    loops = loops "    for (int i" i " = 0; i" i " < COUNT; i" i "++)\n"
                }
                arguments = arguments (i > 1 ? ", " : "") argument
            }
            print "#include <stdio.h>\n#include <stdlib.h>"
            print $0 ";"
            print "void never(void) { puts(\"never is called\"); exit(1); }"
            print "void give(int *p) { (void)p; never(); }"
            print "static const int values[] = {0, 1, -1, 2, 3, 4, 7, 8, 9, 10, 15, 16, 100, 255, 256, 1023, 1024, 32768,"
            print "                             -2, -8, -128, -2147483647 - 1, 2147483647, 0x55555555};"
            print "#define COUNT (int)(sizeof values / sizeof *values)"
            print "int main(void) {\n    static int cells[2];"
            print loops "    {\n        cells[0] = 5, cells[1] = -6;"
            print "        printf(\"%d\", (int)f(" arguments "));"
            print "        printf(\" %d %d\\n\", cells[0], cells[1]);\n    }\n}"
        }'
}

# The counting finds each kind, and only inside of f.
planted() { # expected words; the body of f on standard input
    { printf 'g:\n\tcall h\n\tjne .L9\n\t.size g, .-g\nf:\n'; cat; printf '\t.size f, .-f\nh:\n\tjmp g\n'; } >planted.s
    [ "$(left planted.s)" = "$1" ] || fail "planted code: '$(left planted.s)' is left, not '$1'"
}
printf '\tjmp .L2\n.L2:\n\tcmovne %%eax, %%ecx\n\tret\n' | planted ''
printf '\tjbe .L1\n.L1:\n\tret\n' | planted 'conditional jump'
printf '\tcall *%%rax\n\tret\n' | planted 'call'
printf '\tjmp g\n' | planted 'call'
printf '\tjmp *%%rax\n' | planted 'indirect jump'
printf '.L1:\n\tjmp .L1\n' | planted 'jump back'
printf '.L1:\n\tcall g@PLT\n\tjne .L1\n' | planted 'conditional jump, call, jump back'

for file in "$folder"/*.c; do
    name=$(basename "$file" .c)
    programs=$((programs + 1))
    "$ROOT/tools/strict-gatecc" -w -O2 -S "$file" -o "$name.s" || { fail "$name: does not compile"; continue; }
    words=$(left "$name.s")
    listed=$(sed -n "s/^$name # //p" "$folder/open.txt")
    if [ ! "$words" ] && [ "$listed" ]; then
        fail "$name: folds now: take it off the list test/facts/open.txt"
    elif [ "$words" ] && [ ! "$listed" ]; then
        fail "$name: does not fold and is not on the list test/facts/open.txt: $words"
    elif [ "$words" != "$listed" ]; then
        fail "$name: test/facts/open.txt says '$listed', but what is left is: $words"
    fi

    prototype=$(sed -n 's|^// run: ||p' "$file")
    caller "$prototype" >caller.c
    if gcc -w -O0 -fsanitize=undefined -fsanitize-undefined-trap-on-error caller.c "$file" -o expected &&
        ./expected >"$name.expected" && gcc -w -O0 caller.c "$name.s" -o found; then
        "$ROOT/tools/limit" 20 ./found >"$name.found"
        cmp -s "$name.expected" "$name.found" || fail "$name: f gives other results than gcc -O0"
        compared=$((compared + $(wc -l <"$name.expected")))
    else
        fail "$name: cannot be run"
    fi
done

grep -v '^#' "$folder/open.txt" | while read -r name mark words; do
    [ -e "$folder/$name.c" ] && [ "$mark" = '#' ] && [ "$words" ] || echo "open.txt: no such program: $name $mark $words"
done >unknown
[ ! -s unknown ] || fail "$(cat unknown)"
echo "$programs programs, $(grep -vc '^#' "$folder/open.txt") do not fold yet, $compared results compared"
[ $programs -ge 30 ] && [ $compared -ge 1000 ] || fail 'too few programs or results'
exit $failed
