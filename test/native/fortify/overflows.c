// Overflows that hardened programs are stopped at, and near misses: argument 1 says which, argument 2 whether it overflows.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>
#include <wchar.h>

struct record { char name[8]; int value; char rest[20]; };
static char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static void copy_to(char *to, const char *from, size_t n) { memcpy(to, from, n); }
static void fill(char *to, size_t n) { memset(to, 'x', n); }
static inline __attribute__((always_inline)) int vformat(char *to, const char *f, va_list list) { return vsprintf(to, f, list); }
static int vwrap(const char *f, ...) {
    char to[8];
    va_list list;
    va_start(list, f);
    int n = vformat(to, f, list);
    va_end(list);
    printf("%s\n", to);
    return n;
}

static void run(int which, size_t n, FILE *file, int fd) {
    char buffer[10], *heap;
    struct record record = {"", 7, ""};
    memset(buffer, 0, sizeof buffer);
    switch (which) {
    case 1: memcpy(buffer, text, n); break;
    case 2: text[n - 1] = 0; strcpy(buffer, text); break;
    case 3: sprintf(buffer, "%.*s", (int)n - 1, text); break;
    case 4: snprintf(buffer, n, "%s", "abc"); break;
    case 5: if (read(fd, buffer, n) < 0) puts("no"); break;
    case 6: if (!fgets(buffer, (int)n, file)) puts("no"); break;
    case 7: strcpy(buffer, "abc"); text[n - 4] = 0; strcat(buffer, text); break;
    case 8: fill(buffer, n); break;
    case 9: text[n - 3] = 0; strcpy(record.name, text); strncpy(buffer, record.name, 9); break;
    case 10: heap = malloc(10); memcpy(heap, text, n); memcpy(buffer, heap, 9); free(heap); break;
    case 11: heap = malloc(n > 10 ? n - 1 : n); memcpy(heap + 1, text, n - 1); memcpy(buffer, heap + 1, 5); free(heap); break;
    case 12: { fd_set set; FD_ZERO(&set); FD_SET((int)(n > 10 ? 1024 : 1023), &set); buffer[0] = 'f'; break; }
    case 13: memmove(buffer + 2, text, n - 2); buffer[0] = buffer[1] = 'm'; break;
    case 14: vwrap("%d", n > 10 ? 123456789 : 1234567); break;
    case 15: { int count = 0; char f[8] = "abc%n"; if (n <= 10) strcpy(f, "abc"); printf(f, &count); printf("%d\n", count); break; }
    case 16: strncat(buffer, text, n - 1); break;
    case 17: stpcpy(stpcpy(buffer, "ab"), n > 10 ? "123456789" : "1234567"); break;
    case 18: { wchar_t wide[4]; wcscpy(wide, n > 10 ? L"abcd" : L"abc"); buffer[0] = (char)wide[2]; break; }
    case 19: copy_to(buffer, text, n); break;
    case 20: if (fread(buffer, 1, n, file) != n) puts("no"); break;
    }
    printf("%d: %.9s %d\n", which, buffer, record.value);
}

int main(int argc, char **argv) {
    FILE *file = fopen(argv[3], "r");
    int fd = open(argv[3], O_RDONLY);
    if (argc != 4 || !file || fd < 0) return 2;
    run(atoi(argv[1]), atoi(argv[2]) ? 11 : 10, file, fd);
    return 0;
}
