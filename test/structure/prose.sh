#!/bin/sh
# The English of pages and of the heads of files: tools/prose accepts README.md, CONTRIBUTING.md, every page of docs, and
# the heads in every folder that test/structure/prose.txt lists.
# Then tools/prose is shown to refuse a planted text of each kind, and to measure the same with every awk.
set -eu
cd "$ROOT"
status=0
list=test/structure/prose.txt
ls README.md CONTRIBUTING.md docs/*.md docs/man/* >"$TMPDIR/texts"
[ "$(wc -l <"$TMPDIR/texts")" -gt 40 ] || { echo "there are too few pages"; status=1; }
grep -v '^#' "$list" >"$TMPDIR/folders" || true
[ -s "$TMPDIR/folders" ] || { echo "$list lists nothing"; status=1; }
while read -r folder; do
    find "$folder" -name '*.[ch]' -o -name '*.def' | grep -E "^$folder/[^/]*$" >"$TMPDIR/files" ||
        { echo "$list: there is no folder $folder with files"; status=1; }
    cat "$TMPDIR/files" >>"$TMPDIR/texts"
done <"$TMPDIR/folders"
xargs tools/prose <"$TMPDIR/texts" || status=1

# refused NAME COMPLAINT [OPTION]: the text of standard input, as file NAME, is refused with this complaint.
refused() {
    cat >"$TMPDIR/$1"
    if tools/prose ${3:-} "$TMPDIR/$1" >"$TMPDIR/said"; then
        echo "tools/prose accepts a text that it should refuse: $1, $2"
        status=1
    elif ! grep -q "$2" "$TMPDIR/said" || [ "$(wc -l <"$TMPDIR/said")" -ne 1 ]; then
        echo "of $1 tools/prose does not say just \"$2\":"
        cat "$TMPDIR/said"
        status=1
    fi
}

accepted() {
    cat >"$TMPDIR/$1"
    if ! tools/prose ${2:-} "$TMPDIR/$1"; then
        echo "tools/prose refuses $1, which is plain"
        status=1
    fi
}

plain='The checker reads the hint. The pass writes the hint. The pipeline keeps the result. The test compares both
files. The driver prints a message.'
words=$(printf ' word%.0s' $(seq 31))
many=$(printf ' word%.0s' $(seq 46))
vague='It reads it. They take what it gives. The ones of this program read that.'

refused phrase.md '"^ what"' <<END
$plain What was there before has left the list.
END
refused opening.md '"^ that of"' <<END
$plain $plain That of the checker has a name.
END
refused riddle.md '"is gone \."' <<END
$plain The item is gone.
END
refused item.md '"whoever"' <<END
$plain
- a page for the reader
- a page for anybody, or for whoever does not read
END
sed -i.old 's/for whoever does/for readers who do/' "$TMPDIR/item.md"
tools/prose "$TMPDIR/item.md" || { echo "tools/prose refuses an item that is plain"; status=1; }
refused cell.md '"and its kin"' <<END
| option | meaning |
|---|---|
| \`-O\` | the option and its kin |
| \`-g\` | the next option has a name |
| \`-c\` | the last option has a name |
END
refused vague.md 'vague words in [0-9]* sentences' <<END
$vague
END
refused long.md 'sentences have more than 30 words' <<END
$plain This sentence has$words.
END
refused longest.md 'a sentence of 4[0-9] words' <<END
$plain $plain $plain This$many.
END
refused manual.1 '"^ who"' <<END
.TH MANUAL 1
.SH DESCRIPTION
$plain
Who reads this has no page.
END
refused head.c '"^ those of"' <<END
// Adds numbers. Those of the caller come first.

int add(int a, int b);
END
refused vague_head.h 'vague words' <<END
// It does what it does, which it is asked for.
END
refused long_head.def 'sentences have more than 30 words' <<END
// This sentence has$words. This sentence has$words.
END
refused comments.c '"whoever"' --comments <<END
// Adds numbers.

int add(int a, int b); // Whoever calls this function adds.
END
accepted comments.c <"$TMPDIR/comments.c"
accepted code.md <<END
$plain
## What runs

\`\`\`console
\$ echo $vague What is gone is gone.
$vague
\`\`\`

The command \`what it is\` has a name. What does the command print? One file, this page, those pages and that test.
END

tools/prose --measure README.md docs/*.md docs/man/* src/*/*.c >"$TMPDIR/measured"
for awk in mawk gawk original-awk 'busybox awk'; do
    command -v ${awk%% *} >/dev/null || continue
    AWK=$awk tools/prose --measure README.md docs/*.md docs/man/* src/*/*.c | cmp "$TMPDIR/measured" - || status=1
done
exit $status
