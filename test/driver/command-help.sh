#!/bin/bash
# gate COMMAND --help fits a screen for every command; every option that it names is taken; what it does not name is refused if another
# command has it.
set -eu
cat >x.c <<'END'
int f(int x) { return x * 2; }
int main(void) { return f(0); }
END
gate --help | sed -n '/^commands:/,/^gate/s/^  \([a-z]*\) .*/\1/p' >commands
[ "$(wc -l <commands)" -ge 11 ]

# What gives each option its value, and the form for those that are about one.
written() { # OPTION as help has it
    case $1 in
    --after=*) echo --after=ssa_build ;;
    --on=* | --off=*) echo "${1%%=*}=gvn,tidy" ;;
    --function=*) echo --function=f,main ;;
    -o) echo -o out ;;
    --ssa=*) echo --ssa=minimal ;;
    --matrix=*) echo --matrix=0,0 ;;
    --obligations=*) echo --obligations=two-rail ;;
    --result=*) echo --result=0 ;;
    --order=*) echo --order=lazy ;;
    --check=*) echo --check=steps ;;
    --dump-rejected=*) echo --dump-rejected=dumps ;;
    --format=*) echo --format=json ;;
    --versus=*) echo --versus=-O2 ;;
    --input=*) echo --input=x.c ;;
    --trace=*) echo --trace=calls ;;
    --pass=*) echo --pass=gvn ;;
    --forge=*) echo --forge=gvn ;;
    --fuel=N) echo --fuel=1000000 ;;
    --placement=*) echo --placement=touching ;;
    --input=*) echo --input=/dev/null ;;
    --trace=*) echo --trace=calls ;;
    --*=N) echo "${1%N}1" ;;
    *) echo "$1" ;;
    esac
}
line() { # COMMAND OPTION as written: the rest of the line
    case $1 in
    show | run | graph) ;;
    explain) echo x.c:1; return ;;
    passes) return ;;
    compare) [[ $2 == --seed=* ]] && echo --lockstep x.c || echo x.c; return ;;
    *) echo x.c; return ;;
    esac
    case $2 in
    --matrix* | --obligations* | --dataflow) echo gsa x.c ;;
    --dominance) echo son x.c ;;
    --result* | --exact | --clean) echo imp f.c ;;
    --seed*) [ "$1" = run ] && echo asm x.c || echo mach0 x.c ;;
    --order* | --step | --exhaustive*) echo asm x.c ;;
    --after* | --typing | --asm) echo ssa x.c ;;
    *) echo rtl x.c ;;
    esac
}
echo 'int main(void) { return 0; }' >f.c
mkdir -p dumps
taken=0
while read -r command; do
    gate "$command" --help >help
    case $command in slice) continue ;; esac # it has a text of its own
    [ "$(wc -l <help)" -le 40 ] || { echo "gate $command --help is too long"; exit 1; }
    awk 'length > 79 { print FILENAME ": too wide: " $0; bad = 1 } END { exit bad }' help
    head -n 1 help | grep -q "^usage: gate $command" || { head -n 1 help; exit 1; }
    for option in $(sed -n 's/^  \(-[^ ]*\).*/\1/p' help); do
        case $option in --help | -D | -h) continue ;; esac
        case $command$option in explore--serve | explore--port*) continue ;; esac # they wait for requests
        given=$(written "$option")
        [ "$command$option" = diff--after=A ] && given='--after=ssa_build --after=dead_code'
        # shellcheck disable=SC2046,SC2086
        gate $command $given $(line "$command" "$given") </dev/null >out.txt 2>errors.txt && status=0 || status=$?
        [ $status -lt 2 ] && ! grep -q 'gate --help' errors.txt ||
            { echo "gate $command $given: $status"; cat errors.txt; exit 1; }
        taken=$((taken + 1))
    done
done <commands
[ $taken -gt 120 ] || { echo "$taken options taken"; exit 1; }

# Every option of another command is refused, or else it is named.
cat commands | while read -r command; do gate "$command" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p'; done | sort -u >all
for command in show check emit passes; do
    gate $command --help | sed -n 's/^  \(-[^ =]*\).*/\1/p' | sort -u >own
    while read -r option; do
        grep -qx -- "${option%%=*}" own && continue
        given=$(written "$option")
        # shellcheck disable=SC2046,SC2086
        gate $command $given $(line "$command" "$given") >out.txt 2>errors.txt && status=0 || status=$?
        [ $status -eq 2 ] || { echo "gate $command $given is taken, and not in its help"; exit 1; }
    done <all
done
gate check --trace x.c 2>&1 | grep -qx 'gate: --trace goes with run only'
gate certify --function=f x.c 2>&1 | grep -q '^gate: --function goes with .* only$'
gate run rtl x.c --help >/dev/null # the program's own
