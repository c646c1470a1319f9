#!/bin/sh
# See runs.mjs.
exec node "$ROOT/test/browser/runs.mjs"
