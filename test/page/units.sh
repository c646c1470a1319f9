#!/bin/sh
# The modules of the explorer page, each by itself.
set -eu
command -v node >/dev/null || { echo "node is missing: run tools/install-deps explorer"; exit 1; }
cd "$ROOT/test/page"
exec node --test ./*.mjs
