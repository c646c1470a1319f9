#!/bin/sh
# Overflows that gcc's protection of the stack stops are stopped, with the same message and signal, however the frame of the
# function is found; and the same functions are protected.
set -eu
fail() {
    echo "$*"
    exit 1
}
cat >cases.c <<'END'
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))
#define TEN "0123456789"
#define LONG TEN TEN TEN TEN TEN TEN TEN TEN
static const char text[] = LONG LONG LONG;
APART int use(char *p) { __asm__ volatile("" : "+r"(p) : : "memory"); return p != 0; }
// 1: strcpy into an array. 2: an index beyond an array of a structure. 3: alloca. 4: a variable-length array.
APART int copied(const char *from) { char b[8]; strcpy(b, from); return use(b); }
struct record { int id; char name[16]; };
APART int member(int n) { struct record r; for (int i = 0; i < n; i++) r.name[i] = 'x'; return use(r.name); }
APART int block(int n) { char *p = alloca(16); memset(p, 'x', n); return use(p); }
APART int variable(int n) { char b[n]; memset(b, 'x', n + 200); return use(b); }
// 5: a realigned frame. 6: before a tail call. 7: after longjmp. 8: variable arguments. 9: a long double as result.
APART int aligned(const char *from) { _Alignas(64) char b[64]; strcpy(b, from); return use(b); }
APART int last(int (*next)(int), const char *from) { char b[8]; strcpy(b, from); use(b); return next(3); }
static jmp_buf out;
APART void back(void) { longjmp(out, 1); }
APART int jumped(const char *from) { char b[16]; if (!setjmp(out)) { strcpy(b, from); use(b); back(); } return 4; }
APART int many(int n, ...) { char b[16]; va_list l; va_start(l, n); strcpy(b, va_arg(l, char *)); va_end(l); return use(b); }
APART long double extended(const char *from) { char b[16]; strcpy(b, from); return use(b); }
// 10: inline assembly that uses the stack.
APART int assembled(const char *from) { char b[24]; __asm__ volatile("push %%rax\n\tpop %%rax" ::: "memory"); strcpy(b, from); return use(b); }
APART int three(int x) { return x; }
int main(int argc, char **argv) {
    const char *from = argc > 2 ? "x" : text;
    int n = argc > 2 ? 8 : 200;
    switch (atoi(argv[1])) {
    case 1: return copied(from) == 0;
    case 2: return member(n) == 0;
    case 3: return block(n) == 0;
    case 4: return argc > 2 ? 0 : variable(n) == 0;
    case 5: return aligned(from) == 0;
    case 6: return last(three, from) != 3;
    case 7: return jumped(from) != 4;
    case 8: return many(1, from) == 0;
    case 9: return extended(from) == 0;
    case 10: return assembled(from) == 0;
    }
    return 1;
}
END
run() { # COMPILER OPTION... : what each case does, and that none does anything on good input
    "$@" -o cases cases.c
    for i in 1 2 3 4 5 6 7 8 9 10; do
        status=0
        ./cases $i 2>errors || status=$?
        echo "$i $status $(grep stack errors)"
        ./cases $i good || fail "$*: case $i fails on good input"
    done
}
# The messages of shells about signals go nowhere.
expected=$(for i in 1 2 3 4 5 6 7 8 9 10; do echo "$i 134 *** stack smashing detected ***: terminated"; done)
strong='-w -fstack-protector-strong'
[ "$(run gcc -O1 $strong 2>/dev/null)" = "$expected" ] || fail "gcc does not stop them all"
for options in "-O1 $strong" "-O0 $strong" "-O1 -w -fstack-protector" "-O1 $strong -fPIC -fno-plt" \
    "-O1 $strong -fno-pic -no-pie" "-O0 -w -fstack-protector-all -g" \
    "-O1 -w -fstack-protector-all -fcf-protection -fstack-clash-protection -ftrivial-auto-var-init=pattern -fzero-call-used-regs=all"; do
    found=$(run gatecc $options 2>/dev/null)
    [ "$found" = "$expected" ] || { echo "$found"; fail "gatecc $options"; }
done
# Without protection nothing of it is there.
gatecc -S -w cases.c -fstack-protector-all -fno-stack-protector
! grep -q 'stack_chk\|fs:40' cases.s || fail "protection that was turned off"

