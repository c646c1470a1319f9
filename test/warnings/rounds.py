#!/usr/bin/env python3
"""Random loops over an array: the warnings of indices against runs.

  rounds.py [--seed S] [--count N] GATECC

A program is a function with nested loops, branches and subscripts, each subscript on a line of its own. This tool runs the
function with 22 oracles, which decide the branches that ask the outside. If a subscript is warned of and the loop around it
is entered in some run, then the index is out of bounds in some run: else the warning is false. (A warning about every round
counts only if the subscript itself is reached.) The last line counts the subscripts that are out of bounds in every run, and
how many of these are warned of. Exit status 1 if a warning is false, or if fewer than three quarters are warned of.
"""
import argparse, random, re, subprocess, sys

SIZE = 8
MOST_STEPS = 20000


class Program:
    def __init__(self, chance):
        self.chance, self.lines, self.names, self.vars = chance, [], 0, []
        self.emit("int a[%d], ask(void);" % SIZE)
        self.emit("int f(void) {")
        self.emit("int s = 0;")
        self.body = self.block(0, [])
        self.emit("return s;")
        self.emit("}")

    def emit(self, text):
        self.lines.append(text)
        return len(self.lines)

    def affine(self, scope, low=-3, high=11):
        chance = self.chance
        if not scope:
            return (None, 0, chance.randint(low, high))
        return (chance.choice(scope), chance.choice([1, 1, 1, 1, 2, -1]), chance.randint(-2, 3))

    @staticmethod
    def text(affine):
        name, factor, add = affine
        if name is None:
            return str(add)
        return "%s%s%s" % ("" if factor == 1 else "%d * " % factor, name, " + %d" % add if add > 0 else " - %d" % -add if add else "")

    def compare(self, scope):
        return (self.affine(scope), self.chance.choice(["<", "<=", ">", ">=", "==", "!="]), self.chance.randint(-1, 10))

    def block(self, depth, scope):
        return [self.statement(depth, scope) for _ in range(self.chance.randint(1, 3))]

    def statement(self, depth, scope, loop=False):
        chance = self.chance
        kind = chance.random()
        if kind < 0.45 or depth >= 4:
            if not scope:
                return ("nothing",)
            index = self.affine(scope)
            line = self.emit("s += a[%s];" % self.text(index))
            return ("access", line, index)
        if kind < 0.75:
            name = "ijklmnopqrst"[self.names % 12] + str(self.names // 12 or "")
            self.names += 1
            down = chance.random() < 0.25
            start = self.affine(scope, 0, 3) if chance.random() < 0.2 else (None, 0, chance.randint(5, 9) if down else chance.randint(-1, 2))
            bound = self.affine(scope, 5, 9) if chance.random() < 0.3 else (None, 0, chance.randint(-1, 1) if down else chance.randint(5, 9))
            op = chance.choice([">", ">=", ">"] if down else ["<", "<", "<=", "!="])
            step = chance.choice([-1, -1, -2] if down else [1, 1, 1, 2])
            if op == "!=":
                step, start, bound = 1, (None, 0, chance.randint(0, 2)), (None, 0, chance.randint(5, 9))
            self.emit("for (int %s = %s; %s %s %s; %s += %d) {" % (name, self.text(start), name, op, self.text(bound), name, step))
            head = len(self.lines)
            body = []
            for _ in range(chance.randint(1, 3)):
                if chance.random() < 0.25:
                    # A loop that is always left in its first round is no program that somebody writes.
                    word = chance.choice(["break", "continue"])
                    condition = self.compare(scope + [name])
                    if word == "break":
                        condition = ((name, 1, 0), chance.choice(["==", "<="] if down else ["==", ">="]),
                                     chance.randint(-1, 3) if down else chance.randint(4, 9))
                    line = self.emit("if (%s %s %d) %s;" % (self.text(condition[0]), condition[1], condition[2], word))
                    body.append((word, condition))
                body.append(self.statement(depth + 1, scope + [name]))
            self.emit("}")
            return ("loop", head, name, start, op, bound, step, body)
        if kind < 0.85:
            condition = self.compare(scope)
            self.emit("if (%s %s %d) {" % (self.text(condition[0]), condition[1], condition[2]))
            body = self.block(depth + 1, scope)
            self.emit("}")
            return ("if", condition, body)
        self.emit("if (ask()) {")
        body = self.block(depth + 1, scope)
        self.emit("}")
        return ("ask", body)


class Leave(Exception):
    pass


class Next(Exception):
    pass


class Run:
    def __init__(self, program, oracle):
        self.oracle, self.values, self.wrong, self.steps, self.entered = oracle, {}, set(), 0, set()
        self.block(program.body)

    def of(self, affine):
        name, factor, add = affine
        return add if name is None else factor * self.values[name] + add

    def holds(self, a, op, b):
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[op]

    def block(self, body):
        for statement in body:
            self.statement(statement)

    def statement(self, s):
        if s[0] == "access":
            self.entered.add(s[1])
            if not 0 <= self.of(s[2]) < SIZE:
                self.wrong.add(s[1])
        elif s[0] == "loop":
            _, head, name, start, op, bound, step, body = s
            self.values[name] = self.of(start)
            while self.holds(self.values[name], op, self.of(bound)):
                self.entered.add(head)
                self.steps += 1
                if self.steps > MOST_STEPS:
                    return
                try:
                    self.block(body)
                except Next:
                    pass
                except Leave:
                    break
                self.values[name] += step
        elif s[0] == "if":
            if self.holds(self.of(s[1][0]), s[1][1], s[1][2]):
                self.block(s[2])
        elif s[0] == "ask":
            if self.oracle():
                self.block(s[1])
        elif s[0] in ("break", "continue"):
            condition = s[1]
            if self.holds(self.of(condition[0]), condition[1], condition[2]):
                raise Leave if s[0] == "break" else Next


def accesses(body, around=()):
    """(line, lines of the loops around it, whether nothing outside decides) of each subscript."""
    for s in body:
        if s[0] == "access":
            yield s[1], around
        elif s[0] == "loop":
            yield from accesses(s[7], around + (s[1],))
        elif s[0] == "if":
            yield from accesses(s[2], around)
        elif s[0] == "ask":
            yield from accesses(s[1], around)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("gatecc")
    args = parser.parse_args()
    bad = always = warned_of = 0
    for number in range(args.count):
        chance = random.Random(args.seed * 1000003 + number)
        program = Program(chance)
        source = "\n".join(program.lines) + "\n"
        out = subprocess.run([args.gatecc, "-fsyntax-only", "-Warray-bounds", "-x", "c", "-"], input=source, text=True,
                             stderr=subprocess.PIPE).stderr
        warned = {int(n): text for n, text in re.findall(r"<stdin>:(\d+):\d+: warning: (.*)", out)}
        runs = [Run(program, lambda v=v: v) for v in (False, True)]
        runs += [Run(program, lambda: chance.random() < 0.5) for _ in range(20)]
        for line, loops in accesses(program.body):
            somewhere = any(line in r.wrong for r in runs)
            if loops and all(line in r.wrong for r in runs):
                always += 1
                warned_of += line in warned
            if line in warned and not somewhere and all(r.steps <= MOST_STEPS for r in runs):
                # A warning about every round may be about code that is never reached; nobody might know.
                place = loops[-1] if "round" in warned[line] else line
                if not any(place in r.entered for r in runs):
                    continue
                bad += 1
                print("seed %d, program %d: line %d is never wrong\n%s%s" % (args.seed, number, line, source, out))
    print("%d subscripts always wrong, %d of them warned of; %d false warnings" % (always, warned_of, bad))
    return 1 if bad or 4 * warned_of < 3 * always else 0


if __name__ == "__main__":
    sys.exit(main())
