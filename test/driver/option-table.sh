#!/bin/bash
# What --help=options says of an option is what becomes of it: what is done or passed over is taken without a word, what is
# refused is an error with the reason that the table gives. No option is in two tables. Every option of the installed gcc
# is known.
set -eu
echo 'int x;' >x.c
gatecc --help=options >help

# The rows of a section, each as NAME, or as NAME TAB REASON.
section() {
    awk -v title="$1" '/^[A-Z]/ { in_it = index($0, title) == 1; next } in_it' help
}
words() { section "$1" | grep '^    ' | sed 's, ARG,ARG,g' | tr -s ' ' '\n' | grep -v '^$' || true; }
reasons() { section "$1" | sed -nE 's/^  (-[^ ]*) +(.*)$/\1\t\2/p'; }
words 'Done:' >done
words 'Passed on to the linker:' >passed
words 'Nothing is to be done' >nothing
reasons 'Passed over:' >harmless
words 'Passed over, with or without no-:' >flags
reasons 'Refused:' >refused
words 'For other languages' >foreign
for file in done passed nothing harmless flags refused foreign; do
    [ "$(wc -l <$file)" -ge 5 ] || { echo "few rows: $file"; exit 1; }
done

# Every row of the two tables is printed, and every row of those of the machine, where a switch counts twice: with no-, too.
own=$ROOT/src/gatecc/options machine=$ROOT/src/target/x64/language
rows() { cat "$own/$2" "$machine/$2" 2>/dev/null | grep -oE "\b$1\(\"" | wc -l; }
machine_rows() { grep -cE "^    \{\"[^\"]*\", MACHINE_$1," "$machine/options.c"; }
[ "$(cat done passed nothing | wc -l)" = "$(($(rows OPTION options.def) + 2 * $(machine_rows SWITCH) + $(machine_rows PLAIN) + $(machine_rows VALUE)))" ]
[ "$(wc -l <refused)" = "$(rows REFUSED missing_options.def)" ]
[ "$(wc -l <harmless)" = "$(($(rows HARMLESS missing_options.def) + $(rows VALUES missing_options.def)))" ]
[ "$(wc -l <flags)" = "$(($(rows FLAG missing_options.def) + $(rows MACHINE missing_options.def) + $(rows WARN missing_options.def) + $(rows DEBUG missing_options.def)))" ]

# Nothing is said twice.
{ cat done passed nothing | sed 's/\[.*//; s/ARG$//; s/=$//' | sort -u; cut -f 1 harmless refused; cat flags foreign; } |
    grep -v -e '^-[fmWgOd]$' | sort | uniq -d >twice
if [ -s twice ]; then echo "in two tables:"; cat twice; exit 1; fi

# taken OPTION...: without a word, and well.
taken() {
    if ! gatecc "$@" -c x.c -o x.o >said 2>&1 || [ -s said ]; then
        echo "not taken silently: $*"
        cat said
        return 1
    fi
}
export -f taken

# What is passed over: all at once, and as it is refused not to be.
while IFS=$'\t' read -r name reason; do
    [ -n "$reason" ]
    case $name in
    -march | -mtune) name=$name=x86-64 ;;
    esac
    echo "${name/\*/x}"
done <harmless >silent
sed 's/\*$/x/' flags >>silent
grep -E '^-[fm]' flags | sed -E 's/^-([fm])/-\1no-/; s/\*$/x/' >>silent
grep -v -e '^-W' silent >quiet
mapfile -t all <quiet
taken "${all[@]}" || { for one in "${all[@]}"; do taken "$one" || exit 1; done; exit 1; }

# What is refused: the reason is told, nothing is made.
rm -f x.o
while IFS=$'\t' read -r name reason; do
    if gatecc "${name/\*/x}" -c x.c -o x.o >said 2>&1 || [ -e x.o ]; then echo "not refused: $name"; exit 1; fi
    grep -qF "is not supported: $reason" said || { echo "another reason: $name"; cat said; exit 1; }
done <refused

# What is done and needs no argument is taken without a word, but for what prints something or leaves out the object.
grep -v -e 'ARG' -e '^--help' -e '^--version' -e '^-dump' -e '^-print' -e '^-###$' -e '^-v$' -e '^--verbose$' \
    -e '^--stats$' -e 'time-report$' -e '^-E$' -e '^-M' -e '^-S$' -e '^-c$' -e '^-fsyntax-only$' -e '^-H$' done >plain
[ "$(wc -l <plain)" -gt 150 ]
while read -r option; do taken "$option" || exit 1; done <plain
while read -r option; do taken "$option" || exit 1; done < <(grep -v ARG nothing)
while read -r option; do taken "$option" || exit 1; done < <(grep -v ARG passed)

# gcc's own list: nothing in it is unknown.
for kind in common optimizers target c warnings; do gcc --help=$kind; done 2>/dev/null |
    grep -oE '^  -[fmWg][^ ,]*' | tr -d ' ' | sed -E 's/\[.*//; s/<[^>]*>//; s/=.*/=1/; s/=$/=1/; s/-$/-1/' | grep -v -x -e '-Werror=1' -e '-Wformat-overflow.*' -e '-Wshadow=1' -e '-Wcast-align=1' -e '-masm=1' -e '-maddress-mode=1' |
    sort -u >known
[ "$(wc -l <known)" -gt 900 ]
mapfile -t all <known
unknown=0
for ((i = 0; i < ${#all[@]}; i++)); do
    # One that is refused would hide the others.
    gatecc "${all[i]}" -fsyntax-only x.c 2>&1 | grep 'unrecognized command-line' && unknown=$((unknown + 1))
done >unknown || true
if [ -s unknown ]; then echo "options of gcc that are unknown:"; cat unknown; exit 1; fi
