struct s { int a : 3, : 0, b : 5; union { float f; struct { char x, y[]; }; }; } __attribute__((packed));
struct list { struct list *next; double v; };
union u { int i; long double l; struct { short s[3]; } t; };
struct big { long v[5]; } g = {.v = {[2] = 7, 8}};
struct big copy(struct big b, union u *u) { b.v[1] = u->t.s[2]; return b; }
int sum(struct list *l) { double d = 0; for (; l; l = l->next) d += l->v; return (int)d; }
int bits(struct s *s) { s->a++; s->b |= s->a; return s->b; }
