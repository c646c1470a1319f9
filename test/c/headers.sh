#!/bin/sh
# Every header of the C standard library and of POSIX that glibc has, alone in a file, is taken without
# a message; so are all of them together. (POSIX's ndbm.h, stropts.h and trace.h are not in glibc.)
set -u
standard='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time
    uchar wchar wctype'
posix='aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv ifaddrs langinfo libgen
    monetary mqueue net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched
    search semaphore spawn strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm
    sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait
    syslog tar termios ulimit unistd utime utmpx wordexp'

status=0
accept() { # FILE OPTION...
    file=$1
    shift
    if ! gatecc -fsyntax-only -Wall "$@" "$file" >messages 2>&1 || [ -s messages ]; then
        echo "$file $*:"
        head -n 5 messages
        status=1
    fi
}

: >all.c
for header in $standard $posix; do
    echo "#include <$header.h>" | tee -a all.c >"$(echo "$header" | tr / -).c"
done
for file in *.c; do
    accept "$file"
    accept "$file" -D_GNU_SOURCE
    accept "$file" -std=c11 -D_XOPEN_SOURCE=700
    accept "$file" -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=$((${#file} % 3 + 1))
done
for level in 1 2 3; do accept all.c -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=$level; done
exit $status
