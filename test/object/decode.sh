#!/bin/sh
# Our decoder and objdump say the same of the code of programs, some with every protection, in which every instruction of
# our table occurs; of random instructions and of instructions with one bit changed. test/long/decode.sh compares far more.
"$ROOT/tools/decode-check" -j 2 -u -r 20000 bench examples every >found || { cat found; exit 1; }
cat found
grep -qE '^decode: [0-9]{5,} instructions of 1[0-9]{2} objects, 0 different, 0 unknown, 20000 random, 1[0-9]{4} changed' found
