#!/bin/sh
# Flags about how code is written do what they say: looked at in the code, and in what the program does.
set -eu
fail() {
    echo "$*"
    exit 1
}
asm() { # OPTION... FILE: assembler text of a file
    gatecc -S -o - "$@"
}
has() { # TEXT PATTERN
    printf '%s\n' "$1" | grep -q -e "$2" || { printf '%s\n' "$1"; fail "$3: $2 is missing"; }
}
lacks() {
    ! printf '%s\n' "$1" | grep -q -e "$2" || { printf '%s\n' "$1" | grep -e "$2"; fail "$3: $2 is there"; }
}
function_text() { # NAME: of the text that is read
    sed -n "/^$1:/,/\.size $1/p"
}
refused() { # MESSAGE OPTION...
    message=$1
    shift
    ! gatecc -c "$@" 2>errors || fail "$* is not refused"
    grep -qF -e "$message" errors || { cat errors; fail "$*: expected $message"; }
}
cat >all.c <<'END'
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#define APART __attribute__((noinline))
static APART int direct(int x) { return x * 3 + 1; }
static APART int pointed(int x) { return x * 5 + 2; }
static int (*volatile pointer)(int) = pointed;
struct table { int pad; int (*of)(int); } global = {1, pointed};
APART int through(struct table *t, int x) { return t->of(x) + 1; }
APART int tail(struct table *t, int x) { return t->of(x); }
APART int choose(int x) {
    switch (x) {
    case 0: return 10; case 1: return direct(x); case 2: return 7; case 3: return 99;
    case 4: return 3; case 5: return pointer(x); case 6: return 8; default: return 1;
    }
}
APART int computed(int x) {
    static void *labels[] = {&&a, &&b, &&c};
    goto *labels[x % 3];
a: return 1;
b: return 2;
c: return 3;
}
static jmp_buf out;
static void *own[5];
APART void back(int n) { longjmp(out, n); }
APART int again(int n) { volatile int k = 0; if (setjmp(out) < n) { k++; back(k); } return k; }
APART void own_back(int n) { if (n) own_back(n - 1); __builtin_longjmp(own, 1); }
APART int own_again(int n) { volatile int k = 0; if (!__builtin_setjmp(own)) { k = n; own_back(600); } return k; }
APART double floating(double x, float y) { return x * y; }
APART long double extended(long double x) { return x / 3; }
APART int sum(int n, ...) { va_list l; int s = 0; va_start(l, n); while (n--) s += va_arg(l, int); va_end(l); return s; }
APART int large(int n) { char b[50000]; memset(b, n, sizeof b); return b[n] + b[49999]; }
APART int middle(int n) { char b[9000]; memset(b, n, sizeof b); return b[n] + b[8999]; }
APART int aligned(int n) { _Alignas(256) char b[10000]; memset(b, n, sizeof b); return b[n] + (int)((unsigned long)b % 256); }
APART int block(int n) { char *p = alloca(n); memset(p, 1, n); return p[n - 1] + p[0]; }
APART int blocks(int n) { int s = 0; for (int i = 1; i < n; i++) { char b[i * 97]; b[0] = 1; b[i * 97 - 1] = 2; s += b[0] + b[i * 97 - 1]; } return s; }
APART int both(int n) { _Alignas(64) char b[64]; char *p = alloca(n); p[n - 1] = 3; b[0] = 1; return p[n - 1] + b[0] + (int)((unsigned long)b % 64); }
struct pair { long a, b; };
APART struct pair two(long x) { return (struct pair){x, x + 1}; }
struct big { char c[90]; };
APART struct big copy(struct big *b) { struct big c = *b; c.c[0]++; return c; }
int main(void) {
    int s = 0;
    for (int i = 0; i < 9; i++) s += choose(i) * (i + 1) + computed(i);
    printf("%d %d %d %d %d\n", s, through(&global, 4), tail(&global, 5), again(3), own_again(5));
    printf("%g %Lg %d %d %d %d\n", floating(1.5, 3), extended(9), sum(8, 1, 2, 3, 4, 5, 6, 7, 8), large(3), middle(2), aligned(1));
    struct big b = {{1, 2}};
    printf("%d %d %d %d %ld %d\n", block(12345), block(1), blocks(100), both(5000), two(4).b, copy(&b).c[0] + copy(&b).c[1]);
    return 0;
}
END
gcc -w -o all all.c
./all >expected

