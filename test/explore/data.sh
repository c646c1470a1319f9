#!/bin/sh
# The data of explorer pages hang together, and each view has the text that gate show prints after its step.
set -eu
python3 "$ROOT/test/explore/data.py" "$ROOT/examples/motivating.c"
python3 "$ROOT/test/explore/data.py" "$ROOT/examples/gcd.c" -O2
python3 "$ROOT/test/explore/data.py" "$ROOT/bench/programs/queens.c" -O2
