#!/bin/sh
# Data-flow evaluation keeps one iteration of each loop: a million iterations, loops nested 40 deep and calls
# 20,000 deep take no more memory than few. It takes no recursion on the host's stack.
set -u
failed=0

cat >million.c <<'END'
#include <stdio.h>
int table[16];
int main(void) {
    unsigned sum = 1, last = 0;
    for (int i = 0; i < 1000000; i++) {
        table[i & 15] += sum;
        sum = sum & 1 ? sum * 3 + i : sum / 2;
    }
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1000; j++) last = last * 5 + (i ^ j);
    printf("%u %u %d\n", sum, last, table[3]);
    return 0;
}
END

awk 'BEGIN {
    print "#include <stdio.h>\nint main(void) {\n    unsigned n = 0;"
    for (i = 0; i < 40; i++) printf "for (int i%d = 0; i%d < %d; i%d++) { n += i%d + 1;\n", i, i, i % 4 ? 1 : 2, i, i
    for (i = 0; i < 40; i++) printf "if (n %% 1000003 == %d) break; }\n", i
    print "printf(\"%u\\n\", n); return 0; }"
}' >nested.c

cat >calls.c <<'END'
#include <stdio.h>
int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
    printf("%d %d\n", depth(20000), fib(18));
    return 0;
}
END

for name in million nested calls; do
    gate run gsa "$name.c" >expected &&
        (ulimit -v 120000 && ulimit -s 1000 && gate run gsa --dataflow "$name.c" >found) &&
        cmp expected found && continue
    echo "$name.c failed"
    failed=1
done
exit $failed
