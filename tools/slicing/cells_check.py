"""Slices of functions whose pointers may lead to the same memory: each placement of the pointers is tried.

The functions store and load by pointers that are parameters, local variables that are set once, again or in a loop, or global
variables, at fields, elements, and by several types. The interpreter runs the original with --strict-aliasing: a run in which
a load finds what was stored by another type is left out. In all others the slice, compiled by the interpreter's own front end
and by gcc, must yield the same result.
"""
import os
import tempfile

from slicing.command import GATE, Refused, gate_slice, run
from slicing.random_function import Random

TYPES = ["int", "int", "float", "long", "short", "char"]
HEAD = """#include <stdio.h>
#include <stdlib.h>
struct s { int a, b; short c, d; struct s *next; long e; float f; char g; };
static int hidden; int seen; static long known; static long *knows = &known;
static void bump(int n) { hidden += n; }
static void put(struct s *to, int n) { to->b = n; }
static int get(struct s *from) { return from->a; }
"""
MAIN = """
int main(int count, char **args) {
    static struct s all[4];
    unsigned long how = strtoul(args[1], 0, 10);
    for (int i = 0; i < 4; i++) {
        all[i].a = i; all[i].b = 2 * i; all[i].c = 3; all[i].d = i; all[i].next = &all[how >> (2 * i + 8) & 3];
        all[i].e = 5 * i; all[i].f = 7; all[i].g = i;
    }
    (void)count, (void)knows;
    printf("%ld\\n", (long)f(&all[how & 3], &all[how >> 2 & 3], how >> 4 & 3, how >> 6 & 1 ? &seen : &all[how >> 2 & 3].b, &all[how & 3].e));
    return 0;
}
"""
PLACES = ["p->a", "p->b", "p->c", "p->d", "p->e", "p->f", "p->g", "q->a", "q->b", "q->c", "q->d", "q->e", "q->f", "q->g", "r->a",
          "r->b", "r->c", "r->e", "t->a", "t->b", "t->e", "*i", "*l", "*(int *)&p->a", "(&p->a)[1]", "(&q->a)[n & 1]", "hidden",
          "seen", "known", "*knows", "own", "((char *)p)[n]", "*own_p", "*(&q->c + 1)", "v[0]", "v[1]", "v[0]", "v[1]"]


def statement(random, depth):
    kind = random.below(14)
    place, other = random.pick(PLACES), random.pick(PLACES)
    if kind < 7:
        return "%s = (%s & 63) + %d;" % (place, "(long)" + other, random.below(9))
    if kind == 7:
        return random.pick(["t = p;", "t = q;", "t = t->next;", "r = q->next;", "t = r;", "v = &p->a;", "v = &p->a + 1;", "v++;", "v--;"])
    if kind == 8:
        return random.pick(["bump(n);", "put(p, n);", "put(q, 3);", "x += get(p);", "x += get(r);"])
    if kind == 9:
        return "x += (long)%s & 255;" % place
    if kind == 10:
        return random.pick(["own_p = &own;", "own_p = i;", "*p = *q;", "*r = *p;"])
    if kind == 11 and random.below(2):
        return "for (int k = 0; k < 3; k++) { int *w = &%s->a + (k & 1 ^ %d); x += w[%d]; w[%d] = n + k; }" % (
            random.pick("pqrt"), random.below(2), random.below(2), random.below(2))
    if depth == 0:
        return "x ^= (long)%s & 31;" % place
    body = " ".join(statement(random, depth - 1) for _ in range(1 + random.below(4)))
    if kind == 11:
        return "for (int k = 0; k < n; k++) { %s }" % body
    if kind == 12:
        return "if (((long)%s & 7) > %d) { %s }" % (place, random.below(5), body)
    return "for (struct s *e = p, *u; (u = e->next) && n-- > 0; e = u) { u->a = e->b; e->b = n; %s }" % body


def program(seed):
    random = Random(seed)
    lines = ["long f(struct s *p, struct s *q, int n, int *i, long *l) {", "    struct s *r = q->next, *t = p;",
             "    int own = n, *own_p = i, *v = &p->a; long x = 0;"]
    lines += ["    " + statement(random, 2) for _ in range(6 + random.below(14))]
    lines += ["    return x + ((long)%s & 1023);" % random.pick(PLACES), "}"]
    return HEAD + "\n".join(lines) + MAIN


def outputs(path, options, inputs):
    """What the interpreter prints for each input; None where a run goes wrong."""
    found = []
    for how in inputs:
        status, out, _ = run([GATE, "run"] + options + ["-w", "rtl", path, str(how)])
        found.append(out if status == 0 else None)
    return found


def check(first, last, count):
    """The numbers of slices, statements left out and runs, and a list of complaints."""
    slices = runs = cut = 0
    said = []
    with tempfile.TemporaryDirectory() as folder:
        original, sliced, binary = (os.path.join(folder, name) for name in ("x.c", "y.c", "y"))
        for seed in range(first, last + 1):
            random = Random(seed + 77)
            text = program(seed)
            with open(original, "w") as file:
                file.write(text)
            inputs = [random.below(1 << 16) for _ in range(count)]
            for options in (["-fstrict-aliasing"], []):
                expected = outputs(original, ["--strict-aliasing"] if options else [], inputs)
                try:
                    slice_text = gate_slice(original, ["--function", "f", "--variable", "return"], options)
                except Refused as refused:
                    said.append("seed %d: %s" % (seed, refused))
                    continue
                slices += 1
                cut += len(slice_text) < len(text)
                with open(sliced, "w") as file:
                    file.write(slice_text)
                status = run(["gcc", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o", binary, sliced])[0]
                if status != 0:
                    said.append("seed %d: the slice does not compile" % seed)
                    continue
                for how, right in zip(inputs, expected):
                    if right is None:
                        continue
                    runs += 1
                    if run([binary, str(how)])[1] != right:
                        said.append("seed %d: input %d: the slice with %s yields something else" %
                                    (seed, how, options or "no option"))
                        break
    return slices, cut, runs, said
