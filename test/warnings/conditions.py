#!/usr/bin/env python3
"""Checks the conditions that -Wmaybe-uninitialized states against all ways through a function.

  conditions.py FILE.c...             written cases (conditions/*.c), symbolically: z3 decides
  conditions.py --random N [SEED]     random programs, on all small inputs

It knows nothing of gates. It reads the RTL text of a function and follows every way through it (loops a few times),
noting which registers have been set; a read of a variable that has not been is what the warning is about. Whenever
control comes to the warned use, the condition, evaluated there, has to hold if and only if the variable is not set. If the
condition is over parameters alone, it has to tell for every complete way whether such a read happens.

A written case has functions `bad` and `good`. Its first line says of `bad`
    // VARIABLE: what follows "it is" in the warning
and `good` is one that gcc -O2 does not warn of: nothing is told, and no read of a variable that is not set is possible.
"""
import functools, os, re, subprocess, sys

VISITS = 4  # of one node on one way
MASK = {32: 0xFFFFFFFF, 64: 0xFFFFFFFFFFFFFFFF}


# ---- Values: numbers, or terms for the solver

class Term:
    def __init__(self, text, width):
        self.text, self.width = text, width


def signed(n, width):
    n &= MASK[width]
    return n - (1 << width) if n >> (width - 1) else n


def smt(value, width):
    if isinstance(value, Term):
        return value.text
    return "(_ bv%d %d)" % (value & MASK[width], width)


COMPARE = {"eq": "=", "ne": "=", "lt": "bvslt", "le": "bvsle", "gt": "bvsgt", "ge": "bvsge", "ult": "bvult",
           "ule": "bvule", "ugt": "bvugt", "uge": "bvuge"}
ARITHMETIC = {"add": "bvadd", "sub": "bvsub", "mul": "bvmul", "and": "bvand", "or": "bvor", "xor": "bvxor",
              "shl": "bvshl", "shr": "bvlshr", "sar": "bvashr", "divs": "bvsdiv", "mods": "bvsrem"}


def compare(name, a, b, width):
    """True, False, or the text of a formula."""
    if not isinstance(a, Term) and not isinstance(b, Term):
        if name.startswith("u"):
            a, b, name = a & MASK[width], b & MASK[width], name[1:]
        else:
            a, b = signed(a, width), signed(b, width)
        return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[name]
    text = "(%s %s %s)" % (COMPARE[name], smt(a, width), smt(b, width))
    return "(not %s)" % text if name == "ne" else text


def number_of(truth, width=32):
    if isinstance(truth, bool):
        return int(truth)
    return Term("(ite %s %s %s)" % (truth, smt(1, width), smt(0, width)), width)


def calculate(name, a, b, width):
    if isinstance(a, Term) or isinstance(b, Term):
        return Term("(%s %s %s)" % (ARITHMETIC[name], smt(a, width), smt(b, width)), width)
    a, b = signed(a, width), signed(b, width)
    if name in ("divs", "mods"):
        if b == 0:
            raise Stop
        q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        result = q if name == "divs" else a - q * b
    else:
        result = {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b, "xor": a ^ b,
                  "shl": a << (b % width), "sar": a >> (b % width),
                  "shr": (a & MASK[width]) >> (b % width)}[name]
    return signed(result, width)


class Stop(Exception):
    pass


# ---- The text of RTL

class Line:
    pass


class Function:
    def __init__(self, name, parameters):
        self.name, self.parameters = name, parameters  # [(register, width)]
        self.lines, self.index, self.width = [], {}, dict(parameters)


def parse_rtl(text):
    functions, function = {}, None
    for row in text.splitlines():
        head = re.match(r"(?:\w+ )?function \S+ @(\w+)\((.*)\)[ \w]* \{", row)
        if head:
            parameters = [(p.split()[1], 64 if p.split()[0] == "i64" else 32)
                          for p in head.group(2).split(", ") if p]
            function = functions[head.group(1)] = Function(head.group(1), parameters)
        match = re.match(r"  (\d+): (.*?)(?: -> (\d+))?(?: !\d+:(\d+):(\d+))?$", row)
        if function and match:
            line = Line()
            line.label, line.text = int(match.group(1)), match.group(2)
            line.next = int(match.group(3)) if match.group(3) else None
            line.line, line.column = int(match.group(4) or 0), int(match.group(5) or 0)
            function.index[line.label] = len(function.lines)
            function.lines.append(line)
        if row == "}":
            function = None
    for function in functions.values():
        finish(function)
        function.others = functions
    return functions


