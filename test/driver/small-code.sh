#!/bin/sh
# -Os makes less code than -O2: bodies are not copied to many calls, loops keep one test, nothing is aligned.
# -O2 copies a body of medium size to few calls, not to many.
set -eu
make_calls() { # NUMBER of loops, each with a call of a body of some 45 nodes
    cat <<'END'
static int mix(int *p, int a, int b) {
    p[0] += a; p[1] -= b; p[2] ^= a; p[3] |= b; p[4] += a ^ b; p[5] -= a & b; p[6] ^= a | b; p[7] += p[0] * b;
    return p[7];
}
END
    for i in $(seq "$1"); do
        echo "int f$i(int *p, int n) { int s = $i; for (int i = 0; i < n; i++) s += mix(p, i, s); return s; }"
    done
}
size_of() { # LEVEL FILE: bytes of code
    gatecc "$1" -c -o x.o "$2"
    size x.o | awk 'NR == 2 { print $1 }'
}
calls_of() { # LEVEL FILE
    gatecc "$1" -S -o - "$2" | grep -c 'call.*mix' || true
}
make_calls 2 >few.c
make_calls 20 >many.c
[ "$(calls_of -O2 few.c)" = 0 ]
[ "$(calls_of -O2 many.c)" = 20 ]
[ "$(calls_of -Os few.c)" = 2 ]
[ "$(size_of -Os many.c)" -lt "$(size_of -O2 many.c)" ]
[ "$(size_of -Oz many.c)" = "$(size_of -Os many.c)" ]
# A loop that -O2 turns over has two tests there, and one at -Os.
echo 'int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }' >loop.c
gatecc -O2 -S -o - loop.c | grep -q p2align.*10
if gatecc -Os -S -o - loop.c | grep p2align.*10; then exit 1; fi
# Where a loop lies matters only if it holds neither a call nor another loop; functions start at
# multiples of 16 from -O2 on.
gatecc -O1 -S -o - loop.c >loop.s
[ "$(grep -c p2align loop.s)" = 1 ]
[ "$(gatecc -O2 -S -o - loop.c | grep -c 'p2align 4$')" = 1 ]
echo 'void call(int); void all(int n) { for (int i = 0; i < n; i++) call(i); }' >calls.c
if gatecc -O2 -S -o - calls.c | grep p2align.*10; then exit 1; fi
echo 'int sums(int (*p)[9]) { int s = 0; for (int i = 0; i < p[8][8]; i++) for (int k = 0; k < p[i][0]; k++) s = 3 * s + p[i][k];
    return s; }' >nest.c
[ "$(gatecc -O1 -S -o - nest.c | grep -c p2align)" = 1 ]
[ "$(size_of -Os loop.c)" -lt "$(size_of -O2 loop.c)" ]
