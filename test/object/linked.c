// Code and data in which much is left to the linker: see linked.sh.
extern int outside(int n);
extern int shown;
static int first[2] = {1, 2}, second[2] = {3, 4};
static __thread long mine = 1, other = 2;
int counter;

int *get_first(void) {
    return first;
}
int *get_second(void) {
    return second;
}
long *own(void) {
    return &mine;
}
long twin(void) {
    return other;
}
int jumps(int n) {
    return outside(n + 1);
}
int calls(int n) {
    return outside(n) * 3;
}
int *address(void) {
    return &shown;
}
static __attribute__((noinline)) int helper(int n) {
    return n * 5;
}
int helped(int n) {
    return helper(n) + helper(n + 1);
}
int same(void) {
    return outside(1) == 0;
}
int by_pointer(int (*f)(int), int n) {
    return f(n) + 1;
}
int counts(int n) {
    return counter++ + n;
}
int stands_for(int n) __attribute__((alias("calls")));

// Names that gatecc knows, but the program defines.
void mcount(void) {
    counter += 100;
}
void __x86_indirect_thunk_r11(void) {
    counter += 7;
}

__attribute__((constructor(200))) static void early(void) {
    counter = 1;
}
__attribute__((constructor(300))) static void late(void) {
    counter *= 2;
}
__attribute__((constructor)) static void one(void) {
    counter *= 3;
}
__attribute__((constructor)) static void two(void) {
    counter += 5;
}

__attribute__((section("entries"), used)) static int *entry_one = first;
__attribute__((section("entries"), used)) static int *entry_two = second;
static __attribute__((used)) int wanted = 7;
static __attribute__((used)) int useful(void) {
    return 8;
}
__attribute__((retain)) int kept = 9;
// Assemblers jump over what lies in front of it.
__attribute__((aligned(1024))) int far_from_others(int n) {
    return n - counter;
}
