#!/bin/sh
# Calls between what gatecc and gcc make pass arguments and results as they should, in both directions.
# test/long/abi.sh has more of them, and clang.
"$ROOT/tools/abi-check" -n 200 "$ROOT/tools/strict-gatecc -O1" gcc
