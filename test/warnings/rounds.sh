#!/bin/sh
# The warnings of indices in loops are true: in random programs with loops, breaks and branches no warning is false, and
# most subscripts that are out of bounds in every run are warned of.
set -eu
"$ROOT/test/warnings/rounds.py" --count 150 gatecc
