// Calls functions of the C library that lean on its compiler: threads and their storage, jumps out of calls, signals and
// cancellation, numbers as text in both directions, type-generic mathematics, wide and multibyte characters, searching and
// sorting, patterns, dates, streams in memory. Prints a line for each group, which must be the same whoever compiled library
// and program. With the path of a shared object (made of this file with -DSHARED), opens it and looks at its storage, too.
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

// Storage of a thread, each object with another alignment and some with a value.
#define THREAD_OBJECTS(X)                                                                          \
    X(char, a, 1, 'a')                                                                             \
    X(short, b, 2, 2) X(int, c, 4, 0) X(double, d, 8, 4.5) X(long, e, 16, 0) X(long, f, 64, 6)
#define DEFINE(type, name, alignment, value)                                                       \
    static _Thread_local _Alignas(alignment) type own_##name = value;
THREAD_OBJECTS(DEFINE)
_Thread_local _Alignas(32) int everybodys[3] = {1, 2, 3};

// Says what is wrong with the calling thread's storage, nothing if nothing is, and changes it.
const char *look_at_storage(void) {
    static const char *problem;
    problem = "";
#define LOOK(type, name, alignment, value)                                                         \
    if ((uintptr_t)&own_##name % alignment || own_##name != (type)(value)) problem = #name;        \
    own_##name++;
    THREAD_OBJECTS(LOOK)
    if ((uintptr_t)everybodys % 32 || everybodys[0] != 1 || everybodys[2] != 3)
        problem = "everybodys";
    everybodys[0] = 9;
    return problem;
}

#ifndef SHARED
static uint64_t sum;

static void mix(const void *bytes, size_t count) {
    for (const unsigned char *at = bytes, *end = at + count; at < end; at++)
        sum = (sum ^ *at) * 0x100000001b3;
}

static void mix_text(const char *text) {
    mix(text, strlen(text) + 1);
}

static void done(const char *group) {
    printf("%s %016" PRIx64 "\n", group, sum);
    fflush(stdout);
    sum = 0xcbf29ce484222325;
}

static void print(const char *format, ...) {
    char text[9000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mix(&length, sizeof length);
    mix_text(text);
}

static void integers_as_text(void) {
    static const char *const flags[] = {"", "-", "+", " ", "0", "#", "-#", "+0", "#0"};
    static const char *const sizes[] = {"", "1", "20", ".0", ".5", "20.12"};
    static const char *const kinds[] = {"jd", "ji", "jo", "ju", "jx", "jX"};
    static const intmax_t values[] = {0, 1, -1, 42, 0777, INT_LEAST32_MIN, INTMAX_MAX, INTMAX_MIN};
    char format[32];
    for (size_t i = 0; i < 9 * 6 * 6; i++) {
        snprintf(format, sizeof format, "<%%%s%s%s>", flags[i % 9], sizes[i / 9 % 6],
                 kinds[i / 54]);
        for (size_t k = 0; k < 8; k++) print(format, values[k]);
    }
    print("%hhd %hd %d %ld %lld %zd %td %c %s %p %n", 300, 70000, -1, -2L, 1LL << 40, sizeof sum,
          (ptrdiff_t)-3, 'x', "text", (void *)0x12, &(int){0});
    done("integers as text");
}

static void numbers_as_text(void) {
    static const char *const flags[] = {"", "-", "+", "0", "#"};
    static const char *const sizes[] = {"", "30", ".0", ".1", ".17", "40.25"};
    static const char *const kinds[] = {"e", "f", "g", "a", "G", "A"};
    static const double values[] = {
        0,        -0.0, 1,     0.1, 1e23, 123456789.5, 5e-324, 1.7976931348623157e308,
        INFINITY, NAN,  9.995, 0.5, 2.5};
    char format[32];
    for (size_t i = 0; i < 5 * 6 * 6; i++) {
        snprintf(format, sizeof format, "<%%%s%s%s>", flags[i % 5], sizes[i / 5 % 6],
                 kinds[i / 30]);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) print(format, values[k]);
        snprintf(format, sizeof format, "<%%%s%sL%s>", flags[i % 5], sizes[i / 5 % 6],
                 kinds[i / 30]);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            print(format, values[k] * (long double)1.1);
    }
    print("%Lf %La %Lg", 1.18973149535723176502e+4932L, 3.6e-4951L, -0.1L);
    done("numbers as text");
}

static void text_as_numbers(void) {
    static const char *const texts[] = {"0",
                                        "-1",
                                        "0x1p-1074",
                                        "0x.8p1",
                                        "1e400",
                                        "1e-400",
                                        "inf",
                                        "-nan",
                                        "nan(12)",
                                        " +12.5e",
                                        "0x",
                                        "0x1.fffffffffffff8p0",
                                        "9007199254740993",
                                        "123456789012345678901234567890e-20",
                                        "2.2250738585072011e-308",
                                        "08",
                                        "0777",
                                        "zz",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        float f = strtof(texts[i], &end);
        print("%a %td %d", f, end - texts[i], errno), errno = 0;
        double d = strtod(texts[i], &end);
        print("%a %td %d", d, end - texts[i], errno), errno = 0;
        long double l = strtold(texts[i], &end);
        print("%La %td %d", l, end - texts[i], errno), errno = 0;
        for (int base = 0; base <= 36; base += 4) {
            long long signed_value = strtoll(texts[i], &end, base);
            print("%lld %d", signed_value, errno), errno = 0;
            unsigned long long value = strtoull(texts[i], &end, base);
            print("%llu %d %td", value, errno, end - texts[i]), errno = 0;
        }
    }
    int a = 0, b = 0,
        count = sscanf("  12 0x1f:abc 3.25 xyz]", "%d %i:%2[a-c]", &a, &b, (char[8]){0});
    double d = 0;
    char word[16] = "", set[16] = "";
    count += 10 * sscanf("abc 3.25 xyz]q", "%15s %lf %15[^]]", word, &d, set);
    print("%d %d %d %s %s %g", count, a, b, word, set, d);
    done("text as numbers");
}

static void type_generic(void) {
    float f = 0.5f;
    double d = 0.25;
    long double l = 0.125L;
    float complex fc = 0.5f + 0.25f * I;
    double complex dc = 0.75 - 0.5 * I;
    print("%zu %zu %zu %zu %zu", sizeof sqrt(f), sizeof sqrt(d), sizeof sqrt(l), sizeof sqrt(fc),
          sizeof sqrt(1));
    print("%zu %zu %zu %zu %zu", sizeof pow(f, d), sizeof pow(f, l), sizeof pow(fc, d),
          sizeof fabs(dc), sizeof carg(fc));
    print("%zu %zu %zu", sizeof ldexp(f, 2), sizeof fma(f, f, 1), sizeof nexttoward(f, 1));
    print("%.6g %.6g %.6Lg %.6g %.6g", sin(f), exp(d), log(l), creal(cos(fc)), cimag(exp(dc)));
    print("%.6g %ld %.6g %.6g", atan2(f, d), lrint(2.5f), cabs(dc), fabs(fc));
    done("type-generic functions");
}

static sem_t ready;
static _Thread_local int cleanups;
static int seen_cleanups;

static void clean(void *unused) {
    (void)unused;
    seen_cleanups = ++cleanups;
}

static void *wait_for_the_end(void *unused) {
    (void)unused;
    pthread_cleanup_push(clean, NULL);
    pthread_cleanup_push(clean, NULL);
    sem_post(&ready);
    for (;;) pause();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static long turns;

static void *take_turns(void *argument) {
    long me = (intptr_t)argument;
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&mutex);
        while (turns % 4 != me) pthread_cond_wait(&condition, &mutex);
        turns++;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
    }
    return (void *)look_at_storage();
}

