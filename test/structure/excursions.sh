#!/bin/sh
# Rows of passes.def for excursions that are checked as one: the compiler names the row that is missing, and gate does not
# start if passes without a checker stand where nothing compares what they lead to.
set -eu
mkdir tree objects
cp -R "$ROOT/src" "$ROOT/include" tree
cd tree
compile="$(cat "$BUILT/flags") -O0"
table=src/check/passes.def
change() { # SED-SCRIPT: of the table as it is in the source
    sed "$1" "$ROOT/$table" >$table
    if cmp -s $table "$ROOT/$table"; then
        echo "nothing is changed by $1"
        exit 1
    fi
}
refused() { # FILE NAME: the compiler refuses it and names what is missing
    if $compile -c -o ../objects/wrong.o "$1" >messages 2>&1; then
        echo "nothing complains of $2"
        exit 1
    fi
    grep -q "$2" messages || { cat messages; echo "the message does not name $2"; exit 1; }
}
inconsistent() { # NAME: gate does not start
    rm -f ../objects/*
    for file in src/check/passes.c src/pipeline/steps.c; do
        $compile -c -o "../objects/$(basename $file .c).o" $file
    done
    find src -name '*.c' ! -name gatecc.c ! -name 'gatecheck*.c' ! -path 'src/lib/*' ! -path src/check/passes.c ! -path src/pipeline/steps.c |
        sed "s,^src/\(.*\)c$,$BUILT/obj/\1o," >others
    $compile -o ../gate $(cat others) ../objects/*.o $BUILT/obj/explore/page.o -lm $(sed 's/./-l&/' $BUILT/http)
    if ../gate passes >messages 2>&1; then
        echo "gate starts, though $1 does not fit"
        exit 1
    fi
    grep -q "passes.def: $1 does not fit where it stands" messages || { cat messages; exit 1; }
}

change 's/^PASS(son_optimize,.*//'
refused src/pipeline/steps.c PASS_son_optimize
change 's/^PASS(son_schedule, SON, SSA, VALUES,/PASS(son_schedule, SON, SSA, NONE,/'
refused src/check/passes.c "no kernel checks son_schedule"
change 's/^PASS(son_schedule, SON, SSA, VALUES,/PASS(son_schedule, SON, SSA, CLAIMS,/'
refused src/check/passes.c BY_CLAIMS
change 's/^STEP([A-Z0-9]*, check_elim,.*//'
refused src/pipeline/steps.c a_STEP_row_for_check_elim

# Without the row, with a way in that is checked by itself, with a step inside that is not checked, and with a step between
# that is not inside.
change 's/^EXCURSION(son_build.*//'
inconsistent son_build
change 's/^PASS(son_build, SSA, SON, NONE, NONE,/PASS(son_build, SSA, SON, VALUES, ValuesHint,/'
inconsistent son_optimize
change 's/^PASS(gated_gvn, GSA, GSA, GATES, GatedGvnHint,/PASS(gated_gvn, GSA, GSA, NONE, NONE,/'
inconsistent gated_gvn
change 's/^EXCURSION(close_loops.*//'
inconsistent close_loops
change '/^STEP([A-Z0-9]*, son_build,/{
    h
    d
}
/^STEP([A-Z0-9]*, son_schedule,/{
    p
    x
}'
inconsistent son_optimize
