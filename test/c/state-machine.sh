#!/bin/sh
# Programs of the tests and of csmith behave alike run in order, by the state machine in several orders, and as code for mach0, which
# runs in lock step with the state machine. test/long/asm.sh runs all of them.
"$ROOT/tools/asm-check" -s 2 -e 12 c | tee report && "$ROOT/tools/asm-check" -s 2 -f 300000 csmith 1 3 | tee -a report
grep -qE '^asm-check c: ([1-9][0-9]) of \1 programs right, 0 failed,.* [1-9][0-9]* blocks and [1-9][0-9]* values' report &&
    grep -qE '^asm-check csmith: 3 of 3 programs right, 0 failed,.* [1-9][0-9]{3,} blocks and [1-9][0-9]{3,} values' report || exit 1

# Whether a mistake would be noticed: a stand-in for gate makes one at a time.
mkdir -p bin && cat >bin/gate <<'END'
#!/bin/sh
case "$MISTAKE: $*" in
order*--order=lazy*) "$BUILT/bin/gate" "$@"; echo more ;;
seed*compare*--fuel*) "$BUILT/bin/gate" "$@" | sed 's/^\(ssa asm 2 .*\)same     /\1DIFFERENT/' ;;
rows*compare*--fuel*) "$BUILT/bin/gate" "$@" | grep -v '^ssa asm 2' ;;
code*compare*--fuel*) "$BUILT/bin/gate" "$@" | grep -v '^mach0' ;;
lock*--lockstep*) "$BUILT/bin/gate" "$@" | sed 's/ same / DIFFERENT /' ;;
none*--lockstep*) ;;
agree*--exhaustive*) "$BUILT/bin/gate" "$@" 2>&1 >/dev/null | sed 's/disagreements: 0/disagreements: 1/' >&2 ;;
*) exec "$BUILT/bin/gate" "$@" ;;
esac
END
chmod +x bin/gate && printf 'int printf(const char *, ...);\nint main(void) { return printf("1\\n") - 2; }\n' >one.c
export BUILT MISTAKE
for MISTAKE in order seed rows code lock none agree; do
    GATE=$PWD/bin/gate "$ROOT/tools/asm-check" -s 2 files one.c >mistake && { echo "not noticed: $MISTAKE"; exit 1; }
    grep -q '^asm-check files: 0 of 1 programs right, 1 failed' mistake || { cat mistake; exit 1; }
done
MISTAKE= GATE=$PWD/bin/gate "$ROOT/tools/asm-check" -s 2 files one.c
