#!/bin/sh
# What documents point at exists: relative links, files of the repository in backquotes, and man pages named as
# name(section). The index, docs/README.md, has every page of docs; docs/warnings.md has every warning.
set -eu
cd "$ROOT"
status=0 links=0 paths=0 names=0 warnings=0
for page in *.md docs/*.md; do
    folder=$(dirname "$page")
    for link in $(grep -o '](\([^)#: ]*\)[#)]' "$page" | sed 's/^](//; s/[#)]$//'); do
        links=$((links + 1))
        if [ ! -e "$folder/$link" ]; then
            echo "$page: there is no $link"
            status=1
        fi
    done
    # NAME and PASS stand for any name, as * does.
    for path in $(grep -oE '`(src|test|tools|docs|examples|bench|include)/[^` ]*`' "$page" | tr -d '`' |
        sed 's/NAME\|PASS/*/g'); do
        paths=$((paths + 1))
        if ! ls -d $path >/dev/null 2>&1; then
            echo "$page: there is no $path"
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
for name in $(sed -n 's/^ *WARNING([A-Z0-9_]*, "\([a-z0-9-]*\)".*/\1/p' src/c/tables/warnings.def); do
    warnings=$((warnings + 1))
    if ! grep '^|' docs/warnings.md | grep -qE "[| ]$name[,: ]"; then
        echo "docs/warnings.md does not list the warning $name"
        status=1
    fi
done
if [ $links -le 30 ] || [ $paths -le 100 ] || [ $names -eq 0 ] || [ $warnings -le 100 ]; then
    echo "only $links links, $paths paths, $names names of pages and $warnings warnings were found"
    status=1
fi
exit $status
