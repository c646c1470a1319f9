"""The functions that a C file defines: where they are, and their heads.

Found in what gcc's preprocessor makes of the file, which says of each line where it came from; the slicer is not asked.
"""
import re

from slicing.command import run

TOKEN = re.compile(r'[A-Za-z_]\w*|\.?\d[\w.]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\.\.\.|[^\s\w]')
MARK = re.compile(r'# (\d+) "((?:\\.|[^"\\])*)"')
EXTRA = ("__attribute__", "__asm__", "asm", "__asm")


class Function:
    def __init__(self, name, first, last, head, parameters, has_static):
        self.name = name
        self.first, self.last = first, last  # its lines, from 1
        self.head = head                     # the tokens in front of its body
        self.parameters = parameters         # their names
        # No wrapper can be written for these: why.
        self.unfit = None
        words = set(head)
        if "..." in head:
            self.unfit = "variable arguments"
        elif name == "main":
            self.unfit = "main"
        elif has_static:
            self.unfit = "static variables of its own, of which the slice beside it would have others"
        elif words & {"inline", "__inline", "__inline__"} and "static" not in words:
            self.unfit = "inline, but not static"
        elif None in parameters:
            self.unfit = "a parameter without a name"
        elif words & {"noreturn", "__noreturn__", "_Noreturn"}:
            self.unfit = "does not return"

    def is_void(self):
        at = self.head.index(self.name)
        return "void" in self.head[:at] and "*" not in self.head[:at]


def tokens_of(path, options):
    """(token, file, line) of the preprocessed file."""
    status, text, errors = run(["gcc", "-E"] + options + [path], 120)
    if status != 0:
        raise SystemExit("slice-check: gcc -E fails on %s: %s" % (path, errors[:200]))
    file, line = path, 1
    for source in text.split("\n"):
        if source.startswith("# "):
            match = MARK.match(source)
            if match:
                line, file = int(match.group(1)), match.group(2)
                continue
        if source.startswith("#pragma"):
            line += 1
            continue
        for token in TOKEN.findall(source):
            yield token, file, line
        line += 1


def closing(tokens, at):
    """The index of the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if depth == 0:
            return i
    return len(tokens) - 1


def without_extras(tokens):
    """Without attributes and names for the assembler."""
    kept, i = [], 0
    while i < len(tokens):
        if tokens[i] in EXTRA and i + 1 < len(tokens) and tokens[i + 1] == "(":
            i = closing(tokens, i + 1) + 1
        elif tokens[i] in ("__extension__",):
            i += 1
        else:
            kept.append(tokens[i])
            i += 1
    return kept


def parameter_name(tokens):
    star = next((i for i in range(len(tokens) - 1) if tokens[i] == "(" and tokens[i + 1] == "*"), None)
    if star is not None:
        return next((t for t in tokens[star:] if re.match(r"[A-Za-z_]", t) and t != "const"), None)
    if "[" in tokens:
        tokens = tokens[:tokens.index("[")]
    if len(tokens) < 2 or not re.match(r"[A-Za-z_]", tokens[-1]):
        return None
    return tokens[-1]


def old_style(tokens):
    """Is this the beginning of a definition with declarations of parameters behind the parentheses?"""
    tokens = without_extras(tokens)
    if "(" not in tokens or "=" in tokens or tokens[0] == "typedef":
        return False
    end = closing(tokens, tokens.index("("))
    inside = tokens[tokens.index("(") + 1:end]
    return end + 1 < len(tokens) and re.match(r"[A-Za-z_]", tokens[end + 1]) is not None and \
        all(re.match(r"[A-Za-z_]|,", t) for t in inside)


def head_of(tokens):
    """Name and parameters of the function whose body comes next, or None."""
    plain = without_extras(tokens)
    if "(" not in plain or "=" in plain or plain[0] == "typedef":
        return None
    at = plain.index("(")
    name = plain[at - 1] if at else ""
    if not re.match(r"[A-Za-z_]", name):
        return None
    end = closing(plain, at)
    inside, behind = plain[at + 1:end], plain[end + 1:]
    if behind and behind[0] in ("(", "[", ")"):
        return None  # returns a pointer to a function or the like
    if inside in ([], ["void"]):
        return name, []
    parts, depth = [[]], 0
    for token in inside:
        depth += (token in "([") - (token in ")]")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    if behind:
        return name, [part[0] for part in parts]
    return name, [parameter_name(part) for part in parts]


def functions_of(path, options):
    """The functions defined in the file itself, in its order."""
    found, head, depth, start = [], [], 0, None
    current, own = None, False
    for token, file, line in tokens_of(path, options):
        if depth == 0:
            if token == "{":
                described = head_of(head) if head else None
                current = (described, start, list(head)) if described and start[0] == path else None
                is_function = described is not None
                own = False
                depth = 1
                if not is_function:
                    head.append("{")
                continue
            if token == ";":
                if old_style(head):
                    head.append(token)
                else:
                    head = []
                continue
            if not head:
                start = (file, line)
            head.append(token)
            continue
        depth += (token == "{") - (token == "}")
        own = own or token == "static"
        if depth == 0:
            if is_function:
                if current and file == path:
                    (name, parameters), (_, first), tokens = current
                    found.append(Function(name, first, line, tokens, parameters, own))
                head = []
            else:
                head.append("}")
    return found
