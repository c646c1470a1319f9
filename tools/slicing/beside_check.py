"""Slices of the functions of whole files, each put beside its original in one program (see beside.c)."""
import os
import re
import shutil
import tempfile

from slicing.command import GATE, GATECC, ROOT, Refused, gate_slice, run
from slicing.functions import functions_of
from slicing.random_function import Random

FOLDER = os.path.join(ROOT, "tools", "slicing")
COMPILERS = {"gcc": ["gcc", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-std=gnu11"],
             "gatecc": [GATECC, "-w", "-O1", "-fwrapv"]}
# Names are bound at the start: doing so later would change memory.
WRAPPED = ["-Wl,--wrap=longjmp,--wrap=_longjmp,--wrap=exit,--wrap=getpid,--wrap=gettimeofday,-z,now"]


class Counts:
    NAMES = ["functions", "unfit", "refused", "uncompiled", "not_called", "compared", "wrong", "calls", "other"]

    def __init__(self):
        for name in self.NAMES:
            setattr(self, name, 0)

    def add(self, other):
        for name in self.NAMES:
            setattr(self, name, getattr(self, name) + getattr(other, name, 0))

    def summary(self):
        return ("%d functions: %d compared at %d calls, %d wrong; %d refused, %d slices do not compile, %d never called, "
                "%d left out (%d calls did not return)" % (self.functions, self.compared, self.calls, self.wrong, self.refused,
                                                           self.uncompiled, self.not_called, self.unfit, self.other))


def balanced(lines):
    depth = 0
    for line in lines:
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif re.match(r"\s*#\s*(else|elif)", line) and depth == 0:
            return False
        if depth < 0:
            return False
    return depth == 0


def damaged(lines, seed):
    """One statement less."""
    candidates = [i for i in range(1, len(lines)) if lines[i].count("(") == lines[i].count(")") and
                  re.match(r"\s+[a-z_]\w*(->|\.|\[|\w| )*[-+|&]?=[^=].*;\s*$|\s+[a-z]\w*\(.*\);\s*$", lines[i]) and
                  not re.search(r"^\s+(return|if|for|while|case|else|do|int|char|const|static|struct|unsigned|u8|u32|i64|size_t|\w+ \*?\w+ =)\b",
                                lines[i])]
    if not candidates:
        raise Refused("nothing to damage")
    at = Random(seed).pick(candidates)
    return lines[:at] + [";"] + lines[at + 1:]


def renamed(lines, name, ending):
    """The function's text under another name, with what it says of itself, but not members of that name."""
    text = "\n".join(lines)
    if re.search(r"(\.|->)\s*%s\b" % name, text):
        return re.sub(r"(?<![\w.>\"])%s(?=\s*\()" % name, name + ending, text)
    return "#define %s %s%s\n%s\n#undef %s" % (name, name, ending, text, name)


class File:
    """A C file whose functions are sliced."""
    def __init__(self, path, options, effects):
        self.path = path
        self.options = options
        self.effects = effects
        with open(path, encoding="latin-1", newline="") as file:
            self.lines = file.read().split("\n")
        self.functions = []
        self.slices = {}   # name -> lines
        self.said = []     # what is not right
        self.counts = Counts()
        self.find_functions()

    def find_functions(self):
        before = 0
        for function in functions_of(self.path, self.options):
            self.counts.functions += 1
            region = self.lines[function.first - 1:function.last]
            if function.unfit is None and function.first <= before:
                function.unfit = "on a line with another"
            if function.unfit is None and function.name not in "\n".join(region):
                function.unfit = "made by a macro"
            if function.unfit is None and not balanced(region):
                function.unfit = "its head is under #if"
            body = "\n".join(region).partition("{")[2]
            if function.unfit is None and self.effects and re.search(r"[=,(&]\s*%s\s*[;,)]" % function.name, body):
                function.unfit = "stores its own address, which is another in the slice"
            before = function.last
            if function.unfit:
                self.counts.unfit += 1
            else:
                self.functions.append(function)

    def criterion(self, function):
        arguments = ["--function", function.name]
        return arguments if self.effects or function.is_void() else arguments + ["--variable", "return"]

    def cut(self, function):
        """The function's lines in the slice of the file; the rest of the file must be as it was."""
        text = gate_slice(self.path, self.criterion(function), self.options)
        lines = text.split("\n")
        head, tail = self.lines[:function.first - 1], self.lines[function.last:]
        if lines[:len(head)] != head or lines[len(lines) - len(tail):] != tail:
            raise Refused("the slice differs outside of the function")
        return lines[len(head):len(lines) - len(tail)]

    def cut_all(self, mock, single, seed):
        """Slices of all functions, made by one command or, if `single`, by one for each."""
        if not self.functions:
            return
        folder = tempfile.mkdtemp()
        try:
            told = {} if mock or single else self.each_function(folder)
            for index, function in enumerate(self.functions):
                region = self.lines[function.first - 1:function.last]
                try:
                    if mock:
                        self.slices[function.name] = region if mock == "identity" else damaged(region, seed + index)
                    elif function.name in told:
                        self.slices[function.name] = told[function.name](function)
                    else:
                        self.slices[function.name] = self.cut(function)
                except Refused as refused:
                    self.counts.refused += 1
                    if not mock:
                        self.said.append("refused %s: %s" % (function.name, refused))
        finally:
            shutil.rmtree(folder)

    def each_function(self, folder):
        """What `gate slice --each-function` makes of the file: for each name what gives its lines."""
        command = [GATE, "slice", "-w", self.path, "--each-function", "--folder", folder] + self.options
        if not self.effects:
            command += ["--variable", "return"]
        status, out, errors = run(command, 3600)
        told = {}
        for line in out.splitlines():
            fields = line.split("\t")
            if len(fields) < 5:
                continue
            path = os.path.join(folder, fields[0] + ".c")
            if fields[4] == "accepted" and os.path.exists(path):
                with open(path, encoding="latin-1", newline="") as file:
                    text = file.read()
                told[fields[0]] = lambda _, text=text: text.split("\n")
            else:
                told[fields[0]] = lambda _, why=fields[4]: (_ for _ in ()).throw(Refused(why))
        if status != 0 and not told:
            self.said.append("gate slice --each-function: status %s: %s" % (status, errors.strip()[:200]))
        return told

    def text(self, first_number):
        """The file with wrappers; functions are numbered from first_number in the order of self.functions."""
        parts, at = ['#include "%s/beside.h"\n#line 1 "%s"' % (FOLDER, self.path)], 0
        for number, function in enumerate(self.functions):
            if function.name not in self.slices:
                continue
            name = function.name
            parts.append("\n".join(self.lines[at:function.first - 1]))
            parts.append(renamed(self.lines[function.first - 1:function.last], name, "__original"))
            parts.append("#line 1 \"slice of %s\"" % name)
            parts.append(renamed(self.slices[name], name, "__slice"))
            parts.append("#line 1 \"wrapper of %s\"" % name)
            parts.append("%s %s(%d, %s__original, %s__slice, (%s))" %
                         (" ".join(function.head), "BESIDE_VOID" if function.is_void() else "BESIDE", first_number + number,
                          name, name, ", ".join(function.parameters)))
            parts.append("#line %d \"%s\"" % (function.last + 1, self.path))
            at = function.last
        parts.append("\n".join(self.lines[at:]))
        return "\n".join(parts)

    def compile(self, compiler, index, first_number, folder):
        """The object file; slices that do not compile are taken out, and said."""
        source = os.path.join(folder, "%d.c" % index)
        made = os.path.join(folder, "%d.%s.o" % (index, compiler))
        for _ in range(40):
            with open(source, "w", encoding="latin-1", newline="") as file:
                file.write(self.text(first_number))
            command = COMPILERS[compiler] + self.options + ["-I", os.path.dirname(self.path), "-c", "-o", made, source]
            status, _, errors = run(command, 1200)
            if status == 0:
                return made
            bad = {}
            for line in errors.splitlines():
                match = re.match(r"(slice|wrapper) of (\w+):.*error: (.*)", line)
                if match:
                    bad.setdefault(match.group(2), "%s: %s" % (match.group(1), match.group(3)))
            if not bad:
                first = next((line for line in errors.splitlines() if "error" in line), "status %s" % status)
                self.said.append("%s does not compile with %s: %s" % (self.path, compiler, first))
                return None
            for name, why in bad.items():
                if self.slices.pop(name, None) is not None:
                    self.counts.uncompiled += 1
                    self.said.append("does not compile with %s: %s: %s" % (compiler, name, why))
        return None


def read_report(path, files, compiler):
    """Adds what happened at the calls to the counts of each file."""
    tallies, said = {}, {}
    if os.path.exists(path):
        with open(path) as report:
            for line in report:
                match = re.match(r"(\d+) calls (\d+) compared (\d+) wrong (\d+) other (\d+)$", line)
                if match:
                    number, _, compared, wrong, other = map(int, match.groups())
                    old = tallies.get(number, (0, 0, 0))
                    tallies[number] = (old[0] + compared, old[1] + wrong, old[2] + other)
                    continue
                match = re.match(r"(\d+) call (\d+): (.*)$", line)
                if match:
                    said.setdefault(int(match.group(1)), "call %s: the slice %s" % match.groups()[1:])
    first = 0
    for file in files:
        for index, function in enumerate(file.functions):
            if function.name not in file.slices:
                continue
            compared, wrong, other = tallies.get(first + index, (0, 0, 0))
            file.counts.calls += compared
            file.counts.other += other
            file.counts.compared += compared > 0
            file.counts.not_called += compared == 0
            if wrong:
                file.counts.wrong += 1
                file.said.append("wrong %s (%s): %s" % (function.name, compiler, said.get(first + index, "?")))
        first += len(file.functions)


def compile_all(files, compiler, folder):
    objects, first = [], 0
    for index, file in enumerate(files):
        made = file.compile(compiler, index, first, folder)
        if made is None:
            return None
        objects.append(made)
        first += len(file.functions)
    runtime = os.path.join(folder, "beside.o")
    status, _, errors = run(["gcc", "-O1", "-c", "-o", runtime, os.path.join(FOLDER, "beside.c")])
    if status != 0:
        raise SystemExit("slice-check: " + errors)
    return objects + [runtime]