def finish(function):
    for i, line in enumerate(function.lines):
        if line.next is None and i + 1 < len(function.lines):
            line.next = function.lines[i + 1].label
        dest = re.match(r"(%[\w']+) = (\S+)", line.text)
        line.dest = dest.group(1) if dest else None
        line.reads = re.findall(r"%[\w']+", line.text[len(line.dest or ""):])
        if dest:
            wide = ".i64" in dest.group(2) or dest.group(2) == "addr"
            if not re.match(r"(eq|ne|u?l[te]|u?g[te])\.", dest.group(2)):
                function.width[line.dest] = 64 if wide else 32
            else:
                function.width[line.dest] = 32
        line.variables = [r for r in dict.fromkeys(line.reads) if re.match(r"%[A-Za-z_]", r)
                          and not re.match(re.escape("%s = move" % r), line.text)]
        line.branch = re.match(r"if (\w+)\.i(\d+) (\S+), (\S+) then (\d+) else (\d+)", line.text)
        line.switch = re.match(r"switch (\S+) \{(.*)\}", line.text)
        line.ends = re.match("return|unreachable|trap", line.text)
        body = line.text[len(line.dest) + 3:] if line.dest else line.text
        operator = re.match(r"([\w]+)\.i(\d+) (.*)", body)
        line.body, line.operator = body, None
        if operator and not re.match("load|store", body):
            line.operator = operator.group(1), int(operator.group(2)), operator.group(3).split(", ")
        line.targets = [int(t) for t in re.findall(r"(?:then|else|:) (\d+)", line.text)]
        if not line.targets and line.next is not None and not re.match(r"return|unreachable|trap", line.text):
            line.targets = [line.next]
    # Loops are entered at the nodes that edges go back to: nodes are in the order of the source.
    function.headers = {t for line in function.lines for t in line.targets if t <= line.label}


# ---- Following the ways

class State:
    """A way: what is known at its end."""
    def __init__(self, function, values):
        self.function, self.values = function, dict(values)
        self.entry = dict(values)
        self.at = function.lines[0].label
        self.formulas, self.memory, self.visits, self.iteration = [], 0, {}, {}
        self.calls = {}  # line -> result of the last call there, in the order of calls
        self.bad_reads = set()  # lines (nodes) that have read a variable that was not set

    def copy(self):
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        for name in ("values", "visits", "iteration", "calls"):
            setattr(other, name, dict(getattr(self, name)))
        other.formulas, other.bad_reads = list(self.formulas), set(self.bad_reads)
        return other


