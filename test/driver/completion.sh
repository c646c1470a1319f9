#!/bin/bash
# Shells complete every option: of gatecc those of its tables, of gate and gatecheck those that their sources compare with.
set -eu
# Every row of the tables of gatecc.
gatecc --completion=- >all
sort -uc all
sed -n 's/^OPTION("\([^"]*\)".*/\1/p' "$ROOT/src/gatecc/options/options.def" >rows
grep -o '[A-Z]*("[^"]*"' "$ROOT/src/gatecc/options/missing_options.def" |
    sed -n 's/^FLAG("/-f/p; s/^MACHINE("/-m/p; s/^WARN("/-W/p; s/^DEBUG("/-g/p; s/^HARMLESS("//p' | tr -d '"*' >>rows
[ "$(wc -l <rows)" -gt 500 ]
sort -u rows | comm -23 - all >missing
[ ! -s missing ] || { cat missing; exit 1; }
gatecc --completion=-fsanitize-t | grep -qx -- -fsanitize-trap=
gatecc --completion=--emit= | grep -qx -- --emit=gsa
gatecc --completion=-Wno-unused-v | grep -qx -- -Wno-unused-variable
gatecc --completion=-fno-gated | grep -qx -- -fno-gated_gvn
[ -z "$(gatecc --completion=--no-such)" ]

# bash: what is offered for the words of a line.
reply() { # LINE: in COMPREPLY
    COMP_LINE=$1 COMP_POINT=${#1}
    read -ra COMP_WORDS <<<"${1//=/ = }"
    [[ $1 == *' ' || $1 == *= ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    "_${COMP_WORDS[0]}" || :
    printf '%s\n' "${COMPREPLY[@]}"
}
compopt() { :; }
for program in gatecc gate gatecheck; do . "$ROOT/packaging/completion/bash/$program"; done
reply 'gatecc -fsanitize-t' | grep -qx -- -fsanitize-trap=
reply 'gatecc --emit=g' | grep -qx gsa
reply 'gate sh' | grep -qx show
reply 'gate show g' | grep -qx gsa
reply 'gate run rtl --trace=c' | grep -qx calls
reply 'gate show gsa --after=gsa_' | grep -qx gsa_build
reply 'gatecheck --p' | grep -qx -- --partial
for file in gate/gate_options gate/gate_asm imp/imp_view; do
    grep -ohE '"--[a-z][-a-z]*"' "$ROOT/src/$file.c" | tr -d '"'
done | sort -u >options
[ "$(wc -l <options)" -gt 15 ]
gate --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
while read -r command; do reply "gate $command -"; done <commands | sort -u >offered
while read -r option; do
    grep -qE -- "^$option=?$" offered || { echo "gate $option is not completed"; exit 1; }
done <options
# Each command has its own.
reply 'gate run gsa --da' | grep -qx -- --dataflow
[ -z "$(reply 'gate show gsa --da')" ]
reply 'gate explain --format=' | grep -qx json
grep -ohE '"--[a-z][-a-z]*"' "$ROOT/src/gate/gate_slice.c" "$ROOT/src/slice/source/slice_criterion.c" | tr -d '"' | sort -u >options
[ "$(wc -l <options)" -gt 5 ]
while read -r option; do
    reply "gate slice $option" | grep -qE -- "^$option=?$" || { echo "gate slice $option is not completed"; exit 1; }
done <options
for option in $(grep -oE '"--?[a-z]+"' "$ROOT/src/gatecheck/gatecheck.c" | tr -d '"' | sort -u); do
    reply "gatecheck $option" | grep -qx -- "$option" || { echo "gatecheck $option is not completed"; exit 1; }
done

# The other shells at least read theirs, if they are installed.
if command -v fish >/dev/null; then
    fish -c "for f in $ROOT/packaging/completion/fish/*.fish; source \$f; end; complete -C 'gatecc -fsanitize-t'" 2>&1 | grep -q -- '-fsanitize-trap='
    fish -c "source $ROOT/packaging/completion/fish/gate.fish; complete -C 'gate run gsa --da'" | grep -q -- --dataflow
    fish -c "source $ROOT/packaging/completion/fish/gatecheck.fish; complete -C 'gatecheck --pa'" | grep -q -- --partial
else
    echo 'fish is not installed: left out'
fi
if command -v zsh >/dev/null; then
    for file in "$ROOT"/packaging/completion/zsh/_*; do zsh -n "$file"; done
else
    echo 'zsh is not installed: left out'
fi
