#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline,noipa))
#define S4(name, p) printf("%-22s %ld %ld %ld %ld", name, (long)__builtin_object_size(p,0), (long)__builtin_object_size(p,1), (long)__builtin_object_size(p,2), (long)__builtin_object_size(p,3)); \
  printf(" | %ld %ld %ld %ld\n", (long)__builtin_dynamic_object_size(p,0), (long)__builtin_dynamic_object_size(p,1), (long)__builtin_dynamic_object_size(p,2), (long)__builtin_dynamic_object_size(p,3))
struct V { char buf1[10]; int b; char buf2[10]; } var;
struct T { int n; char last[4]; };
struct F { int n; char flex[]; };
struct O { struct V in[3]; struct T t; };
struct Z { int n; char z[0]; };
struct W { struct T a; int after; };
struct U { union { char small[4]; char large[16]; } u; int x; };
extern char ext[40]; char ext[40];
extern char incomplete[];
static char two[3][10];
char incomplete[7];
NI void params(struct V *v, struct T *t, struct F *f, struct O *o, char *s, struct Z *z, struct W *w, struct U *u, int i) {
  S4("v", v); S4("v->buf1", v->buf1); S4("&v->b", &v->b); S4("v->buf2", v->buf2); S4("v->buf1+3", v->buf1+3); S4("&v->buf1[3]", &v->buf1[3]); S4("&v->buf1[i]", &v->buf1[i]);
  S4("t->last", t->last); S4("f->flex", f->flex); S4("o->in[1].buf1", o->in[1].buf1); S4("o->in[i].buf1", o->in[i].buf1); S4("o->in[1].buf2", o->in[1].buf2); S4("o->t.last", o->t.last); S4("s", s); S4("z->z", z->z); S4("w->a.last", w->a.last); S4("u->u.small", u->u.small);S4("u->u.large", u->u.large);
  S4("&o->in[1]", &o->in[1]); S4("&o->t", &o->t); S4("o->in", o->in); S4("&v[1].b", &v[1].b);
}
NI void locals(int n, int i, int c) {
  char a[20], b[30]; int m[5]; struct V v; struct T t; struct O o; struct W w; struct V arr[4];
  char vla[n];
  memset(a,0,20);
  S4("a", a); S4("a+5", a+5); S4("&a[19]", &a[19]); S4("a+20", a+20); S4("a+25", a+25); S4("a+i", a+i); S4("&a[i]", &a[i]); S4("m", m); S4("m+2", m+2);
  S4("&v", &v); S4("v.buf1", v.buf1); S4("&v.b", &v.b); S4("v.buf2", v.buf2); S4("v.buf2+4", v.buf2+4); S4("t.last", t.last); S4("o.t.last", o.t.last); S4("o.in[1].buf2", o.in[1].buf2); S4("w.a.last", w.a.last);
  S4("arr[2].buf1", arr[2].buf1); S4("&arr[2]", &arr[2]); S4("arr[i].buf1", arr[i].buf1);
  char *p = a + 4; S4("p=a+4", p); char *q = c ? a : b; S4("c?a:b", q); q = c ? a + 3 : b + 3; S4("c?a+3:b+3", q+1); S4("c?a:NULL", c ? a : NULL);
  S4("vla", vla); S4("vla+3", vla+3);
  char *h = malloc(50); S4("malloc(50)", h); S4("malloc+10", h+10);
  char *hn = malloc(n); S4("malloc(n)", hn); S4("malloc(n)+i", hn+i);
  char *cl = calloc(n, 4); S4("calloc(n,4)", cl); char *c2 = calloc(3, 7); S4("calloc(3,7)", c2);
  h = realloc(h, 70); S4("realloc 70", h);
  char *al = __builtin_alloca(33); S4("alloca 33", al); char *al2 = __builtin_alloca(n); S4("alloca n", al2);
  S4("\"hello\"", "hello"); S4("\"hello\"+2", "hello"+2); S4("ext", ext); S4("incomplete", incomplete); S4("two", two); S4("two[1]", two[1]); S4("&two[1][3]", &two[1][3]); S4("&two[i][3]", &two[i][3]);
  char *l = a; for (int k = 0; k < i; k++) l++; S4("loop ++", l);
  struct V *hv = malloc(sizeof *hv); S4("hv", hv); S4("hv->buf1", hv->buf1); S4("hv->buf2", hv->buf2); struct T *ht = malloc(100); S4("ht->last", ht->last); struct F *hf = malloc(sizeof *hf + n); S4("hf->flex", hf->flex);
  char *r = memcpy(a, "xyz", 4); S4("memcpy ret", r); char *e = a + 20; S4("e-7", e-7);
  char *mn = c ? malloc(10) : malloc(n); S4("c?m(10):m(n)", mn);
  const char *sc = c ? "abc" : "defgh"; S4("c?strings", sc);
  S4("NULL", (char*)0); S4("&n", &n); S4("(char*)&v+3", (char*)&v+3); S4("(char*)&v.b", (char*)&v.b);
  S4("aligned", __builtin_assume_aligned(a, 16)); 
  free(h); free(hn); free(cl); free(c2); free(hv); free(ht); free(hf);free(mn);
}
static inline __attribute__((always_inline)) void wrap(char *p) { S4("wrapped", p); }
static void small(char *p, int n) { S4("static fn", p + n); }
NI char *id(char *p) { return p; }
__attribute__((alloc_size(1))) NI void *my_alloc(size_t n) { return malloc(n); }
__attribute__((alloc_size(1,2))) NI void *my_calloc(size_t n, size_t m) { return malloc(n * m); }
int main(int argc, char **argv) {
  static struct V v; static struct T t; static struct O o; static struct W w; static struct U u; struct F *f = malloc(20); struct Z *z = malloc(20);
  params(&v, &t, f, &o, "abc", z, &w, &u, argc);
  locals(argc * 17, argc * 2, argc == 1);
  char b[11]; wrap(b); wrap(v.buf1); wrap(id(b)); small(b, 2); small(v.buf2, 1);
  S4("my_alloc(12)", my_alloc(12)); char *p = my_alloc(12); S4("p=my_alloc(12)", p); p = my_alloc(argc * 5); S4("p=my_alloc(n)", p); p = my_calloc(argc * 5, 3); S4("p=my_calloc(n,3)", p);
  return 0;
}