static void threads(void) {
    pthread_t thread[4];
    void *result;
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, take_turns, (void *)(intptr_t)i);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], &result), mix_text(result);
    print("%ld %s", turns, look_at_storage());
    sem_init(&ready, 0, 0);
    pthread_create(&thread[0], NULL, wait_for_the_end, NULL);
    sem_wait(&ready);
    pthread_cancel(thread[0]);
    pthread_join(thread[0], &result);
    print("%d %d", result == PTHREAD_CANCELED, seen_cleanups);
    done("threads");
}

static sigjmp_buf place;
static volatile sig_atomic_t signals;

static void jump_away(int signal) {
    signals++;
    siglongjmp(place, signal);
}

static void note_stack(int signal, siginfo_t *info, void *context) {
    (void)context;
    int here;
    signals += 10 * (signal == info->si_signo) + ((uintptr_t)&here % 4 == 0);
}

static void jumps_and_signals(void) {
    volatile int rounds = 0;
    double kept = 1.5 * (rounds + 1);
    signal(SIGUSR1, jump_away);
    int signal = sigsetjmp(place, 1);
    if (rounds++ < 3) raise(SIGUSR1);
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    print("%d %d %d %d %g", signal == SIGUSR1, rounds, (int)signals, sigismember(&blocked, SIGUSR1),
          kept);
    static char stack[65536];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = note_stack, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&other, NULL);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    print("%d", (int)signals);
    done("jumps and signals");
}

