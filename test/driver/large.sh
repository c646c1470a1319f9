#!/bin/sh
# Functions larger than anyone writes, as programs that write C make them: at each level every pass is accepted,
# and four times the size takes not much more than four times the processor time.
set -eu
shape() { # name, size: the text of a file
    awk -v shape="$1" -v n="$2" '
        function straight(i) { # sums of hundreds of summands
            print "int g[64]; int f(int a, int b, int c) { int x = a, y = b, z = c;"
            for (i = 0; i < n; i++) {
                printf "x = x * %d + y; y ^= z + %d; z = x - y + %d; ", 5 * i + 1, 5 * i + 1, 5 * i + 2
                printf "g[%d] = x + z; x += g[%d] * 3;\n", (5 * i + 3) % 64, (5 * i + 4) % 64
            }
            print "return x + y + z; }"
        }
        function jumps(i, k) { # nests of loops as deep as the function is long, by gotos
            print "int h(int); int f(int *p, int m) {"
            for (k = 0; k < 20; k++) printf "int v%d = p[%d];\n", k, k
            for (i = 0; i < n; i++)
                printf "L%d: if (v%d > m) v%d += h(m); else { v%d ^= 3; if (v%d < 9) goto L%d; }\n", i,
                    i % 20, i * 7 % 20, i * 5 % 20, i * 3 % 20, i < 20 ? 0 : i - i * 13 % 20
            for (k = 0; k < 20; k++) printf "m = m * 5 + v%d;\n", k
            print "return m; }"
        }
        function nested(i) { # loops
            print "int f(int *p, int m) { int x = 0;"
            for (i = 0; i < n; i++) printf "for (int i%d = 0; i%d < m; i%d++) { x += p[i%d];\n", i, i, i, i
            for (i = 0; i < n; i++) print "}"
            print "return x; }"
        }
        function returns_twice(i) { # setjmp
            print "int setjmp(void *); extern char *e; int h(int);"
            print "int f(int a) { volatile int v = 0; int x = a;"
            for (i = 0; i < n; i++) printf "if (setjmp(e)) { v++; x += h(v); } else h(x + %d);\n", i
            print "return x + v; }"
        }
        BEGIN {
            if (shape == "straight") straight()
            if (shape == "jumps") jumps()
            if (shape == "nested") nested()
            if (shape == "returns_twice") returns_twice()
        }'
}
seconds() { # level, file: processor time
    gatecc "$1" -Werror=pipeline --time-report -c -o object.o "$2" 2>report || {
        cat report
        exit 1
    }
    awk '$1 == "total" { print $(NF - 1) }' report
}
compare() { # shape, size
    shape "$1" "$2" >small.c
    shape "$1" $((4 * $2)) >large.c
    for level in -O0 -O1 -O2; do
        small=$(seconds $level small.c)
        large=$(seconds $level large.c)
        # 4^1.5 times, and as much as the clock may err
        awk -v s="$small" -v l="$large" 'BEGIN { exit !(s > 0 && l <= 8 * s + 0.3) }' || {
            echo "$1 at $level: $small seconds for $2, $large for four times that"
            exit 1
        }
    done
}
compare straight 300
compare jumps 300
compare nested 50
compare returns_twice 2000
