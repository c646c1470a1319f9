# Looks at the data of explorer pages: what they say must hang together, and the text of each view must be what gate show prints.
import json
import subprocess
import sys


def gate(*arguments):
    return subprocess.run(["gate", *arguments], text=True, stdout=subprocess.PIPE, check=True).stdout


def fail(message):
    sys.exit("data.py: " + message)


def view_rows(view):
    rows = []
    for at in range(0, len(view["order"]), 2):
        first, count = view["order"][at:at + 2]
        rows += range(first, first + count)
    return rows


def blocks_of(function, view):
    return function["views"][view["like"]] if "like" in view else view


def plain(line):
    line = line.strip()
    head = line.split(": ", 1)
    return head[1] if head[0].isdigit() and len(head) == 2 else line


# The functions of a text that gate show prints, as lists of lines without indentation and labels.
def shown(text):
    functions, name = {}, None
    for line in text.splitlines():
        if line.startswith("function "):
            name = line.split("@", 1)[1].split("(", 1)[0]
            functions[name] = []
        if name:
            functions[name].append(plain(line))
        if line == "}":
            name = None
    return functions


def check_dominators(view, succs, idom):
    count = len(succs)
    reached = lambda without: walk(succs, without)
    everything = reached(None)
    for block in range(count):
        above, at = set(), idom[block]
        while at != -1:
            above.add(at)
            at = idom[at]
        if block in everything and block:
            truth = {d for d in everything if d != block and block not in reached(d)}
            if truth != above:
                fail(f"dominators of block {block} are {truth}, not {above}")


def walk(succs, without):
    seen, todo = set(), [0] if without != 0 else []
    while todo:
        at = todo.pop()
        if at in seen or at == without:
            continue
        seen.add(at)
        todo += succs[at]
    return seen


def below(idom, block, above):
    while block not in (-1, above):
        block = idom[block]
    return block == above


def check_view(function, view, counts):
    rows, table = view_rows(view), function["rows"]
    ids = [table["id"][row] for row in rows if table["id"][row] >= 0]
    if len(ids) != len(set(ids)):
        fail(f"an identity stands twice in {function['name']}")
    shape = blocks_of(function, view)
    blocks, tail = shape["blocks"], shape["tail"]
    if blocks != sorted(set(blocks)) or not blocks or blocks[-1] >= tail or tail > len(rows):
        fail("blocks do not ascend")
    for place, row in enumerate(rows):
        kind = table["kind"][row]
        inside = blocks[0] <= place < tail
        if kind in "im" and not inside or kind in "hpe" and inside:
            fail(f"a row of kind {kind} at {place} of {function['name']}")
        if (table["id"][row] >= 0) != (kind in "imf"):
            fail(f"a row of kind {kind} with identity {table['id'][row]}")
    for targets, labels in zip(shape["succs"], shape["how"]):
        if len(targets) != len(labels) or any(not 0 <= b < len(blocks) for b in targets):
            fail("edges")
    if len(blocks) < 60:
        check_dominators(view, shape["succs"], shape["idom"])
    for block, header in enumerate(shape["loop"]):
        if (header == -1) != (shape["depth"][block] == 0):
            fail("loops")
    preds = [set() for _ in blocks]
    for block, targets in enumerate(shape["succs"]):
        for target in targets:
            preds[target].add(block)
    for place, arguments in view.get("gates", {}).items():
        block = max(b for b in range(len(blocks)) if blocks[b] <= int(place))
        selected = [p for _, edges in arguments for p in edges]
        if sorted(selected) != sorted(preds[block]):
            fail(f"gates at {place} select {selected} of {preds[block]}")
        if " = mu(" in function["texts"][table["text"][rows[int(place)]]]:
            back = [all(below(shape["idom"], p, block) for p in edges) for _, edges in arguments]
            if back != [False, True]:
                fail(f"a mu at {place} has its arguments from {back}")
        counts["gates"] += 1
    for place, block in view.get("region", {}).items():
        if table["kind"][rows[int(place)]] != "f" or not 0 <= block < len(blocks):
            fail("regions")
        counts["regions"] += 1


def check_function(data, pipeline, function, options, source, counts):
    table = function["rows"]
    if len({len(table[name]) for name in ("id", "kind", "text", "loc", "node")}) != 1:
        fail("columns of rows")
    for view in function["views"]:
        check_view(function, view, counts)
    views = {}
    for view in function["views"]:
        if view["step"] >= 0 and not view.get("rejected"):
            views[view["step"]] = view
    for step, view in views.items():
        name = pipeline["steps"][step]["name"]
        text = shown(gate("show", *options, "--after=" + name, view["form"], source))
        lines = [function["texts"][table["text"][row]] for row in view_rows(view)]
        if text[function["name"]] != [plain(line) for line in lines]:
            fail(f"{function['name']} after {name} is not what gate show prints")
        counts["texts"] += 1
    for step in function["steps"]:
        if step["verdict"] not in ("unchanged", "accepted", "inside"):
            fail(f"verdict {step['verdict']}")
        if (step["verdict"] == "accepted") != ("established" in step):
            counts["not told"] += 1
        counts["remarks"] += len(step["remarks"])
    if "asm" in function:
        counts["asm"] += sum(identity >= 0 for identity in function["asm"]["ids"])


def main():
    source, *options = sys.argv[1:]
    counts = dict.fromkeys(("gates", "regions", "texts", "remarks", "asm", "not told"), 0)
    data = json.loads(gate("explore", "--data", "--no-times", *options, source))
    if data["format"] != 1 or data["times"] or data["file"] != source:
        fail("the head")
    if not any(file.get("text") == open(source).read() for file in data["files"]):
        fail("the source is not there")
    for pipeline in data["pipelines"]:
        for function in pipeline["functions"]:
            check_function(data, pipeline, function, options, source, counts)
    for what in ("gates", "regions", "texts", "asm"):
        if not counts[what]:
            fail("nothing was compared: " + what)
    print(counts)


main()
