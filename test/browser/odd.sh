#!/bin/sh
# See odd.mjs.
exec node "$ROOT/test/browser/odd.mjs"
