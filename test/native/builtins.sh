#!/bin/bash
# Every builtin function that __has_builtin claims compiles, links and gives what gcc's gives, for a sample of
# arguments that the compiler does not know and, where it may fold them, for the same ones as constants. The names
# come from the tables: a new row is tested without being listed here, or has to be given a sample.
gatecc=${GATECC:-gatecc}
table=$ROOT/src/c/tables/cbuiltins.def library=$ROOT/src/c/tables/library.def

# Rows that are parsed by hand have samples of their own: NAME, expression. Others are in no libc.
samples() {
    cat <<'END'
__builtin_choose_expr	__builtin_choose_expr(1, 2, "x")
__builtin_types_compatible_p	__builtin_types_compatible_p(int, const int) + 2 * __builtin_types_compatible_p(int, long)
__builtin_has_attribute	__builtin_has_attribute(struct sample, packed) + 2 * __builtin_has_attribute(const struct sample __attribute__((aligned(8))), aligned(8))
__builtin_offsetof	__builtin_offsetof(struct sample, inner[2].y)
__builtin_constant_p	__builtin_constant_p(3) + 2 * __builtin_constant_p(vi)
__builtin_classify_type	__builtin_classify_type(vd) * 100 + __builtin_classify_type(text)
__builtin_object_size	__builtin_object_size(unknown, 0) * 2 + __builtin_object_size(unknown, 2)
__builtin_dynamic_object_size	__builtin_dynamic_object_size(unknown, 0) * 2 + __builtin_dynamic_object_size(unknown, 2)
__builtin_LINE	__builtin_LINE() > 0
__builtin_FILE	__builtin_strlen(__builtin_FILE()) > 0
__builtin_FUNCTION	__builtin_strlen(__builtin_FUNCTION()) > 0
__builtin_expect	__builtin_expect(vl, 1)
__builtin_expect_with_probability	__builtin_expect_with_probability(vl, 1, 0.5)
__builtin_assume_aligned	(char *)__builtin_assume_aligned(buffer, 16) - buffer
__builtin_speculation_safe_value	__builtin_speculation_safe_value(vi)
__builtin_assoc_barrier	__builtin_assoc_barrier(vd + 1) + 1
__builtin_prefetch	(__builtin_prefetch(buffer, 0, 1), 1)
__builtin___clear_cache	(__builtin___clear_cache(buffer, buffer + 8), 1)
__builtin_ia32_pause	(__builtin_ia32_pause(), 1)
__builtin_frame_address	__builtin_frame_address(0) != 0
__builtin_return_address	__builtin_return_address(0) != 0
__builtin_extract_return_addr	__builtin_extract_return_addr(buffer) == buffer
__builtin_frob_return_addr	__builtin_frob_return_addr(buffer) == buffer
__builtin_alloca	((char *)__builtin_memset(__builtin_alloca(vi), 7, 3))[2]
__builtin_alloca_with_align	(long)__builtin_alloca_with_align(vi, 512) % 64
__builtin_alloca_with_align_and_max	(long)__builtin_alloca_with_align_and_max(vi, 512, 100) % 64
__builtin_stack_save	({ void *saved = __builtin_stack_save(); __builtin_stack_restore(saved); saved != 0; })
__builtin_stack_restore	({ void *saved = __builtin_stack_save(); __builtin_stack_restore(saved); saved != 0; })
__builtin_clear_padding	({ struct sample s; __builtin_memset(&s, 7, sizeof s); __builtin_clear_padding(&s); ((char *)&s)[1] + 10 * ((char *)&s)[0]; })
__builtin_complex	__builtin_cimag(__builtin_complex(vd, vd))
__builtin_fpclassify	__builtin_fpclassify(1, 2, 3, 4, 5, vd) * 10 + __builtin_fpclassify(1, 2, 3, 4, 5, vd / 0)
__builtin_va_start	varying(3, 4, 5, 6)
__builtin_stdarg_start	varying(3, 4, 5, 6)
__builtin_va_arg	varying(3, 4, 5, 6)
__builtin_va_end	varying(3, 4, 5, 6)
__builtin_va_copy	varying(3, 4, 5, 6)
__builtin_va_arg_pack	packing(3, 4, 5, 6)
__builtin_va_arg_pack_len	packing(3, 4, 5, 6)
__builtin_nan	__builtin_isnan(__builtin_nan(""))
__builtin_nanf	__builtin_isnan(__builtin_nanf("1"))
__builtin_nanl	__builtin_isnan(__builtin_nanl("0x5"))
__builtin_nanf16	__builtin_isnan(__builtin_nanf16(""))
__builtin_nansf16	__builtin_isnan(__builtin_nansf16(""))
__builtin_nanf32	__builtin_isnan(__builtin_nanf32(""))
__builtin_nanf64	__builtin_isnan(__builtin_nanf64(""))
__builtin_nans	__builtin_isnan(__builtin_nans(""))
__builtin_nansf	__builtin_isnan(__builtin_nansf(""))
__builtin_nansl	__builtin_isnan(__builtin_nansl(""))
__builtin_nansf32	__builtin_isnan(__builtin_nansf32(""))
__builtin_nansf64	__builtin_isnan(__builtin_nansf64(""))
__builtin_nansf32x	__builtin_isnan(__builtin_nansf32x(""))
__builtin_nansf64x	__builtin_isnan(__builtin_nansf64x(""))
__builtin_tgmath	tgmath_sine(vf) + tgmath_sine(vd)
__atomic_test_and_set	({ char c = 0; __atomic_test_and_set(&c, 5) * 10 + c; })
__atomic_clear	({ char c = 1; __atomic_clear(&c, 5); c; })
__atomic_thread_fence	(__atomic_thread_fence(5), 1)
__atomic_signal_fence	(__atomic_signal_fence(5), 1)
__atomic_is_lock_free	__atomic_is_lock_free(4, 0)
__atomic_always_lock_free	__atomic_always_lock_free(8, 0)
__atomic_load	({ int x = 5, y; __atomic_load(&x, &y, 5); y; })
__atomic_store	({ int x = 5, y = 6; __atomic_store(&x, &y, 5); x; })
__atomic_exchange	({ int x = 5, y = 6, z; __atomic_exchange(&x, &y, &z, 5); x * 10 + z; })
__atomic_compare_exchange	({ int x = 5, y = 5, z = 7; __atomic_compare_exchange(&x, &y, &z, 0, 5, 5) * 100 + x * 10 + y; })
__sync_synchronize	(__sync_synchronize(), 1)
__builtin_trap	1 || (__builtin_trap(), 0)
__builtin_unreachable	1 || (__builtin_unreachable(), 0)
__builtin_unwind_init	0 ? (__builtin_unwind_init(), 0) : 1
END
}

