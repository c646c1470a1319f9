# fish completion for gatecc: the compiler itself tells its options.
complete -c gatecc -n 'string match -q -- "-*" (commandline -ct)' -f -a '(gatecc --completion=(commandline -ct) 2>/dev/null)'
