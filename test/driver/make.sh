#!/bin/sh
# A build with make -j: rules from -MMD make it rebuild what it must and nothing else.
set -eu
mkdir sub
cat >Makefile <<'END'
CC = gatecc
CFLAGS = -O2 -g -Wall -MMD -MP -fPIC
OBJECTS = main.o sub/one.o sub/two.o
program: $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
-include $(OBJECTS:.o=.d)
END
echo '#define NUMBER 1' >sub/number.h
printf '#include "number.h"\nint one(void) { return NUMBER; }\n' >sub/one.c
echo 'int two(void) { return 2; }' >sub/two.c
cat >main.c <<'END'
#include <stdio.h>
int one(void), two(void);
int main(void) { printf("%d\n", one() + two()); }
END
make -j4 >out 2>&1 || { cat out; exit 1; }
[ "$(./program)" = 3 ]
make -j4 >out 2>&1
grep -q 'is up to date' out
sleep 1
echo '#define NUMBER 40' >sub/number.h
make -j4 >out 2>&1
[ "$(grep -c -- ' -c ' out)" = 1 ]
[ "$(./program)" = 42 ]
rm sub/number.h # a header that is gone and not needed does not stop the build
echo 'int one(void) { return 5; }' >sub/one.c
make -j4 >out 2>&1 || { cat out; exit 1; }
[ "$(./program)" = 7 ]
[ -z "$(ls -A | grep '^\.gatecc')" ]
