#!/bin/bash
# -fprofile-use: what a program has counted advises where registers go, in what order blocks stand and what is inlined. Profiles
# that are stale, missing or damaged are told of as gcc does, and never more than that.
set -eu
cat >hot.c <<'C'
#include <stdio.h>
void note(long a, long b, long c, long d);
__attribute__((noinline)) long work(const int *p, long n, long a, long b, long c, long d, long e, long f) {
    long s = 0, t = 1, u = 2, v = 3, w = 4, x = 5, y = 6;
    for (long i = 0; i < n; i++) {
        if (p[i] == 0) {
            s += a ^ t; t += b ^ u; u += c ^ v; v += d ^ w;
        } else {
            for (int k = 0; k < 3; k++) { // what the estimate takes for frequent
                w += x * e + k; x += y * f - s; y += w ^ x; s -= y + e; x ^= f + k;
                note(w, x, y, s);
            }
        }
    }
    return s + t + u + v + w + x + y;
}
long noted;
__attribute__((noinline)) void note(long a, long b, long c, long d) { noted += a ^ b ^ c ^ d; }
int main(void) {
    enum { N = 1000 };
    static int p[N];
    p[N / 2] = 1;
    long r = 0;
    for (int i = 0; i < 20; i++) r += work(p, N, i, 2, 3, 4, 5, 6);
    printf("%ld %ld\n", r, noted);
}
C
fail() { echo "$1"; exit 1; }
# The frequent way from the test to where the ways meet, as assembler text: from the first loop's label on, up to a jump or label.
way() { sed -n '/^work:/,/ret$/p' "$1" | sed -n '/cmpl.*0, (/,$p' | sed -n '3,$p' | sed '/^\.L\|jmp\|align/,$d'; }

for level in 1 2; do
    gatecc -O$level -S hot.c -o plain.s
    gatecc -O$level -fprofile-generate -c hot.c -o hot.o
    gatecc -fprofile-generate hot.o -o hot
    rm -f hot.gcda
    ./hot >expected
    gatecc -O$level -Werror -fprofile-use --certificate=hot.gcert -c hot.c -o hot.o 2>log || { cat log; exit 1; }
    gatecheck hot.gcert >log || { cat log; exit 1; }
    gatecc -O$level -fprofile-use=hot.gcda -S hot.c -o used.s
    gatecc -O$level -fbranch-probabilities -S hot.c -o hot.s
    cmp used.s hot.s
    gatecc used.s -o used
    ./used | cmp - expected
    # Everything on the frequent way is in registers now, and control falls through it.
    way used.s >frequent
    [ "$(wc -l <frequent)" -ge 8 ] || fail "other code than expected"
    if grep -q '(%rsp)' frequent; then fail "memory on the frequent way at -O$level"; fi
    way plain.s | grep -q '(%rsp)' || fail "the test shows nothing at -O$level"
    # With -g the code is the same.
    gatecc -O$level -fprofile-use=hot.gcda -g -c hot.c -o debug.o
    gatecc -O$level -fprofile-use=hot.gcda -c hot.c -o plain.o
    objcopy -O binary -j .text debug.o debug.text
    objcopy -O binary -j .text plain.o plain.text
    cmp debug.text plain.text
done

# Switched off, or without a profile, it is the code that it was.
gatecc -O1 -S hot.c -o plain.s
gatecc -O1 -fprofile-use=hot.gcda -fno-profile-use -S hot.c -o off.s
cmp plain.s off.s

# A directory has names with the whole path in them.
mkdir d
cp hot.gcda "d/$(pwd | tr / '#')#hot.gcda"
gatecc -O2 -Werror -fprofile-use=d -c hot.c -o hot.o

