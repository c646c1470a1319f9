#!/bin/sh
# The served page with compile bombs that take long.
set -eu
exec "$ROOT/test/explore/serve.sh" long
