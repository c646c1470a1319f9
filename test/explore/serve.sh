#!/bin/sh
# gate explore --serve refuses what hostile requests ask for and stays up; without the library that it needs it says so.
set -eu
if gate explore --serve "$ROOT/no such file.c" 2>&1 | grep -q 'built without libmicrohttpd'; then
    echo 'there is no server in this build'
    exit 0
fi
python3 "$ROOT/test/explore/serve.py" "$@"

# One that is interrupted ends well, too; a port that is taken is told.
gate explore --serve "$ROOT/examples/gcd.c" >address &
server=$!
while ! [ -s address ]; do sleep 0.05; done
port=$(sed 's,.*127.0.0.1:\([0-9]*\)/.*,\1,' address)
status=0
gate explore --serve --port "$port" "$ROOT/examples/gcd.c" 2>messages || status=$?
[ $status = 2 ] && grep -q "cannot serve at port $port" messages
kill -TERM $server
wait $server
! gate explore --serve --port 70000 "$ROOT/examples/gcd.c" 2>messages || exit 1
grep -q "'70000' is not the number of a port" messages