# With each of them, and with all together, the program does the same.
runs() {
    for level in -O0 -O1; do
        gatecc -w $level "$@" -o all all.c
        ./all >found || fail "$level $*"
        cmp expected found || fail "$level $*"
    done
}
runs -fcf-protection
runs -fstack-clash-protection
runs -fstack-clash-protection -fno-omit-frame-pointer -fstack-protector-all -fcf-protection=branch
for zero in used-gpr-arg used-gpr used-arg used all-gpr-arg all-gpr all-arg all; do runs -fzero-call-used-regs=$zero; done
runs -mindirect-branch=thunk -mfunction-return=thunk
runs -mindirect-branch=thunk-inline -mfunction-return=thunk-inline -mharden-sls=all -fPIC
runs -mno-red-zone -fno-jump-tables -fno-plt -falign-functions=64 -fpatchable-function-entry=6,3
runs -fno-asynchronous-unwind-tables -mharden-sls=all -mindirect-branch-register -ftrivial-auto-var-init=pattern
runs -mcmodel=kernel -fno-pic -no-pie -fstack-protector-strong
runs -g -fstack-protector-all -fcf-protection=full -fstack-clash-protection -ftrivial-auto-var-init=zero -fzero-call-used-regs=used -fPIC

# -fcf-protection
text=$(asm -w -O1 -fcf-protection all.c)
for name in main choose pointed; do has "$(printf '%s\n' "$text" | function_text $name | head -3)" endbr64 "entry of $name"; done
lacks "$(printf '%s\n' "$text" | function_text direct)" endbr64 "only called"
has "$(printf '%s\n' "$text" | function_text choose)" 'notrack jmp' "jump table"
has "$(printf '%s\n' "$text" | function_text again | grep -A 1 call)" endbr64 "second return"
gatecc -w -c -fcf-protection all.c
has "$(readelf -n all.o)" 'IBT, SHSTK' "property"
gatecc -w -c -fcf-protection=branch all.c
lacks "$(readelf -n all.o)" SHSTK "branch only"
lacks "$(asm -w -fcf-protection -fcf-protection=none all.c)" 'endbr64\|note.gnu' "none"
lacks "$(asm -w -fcf-protection=return all.c)" 'endbr64\|notrack' "return only"
macro() { printf 'M' | sed "s/M/$1/" | gatecc "$2" -E -P -x c -; }
[ "$(macro __CET__ -fcf-protection) $(macro __CET__ -fcf-protection=branch) $(macro __CET__ -fcf-protection=return)" = "3 1 2" ] || fail __CET__
[ "$(macro __SSP__ -fstack-protector) $(macro __SSP_STRONG__ -fstack-protector-strong) $(macro __SSP_ALL__ -fstack-protector-all)" = "1 3 2" ] || fail __SSP__
printf '__attribute__((nocf_check)) int f(void) { return 1; }\nint g(void) { return 2; }\n' >no.c
[ "$(asm -fcf-protection no.c | grep -c endbr64)" = 1 ] || fail nocf_check

# Thunks leave no indirect branch and no return in the code of functions.
text=$(asm -w -mindirect-branch=thunk-extern -mfunction-return=thunk-extern all.c)
lacks "$text" '^	ret$\|jmp \*\|call \*' "extern thunks"
has "$text" 'jmp __x86_return_thunk' "extern thunks"
has "$text" 'call __x86_indirect_thunk_r' "extern thunks"
lacks "$text" '__x86_return_thunk:' "extern thunks"
has "$(asm -w -mindirect-branch=thunk-extern -mindirect-branch-cs-prefix all.c | grep -A 1 '^	cs$')" '\(call\|jmp\) __x86_indirect_thunk_r11' "prefix"
has "$(asm -w -mharden-sls=return all.c | grep -A 1 '^	ret$')" int3 "speculation"
refused "not compatible" -mindirect-branch=thunk -fcf-protection all.c

