"""Random C functions to be sliced.

generate(seed) gives a C file as text, with the places and variables at which a slice can be asked for. The same seed
gives the same file. The file has types, objects and helpers, and the function subject_x, in which everything happens
that makes slicing hard: nested loops that need not run, break, continue, goto in all directions and into loops,
switches that fall through, returns in the middle, pointers that share objects, structures and their copies, structures
passed and returned by value, bit-fields, unions, static variables, shadowed names, effects inside of conditions, macros
that hold statements, calls with and without effects, input and output. Every run ends, but for a few loops that are
meant not to.

Conventions on which tools/slice-check builds:
- every name of file scope ends in _x, so that many versions of a file fit into one program;
- "(/*@7*/ E /*@*/)" marks an expression of the statement that is place 7; the statement is on a line of its own;
- nothing depends on an order of evaluation that C leaves open, nor on values that nobody set;
- what subject_x gets is what aim_of_x and box_of_x yield: pointers that others could not have made would surprise a slicer;
- put, get, poke, keep, stir, stop_if are defined elsewhere (runtime.c): they write, read and change things.
"""
import os
import re
import sys

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "random_head.c")) as head_file:
    HEAD = head_file.read()

class Random:
    def __init__(self, seed):
        self.state = (seed * 2 + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        for _ in range(4):
            self.below(2)

    def below(self, n):
        x = self.state
        x ^= x >> 12
        x ^= x << 25 & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 27
        self.state = x
        return (x * 0x2545F4914F6CDD1D & 0xFFFFFFFFFFFFFFFF) % (n << 32) >> 32 if n else 0

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]

    def weighted(self, table):
        total = sum(weight for weight, _ in table)
        at = self.below(total)
        for weight, item in table:
            at -= weight
            if at < 0:
                return item
        raise AssertionError


AGAIN = """\
static int again_x(int p, int q) {
    static int depth = 0;
    int r = 0;
    if (depth < 2) {
        depth++;
        r = (RESULT);
        depth--;
    }
    return r;
}
"""

INTEGERS = ["int", "int", "int", "int", "unsigned", "short", "unsigned char", "signed char", "long"]


class Variable:
    def __init__(self, name, kind, depth, fixed=False, length=0):
        self.name = name      # as it is written
        self.kind = kind      # int, integer (of another type), array, pair, box, bits, both, pointer, cursor, boxes
        self.depth = depth    # of the scope: a pointer holds only addresses of what lives as long
        self.fixed = fixed    # counters of loops: not assigned to by others
        self.length = length


