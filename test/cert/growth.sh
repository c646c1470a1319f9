#!/bin/sh
# What gatecheck needs for a certificate grows as its size does, whatever is in it: steps and memory, counted by a build
# of its own.
set -eu
make -s -C "$ROOT" growth-steps BUILD="$BUILT/steps" CC=gcc CFLAGS='-O0 -fsanitize-coverage=trace-pc'
"$BUILT/steps/growth"
