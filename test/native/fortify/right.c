// Right programs that write beyond a member, or to an object whose type does not tell its size: nothing of it may be stopped.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline))

struct base {
    int x;
};
struct derived {
    struct base b;
    char name[];
};
struct old_derived {
    struct base b;
    char name[1];
};
struct list {
    struct list *next, *last;
};
struct outer {
    long pad;
    struct list l;
    char name[8];
};
union hack {
    int i;
    char c[2];
    struct {
        int k;
        char t[1];
    } s;
};
struct with_union {
    int z;
    union {
        char c[1];
        short s[1];
    } u;
};
extern struct derived elsewhere;
struct derived here = {{1}, "hello world"};
static struct {
    int n;
    struct derived d;
} nested = {1, {{2}, "hello world"}};

NI void to_derived(struct derived *d, const char *s) {
    struct base *b = &d->b;
    strcpy(((struct derived *)b)->name, s);
}
NI void to_old_derived(struct old_derived *d, const char *s) {
    struct base *b = &d->b;
    strcpy(((struct old_derived *)b)->name, s);
}
NI void to_container(struct outer *o, const char *s) {
    struct list *l = &o->l;
    strcpy(((struct outer *)((char *)l - offsetof(struct outer, l)))->name, s);
}
NI void to_union(union hack *h, const char *s) {
    strcpy(h->s.t, s);
    strcpy(h->c, s);
}
NI void to_last_union(struct with_union *w, const char *s) {
    strcpy(w->u.c, s);
}
NI void to_elements(const char *s) {
    strcpy(elsewhere.name, s);
    memcpy(elsewhere.name, s, strlen(s) + 1);
    __builtin___memset_chk(here.name, 'x', 11, __builtin_object_size(here.name, 0));
    strcpy(here.name, s);
    strcpy(nested.d.name, s);
}
NI void to_memory(const char *s, size_t n) {
    struct derived *d = malloc(sizeof *d + n);
    to_derived(d, s);
    struct base *b = &d->b;
    strcpy(((struct derived *)b)->name, s);
    puts(d->name);
    free(d);
}

// Numbers of bytes without a sign; nothing is written to so many.
__attribute__((alloc_size(1))) NI void *allocate(unsigned n) {
    return n ? NULL : malloc(10);
}
NI void to_large(unsigned n) {
    char *p = allocate(n);
    if (__builtin_dynamic_object_size(p, 0) < n) puts("too small");
}

int main(int argc, char **argv) {
    static char store[64];
    const char *text = argc > 1 ? argv[1] : "hello world";
    to_derived((void *)store, text);
    to_old_derived((void *)store, text);
    to_container((void *)store, text);
    to_union((void *)store, text);
    to_large(0x90000000U);
    to_last_union((void *)store, text);
    to_elements(text);
    to_memory(text, strlen(text) + 1);
    printf("%s %s %s\n", store + 4, here.name, nested.d.name);
    return 0;
}
