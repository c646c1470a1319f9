#!/bin/sh
# See graph.mjs.
exec node "$ROOT/test/browser/graph.mjs"