absent='pow10|pow10f|pow10l|[a-z]*_unlocked|__powi[dsx]f2|gamma_r|gammaf_r|gammal_r|__builtin_(long|set)jmp'
present='fputc_unlocked|putchar_unlocked|fputs_unlocked|fwrite_unlocked'
# Called, these would end the program, wait, or answer with what is not the compiler's: they are linked only.
only_linked='_Exit|_exit|abort|exit|fork|exec[a-z]*|v[a-z]*|__v[a-z_]*|scanf|fscanf|free|realloc|calloc|malloc|aligned_alloc|alloca|posix_memalign|strdup|strndup|strftime|strfmon|d?c?gettext|f[a-z]*print[a-z_]*|fput[a-z_]*|fwrite[a-z_]*|__fprintf_chk|nan[fl]?|strcat|__strcat_chk|gamma[fl]?'

# NAME SIGNATURE of every name of the library, those with rows for float and long double included.
library_rows() {
    sed -n 's/^LIBRARY("\([^"]*\)", "\([^"]*\)").*/\1 \2/p' "$library"
    sed -n 's/^FLOATING("\([^"]*\)", "\([^"]*\)").*/\1 \2/p' "$library" | while read -r name types; do
        echo "$name $types"
        echo "${name}f $(tr dDz fGy <<<"$types")"
        echo "${name}l $(tr dDz eEx <<<"$types")"
    done
}

# Calls of library functions, by name and as __builtin_NAME: unknown arguments, then constants.
library_calls() {
    library_rows | grep -vE "^($absent) " && library_rows | grep -E "^($present) "
}

make_program() {
    cat <<'END'
#include <stdio.h>
#include <string.h>
typedef __builtin_va_list va_list;
struct sample { char c; struct { int x, y; } inner[3]; };
static volatile int vi = 3; static volatile unsigned vu = 5; static volatile long vl = 7; static volatile unsigned long vm = 2;
static volatile long long vL = 9; static volatile unsigned long long vM = 9; static volatile unsigned short vt = 513;
static volatile _Float16 vh = 0.625f16; static volatile float vf = 0.625f; static volatile double vd = 0.625; static volatile long double ve = 0.625L;
static volatile _Complex double vz = 0.5 + 0.25i; static volatile _Complex float vy = 0.5f + 0.25fi; static volatile _Complex long double vx = 0.5L + 0.25Li;
static char buffer[64] __attribute__((aligned(16))); static const char *volatile vtext = "text"; static void *volatile unknown = buffer;
static const char text[] = "text"; static int *pi = (int *)buffer; static void *slots[8];
static void show_integer(const char *name, long value) { printf("%s %ld\n", name, value); }
static void show_floating(const char *name, long double value) { printf("%s %La\n", name, value); }
static void show_complex(const char *name, _Complex long double value) { printf("%s %La %La\n", name, __real__ value, __imag__ value); }
static void show_pointer(const char *name, const void *p) {
    long in = (const char *)p - buffer;
    if (in >= 0 && in < 64) printf("%s buffer + %ld %.8s\n", name, in, buffer); else printf("%s %s\n", name, p ? "somewhere" : "null");
}
// gcc would round what it knows otherwise than the library does.
#ifdef REFERENCE
#define KNOWN(known, unknown) unknown
#else
#define KNOWN(known, unknown) known
#endif
#define SHOW(name, value) _Generic((value), float: show_floating, double: show_floating, long double: show_floating, \
    _Complex float: show_complex, _Complex double: show_complex, _Complex long double: show_complex, \
    char *: show_pointer, const char *: show_pointer, void *: show_pointer, default: show_integer)(name, value)
