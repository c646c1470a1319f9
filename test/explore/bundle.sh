#!/bin/sh
# tools/bundle-page puts modules together in the order of their imports and refuses what it would get wrong.
set -eu
mkdir page
echo '<!-- policy -->' >page/index.html
echo 'p { color: red; }' >page/style.css
start() {
    rm -f page/*.js
    printf 'import { a } from "./a.js";\n\nconst text = "a\\\\n?" + a(1);\n' >page/main.js
    printf 'import { b } from "./b.js";\nexport function a(x) { return x + b; }\n' >page/a.js
    printf 'export const b = 2, more = [1, 2];\n' >page/b.js
}
start
"$ROOT/tools/bundle-page" page >page.c
grep -c 'import\|export' page.c | grep -qx 0
printf '#include <stdio.h>\n#include "page.c"\nint main(void) { fputs(page_script, stdout); return (int)page_part_count - 2; }\n' >main.c
cc -I"$ROOT/src" -o main main.c
./main | grep -v '^//' >script
printf 'const b = 2, more = [1, 2];\nfunction a(x) { return x + b; }\n\nconst text = "a\\\\n?" + a(1);\n' | diff - script

# Any awk makes the same of it, and of the whole page.
"$ROOT/tools/bundle-page" "$ROOT/src/explore/page" >whole.c
mkdir bin
awk_is() { # from standard input: what is called awk from now on
    cat >bin/awk
    chmod +x bin/awk
}
tried=0
for awk in mawk gawk original-awk 'busybox awk'; do
    command -v "${awk%% *}" >/dev/null || continue
    tried=$((tried + 1))
    printf '#!/bin/sh\nexec %s "$@"\n' "$awk" | awk_is
    for folder in page "$ROOT/src/explore/page"; do
        PATH=$PWD/bin:$PATH "$ROOT/tools/bundle-page" "$folder" >other.c
        case $folder in page) cmp page.c other.c ;; *) cmp whole.c other.c ;; esac || { echo "$awk makes another page"; exit 1; }
    done
done
[ $tried -ge 3 ] || { echo "only $tried kinds of awk: run tools/install-deps test"; exit 1; }
# A page that lost something on its way does not compile.
printf '#!/bin/sh\n%s "$@" | sed "s/\\\\\\\\\\\\\\\\/\\\\\\\\/"\n' "$(command -v awk)" | awk_is
PATH=$PWD/bin:$PATH "$ROOT/tools/bundle-page" page >damaged.c
! cmp -s page.c damaged.c || exit 1
! cc -I"$ROOT/src" -c -o damaged.o damaged.c 2>messages || exit 1
grep -q 'bundle-page has damaged it' messages

fails() { # MESSAGE
    status=0
    "$ROOT/tools/bundle-page" page >page.c 2>messages || status=$?
    [ $status = 1 ] && grep -q "$1" messages || {
        echo "status $status, not: $1"
        cat messages
        exit 1
    }
    start
}
echo 'function b() {}' >>page/a.js && fails 'b is defined in a.js and in b.js\|b is defined in b.js and in a.js'
echo 'let x = 1, more = 2;' >>page/a.js && fails 'more is defined in'
echo 'import { c } from "./b.js";' >>page/main.js && fails 'main.js imports c, which b.js does not export'
echo 'import { c } from "./c.js";' >>page/main.js && fails 'main.js imports c.js, which is missing'
echo 'import { a } from "./a.js";' >>page/b.js && fails 'in a circle'
echo 'import * as z from "./a.js";' >>page/main.js && fails 'not an import that is understood'
echo 'export default 1;' >>page/a.js && fails 'not an export that is understood'
echo 'function alone() {}' >page/c.js && fails 'c.js is not imported by anybody'
echo 'const s = "</script>";' >>page/a.js && fails 'would end the script'