static int by_size(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int by_size_and_count(const void *left, const void *right, void *count) {
    ++*(int *)count;
    return by_size(left, right);
}

static void mix_node(const void *node, VISIT visit, int depth) {
    print("%d %d %d", **(int *const *)node, (int)visit, depth);
}

static void sorting_and_searching(void) {
    static int numbers[1000], keys[64];
    int count = 0;
    uint32_t state = 5;
    for (int i = 0; i < 1000; i++) numbers[i] = (int)((state = state * 69069 + 1) >> 12) % 500;
    qsort_r(numbers, 1000, sizeof *numbers, by_size_and_count, &count);
    mix(numbers, sizeof numbers);
    print("%d %td", count,
          (int *)bsearch(&numbers[0], numbers, 1000, sizeof *numbers, by_size) >= numbers);
    void *tree = NULL;
    for (int i = 0; i < 64; i++) keys[i] = i * 37 % 64, tsearch(&keys[i], &tree, by_size);
    for (int i = 0; i < 64; i += 3) tdelete(&keys[i], &tree, by_size);
    twalk(tree, mix_node);
    hcreate(100);
    static char names[64][8];
    for (int i = 0; i < 64; i++)
        snprintf(names[i], 8, "n%d", i), hsearch((ENTRY){names[i], &keys[i]}, ENTER);
    for (int i = 0; i < 70; i++) {
        char name[8];
        snprintf(name, 8, "n%d", i);
        ENTRY *found = hsearch((ENTRY){name, NULL}, FIND);
        print("%d", found ? *(int *)found->data : -1);
    }
    done("sorting and searching");
}

static void patterns(void) {
    static const char *const expressions[] = {"a(b|c)*d", "^([[:alpha:]]+)=([0-9]{2,4})$",
                                              "(a*)(ab)*(b*)", "x\\.y|[^]a]", "(a|ab)(c|bcd)(d*)"};
    static const char *const texts[] = {"abcbcd", "name=123", "abb", "x.y", "abcd", "]"};
    for (size_t i = 0; i < 5; i++) {
        regex_t compiled;
        print("%d", regcomp(&compiled, expressions[i], REG_EXTENDED));
        for (size_t k = 0; k < 6; k++) {
            regmatch_t match[4];
            memset(match, 0, sizeof match);
            print("%d", regexec(&compiled, texts[k], 4, match, 0));
            for (int n = 0; n < 4; n++) print("%d %d", (int)match[n].rm_so, (int)match[n].rm_eo);
        }
        regfree(&compiled);
    }
    print("%d %d %d", fnmatch("*.[ch]", "libc.c", 0),
          fnmatch("a/*", "a/.b", FNM_PERIOD | FNM_PATHNAME), fnmatch("[!a-c]?", "dd", 0));
    done("patterns");
}

static void characters(void) {
    setlocale(LC_ALL, "C.UTF-8");
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
    wchar_t wide[16];
    size_t count = mbstowcs(wide, text, 16);
    print("%zu", count);
    mix(wide, count * sizeof *wide);
    char back[32];
    print("%zu %s", wcstombs(back, wide, sizeof back), back);
    mbstate_t state = {0};
    for (const char *at = text; *at; at++) {
        wchar_t one;
        print("%zd", (ssize_t)mbrtowc(&one, at, 1, &state));
    }
    for (wint_t c = 0; c < 0x3000; c++) {
        wint_t cases[] = {iswalpha(c) != 0, iswpunct(c) != 0,           iswprint(c) != 0,
                          iswspace(c) != 0, iswupper(c) != 0,           towlower(c),
                          towupper(c),      (wint_t)wcwidth((wchar_t)c)};
        mix(cases, sizeof cases);
    }
    wchar_t formatted[64];
    print("%d", swprintf(formatted, 64, L"%5ls|%-6s|%lc|%.3f", L"\u00e9", "x", L'\u20ac', 2.5));
    mix(formatted, wcslen(formatted) * sizeof *formatted);
    print("%ld %zu %d", wcstol(L"-0x1F", NULL, 16), wcsspn(L"aabbc", L"ab"),
          wcsstr(formatted, L"x ") == formatted + 6);
    done("characters");
}

static void dates(void) {
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    for (time_t when = -5000000000; when < 9000000000; when += 123456789) {
        struct tm *local = localtime(&when);
        char text[200];
        strftime(text, sizeof text,
                 "%a %A %b %c %C %d %D %e %F %g %G %H %I %j %m %M %p %r %R %S %T %u %U %V %w %W %x "
                 "%X %y %Y %z %Z",
                 local);
        mix_text(text);
        print("%d", mktime(local) == when);
    }
    struct tm read = {0};
    print("%d", strptime("2024-02-29 13:14:15", "%Y-%m-%d %T", &read) != NULL);
    print("%d %d %d %d", read.tm_year, read.tm_mon, read.tm_mday, read.tm_sec);
    done("dates");
}

static void streams(void) {
    char *memory = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&memory, &size);
    for (int i = 0; i < 5000; i++) fprintf(stream, "%d,%x;", i, i * i);
    fseek(stream, 100, SEEK_SET);
    fputs("here", stream);
    fclose(stream);
    print("%zu", size);
    mix(memory, size);
    stream = fmemopen(memory, size, "r");
    int a, b = 0, lines = 0;
    while (fscanf(stream, "%d,%x;", &a, (unsigned *)&b) == 2) lines++;
    print("%d %ld", lines, ftell(stream));
    print("%c", ungetc('q', stream) == 'q' ? getc(stream) : '!');
    fclose(stream);
    free(memory);
    stream = tmpfile();
    for (int i = 0; i < 100; i++) fprintf(stream, "line %d\n", i);
    rewind(stream);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stream) > 0) mix_text(line);
    print("%d", feof(stream) != 0);
    fclose(stream);
    free(line);
    done("streams");
}

static void *call(void *function) {
    return (void *)((const char *(*)(void))function)();
}

static void shared_object(const char *path) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL), *result = NULL;
    if (!object) {
        printf("shared object: %s\n", dlerror());
        return;
    }
    void *function = dlsym(object, "look_at_storage");
    pthread_t thread;
    mix_text(call(function));
    pthread_create(&thread, NULL, call, function);
    pthread_join(thread, &result);
    mix_text(result);
    print("%d", dlsym(object, "no_such_name") == NULL);
    print("%d", dlerror() != NULL);
    print("%d", dlclose(object));
    done("shared object");
}

int main(int count, char **arguments) {
    done("start");
    integers_as_text();
    numbers_as_text();
    text_as_numbers();
    type_generic();
    threads();
    jumps_and_signals();
    sorting_and_searching();
    patterns();
    characters();
    dates();
    streams();
    if (count > 1) shared_object(arguments[1]);
}
#endif
