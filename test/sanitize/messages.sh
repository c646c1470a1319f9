#!/bin/bash
# Without traps, failed checks call the handlers of libubsan: what it prints about the programs of cases.def is what it
# prints if gcc compiles them, but for columns and addresses; and the interpreter, which has handlers of its own, prints the same.
set -eu
library=$(gcc -print-file-name=libubsan.so)
if [ "$library" = libubsan.so ]; then
    echo "left out: there is no libubsan"
    exit 0
fi
# Sizes of objects are not checked.
gcc -w -O0 -std=gnu17 -fsanitize=undefined -fno-sanitize=object-size -o by_gcc "$ROOT/test/sanitize/cases.c"
"$ROOT/tools/strict-gatecc" -w -fsanitize=undefined -o by_gatecc "$ROOT/test/sanitize/cases.c"
gate show rtl -w -fsanitize=undefined -o cases.rtl "$ROOT/test/sanitize/cases.c"

# gcc puts some operands in another order, adds up products, and has its own names for these types.
other_words='^(mul_long|compound_add|compound_mul|compound_short_overflow|bitfield_add|bitfield_compound|enum_add|null_complex)$'
messages() { # name, command
    "${@:2}" 2>&1 >/dev/null | sed -n '/runtime error/{s/^\([^ ]*:[0-9]*\):[0-9]*:/\1:/; s/0x[0-9a-f]*/ADDRESS/g; p}' >"$1" || true
}
failed=0 told=0
for name in $(./by_gcc); do
    messages gcc.txt ./by_gcc "$name"
    messages gatecc.txt ./by_gatecc "$name"
    messages gate.txt gate run rtl cases.rtl "$name"
    if ! cmp -s gatecc.txt gate.txt; then
        echo "$name in the interpreter: $(diff gatecc.txt gate.txt)"
        failed=1
    fi
    if [[ $name =~ $other_words ]]; then
        sed -i 's/ -\{0,1\}[0-9]* [+*] .*//; s/of type .*//' gcc.txt gatecc.txt
    fi
    if ! cmp -s gcc.txt gatecc.txt; then
        echo "$name: $(diff gcc.txt gatecc.txt)"
        failed=1
    fi
    if [ -s gcc.txt ]; then told=$((told + 1)); fi
done 2>/dev/null
echo "$told programs with a message"
[ $told -ge 140 ]
exit $failed
