#!/bin/sh
# The explorer page of the largest function of SQLite, 10,000 nodes, in a browser: everything that is tested on small functions. See
# test/browser/page.mjs.
set -eu
"$ROOT/tools/real-sources" --list better-sqlite3 >list
GATE_SQLITE=$ROOT/$(awk -F'\t' '$2 ~ /\/sqlite3\.c$/ { print $2 }' list)
export GATE_SQLITE
exec node "$ROOT/test/browser/page.mjs" sqlite
