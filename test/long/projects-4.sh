#!/bin/sh
# Projects of others, built with gatecc, pass their own tests or do what they do when gcc builds them; a quarter of them.
"$ROOT/tools/install-deps" build projects || exit 1
"$ROOT/tools/projects" --part 4/4
