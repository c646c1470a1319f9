#!/bin/bash
# Every attribute that __has_attribute claims does something that can be seen, or its row in attributes.def says why
# nothing has to be done; the others are not claimed, and are warned of or refused.
table=$ROOT/src/c/tables/attributes.def
failed=0

fail() {
    echo "$1"
    failed=1
}

rows() { # of these kinds: the names
    sed -n "s/^\($1\)(\"\([a-z_]*\)\".*/\2/p" "$table"
}

claimed() { echo "__has_attribute($1) __has_attribute(__$1__)" | gatecc -E -P -x c -; }

# Reads a program and compiles it with these options.
compile() {
    cat >"$name.c"
    gatecc "$@" "$name.c"
}

symbol() { nm "$name.o" | grep -q " $1 $2\$"; }
section() { readelf -SW "$name.o" | grep -q " $1 .* $2 "; }

# What each attribute does.
check_packed() { compile -fsyntax-only <<<'_Static_assert(sizeof(struct { char c; int i; } __attribute__((packed))) == 5, "");'; }
check_ms_struct() { compile -fsyntax-only <<<'_Static_assert(sizeof(struct __attribute__((ms_struct)) { char c : 1; int i : 1; }) == 8, "");'; }
check_gcc_struct() { compile -mms-bitfields -fsyntax-only <<<'_Static_assert(sizeof(struct __attribute__((gcc_struct)) { char c : 1; int i : 1; }) == 4, "");'; }
check_scalar_storage_order() {
    compile --emit=rtl -o - <<<'struct __attribute__((scalar_storage_order("big-endian"))) s { int i; }; int f(struct s *s) { return s->i; }' | grep -q bswap
}
check_no_reorder() {
    compile -O1 -S -o - <<<'static int first __attribute__((no_reorder)) = 1; asm("# between"); int second __attribute__((no_reorder)) = 2; int f(void) { return 3; }' |
        grep -oE '^[a-z]+:|# between' | paste -sd' ' | grep -q '^first: # between second: f:'
}
check_noreturn() { compile -Wall -Werror -c <<<'void end(void) __attribute__((noreturn)); int f(void) { end(); }'; }
check_weak() { compile -c <<<'int f(void) __attribute__((weak)); int f(void) { return 1; }' && symbol W f; }
check_used() { compile -c <<<'static void f(void) __attribute__((used)); static void f(void) {}' && symbol t f; }
check_unused() { compile -Wall -Werror -c <<<'static void f(void) __attribute__((unused)); static void f(void) {}'; }
check_always_inline() {
    { echo 'int k[9]; static inline __attribute__((always_inline)) void f(void) {'
      for i in $(seq 200); do echo "k[$((i % 9))] += k[$(((i + 4) % 9))];"; done
      echo '} void g(void) { f(); } void h(void) { f(); }'; } | compile -O1 -c && ! symbol t f
}
check_noinline() { compile -O2 -c <<<'static __attribute__((noinline)) int f(int x) { return x * 3; } int g(int x) { return f(x) + 1; }' && symbol t f; }
check_noipa() { compile -O2 -c <<<'static __attribute__((noipa)) int f(void) { return 1; } int g(void) { return f() + 1; }' && symbol t f; }
check_warn_unused_result() { compile -fsyntax-only 2>&1 <<<'int f(void) __attribute__((warn_unused_result)); void g(void) { f(); }' | grep -q -e -Wunused-result; }
check_gnu_inline() { compile -c <<<'extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int x;' && ! symbol T f; }
check_returns_twice() { compile --emit=rtl -o - <<<'int f(void) __attribute__((returns_twice)); int g(void) { return f(); }' | grep -q '@f() returns_twice'; }
check_transparent_union() { compile -Werror -fsyntax-only <<<'typedef union { int *i; long *l; } U __attribute__((transparent_union)); void f(U); void g(long *p) { f(p); }'; }
check_common() { compile -c <<<'int x __attribute__((common));' && symbol C x; }
check_nocommon() { compile -fcommon -c <<<'int x __attribute__((nocommon));' && symbol B x; }
check_retain() { compile -c <<<'int x __attribute__((retain)) = 1;' && section .data.x WAR; }
checks() { # options: how many checks are in the program
    compile --emit=rtl -fsanitize=undefined -fsanitize-trap -o - | grep -c ': check '
}
check_returns_nonnull() { [ "$(checks <<<'__attribute__((returns_nonnull)) char *f(char *p) { return p; }')" = 1 ]; }
check_nonnull() { [ "$(checks <<<'void f(char *, char *) __attribute__((nonnull(2))); void g(char *p, char *q) { f(p, q); }')" = 1 ]; }
check_no_sanitize() { [ "$(checks <<<'__attribute__((no_sanitize("undefined"))) int f(int x) { return x + 1; }')" = 0 ]; }
check_no_sanitize_undefined() { [ "$(checks <<<'__attribute__((no_sanitize_undefined)) int f(int x) { return x + 1; }')" = 0 ]; }
check_access() {
    compile --emit=rtl -o - <<<'__attribute__((access(write_only, 1, 2))) unsigned long f(char *p, unsigned long n) { return __builtin_dynamic_object_size(p, 0); }' | grep -q 'select.i64'
}
check_alloc_size() {
    compile --emit=rtl -o - <<<'void *make(int, unsigned long) __attribute__((alloc_size(2))); unsigned long f(void) { char *p = make(1, 30); return __builtin_object_size(p + 4, 0); }' | grep -q 'const.i64 26'
}
check_error() {
    compile -c <<<'void f(void) __attribute__((error("no"))); void g(int x) { if (x & 0) f(); }' &&
        ! compile -c 2>/dev/null <<<'void f(void) __attribute__((error("no"))); void g(int x) { if (x) f(); }'
}
check_warning() { compile -c 2>&1 <<<'void f(void) __attribute__((warning("no"))); void g(int x) { if (x) f(); }' | grep -q -e -Wattribute-warning; }
check_aligned() { compile -fsyntax-only <<<'int x __attribute__((aligned(64))); _Static_assert(__alignof__(x) == 64, "");'; }
check_section() { compile -c <<<'int x __attribute__((section("own"))) = 1;' && section own WA; }
check_noinit() { compile -c <<<'int x __attribute__((noinit));' && section .noinit WA; }
check_persistent() { compile -c <<<'int x __attribute__((persistent)) = 1;' && section .persistent WA; }
check_ifunc() { compile -c <<<'static int g(void) { return 1; } static int (*r(void))(void) { return g; } int f(void) __attribute__((ifunc("r")));' && symbol i f; }
check_alias() { compile -c <<<'int x = 1; extern int y __attribute__((alias("x")));' && symbol D y; }
check_weakref() { compile -c <<<'static int f(void) __attribute__((weakref("g"))); int h(void) { return f ? f() : 0; }' && symbol w g; }
check_symver() { compile -c <<<'int f(void) __attribute__((symver("g@@V"))); int f(void) { return 1; }' && symbol T g@@V; }
check_copy() { compile --emit=rtl -o - <<<'void f(void) __attribute__((noreturn)); void g(void) __attribute__((copy(f))); void h(void) { g(); }' | grep -q '@g() noreturn'; }
check_visibility() { compile -c <<<'__attribute__((visibility("hidden"))) int x;' && readelf -sW "$name.o" | grep -q 'HIDDEN .* x$'; }
check_deprecated() { compile -fsyntax-only 2>&1 <<<'int f(void) __attribute__((deprecated("why"))); int g(void) { return f(); }' | grep -q "'f' is deprecated: why"; }
check_unavailable() { compile -fsyntax-only 2>&1 <<<'int f(void) __attribute__((unavailable("why"))); int g(void) { return f(); }' | grep -q "error: 'f' is unavailable: why"; }
prints() { compile -o "$name.out" && [ "$("./$name.out")" = "$1" ]; }
check_constructor() { prints 12 <<<'#include <stdio.h>
static __attribute__((constructor)) void f(void) { printf("1"); } int main(void) { printf("2"); }'; }
check_destructor() { prints 12 <<<'#include <stdio.h>
static __attribute__((destructor)) void f(void) { printf("2"); } int main(void) { printf("1"); }'; }
check_cleanup() { prints 12 <<<'#include <stdio.h>
static void f(int *p) { printf("%d", *p); } int main(void) { int x __attribute__((cleanup(f))) = 2; printf("1"); }'; }
check_format() { compile -Wall -fsyntax-only 2>&1 <<<'void f(const char *, ...) __attribute__((format(printf, 1, 2))); void g(void) { f("%s", 1); }' | grep -q -e -Wformat; }
check_format_arg() { compile -Wall -fsyntax-only 2>&1 <<<'char *t(char *) __attribute__((format_arg(1))); void f(const char *, ...) __attribute__((format(printf, 1, 2))); void g(void) { f(t("%s"), 1); }' | grep -q -e -Wformat; }
check_mode() { compile -fsyntax-only <<<'int x __attribute__((mode(DI))); _Static_assert(sizeof x == 8, "");'; }
check_may_alias() { compile -O2 --emit=rtl -o - <<<'typedef int any __attribute__((may_alias)); int f(any *p) { return *p; }' | grep -q 'load.i32 \[%p\]$'; }
check_fallthrough() { compile -Wextra -Werror -fsyntax-only <<<'int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); case 2: x++; } return x; }'; }

guards() { compile -S -o - "$@" | grep -c __stack_chk_fail; }
check_stack_protect() { [ "$(guards -fstack-protector-explicit <<<'void g(void); __attribute__((stack_protect)) int f(void) { g(); return 1; }')" = 1 ]; }
check_no_stack_protector() { [ "$(guards -fstack-protector-all <<<'__attribute__((no_stack_protector)) int f(void) { return 1; }')" = 0 ]; }
check_optimize() { [ "$(guards -fstack-protector-all <<<'__attribute__((optimize("O2", "no-stack-protector"))) int f(void) { return 1; }')" = 0 ]; }
check_naked() { [ "$(compile -O0 -S -o - <<<'__attribute__((naked)) void f(void) { __asm__("ret"); }' | grep -c rbp)" = 0 ]; }
check_no_split_stack() { [ "$(compile -fsplit-stack -S -o - <<<'__attribute__((no_split_stack)) int f(void) { return 1; }' | grep -c morestack)" = 0 ]; }
check_interrupt() { compile -mgeneral-regs-only -S -o - <<<'__attribute__((interrupt)) void f(void *p) {}' | grep -q iretq; }
check_no_caller_saved_registers() { compile -mgeneral-regs-only -S -o - <<<'__attribute__((no_caller_saved_registers)) void f(void) {}' | grep -q 'popq %rax'; }
check_nocf_check() { [ "$(compile -fcf-protection -S -o - <<<'__attribute__((nocf_check)) int f(void) { return 1; }' | grep -c endbr64)" = 0 ]; }
check_zero_call_used_regs() { compile -S -o - <<<'__attribute__((zero_call_used_regs("all-gpr"))) int f(void) { return 1; }' | grep -q 'xorl %r9d, %r9d'; }
# Of what a pure or const function does, coverage need not know whether it comes back.
arcs() { compile --coverage -c && gcov-dump -l "$name.gcno" | grep -c " 2 arcs"; }
check_pure() { [ "$(arcs <<<'__attribute__((pure)) int f(int); int g(int x) { return f(x) + 1; }')" = 0 ]; }
check_const() { [ "$(arcs <<<'__attribute__((const)) int f(int); int g(int x) { return f(x) + 1; }')" = 0 ]; }
check_no_profile_instrument_function() {
    [ "$(compile --coverage -S -o - <<<'__attribute__((no_profile_instrument_function)) int f(int x) { return x; }' | grep -c '__gcov0')" = 0 ]
}
check_no_instrument_function() {
    [ "$(compile -finstrument-functions -S -o - <<<'__attribute__((no_instrument_function)) int f(int x) { return x; }' | grep -c __cyg_profile)" = 0 ]
}
check_uninitialized() { [ "$(compile -O0 --emit=rtl -ftrivial-auto-var-init=pattern -o - <<<'int f(void) { __attribute__((uninitialized)) int x; return x; }' | grep -c memset)" = 0 ]; }

for name in $(rows 'FLAG\|PARSED'); do
    [ "$(claimed "$name")" = '1 1' ] || fail "$name is done, but not claimed"
    if declare -F "check_$name" >/dev/null; then
        "check_$name" || fail "$name does not do what it should"
    else
        fail "nothing here shows what $name does"
    fi
done
for name in $(rows HARMLESS); do
    [ "$(claimed "$name")" = '1 1' ] || fail "$name is harmless, but not claimed"
    compile -Werror -fsyntax-only <<<"void f(void) __attribute__((__${name}__)); void g(void) __attribute__(($name(1, \"x\")));" ||
        fail "$name is not taken without a word"
done
for name in $(rows 'PARTIAL\|UNDONE\|REFUSED'); do
    [ "$(claimed "$name")" = '0 0' ] || fail "$name is claimed, but not done"
done
for name in $(rows UNDONE); do
    compile -fsyntax-only 2>&1 <<<"void f(void) __attribute__(($name(1)));" | grep -q "warning: the attribute '$name' is ignored: " ||
        fail "$name is not warned of"
done
for name in $(rows REFUSED); do
    compile -fsyntax-only 2>&1 <<<"void f(void) __attribute__(($name(1)));" | grep -q "error: the attribute '$name' is not supported: " ||
        fail "$name is not refused"
done
[ "$(rows 'FLAG\|PARSED' | wc -l)" -gt 30 ] && [ "$(rows HARMLESS | wc -l)" -gt 25 ] || fail "the table was not understood"
exit $failed
