#!/bin/sh
# The version stands in one place, and what must repeat it does; the tarball of make dist is the same each time, whether git
# or the tree itself says what belongs to it.
set -eu
cd "$ROOT"
version=$(sed -n 's/.*GATECC_VERSION "\(.*\)"/\1/p' src/base/version.h)
[ "$version" ]
for page in docs/man/*.[1-8]; do
    grep -q "^\.TH .* \"gatecc $version\" " "$page" || { echo "$page has another version than $version"; exit 1; }
done
grep -qx "VERSION = \"$version\"" python/gate/_version.py
gatecc --version | head -1 | grep -qx "gatecc $version"
gate --version | grep -qx "gate (gatecc) $version"
gatecheck --version | grep -qx "gatecheck (gatecc) $version"
for program in gatecc gate gatecheck gatecheck-slice; do [ -f "docs/man/$program.1" ]; done
command -v xz >/dev/null || { echo 'xz is not installed: no tarball is made'; exit 0; }
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
cd "$TMPDIR"
"$ROOT/tools/make-dist" "$TMPDIR/one" "$version" >/dev/null
mkdir -p unpacked
tar -xf "one/gatecc-$version.tar.xz" -C unpacked
cd "unpacked/gatecc-$version"
[ -f Makefile ] && [ -f README.md ] && [ -x tools/make-dist ] && [ ! -e build ]
mkdir build && touch build/something # what was built does not belong to it
tools/make-dist "$TMPDIR/two" "$version" >/dev/null
cmp "$TMPDIR/one/gatecc-$version.tar.xz" "$TMPDIR/two/gatecc-$version.tar.xz"