class Generator:
    def __init__(self, seed):
        self.random = Random(seed)
        self.lines = []
        self.indent = 0
        self.scopes = []
        self.places = {}  # number -> names that can be observed there
        self.labels = 0
        self.names = 0
        self.helpers = []
        self.recursive = False
        # What there is a lot of in one function there is little of in another.
        r = self.random
        self.mood = {k: r.pick([0, 1, 1, 2, 4]) for k in ("jump", "memory", "call", "loop", "world", "macro")}

    # ---- Text

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def name(self, stem, *texts):
        """A new name, or now and then one of an outer scope again, but for counters and what the initializer reads."""
        if len(self.scopes) > 2 and self.random.chance(15):
            used = set(re.findall(r"\w+", " ".join(texts))) | set(self.scopes[-1])
            outer = [n for s in self.scopes[1:-1] for n, v in s.items() if n not in used and not v.fixed]
            if outer:
                return self.random.pick(outer)
        self.names += 1
        return "%s%d" % (stem, self.names)

    def declare(self, name, kind, fixed=False, length=0):
        variable = Variable(name, kind, len(self.scopes), fixed, length)
        self.scopes[-1][name] = variable
        return variable

    def visible(self):
        found = {}
        for scope in self.scopes:
            found.update(scope)
        return found.values()

    def of_kind(self, *kinds):
        return [v for v in self.visible() if v.kind in kinds]

    def mark(self, text):
        number = len(self.places)
        self.places[number] = [v.name for v in self.visible() if v.kind not in ("pointer", "cursor", "boxes", "bits")]
        return "(/*@%d*/ %s /*@*/)" % (number, text)

    # ---- Expressions without effects

    def leaf(self, constants=True):
        r = self.random
        options = [v.name for v in self.of_kind("int", "integer") for _ in range(1 if v.depth == 1 else 4)]
        for v in self.of_kind("pointer"):
            options += ["(*%s)" % v.name] * (1 + self.mood["memory"])
        for v in self.of_kind("cursor"):
            options += ["%s[%d]" % (v.name, r.below(4))]
        for v in self.of_kind("array"):
            options += ["%s[%d]" % (v.name, r.below(v.length)), "%s[%s & %d]" % (v.name, self.index(), v.length - 1)]
        for v in self.of_kind("box"):
            options += [v.name + "." + self.field(), v.name + ".pair.second"]
        for v in self.of_kind("boxes"):
            options += [v.name + "->" + self.field()]
        for v in self.of_kind("pair"):
            options += [v.name + r.pick([".first", ".second"])]
        for v in self.of_kind("bits"):
            options += [v.name + r.pick([".low", ".mid", ".high"])]
        for v in self.of_kind("both"):
            options += [v.name + r.pick([".whole", ".bytes[1]", ".bytes[%s & 3]" % self.index()])]
        options += ["weights_x[%s & 3]" % self.index()]
        if constants and r.chance(30):
            return str(r.pick([0, 1, 2, 3, 5, 7, 8, 13, 100, 255, -1, -6]))
        return r.pick(options)

    def index(self):
        names = [v.name for v in self.of_kind("int")]
        return self.random.pick(names) if names and self.random.chance(85) else str(self.random.below(8))

    def field(self):
        r = self.random
        return r.pick(["tag", "pair.first", "pair.second", "cells[%d]" % r.below(4), "cells[%s & 3]" % self.index()])

    def pure(self, depth=2):
        r = self.random
        if depth <= 0 or r.chance(25):
            return self.leaf()
        a, b = self.pure(depth - 1), self.pure(depth - 1)
        return r.weighted([
            (12, "(%s %s %s)" % (a, r.pick(["+", "-", "*", "&", "|", "^"]), b)),
            (5, "(%s %s %s)" % (a, r.pick(["<", "<=", ">", "==", "!="]), b)),
            (3, "(%s %s %s)" % (a, r.pick(["&&", "||"]), b)),
            (3, "(%s ? %s : %s)" % (self.condition(), a, b)),
            (2, "(%s / ((%s & 7) + 1))" % (a, b)),
            (2, "(%s %% ((%s & 15) + 1))" % (a, b)),
            (2, "(%s %s (%s & 7))" % (a, r.pick(["<<", ">>"]), b)),
            (2, "%s(%s)" % (r.pick(["-", "~", "!"]), a)),
            (2 + self.mood["call"], "%s(%s, %s)" % (r.pick(["mix_x", "less_x"]), a, b)),
            (self.mood["call"], "power_x(%s, %s & 3)" % (a, b)),
            (self.mood["call"], "sum_x(%s, %d)" % (r.pick(["table_x", "weights_x", "box0_x.cells"]), r.below(5))),
            (self.mood["macro"], "LARGER(%s, %s)" % (a, b)),
            (1 + self.mood["memory"], self.passed()),
            (1, "(%s)%s" % (r.pick(["int", "short", "unsigned char", "long", "unsigned"]), a)),
        ])

    def condition(self):
        r = self.random
        left = self.leaf(constants=r.chance(3))
        return r.weighted([
            (4, "%s %s %s" % (left, r.pick(["<", ">", "==", "!=", ">="]), self.leaf())),
            (6, "(%s & %d) %s %d" % (left, r.pick([1, 3, 3]), r.pick(["==", "!=", "<", ">"]), r.below(3))),
            (1, left),
            (3, "%s %s %d" % (left, r.pick([">", "<"]), r.below(30) - 8)),
        ])

    # ---- Aggregates by value

    def boxes(self):
        return [v.name for v in self.of_kind("box")] + ["(*%s)" % v.name for v in self.of_kind("boxes")]

    def pairs(self):
        return [b + ".pair" for b in self.boxes()] + 2 * [v.name for v in self.of_kind("pair")]

    def passed(self):
        """A value that is found with aggregates that are passed or returned."""
        r = self.random
        box, pair = r.pick(self.boxes()), r.pick(self.pairs())
        return r.weighted([
            (3, "pass_x(&%s)" % pair), (2, "pass_box_x(&%s)" % box), (1, "pass_own_x()"), (1, "weigh_x(%s)" % pair),
            (1, "weigh_box_x(%s)" % box), (2, "load_x(&%s).%s" % (pair, r.pick(["first", "second"]))),
            (1, "load_own_x().first"), (1, "load_again_x(&%s).cells[2]" % box),
            (1, "weigh_all_x(1, %s, %s)" % (pair, box)), (1, "pass_all_x(&%s, &%s)" % (pair, box)),
        ])

    def returned(self):
        """A statement that stores aggregates that are returned."""
        r = self.random
        box, pair = r.pick(self.boxes()), r.pick(self.pairs())
        return r.pick([
            "store_x(&%s, %s);" % (pair, self.pure(1)), "store_turned_x(&%s, &%s);" % (pair, r.pick(self.pairs())),
            "store_own_x(&%s);" % box, "%s = load_x(&%s);" % (pair, r.pick(self.pairs())),
            "%s = load_box_x(&%s);" % (box, r.pick(self.boxes())), "%s = load_own_x();" % pair,
            "%s = load_again_x(&%s);" % (box, r.pick(self.boxes())),
        ])

    # ---- Expressions with one effect, whose order is fixed

    def called(self):
        r = self.random
        a, b = self.pure(1), self.pure(1)
        table = [
            (3, "note_x(%s)" % a), (2, "count_x()"), (2 * self.mood["world"], "get()"),
            (self.mood["world"], "stir(%s, %s)" % (self.address(), b)), (2, "op_x(%s, %s)" % (a, b)),
            (1, "put(%s)" % a), (1, "turn_x(box%d_x.pair).first" % r.below(2)),
        ]
        if self.recursive:
            table.append((3, "again_x(%s, %s)" % (a, b)))
        for helper in self.helpers:
            table.append((2 + self.mood["call"], "%s(%s, %s, %s)" % (helper, a, b, self.address())))
        return r.weighted(table)

    def effect(self):
        """An expression with an effect that happens, if at all, at a point that C fixes."""
        r = self.random
        target = self.target()
        return r.weighted([
            (3, self.called()),
            (2, "(%s = %s)" % (target, self.pure(1))),
            (1, "%s%s" % (r.pick(["++", "--"]), target)),
            (1, "(%s = %s, %s)" % (target, self.pure(1), self.pure(1))),
            (1, "(%s += %s)" % (target, self.pure(1))),
        ])

    def test(self):
        """A condition, sometimes with an effect."""
        r = self.random
        return r.weighted([
            (12, self.condition()),
            (2, "%s && %s" % (self.condition(), self.effect())),
            (2, "%s || %s" % (self.condition(), self.effect())),
            (1, "(%s) > %d" % (self.effect(), r.below(5))),
            (1, "!(%s)" % self.condition()),
            (1, "%s ? %s : %s" % (self.condition(), self.effect(), self.effect())),
        ])

    # ---- Places

    def target(self):
        r = self.random
        options = [v.name for v in self.of_kind("int", "integer") if not v.fixed for _ in range(1 if v.depth == 1 else 4)]
        for v in self.of_kind("pointer"):
            options += ["(*%s)" % v.name] * (1 + self.mood["memory"])
        for v in self.of_kind("cursor"):
            options += ["%s[%d]" % (v.name, r.below(4))]
        for v in self.of_kind("array"):
            options += ["%s[%d]" % (v.name, r.below(v.length)), "%s[%s & %d]" % (v.name, self.index(), v.length - 1)]
        for v in self.of_kind("box"):
            options += [v.name + "." + self.field()]
        for v in self.of_kind("boxes"):
            options += [v.name + "->" + self.field()]
        for v in self.of_kind("pair"):
            options += [v.name + r.pick([".first", ".second"])]
        for v in self.of_kind("bits"):
            options += [v.name + r.pick([".low", ".mid", ".high"])]
        for v in self.of_kind("both"):
            options += [v.name + r.pick([".whole", ".bytes[2]", ".bytes[%s & 3]" % self.index()])]
        if r.chance(4):
            return "(*pick_x(%s))" % self.index()
        if r.chance(4):
            return "(*at_x)"
        if r.chance(3 * self.mood["world"]):
            return "vol_x"
        return r.pick(options)

    def address(self, depth=None):
        """The address of an int that lives at least as long as a scope of that depth (default: the file)."""
        r = self.random
        depth = 1 if depth is None else depth
        options = []
        for v in self.visible():
            if v.depth > depth or v.fixed:
                continue
            if v.kind == "int":
                options.append("&" + v.name)
            elif v.kind == "array":
                options.append("&%s[%s & %d]" % (v.name, self.index(), v.length - 1))
            elif v.kind == "box":
                options.append("&%s.%s" % (v.name, r.pick(["tag", "pair.first", "cells[2]"])))
            elif v.kind == "pair":
                options.append("&%s.second" % v.name)
        return r.pick(options)

    # ---- Statements

    def simple(self):
        """A statement without parts, on a line of its own."""
        r = self.random
        memory, call, world = self.mood["memory"], self.mood["call"], self.mood["world"]
        kind = r.weighted([
            (14, "assign"), (5, "compound"), (3, "step"), (2 + call, "called"), (2, "conditional"), (1, "comma"),
            (1 + memory, "aim"), (memory, "copy"), (memory, "whole"), (memory, "returned"),
            (1 + world, "output"), (world, "outside"),
            (self.mood["macro"], "macro"), (1, "group"), (1, "pointer_to_function"),
        ])
        if kind == "assign":
            target, value = self.target(), self.pure()
            return "%s = %s;" % (target, self.mark(value if value != target else value + " + 1"))
        if kind == "compound":
            target, value = self.target(), self.pure(1)
            if re.match(r"-?\d+$", value):  # some, such as x *= 1, are no code at all
                value = "(%s ^ %s)" % (value, target)
            return "%s %s %s;" % (target, r.pick(["+=", "-=", "^=", "*=", "|=", "&="]), self.mark(value))
        if kind == "step":
            return self.target() + r.pick(["++", "--"]) + ";"
        if kind == "called":
            locals_ = [v.name for v in self.of_kind("int", "integer") if not v.fixed]
            call_text = self.called()
            return "%s = %s;" % (r.pick(locals_), call_text) if r.chance(70) else call_text + ";"
        if kind == "conditional":
            return "%s %s %s;" % (self.condition(), r.pick(["&&", "||"]), self.effect())
        if kind == "comma":
            return "%s = %s, %s = %s;" % (self.target(), self.pure(1), self.target(), self.pure(1))
        if kind == "aim":
            return self.aim()
        if kind == "copy":
            return self.copy()
        if kind == "whole":
            return self.whole()
        if kind == "returned":
            return self.returned()
        if kind == "output":
            return r.pick(["put(%s);" % self.mark(self.pure(1)), "log_x(%s);" % self.pure(1)])
        if kind == "outside":
            return self.outside()
        if kind == "macro":
            return r.pick([
                "SWAP(%s, %s);" % (self.scalar(), self.scalar()), "BUMP(%s);" % self.target(),
                "CLEAR(table_x, %d)" % r.below(4), "BUMP(%s), BUMP(%s);" % (self.target(), self.target()),
            ])
        if kind == "group":
            return "%s = ({ int t = %s; t += 2; t ^ %s; });" % (self.target(), self.pure(1), self.leaf())
        return "op_x = %s;" % r.pick(["mix_x", "less_x", "%s ? mix_x : less_x" % self.condition()])

    def scalar(self):
        names = [v.name for v in self.of_kind("int") if not v.fixed]
        return self.random.pick(names)

    def aim(self):
        r = self.random
        pointers = self.of_kind("pointer")
        cursors = self.of_kind("cursor")
        boxes = self.of_kind("boxes")
        if boxes and r.chance(25):
            v = r.pick(boxes)
            return "%s = %s;" % (v.name, r.pick(["&box0_x", "&box1_x", "%s ? &box0_x : &box1_x" % self.condition()]))
        if cursors and r.chance(30):
            return "%s = table_x + (%s & 3);" % (r.pick(cursors).name, self.leaf())
        if not pointers or r.chance(15):
            return "at_x = %s;" % self.address()
        v = r.pick(pointers)
        if r.chance(30):
            return "%s = %s ? %s : %s;" % (v.name, self.condition(), self.address(v.depth), self.address(v.depth))
        return "%s = %s;" % (v.name, self.address(v.depth))

    def copy(self):
        r = self.random
        boxes = [v.name for v in self.of_kind("box")] + ["*" + v.name for v in self.of_kind("boxes")]
        pairs = [b + ".pair" for b in boxes if b[0] != "*"] + [v.name for v in self.of_kind("pair")]
        if r.chance(50):
            return "%s = %s;" % (r.pick(boxes), r.pick(boxes))
        if r.chance(30):
            return "%s = turn_x(%s);" % (r.pick(pairs), r.pick(pairs))
        return "%s = %s;" % (r.pick(pairs), r.pick(pairs))

    def whole(self):
        r = self.random
        boxes = [v.name for v in self.of_kind("box")]
        array = r.pick(self.of_kind("array"))
        return r.pick([
            "memcpy(&%s, &box1_x, sizeof(struct box_x));" % r.pick([b for b in boxes if b != "box1_x"]),
            "memset(%s, %d, %d);" % (array.name, r.below(3), 4 * r.below(array.length + 1)),
            "memset(&%s.pair, 0, sizeof(struct pair_x));" % r.pick(boxes),
            "set_x(%s, %s);" % (self.address(len(self.scopes)), self.pure(1)),
            "%s = (struct box_x){%s, {1, %s}, {%s}};" % (r.pick(boxes), self.leaf(), self.leaf(), self.leaf()),
        ])

    def outside(self):
        r = self.random
        return r.weighted([
            (3, "poke(%s);" % self.pure(1)),
            (2, "keep(%s);" % self.address(2)),
            (3, "%s = get();" % self.target()),
            (2, "shared_x = %s;" % self.mark(self.pure(1))),
            (1, "stop_if(%s);" % self.leaf()),
            (2, "vol_x = %s;" % self.pure(1)),
            (2, "%s = vol_x;" % self.target()),
        ])

    def definition(self):
        r = self.random
        memory = self.mood["memory"]
        kind = r.weighted([(6, "int"), (3, "integer"), (1 + memory, "pointer"), (memory, "cursor"), (1 + memory, "array"),
                           (memory, "box"), (memory, "pair"), (memory, "boxes"), (1, "static"), (1, "two"), (2, "late"),
                           (1, "both")])
        # The initializer is made before the name is visible: it would mean itself.
        if kind == "int":
            text = self.mark(self.pure())
            name = self.name("v", text)
            self.emit("int %s = %s;" % (name, text))
        elif kind == "integer":
            text = self.pure()
            name = self.name("w", text)
            self.emit("%s %s = %s;" % (r.pick(INTEGERS), name, text))
        elif kind == "pointer":
            text = self.address(len(self.scopes))
            name = self.name("p", text)
            self.emit("int *%s = %s;" % (name, text))
        elif kind == "cursor":
            text = self.leaf()
            name = self.name("q", text)
            self.emit("int *%s = table_x + (%s & 3);" % (name, text))
        elif kind == "array":
            length, texts = r.pick([4, 8]), [self.leaf() for _ in range(3)]
            name = self.name("a", *texts)
            self.emit("int %s[%d] = {%s};" % (name, length, ", ".join(texts)))
            self.declare(name, kind, length=length)
            return
        elif kind == "box":
            text = self.leaf()
            name = self.name("b", text)
            self.emit("struct box_x %s = %s;" % (name, r.pick(["box0_x", "box1_x", "{%s, {1, 2}, {3}}" % text])))
        elif kind == "pair":
            text, other = self.leaf(), self.leaf()
            name = self.name("r", text, other)
            self.emit("struct pair_x %s = {%s, %s};" % (name, text, other))
        elif kind == "boxes":
            name = self.name("y")
            self.emit("struct box_x *%s = &%s;" % (name, r.pick(["box0_x", "box1_x"])))
        elif kind == "static":
            name = self.name("s")
            self.emit("static int %s = %d;" % (name, r.below(9)))
            kind = "int"
        elif kind == "both":
            text = self.leaf()
            name = self.name("u", text)
            self.emit("union both_x %s = {%s};" % (name, text))
        elif kind == "two":
            first, second = self.pure(1), self.pure(1)
            self.names += 1
            name, other = "v%d" % self.names, "d%d" % self.names
            self.emit("int %s = %s, %s = %s;" % (name, first, other, second))
            self.declare(other, "int")
            kind = "int"
        else:
            condition, first, second = self.condition(), self.pure(1), self.pure(1)
            name = self.name("v", condition, first, second)
            self.emit("int %s;" % name)
            self.emit("if (%s)" % condition)
            self.emit("    %s = %s;" % (name, first))
            self.emit("else")
            self.emit("    %s = %s;" % (name, second))
            kind = "int"
        self.declare(name, kind)

    def open(self, head):
        self.emit(head + " {" if head else "{")
        self.indent += 1
        self.scopes.append({})

    def close(self, tail="}"):
        self.scopes.pop()
        self.indent -= 1
        self.emit(tail)

    def body(self, head, depth, jumps, tail="}", first=None, last=None):
        """HEAD with statements as its body, in braces or, if it is one, sometimes without."""
        if tail == "}" and first is None and last is None and self.random.chance(20):
            self.emit(head)
            self.indent += 1
            self.emit(self.simple())
            self.indent -= 1
            return
        self.open(head)
        if first:
            self.emit(first)
        self.statements(1 + self.random.below(4), depth, jumps)
        if last:
            self.emit(last)
        self.close(tail)

    def statements(self, count, depth, jumps):
        for _ in range(count):
            if self.left > 0:
                self.statement(depth, jumps)

    def statement(self, depth, jumps):
        """jumps: what is allowed here: "break", "continue", and labels that come later."""
        r = self.random
        self.left -= 1
        inner = depth < 4
        loop = self.mood["loop"]
        jump = self.mood["jump"]
        kind = r.weighted([
            (16, "simple"), (6, "definition"), (7 * inner, "if"), (2 * inner, "if_else"),
            ((2 + 2 * loop) * inner * (self.loops < 3), "loop"), ((1 + jump) * inner, "switch"),
            (1 + jump if jumps else 0, "leave"), ((1 + jump) * inner, "forward"),
            (jump * inner * (self.loops < 3), "backward"), (1 * inner, "block"), (jump, "return"),
            (jump * (self.loops < 3), "into"), (jump * inner * (self.loops < 3), "duff"),
        ])
        getattr(self, "make_" + kind)(depth, jumps)

    def make_simple(self, depth, jumps):
        """A statement, sometimes laid out in another way."""
        r = self.random
        text = self.simple()
        kind = r.below(24)
        if kind == 0:
            self.emit(text + " // said of it")
        elif kind == 1:
            self.emit("/* said before it */")
            self.emit(text)
        elif kind == 2:
            other = self.simple()
            self.emit(text + " " + other if "/*@" not in text + other else text)
        elif kind == 3:
            self.lines.append("#if 1")
            self.emit(text)
            self.lines.append("#else")
            self.emit("g0_x = 1 +;")
            self.lines.append("#endif")
        elif kind == 4 and "/*@" not in text and " = " in text and not text.startswith("CLEAR"):
            first, second = text.split(" = ", 1)
            self.emit(first)
            self.emit("    = " + second)
        elif kind == 5 and self.mood["macro"]:
            self.emit("BOTH(%s, %s);" % ("BUMP(%s)" % self.target(), "++%s" % self.target()))
        else:
            self.emit(text)

    def make_definition(self, depth, jumps):
        self.definition()

    def make_if(self, depth, jumps):
        head = self.random.pick(["if (%s)", "if (%s)", "if (%s)", "WHEN(%s)"]) % self.test()
        self.body(head, depth + 1, jumps)

    def make_if_else(self, depth, jumps):
        self.body("if (%s)" % self.test(), depth + 1, jumps, tail="} else {")
        if self.random.chance(30):
            self.lines[-1] = self.lines[-1][:-1] + "if (%s) {" % self.condition()
        self.indent += 1
        self.scopes.append({})
        self.statements(1 + self.random.below(3), depth + 1, jumps)
        self.close()

    def make_block(self, depth, jumps):
        self.open("")
        self.definition()
        self.statements(1 + self.random.below(3), depth + 1, jumps)
        self.close()

    def make_loop(self, depth, jumps):
        r = self.random
        inside = [j for j in jumps if j not in ("break", "continue")] + ["break", "continue", "break"]
        self.loops += 1
        kind = r.pick(["for", "for", "for", "while", "while", "while_end", "while_end", "do", "do", "search", "upto", "upto",
                       "never", "forever", "forever"])
        if kind in ("for", "upto"):
            bound = r.pick([str(1 + r.below(6)), "(%s & 7)" % self.leaf(), "(%s & 3)" % self.leaf(), "(%s & 3) + 1" % self.leaf()])
            self.names += 1
            name = "i%d" % self.names
            if kind == "upto":
                self.open("")
                self.emit("int %s;" % name)
            self.scopes.append({})
            self.declare(name, "int", fixed=True)
            head = "UPTO(%s, %s)" % (name, bound) if kind == "upto" else \
                "for (int %s = 0; %s < %s; %s)" % (name, name, bound, r.pick(["%s++", "++%s", "%s += 2"]) % name)
            self.body(head, depth + 1, inside)
            self.scopes.pop()
            if kind == "upto":
                self.close()
        elif kind in ("while", "while_end", "do", "search"):
            self.names += 1
            name = "n%d" % self.names
            self.open("")
            self.emit("int %s = %s & 7;" % (name, self.leaf()))
            self.declare(name, "int", fixed=True)
            if kind == "while":
                self.body("while (%s-- > 0)" % name, depth + 1, inside)
            elif kind == "while_end":
                self.body("while (%s > 0)" % name, depth + 1, [j for j in inside if j != "continue"], last="%s--;" % name)
            elif kind == "search":
                self.body("while (%s && %s-- > 0)" % (self.condition(), name), depth + 1, inside)
            else:
                self.body("do", depth + 1, inside, tail="} while (%s && --%s > 0);" % (self.condition(), name))
            self.close()
        elif kind == "never":
            self.body("while (%s && 0)" % self.leaf(), depth + 1, inside)
        else:
            self.names += 1
            name = "n%d" % self.names
            self.open("")
            self.emit("int %s = 0;" % name)
            self.declare(name, "int", fixed=True)
            self.body(r.pick(["for (;;)", "while (1)"]), depth + 1, inside,
                      first="if (%s++ >= %d) break;" % (name, r.below(6)))
            self.close()
        self.loops -= 1

    def make_switch(self, depth, jumps):
        r = self.random
        inside = [j for j in jumps if j != "break"] + ["break"]
        self.open("switch (%s & %d)" % (self.pure(1), r.pick([3, 7])))
        values = list(range(8))
        for _ in range(1 + r.below(4)):
            self.indent -= 1
            for _ in range(1 + r.chance(25)):
                value = r.pick(values)
                values.remove(value)
                self.emit("case %d:" % value)
            self.indent += 1
            self.in_case(depth, inside)
        if r.chance(60):
            self.indent -= 1
            self.emit("default:")
            self.indent += 1
            self.in_case(depth, inside)
        self.close()

    def in_case(self, depth, inside):
        r = self.random
        self.emit(self.simple())
        if r.chance(40):
            self.open("")
            self.statements(1 + r.below(3), depth + 1, inside)
            self.close()
        if r.chance(65):
            self.emit("break;")

    def make_leave(self, depth, jumps):
        jump = self.random.pick(jumps)
        text = jump + ";" if jump in ("break", "continue") else "goto %s;" % jump
        if self.random.chance(90):
            text = "if (%s) %s" % (self.test(), text)
        self.emit(text)

    def make_return(self, depth, jumps):
        text = self.result()
        if self.random.chance(10) and not self.void and not self.pair:
            self.emit("LEAVE_IF(%s, %s);" % (self.condition(), self.pure(1)))
        else:
            self.emit("if (%s && %s) %s" % (self.test(), self.condition(), text))

    def result(self):
        if self.void:
            return "return;"
        if self.pair:
            return "return (struct pair_x){%s, %s};" % (self.mark(self.pure(1)), self.pure(1))
        return "return %s;" % self.mark(self.pure())

    def label(self):
        self.labels += 1
        return "l%d" % self.labels

    def after_label(self, label):
        text = self.random.pick([";", self.simple()])
        if self.random.chance(30):
            self.emit(label + ": " + text)
            return
        self.emit(label + ":")
        self.emit(text)

    def make_forward(self, depth, jumps):
        label = self.label()
        self.open("")
        self.statements(1 + self.random.below(2), depth + 1, jumps)
        self.emit("if (%s) goto %s;" % (self.test(), label))
        self.statements(1 + self.random.below(4), depth + 1, jumps + [label])
        self.close()
        self.after_label(label)

    def make_backward(self, depth, jumps):
        label = self.label()
        self.names += 1
        name = "k%d" % self.names
        self.open("")
        self.emit("int %s = 0;" % name)
        self.declare(name, "int", fixed=True)
        self.loops += 1
        self.after_label(label)
        self.open("")
        self.statements(1 + self.random.below(3), depth + 1, jumps)
        self.close()
        self.emit("if (%s && %s++ < %d) goto %s;" % (self.condition(), name, 1 + self.random.below(4), label))
        self.loops -= 1
        self.close()

    def make_into(self, depth, jumps):
        """A jump into a loop."""
        label = self.label()
        self.names += 1
        name = "k%d" % self.names
        self.open("")
        self.emit("int %s = %s & 3;" % (name, self.leaf()))
        self.declare(name, "int", fixed=True)
        self.emit("if (%s) goto %s;" % (self.condition(), label))
        self.emit("while (%s-- > 0) {" % name)
        self.indent += 1
        self.emit(self.simple())
        self.after_label(label)
        self.emit(self.simple())
        self.indent -= 1
        self.emit("}")
        self.close()

    def make_duff(self, depth, jumps):
        """A loop with the labels of a switch in it."""
        self.names += 1
        name = "k%d" % self.names
        self.open("")
        self.emit("int %s = %s & 3;" % (name, self.leaf()))
        self.declare(name, "int", fixed=True)
        self.emit("switch (%s & 3) {" % self.leaf())
        self.emit("case 0: do {")
        self.indent += 1
        self.emit(self.simple())
        for value in (1, 2):
            self.emit("case %d:" % value)
            self.emit(self.simple())
        self.indent -= 1
        self.emit("} while (%s-- > 0);" % name)
        self.emit("}")
        self.close()

    # ---- Functions

    def function(self, head, parameters, size):
        self.left = size
        self.loops = 0
        self.emit(head + " {")
        self.indent = 1
        self.scopes.append({})
        for name, kind in parameters:
            self.declare(name, kind)
        self.definition()
        while self.left > 0:
            self.statement(1, [])
        if self.random.chance(4):  # does not end for some arguments
            self.emit("while (%s == %d) %s" % (parameters[0][0], self.random.below(40) + 3, self.random.pick([";", "{ }"])))
        self.emit(self.result().replace("return;", ";"))
        self.scopes.pop()
        self.indent = 0
        self.emit("}")

    def file_scope(self):
        self.scopes = [{}]
        for name in ("g0_x", "g1_x", "g2_x", "shared_x"):
            self.declare(name, "int")
        for name in ("g3_x", "g4_x", "g5_x"):
            self.declare(name, "integer")
        self.declare("table_x", "array", length=8)
        for name in ("box0_x", "box1_x"):
            self.declare(name, "box")
        self.declare("bits_x", "bits")
        self.declare("both_x", "both")

    def program(self):
        r = self.random
        self.lines = HEAD.splitlines()
        self.file_scope()
        self.void = self.pair = False
        loops = self.mood["loop"]
        self.mood["loop"] = min(loops, 1)
        for i in range(r.below(4)):
            name = "h%d_x" % i
            self.function("static int %s(int p, int q, int *r)" % name, [("p", "int"), ("q", "int"), ("r", "pointer")],
                          3 + r.below(8))
            self.helpers.append(name)
        self.places = {}
        self.lines = [line if "/*@" not in line else strip_marks(line) for line in self.lines]
        self.mood["loop"] = loops
        self.void, self.pair = r.weighted([(80, (False, False)), (12, (True, False)), (8, (False, True))])
        kind = "void" if self.void else "struct pair_x" if self.pair else "int"
        self.recursive = r.chance(15)
        if self.recursive:
            self.lines.append("static int again_x(int p, int q);")
        self.function("%s subject_x(int a, int b, int c, int *out, struct box_x *box)" % kind,
                      [("a", "int"), ("b", "int"), ("c", "int"), ("out", "pointer"), ("box", "boxes")], 8 + r.below(40))
        if self.recursive:
            self.lines += AGAIN.replace("RESULT", {"void": "%s, 3", "int": "%s", "struct pair_x": "%s.first"}[kind] %
                                        "subject_x(p, q, 1, aim_of_x(1, 0), box_of_x(p))").splitlines()
        text = "\n".join(self.lines) + "\n"
        return text, {n: names for n, names in self.places.items() if "/*@%d*/" % n in text}, kind


def strip_marks(line):
    while "(/*@" in line:
        start = line.index("/*@")
        line = line[:start] + line[line.index("*/", start) + 3:]
    return line.replace(" /*@*/)", ")")


def generate(seed):
    """The text of the file, {place: names of variables that can be observed there}, the type of subject_x's result."""
    return Generator(seed).program()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1]))[0])
