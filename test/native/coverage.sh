#!/bin/bash
# gcov says the same of programs that gatecc compiled with --coverage as of those of gcc -O0: lines of all, at -O1 and -O0,
# branches and calls of some.
set -eu
programs=()
for name in queens life mandelbrot sha256 state_machine bytecode_vm knapsack binary_trees md5 lz; do
    programs+=("$ROOT/bench/programs/$name.c")
done
cases=$ROOT/test/native/coverage/cases.c
"$ROOT/tools/coverage-check" "${programs[@]}" "$cases" >report || { cat report; exit 1; }
grep -qx '11 of 11 have the same counts' report
"$ROOT/tools/coverage-check" -O 0 "${programs[@]:0:4}" "$cases" >report || { cat report; exit 1; }
"$ROOT/tools/coverage-check" -O 2 "${programs[@]:4:3}" >report || { cat report; exit 1; }
"$ROOT/tools/coverage-check" -b "${programs[@]:0:1}" "${programs[@]:2:2}" "${programs[@]:5:4}" >report || { cat report; exit 1; }

# A comparison that can fail: other counts are found.
printf '#!/bin/sh\nexec gcc "$@" -Dlimit=9\n' >other
chmod +x other
printf '#ifndef limit\n#define limit 7\n#endif\nint main(void) { for (int i = 0; i < limit; i++)\n;\nreturn 0; }\n' >loop.c
if GATECC=$PWD/other "$ROOT/tools/coverage-check" loop.c >report; then exit 1; fi
grep -q 'other counts' report

# lcov reads the files, too.
printf 'int main(int c, char **v) {\n    (void)v;\n    if (c > 1)\n        return 1;\n    return 0;\n}\n' >lines.c
gatecc --coverage lines.c -o lines
./lines
lcov -q -c -d . -o info --rc lcov_branch_coverage=1 >log 2>&1 || { cat log; exit 1; }
grep -qx 'DA:4,0' info
grep -qx 'DA:5,1' info
grep -qx 'BRDA:3,0,0,0' info
grep -qx 'BRDA:3,0,1,1' info