# Pages: one by one, and in a loop.
# What is too large for the address space does not move the stack up: the pages below end first.
cat >huge.c <<'END'
#include <alloca.h>
#include <stdlib.h>
__attribute__((noinline)) void take(char *p) { *p = 1; }
int main(int argc, char **argv) { take(alloca(strtoul(argv[argc - 1], NULL, 10))); return 0; }
END
gatecc -O1 -fstack-clash-protection huge.c -o huge
./huge 100000 || fail "alloca with probes"
(./huge 18446744073709546616) 2>/dev/null && fail "alloca of 2^64 - 5000 bytes is not stopped"
text=$(asm -w -O1 -fstack-clash-protection all.c)
[ "$(printf '%s\n' "$text" | function_text middle | grep -c 'orq \$0, (%rsp)')" = 2 ] || fail "pages of a frame"
has "$(printf '%s\n' "$text" | function_text large)" 'cmpq %r11, %rsp' "many pages"
has "$(printf '%s\n' "$text" | function_text block)" 'orq \$0, (%rsp)' "pages of alloca"
lacks "$(printf '%s\n' "$text" | function_text direct)" orq "no pages"

# Registers that are cleared hold zero afterwards; results are kept.
cat >zero.c <<'END'
#include <stdio.h>
#include <string.h>
long plain(long a, long b) { return a * b + a / (b | 1); }
__attribute__((zero_call_used_regs("skip"))) long skipped(long a, long b) { return a * b; }
__attribute__((zero_call_used_regs("all"))) double marked(double a) { return a + 1; }
int main(void) {
    long r[9], x[2], result;
    __asm__ volatile("mov $3, %%edi\n\tmov $4, %%esi\n\tmov $5, %%edx\n\tmov $6, %%ecx\n\tmov $7, %%r8d\n\tmov $7, %%r9d\n\t"
                     "mov $8, %%r10d\n\tmov $9, %%r11d\n\tmovq %%rsp, %%xmm9\n\tcall plain\n\tmov %%rdi, (%%rbx)\n\tmov %%rsi, 8(%%rbx)\n\t"
                     "mov %%rdx, 16(%%rbx)\n\tmov %%rcx, 24(%%rbx)\n\tmov %%r8, 32(%%rbx)\n\tmov %%r9, 40(%%rbx)\n\t"
                     "mov %%r10, 48(%%rbx)\n\tmov %%r11, 56(%%rbx)\n\tmovq %%xmm9, 64(%%rbx)"
                     : "=a"(result) : "b"(r) : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "xmm9", "memory", "cc");
    printf("%ld:", result);
    for (int i = 0; i < 9; i++) printf(" %d", r[i] != 0);
    printf(" %g\n", marked(1));
    return 0;
}
END
cleared() { gatecc -O1 -fzero-call-used-regs=$1 -o zero zero.c && ./zero; }
[ "$(cleared all)" = "12: 0 0 0 0 0 0 0 0 0 2" ] || fail "all: $(cleared all)"
[ "$(cleared all-gpr)" = "12: 0 0 0 0 0 0 0 0 1 2" ] || fail "all-gpr: $(cleared all-gpr)"
[ "$(cleared all-gpr-arg)" = "12: 0 0 0 0 0 0 1 1 1 2" ] || fail "all-gpr-arg: $(cleared all-gpr-arg)"
[ "$(cleared skip)" != "$(cleared used-gpr)" ] || fail "used-gpr"
lacks "$(asm -O1 -fzero-call-used-regs=all zero.c | function_text skipped)" xorl "attribute"
has "$(asm -O1 zero.c | function_text marked)" 'pxor %xmm9, %xmm9' "attribute"

# The red zone, jump tables, calls, alignment, unwind tables.
printf 'int f(int i) { volatile char b[20]; b[i] = 1; return b[i + 1]; }\n' >leaf.c
has "$(asm -O1 leaf.c)" '-[0-9]*(%rsp' "the red zone is used"
lacks "$(asm -O1 -mno-red-zone leaf.c)" '-[0-9]*(%rsp' "no red zone"
lacks "$(asm -w -fno-jump-tables all.c)" 'jmp \*%r11\|movslq (%r10' "jump tables"
has "$(asm -w -fno-plt all.c)" 'call \*printf@GOTPCREL(%rip)' "-fno-plt"
lacks "$(asm -w -fno-plt all.c)" '\*choose@GOTPCREL' "-fno-plt"
has "$(asm -w -falign-functions=64 all.c)" '.balign 64' "alignment"
lacks "$(asm -w -fno-asynchronous-unwind-tables all.c)" cfi "unwind tables"
gatecc -w -c -g -fno-asynchronous-unwind-tables all.c
has "$(readelf -SW all.o)" '.debug_frame' "for debuggers"
lacks "$(readelf -SW all.o)" '.eh_frame' "for debuggers only"
has "$(asm -w -fno-asynchronous-unwind-tables -fexceptions all.c)" cfi "exceptions"
gatecc -w -c -fpatchable-function-entry=5,2 leaf.c
has "$(readelf -SW leaf.o)" '__patchable_function_entries' "room for patches"
[ "$(objdump -d leaf.o | grep -c 'nop$')" = 5 ] || fail "room for patches"
refused "code model kernel does not support PIC mode" -mcmodel=kernel leaf.c
refused "there are only the small code model and the kernel's" -mcmodel=large leaf.c
has "$(asm -O1 -w -fno-pic -mcmodel=kernel all.c)" 'movq \$global' "kernel addresses"
refused "only -fstack-clash-protection probes the stack" -fstack-check leaf.c
refused "comparisons are made once" -fharden-compares leaf.c
refused "has a value that is not known" -fcf-protection=some leaf.c
refused "has a value that is not known" -fzero-call-used-regs=none leaf.c
refused "has a value that is not known" -ftrivial-auto-var-init=one leaf.c

