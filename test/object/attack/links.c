// What linkers and loaders go by: constructors, named sections, bindings, visibilities, aliases, tables of pointers, alignments.
// The unit is what gatecc compiles; with -DDRIVER it is the program around it. The argument says what the program looks at.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int Operation(int);
typedef struct {
    const char *name;
    Operation *run;
    int weight;
} Entry;

extern int order, shown, zeroed[40], replaced;
extern const int fixed[6];
extern _Alignas(64) char wide[64];
extern const char *const names[4];
extern const Entry *first_entry(void), *last_entry(void);
extern const int *kept_entry(int n);
Operation twice, doubles, may_be_replaced, by_table, outside, calls_hidden, hidden_outside;
int through(Operation *f, int a);
Operation *address_of(int which);
const void *place(int which);

#ifndef DRIVER
int order, shown = 17, zeroed[40];
int replaced __attribute__((weak)) = 3;
const int fixed[6] = {2, 3, 5, 7, 11, 13};
_Alignas(64) char wide[64] = "wide";
const char *const names[4] = {"one", "two", "three" + 1, "three"};
static int own[3] = {4, 5, 6}, *const inner = &own[1];
static int own_zero[2];
extern int missing __attribute__((weak));

__attribute__((constructor)) static void started(void) {
    order = order * 10 + 1;
}
__attribute__((constructor(200))) static void early(void) {
    order = order * 10 + 2;
}
__attribute__((constructor(300))) static void later(void) {
    order = order * 10 + 3;
}
__attribute__((constructor)) static void again(void) {
    order = order * 10 + 4;
}
__attribute__((destructor)) static void ended(void) {
    printf("ended %d\n", order);
}
__attribute__((destructor(500))) static void ended_early(void) {
    order += 5;
}

int twice(int a) {
    return a * 2 + own[0];
}
int doubles(int a) __attribute__((alias("twice")));
__attribute__((weak)) int may_be_replaced(int a) {
    return a - 1;
}
__attribute__((visibility("hidden"), noinline)) int hidden(int a) {
    return a + 100 + own_zero[a & 1]++;
}
int calls_hidden(int a) {
    return hidden(a) + *inner + (&missing ? 1000 : 0);
}
int through(Operation *f, int a) {
    return f(a) + outside(a) + replaced + may_be_replaced(a);
}
static int plus(int a) {
    return a + 1;
}
static int minus(int a) {
    return a - 1;
}
static int negate(int a) {
    return -a;
}
static Operation *const table[] = {plus, minus, negate, twice, outside};
int by_table(int a) {
    return table[(unsigned)a % 5](a);
}

__attribute__((section("entries"), used)) static const Entry entry_a = {"a", plus, 1};
__attribute__((section("entries"), used)) static const Entry entry_b = {"b", minus, 2};
__attribute__((section("entries"), used)) static const Entry entry_c = {"c", twice, 3};
extern const Entry __start_entries[] __attribute__((visibility("hidden"))),
    __stop_entries[] __attribute__((visibility("hidden")));
const Entry *first_entry(void) {
    return __start_entries;
}
const Entry *last_entry(void) {
    return __stop_entries;
}
__attribute__((section("mixed"), used)) static const int mixed_a = 1;
__attribute__((section("mixed"), used, retain)) static const int mixed_b = 2;
__attribute__((section("mixed"), used)) static const int mixed_c = 3;
extern const int __start_mixed[] __attribute__((visibility("hidden")));
extern const int __start_none[] __attribute__((weak, visibility("hidden")));
const int *kept_entry(int n) {
    return n == 3 ? __start_none : __start_mixed + n;
}
Operation *address_of(int which) {
    return which ? twice : outside;
}
const void *place(int which) {
    static const char text[] = "a text";
    static const double numbers[] = {1.5, -2.5};
    switch (which) {
    case 0: return text;
    case 1: return numbers;
    case 2: return own;
    case 3: return &entry_b;
    case 4: return "one";
    case 5: return wide;
    case 6: return zeroed + 3;
    case 7: return &shown;
    default: return names;
    }
}
#else
int replaced = 9;
int may_be_replaced(int a) {
    return a * 7;
}
int outside(int a) {
    return a ^ 5;
}

static void look(int n) {
    printf("%d %d %d %d\n", order, shown, zeroed[n % 40], replaced);
    for (int i = 0; i < 6; i++)
        printf("%d ", fixed[i] + wide[i] + (i < 4 ? names[i][0] + names[i][1] : 0));
    for (const Entry *e = first_entry(); e != last_entry(); e++)
        printf("%s %d %d ", e->name, e->run(n), e->weight);
    printf("%d %d %d %d\n", *kept_entry(0), *kept_entry(1), *kept_entry(2), kept_entry(3) != 0);
    printf("%d %d %d\n", (int)((uintptr_t)wide % 64), (int)((uintptr_t)fixed % 4),
           (int)((uintptr_t)place(1) % 8));
    for (int i = -3; i < 9; i++)
        printf("%d %d %d %d\n", twice(i), doubles(i + n), by_table(i + n), calls_hidden(i * n));
    printf("%d %d %d\n", through(twice, n), through(address_of(0), n), address_of(1) == twice);
    printf("%s %g %d %s %s\n", (const char *)place(0), ((const double *)place(1))[n & 1],
           ((const int *)place(2))[n % 3], ((const Entry *)place(3))->name, (const char *)place(4));
    ((int *)(uintptr_t)place(2))[1] += n;
    zeroed[3] = n;
    shown++;
    printf("%d %d %d\n", calls_hidden(n), *(const int *)place(6), *(const int *)place(7));
}

// Whether the stack can be executed.
static void look_at_stack(void) {
    char line[400];
    FILE *maps = fopen("/proc/self/maps", "r");
    for (; maps && fgets(line, sizeof line, maps);) {
        char permissions[8] = "";
        int end = 0;
        sscanf(line, "%*s %7s %*s %*s %*s %n", permissions, &end);
        if (line[end] == '[' && line[end + 1] == 's') printf("stack %s\n", permissions);
    }
}

int main(int count, char **arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    look(n);
    look_at_stack();
    // Constants cannot be written to.
    if (n == 2) *(volatile int *)(uintptr_t)&fixed[2] = 1;
    if (n == 3) *(volatile char *)(uintptr_t)place(0) = 1;
    if (n == 4) *(volatile long *)(uintptr_t)(names + 1) = 1;
    if (n == 5) *(volatile char *)(uintptr_t)place(4) = 1;
    if (n == 6) ((Operation *)(uintptr_t)wide)(1);
    return (order + shown) & 63;
}
#endif
