// A little of everything that lowering to RTL does; docs/c.md shows the result.
struct point {
    int x, y;
    unsigned flag : 3;
};
void use(struct point *p);
int f(int a, volatile int *p) {
    struct point q = {a, 2, 5};
    use(&q);
    *p = q.x;
    switch (a) {
    case 1 ... 2: return q.flag;
    case 7: return *p;
    }
    return a > 0 && q.y ? a : 0;
}
