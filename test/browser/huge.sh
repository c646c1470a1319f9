#!/bin/sh
# See huge.mjs.
exec node "$ROOT/test/browser/huge.mjs"
