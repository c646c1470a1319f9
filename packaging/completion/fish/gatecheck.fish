# fish completion for gatecheck: its --help names all options.
complete -c gatecheck -n 'string match -q -- "-*" (commandline -ct)' -f -a '(gatecheck --help 2>/dev/null | string match -rag -- "^ +(-[-a-z]+)|, (--[a-z]+)")'
