#!/bin/sh
# What make install puts somewhere is enough: the examples of the library build with pkg-config's words against the shared
# and the static library, as C and as C++; programs run from there; uninstall leaves nothing.
set -eu
to=$PWD/to
command -v pkg-config >/dev/null || { echo 'pkg-config is not installed: not tried'; exit 0; }
(cd "$ROOT" && make install BUILD="$BUILT" prefix="$to" CC="${CC:-gcc}" -o all) >log 2>&1 || { cat log; exit 1; }
PKG_CONFIG_PATH=$to/lib/pkgconfig
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion gate)" = "$(sed -n 's/.*GATECC_VERSION "\(.*\)"/\1/p' "$ROOT/src/base/version.h")" ]
for example in conditions build machine; do
    gcc -std=c11 -Wall -Wextra -Werror -o "$example" "$ROOT/examples/api/$example.c" $(pkg-config --cflags --libs gate) \
        -Wl,-rpath,"$to/lib"
    gcc -std=c11 -o "$example.static" "$ROOT/examples/api/$example.c" $(pkg-config --cflags gate) -L"$to/lib" \
        -Wl,-Bstatic -lgate -Wl,-Bdynamic -lm -pthread
    ldd "$example" | grep -q "libgate.so.1 => $to/lib/libgate.so.1"
    if ldd "$example.static" | grep -q libgate; then exit 1; fi
done
for kind in '' .static; do
    "./conditions$kind" "$ROOT/examples/motivating.c" f | grep -qx '    x_7   x_2 .*\|    x_2   when the loop is left, as i_2 >= n'
    "./build$kind" | grep -q '^main returns 60 '
    "./machine$kind" "$ROOT/examples/clamp.c" >machine.out
    grep -q 'rax' machine.out
done
if command -v g++ >/dev/null; then
    printf '#include <gate.h>\n#include <cstdio>\nint main() { std::puts(gate_version().text); return gate_version().api != GATE_API_VERSION; }\n' >c.cc
    g++ -Wall -Wextra -Werror -pedantic -o cpp c.cc $(pkg-config --cflags --libs gate) -Wl,-rpath,"$to/lib"
    ./cpp
else
    echo 'g++ is not installed: the header is not tried with C++'
fi
"$to/bin/gatecc" -o hello "$ROOT/examples/hello.c"
./hello >/dev/null
[ -f "$to/share/man/man1/gatecc.1" ] && [ -f "$to/share/bash-completion/completions/gatecc" ]
[ -f "$to/share/zsh/site-functions/_gatecc" ] && [ -f "$to/share/fish/vendor_completions.d/gatecc.fish" ]
(cd "$ROOT" && make uninstall BUILD="$BUILT" prefix="$to") >log 2>&1
[ -z "$(find "$to" ! -type d)" ]
