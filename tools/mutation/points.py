"""Finds places in C code where a small change makes another program, and writes a file with all of them in it.

The C is ours, laid out by clang-format: a lexer, a parser of statements and one of expressions are enough, and what
they do not understand is left as it is (and counted). A Point is a stretch of text, an expression or a statement; its
variants are what may stand there instead. Instrumented text holds the original and all variants, and asks at run time
which one is on; and it notes what values a condition had, for a test in which it never was false does not notice that
it is made true:

    if (gate_mutant(17) ? (gate_mutant_variant == 1 ? (1) : (0)) : gate_mutant_saw(17, (known) != 0))
"""

import collections
import re

TOKEN = re.compile(
    r'''(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<directive>\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<string>(?:u8|[uUL])?"(?:[^"\\]|\\.)*")
      | (?P<character>[uUL]?'(?:[^'\\]|\\.)*')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)''',
    re.VERBOSE | re.DOTALL)

TYPES = set('void bool char short int long float double signed unsigned size_t ssize_t FILE va_list'.split())
TYPES |= {f'{u}int{n}_t' for u in ('', 'u') for n in (8, 16, 32, 64, 'ptr', 'max')}
QUALIFIERS = {'const', 'struct', 'union', 'enum', 'volatile', 'static', 'extern', 'register', '_Thread_local', 'inline'}
# Calls whose arguments are types, or are looked at in other ways than by evaluating them.
UNEVALUATED = {'sizeof', '_Alignof', '_Generic', 'offsetof', 'va_arg', 'va_start', 'assert', '_Static_assert'}
BINARY = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '>', '<=', '>='], ['<<', '>>'], ['+', '-'],
          ['*', '/', '%']]
LEVEL = {op: level for level, ops in enumerate(BINARY) for op in ops}
ASSIGN = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
BOUNDARY = {'<': '<=', '<=': '<', '>': '>=', '>=': '>'}
CALLS = re.compile(r'\w \(|\+\+|--|[^=!<>]=[^=]')  # there may be effects
REJECTS = re.compile(r'(\w+_)?(reject(ed)?|REJECT|complain_about) \(')  # always false, or no verdict
INTEGER = re.compile(r'(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$')


class NotUnderstood(Exception):
    pass


class Token:
    __slots__ = ('kind', 'text', 'start', 'end')

    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end


def tokens_of(text):
    return [Token(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text)
            if m.lastgroup not in ('space', 'directive')]


def is_type_name(text):
    return text in TYPES or bool(re.match(r'[A-Z][A-Za-z0-9]*[a-z]', text))


class Tree:
    """An expression: an operator, its parts, and the tokens from first up to end."""
    __slots__ = ('op', 'parts', 'first', 'end')

    def __init__(self, op, parts, first, end):
        self.op, self.parts, self.first, self.end = op, parts, first, end


# What a test must have seen at a point so that a variant makes a difference to it.
REACHED, FALSE, TRUE, NEAR = 1, 2, 4, 8

# What stands there instead, how that is shown, and what a test must have seen.
Variant = collections.namedtuple('Variant', 'new shown needs')


class Point:
    def __init__(self, start, end, statement=False):
        self.start, self.end, self.statement = start, end, statement
        self.variants = []
        self.number = self.line = self.function = None


