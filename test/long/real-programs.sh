#!/bin/sh
# Programs of others, built with gatecc, pass their own tests or do what they do when gcc builds them.
"$ROOT/tools/install-deps" build programs || exit 1
"$ROOT/tools/real-programs"
