#!/bin/sh
# The folders of src are as src/rooms.txt says (tools/rooms), and docs/rooms.md shows them as they are. Each thing that
# tools/rooms complains of is planted in a small tree, and found.
set -eu
cd "$ROOT"
tools/rooms
tools/rooms --table >"$TMPDIR/table"
[ "$(wc -l <"$TMPDIR/table")" -gt 50 ]
sed -n '/^<!-- table of rooms/,/^<!-- end of table/p' docs/rooms.md | grep -v '^<!--' | diff - "$TMPDIR/table" ||
    { echo "docs/rooms.md is out of date: run tools/rooms --update"; exit 1; }
tools/rooms --svg | diff docs/pictures/rooms.svg - >/dev/null ||
    { echo "docs/pictures/rooms.svg is out of date: run tools/rooms --update"; exit 1; }

cd "$TMPDIR"
plant() { # a tree without mistakes
    rm -rf src
    mkdir -p src/low src/high/inside
    for folder in low high high/inside; do touch src/$folder/a.c src/$folder/b.c src/$folder/c.h; done
    printf '# a list\n\nlow  the first\nhigh the second\nhigh/inside the third\n' >src/rooms.txt
    echo '#include "low/c.h"' >src/high/a.c
    echo '#include "high/c.h"' >src/high/inside/a.c
}
refused() { # MESSAGE
    if "$ROOT/tools/rooms" --src src >messages; then
        echo "nothing complains: $1"
        exit 1
    fi
    grep -qxF "$1" messages || { cat messages; echo "expected: $1"; exit 1; }
}
plant
"$ROOT/tools/rooms" --src src
echo '  # include "high/c.h"' >>src/low/b.c # two folders that include each other
refused 'src/low/b.c includes high/c.h: src/high stands below src/low in src/rooms.txt'
plant
echo '#include "high/inside/c.h"' >src/high/c.h # a folder and one inside of it
refused 'src/high/c.h includes high/inside/c.h: src/high/inside stands below src/high in src/rooms.txt'
plant
rm src/low/a.c
refused 'src/low has 2 files of its own; a folder has from 3 to 40'
plant
for i in $(seq 38); do touch src/low/$i.c; done
refused 'src/low has 41 files of its own; a folder has from 3 to 40'
plant
mkdir src/more && touch src/more/a.c src/more/b.c src/more/c.c
refused 'src/more is not in src/rooms.txt: say what it is for'
plant
echo 'gone a folder that is gone' >>src/rooms.txt
refused 'src/rooms.txt: there is no folder src/gone with files'
plant
echo 'low again' >>src/rooms.txt
refused 'src/rooms.txt: low is there twice'
plant
sed -i 's/^low .*/low/' src/rooms.txt
refused 'src/rooms.txt: low has no sentence'
