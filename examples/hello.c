// Says hello to everyone named on the command line, or to the world.
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 2) puts("hello, world");
    for (int i = 1; i < argc; i++) printf("hello, %s\n", argv[i]);
    return 0;
}
