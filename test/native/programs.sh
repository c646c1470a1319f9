#!/bin/sh
# The programs of our own tests do natively, at each level, what they do under the RTL interpreter.
"$ROOT/tools/native-check" -l 90