class Function:
    """The points of one function definition."""

    def __init__(self, reader, name, header, open_brace, close_brace):
        self.reader, self.tokens = reader, reader.tokens
        self.name, self.header = name, header
        self.first, self.last = open_brace, close_brace
        self.points = {}
        self.not_understood = 0
        words = [t.text for t in header if t.text not in ('static', 'inline', '_Noreturn', 'extern')]
        self.returns = ' '.join(words)
        self.statements(open_brace + 1, close_brace)

    # ---- Points

    def text(self, first, end):
        return ' '.join(t.text for t in self.tokens[first:end])

    def change(self, first, end, new, shown=None, statement=False, needs=REACHED):
        start, stop = self.tokens[first].start, self.tokens[end - 1].end
        if '#' in re.sub(r'"[^"]*"|\'[^\']*\'', '', self.reader.source[start:stop]):
            return  # a directive inside
        point = self.points.setdefault((start, stop, statement), Point(start, stop, statement))
        if all(new != variant.new for variant in point.variants):
            point.variants.append(Variant(new, shown or new, needs))

    def decide(self, tree, values):
        """The expression is computed, but its value ignored; of a rejection, which always is false, nothing is done."""
        text = self.text(tree.first, tree.end)
        if REJECTS.match(text) and values:
            self.change(tree.first, tree.end, '1', 'true')
            return
        for value in values:
            shown = ('false', 'true')[value]
            new = f'((void)({text}), {value})' if CALLS.search(text) else str(value)
            if text != shown:
                self.change(tree.first, tree.end, new, shown, needs=FALSE if value else TRUE)

    def walk(self, tree):
        """Changes inside an expression."""
        if tree.op in ('&&', '||'):
            for part in tree.parts:
                if part.op != tree.op:
                    self.decide(part, [int(tree.op == '&&')])
        elif tree.op in BOUNDARY:
            left, right = tree.parts
            new = f'{self.text(left.first, left.end)} {BOUNDARY[tree.op]} {self.text(right.first, right.end)}'
            self.change(tree.first, tree.end, new, needs=REACHED if CALLS.search(new) else NEAR)
        elif tree.op == '?':
            self.decide(tree.parts[0], [1, 0])
        elif tree.op == 'number':
            match = INTEGER.match(self.tokens[tree.first].text)
            if match:
                text = match.group(0)
                self.change(tree.first, tree.end, f'({text} + 1)', f'{text} + 1')
                if match.group(1).strip("0xX"):
                    self.change(tree.first, tree.end, f'({text} - 1)', f'{text} - 1')
        elif tree.op in ('+', '|', '&') and len(tree.parts) == 2:
            for part in tree.parts if tree.op != '+' else tree.parts[:1]:
                self.change(tree.first, tree.end, self.text(part.first, part.end))
        for part in tree.parts:
            self.walk(part)

    # ---- Statements

    def expression(self, first, end, values=()):
        """An expression that is all of the tokens from first to end."""
        if first >= end:
            return None
        try:
            parser = Expressions(self.tokens, first, end)
            tree = parser.comma()
            if parser.at != end:
                raise NotUnderstood
        except (NotUnderstood, IndexError):
            self.not_understood += 1
            return None
        self.decide(tree, values)
        self.walk(tree)
        return tree

    def initializer(self, first, end, values=()):
        if first < end and self.tokens[first].text == '{':
            try:
                tree = Expressions(self.tokens, first, end).braces()
                self.walk(tree)
            except (NotUnderstood, IndexError):
                self.not_understood += 1
        else:
            self.expression(first, end, values)

    def matching(self, at):
        return self.reader.match[at]

    def until(self, at, wanted):
        """The first token with such a text that is not inside brackets."""
        while self.tokens[at].text not in wanted:
            at = self.matching(at) + 1 if self.tokens[at].text in '([{' else at + 1
        return at

    def statements(self, at, end):
        while at < end:
            at = self.statement(at, False)

    def statement(self, at, under_if):
        """Takes one statement; yields where the next starts."""
        word = self.tokens[at].text
        if word == '{':
            self.statements(at + 1, self.matching(at))
            return self.matching(at) + 1
        if word == ';':
            return at + 1
        if word in ('if', 'while', 'switch', 'for'):
            close = self.matching(at + 1)
            self.head(word, at + 2, close)
            at = self.statement(close + 1, word == 'if')
            if word == 'if' and self.tokens[at].text == 'else':
                at = self.statement(at + 1, True)
            return at
        if word == 'do':
            at = self.statement(at + 1, False)
            close = self.matching(at + 1)
            self.expression(at + 2, close, [0])
            return close + 2
        if word in ('case', 'default'):
            return self.until(at, ':') + 1
        if word in ('break', 'continue', 'goto'):
            return self.until(at, ';') + 1
        if self.tokens[at + 1].text == ':' and self.tokens[at].kind == 'name':
            return at + 2
        end = self.until(at, ';')
        if word == 'return':
            self.returned(at + 1, end, under_if)
        elif self.is_declaration(at, end):
            self.declaration(at, end)
        else:
            self.plain(at, end)
        return end + 1

    def head(self, word, first, close):
        if word == 'switch':
            self.expression(first, close)
        elif word == 'for':
            middle = self.until(first, ';')
            last = self.until(middle + 1, ';')
            if self.is_declaration(first, middle):
                self.declaration(first, middle)
            else:
                self.expression(first, middle)
            self.expression(middle + 1, last, [0])
            self.expression(last + 1, close)
        else:
            self.expression(first, close, [1, 0] if word == 'if' else [0])

    def returned(self, first, end, under_if):
        if first == end:
            return
        text = self.text(first, end)
        rejects = bool(REJECTS.match(text))
        if self.returns == 'bool':
            self.expression(first, end, [] if rejects and under_if else [1] if rejects else [1, 0])
            return
        self.expression(first, end)
        if self.returns == 'Verdict':
            if text != 'VERDICT_ACCEPTED' and not (rejects and under_if):
                self.change(first, end, 'VERDICT_ACCEPTED')
        elif self.returns.endswith('*'):
            if text != 'NULL':
                self.change(first, end, 'NULL')
        elif re.match(r'\w+$', self.returns) and text != '0':
            self.change(first, end, f'({self.returns}){{0}}', '{0}')

    def is_declaration(self, at, end):
        words = [t.text for t in self.tokens[at:min(end, at + 4)]]
        if not words:
            return False
        if words[0] in QUALIFIERS or words[0] == '_Static_assert':
            return True
        if len(words) < 2 or self.tokens[at].kind != 'name':
            return False
        if words[0] == 'VEC' and words[1] == '(':
            return True
        rest = at + 1
        while self.tokens[rest].text in ('*', 'const'):
            rest += 1
        return is_type_name(words[0]) and self.tokens[rest].kind == 'name' and rest < end

    def declaration(self, first, end):
        words = [t.text for t in self.tokens[first:end]]
        if words[0] in ('static', 'enum', 'extern', 'typedef', '_Static_assert'):
            return
        truth = [1, 0] if 'bool' in words[:2] and '*' not in words[:4] else []
        while first < end:
            stop = min(self.until_or(first, end, ','), end)
            equals = self.until_or(first, stop, '=')
            if equals < stop:
                self.initializer(equals + 1, stop, truth)
            first = stop + 1

    def until_or(self, at, end, wanted):
        while at < end and self.tokens[at].text != wanted:
            at = self.matching(at) + 1 if self.tokens[at].text in '([{' else at + 1
        return min(at, end)

    def plain(self, first, end):
        """A call, an assignment, an increment: done or not done. What frees memory has no other effect."""
        text = self.text(first, end)
        if not re.match(r'assert\b|\(void\)|va_(start|end|copy)\b|\w+_free \(|free \(|fclose \(|_Exit|abort|exit', text):
            self.change(first, end + 1, '', '', True)
        tree = self.expression(first, end)
        if tree and tree.op == '=' and self.text(tree.parts[1].first, tree.parts[1].end) in ('true', 'false'):
            self.decide(tree.parts[1], [1, 0])


