#!/bin/sh
# What documents point at exists: relative links, and man pages named as name(section). The index, docs/README.md, has
# every page of docs.
set -eu
cd "$ROOT"
status=0 links=0 names=0
for page in *.md docs/*.md; do
    folder=$(dirname "$page")
    for link in $(grep -o '](\([^)#: ]*\)[#)]' "$page" | sed 's/^](//; s/[#)]$//'); do
        links=$((links + 1))
        if [ ! -e "$folder/$link" ]; then
            echo "$page: there is no $link"
            status=1
        fi
    done
done
for name in $(grep -ohE '\bgate[a-z]*\([1-8]\)' *.md docs/*.md docs/man/* 2>/dev/null | sort -u); do
    names=$((names + 1))
    file=$(echo "$name" | sed 's/(\(.\))$/.\1/')
    if [ ! -e "docs/man/$file" ]; then
        echo "$name is named, but there is no docs/man/$file"
        status=1
    fi
done
for page in docs/*.md; do
    name=$(basename "$page")
    if [ "$name" != README.md ] && ! grep -qF "]($name)" docs/README.md; then
        echo "docs/README.md does not list $page"
        status=1
    fi
done
[ $links -gt 30 ] && [ $names -gt 0 ] || { echo "only $links links and $names names of pages were found"; status=1; }
exit $status
