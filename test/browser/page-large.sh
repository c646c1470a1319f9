#!/bin/sh
# See page.mjs.
exec node "$ROOT/test/browser/page.mjs" large
