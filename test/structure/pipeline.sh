#!/bin/sh
# The pipeline loop knows the rows of passes.def and no pass by its name, and it accepts nothing by itself: only commit.c
# asks checkers, hands functions over for good, and puts functions into programs and bodies on offer. The front end calls no
# transform: it asks the pipeline.
set -eu
cd "$ROOT"
sed -nE 's/^PASS\(([a-z_0-9]*),.*/\1/p' src/check/passes.def >"$TMPDIR/passes"
[ "$(wc -l <"$TMPDIR/passes")" -gt 20 ]

names_no_pass() { # FILE...
    named=0
    while read -r pass; do
        if grep -nE "\b(PASS_|check_)?$pass\b" "$@"; then
            echo "the pipeline loop names the pass $pass"
            named=1
        fi
    done <"$TMPDIR/passes"
    return $named
}

# The loop, and whoever could be asked by it.
accepts_nothing() { # FILE...
    if grep -nE '\b(step_check|pass_check|check_values|check_copies)\(|->finish\(|symbol->func = |\(OfferedBody\)|bodies(\.|->)of\b' "$@"; then
        echo "somebody beside commit.c decides"
        return 1
    fi
}

calls_no_transform() { # FILE...
    called=0
    while read -r pass; do
        if grep -nE "(^|[^_.>a-z0-9\"])$pass\(" "$@" | grep -v '^[^:]*:[0-9]*: *//'; then
            echo "the front end calls the transform $pass"
            called=1
        fi
    done <"$TMPDIR/passes"
    return $called
}

names_no_pass src/pipeline/pipeline.[ch] src/pipeline/steps.[ch] src/pipeline/commit.[ch]
accepts_nothing src/pipeline/pipeline.c src/pipeline/steps.c src/pipeline/inline_plan.c src/pipeline/transforms.c
calls_no_transform $(find src/c -name '*.[ch]')
[ "$(sed -n 's/^decides *pipeline\///p' src/tiers.txt | sort | xargs)" = "commit.* step_check.*" ]

# Each thing that is not to be is found.
for line in 'verdict = step_check(pass, arena, NULL, before, after, hint);' 'pipeline->finish(pipeline->finisher, func);' \
    'symbol->func = func_clone(func, arena);' 'pipeline->bodies.of[0].rtl = func;'; do
    { cat src/pipeline/pipeline.c; echo "$line"; } >"$TMPDIR/planted.c"
    if accepts_nothing "$TMPDIR/planted.c" >/dev/null; then
        echo "nobody finds: $line"
        exit 1
    fi
done
{ cat src/pipeline/pipeline.c; echo "if (pass == PASS_gvn) return;"; } >"$TMPDIR/planted.c"
if names_no_pass "$TMPDIR/planted.c" >/dev/null; then
    echo "nobody finds the name of a pass"
    exit 1
fi
{ cat src/c/late/late.c; echo "ssa = ssa_build(arena, func, &hint);"; } >"$TMPDIR/planted.c"
if calls_no_transform "$TMPDIR/planted.c" /dev/null >/dev/null; then
    echo "nobody finds the call of a transform"
    exit 1
fi
