#!/bin/sh
# The changes that messages tell, made by patch, mend the source: afterwards it compiles without a message.
set -eu
cat >broken.c <<'EOF'
struct point { int xcoord, ycoord; };
enum colour { RED_COLOUR, GREEN_COLOUR };
#define MAXIMUM 3
static int counter;
int f(struct point *p, point *q) {
    int total = p.xcoord + p->ycord + q->xcoord + RED_COLOR + MAXIMIM;
    whlie (total) {
        total--
    }
    if (total = 3) goto dnoe;
    size_t n = 0;
    printf("%d %d\n", total, (int)n);
    counter = (int)strlen("x";
done:
    retrun total + cuonter;
}
EOF
! gatecc -Wall -fsyntax-only -fdiagnostics-generate-patch broken.c 2>messages
sed -n '/^--- broken.c/,$p' messages >mend.patch
grep -q '^+++ broken.c' mend.patch
patch -s -p0 <mend.patch
gatecc -Wall -Werror -fsyntax-only broken.c
# The same changes as lines for programs.
cat >small.c <<'EOF'
int f(void) { return 0 }
EOF
! gatecc -fsyntax-only -fdiagnostics-parseable-fixits small.c 2>messages
grep -qF 'fix-it:"small.c":{1:23-1:23}:";"' messages
# JSON and SARIF are well-formed, whatever bytes the source has.
printf 'char *s = "\377\001\t\\" + \xe2\x80\xae x;\nint f() { retrun 1; }\n' >odd.c
for format in json json-stderr sarif-stderr; do
    ! gatecc -fsyntax-only -fdiagnostics-format=$format odd.c 2>messages
    python3 -c 'import json; json.load(open("messages"))'
done
# A valid program is described, too.
echo 'int x;' >good.c
[ "$(gatecc -fsyntax-only -fdiagnostics-format=json good.c 2>&1)" = '[]' ]
gatecc -fsyntax-only -fdiagnostics-format=sarif-stderr good.c 2>messages
python3 -c 'import json; r = json.load(open("messages"))["runs"][0]; assert r["invocations"][0]["executionSuccessful"] and not r["results"]'
