#define max(a, b) ({ __typeof__(a) x_ = (a); __auto_type y_ = (b); x_ > y_ ? x_ : y_; })
int f(int i) {
    static void *t[] = {&&one, &&two};
    goto *t[i & 1];
one: __asm__ volatile("" : "+r"(i) : : "memory");
two: return max(i, 3) + _Generic(i, int: 1, default: 2) + __alignof__(i) + (__extension__ 2);
}
static void done(int *p) { *p = 0; }
void g(void) { int x __attribute__((cleanup(done), unused)) = 1; if (x) return; }
extern int alias(int) __attribute__((alias("f")));
int w __attribute__((weak, section("s"), aligned(8))) = 1;
