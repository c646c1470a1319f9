# fish completion for gatecheck, whose --help names all options, and gatecheck-slice.
complete -c gatecheck -n 'string match -q -- "-*" (commandline -ct)' -f -a '(gatecheck --help 2>/dev/null | string match -rag -- "^ +(-[-a-z]+)|, (--[a-z]+)")'
complete -c gatecheck-slice -n 'string match -q -- "-*" (commandline -ct)' -f -a '--help --version'
