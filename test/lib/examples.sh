#!/bin/sh
# The examples of the library build with nothing but its header and archive, and do what they say.
set -eu
here=$PWD
cd "$ROOT"
for example in conditions build; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Iinclude -o "$here/$example" "examples/api/$example.c" \
        "$BUILT/lib/libgate.a" -lm
done

"$here/conditions" examples/motivating.c f | diff - /dev/fd/3 3<<'EOF'
x_2 is
    x_1   when the loop is entered
    x_6   in the next iteration
i_2 is
    i_1   when the loop is entered
    i_3   in the next iteration
x_6 is
    x_3   if x_2 < 9
    x_4   if x_2 >= 9 && x_2 > 50
    x_5   if x_2 >= 9 && x_2 <= 50
x_7 is
    x_2   when the loop is left, as i_2 >= n
EOF
"$here/build" | tail -n 1 | grep -qx 'main returns 60 after [0-9]* steps'
# The certificate stands on its own; one that was changed does not.
"$here/build" "$here/build.cert" | tail -n 1 | grep -q '^main returns 60 '
gatecheck "$here/build.cert"
gatecheck --text "$here/build.cert" >"$here/build.txt"
sed 's/\(add.i32 immediate dest [0-9]* args ([0-9]*) imm\) 1/\1 2/' "$here/build.txt" >"$here/other.cert"
if cmp -s "$here/build.txt" "$here/other.cert"; then echo 'nothing was changed'; exit 1; fi
if gatecheck "$here/other.cert" >"$here/errors" 2>&1; then echo 'a changed certificate is accepted'; exit 1; fi

# Mistakes come back as messages.
if "$here/conditions" examples/motivating.c none 2>"$here/errors"; then exit 1; fi
grep -qx "conditions: no function 'none'" "$here/errors"
printf 'int f(void) { return x; }\n' >"$here/wrong.c"
if "$here/conditions" "$here/wrong.c" f 2>"$here/errors"; then exit 1; fi
grep -q "wrong.c:1:22: error: 'x' undeclared" "$here/errors"

# Only the names of the header are visible.
nm --defined-only --extern-only "$BUILT/lib/libgate.a" | awk 'NF == 3 { print $3 }' | sort >"$here/visible"
sed -n 's/^[^ /].*[ *]\(gate_[a-z0-9_]*\)(.*/\1/p' include/gate.h | sort >"$here/declared"
diff "$here/declared" "$here/visible"
[ "$(wc -l <"$here/declared")" -gt 50 ]
# The shared library has the same names, each with the version of the API since which it is there, and a soname.
nm --dynamic --defined-only --with-symbol-versions "$BUILT/lib/libgate.so.1" |
    sed -n 's/.* T \(gate_[a-z0-9_]*\)@@\(GATE_[0-9]\)$/\1 \2/p' | sort >"$here/versioned"
cut -d ' ' -f 1 "$here/versioned" | diff "$here/declared" -
grep -qx 'gate_open_c GATE_1' "$here/versioned"
grep -qx 'gate_version GATE_2' "$here/versioned"
[ "$(grep -c GATE_1 "$here/versioned")" = 38 ]
readelf -d "$BUILT/lib/libgate.so.1" | grep -q 'SONAME.*libgate\.so\.1\]'
if readelf -d "$BUILT/lib/libgate.so.1" | grep -q TEXTREL; then exit 1; fi
