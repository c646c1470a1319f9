#!/bin/sh
# Build tools recognise gatecc, each as docs/build-tools.md says: CMake, Meson, autoconf with libtool, ccache, distcc, bear.
# `tools/install-deps buildtools` installs them; what is not installed is said and left out.
set -eu
here=$PWD
mkdir source
cat >source/part.h <<'END'
#define PART 40
int part(void);
int other(void);
END
printf '#include "part.h"\n__attribute__((visibility("default"))) int part(void) { return PART; }\n' >source/part.c
printf '#include "part.h"\nint other(void) { return 2; }\n' >source/other.c
printf '#include <stdio.h>\n#include "part.h"\nint main(void) { return printf("%%d\\n", part() + other()) < 0; }\n' >source/main.c
tried=0
has() {
    for program; do
        command -v "$program" >/dev/null || { echo "$program is not installed: left out"; return 1; }
    done
    tried=$((tried + 1))
}
says() { # FILE PATTERN
    grep -q -- "$2" "$1" || { cat "$1"; echo "$1 does not say: $2"; exit 1; }
}
quiet() { # FILE COMMAND...
    log=$1
    shift
    "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
}
# The header is changed: what depends on it is compiled again, and nothing else.
changed() { # COMMAND... : builds
    sed 's/40/50/' source/part.h >new
    sleep 1
    cp new "$1/part.h"
    shift
    quiet again "$@"
}

# CMake: nothing to set. It takes the compiler for gcc 12.2, which is what its macros say.
if has cmake ninja; then
    cp -R source cmake
    cat >cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(p C)
message(STATUS "id ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_COMPILE_FEATURES}")
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LINK_WHAT_YOU_USE ON)
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wshadow GOOD)
check_c_compiler_flag(-fno-such-flag BAD)
message(STATUS "flags ${GOOD} [${BAD}]")
add_library(part SHARED part.c)
set_target_properties(part PROPERTIES C_VISIBILITY_PRESET hidden VERSION 1.2.3 SOVERSION 1)
add_library(other STATIC other.c)
add_executable(prog main.c)
target_link_libraries(prog part other m)
target_compile_features(prog PRIVATE c_std_11 c_static_assert)
END
    quiet configured cmake -S cmake -B cmake-build -G Ninja -DCMAKE_C_COMPILER=gatecc -DCMAKE_BUILD_TYPE=RelWithDebInfo
    says configured 'id GNU 12.2.0 .*c_std_11.*c_static_assert'
    says configured 'flags 1 \[\]'
    quiet built cmake --build cmake-build
    says built 'Unused direct dependencies'
    [ "$(cmake-build/prog)" = 42 ]
    says cmake-build/compile_commands.json 'gatecc .*-fPIC -fvisibility=hidden -std=gnu11'
    readelf -d cmake-build/libpart.so.1.2.3 | grep -q 'SONAME.*libpart.so.1\]'
    changed cmake cmake --build cmake-build
    [ "$(cmake-build/prog)" = 52 ]
fi

# Meson: nothing to set.
if has meson ninja; then
    cp -R source meson
    cat >meson/meson.build <<'END'
project('p', 'c', default_options: ['c_std=c11', 'warning_level=2', 'b_lundef=true', 'default_library=both'])
cc = meson.get_compiler('c')
message('id', cc.get_id(), cc.version(), cc.get_argument_syntax(), cc.get_linker_id())
message('flags', cc.has_argument('-Wshadow'), cc.has_argument('-fno-such-flag'), cc.has_function_attribute('visibility'), cc.sizeof('long'))
lib = library('part', 'part.c', version: '1.2.3', gnu_symbol_visibility: 'hidden')
other = static_library('other', 'other.c')
exe = executable('prog', 'main.c', link_with: [lib, other], dependencies: [cc.find_library('m'), dependency('threads')])
test('prog', exe)
END
    quiet configured env CC=gatecc meson setup meson meson-build
    says configured 'C compiler for the host machine: gatecc (gcc 12.2.0 "gatecc'
    says configured 'Message: id gcc 12.2.0 gcc ld.bfd'
    says configured 'Message: flags true false true 8'
    quiet built ninja -C meson-build
    [ "$(meson-build/prog)" = 42 ]
    changed meson ninja -C meson-build
    [ "$(meson-build/prog)" = 52 ]
fi

# autoconf, automake, libtool: nothing to set.
if has autoreconf libtoolize automake; then
    cp -R source auto
    cd auto
    cat >configure.ac <<'END'
AC_INIT([p],[1.0])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
    cat >Makefile.am <<'END'
