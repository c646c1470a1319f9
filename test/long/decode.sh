#!/bin/sh
# Our decoder and objdump say the same of everything that we compile: with every set of options the programs of bench,
# examples and our own tests of C, and SQLite; with one each our own sources and the gcc torture suite.
"$ROOT/tools/real-sources" --list better-sqlite3 >/dev/null || exit 1
"$ROOT/tools/decode-check" -a -r 1000000 bench examples tests sqlite >found || { cat found; exit 1; }
cat found
grep -qE '^decode: [0-9]{7,} instructions of [0-9]{4,} objects, 0 different, ' found || exit 1
"$ROOT/tools/decode-check" -r 1000000 own torture >found || { cat found; exit 1; }
cat found
grep -qE '^decode: [0-9]{6,} instructions of [0-9]{4,} objects, 0 different, ' found