static int varying(int count, ...) {
    va_list list, copy; int sum = 0;
    __builtin_va_start(list, count); __builtin_va_copy(copy, list);
    for (int i = 0; i < count; i++) sum += __builtin_va_arg(list, int) * 10;
    sum += __builtin_va_arg(copy, int);
    __builtin_va_end(list); __builtin_va_end(copy);
    return sum;
}
static inline __attribute__((always_inline)) int packing(int count, ...) {
    return varying(count, __builtin_va_arg_pack()) * 10 + __builtin_va_arg_pack_len();
}
float sinf(float); double sin(double); long double sinl(long double);
#define tgmath_sine(x) __builtin_tgmath(sinf, sin, sinl, (x))
END
    samples | awk -F'\t' '{ printf "static void by_hand_%d(void) { SHOW(\"%s\", %s); }\n", NR, $1, $2; calls = calls "    by_hand_" NR "();\n" }
        END { print "static void by_hand(void) {\n" calls "}" }'
    { library_calls | while read -r name types; do
          echo "$name $types $name"
          case $name in _*) ;; *) echo "__builtin_$name $types $name" ;; esac
      done | sort -u
      sed -n 's/^FUNCTION("\([^"]*\)", *\([A-Z_]*\), *\([A-Z_a-z0-9]*\), *"\([^"]*\)").*/\1 =\4 \2/p' "$table"
      sed -n 's/^SIZED("\([^"]*\)", *\([A-Z_a-z0-9]*\), *"\([^"]*\)").*/\1 @\3 \2/p' "$table"
    } | awk -v only="^(__builtin_)?($only_linked)$" -v hand="$(samples | cut -f 1 | tr '\n' ' ')" '
        BEGIN {
            split(hand, list, " "); for (i in list) by_hand[list[i]] = 1
            # library.def
            split("c i u l m L M f d e p P S C W w I G D E z y x A F V Q", letter, " ")
            split("(char)vi|vi + 94|vu|vl|vm|vL|vM|vf|vd|ve|(void *)buffer|(const void *)vtext|(char *)buffer|vtext|L\"text\"|vi + 94u|pi|(float *)buffer|(double *)buffer|(long double *)buffer|vz|vy|vx|*(va_list *)slots|stdout|(char *const *)slots|slots", value, "|")
            split("(char)3|97|5u|7L|2ul|9LL|9ull|0.625f|0.625|0.625L|(void *)buffer|(const void *)text|(char *)buffer|\"text\"|L\"text\"|97u|pi|(float *)buffer|(double *)buffer|(long double *)buffer|0.5 + 0.25i|0.5f + 0.25fi|0.5L + 0.25Li|*(va_list *)slots|stdout|(char *const *)slots|slots", constant, "|")
            for (i in letter) { unknown[letter[i]] = value[i]; known[letter[i]] = constant[i] }
            # cbuiltins.def
            split("i u l m x y w t h f d e F D G H p P s ?", letter, " ")
            split("vi|vu|vl|vm|vL|vM|(unsigned __int128)vM << 70|vt|vh|vf|vd|ve|vf|vd|vd|ve|(void *)buffer|(const void *)vtext|vtext|vd", value, "|")
            split("3|5u|7L|2ul|9LL|9ull|(unsigned __int128)9 << 70|(unsigned short)513|0.625f16|0.625f|0.625|0.625L|0.625f|0.625|0.625|0.625L|(void *)buffer|(const void *)text|\"text\"|0.625", constant, "|")
            for (i in letter) { unknown["=" letter[i]] = value[i]; known["=" letter[i]] = constant[i] }
        }
        function arguments(types, from, mark, name,    i, c, out, size) {
            out = ""
            size = name ~ /_chk$/ && match(types, /m[^m]*$/) ? RSTART : 0 # of the whole buffer
            for (i = from; i <= length(types); i++) {
                c = substr(types, i, 1)
                if (c == "." || c == "!") continue
                out = out (out == "" ? "" : ", ") (i == size ? "60" : constants ? "KNOWN(" known[mark c] ", " unknown[mark c] ")" : unknown[mark c])
            }
            return out
        }
        function emit(name, call, result, run,    id) {
            id = ++count
            printf "%s void call_%d(void) { ", run ? "static" : "extern", id
            if (run) printf "memset(buffer, 0, sizeof buffer); memcpy(buffer, \"sample\", 6); "
            if (result == "v") printf "%s; SHOW(\"%s\", (const char *)buffer); }\n", call, name
            else printf "SHOW(\"%s\", %s%s); }\n", name, result ~ /[hfdeFDGH]/ ? "(long double)" : "", call
            if (run) body = body "    call_" id "();\n"
        }
        substr($2, 1, 1) == "@" { # atomic
            letters = substr($2, 3); result = substr($2, 2, 1)
            for (size = 0; size <= 8; size = size ? size * 2 : 1) {
                type = size == 1 ? "char" : size == 2 ? "short" : size == 8 ? "long" : "int"
                name = $1; if (size) { sub(/_n$/, "", name); name = name "_" size }
                args = ""
                for (i = 1; i <= length(letters); i++) {
                    c = substr(letters, i, 1)
                    if (c == ".") continue
                    args = args (args == "" ? "" : ", ") (c == "O" ? "&x" : c == "R" ? "&y" : c == "V" ? (i == 2 && letters ~ /VV/ ? "6" : "3") : c == "M" ? (name ~ /store/ ? "3" : "0") : "0")
                }
                call = name "(" args ")"
                emit(name, "({ " type " x = 6, y = 6; long r = " (result == "v" ? "0; " call : call) "; r * 10000 + x * 100 + y; })", "i", 1)
            }
            next
        }
        by_hand[$1] { next }
        substr($2, 1, 1) == "=" { # a builtin with a signature
            types = substr($2, 2)
            if (types == "" || $3 == "OVERFLOW" || $3 == "OVERFLOW_P") {
                if ($3 !~ /^OVERFLOW/) { print "#error \"no sample for " $1 "\""; next }
                type = types == "" ? "short" : types == "i" ? "int" : types == "u" ? "unsigned" : types == "l" ? "long" : types == "m" ? "unsigned long" : types == "x" ? "long long" : "unsigned long long"
                last = $3 == "OVERFLOW" ? "&r" : "(short)0"
                emit($1, "({ " type " r = 0; int o = " $1 "((" type ")(vi - 4), (" type ")0x7fff, " last "); (long)r * 2 + o; })", "i", 1)
                emit($1, "({ " type " r = 0; int o = " $1 "((" type ")-1, (" type ")0x7fff, " last "); (long)r * 2 + o; })", "i", 1)
                next
            }
            for (constants = 0; constants <= 1; constants++)
                emit($1, $1 "(" arguments(types, 2, "=", $1) ")", substr(types, 1, 1), 1)
            next
        }
        { # a function of the library
            run = $3 !~ only && $2 !~ /[AFVQ!]/
            for (constants = 0; constants <= run; constants++)
                emit($1, $1 "(" arguments($2, 2, "", $1) ")", $2 ~ /!/ ? "v" : substr($2, 1, 1), run)
        }
        END { print "int main(void) {\n    setvbuf(stdout, 0, _IONBF, 0);\n    by_hand();\n" body "    return 0;\n}" }'
}

