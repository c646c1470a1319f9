#!/bin/sh
# tools/projects tells good from bad: tests that fail only with gatecc, other output than with gcc, a build that fails, tests that all are skipped; it
# counts, keeps good results for the same compiler, and makes a table of them.
set -eu
mkdir recipes work
export PROJECT_RECIPES=$PWD/recipes PROJECT_WORK=$PWD/work

recipe() { # name, condition under which b passes, what is set, what else is defined
    cat >"recipes/$1" <<END
title='Project $1'
what='three tests'
$3
build() { echo 'int main(void) { return GCC; }' >x.c; \$CC -DGCC=0 -o x x.c; }
check() {
    passes a ./x
    passes b $2
    echo 'SKIP c'
    [ ! "\$compare" ] || say
}
$4
END
}
recipe good ./x '' ''
recipe both false '' ''
recipe worse "test gcc = \${CC##*/}" '' ''
recipe same ./x compare=1 'say() { ./x && echo zero; }'
recipe other ./x compare=1 'say() { echo ${CC##*/}; }'
recipe broken ./x '' 'build() { $CC nothing.c; }'
recipe none ./x '' "check() { echo 'SKIP a'; }"

"$ROOT/tools/projects" >out 2>errors && exit 1
sed 's/, [0-9]* s)/)/; s/([0-9]* s)/()/' out >seen
cat >expected <<'END'
both: good (1 pass, 1 fail, 1 skipped)
broken: NOT GOOD: it does not build: gatecc: error: cannot read 'nothing.c': No such file or directory ()
good: good (2 pass, 0 fail, 1 skipped)
none: NOT GOOD: it passes none of its tests ()
other: NOT GOOD: it other than with gcc: < gcc --- > strict-gatecc  ()
same: good (2 pass, 0 fail, 1 skipped, 1 lines as with gcc)
worse: NOT GOOD: it 1 results are not those with gcc: FAIL b; ()
projects: 3 built and tested, 4 failed
END
diff expected seen
[ ! -s errors ]

# What was good is kept, what was not is tried again; one by name; another compiler has no results yet.
"$ROOT/tools/projects" good same >out
grep -c 'good before' out | grep -qx 2
"$ROOT/tools/projects" --again good | grep -q '^good: good (2 pass'
"$ROOT/tools/projects" -f -O0 good | grep -q '^good: good (2 pass'
"$ROOT/tools/projects" nonsense 2>errors && exit 1
grep -qx 'projects: no such project: nonsense' errors

"$ROOT/tools/projects" --table >out
grep -qxF '| Project both  | none none | , -O2 | three tests | 1 | 1 | 1 | every result the same |' out
grep -qxF '| Project same  | none none | , -O2 | three tests | 2 | 0 | 1 | 1 lines of output the same |' out
grep -qF '| NOT GOOD: 1 results are not those with gcc: FAIL b; |' out

# Every recipe has its row in the document.
unset PROJECT_RECIPES PROJECT_WORK
for name in $("$ROOT/tools/projects" --list); do
    title=$(sed -n "s/^title='\(.*\)'$/\1/p" "$ROOT/tools/projects.d/$name")
    grep -qF "| $title " "$ROOT/docs/compatibility.md" || { echo "no row for $name in docs/compatibility.md"; exit 1; }
done
