#!/bin/sh
# The modules of the explorer page, each by itself.
set -eu
command -v node >/dev/null || { echo "node is missing: run tools/install-deps explorer"; exit 1; }
cd "$ROOT/test/page"
# Debian 12's node does not guess which files are modules; a newer one can be told not to.
guess=--no-experimental-detect-module
node $guess -e 0 2>/dev/null || guess=
NODE_OPTIONS=$guess exec node --test ./*.mjs
