#!/bin/sh
# The makefile, on a small copy of the tree: an incremental build rebuilds what changed and nothing
# else, other flags rebuild everything, a file that is gone leaves the library, install copies.
set -eu
mkdir tree
cd tree
cp -R "$ROOT/Makefile" "$ROOT/tools" .
mkdir -p src/base src/gate src/lib include docs/man packaging
echo 'decides base/*' >src/tiers.txt
printf '#define ONE 1\nint one(void);\n' >src/base/one.h
printf '#include "base/one.h"\nint one(void) { return ONE; }\n' >src/base/one.c
printf 'int two(void);\nint two(void) { return 2; }\n' >src/base/two.c
printf '#include "base/one.h"\nint main(void) { return one() - ONE; }\n' >src/gate/gate.c
mkdir -p test/unit test/gen bench
echo 'int help(void);' >test/gen/help.h
printf '#include "test/gen/help.h"\nint help(void) { return 0; }\n' >test/gen/help.c
printf '#include "test/gen/help.h"\nint main(void) { return help(); }\n' >test/unit/u.c
echo 'int gate_one(void); // the interface' >include/gate.h
printf 'int gate_one(void);\nint gate_one(void) { return 1; }\n' >src/lib/libgate.c
echo 'prefix=@prefix@' >packaging/gate.pc.in
echo '.TH gate 1' >docs/man/gate.1
build() {
    make CC=gcc "$@" >out 2>&1 || { cat out; exit 1; }
}
expect() { # what the last build did, in any order
    for line; do echo "$line"; done | sort >wanted
    sed -n 's/^  //p' out | sort | diff wanted -
}

build
expect 'compile src/base/one.c' 'compile src/base/two.c' 'compile src/gate/gate.c' 'compile src/lib/libgate.c' \
    'archive build/lib/libgatecc.a' 'archive build/lib/libgate.a' 'link build/lib/libgate.so.1' 'link build/bin/gate'
build/bin/gate
build
expect
echo '// changed' >>src/base/one.h
build
expect 'compile src/base/one.c' 'compile src/gate/gate.c' 'archive build/lib/libgatecc.a' \
    'archive build/lib/libgate.a' 'link build/lib/libgate.so.1' 'link build/bin/gate'
build units # a unit test's flags are not those of the rest
expect 'compile test/gen/help.c' 'compile test/unit/u.c' 'archive build/lib/libtest.a' 'link build/unit/u'
build all units
expect
build CFLAGS=-O1
grep -q 'compile src/base/two.c' out
build CFLAGS=-O1
expect
build CI=true CFLAGS=-O1 # warnings as errors are flags, too
grep -q 'compile src/base/two.c' out
build
rm src/base/two.c
build
expect 'archive build/lib/libgatecc.a' 'archive build/lib/libgate.a' 'link build/lib/libgate.so.1' 'link build/bin/gate'
[ "$(ar t build/lib/libgatecc.a | sort | tr '\n' ' ')" = 'libgate.o one.o ' ]
rm src/base/one.h
printf 'int one(void);\nint one(void) { return 1; }\n' >src/base/one.c
printf 'int one(void);\nint main(void) { return one() - 1; }\n' >src/gate/gate.c
build # a header that is gone and not needed does not stop the build
build/bin/gate

build install DESTDIR="$PWD/to" PREFIX=/usr
(cd to && find . ! -type d | sort) >installed
diff - installed <<'END'
./usr/bin/gate
./usr/include/gate.h
./usr/lib/libgate.a
./usr/lib/libgate.so
./usr/lib/libgate.so.1
./usr/lib/pkgconfig/gate.pc
./usr/share/man/man1/gate.1
END
to/usr/bin/gate
[ "$(cat to/usr/lib/pkgconfig/gate.pc)" = prefix=/usr ]
# The names of GNU; what was installed somewhere goes away from there.
build install DESTDIR="$PWD/other" prefix=/opt libdir=/opt/lib64 bindir=/opt/programs mandir=/man
[ -f other/opt/lib64/libgate.so.1 ] && [ -x other/opt/programs/gate ] && [ -f other/man/man1/gate.1 ]
build uninstall DESTDIR="$PWD/other" prefix=/opt libdir=/opt/lib64 bindir=/opt/programs mandir=/man
[ -z "$(find other ! -type d)" ]
build uninstall DESTDIR="$PWD/to" PREFIX=/usr
[ -z "$(find to ! -type d)" ]
nm build/bin/gate | grep -q ' T one'
build install-strip DESTDIR="$PWD/stripped" prefix=/usr
stripped/usr/bin/gate
! nm stripped/usr/bin/gate 2>/dev/null | grep ' T one' || exit 1

# Whether there is a header, the compiler says: without its own folders there is none, unless another folder has it.
mkdir src/explore with
printf '#ifdef GATE_HTTP\n#include <microhttpd.h>\n#endif\nextern int served;\nint served;\n' >src/explore/serve.c
echo 'extern int with_http; int with_http;' >with/microhttpd.h
build build/obj/explore/serve.o CC='gcc -nostdinc'
! nm build/obj/explore/serve.o | grep with_http || exit 1
build build/obj/explore/serve.o CC='gcc -nostdinc -Iwith'
nm build/obj/explore/serve.o | grep -q with_http
build build/obj/explore/serve.o CC='gcc -nostdinc' CPPFLAGS=-Iwith
nm build/obj/explore/serve.o | grep -q with_http
build build/obj/explore/serve.o CC='gcc -nostdinc -Iwith' HTTP=
! nm build/obj/explore/serve.o | grep with_http || exit 1

# A list of objects that is longer than one argument of a program may be (128 KiB) has its stamp, too.
deep=$PWD/$(printf '%0200d' 0)
mkdir src/many
for i in $(seq 700); do : >"src/many/$i.c"; done
build BUILD="$deep" "$deep/objects"
[ "$(wc -c <"$deep/objects")" -gt 131072 ]
rm -r src/many "$deep"

build compile_commands.json CFLAGS='-DTEXT=\"x\"'
grep -q '"file": "src/base/one.c"' compile_commands.json
grep -qF -- '-DTEXT=\\\"x\\\"' compile_commands.json
build clean
[ ! -e build ]
