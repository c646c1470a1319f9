#!/bin/bash
# What reasons claim of nodes, registers, memory, branches, loops and rules is so in the form that they speak of.
set -eu
"$ROOT/test/explain/claims.py" "$ROOT/src/fact/rules.def" "$ROOT"/test/explain/*.c "$ROOT"/examples/*.c
