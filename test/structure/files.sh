#!/bin/sh
# Habits of the source tree that a reader relies on: files of a length one can read, comments of at most 100 columns, no reminders
# left behind, no two files of one name in the library (an archive would mix them up), no output of a program in the top folder.
set -eu
cd "$ROOT"
status=0
find src -name '*.[ch]' -o -name '*.def' | sort >"$TMPDIR/files"
[ "$(wc -l <"$TMPDIR/files")" -gt 400 ] || { echo "there are too few files"; status=1; }
while read -r file; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 900 ]; then
        echo "$file has $lines lines, more than 900"
        status=1
    fi
done <"$TMPDIR/files"
find src include test/unit test/forge test/gen test/runner -name '*.[ch]' -o -name '*.def' >"$TMPDIR/commented"
if xargs awk 'length($0) > 100 && /^[[:space:]]*\/\// { print FILENAME ":" FNR ": a comment of more than 100 columns"; wide = 1 } END { exit !wide }' <"$TMPDIR/commented"; then
    status=1
fi
if xargs grep -nwE 'TODO|FIXME' <"$TMPDIR/files"; then
    echo "reminders belong into issues, not into the source"
    status=1
fi
sed -n 's|.*/\([^/]*\.c\)$|\1|p' "$TMPDIR/files" | sort | uniq -d >"$TMPDIR/twice"
if [ -s "$TMPDIR/twice" ]; then
    echo "two source files of one name: $(cat "$TMPDIR/twice")"
    status=1
fi
# What git does not know is the user's own; without git, as in a tar file, there is nothing to ask.
if [ -e .git ]; then
    git -c safe.directory="$PWD" ls-files | grep -v / | grep -vxE '\.clang-format|\.gitignore|[A-Z]+(\.md)?|Makefile' >"$TMPDIR/strays" || true
    [ ! -s "$TMPDIR/strays" ] || { echo "files that do not belong into the top folder: $(tr '\n' ' ' <"$TMPDIR/strays")"; status=1; }
fi
exit $status
