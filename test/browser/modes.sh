#!/bin/sh
# See modes.mjs.
exec node "$ROOT/test/browser/modes.mjs"