# A call that runs often may be replaced by a larger body, one that runs seldom not.
cat >calls.c <<'C'
extern int sink[64];
int mixed(int a, int b) {
    int r = a;
#define STEP(k) r = (r ^ b) * (k) + sink[k]; sink[k + 1] = r;
    STEP(1) STEP(3) STEP(5) STEP(7) STEP(9) STEP(11) STEP(13) STEP(15)
    return r;
}
int sink[64];
int often(int n) { int r = 0; for (int i = 0; i < n; i++) r += mixed(i, n); return r; }
int seldom(int n) { int r = 0; for (int i = 0; i < n; i++) r -= mixed(n, i); return r; }
int main(void) { return (often(100000) + seldom(1)) & 0; }
C
calls() { sed -n "/^$1:/,/ret\$/p" calls.s | grep -c 'call.*mixed' || true; }
gatecc -O1 -S calls.c
[ "$(calls often) $(calls seldom)" = "1 1" ] || fail "mixed is small enough"
gatecc -O1 -fprofile-generate -c calls.c && gatecc -fprofile-generate calls.o -o calls && ./calls
gatecc -O1 -fprofile-use -S calls.c
[ "$(calls often) $(calls seldom)" = "0 1" ] || fail "calls: $(calls often) $(calls seldom)"

# ---- What does not fit
gatecc -O1 -fprofile-generate -c hot.c && gatecc -fprofile-generate hot.o -o hot && rm hot.gcda && ./hot >expected
cp hot.gcda good
tells() { # status, text, options
    local status=0 wanted=$1 text=$2
    shift 2
    gatecc -O1 -fprofile-use "$@" >log 2>&1 || status=$?
    [ $status = "$wanted" ] || { cat log; fail "status $status of $*"; }
    if [ "$text" ]; then grep -qF -- "$text" log || { cat log; fail "not told: $text"; }; else [ ! -s log ] || { cat log; exit 1; }; fi
}
tells 0 "" -c hot.c
sed -i 's/s += a ^ t;/if (a) s += a ^ t;/' hot.c
tells 1 "error: number of counters in profile data for function 'work' does not match its profile data (counter 'arcs', expected 5 and have 6) [-Werror=coverage-mismatch]" -c hot.c
tells 0 "warning: number of counters in profile data for function 'work'" -c hot.c -Wno-error=coverage-mismatch
tells 0 "" -c hot.c -Wno-coverage-mismatch
sed -i 's/if (a) s += a ^ t;/s += a ^ t;/; 2s/^/\n/' hot.c
tells 1 "source locations for function 'work' have changed, the profile data may be out of date [-Werror=coverage-mismatch]" -c hot.c
sed -i 2d hot.c
tells 0 "" -c hot.c

# Bytes 4 to 15 of a function's record are what it is known by; that of the second function starts at 60 or so.
cat >new.c <<'C'
int old(int a) { return a ? 1 : 2; }
int main(void) { return old(1) - 1; }
C
gatecc -O1 -fprofile-generate -c new.c && gatecc -fprofile-generate new.o -o new && ./new
cp new.gcda good
sed -i 's/^int main/int added(void) { return 3; }\n&/' new.c
tells 0 "new.c:2:5: warning: profile for function 'added' not found in profile data [-Wmissing-profile]" -c new.c -Wno-coverage-mismatch
tells 0 "" -c new.c -Wno-coverage-mismatch -Wno-missing-profile
sed -i 2d new.c
tells 0 "" -c new.c
printf '\1\2\3' | dd of=new.gcda bs=1 seek=48 conv=notrunc status=none # after head, summary, tag, length, two words
tells 1 "error: the control flow of function 'old' does not match its profile data (counter 'arcs') [-Werror=coverage-mismatch]" -c new.c
rm new.gcda
tells 0 "new.c:1:5: warning: '$PWD/new.gcda' profile count data file not found [-Wmissing-profile]" -c new.c
tells 0 "" -c new.c -Wno-missing-profile
echo 'something else' >new.gcda
tells 0 "'$PWD/new.gcda' is not a gcov data file" -c new.c
printf 'adcg*00A' >new.gcda
tells 0 "'$PWD/new.gcda' is version 'A00*', expected version" -c new.c

# However a file is damaged, gatecc says so or takes it as it is.
size=$(stat -c %s good)
for ((k = 16; k < size; k += 5)); do
    head -c $k good >new.gcda
    tells 1 "'$PWD/new.gcda' is corrupted" -c new.c
done
for ((k = 8; k < size; k += 3)); do
    cp good new.gcda
    printf '\377' | dd of=new.gcda bs=1 seek=$k conv=notrunc status=none
    status=0
    gatecc -O1 -fprofile-use -S new.c >log 2>&1 || status=$?
    [ $status -le 1 ] || { cat log; fail "byte $k"; }
done
