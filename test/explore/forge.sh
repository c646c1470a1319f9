#!/bin/sh
# --forge=PASS: whatever pass has a checker, the mistake in it is rejected, and the page shows the reason and what was rejected.
set -eu
programs="$ROOT/test/explore/everything.c $ROOT/test/mutants/conditions.c $ROOT/bench/programs/aes.c $ROOT/test/facts/loop-unused.c"
gate passes | awk '$3 == "->" { print $1 }' | grep -v '\.' >steps
count=0
inner=0
for pass in $(sort -u steps); do
    if gate check --forge=$pass "$ROOT/test/explore/everything.c" 2>&1 | grep -q 'has no checker of its own\|there is no pass'; then
        inner=$((inner + 1))
        continue
    fi
    done=
    for options in -O2 "-O2 --off=son_build" "--off=son_build,if_convert"; do
        for file in $programs; do
            [ "$done" ] && continue
            gate explore --data --no-run $options --forge=$pass $file >$pass.json 2>messages
            grep -q 'changes nothing here' messages && continue
            done=yes
        done
    done
    [ "$done" ] || { echo "pass $pass was never forged"; exit 1; }
    grep -q "^gate: forged: $pass of function" messages
    count=$((count + 1))
done
python3 - <<'P'
import glob, json
for name in glob.glob("*.json"):
    data = json.load(open(name))
    pipeline, found = data["pipelines"][0], 0
    for function in pipeline["functions"]:
        for step in function["steps"]:
            forged = data["passes"][pipeline["steps"][step["step"]]["pass"]]["name"] + ".json"
            if step["verdict"] == "rejected" and forged == name:
                assert function["views"][step["view"]]["rejected"] is True
                assert not function["views"][step["before"]].get("rejected")
                assert function["texts"][step["reason"]]
                found += 1
    assert found, "no rejected step in " + name
    assert any("was undone" in line for line in pipeline["messages"])
P
echo "$count passes were forged, $inner have no checker"
[ $count -eq "$(grep '^PASS(' "$ROOT/src/check/passes.def" | grep -vc ', NONE, NONE,')" ]

# Other commands know it, too, and what it cannot do is said.
gate show ssa --after=ssa_build --forge=gvn "$ROOT/examples/gcd.c" 2>messages >/dev/null
grep -q 'pass gvn changes nothing here' messages
! gate check --forge=ssa_build "$ROOT/examples/gcd.c" >/dev/null 2>messages || exit 1
grep -q 'pass ssa_build was undone' messages
! gate check --forge=nothing "$ROOT/examples/gcd.c" 2>messages || exit 1
grep -q "there is no pass 'nothing'" messages

# A pass without a checker is judged by another, which is named.
gate check --forge=son_optimize "$ROOT/test/explore/everything.c" 2>&1 | grep -q 'son_optimize has no checker of its own; son_schedule has, which leads back'
