#!/bin/sh
# Calls that lack memory come back and say so, whichever request was refused; under valgrind a part of them.
set -eu
gcc -std=c11 -Wall -Wextra -Werror -O1 -g -I"$ROOT/include" -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
    -o memory "$ROOT/test/lib/memory.c" "$BUILT/lib/libgate.a" -lm -pthread
./memory 1
if command -v valgrind >/dev/null; then
    valgrind -q --error-exitcode=9 --leak-check=full ./memory 70 7
else
    echo 'valgrind is not installed: not tried under it'
fi
