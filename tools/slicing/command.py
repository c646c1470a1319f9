"""Asking for a slice: of `gate slice`, or of one of the stand-ins that show whether a wrong slice is noticed."""
import os
import re

import limited
from slicing.random_function import Random

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.environ.get("BUILT") or os.path.join(ROOT, "build")
GATE = os.path.join(BUILT, "bin", "gate")
GATECHECK = os.path.join(BUILT, "bin", "gatecheck-slice")
GATECC = os.environ.get("GATECC") or os.path.join(BUILT, "bin", "gatecc")
SECONDS = 60


class Refused(Exception):
    """No slice was given: why not."""


def run(command, seconds=SECONDS, **rest):
    """Status, standard output and standard error of a command; the status is "too long" if its processor time ran out."""
    # Every byte is kept, whatever the encoding of a source is.
    rest.setdefault("env", dict(os.environ, LC_ALL="C"))
    done = limited.run(command, seconds, capture_output=True, **rest)
    if done is None:
        return "too long", "", ""
    return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")


def gate_slice(path, criterion, options=(), certificate=None):
    """The slice's text. With a path for a certificate, gatecheck has to accept what is written there."""
    command = [GATE, "slice", "-w", path] + list(criterion) + list(options)
    status, text, errors = run(command + (["--certificate=" + certificate] if certificate else []))
    if status != 0:
        said = (errors or text).strip().splitlines()
        raise Refused("status %s: %s" % (status, said[0] if said else "no word"))
    if certificate:
        status, out, errors = run([GATECHECK, certificate])
        os.unlink(certificate)
        if status != 0:
            raise Refused("gatecheck: status %s: %s" % (status, (errors or out).strip()[:200]))
    return text


# ---- Stand-ins: no slicer at all, and ones that make the mistakes that a slicer can make

def statements_of(lines, function):
    """Numbers of the lines inside of the function's body."""
    start = next(i for i, line in enumerate(lines) if re.match(r"\w.*\b%s\(.*\{$" % function, line))
    end = next(i for i in range(start, len(lines)) if lines[i] == "}")
    return range(start + 1, end)


SIMPLE = re.compile(r"\s+(?=\S)(?!int |struct |union |static |unsigned |long |short |signed |return|break|goto|continue|case |if |else"
                    r"|l\d+:|\} |while|for|do|;)(.*);$")


def dropped(line, place):
    return ";" if SIMPLE.match(line) and place not in line else None


def straightened(line, place):
    match = re.match(r"(\s*(?:if|WHEN) ?)\((.*)\)( \{|)$", line)
    return match.group(1) + "(1)" + match.group(3) if match else None


def exit_lost(line, place):
    return re.sub(r"(break|continue|goto \w+|return[^;]*);", ";", line) \
        if re.search(r"\b(break|continue|goto \w+|return\b[^;]*);$", line) and place not in line else None


MISTAKES = {"dropped": dropped, "straightened": straightened, "exit-lost": exit_lost}


def stand_in(kind, text, place, seed, among=None):
    """The text with a mistake in a line that is not the place's and, if `among` is given, holds one of those marks."""
    if kind == "identity":
        return text
    lines = text.splitlines()
    candidates = [(i, MISTAKES[kind](lines[i], place)) for i in statements_of(lines, "subject_x")]
    candidates = [(i, line) for i, line in candidates if line is not None and
                  (among is None or any(mark in lines[i] for mark in among))]
    if not candidates:
        raise Refused("nothing to damage")
    at, line = Random(seed).pick(candidates)
    lines[at] = line
    return "\n".join(lines) + "\n"
