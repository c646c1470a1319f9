#!/bin/sh
# Built without libmicrohttpd, gate does all but --serve, which says what is missing.
set -eu
cc -std=c11 -D_GNU_SOURCE -I"$ROOT/src" -c -o serve.o "$ROOT/src/explore/serve.c"
! nm serve.o | grep -q MHD_ || exit 1
cc -o gate "$BUILT/obj/gate/gate.o" serve.o "$BUILT/lib/libgatecc.a" -lm 2>messages || { cat messages; exit 1; }
! ldd gate | grep -q microhttpd || exit 1
status=0
./gate explore --serve "$ROOT/examples/gcd.c" >output 2>messages || status=$?
[ $status = 2 ] && grep -q 'built without libmicrohttpd.*tools/install-deps explorer' messages && ! [ -s output ]
./gate explore --no-run -o page.html "$ROOT/examples/gcd.c" 2>/dev/null
[ -s page.html ]
