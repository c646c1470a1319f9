#!/usr/bin/env python3
"""Holds what reasons claim against the form that they speak of: that a node dominates, sets this register or stores this value, that a
branch goes there, that a loop begins there, that a rule is one of rules.def, and that what it makes is equal on numbers."""
import random
import re
import subprocess
import sys
from collections import Counter

STEPS = ["ssa_build", "son_schedule", "copy_prop", "sccp", "tidy", "lvn", "gvn", "widen", "dead_code", "ungate"]
ON_REQUEST = {"copy_prop", "sccp", "lvn", "gvn"}


def run(*command):
    return subprocess.run(["gate", *command], capture_output=True, text=True, check=True).stdout


def steps_of(options):
    """The steps that run, each with the one after which there is what its reasons speak of."""
    on, off = set(), set()
    for option in options:
        found = re.fullmatch(r"--(on|off)=(.*)", option)
        if found:
            (on if found.group(1) == "on" else off).update(found.group(2).split(","))
    if "son_build" in off:
        off.add("son_schedule")
    there = [step for step in STEPS if step not in off and (step not in ON_REQUEST or step in on)]
    return [] if "-O0" in options else list(zip(there[1:], there))


class Form:
    """A function in SSA, read from its text."""

    def __init__(self, lines):
        self.text, self.node, self.sets, self.succs, self.operators = {}, {}, {}, {}, {}
        self.decided = {}
        rows = [found.groups() for found in (re.match(r" *(\d+): (.*)", line) for line in lines) if found]
        for i, (label, text) in enumerate(rows):
            node = int(label)
            self.node.setdefault(re.sub(r" -> \d+$", "", text), node)
            found = re.match(r"(%\S+) = ", text)
            if found:
                self.sets[found.group(1)] = node
                self.operators[found.group(1)] = "" if " = phi(" in text else text[found.end():].split(" -> ")[0]
            if " = phi(" in text:
                continue
            self.text[node] = text
            branch = re.search(r" then (\d+) else (\d+)$", text)
            jump = re.search(r" -> (\d+)$", text)
            if branch:
                self.succs[node] = [int(branch.group(1)), int(branch.group(2))]
            elif text.startswith("switch"):
                self.succs[node] = [int(n) for n in re.findall(r"(?:->|:|else) (\d+)", text)]
            elif jump:
                self.succs[node] = [int(jump.group(1))]
            elif text.startswith("return") or i + 1 == len(rows):
                self.succs[node] = []
            else:
                self.succs[node] = [int(rows[i + 1][0])]

    def reached(self, without=None, edge=None):
        seen, work = set(), [0]
        while work:
            node = work.pop()
            if node in seen or node == without:
                continue
            seen.add(node)
            ways = [self.decided[node]] if node in self.decided else self.succs.get(node, [])
            work += [to for to in ways if (node, to) != edge]
        return seen

    def dominates(self, above, node):
        return above == node or node not in self.reached(without=above)

    def edge_dominates(self, edge, node):
        return node not in self.reached(edge=edge)

    def loop(self, head):
        """The nodes of the loop that begins there; none if that is no loop."""
        inside = set()
        for latch in (n for n, to in self.succs.items() if head in to and self.dominates(head, n)):
            work = [latch]
            while work:
                node = work.pop()
                if node in inside or node == head:
                    continue
                inside.add(node)
                work += [n for n, to in self.succs.items() if node in to]
            inside.add(head)
        return inside


def forms_of(text):
    found = re.findall(r"^function \S+ @(\w+)\(.*\{\n((?:  .*\n)*)\}", text, re.M)
    return {name: Form(body.splitlines()) for name, body in found}


# ---- Rules


