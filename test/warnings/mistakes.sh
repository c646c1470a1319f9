#!/bin/sh
# Of 45 classic mistakes (mistakes/*.c) each is warned of with -Wall -Wextra, on a line that says "mistake". The one
# that is not, printf of something that is no literal, needs -Wformat-security, as it does with gcc.
set -eu
cd "$ROOT/test/warnings/mistakes"
count=0 missed=
for file in *.c; do
    count=$((count + 1))
    lines=$(grep -n mistake "$file" | cut -d : -f 1)
    option=
    [ "$file" = format-not-literal.c ] && option=-Wformat-security
    found=$(gatecc -fsyntax-only -Wall -Wextra $option "$file" 2>&1 | sed -n "s/^$file:\([0-9]*\):.*warning:.*/\1/p")
    hit=
    for line in $lines; do
        case " $(echo $found) " in *" $line "*) hit=1 ;; esac
    done
    [ -n "$hit" ] || missed="$missed $file"
done
[ "$count" = 45 ] || { echo "there are $count files"; exit 1; }
[ -z "$missed" ] || { echo "not warned of:$missed"; exit 1; }
