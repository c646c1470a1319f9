#!/usr/bin/env python3
"""Runs gate explain and gatecc -fopt-info-all on the cases and compares both with what the cases say, and what they tell of with the
table in the documentation."""
import json
import re
import subprocess
import sys


def expectations(path):
    """Options, and for each line that has expectations: (function or None, pass or None for code, kind, text)."""
    options, wanted = [], []
    for number, line in enumerate(open(path), 1):
        found = re.match(r"// options: (.*)", line)
        if found and number == 1:
            options = found.group(1).split()
        found = re.search(r"// explain: (.*)", line)
        if not found:
            continue
        for part in found.group(1).split("; "):
            item = re.fullmatch(r'(?:in (\w+): )?(?:(-> )|(\w+(?:\.\d+)?) (\w+) )"(.*)"', part.strip())
            if not item:
                sys.exit(f"{path}:{number}: cannot read: {part}")
            function, code, step, kind, text = item.groups()
            wanted.append((number, function, None if code else step, kind, text))
    return options, wanted


def compiler_options(options):
    """Those of gate for passes, as gatecc has them."""
    for option in options:
        found = re.match(r"--(on|off)=(.*)", option)
        if found:
            for name in found.group(2).split(","):
                yield ("-f" if found.group(1) == "on" else "-fno-") + name
        else:
            yield option


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def explained(path, options):
    lines = len(open(path).readlines())
    return json.loads(run(["gate", "explain", "--format=json", *options, f"{path}:1-{lines}"]))


def pairs_of(told):
    """Each kind with the pass that has said so."""
    for part in told["lines"]:
        for event in [e for operation in part["operations"] for e in operation["events"]] + part["besides"]:
            yield event["kind"], event["pass"]


def pairs_of_table(path):
    """The same as the documentation has it: | kind | the operation | passes that say so |"""
    text = open(path).read()
    rows = text[text.index("| kind | the operation |"):].split("\n\n")[0].splitlines()[2:]
    for row in rows:
        kind, _, passes = (cell.strip() for cell in row.strip("|").split("|"))
        for name in re.findall(r"\w+", passes):
            yield kind, name


def event_text(event, line):
    text = f"{event['step']}: {event['kind']}"
    if event["reason"]:
        text += ": " + event["reason"]
    if event.get("times", 1) > 1:
        text += f" ({event['times']} times)"
    other = event.get("other", {}).get("line", line)
    return text + (f" (line {other})" if other != line else "")


def holds(expectation, told):
    line, function, step, kind, text = expectation
    for part in told["lines"]:
        if part["line"] != line or function not in (None, part["function"]):
            continue
        for operation in part["operations"]:
            if step is None:
                if any(text in line for code in operation["instructions"] for line in code["assembly"]):
                    return True
            elif any(e["pass"] == step and e["kind"] == kind and text in e["reason"] for e in operation["events"]):
                return True
        for event in part["besides"]:
            if step and event["pass"] == step and event["kind"] == kind and text in event["reason"]:
                return True
    return False


def remarks_of_explanation(told):
    found = set()
    for part in told["lines"]:
        for operation in part["operations"]:
            for event in operation["events"]:
                found.add(f"{part['line']}:{operation['column']}: {event_text(event, part['line'])}")
        for event in part["besides"]:
            found.add(f"{part['line']}:{event['column']}: {event_text(event, part['line'])}")
    return found


def main():
    failures, pairs = [], set()
    table = set(pairs_of_table(sys.argv[1]))
    for path in sys.argv[2:]:
        name = path.rsplit("/", 1)[-1]
        options, wanted = expectations(path)
        if not wanted:
            failures.append(f"{name}: says nothing")
        pairs.update(pairs_of(explained(path, options)))
        told = explained(path, ["--verbose", *options])
        for expectation in wanted:
            if not holds(expectation, told):
                failures.append(f"{name}:{expectation[0]}: not told: {expectation[1:]}")
        for part in told["lines"]:
            for operation in part["operations"]:
                if operation["fate"] == "gone":
                    failures.append(f"{name}:{part['line']}: no reason for {operation['text']}")
        run(["gatecc", "-c", "-o", "case.o", "-fopt-info-all=remarks", *compiler_options(options), path])
        run(["gatecc", "-c", "-o", "plain.o", *compiler_options(options), path])
        if open("case.o", "rb").read() != open("plain.o", "rb").read():
            failures.append(f"{name}: remarks change the object")
        remarks = set()
        for line in open("remarks"):
            found = re.match(r"(.*?):(\d+:\d+): (optimized|missed|note): (.*)", line)
            remarks.add(f"{found.group(2)}: {found.group(4)}")
        both = remarks_of_explanation(told)
        for line in sorted(both - remarks):
            failures.append(f"{name}: explained, but no remark: {line}")
        for line in sorted(remarks - both):
            failures.append(f"{name}: a remark, but not explained: {line}")
    for kind, name in sorted(pairs - table):
        failures.append(f"not in the table of {sys.argv[1]}: {kind}, {name}")
    for kind, name in sorted(table - pairs):
        failures.append(f"in the table of {sys.argv[1]}, but in no case: {kind}, {name}")
    for failure in failures:
        print(failure)
    print(f"{len(sys.argv) - 2} cases, {len(failures)} failures")
    return 1 if failures or len(sys.argv) < 42 else 0


sys.exit(main())
