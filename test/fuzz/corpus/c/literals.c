double d[] = {1e3, 0x1.8p3, .5f, 3.L};
unsigned long n[] = {0x7fffffffffffffffull, 0777, 0b101, 'ab', 1u};
int w[] = L"wide"; unsigned short s[] = u"\U0001F600"; char t[3] = "abc", u[] = u8"x";
struct p { int x, y; } *q = &(struct p){.y = 2, .x = 1};
int f(void) { return (int[]){1, 2, 3}[1] + ((struct p){4, 5}).x; }
const char *name(void) { return __func__; }
