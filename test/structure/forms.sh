#!/bin/sh
# A form is a row of forms.def and a folder: nothing else asks which form a function has, and every form has the
# same files and a page of its own.
set -eu
cd "$ROOT"
status=0
ids=$(sed -n 's/^\(FORM\|SIDE\)(\([A-Z0-9]*\), .*/\2/p' src/form/forms.def | paste -sd'|')
names=$(sed -n 's/^\(FORM\|SIDE\)([A-Z0-9]*, \([a-z0-9]*\), .*/\2/p' src/form/forms.def)
bodies=$(sed -n 's/^\(SIDE_\)\?BODY(\([a-z0-9]*\), .*/\2/p' src/form/forms.def)
[ "$(echo "$names" | wc -w)" -ge 4 ] && [ -n "$bodies" ] || { echo "forms.def has no rows"; exit 1; }
# To make a function of a form is to set it; to compare it, to switch over it or to keep a table by it is dispatch.
if grep -rnE "([!=]=|<|>|case|\[) *FORM_($ids)\b|\bFORM_($ids) *([!=]=|<|>)" src --include='*.[ch]' | grep -v -E '^src/(form|verify|text)/'; then
    echo "the form is asked for outside of src/form: let a row of forms.def answer"
    status=1
fi
if grep -rnE '\bBODY_(graph|mach)\b' src --include='*.[ch]' | grep -v -E '^src/(form|verify|text)/'; then
    echo "the body is asked for outside of src/form: let a row of forms.def answer"
    status=1
fi
want() { # FILE
    [ -e "$1" ] || { echo "there is no $1, which every form has"; status=1; }
}
for name in $names; do
    for part in parse print; do want "src/text/$part/${name}_$part.c"; done
    want "src/verify/${name}_verify.c"
    want "src/run/${name}_run.c"
    want "docs/$name.md"
    want "test/form/$name"
done
exit $status
