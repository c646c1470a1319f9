#!/bin/sh
# Files appear whole or not at all, with the permissions that cc gives them, and nothing else is left behind: not
# after mistakes, not after signals. What is no regular file is written in place.
set -eu
export TMPDIR="$PWD/temporary"
mkdir temporary work
cd work
printf '.globl main\nmain: xorl %%eax, %%eax\nret\n.section .note.GNU-stack, ""\n' >main.s
echo '    frobnicate' >wrong.s
fail() {
    echo "$*"
    exit 1
}
# What is here now, and nothing in the temporary directory.
holds() {
    [ "$(ls -A | tr '\n' ' ')" = "$* " ] || fail "expected $*; found" $(ls -A)
    [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind:" $(ls -A "$TMPDIR")
}

gatecc main.s
holds a.out main.s wrong.s
./a.out
gatecc -c main.s
holds a.out main.o main.s wrong.s

# A mistake leaves what was there.
cp main.o before.o
if gatecc -c wrong.s -o main.o 2>/dev/null; then fail "wrong text was assembled"; fi
cmp main.o before.o
if gatecc main.s main.o -o a.out 2>/dev/null; then fail "main was linked twice"; fi
./a.out
rm before.o
holds a.out main.o main.s wrong.s

# Permissions.
(umask 027 && gatecc -c main.s -o object.o && gatecc object.o -o program)
[ "$(stat -c %a object.o)" = 640 ] || fail "object has mode $(stat -c %a object.o)"
[ "$(stat -c %a program)" = 750 ] || fail "program has mode $(stat -c %a program)"
(umask 027 && echo 'int x;' | gatecc -E -P -o text.i -)
[ "$(stat -c %a text.i)" = 640 ] || fail "text has mode $(stat -c %a text.i)"
rm object.o program text.i

# Links are followed; devices and pipes are written to.
mkdir elsewhere
ln -s elsewhere/object.o link.o
: >elsewhere/object.o
gatecc -c main.s -o link.o
[ -L link.o ] || fail "the link was replaced"
cmp elsewhere/object.o main.o
gatecc -c main.s -o /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"
gatecc -c main.s -o /dev/stdout | cmp - main.o
gatecc -c main.s -o - | cmp - main.o
gatecc -c main.s -o /dev/stdout >redirected.o
cmp redirected.o main.o
mkfifo pipe
cat pipe >piped.o &
gatecc -c main.s -o pipe
wait
cmp piped.o main.o
[ -p pipe ] || fail "the pipe was replaced"
if gatecc -c main.s -o elsewhere 2>errors; then fail "a directory was written"; fi
grep -q "cannot write 'elsewhere': Is a directory" errors
if gatecc -c main.s -o missing/main.o 2>errors; then fail "a missing directory was written to"; fi
grep -q "cannot write 'missing/main.o': No such file or directory" errors
rm -rf elsewhere link.o redirected.o pipe piped.o errors
holds a.out main.o main.s wrong.s

# The same bytes again and again.
gatecc -c main.s -o again.o
cmp main.o again.o
rm again.o

# A signal at any moment: a linker that takes its time is in the middle of its work.
mkdir bin
cat >bin/linker <<'END'
#!/bin/sh
echo half >"$2"
echo started >>started
sleep 100
END
chmod +x bin/linker
for signal in TERM:143 HUP:129 INT:130 KILL:137; do
    expected=${signal#*:}
    signal=${signal%:*}
    rm -f started
    # A shell's background jobs ignore SIGINT.
    GATECC_LINKER=bin/linker env --default-signal=INT gatecc main.s -o a.out &
    until [ -e started ]; do sleep 0.01; done
    kill -$signal $!
    status=0
    wait $! || status=$?
    [ $status = $expected ] || fail "SIG$signal: status $status"
    ./a.out
    rm started
    [ $signal != KILL ] || rm -rf .gatecc-?????? "$TMPDIR"/gatecc-??????
    holds a.out bin main.o main.s wrong.s
done

# The same with the assembler, which is at work while C is being compiled.
cat >bin/as <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo half >"$2"
echo started >>started
sleep 100
END
chmod +x bin/as
echo 'int f(int a) { return a; }' >f.c
echo kept >f.o
for signal in TERM:143 KILL:137; do
    expected=${signal#*:}
    signal=${signal%:*}
    PATH=$PWD/bin:$PATH gatecc -c f.c &
    until [ -e started ]; do sleep 0.01; done
    kill -$signal $!
    status=0
    wait $! || status=$?
    [ $status = $expected ] || fail "SIG$signal: status $status"
    [ "$(cat f.o)" = kept ] || fail "f.o was changed"
    rm started
    [ $signal != KILL ] || rm -rf .gatecc-??????
    holds a.out bin f.c f.o main.o main.s wrong.s
done

# Where standard error is closed or full, warnings are lost and nothing else; a file does not get the number of
# a closed stream and with it what was meant for that. Output that cannot be written is an error.
echo 'int *f(void) { int *p = 5; return p; }' >warned.c
gatecc -c warned.c -o told.o 2>messages
grep -q warning messages || fail "there is no warning"
gatecc -c warned.c -o closed.o 2>&-
gatecc -c warned.c -o full.o 2>/dev/full
gatecc -c warned.c -o all.o <&- >&- 2>&-
gatecc -S warned.c -o all.s <&- >&- 2>&-
for object in closed full all; do cmp told.o $object.o || fail "$object.o differs"; done
if grep -q warning all.s; then fail "a warning went to the output"; fi
if gatecc -E warned.c >&- 2>/dev/null; then fail "there is no error where standard output is closed"; fi
