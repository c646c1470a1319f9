#!/bin/sh
# In an object just those symbols are indirect functions that the certificate declares as such; a call of one is neither a call of
# its resolver nor the other way round.
set -eu
export PATH="$BUILT/bin:$PATH"
cat >chosen.c <<'END'
static int one(int n) { return n + 1; }
int plain(int n) { return n + 2; }
__attribute__((noinline)) static int (*choose(void))(int) { return one; }
int seen(int n) __attribute__((ifunc("choose")));
static int hidden(int n) __attribute__((ifunc("choose")));
int (*table[])(int) = {seen, hidden};
int by_name(int n) { return seen(n) + hidden(n); }
int (*by_address(void))(int) { return hidden; }
int (*resolved(void))(int) { return choose(); }
int main(void) { return by_name(1) == 4 && table[0](1) == 2 && table[1](1) == 2 && by_address()(1) == 2 && resolved() == one ? 0 : 1; }
END

judge() { # a file of assembly
    as "$1" -o changed.o && gatecheck chosen.gcert --object changed.o >said 2>&1
}

refuse() { # what is changed, by sed
    sed "$1" chosen.s >changed.s
    if cmp -s chosen.s changed.s; then
        echo "$options: '$1' changes nothing"
        exit 1
    fi
    if judge changed.s; then
        echo "$options: '$1' is accepted"
        exit 1
    fi
}

for options in -O0 "-O2 -fPIC" "-O2 -fno-pie"; do
    gatecc $options -S chosen.c -o chosen.s --certificate=chosen.gcert
    judge chosen.s || { cat said; exit 1; }
    refuse 's/\.type seen, @gnu_indirect_function/.type seen, @function/'
    refuse 's/\.type hidden, @gnu_indirect_function/.type hidden, @function/'
    refuse 's/\.type plain, @function/.type plain, @gnu_indirect_function/'
    refuse 's/\.type choose, @function/.type choose, @gnu_indirect_function/'
    refuse 's/\.set hidden, choose/.set hidden, one/'
    refuse 's/\.set hidden, choose/&\n\t.type more, @gnu_indirect_function\n\t.set more, choose/'
    refuse 's/\(call\|jmp\)\(.*\)hidden/\1\2choose/'
    refuse 's/\(call\|jmp\)\(.*\)choose/\1\2hidden/'
    refuse 's/seen,hidden/seen,choose/'
    refuse 's/seen,hidden/seen,seen/'
    case $options in *-fno-pie) link=-no-pie ;; *) link= ;; esac
    gatecc $link chosen.s -o chosen
    ./chosen || { echo "$options: another function was called"; exit 1; }
done
