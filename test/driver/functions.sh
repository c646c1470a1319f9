#!/bin/bash
# --function=F,G: only these, and what becomes of them is what becomes of them in the whole program.
set -eu
cat >x.c <<'END'
static int twice(int x) { return x + x; }
int first(int x) { return twice(x) + 1; }
int second(int x) { return x ? first(x) : 2; }
double half(double x) { return x / 2; }
int table[3];
int main(void) { return second(0) + table[1]; }
END
same() { cmp "$1" "$2" || { diff "$1" "$2"; exit 1; }; }
# One function of the text of all.
part() { awk -v name="$1" '/^function/ { on = index($0, "@" name "(") } on { print } /^}/ { on = 0 }'; }
for form in rtl ssa gsa son mach; do
    gate show $form -O2 x.c >all
    gate show $form -O2 --function=first x.c >one
    part first <all >wanted
    same wanted one
    gate show $form -O2 --function=half,first x.c >two
    [ "$(grep -c ^function two)" = 2 ]
    grep -q '^$' two
done
gate show rtl --function=first --function=main x.c | grep -c ^function | grep -qx 2
gate show gsa --matrix --function=second x.c >matrix
[ "$(grep -c '@' matrix)" -ge 1 ]
! grep -q '@half' matrix
gate graph ssa --function=second,half x.c >dot
[ "$(grep -c 'subgraph' dot)" = 2 ]
gate check --function=first,half x.c | grep -qx 'x.c: 2 functions, [0-9]* nodes: well-formed; every pass accepted'
gate emit --function=first x.c >one.s
gate emit x.c >all.s
grep -q '^first:' one.s
! grep -q -e '^second:' -e '^half:' -e 'table' one.s
sed -n '/^first:/,/ret/p' one.s >one
sed -n '/^first:/,/ret/p' all.s >wanted
same wanted one
gate stats --function=first x.c | tail -n 1 >one
gate stats x.c | tail -n 1 >all
! cmp -s one all
gate show imp --function=first -O0 x.c >imp 2>&1 || :

# Mistakes.
status() { "$@" >out 2>errors && echo 0 || echo $?; }
[ "$(status gate show rtl --function=frist x.c)" = 2 ]
grep -qx "gatecc: error: no function 'frist'; did you mean 'first'?" errors
[ "$(status gate check --function=first,xyzzy x.c)" = 2 ]
grep -qx "gatecc: error: no function 'xyzzy'" errors
[ "$(status gate show rtl --function=first,,half x.c)" = 2 ]
grep -qx "gate: 'first,,half' is not a list of functions" errors
[ "$(status gate show rtl --function=table x.c)" = 2 ]
[ "$(status gate run rtl --function=first x.c)" = 2 ]