make_program >builtins.c
gcc -DREFERENCE -O1 -w -o by-gcc builtins.c -lm 2>by-gcc.log || { cat by-gcc.log; exit 1; }
./by-gcc >by-gcc.txt || exit 1
failed=0
for level in -O0 -O1; do
    $gatecc $level -w -o by-gatecc builtins.c -lm || exit 1
    ./by-gatecc >by-gatecc.txt || { echo "the program ends with status $?"; failed=1; }
    diff by-gcc.txt by-gatecc.txt || failed=1
done
[ "$(wc -l <by-gcc.txt)" -gt 1000 ] || { echo "only $(wc -l <by-gcc.txt) values were compared"; failed=1; }

# All that was tested is claimed, and what is not done is not.
names() { sed -n 's/.*SHOW("\([A-Za-z0-9_]*\)".*/\1/p' builtins.c | sort -u; }
names | sed 's/.*/__has_builtin(&) &/' >claims.c
gatecc -E -P claims.c | grep -v '^1 ' && { echo "these are done, but not claimed"; failed=1; }
for name in $(sed -n 's/^PARTIAL("\([^"]*\)".*/\1/p' "$table"); do
    [ "$(echo "__has_builtin($name)" | gatecc -E -P -x c -)" = 0 ] || { echo "$name is claimed, but not done"; failed=1; }
done
[ "$(names | wc -l)" -gt 700 ] || { echo "only $(names | wc -l) names were found"; failed=1; }
exit $failed
