#!/bin/sh
# Who links: the first cc along PATH that is not gatecc, or what GATECC_LINKER names; programs that die or are missing
# are told of.
set -eu
printf '.globl main\nmain: xorl %%eax, %%eax\nret\n.section .note.GNU-stack, ""\n' >main.s
fail() {
    echo "$*"
    exit 1
}
fails_with() { # MESSAGE COMMAND...
    message=$1
    shift
    status=0
    "$@" 2>errors || status=$?
    [ $status = 1 ] || fail "$*: status $status"
    grep -qF -- "$message" errors || { cat errors; fail "$*: expected $message"; }
}
gatecc=$(command -v gatecc)
usual=$PATH

# cc is gatecc under another name: the next one is taken.
mkdir same
ln -s "$gatecc" same/cc
PATH=$PWD/same:$usual cc main.s
./a.out

# A script that leads back to gatecc is found out.
mkdir back
printf '#!/bin/sh\nexec %s "$@"\n' "$gatecc" >back/cc
chmod +x back/cc
fails_with 'leads back to gatecc' env PATH="$PWD/back:$usual" "$gatecc" main.s
fails_with 'leads back to gatecc' env GATECC_LINKER=gatecc gatecc main.s

# Any program can be named.
mkdir own
printf '#!/bin/sh\necho "$@" >arguments\n/usr/bin/env -u GATECC_LINKER cc "$@"\n' >own/linker
chmod +x own/linker
rm a.out
GATECC_LINKER=own/linker gatecc main.s -Wl,-z,now -lm
./a.out
grep -q -- '-Wl,-z,now -lm' arguments
fails_with "cannot run 'not-there': No such file or directory" env GATECC_LINKER=not-there gatecc main.s

# Without any.
mkdir none
ln -s "$(command -v as)" none/as
fails_with 'no compiler of the system' env PATH="$PWD/none" "$gatecc" main.s

# Programs that die of a signal, that are not there.
mkdir dying
printf '#!/bin/sh\nkill -SEGV $$\n' >dying/as
chmod +x dying/as
fails_with "'as' was ended by signal 11 (Segmentation fault)" env PATH="$PWD/dying:$usual" "$gatecc" -c main.s
[ ! -e main.o ]
mkdir empty
fails_with "cannot run 'as': No such file or directory" env PATH="$PWD/empty" "$gatecc" -c main.s

# An assembler that does not read what it is given.
echo 'int f(int a) { return a; }' >f.c
mkdir lazy
printf '#!/bin/sh\necho "as is lazy" >&2\nexit 1\n' >lazy/as
chmod +x lazy/as
i=0
while [ $i -lt 3000 ]; do
    echo "int f$i(int a) { return a * $i; }"
    i=$((i + 1))
done >large.c
for file in f large; do
    fails_with 'as is lazy' env PATH="$PWD/lazy:$usual" "$gatecc" -c $file.c
    fails_with "ended by signal 11" env PATH="$PWD/dying:$usual" "$gatecc" -c $file.c
    [ ! -e $file.o ]
done
