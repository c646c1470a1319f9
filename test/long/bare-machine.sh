#!/bin/sh
# README.md's commands on a minimal Debian, from a clean clone of HEAD; the first one also on the next release, and with busybox's sh and awk.
set -eu
"$ROOT/tools/install-deps" bare
"$ROOT/tools/bare-machine" -b first
"$ROOT/tools/bare-machine" -r trixie first
"$ROOT/tools/bare-machine" | tee report
grep -qE '^[0-9]+ passed, 0 failed$' report
