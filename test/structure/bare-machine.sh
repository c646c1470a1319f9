#!/bin/sh
# tools/bare-machine finds README.md's commands, and does nothing on a word that it does not know.
set -eu
"$ROOT/tools/bare-machine" list >commands
diff - commands <<'END'
tools/install-deps build && make demo
make test
END
status=0
"$ROOT/tools/bare-machine" third 2>messages || status=$?
[ $status = 2 ] && grep -q 'what is third' messages