class Run:
    """All ways through a function from given values; `use` is called when control comes to each read."""
    def __init__(self, function, values, use, concrete, results=None):
        self.function, self.use, self.concrete = function, use, concrete
        self.results, self.fresh, self.declared = results, 0, []
        self.work, self.complete, self.cut = [State(function, values)], [], 0

    def unknown(self, width):
        if self.concrete:
            return 0  # of what is not set; random programs do not branch on it
        self.fresh += 1
        self.declared.append("(declare-const t%d (_ BitVec %d))" % (self.fresh, width))
        return Term("t%d" % self.fresh, width)

    def go(self):
        steps = 0
        while self.work:
            state = self.work.pop()
            try:
                while state is not None:
                    steps += 1
                    state = self.step(state)
            except Stop:
                pass
        return steps

    def value(self, state, text, width):
        if text.startswith("%"):
            found = state.values.get(text)
            return found if found is not None else self.unknown(width)
        return int(text, 0)

    def step(self, state):
        line = self.function.lines[self.function.index[state.at]]
        state.visits[line.label] = state.visits.get(line.label, 0) + 1
        if state.visits[line.label] > (40 if self.concrete else VISITS):
            self.cut += 1
            return None
        for register in line.variables:
            unset = state.values.get(register) is None
            self.use(state, line, register, unset)
            if unset:
                state.bad_reads.add((line.label, register))
        return self.execute(state, line)

    def enter(self, state, line, target):
        if target in self.function.headers:
            back = line.label >= target
            state.iteration[target] = state.iteration.get(target, 0) + 1 if back else 0
        state.at = target
        return state

    def branch(self, state, line, ways):
        """ways: [(truth, target)]"""
        possible = [(t, n) for t, n in ways if t is not False]
        for truth, target in possible[1:]:
            other = state.copy()
            if truth is not True:
                other.formulas.append(truth)
            self.work.append(self.enter(other, line, target))
        truth, target = possible[0]
        if truth is not True:
            state.formulas.append(truth)
        return self.enter(state, line, target)

    def execute(self, state, line):
        if line.ends:
            if line.ends.group() == "return":
                self.complete.append(state)
            return None
        match = line.branch
        if match:
            width = int(match.group(2))
            truth = compare(match.group(1), self.value(state, match.group(3), width),
                            self.value(state, match.group(4), width), width)
            no = (not truth) if isinstance(truth, bool) else "(not %s)" % truth
            return self.branch(state, line, [(truth, int(match.group(5))), (no, int(match.group(6)))])
        if line.switch:
            return self.switch(state, line, line.switch.group(1), line.switch.group(2))
        self.simple(state, line)
        return self.enter(state, line, line.targets[0])

    def switch(self, state, line, register, cases):
        width = self.function.width[register]
        value, ways, others = self.value(state, register, width), [], []
        for case, target in re.findall(r"(-?\d+): (\d+)", cases):
            truth = compare("eq", value, int(case), width)
            ways.append((truth, int(target)))
            others.append((not truth) if isinstance(truth, bool) else "(not %s)" % truth)
        rest = False if False in others else True
        texts = [t for t in others if isinstance(t, str)]
        if rest and texts:
            rest = "(and true %s)" % " ".join(texts)
        return self.branch(state, line, ways + [(rest, int(re.search(r"default: (\d+)", cases).group(1)))])

    def simple(self, state, line):
        body = line.body
        if body == "nop":
            return
        width = self.function.width.get(line.dest, 32)
        if line.operator:
            result = self.operator(state, *line.operator)
        elif "call" in body.split("(")[0]:
            state.memory += 1
            callee = self.function.others.get(re.search(r"@(\w+)", body).group(1))
            if callee and not any(n.text.startswith("return") for n in callee.lines):
                raise Stop
            result = self.results(state) if self.results else self.unknown(width)
            state.calls[line.line] = result
        elif body.startswith("store"):
            state.memory += 1
            return
        elif body.startswith("load"):
            result = self.load(state, body, width)
        else:
            raise Stop
        if line.dest:
            state.values[line.dest] = result

    def load(self, state, body, width):
        address = re.match(r"load\.\w+ \[(.*)\]", body).group(1)
        total = 0
        for sign, part in re.findall(r"([+-]?) ?([%@$]?[\w']+(?:\*\d)?)", address):
            if part[0] in "@$":
                raise Stop
            name, _, scale = part.partition("*")
            value = calculate("mul", self.value(state, name, 64), int(scale or 1), 64)
            total = calculate("sub" if sign == "-" else "add", total, value, 64)
        return self.cell(state, total, width)

    def cell(self, state, address, width):
        if self.concrete:
            raise Stop
        name = "m%d_%d" % (state.memory, width)
        declaration = "(declare-fun %s ((_ BitVec 64)) (_ BitVec %d))" % (name, width)
        if declaration not in self.declared:
            self.declared.append(declaration)
        return Term("(%s %s)" % (name, smt(address, 64)), width)

    def operator(self, state, name, at, operands):
        if name == "const":
            return signed(int(operands[0]), at)
        if name in ("sext", "zext", "trunc"):
            return self.convert(name, self.value(state, operands[0], 64 if name == "trunc" else 32))
        values = [self.value(state, o, at) for o in operands]
        if name == "move":
            return values[0]
        if name == "neg":
            return calculate("sub", 0, values[0], at)
        if name == "not":
            return calculate("xor", values[0], -1, at)
        if name in COMPARE:
            return number_of(compare(name, values[0], values[1], at))
        return calculate(name, values[0], values[1], at)

    @staticmethod
    def convert(name, value):
        if not isinstance(value, Term):
            return signed(value, 32) if name != "zext" else value & MASK[32]
        if name == "trunc":
            return Term("((_ extract 31 0) %s)" % value.text, 32)
        return Term("((_ %s 32) %s)" % ("sign_extend" if name == "sext" else "zero_extend", value.text), 64)


