// What random functions (random_function.py) find in their file: types, objects, helpers, macros.
struct pair_x { int first, second; };
struct box_x { int tag; struct pair_x pair; int cells[4]; };
struct bits_x { unsigned low : 3, mid : 7; int high : 22; };
union both_x { int whole; unsigned char bytes[4]; };
int put(int value);
int get(void);
void poke(int value);
void keep(int *place);
int stir(int *place, int value);
void stop_if(int value);
void *memcpy(void *to, const void *from, unsigned long size);
void *memset(void *to, int byte, unsigned long size);
#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
#define BUMP(x) ((x) += 3)
#define BOTH(s, t) s; t
#define UPTO(i, n) for (i = 0; i < (n); i++)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define WHEN(c) if (c)
#define LEAVE_IF(c, v) if (c) return v
#define CLEAR(a, n) { for (int i_ = 0; i_ < (n); i_++) (a)[i_] = 0; }
static int g0_x = 5, g1_x = -3, g2_x = 11;
static unsigned g3_x = 77;
static unsigned char g4_x = 200;
static long g5_x = 123456789;
static int table_x[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static const int weights_x[4] = {7, -2, 0, 5};
static struct box_x box0_x = {1, {2, 3}, {4, 5, 6, 7}}, box1_x = {9, {8, 7}, {6, 5, 4, 3}};
static struct bits_x bits_x = {5, 99, -7};
static union both_x both_x = {0x01020304};
static volatile int vol_x = 1;
int shared_x = 21;
static int *at_x = &g2_x;
static int mix_x(int p, int q) { return p * 3 + (q ^ 5); }
static int less_x(int p, int q) { return p < q ? q - p : p; }
static int (*op_x)(int, int) = mix_x;
static int sum_x(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
static void set_x(int *p, int v) { *p = v; }
static int count_x(void) {
    static int n = 0;
    n += 2;
    return n;
}
static int *pick_x(int n) { return n & 1 ? &g0_x : &table_x[n & 7]; }
static int power_x(int b, int n) { return n <= 0 ? 1 : b * power_x(b, n - 1); }
static struct pair_x turn_x(struct pair_x p) {
    struct pair_x r = {p.second, p.first + 1};
    return r;
}
// Aggregates by value, of two registers and through memory: each function copies them in one way, and does nothing else
// to memory that would hide it.
static int weigh_x(struct pair_x p) { return p.first * 3 - p.second; }
static int weigh_box_x(struct box_x b) { return weigh_x(b.pair) + b.cells[1]; }
static int pass_x(const struct pair_x *p) { return weigh_x(*p); }
static int pass_box_x(const struct box_x *b) { return weigh_box_x(*b) ^ pass_x(&b->pair); }
static int pass_own_x(void) { return weigh_box_x(box1_x); }
static struct pair_x load_x(const struct pair_x *p) { return *p; }
static struct box_x load_box_x(const struct box_x *b) { return *b; }
static struct pair_x load_own_x(void) { return box0_x.pair; }
static struct box_x load_again_x(const struct box_x *b) { return load_box_x(b); }
static void store_x(struct pair_x *p, int v) { *p = turn_x((struct pair_x){v, 4}); }
static void store_turned_x(struct pair_x *p, const struct pair_x *q) { *p = turn_x(*q); }
static void store_own_x(const struct box_x *b) { box0_x = load_box_x(b); }
static int weigh_all_x(int n, ...) {
    __builtin_va_list list;
    int s = 0;
    __builtin_va_start(list, n);
    while (n-- > 0) {
        struct pair_x p = __builtin_va_arg(list, struct pair_x);
        s = s * 5 + weigh_box_x(__builtin_va_arg(list, struct box_x)) + p.second;
    }
    __builtin_va_end(list);
    return s;
}
static int pass_all_x(const struct pair_x *p, const struct box_x *b) {
    return weigh_all_x(2, *p, *b, box0_x.pair, box1_x);
}
struct box_x *box_of_x(int n) { return n & 2 ? &box0_x : &box1_x; }
int *aim_of_x(int n, int *out) { return n & 1 ? table_x : out; }
static int note_x(int v) {
    g1_x += v;
    return g1_x & 15;
}
static void log_x(int v) {
    if (v > 3) put(v);
    g2_x ^= v;
}