# Which functions are protected: as in gcc.
cat >which.c <<'END'
struct small { char c[4]; int n; };
struct large { char c[16]; };
struct nested { int n; struct large in; };
union both { long l; char c[8]; };
struct three { long a, b, c; };
void take(void *);
struct three give(void);
int plain(int x) { return x + 1; }
void chars8(void) { char b[8]; take(b); }
void chars4(void) { char b[4]; take(b); }
void ints(void) { int b[4]; take(b); }
void in_small(void) { struct small s; take(&s); }
void in_large(void) { struct large s; take(&s); }
void in_nested(void) { struct nested s; take(&s); }
void in_union(void) { union both s; take(&s); }
void shared(void) { int n; take(&n); }
void on_stack(void) { take(__builtin_alloca(10)); }
void variable(int n) { short b[n]; take(b); }
void table(void) { char b[4][16]; take(b); }
void bytes(void) { unsigned char b[8]; take(b); }
void wide(void) { __WCHAR_TYPE__ b[8]; take(b); }
long result(void) { struct three s = give(); return s.b; }
void calls(void) { take(0); }
__attribute__((stack_protect)) void asked(void) { take(0); }
__attribute__((no_stack_protector)) void declined(void) { char b[100]; take(b); }
__attribute__((optimize("no-stack-protector"))) void declined_otherwise(void) { char b[100]; take(b); }
END
protected() { # COMPILER OPTION...
    "$@" -S -o which.s which.c
    sed -n 's/^\([a-z_0-9]*\):.*/\1/p; s/.*\(stack_chk_fail\).*/  \1/p' which.s | grep -B 1 stack_chk | grep -v 'stack_chk\|--'
}
for level in '' -strong -all -explicit; do
    for more in -O1 '-O1 --param ssp-buffer-size=4' '-O1 --param=ssp-buffer-size=9' -O0; do
        protected gcc -fstack-protector$level $more >by-gcc
        protected gatecc -fstack-protector$level $more >by-gatecc
        cmp -s by-gcc by-gatecc || { diff by-gcc by-gatecc; fail "-fstack-protector$level $more"; }
    done
done

# Where the guard comes from.
guard() { gatecc -S -O1 -fstack-protector "$@" -o guard.s which.c; sed -n '/^chars8:/,/ret/p' guard.s; }
guard -mstack-protector-guard-reg=gs -mstack-protector-guard-offset=20 | grep -q 'subq %gs:20, %r11' || fail "offset"
guard -mstack-protector-guard-reg=gs -mstack-protector-guard-symbol=canary | grep -q 'subq %gs:canary(%rip), %r11' || fail "symbol"
guard -mstack-protector-guard=global | grep -q 'subq __stack_chk_guard(%rip), %r11' || fail "global"
cat >own-guard.c <<'END'
#include <stdlib.h>
unsigned long __stack_chk_guard = 12345;
void __stack_chk_fail(void) { exit(7); }
__attribute__((noinline)) void fill(char *p, int n) { while (n--) p[n] = 1; }
__attribute__((noinline)) int f(int n) { char b[16]; fill(b, n); return b[3]; }
int main(int c, char **v) { return f(c > 1 ? 24 : 16) - 1; }
END
for pic in -fno-pic -fPIE -fPIC; do
    gatecc -fstack-protector -mstack-protector-guard=global $pic -o own own-guard.c $([ $pic = -fno-pic ] && echo -no-pie)
    ./own || fail "a guard of one's own, $pic"
    status=0; ./own x || status=$?
    [ $status = 7 ] || fail "a guard of one's own, $pic: $status"
done

# Arrays lie next to the guard: what overruns one changes no other variable.
cat >order.c <<'END'
#include <stdio.h>
__attribute__((noinline)) void overrun(char *p, int *q, long *r, int n) { *q = 1; *r = 2; while (n--) p[n] = 9; }
__attribute__((noinline)) int f(int n, long *seen) {
    int a; char b[16]; long c; int d[4];
    overrun(b, &a, &c, n);
    d[n & 3] = a;
    *seen = a + c + d[n & 3];
    printf("%ld\n", *seen);
    fflush(stdout);
    return b[0];
}
int main(void) { long seen; return f(24, &seen); }
END
for level in -O0 -O1; do
    gatecc $level -fstack-protector-strong -o order order.c
    [ "$({ ./order || true; } 2>/dev/null)" = 4 ] || fail "other variables were overrun, $level"
done
