#!/bin/sh
# Random programs about _Float16 print the same under the RTL interpreter and compiled by gatecc as compiled by gcc.
# test/long/half.sh runs more.
"$ROOT/tools/half-check" 1 20