class Expressions:
    """A parser by precedence; a bracket that holds a type is a cast."""

    def __init__(self, tokens, at, end):
        self.tokens, self.at, self.end = tokens, at, end

    def peek(self):
        return self.tokens[self.at].text if self.at < self.end else ''

    def take(self, text=None):
        if self.at >= self.end or (text and self.tokens[self.at].text != text):
            raise NotUnderstood
        self.at += 1
        return self.tokens[self.at - 1]

    def comma(self):
        first = self.at
        parts = [self.assignment()]
        while self.peek() == ',':
            self.take()
            parts.append(self.assignment())
        return parts[0] if len(parts) == 1 else Tree(',', parts, first, self.at)

    def assignment(self):
        first = self.at
        left = self.conditional()
        if self.peek() in ASSIGN:
            op = self.take().text
            right = self.assignment()
            # The place that is assigned to must stay a place; its indices may change.
            return Tree('=' if op == '=' else 'op=', [Tree('place', left.parts, left.first, left.end), right], first,
                        self.at)
        return left

    def conditional(self):
        first = self.at
        test = self.binary(0)
        if self.peek() != '?':
            return test
        self.take()
        yes = self.comma()
        self.take(':')
        no = self.assignment()
        return Tree('?', [test, yes, no], first, self.at)

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        first = self.at
        left = self.binary(level + 1)
        while LEVEL.get(self.peek()) == level:
            op = self.take().text
            right = self.binary(level + 1)
            left = Tree(op, [left, right], first, self.at)
        return left

    def type_in_brackets(self):
        """Where the bracket at hand closes if it holds a type, else None."""
        at, seen = self.at + 1, False
        while at < self.end and self.tokens[at].text != ')':
            text = self.tokens[at].text
            if is_type_name(text):
                seen = True
            elif text not in QUALIFIERS and text != '*' and not (
                    self.tokens[at - 1].text in ('struct', 'enum', 'union')):
                if not (seen and text in '[]') and self.tokens[at].kind != 'number':
                    return None
            at += 1
        return at if seen else None

    def unary(self):
        first = self.at
        text = self.peek()
        if text in ('!', '-', '~', '+'):
            self.take()
            return Tree('prefix' + text, [self.unary()], first, self.at)
        if text in ('*', '&', '++', '--'):
            self.take()
            inner = self.unary()
            return Tree('place', inner.parts, first, self.at)
        if text == 'sizeof':
            self.take()
            close = self.type_in_brackets() if self.peek() == '(' else None
            if close:
                self.at = close + 1
            else:
                self.unary()
            return Tree('opaque', [], first, self.at)
        if text == '(':
            close = self.type_in_brackets()
            if close:
                self.at = close + 1
                if self.peek() == '{':
                    return self.postfix(first, [self.braces()])
                return Tree('cast', [self.unary()], first, self.at)
        return self.postfix(first, None)

    def braces(self):
        first = self.at
        self.take('{')
        parts = []
        while self.peek() != '}':
            while self.peek() in ('.', '['):
                if self.take().text == '[':
                    while self.take().text != ']':
                        pass
                else:
                    self.take()
            if self.peek() == '=':
                self.take()
            parts.append(self.braces() if self.peek() == '{' else self.assignment())
            if self.peek() != '}':
                self.take(',')
        self.take('}')
        return Tree('braces', parts, first, self.at)

    def postfix(self, first, parts):
        op = 'place'
        if parts is None:
            parts, op = self.primary()
        while True:
            text = self.peek()
            if text == '[':
                self.take()
                parts = parts + [self.comma()]
                self.take(']')
                op = 'place'
            elif text == '(':
                name = self.tokens[self.at - 1].text
                parts = parts + self.arguments(name)
                op = 'call'
            elif text in ('.', '->'):
                self.take()
                if self.take().kind != 'name':
                    raise NotUnderstood
                op = 'place'
            elif text in ('++', '--'):
                self.take()
                op = 'place'
            else:
                return Tree(op, parts, first, self.at)

    def arguments(self, name):
        close, depth = self.at, 0
        while True:
            depth += {'(': 1, ')': -1}.get(self.tokens[close].text, 0)
            if depth == 0:
                break
            close += 1
        self.take('(')
        parts = []
        while self.at < close:
            begin = self.at
            try:
                if name in UNEVALUATED:
                    raise NotUnderstood
                parts.append(self.braces() if self.peek() == '{' else self.assignment())
                if self.at != close and self.peek() != ',':
                    raise NotUnderstood
            except NotUnderstood:  # a type, perhaps
                self.at, depth = begin, 0
                while self.at < close and (depth or self.peek() != ','):
                    depth += {'(': 1, '{': 1, '[': 1, ')': -1, '}': -1, ']': -1}.get(self.peek(), 0)
                    self.at += 1
            if self.at < close:
                self.take(',')
        self.take(')')
        return parts

    def primary(self):
        token = self.take()
        if token.text == '(':
            inner = self.comma()
            self.take(')')
            return [inner], 'brackets'
        if token.kind == 'number':
            return [], 'number'
        if token.kind == 'string' or (token.kind == 'name' and self.at < self.end and
                                      self.tokens[self.at].kind == 'string'):
            while self.at < self.end and self.tokens[self.at].kind in ('string', 'name'):
                self.take()
            return [], 'string'
        if token.kind in ('name', 'character'):
            return [], 'name'
        raise NotUnderstood