# ---- Conditions as they are stated: C

class Stated:
    """What follows "it is": cases, each with a condition and perhaps the loops that are in their first iteration."""
    def __init__(self, text, source):
        self.least = text.startswith("at least ")
        text = text[len("at least "):] if self.least else text
        notes = re.search(r" \((with [^()]*(?:\([^()]*\)[^()]*)*)\)$", text)
        self.on_entry, self.at_line = set(), {}
        if notes:
            text = text[:notes.start()]
            for name in re.findall(r"value of '(\w+)' on entry", notes.group(1)):
                self.on_entry.add(name)
            for expression, line in re.findall(r"value of '([^']*)' at line (\d+)", notes.group(1)):
                self.at_line[expression] = int(line)
        self.here = bool(re.search(r"\bhere\b", re.sub(r"'[^']*'", "", text)))
        self.cases = [self.case(part) for part in text.split(", or ")]
        self.source = source

    @staticmethod
    def case(text):
        loops = [int(n) for n in re.findall(r"first iteration of the loop at line (\d+)", text)]
        condition = re.search(r"'(.*)'", text)
        assert condition or loops or text in ("always", "always here"), text
        return loops, condition.group(1) if condition else "1"

    def truth(self, run, state, values=None):
        """A formula, True or False."""
        result = []
        for loops, condition in self.cases:
            parts = [self.first(run.function, state, line) for line in loops]
            if False in parts:
                continue
            result.append(Evaluation(self, run, state, values, condition).formula())
        if True in result:
            return True
        result = [r for r in result if r is not False]
        return "(or false %s)" % " ".join(result) if result else False

    @staticmethod
    def first(function, state, line):
        headers = [h for h in function.headers if function.lines[function.index[h]].line == line]
        assert headers, "no loop at line %d" % line
        return all(state.iteration.get(h, 0) == 0 for h in headers)

    @functools.lru_cache(maxsize=None)
    def over_parameters(self, function):
        """Whether it says the same anywhere in the function."""
        names = set(re.findall(r"[A-Za-z_]\w*", " ".join(c for _, c in self.cases)))
        names -= {"unsigned", "int", "long", "char", "short", "signed"}
        parameters = {r[1:] for r, _ in function.parameters}
        changed = {line.dest[1:] for line in function.lines if line.dest} - self.on_entry
        text = " ".join(c for _, c in self.cases)
        return (not self.here and not any(loops for loops, _ in self.cases) and names <= parameters - changed
                and "[" not in text and not re.search(r"\w\(", text) and not re.search(r"(^|[&|(!] ?)\*", text))


TOKEN = re.compile(r"\s*(\d+|[A-Za-z_]\w*|&&|\|\||[<>=!]=|<<|>>|->|[-+*/%&|^~!<>()\[\].,])")
BINARY = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
          ["*", "/", "%"]]
OPERATOR = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "+": "add", "-": "sub", "*": "mul",
            "/": "divs", "%": "mods", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "sar"}


@functools.lru_cache(maxsize=None)
def tokens_of(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at:]
        tokens.append((match.group(1), match.start(1), match.end(1)))
        at = match.end()
    return tokens


