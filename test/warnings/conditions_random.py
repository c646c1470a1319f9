"""Random programs with branches, loops and variables that may not be set, for conditions.py --random.

Each is compiled for its warnings, then executed by conditions.py on all inputs from LEAST to MOST. What the functions that it
calls yield is an input as well. Where a condition is stated, it holds at the use if and only if the variable is not set; of a
variable that no warning is about, no read finds it unset, unless only values of earlier iterations could make it so.
"""
import itertools, os, random, re, subprocess, tempfile

from conditions import Run, Stated, rtl_of, use_of, warnings_of

LEAST, MOST = -1, 2
PARAMETERS = ["a", "b", "c"]


class Writer:
    def __init__(self, rng):
        self.rng, self.lines, self.depth, self.flags, self.loops = rng, [], 1, 0, 0

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def atom(self):
        r = self.rng
        kind = r.randrange(10)
        if kind < 5:
            return "%s %s %d" % (r.choice(PARAMETERS), r.choice(["<", "<=", ">", ">=", "==", "!="]), r.randint(-1, 3))
        if kind < 7:
            return r.choice(["", "!"]) + r.choice(PARAMETERS)
        if kind == 7:
            x, y = r.sample(PARAMETERS, 2)
            return "%s %s %s" % (x, r.choice(["<", "==", "!=", ">="]), y)
        if kind == 8:
            return "(%s & %d)" % (r.choice(PARAMETERS), r.choice([1, 2]))
        return r.choice(["f0", "f1", "k"])

    def condition(self):
        r = self.rng
        n = r.randrange(6)
        if n < 4:
            return self.atom()
        return "%s %s %s" % (self.atom(), "&&" if n == 4 else "||", self.atom())

    def use(self):
        self.put("s += %s;" % self.rng.choice(["x", "y"]))

    def statement(self, in_loop):
        r = self.rng
        kind = r.randrange(20)
        if kind < 6:
            self.put("%s = %s;" % (r.choice(["x", "y"]), r.choice(PARAMETERS + ["1", "7"])))
        elif kind < 9:
            self.use()
        elif kind < 10:
            self.put("%s = %d;" % (r.choice(["f0", "f1"]), r.randrange(3)))
        elif kind < 14 and self.depth < 5:
            self.branch(in_loop)
        elif kind < 15 and self.depth < 4:
            self.select(in_loop)
        elif kind < 16 and self.depth < 3 and self.loops < 2:
            self.loop()
        elif kind < 17:
            self.put("if (%s) %s;" % (self.condition(), r.choice(["break", "continue"]) if in_loop else "return s"))
        elif kind < 18 and self.depth == 1:
            self.put("if (%s) goto out;" % self.condition())
        elif kind < 19:
            self.put("%s += 1;" % r.choice(PARAMETERS))
        else:
            self.put("f%d = %s;" % (r.randrange(2), self.atom()))

    def block(self, in_loop, most=3):
        self.depth += 1
        for _ in range(self.rng.randint(1, most)):
            self.statement(in_loop)
        self.depth -= 1

    def branch(self, in_loop):
        self.put("if (%s) {" % self.condition())
        self.block(in_loop)
        if self.rng.randrange(2):
            self.put("} else {")
            self.block(in_loop)
        self.put("}")

    def select(self, in_loop):
        self.put("switch (%s) {" % self.rng.choice(PARAMETERS))
        for value in sorted(self.rng.sample(range(-1, 4), 2)):
            self.put("case %d:" % value)
            # `break` and `continue` of a loop around would be the switch's.
            self.block(False, 2)
            if self.rng.randrange(3):
                self.put("    break;")
        if self.rng.randrange(2):
            self.put("default:")
            self.block(False, 2)
        self.put("}")

    def loop(self):
        self.loops += 1
        i = "i%d" % self.loops
        bound = self.rng.choice(PARAMETERS + ["2"])
        self.put("for (int %s = 0; %s < %s; %s++) {" % (i, i, bound, i))
        self.block(True)
        self.put("}")

    def function(self):
        self.lines = ["int g(void);", "int bad(int a, int b, int c) {"]
        self.put("int x, y, s = 0, f0 = 0, f1 = 1;")
        self.put("int k = g();")
        for variable in ("x", "y"):
            self.put("if (%s) %s = g();" % (self.condition(), variable))
        for _ in range(self.rng.randint(1, 6)):
            self.statement(False)
        for variable in ("x", "y"):
            self.put("if (%s)" % self.condition())
            self.put("    s += %s;" % variable)
        self.lines += ["out:", "    return s + k + f0 + f1;", "}", ""]
        return "\n".join(self.lines)


