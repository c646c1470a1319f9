#!/bin/sh
# Random programs about memory that only their own unit can name print the same compiled as under the interpreter.
# test/long/unit-memory.sh runs more.
"$ROOT/tools/unit-check" 1 15
