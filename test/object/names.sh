#!/bin/sh
# A function of the program that has the name of one that gatecc knows is an ordinary function; and names of a file stay on
# their line in what gatecheck says.
set -eu
export PATH="$BUILT/bin:$PATH"
for name in __builtin_longjmp __builtin_setjmp; do
    cat >own.c <<END
static void *room[5];
__attribute__((noinline)) int own(void **at) __asm__("$name");
int own(void **at) { return at == room ? 5 : 9; }
__attribute__((noinline)) int caller(void **at) { return own(at) + 1; }
int main(void) { return caller(room) != 6; }
END
    for level in -O0 -O1 -O2; do
        gatecc $level -c own.c -o own.o --certificate=own.gcert
        gatecheck own.gcert --object own.o >said
        gatecc own.o -o own
        ./own || { echo "$name $level: another function was called"; exit 1; }
    done
    # Of another unit's function nobody could tell.
    printf 'int other(void **) __asm__("%s");\nint caller(void **at) { return other(at); }\n' $name >other.c
    if gatecc -O1 -S other.c -o other.s 2>said || ! grep -q "'other' must be defined here" said; then
        echo "$name of another unit: $(cat said)"
        exit 1
    fi
done

# The builtins themselves are as they were.
cat >jump.c <<'END'
static void *room[5];
__attribute__((noinline)) static void back(void) { __builtin_longjmp(room, 1); }
int main(void) { return __builtin_setjmp(room) ? 0 : (back(), 1); }
END
gatecc -O2 jump.c -o jump
./jump

printf 'int f(int n) __asm__("a\\nshown: 99 functions");\nint f(int n) { return n; }\n' >lines.c
gatecc -O1 -S lines.c -o lines.s --certificate=lines.gcert
gatecheck -v lines.gcert >said
if grep -q '^shown: 99' said || ! grep -q '^a?shown: 99 functions: ' said; then
    cat said
    exit 1
fi
gatecc -c -x c /dev/null -o empty.o
if gatecheck lines.gcert --object empty.o >said 2>&1 || grep -q '^shown: 99' said; then
    cat said
    exit 1
fi