class Evaluation:
    """A C expression where control is: values are (value, width, unsigned, is an address of int)."""
    def __init__(self, stated, run, state, values, text):
        self.stated, self.run, self.state = stated, run, state
        self.values = values if values is not None else state.values
        self.tokens, self.text, self.at = tokens_of(text), text, 0

    def peek(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def take(self, wanted=None):
        token = self.peek()
        assert wanted is None or token == wanted, (self.text, token, wanted)
        self.at += 1
        return token

    def formula(self):
        value, width, _, _ = self.binary(0)
        assert self.peek() is None, self.text
        return compare("ne", value, 0, width)

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in BINARY[level]:
            token = self.take()
            left = self.apply(token, left, self.binary(level + 1))
        return left

    def apply(self, token, left, right):
        if token in ("&&", "||"):
            sides = [compare("ne", v, 0, w) for v, w, _, _ in (left, right)]
            if all(isinstance(s, bool) for s in sides):
                return int(all(sides) if token == "&&" else any(sides)), 32, False, False
            texts = ["true" if s is True else "false" if s is False else s for s in sides]
            return number_of("(%s %s)" % ("and" if token == "&&" else "or", " ".join(texts))), 32, False, False
        width = max(left[1], right[1])
        values = [self.widen(s, width) for s in (left, right)]
        is_unsigned = any(s[2] and s[1] == width for s in (left, right))
        name = OPERATOR[token]
        if name in COMPARE:
            if is_unsigned and name not in ("eq", "ne"):
                name = "u" + name
            return number_of(compare(name, values[0], values[1], width)), 32, False, False
        return calculate(name, values[0], values[1], width), width, is_unsigned, False

    def widen(self, side, width):
        if side[1] == width or not isinstance(side[0], Term):
            return side[0]
        return self.run.convert("zext" if side[2] else "sext", side[0])

    def unary(self):
        start = self.at
        token = self.take()
        if token == "!":
            value, width, _, _ = self.unary()
            return number_of(compare("eq", value, 0, width)), 32, False, False
        if token == "-":
            value, width, u, _ = self.unary()
            return calculate("sub", 0, value, width), width, u, False
        if token == "*":
            value = self.unary()
            return self.element(start, value, (0, 32, False, False))
        if token == "(" and self.peek() in ("unsigned", "int", "long"):
            kind = self.take()
            self.take(")")
            value, width, _, _ = self.unary()
            return value, width, kind == "unsigned", False
        if token == "(":
            value = self.binary(0)
            self.take(")")
            return value
        if token.isdigit():
            return int(token), 32, False, False
        return self.named(start, token)

    def named(self, start, name):
        if self.peek() == "(":
            while self.take() != ")":
                pass
            text = self.text[self.tokens[start][1]:self.tokens[self.at - 1][2]]
            return self.state.calls[self.stated.at_line[text]], 32, False, False
        register = "%" + name
        value = self.state.entry[register] if name in self.stated.on_entry else self.values.get(register)
        assert value is not None, "%s has no value" % name
        width = self.run.function.width[register]
        is_unsigned = bool(re.search(r"\bunsigned (?:int |long )?%s\b" % name, self.stated.source))
        result = value, width, is_unsigned, width == 64
        while self.peek() == "[":
            self.take()
            index = self.binary(0)
            self.take("]")
            result = self.element(start, result, index)
        return result

    def element(self, start, address, index):
        offset = calculate("mul", self.widen(index, 64) if index[1] == 32 else index[0], 4, 64)
        text = self.text[self.tokens[start][1]:self.tokens[self.at - 1][2]]
        assert text not in self.stated.at_line, "the value of %s at a line is not kept" % text
        return self.run.cell(self.state, calculate("add", address[0], offset, 64), 32), 32, False, False


# ---- Compilers

def warnings_of(path, options=()):
    """{function: [(line, column, variable, text)]}"""
    errors = subprocess.run(["gatecc", "-fsyntax-only", "-Wall", *options, path], stderr=subprocess.PIPE,
                            universal_newlines=True).stderr
    found, function = {}, None
    for row in errors.splitlines():
        where = re.match(r".*: In function '(\w+)'", row)
        function = where.group(1) if where else function
        match = re.match(r".*?:(\d+):(\d+): warning: '(\w+)' may be used uninitialized(?:: it is (.*)| on some paths)? \[", row)
        if match:
            found.setdefault(function, []).append((int(match.group(1)), int(match.group(2)), match.group(3), match.group(4)))
    return found, errors


def rtl_of(path):
    text = subprocess.run(["gate", "show", "rtl", "-O0", "--locations", path], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout
    return parse_rtl(text)


def use_of(function, line, column, variable):
    """The node that a warning is about."""
    nodes = [n for n in function.lines if n.line == line and n.column <= column
             and any(re.match("%%%s('\\d+)?$" % variable, r) for r in n.reads)]
    assert nodes, "no use of %s at %d:%d" % (variable, line, column)
    latest = max(n.column for n in nodes)
    return [n for n in nodes if n.column == latest][0]


# ---- Written cases

class Questions:
    """Formulas that must not be satisfiable, for one run of the solver."""
    def __init__(self):
        self.text, self.names = [], []

    def never(self, name, declared, formulas):
        if any(f is False for f in formulas):
            return
        self.text += ["(push)"] + declared
        self.text += ["(assert %s)" % f for f in formulas if f is not True]
        self.text += ["(check-sat)", "(pop)"]
        self.names.append(name)

    def answer(self):
        if not self.names:
            return []
        out = subprocess.run(["z3", "-in"], input="\n".join(self.text), stdout=subprocess.PIPE,
                             universal_newlines=True).stdout.split()
        assert len(out) == len(self.names) and set(out) <= {"sat", "unsat"}, out[:5]
        return [name for name, word in zip(self.names, out) if word == "sat"]


def symbolic_values(function):
    declared, values = [], {}
    for register, width in function.parameters:
        name = "p_" + register[1:]
        declared.append("(declare-const %s (_ BitVec %d))" % (name, width))
        values[register] = Term(name, width)
    return declared, values


def negation(truth):
    return (not truth) if isinstance(truth, bool) else "(not %s)" % truth


def check_stated(path, function, warning, source, questions):
    line, column, variable, text = warning
    stated, node = Stated(text, source), use_of(function, line, column, warning[2])
    declared, values = symbolic_values(function)
    asked = []

    def use(state, at, register, unset):
        if at is not node or not re.match("%%%s('\\d+)?$" % variable, register):
            return
        truth = stated.truth(run, state)
        if unset and not stated.least:
            asked.append(("is not set, though the condition does not hold", state.formulas + [negation(truth)]))
        if not unset:
            asked.append(("is set, though the condition holds", state.formulas + [truth]))

    run = Run(function, values, use, False)
    run.go()
    if stated.over_parameters(function):
        for state in run.complete:
            bad = any(label == node.label for label, _ in state.bad_reads)
            truth = stated.truth(run, state, state.entry)
            if bad and not stated.least:
                asked.append(("is read on a way that the condition excludes", state.formulas + [negation(truth)]))
            if not bad:
                asked.append(("is not read unset on a way on which the condition holds", state.formulas + [truth]))
    assert asked, "%s: the use is never reached" % path
    for what, formulas in asked:
        questions.never("%s: %s: '%s' %s" % (path, function.name, variable, what), declared + run.declared, formulas)
    return len(asked)


def check_silent(path, function, questions):
    declared, values = symbolic_values(function)
    asked = []

    def use(state, at, register, unset):
        if unset:
            asked.append((register, list(state.formulas)))

    run = Run(function, values, use, False)
    run.go()
    for register, formulas in asked:
        questions.never("%s: %s: %s is read and not set" % (path, function.name, register),
                        declared + run.declared, formulas)
    return len(run.complete)


def check_files(paths):
    questions, failures, ways = Questions(), [], 0
    for path in paths:
        source = open(path).read()
        expected = re.match(r"// (\w+): (.*)", source)
        found, errors = warnings_of(path)
        functions = rtl_of(path)
        bad = found.get("bad", [])
        if expected.group(2) == "none":
            failures += ["%s: bad: %s" % (path, errors)] if bad else []
            ways += check_silent(path, functions["bad"], questions)
        elif len(bad) != 1 or bad[0][2:] != expected.groups():
            failures.append("%s: expected %s, found %s" % (path, expected.groups(), bad))
        else:
            ways += check_stated(path, functions["bad"], bad[0], source, questions)
        if "good" in found:
            failures.append("%s: good: %s" % (path, found["good"]))
        ways += check_silent(path, functions["good"], questions)
    failures += questions.answer()
    for failure in failures:
        print(failure)
    print("%d files, %d ways, %d questions, %d failures" % (len(paths), ways, len(questions.names), len(failures)))
    return 1 if failures or len(questions.names) < len(paths) else 0


if __name__ == "__main__":
    if sys.argv[1] == "--random":
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        import conditions_random
        sys.exit(conditions_random.main(int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
    sys.exit(check_files(sys.argv[1:]))