# No vector register, no x87: a value that needs one is an error with its place.
grep -v 'floating\|extended' all.c >integers.c
text=$(asm -w -O1 -mno-sse -mno-mmx -mno-80387 -mskip-rax-setup integers.c)
lacks "$text" 'xmm\|fld\|fstp' "general registers only"
lacks "$(printf '%s\n' "$text" | grep -B 1 'call printf')" 'eax$' "-mskip-rax-setup"
refused "all.c:32:55: error: 'floating' uses a value of type 'double', with SSE disabled" -w -mgeneral-regs-only all.c
refused "uses a value of type 'long double', with x87 disabled" -w -msoft-float all.c
printf 'struct d { double x; };\nvoid g(struct d);\nvoid f(struct d *p) { g(*p); }\n' >passed.c
refused "uses a value of type 'double', with SSE disabled" -mno-sse passed.c
printf 'static double unused(double x) { return x; }\ndouble table[] = {1.5};\nint f(void) { return 1; }\n' >unused.c
gatecc -w -c -mno-sse unused.c || fail "what is not used"

# Types.
cat >types.c <<'END'
#include <stddef.h>
#include <stdio.h>
enum small { A = 1, B = 200 }; enum negative { C = -5 }; enum wide { D = 70000 };
struct s { char a; long b; short c; };
#pragma pack(push, 4)
struct four { char a; long b; };
#pragma pack(pop)
#pragma pack()
struct after { char a; long b; };
wchar_t text[] = L"a\u00e9\U0001f600";
#if L'\xffff' > 0
#define SIGN 1
#else
#define SIGN 0
#endif
int main(void) {
    printf("%zu %zu %zu %zu", sizeof(enum small), sizeof(enum negative), sizeof(enum wide), sizeof(struct s));
    printf(" %zu %zu %zu %zu %d", sizeof(struct four), sizeof(struct after), sizeof text, sizeof L'x', SIGN);
    printf(" %d %d %llx\n", __SIZEOF_WCHAR_T__, (__WCHAR_TYPE__)-1 < 0, (unsigned long long)__WCHAR_MAX__ + __WCHAR_WIDTH__);
    return 0;
}
END
for option in -fshort-wchar -fshort-enums -fpack-struct -fpack-struct=2 -fno-short-enums; do
    gcc -w $option -o types types.c && ./types >by-gcc
    gatecc -w $option -o types types.c && ./types >by-gatecc
    cmp by-gcc by-gatecc || fail "$option: $(cat by-gcc) but $(cat by-gatecc)"
done

# The interpreter has the same types and the same first values.
printf '#include <stdio.h>\nint main(void) { int x; printf("%%zu %%d\\n", sizeof L"ab", x); return 0; }\n' >front.c
[ "$(gate run rtl -w -fshort-wchar -ftrivial-auto-var-init=pattern front.c)" = "6 -16843010" ] || fail "gate run"