lib_LTLIBRARIES = libpart.la
libpart_la_SOURCES = part.c
libpart_la_LDFLAGS = -version-info 3:0:2 -no-undefined
noinst_LTLIBRARIES = libother.la
libother_la_SOURCES = other.c
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libpart.la libother.la
END
    quiet ../prepared autoreconf -fi
    quiet ../configured ./configure CC=gatecc --prefix="$here/installed"
    says ../configured 'supports GNU C... yes'
    says ../configured 'dependency style of gatecc... gcc3'
    says ../configured 'PIC flag -fPIC -DPIC works... yes'
    says ../configured 'whether to build shared libraries... yes'
    grep -qx with_gcc=yes libtool
    quiet ../built make install
    cd ..
    [ "$(installed/bin/prog)" = 42 ]
    readelf -d installed/lib/libpart.so.1.2.0 | grep -q 'SONAME.*libpart.so.1\]'
fi

# ccache: CCACHE_COMPILERTYPE=gcc.
if has ccache; then
    CCACHE_DIR=$here/cache CCACHE_COMPILERTYPE=gcc CCACHE_LOGFILE=$here/cache.log
    export CCACHE_DIR CCACHE_COMPILERTYPE CCACHE_LOGFILE
    hits() { ccache --print-stats | awk '$1 ~ /^(direct|preprocessed)_cache_hit$/ { print $2 }' | tr '\n' ' '; }
    for round in 1 2; do # direct mode
        ccache gatecc -g -O1 -MD -MF first.d -Isource -c source/main.c -o first.o
        mv first.o "first.$round" && mv first.d "rule.$round"
    done
    cmp first.1 first.2
    cmp rule.1 rule.2
    [ "$(hits)" = '1 0 ' ]
    says cache.log 'Compiler type: gcc'
    for round in 1 2; do # depend mode
        CCACHE_DEPEND=1 ccache gatecc -O1 -MD -Isource -c source/other.c -o second.o
    done
    [ "$(hits)" = '2 0 ' ]
    for round in 1 2; do # by what the preprocessor makes
        CCACHE_NODIRECT=1 ccache gatecc -O1 -Isource -c source/part.c -o third.o
    done
    [ "$(hits)" = '2 1 ' ]
    gatecc -g -O1 -Isource -c source/main.c -o plain.o
    cmp plain.o first.1
    # Another gatecc is another compiler.
    says source/part.h 'PART 40'
    sed 's/40/60/' source/part.h >new && cp new source/part.h
    ccache gatecc -O1 -MD -Isource -c source/part.c -o third.o
    [ "$(hits)" = '2 1 ' ]
    sed 's/60/40/' source/part.h >new && cp new source/part.h
    unset CCACHE_DIR CCACHE_COMPILERTYPE CCACHE_LOGFILE
fi

# distcc: the server runs what has a link in /usr/lib/distcc, or, if it is told to trust its clients, anything.
if has distcc distccd; then
    port=$((20000 + $$ % 20000))
    mkdir -m 1777 server # who serves may be somebody else
    : >server.log
    TMPDIR=$here/server distccd --no-detach --daemon --allow 127.0.0.1 --listen 127.0.0.1 --port $port \
        --jobs 1 --user "$([ "$(id -u)" = 0 ] && echo nobody || id -un)" --log-level info --log-stderr \
        --enable-tcp-insecure 2>server.log &
    server=$!
    trap 'kill $server 2>/dev/null || :' EXIT
    DISTCC_DIR=$here/distcc DISTCC_HOSTS=127.0.0.1:$port DISTCC_FALLBACK=0
    export DISTCC_DIR DISTCC_HOSTS DISTCC_FALLBACK
    mkdir distcc
    until grep -q 'daemon started' server.log; do sleep 0.5; done
    timeout 600 distcc gatecc -O1 -MD -MF remote.d -Isource -c source/main.c -o remote.o
    gatecc -O1 -Isource -c source/main.c -o local.o
    cmp remote.o local.o
    says remote.d 'source/part.h'
    says server.log 'COMPILE_OK.*gatecc source/main.c'
    kill $server
    wait $server || :
    trap - EXIT
    unset DISTCC_DIR DISTCC_HOSTS DISTCC_FALLBACK
fi

# bear: a file that names gatecc.
if has bear; then
    printf '{"compilation": {"compilers_to_recognize": [{"executable": "%s"}]}}\n' "$(command -v gatecc)" >bear.json
    bear --config bear.json -- gatecc -Isource -c source/other.c -o bear.o
    says compile_commands.json '/source/other.c"'
fi

# scan-build: --use-cc.
if has scan-build; then
    quiet scanned scan-build --use-cc=gatecc "$(command -v sh)" -c '$CC -Isource -c source/other.c -o scanned.o'
    says scanned 'No bugs found'
    [ -f scanned.o ]
fi
echo "$tried of 7 tools were tried"
