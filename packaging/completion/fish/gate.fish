# fish completion for gate: its --help names all options, gate passes the steps.
function __gate_options
    gate (commandline -opc)[2] --help 2>/dev/null | string match -rag -- '(?:^|[ ,])(--?[A-Za-z][-A-Za-z0-9]*=?)' | sort -u
    for option in --after --on --off
        gate passes 2>/dev/null | string replace -r '^(\S+).*' -- "$option=\$1"
    end
end
complete -c gate -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__gate_options)'
complete -c gate -n 'test (count (commandline -opc)) -eq 1' -f -a '(gate --help 2>/dev/null | sed -n "/^commands:/,/^\$/s/^  \([a-z]*\) .*/\1/p")'
complete -c gate -n 'contains (commandline -opc)[-1] show run graph' -f -a '(gate --help 2>/dev/null | sed -n "s/^FORM is //p" | tr -c "a-z0-9\n" "\n" | string match -v -r "^(show|run|)\$")'
