#!/bin/sh
# Slices of real functions that lack a statement are found to be wrong by running them beside their originals: on results
# and, more often, on what they leave in memory.
"$ROOT/tools/slice-check" -m dropped real zlib expat lua >results
"$ROOT/tools/slice-check" -e -m dropped real bzip2 zlib >effects
cat results effects
awk '/functions: / { split($0, part, /, | wrong/); for (i in part) if (part[i] ~ /^[0-9]+$/) wrong += part[i] }
    END { exit wrong < 60 }' results effects
