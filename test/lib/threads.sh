#!/bin/sh
# Different threads may work on different programs; helgrind sees no race between them.
set -eu
gcc -std=c11 -Wall -Wextra -Werror -O1 -g -I"$ROOT/include" -o threads "$ROOT/test/lib/threads.c" \
    -Wl,--wrap=mmap "$BUILT/lib/libgate.a" -lm -pthread
./threads
if command -v valgrind >/dev/null; then
    valgrind -q --tool=helgrind --error-exitcode=9 ./threads
else
    echo 'valgrind is not installed: not tried under helgrind'
fi
