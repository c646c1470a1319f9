"""Slices of random programs by csmith: functions beside their originals, and variables at the end of whole programs."""
import concurrent.futures
import os
import re
import shutil
import tempfile

from slicing import beside_check
from slicing.command import Refused, gate_slice, run
from slicing.random_check import COMPILERS
from slicing.random_function import Random

SECONDS = 10


class Counts(beside_check.Counts):
    NAMES = beside_check.Counts.NAMES + ["programs", "endless", "whole", "whole_wrong", "whole_refused"]

    def summary(self):
        return ("%d programs, %d left out as they do not end; %s; %d slices of whole programs compared, %d wrong, %d refused" %
                (self.programs, self.endless, super().summary(), self.whole, self.whole_wrong, self.whole_refused))


def include_folder():
    out = run(["dpkg", "-L", "libcsmith-dev"])[1]
    return os.path.dirname(re.search(r"^.*/csmith\.h$", out, re.M).group(0))


def beside(path, folder, options, mock, single, seed, counts, said):
    """The functions' results, at the calls that the program makes."""
    file = beside_check.File(path, options, False)
    file.cut_all(mock, single, seed)
    objects = beside_check.compile_all([file], "gcc", folder)
    if objects:
        program = os.path.join(folder, "program")
        status, _, errors = run(["gcc"] + beside_check.WRAPPED + ["-o", program] + objects + ["-lm"])
        report = os.path.join(folder, "report")
        environment = dict(os.environ, BESIDE_REPORT=report, BESIDE_CALLS="4", BESIDE_EFFECTS="0")
        if status == 0:
            status, _, errors = run([program], 300, env=environment)
        if status != 0:
            file.said.append("the program with slices: status %s %s" % (status, errors[:100]))
        beside_check.read_report(report, [file], "gcc")
    counts.add(file.counts)
    said += ["seed %d: %s" % (seed, line) for line in file.said]


def shown(text, name):
    """The program that prints the variable where it is added to the checksum."""
    line = 'transparent_crc(%s, "%s", print_hash_value);' % (name, name)
    if line not in text:
        raise Refused("the criterion's own statement is not in the slice")
    return text.replace(line, 'printf("%%lld\\n", (long long)%s);' % name)


def output_of(text, compiler, options, folder):
    path = os.path.join(folder, "whole.c")
    with open(path, "w") as file:
        file.write(text)
    status, _, errors = run(COMPILERS[compiler] + options + ["-o", path[:-2], path, "-lm"], 120)
    if status != 0:
        return None, "does not compile with %s: %s" % (compiler, next((x for x in errors.splitlines() if "error" in x), ""))
    status, out, _ = run([path[:-2]], 3 * SECONDS)
    lines = re.findall(r"^-?\d+$", out, re.M)
    return lines, "ends with %s" % status if status != 0 else None


def whole(path, folder, options, mock, seed, counts, said):
    """Two global variables at the end of main, with --calls and with --whole-program."""
    with open(path) as file:
        text = file.read()
    names = re.findall(r'^    transparent_crc\((\w+), "\w+", print_hash_value\);', text, re.M)
    r = Random(seed)
    for mode in ("--calls", "--whole-program"):
        if not names:
            return
        name = r.pick(names)
        line = text[:text.index('transparent_crc(%s, "' % name)].count("\n") + 1
        label = "seed %d --line %d --variable %s %s" % (seed, line, name, mode)
        try:
            cut = text if mock else gate_slice(path, ["--line", str(line), "--variable", name, mode], options)
            original, cut = shown(text, name), shown(cut, name)
        except Refused as refused:
            counts.whole_refused += 1
            said.append("refused %s: %s" % (label, refused))
            continue
        for compiler in COMPILERS:
            expected, problem = output_of(original, compiler, options, folder)
            found, wrong = output_of(cut, compiler, options, folder)
            if problem:
                continue
            counts.whole += 1
            if wrong or not expected or found != expected:
                counts.whole_wrong += 1
                said.append("wrong %s (%s): %s, expected %s, found %s" % (label, compiler, wrong or "another value", expected, found))


def check_one(seed, mock, single, options):
    counts, said = Counts(), []
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "csmith%d.c" % seed)
    counts.programs = 1
    status = run(["csmith", "--seed", str(seed), "-o", path])[0]
    if status == 0:
        status = run(["gcc", "-w", "-O0"] + options + ["-o", path[:-2], path])[0]
    if status == 0:
        status = run([path[:-2]], SECONDS)[0]
    if status != 0:
        counts.endless = 1
    else:
        beside(path, folder, options, mock, single, seed, counts, said)
        whole(path, folder, options, mock, seed, counts, said)
    shutil.rmtree(folder)
    return counts, said


def check(first, last, mock=None, single=False, jobs=1):
    counts, options = Counts(), ["-I" + include_folder()]
    good = True
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        tasks = [pool.submit(check_one, seed, mock, single, options) for seed in range(first, last + 1)]
        for task in concurrent.futures.as_completed(tasks):
            result, said = task.result()
            counts.add(result)
            for line in said:
                good = False
                print(line, flush=True)
    return counts, good