# What Linux asks for, together.
cat >thunks.s <<'END'
.globl __x86_return_thunk
__x86_return_thunk: ret
.irp r, rax, rcx, rdx, rbx, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
.globl __x86_indirect_thunk_\r
__x86_indirect_thunk_\r: jmp *%\r
.endr
.section .note.GNU-stack, ""
END
sed 's/"%g %Lg /"/; s/floating(1.5, 3), extended(9), //; /^APART.*\(floating\|extended\)(/d' all.c >kernel.c
gcc -w -o kernel kernel.c && ./kernel >expected
for level in -O0 -O1; do
    gatecc -w $level -fno-pic -no-pie -static -mcmodel=kernel -mno-red-zone -mno-sse -mno-mmx -mno-sse2 -mno-80387 -mno-avx \
        -mno-fp-ret-in-387 -mskip-rax-setup -fno-asynchronous-unwind-tables -fno-jump-tables -fno-strict-aliasing \
        -fno-strict-overflow -fno-delete-null-pointer-checks -fno-common -mindirect-branch=thunk-extern \
        -mindirect-branch-register -mindirect-branch-cs-prefix -mfunction-return=thunk-extern -mharden-sls=all \
        -fstack-protector-strong -ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr -fcf-protection=branch \
        -falign-functions=16 -fpatchable-function-entry=16,16 -fno-stack-clash-protection -o kernel kernel.c thunks.s
    ./kernel >found || fail "what Linux asks for, $level"
    cmp expected found || fail "what Linux asks for, $level"
done

# Certificates are accepted as ever, and forms keep what the emitter has to know.
hard='-fstack-protector-strong -fcf-protection=full -fstack-clash-protection -ftrivial-auto-var-init=pattern -fzero-call-used-regs=used'
for level in -O0 -O1; do
    gatecc -w $level $hard --certificate=all.cert -c all.c
    gatecheck all.cert >/dev/null || fail "the certificate of $level is not accepted"
done
gatecheck --text all.cert | grep -q '^  buffers.* chars' || fail "buffers are not marked"
printf '__attribute__((stack_protect, nocf_check, zero_call_used_regs("used-gpr"))) int f(void) { return 1; }\n' >marked.c
gatecc --emit=rtl -o marked.rtl marked.c
grep -q '@f() guarded untracked zero zero_used zero_general' marked.rtl || fail "attributes are lost"
gate show rtl marked.rtl | cmp - marked.rtl || fail "attributes are not read again"

# An initial value that nobody wrote is no excuse for a program that reads it; padding is zero.
printf 'int f(int n) { int x; if (n) x = 3; return x; }\nint g(void) { int y; return y; }\n' >unset.c
printf 'int h(int n) { struct { char c; long l; } a[n]; int z; a[0].c = 1; return z + a[0].c; }\n' >>unset.c
for init in zero pattern; do
    for level in -O0 -O1; do
        gatecc -Wall -Wmaybe-uninitialized -c $level unset.c 2>expected
        gatecc -Wall -Wmaybe-uninitialized -c $level -ftrivial-auto-var-init=$init unset.c 2>warnings
        grep -q 'is used uninitialized' warnings && cmp expected warnings || fail "warnings with $init"
    done
done
cat >begin.c <<'END'
#include <stdio.h>
#include <string.h>
struct padded { char c; long d; } ;
__attribute__((noinline)) void dirty(void) { volatile char b[2000]; memset((char *)b, 0x55, sizeof b); }
__attribute__((noinline)) void show(const void *p, unsigned n) { const unsigned char *b = p; while (n--) printf("%02x", *b++); puts(""); }
__attribute__((noinline)) void all(int n) {
    char text[13]; struct padded p = {1, 2}; struct padded q; long v[n]; int i; double d; long double e; _Bool t; void *r;
    __attribute__((uninitialized)) char free[64];
    float _Complex z; unsigned char c; short s; __int128 w; volatile int u;
    show(text, sizeof text); show(&p, sizeof p); show(&q, sizeof q); show(v, sizeof v);
    printf("%d %g %Lg %d %p %g %d %d %llx %d\n", i, d, e, t, r, __imag__ z, c, s, (unsigned long long)(w >> 64), u);
    (void)free;
    switch (n) { int k; case 3: k = 2; printf("%d\n", k); }
}
int main(void) { dirty(); all(3); return 0; }
END
for init in zero pattern; do
    gcc -w -O0 -ftrivial-auto-var-init=$init -o begin begin.c && ./begin >by-gcc
    for level in -O0 -O1; do
        gatecc -w $level -ftrivial-auto-var-init=$init -o begin begin.c && ./begin >by-gatecc
        diff by-gcc by-gatecc || fail "$level $init"
    done
done
