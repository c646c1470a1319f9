#!/bin/sh
# See pipelines.mjs.
exec node "$ROOT/test/browser/pipelines.mjs"
