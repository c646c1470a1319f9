#!/bin/sh
# See live.mjs.
exec node "$ROOT/test/browser/live.mjs"
