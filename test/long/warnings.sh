#!/bin/sh
# The warnings of gatecc beside those of gcc and clang: at least as many of 45 mistakes are found as by either, and on
# the sources of SQLite, zlib, Lua and our own nothing is warned of with -Wall -Wextra that gcc does not warn of.
set -eu
work=$PWD
cd "$ROOT/test/warnings/mistakes"
found_by() { # compiler with options
    hits=0
    for file in *.c; do
        for line in $(grep -n mistake "$file" | cut -d : -f 1); do
            if "$@" -Wall -Wextra -c -o "$work/object.o" "$file" 2>&1 | grep -q "^$file:$line:.*warning:"; then
                hits=$((hits + 1))
                break
            fi
        done
    done
    echo "$hits"
}
ours=$(found_by gatecc) gcc=$(found_by gcc -O2) clang=$(found_by clang -O2)
echo "of 45 mistakes: gatecc $ours, gcc $gcc, clang $clang"
[ "$ours" -ge "$gcc" ] && [ "$ours" -ge "$clang" ]
[ "$clang" -gt 20 ] # or nothing was compared

cd "$ROOT"
tools/projects --fetch sqlite zlib lua
sources=$ROOT/build/sources
GATECC=$(command -v gatecc)
export GATECC
compare() { # name, directory, options, files
    name=$1 directory=$2 options=$3
    shift 3
    (cd "$directory" && "$ROOT/tools/compile-commands" "cc $options" "$@") >"$work/$name.json"
    echo "$name: $(tools/compare-warnings "$work/$name.json" | tee "$work/$name.txt" | tail -1)"
    grep -q '^extra 0, ' "$work/$name.txt" || exit 1
    ! grep -e ^extra\ / -e ^refused "$work/$name.txt" || exit 1
}
compare sqlite "$sources/better-sqlite3/deps/sqlite3" -DSQLITE_ENABLE_FTS5 sqlite3.c
cd "$sources/debian-zlib" && set -- *.c && cd "$ROOT"
compare zlib "$sources/debian-zlib" '-D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN' "$@"
lua=$sources/debian-lua5.4/src
cd "$lua" && set -- *.c && cd "$ROOT"
compare lua "$lua" '-std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX' "$@"
# shellcheck disable=SC2046
compare own "$ROOT" '-std=c11 -D_GNU_SOURCE -Isrc -Iinclude' $(git ls-files 'src/*.c')
