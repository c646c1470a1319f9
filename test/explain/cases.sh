#!/bin/bash
# Each case says at the line in question what is to be explained there: pass, kind and part of the reason, or instructions in which
# it lives on; `// options:` in its first line says how. The remarks of gatecc agree with all of what gate explain tells.
set -eu
"$ROOT/test/explain/cases.py" "$ROOT/docs/explain.md" "$ROOT"/test/explain/*.c
