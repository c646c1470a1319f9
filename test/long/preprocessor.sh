#!/bin/bash
# gatecc -E gives the same tokens as gcc -E, with the same predefined macros, on the sources of
# tools/real-sources and on the headers of the C library and POSIX.
set -u
cd "$ROOT" || exit 1
tools/install-deps sources || exit 1
failed=0
tools/real-sources -b "$BUILT/bin/gatecc" --preprocess || failed=1
tools/compare-preprocessor -b "$BUILT/bin/gatecc" --headers || failed=1
exit $failed