class Source:
    """A file, its functions, and the text with its points in it."""

    def __init__(self, name, source):
        self.name, self.source = name, source
        self.tokens = tokens_of(source)
        self.match = self.matches()
        self.functions = list(self.find_functions())
        self.points = []
        for function in self.functions:
            for key in sorted(function.points, key=lambda k: (k[0], -k[1])):
                point = function.points[key]
                if point.variants:
                    point.function = function.name
                    point.line = source.count('\n', 0, point.start) + 1
                    self.points.append(point)

    def matches(self):
        open_at, match = [], {}
        for i, token in enumerate(self.tokens):
            if token.kind != 'sign':
                continue
            if token.text in '([{':
                open_at.append(i)
            elif token.text in ')]}' and open_at:
                match[open_at.pop()] = i
        return match

    def find_functions(self):
        at, header = 0, 0
        opens = {close: open_at for open_at, close in self.match.items()}
        while at < len(self.tokens):
            text = self.tokens[at].text
            if text == '{' and at and self.tokens[at - 1].text == ')':
                bracket = opens[at - 1]
                name = self.tokens[bracket - 1]
                if name.kind == 'name' and bracket - 1 > header:
                    yield Function(self, name.text, self.tokens[header:bracket - 1], at, self.match[at])
            at = self.match[at] + 1 if text in ('(', '[', '{') else at + 1
            if text in (';', '{'):
                header = at

    def instrumented(self, dropped):
        """The text in which the numbered points not dropped are put in; lines stay where they are."""
        points = [p for p in self.points if p.number is not None and p.number not in dropped]
        points.sort(key=lambda p: (p.start, -p.end, not p.statement))
        out, self._next = [], 0
        self.render(points, 0, len(self.source), out)
        return ''.join(out)

    def render(self, points, start, end, out):
        at = start
        while self._next < len(points) and points[self._next].start < end:
            point = points[self._next]
            self._next += 1
            out.append(self.source[at:point.start])
            if point.statement:
                out.append(f'if (gate_mutant({point.number})) {{}} else ')
                self.render(points, point.start, point.end, out)
            else:
                choice = f'({point.variants[-1].new})'
                for i in range(len(point.variants) - 2, -1, -1):
                    choice = f'(gate_mutant_variant == {i} ? ({point.variants[i].new}) : {choice})'
                needs = {variant.needs: variant.new for variant in point.variants}
                saw = f'gate_mutant_saw({point.number}, ' if FALSE in needs or TRUE in needs else ''
                near = ''
                if NEAR in needs:
                    old = ' '.join(t.text for t in tokens_of(self.source[point.start:point.end]))
                    near = f'gate_mutant_near({point.number}, ({old}) != ({needs[NEAR]})), '
                out.append(f'(gate_mutant({point.number}) ? {choice} : ({near}{saw}(')
                self.render(points, point.start, point.end, out)
                out.append(') != 0)))' if saw else ')))')
            at = point.end
        out.append(self.source[at:end])
