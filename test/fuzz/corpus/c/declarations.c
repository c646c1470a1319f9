typedef unsigned long size;
static const volatile int *const p, a[2][3] = {{1, 2}, [1] = {[0 ... 1] = 3}};
extern int (*table[4])(int, char *), f(void), g(int n, int v[static n]);
inline static _Noreturn void stop(void) { __builtin_trap(); }
_Alignas(16) char text[] = "a" "\x41\101\n", *w = "b";
int old(a, b) int a; long b; { return a + (int)b; }
enum colour { RED, GREEN = 1 << 3, BLUE } c = BLUE;
_Static_assert(sizeof(size) == 8, "eight");
__typeof__(c) d = (enum colour)1;