def rule_patterns():
    text = open(sys.argv[1]).read()
    names = re.findall(r"\b(?:RULE|FACT)(?:32|64|_\w+)?\((\w+(?:##\w+)*)", text) + re.findall(r"\b\w+\((\w+(?:##\w+)+),", text)
    return [re.compile("".join(part if i == 0 else ".*" for i, part in enumerate(re.split(r"##", name))) + r"(_\w+)?") for name in names]


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a, b):
    """Rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def compute(op, bits, args):
    mask = (1 << bits) - 1
    a = args[0] & mask if op not in ("trunc", "zext", "sext") else args[0]
    b = args[1] & mask if len(args) > 1 else 0
    sa, sb = signed(a, bits), signed(b, bits)
    table = {
        "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "and": lambda: a & b, "or": lambda: a | b,
        "xor": lambda: a ^ b, "shl": lambda: a << (b % bits), "shr": lambda: a >> (b % bits), "sar": lambda: sa >> (b % bits),
        "neg": lambda: -a, "divu": lambda: a // b, "modu": lambda: a % b, "divs": lambda: quotient(sa, sb),
        "mods": lambda: sa - sb * quotient(sa, sb), "eq": lambda: a == b, "ne": lambda: a != b,
        "lt": lambda: sa < sb, "le": lambda: sa <= sb, "gt": lambda: sa > sb, "ge": lambda: sa >= sb, "ult": lambda: a < b,
        "ule": lambda: a <= b, "ugt": lambda: a > b, "uge": lambda: a >= b, "trunc": lambda: a, "zext": lambda: a & 0xffffffff,
        "sext": lambda: signed(a, 32), "naddo": lambda: signed(sa + sb, bits) == sa + sb,
        "nsubo": lambda: signed(sa - sb, bits) == sa - sb, "select": lambda: args[1] if args[0] & 0xffffffff else args[2],
        "zext8": lambda: a & 0xff, "sext8": lambda: signed(a, 8), "zext16": lambda: a & 0xffff, "sext16": lambda: signed(a, 16), "move": lambda: a, "const": lambda: a,
    }
    return int(table[op]()) & mask


def number_for(reg, form, known):
    """What a register holds: what its operator computes, or any number."""
    if reg not in known:
        text = form.operators.get(reg)
        known[reg] = random.getrandbits(64)
        if text:
            try:
                known[reg] = value_of(text, form, known)
            except (KeyError, TypeError, IndexError):
                pass
    return known[reg]


def value_of(text, form, known):
    """Of "mul.i32 %x, 8" or "shr.i64(mul.i64(...), 33)", with numbers for registers."""
    if "..." in text:
        raise KeyError("not all of it is told")
    tokens = re.findall(r"[%@$]?[\w.'-]+|[(),]", text)
    at = 0

    def term():
        nonlocal at
        token = tokens[at]
        at += 1
        found = re.fullmatch(r"([a-z]+(?:8|16)?)\.i(32|64)", token)
        if not found:
            return int(token) if re.fullmatch(r"-?\d+", token) else number_for(token, form, known)
        braces = at < len(tokens) and tokens[at] == "("
        at += braces
        args = [term()]
        while at < len(tokens) and tokens[at] == ",":
            at += 1
            args.append(term())
        at += braces
        return compute(found.group(1), int(found.group(2)), args)

    return term()


def equal(form, before, after):
    for _ in range(40):
        known = {}
        bits = 64 if re.match(r"\w+\.i64", before) else 32
        if (value_of(before, form, known) - value_of(after, form, known)) & ((1 << bits) - 1):
            return False
    return True


# ---- Claims


def complaints(form, node, reason, patterns, told):
    """What is not so of what a reason says of a node; `told` counts what was looked at."""

    def hold(kind, truth, what):
        told[kind] += 1
        if not truth:
            yield what

    for reg, at, more in re.findall(r"(%[\w.']+), (?:computed|merged) at node (\d+)(, which dominates)?", reason):
        yield from hold("sets", form.sets.get(reg) == int(at), f"{reg} is not set at node {at}")
        if more:
            yield from hold("dominates", form.dominates(int(at), node), f"node {at} does not dominate node {node}")
    for value, kind, at in re.findall(r"(\S+), what the (store|load) at node (\d+) has", reason):
        text = form.text.get(int(at), "")
        yield from hold("memory", f"{kind}." in text and form.dominates(int(at), node), f"no {kind} above at node {at}")
        if value.startswith("%"):
            does = text.endswith(f", {value}") if kind == "store" else text.startswith(f"{value} = load")
            yield from hold("contents", does, f"node {at} is not about {value}")
        # Registers of the address may be others that are equal.
        here, there = (re.sub(r"%[\w.']+", "%", "".join(re.findall(r"\[.*?\]", t))) for t in (form.text[node], text))
        yield from hold("place", here == there, f"node {at} is about another place")
    for at, to in re.findall(r"the branch at node (\d+) went to node (\d+) before", reason):
        edge = (int(at), int(to))
        yield from hold("way", edge[1] in form.succs.get(edge[0], []), f"node {at} does not lead to node {to}")
        yield from hold("passed", form.edge_dominates(edge, node), "that way need not be taken")
    for at in re.findall(r"the branch at node (\d+) never goes that way", reason):
        yield from hold("branch", len(form.succs.get(int(at), [])) > 1, f"no branch at node {at}")
    for at in re.findall(r"the check at node (\d+) went on before", reason):
        yield from hold("check", form.text[int(at)].startswith("check") and form.dominates(int(at), node), f"no check above at {at}")
    for to in re.findall(r"always goes to node (\d+)", reason):
        yield from hold("goes", int(to) in form.succs.get(node, []), f"node {node} does not lead to node {to}")
    for head in re.findall(r"out of the loop at node (\d+)", reason):
        yield from hold("loop", node in form.loop(int(head)), f"node {node} is in no loop at node {head}")
    for rules, before, after in re.findall(r"(?:by rule |: )((?:[\w.]+, )*[\w.]+): (\w+\.i\d\d .*?) is (.*)", reason):
        for name in rules.split(", "):
            known = name in ("fold", "range", "sum") or any(p.fullmatch(name.rsplit(".", 1)[0]) for p in patterns)
            yield from hold("rule", known, f"no rule {name}")
        try:
            yield from hold("equal", equal(form, before, after), f"{before} is not {after}")
        except (KeyError, TypeError, IndexError):
            told["not computed"] += 1


    for rules in re.findall(r"by rule ((?:[\w.]+, )*[\w.]+): \S.* becomes .* for the range of its operands", reason):
        facts = re.findall(r"\bFACT(?:32|64)?\((\w+)", open(sys.argv[1]).read())
        names = [name.rsplit(".", 1)[0] for name in rules.split(", ")]
        yield from hold("range", any(name in facts or name == "range" for name in names), f"no rule of {rules} needs a range")


def reasons_of(path, step, options):
    """Function, text of the item before, reason."""
    function, item = None, None
    for line in run("diff", "--check=fast", f"--pass={step}", *options, path).splitlines():
        head = re.match(r"(\w+), \w+: ", line)
        row = re.match(r"([-~> +]) *\d+: (.*)", line)
        if head:
            function = head.group(1)
        elif row:
            item = row.group(2).split(" => ")[0] if row.group(1) != "+" else None
        elif line.startswith("          ") and item:
            yield function, re.sub(r" -> \d+$", "", item), line.strip()


def main():
    patterns, told, failures = rule_patterns(), Counter(), []
    for path in sys.argv[2:]:
        found = re.match(r"// options: (.*)", open(path).readline())
        options = found.group(1).split() if found else []
        for step, before in steps_of(options):
            reasons = list(reasons_of(path, step, options))
            forms = forms_of(run("show", "ssa", f"--after={before}", *options, path)) if reasons else {}
            # Branches that the step decides count with the only way that they go.
            for function, item, reason in reasons:
                way = re.search(r"always goes to node (\d+)", reason)
                if way and function in forms and item in forms[function].node:
                    forms[function].decided[forms[function].node[item]] = int(way.group(1))
            for function, item, reason in reasons:
                if function not in forms:
                    told["no form"] += 1
                    continue
                form = forms[function]
                if item not in form.node:
                    failures.append(f"{path}: {step}: no such item before: {item}")
                    continue
                for what in complaints(form, form.node[item], reason, patterns, told):
                    failures.append(f"{path}: {step}: {item}: {reason}: {what}")
    print("\n".join(failures))
    print(f"{sum(told.values())} claims, {len(failures)} failures: " + ", ".join(f"{n} {k}" for k, n in sorted(told.items())))
    return 1 if failures or sum(told.values()) < 150 or len(told) < 10 else 0


sys.exit(main())
