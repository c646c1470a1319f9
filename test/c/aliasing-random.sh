#!/bin/sh
# Random programs that access memory by several types print the same compiled with -fstrict-aliasing as under the
# interpreter, if the interpreter finds no load by another type. test/long/aliasing.sh runs more.
"$ROOT/tools/aliasing-check" 1 15
