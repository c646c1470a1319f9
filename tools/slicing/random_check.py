"""Slices of random functions: the compiled slice shows what the original shows (see slice-check)."""
import concurrent.futures
import os
import re
import shutil
import tempfile

from slicing.command import GATECC, ROOT, Refused, gate_slice, run, stand_in
from slicing.random_function import Random, generate

BATCH = 8
RUNTIME = os.path.join(ROOT, "tools", "slicing", "runtime.c")
RESULT, EVERYTHING, PLACES = -2, -4, -5  # as in runtime.c
COMPILERS = {"gcc": ["gcc", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing"],
             "gatecc": [GATECC, "-w", "-O1", "-fwrapv"]}

STATE = ["g0_x", "g1_x", "g2_x", "g3_x", "g4_x", "g5_x", "table_x", "box0_x", "box1_x", "bits_x", "both_x", "vol_x",
         "shared_x"]


class Criterion:
    def __init__(self, arguments, wanted, place=None, variable=None):
        self.arguments = arguments  # of gate slice
        self.wanted = wanted        # the number of the events
        self.place = place
        self.variable = variable

    def name(self):
        return " ".join(self.arguments)


def line_of(text, place):
    return text[:text.index("/*@%d*/" % place)].count("\n") + 1


def criteria_of(seed, text, places, kind):
    """Some places with a variable each, one with all that its statement reads, the result, all effects."""
    r = Random(seed ^ 0x5eed)
    chosen = []
    numbers = sorted(places)
    for count in range(4):
        if not numbers:
            break
        place = r.pick(numbers)
        numbers.remove(place)
        variable = None if count == 3 else r.pick(places[place])
        arguments = ["--line", str(line_of(text, place))] + (["--variable", variable] if variable else [])
        chosen.append(Criterion(arguments, place, place, variable))
    if kind != "void":
        chosen.append(Criterion(["--function", "subject_x", "--variable", "return"], RESULT))
    chosen.append(Criterion(["--function", "subject_x"], EVERYTHING))
    chosen.append(Criterion(["--function", "subject_x", "--variable", r.pick(STATE[:-2])], None))
    chosen[-1].variable = chosen[-1].arguments[-1]
    if r.chance(30):
        # Without a variable the statement's own value is shown, which may come out of a function that is sliced, too.
        extra = r.pick([c for c in chosen if c.place is None or c.variable])
        chosen.append(Criterion(extra.arguments + ["--calls"], extra.wanted, extra.place, extra.variable))
    return chosen


def observed(text, criterion):
    """The text with what the criterion asks for made visible: in the outermost call, as inner ones are promised nothing."""
    text = text.replace("        depth++;", "        depth++, deeper(1);").replace("        depth--;", "        depth--, deeper(-1);")
    if criterion.place is None:
        return text
    mark = "(/*@%d*/ " % criterion.place
    if mark not in text:
        raise Refused("the criterion's own statement is not in the slice")
    if criterion.variable:
        return text.replace(mark, "(observe(%d, &%s, sizeof %s), " % (criterion.place, criterion.variable, criterion.variable))
    before, after = text.split(mark, 1)
    return before + "(observe_value(%d, " % criterion.place + after.replace(" /*@*/)", "))", 1)


def driver(kind, variable):
    """Calls the function and shows what it leaves; with a variable also that one, as the result."""
    call = "subject_x(%s, aim, box);"
    result = "" if kind == "void" else "observe(-2, &result, sizeof result);"
    if variable:
        result = "observe(-2, &%s, sizeof %s);" % (variable, variable)
    get = "" if kind == "void" else kind + " result = "
    state = "".join("observe(-3, (const void *)&%s, sizeof %s);" % (name, name) for name in STATE)
    return """
void enter_x(const int *v, int *out, int twice, int **shared) {
    int *aim = aim_of_x(v[3], out);
    struct box_x *box = box_of_x(v[3]);
    *shared = &shared_x;
    {
        %s
        %s
    }
    if (twice) {
        %s
        keep(0);
        {
            %s
            %s
        }
        %s
    }
}
""" % (get + call % "v[0], v[1], v[2]", result, state, get + call % "v[1], v[0], v[2] + 1", result, state)


class Version:
    """A text that is compiled under names of its own."""
    def __init__(self, number, label, text):
        self.number = number
        self.label = label
        self.text = '#line 1 "%s"\n' % label.replace('"', "'") + re.sub(r"_x\b", "_v%d" % number, text)

    def enter(self):
        return "enter_v%d" % self.number


def reached_places(programs, folder, runtime):
    """For each seed the places that a run comes to: slices at others would show nothing."""
    cases = []
    for seed, (text, _, kind) in programs.items():
        text = re.sub(r"\(/\*@(\d+)\*/ ", r"(observe_value(\1, 0), ", text) + driver(kind, None)
        version = Version(len(cases), "seed %d" % seed, text)
        cases.append((str(seed), version, None, PLACES))
    status, _, errors = build("gcc", cases, folder, runtime)
    if status != 0:
        raise SystemExit("slice-check: a random function does not compile: " + errors[:300])
    reached = {seed: set() for seed in programs}
    for seed, place in re.findall(r"^reached (\d+) (\d+)$", run([os.path.join(folder, "all")], 600)[1], re.M):
        reached[int(seed)].add(int(place))
    return reached


def versions_of(seed, program, reached, mock, folder, counts, options, remove):
    """[(case's name, original, slice, wanted)] of a seed."""
    text, places, kind = program
    places = {place: names for place, names in places.items() if place in reached}
    path = os.path.join(folder, "random%d.c" % seed)
    with open(path, "w") as file:
        file.write(text)
    cases = []
    for index, criterion in enumerate(criteria_of(seed, text, places, kind)):
        name = "seed %d %s" % (seed, criterion.name())
        tail = driver(kind, criterion.variable if criterion.wanted is None else None)
        wanted = RESULT if criterion.wanted is None else criterion.wanted
        try:
            mark = "/*@%s*/" % criterion.place
            slice_text = stand_in(mock, text, mark, seed * 16 + index) if mock else \
                gate_slice(path, criterion.arguments, options, path + ".gcert")
            if remove:
                slice_text = stand_in("dropped", slice_text, mark, seed * 16 + index, ["/*@%d*/" % p for p in reached])
            original, slice_text = observed(text, criterion) + tail, observed(slice_text, criterion) + tail
        except Refused as refused:
            if "no dependence: nothing in" in str(refused):
                counts.unused += 1  # a right answer: nothing in the function uses the variable
            else:
                counts.refused(name, str(refused))
            continue
        cases.append((name, original, slice_text, wanted))
    os.unlink(path)
    return cases


class Counts:
    def __init__(self):
        self.slices = self.runs = self.unfinished = self.silent = self.unused = 0
        self.wrong, self.refusals, self.uncompiled = [], [], []

    def refused(self, name, why):
        self.refusals.append("refused %s: %s" % (name, why))

    def add(self, other):
        for key, value in vars(other).items():
            setattr(self, key, getattr(self, key) + value)


def compiles(version, compiler, folder):
    path = os.path.join(folder, "one.c")
    with open(path, "w") as file:
        file.write('#include "runtime.h"\n' + version.text)
    return run(COMPILERS[compiler] + ["-I", os.path.dirname(RUNTIME), "-c", "-o", path + ".o", path])


def build(compiler, cases, folder, runtime):
    path = os.path.join(folder, "all.c")
    with open(path, "w") as file:
        file.write('#include "runtime.h"\n')
        for _, original, slice_version, _ in cases:
            file.write(original.text + (slice_version.text if slice_version else ""))
        file.write("const Case cases[] = {\n")
        for name, original, slice_version, wanted in cases:
            file.write('    {"%s", %s, %s, %d},\n' %
                       (name, original.enter(), slice_version.enter() if slice_version else "0", wanted))
        file.write("    {0},\n};\n")
    return run(COMPILERS[compiler] + ["-I", os.path.dirname(RUNTIME), "-o", os.path.join(folder, "all"), path, runtime], 600)


def judge(compiler, cases, folder, runtime, counts):
    status, _, errors = build(compiler, cases, folder, runtime)
    if status != 0:
        good = []
        for case in cases:
            results = [compiles(version, compiler, folder) for version in case[1:3]]
            bad = next((r for r in results if r[0] != 0), None)
            if bad is None:
                good.append(case)
                continue
            first = next((line for line in bad[2].splitlines() if "error" in line), "status %s" % bad[0])
            which = "original" if results[0][0] != 0 else "slice"
            counts.uncompiled.append("%s does not compile with %s: %s" % (which, compiler, first))
        cases = good
        status, _, errors = build(compiler, cases, folder, runtime)
        if status != 0:
            counts.uncompiled.append("together, by %s: %s" % (compiler, errors[:200]))
            return
    status, out, errors = run([os.path.join(folder, "all")], 600)
    last = re.search(r"^runs (\d+) wrong (\d+) unfinished (\d+) silent (\d+)$", out, re.M)
    if status != 0 or not last:
        counts.wrong.append("the program of seeds %s ends with %s %s" % (cases[0][0], status, errors[:100]))
        return
    counts.runs += int(last.group(1))
    counts.unfinished += int(last.group(3))
    counts.silent += int(last.group(4))
    counts.slices += len(cases)
    counts.wrong += [line[6:] + " (%s)" % compiler for line in out.splitlines() if line.startswith("wrong ")]


def check_batch(seeds, mock, runtimes, keep, options, compilers, remove):
    counts = Counts()
    folder = tempfile.mkdtemp()
    cases = []
    programs = {seed: generate(seed) for seed in seeds}
    reached = reached_places(programs, folder, runtimes["gcc"])
    for seed in seeds:
        for name, original, slice_text, wanted in versions_of(seed, programs[seed], reached[seed], mock, folder, counts, options,
                                                              remove):
            number = 2 * len(cases)
            cases.append((name, Version(number, "original of " + name, original),
                          Version(number + 1, "slice of " + name, slice_text), wanted))
            if keep:
                stem = os.path.join(keep, re.sub(r"\W+", "-", name))
                for end, version in (("original", original), ("slice", slice_text)):
                    with open("%s.%s.c" % (stem, end), "w") as file:
                        file.write(version)
    if cases:
        for compiler in compilers:
            judge(compiler, cases, folder, runtimes[compiler], counts)
    shutil.rmtree(folder)
    return counts


def check(first, last, mock=None, jobs=1, keep=None, compilers=None, remove=False, options=()):
    """Counts for the seeds FIRST to LAST."""
    counts = Counts()
    folder = tempfile.mkdtemp()
    runtimes = {}
    for compiler in COMPILERS:
        # The runtime is not under test; gcc makes it for both.
        runtimes[compiler] = os.path.join(folder, compiler + ".o")
        status, _, errors = run(["gcc", "-O1", "-c", "-o", runtimes[compiler], RUNTIME])
        if status != 0:
            raise SystemExit("slice-check: " + errors)
    seeds = list(range(first, last + 1))
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        tasks = [pool.submit(check_batch, seeds[i:i + BATCH], mock, runtimes, keep, options, compilers or list(COMPILERS),
                             remove)
                 for i in range(0, len(seeds), BATCH)]
        for task in concurrent.futures.as_completed(tasks):
            result = task.result()
            for line in result.wrong + result.refusals + result.uncompiled:
                print(line, flush=True)
            counts.add(result)
    shutil.rmtree(folder)
    return counts
