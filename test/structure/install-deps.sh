#!/bin/sh
# tools/install-deps with a package manager of our own making: what is there is left alone, what is
# missing is installed once, the lists are fetched only if needed, and root is asked for only then.
set -eu
cd "$TMPDIR"
mkdir bin
fake() {
    cat >"bin/$1"
    chmod +x "bin/$1"
}
fake dpkg-query <<'END'
#!/bin/sh
for package; do :; done
grep -qx "$package" installed && printf installed
END
fake apt-get <<'END'
#!/bin/sh
shift
echo "$*" >>log
[ "$1" != update ] || touch lists
[ "$1" != install ] || { [ -e lists ] && shift 3 && printf '%s\n' "$@" >>installed; }
END
fake sudo <<'END'
#!/bin/sh
echo sudo >>log
exec "$@"
END
fake id <<'END'
#!/bin/sh
cat user
END
PATH=$PWD/bin:$PATH
run() {
    rm -f log
    "$ROOT/tools/install-deps" "$@" >out 2>&1
}
expect() { # FILE TEXT: the file holds exactly that text
    printf '%s\n' "$2" | diff - "$1"
}

echo 0 >user
printf '%s\n' gcc libc6-dev make binutils libcmocka-dev busybox original-awk >installed
run build
[ ! -s out ]
[ ! -e log ]

run build test # no lists yet: fails, fetches them, succeeds
expect out 'install-deps: installing diffutils patch git gdb graphviz cadical z3 cvc5 python3 pkg-config lcov'
expect log 'install -y --no-install-recommends diffutils patch git gdb graphviz cadical z3 cvc5 python3 pkg-config lcov
update
install -y --no-install-recommends diffutils patch git gdb graphviz cadical z3 cvc5 python3 pkg-config lcov'

run test build # all there now
[ ! -s out ]
[ ! -e log ]

echo 1000 >user
run format
expect out 'install-deps: installing clang-format'
expect log 'sudo
install -y --no-install-recommends clang-format'

if run nonsense; then exit 1; fi
expect out 'install-deps: no such target: nonsense (build test clang fuzz valgrind torture csmith sources bench projects solver explorer bare format package buildtools)'