class Outcome(Exception):
    pass


def inputs():
    values = range(LEAST, MOST + 1)
    return itertools.product(values, values, values, (0, 1))


def check_program(path, source, counts):
    found, _ = warnings_of(path)
    functions = rtl_of(path)
    function = functions["bad"]
    warned = {}
    for line, column, variable, text in found.get("bad", []):
        node = use_of(function, line, column, variable)
        warned["%" + variable] = (node, Stated(text, source) if text else None)
        counts["stated" if text else "unstated"] += 1
        counts["least"] += bool(text and text.startswith("at least"))
    perhaps = silent_ones(path, source, function) if len(warned) < 2 else set()
    counts["silent"] += 2 - len(warned)
    for a, b, c, k in inputs():
        run_once(path, function, warned, perhaps, {"%a": a, "%b": b, "%c": c}, k, counts)


def silent_ones(path, source, function):
    """Variables that are told of only by the warning's own name: values of earlier iterations could be unset."""
    found, _ = warnings_of(path, ["-Wmaybe-uninitialized"])
    return {"%" + variable for _, _, variable, _ in found.get("bad", [])}


def run_once(path, function, warned, perhaps, values, k, counts):
    bad, reached = set(), {}

    def use(state, node, register, unset):
        if register not in ("%x", "%y"):
            return
        stated = warned.get(register)
        if unset and stated is None and register not in perhaps and register not in certain(path):
            raise Outcome("%s is read and not set at line %d with %s, k = %d; no warning" % (register, node.line, values, k))
        if stated is None or stated[0] is not node or stated[1] is None:
            return
        truth = stated[1].truth(run, state)
        assert isinstance(truth, bool), truth
        counts["checked"] += 1
        if truth != unset and not (stated[1].least and unset):
            raise Outcome("%s at line %d with %s, k = %d: the condition %s, it is %sset" % (
                register, node.line, values, k, "holds" if truth else "does not hold", "not " if unset else ""))
        if unset:
            bad.add(register)

    run = Run(function, values, use, True, results=lambda state: k)
    run.go()
    for register, (node, stated) in warned.items():
        if stated is None or not run.complete or not stated.over_parameters(function):
            continue
        state = run.complete[0]
        truth = stated.truth(run, state, state.entry)
        if truth != (register in bad) and not (stated.least and register in bad):
            raise Outcome("%s with %s, k = %d: the condition %s, and it is %s" % (
                register, values, k, "holds" if truth else "does not hold", "read unset" if register in bad else "not"))


CERTAIN = {}


def certain(path):
    """Variables with -Wuninitialized: one use never finds them set, and the others are not told."""
    if path not in CERTAIN:
        errors = subprocess.run(["gatecc", "-fsyntax-only", "-Wall", path], stderr=subprocess.PIPE,
                                universal_newlines=True).stderr
        CERTAIN[path] = {"%" + v for v in re.findall(r"'(\w+)' is used uninitialized", errors)}
    return CERTAIN[path]


def main(count, seed):
    counts = {"stated": 0, "unstated": 0, "least": 0, "silent": 0, "checked": 0}
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.c")
        for number in range(seed, seed + count):
            source = Writer(random.Random(number)).function()
            CERTAIN.clear()
            with open(path, "w") as out:
                out.write(source)
            try:
                check_program(path, source, counts)
            except (Outcome, AssertionError) as problem:
                failures += 1
                print("seed %d: %s" % (number, problem))
    print("%d programs: %d conditions (%d of them only sufficient), %d warnings without, %d variables without warning; "
          "%d reads compared, %d failures" % (count, counts["stated"], counts["least"], counts["unstated"], counts["silent"],
                                              counts["checked"], failures))
    return 1 if failures or counts["stated"] < count // 4 else 0
