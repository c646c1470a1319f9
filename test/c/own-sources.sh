#!/bin/sh
# gatecc compiles its own sources to verified RTL, each file without an error.
set -u
cd "$ROOT" || exit 1
failed=0
for file in src/*/*.c; do
    "$BUILT/bin/gatecc" -w -fsyntax-only -std=c11 -D_GNU_SOURCE -Isrc -Iinclude "$file" || failed=1
done
exit $failed
