"""Programs and what they are made of, over the C library."""

from __future__ import annotations

import ctypes
import enum
import os
from dataclasses import dataclass
from types import TracebackType
from typing import Iterator, List, Optional, Sequence, Tuple, Type as Class, Union

from . import _library as c
from ._library import lib


class Error(Exception):
    """A call that failed; its text is what the compiler says."""


class OutOfMemory(Error, MemoryError):
    """A call that lacked memory. The program can only be closed."""


class Form(enum.IntEnum):
    """The forms of a program, in the order in which passes lead to them; nothing leads back from the last three."""

    RTL = 0
    SSA = 1
    SON = 2
    GSA = 3
    MACH = 4
    FSSA = 5
    MACH0 = 6


class Type(enum.IntEnum):
    VOID = 0
    I32 = 1
    I64 = 2
    F32 = 3
    F64 = 4
    F80 = 5


class End(enum.IntEnum):
    """How a run ended."""

    RETURNED = 0
    ABORTED = 1
    TRAPPED = 2
    WENT_WRONG = 3
    RAN_OUT = 4


class NodeKind(enum.IntEnum):
    NOP = 0
    OP = 1
    LOAD = 2
    STORE = 3
    CALL = 4
    BRANCH = 5
    SWITCH = 6
    RETURN = 7
    CHECK = 8
    BUILTIN = 9


class MergeKind(enum.IntEnum):
    PHI = 0
    MU = 1
    GAMMA = 2
    ETA = 3


class PredicateKind(enum.IntEnum):
    FALSE = 0
    TRUE = 1
    UNDEFINED = 2
    CONDITION = 3
    CASE = 4
    AND = 5
    OR = 6


def _text(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""


def _words(arguments: Sequence[str]) -> ctypes.Array:
    return (ctypes.c_char_p * (len(arguments) + 1))(*[os.fsencode(a) for a in arguments])


@dataclass(frozen=True)
class Step:
    """A step of the pipeline: a run of a pass."""

    name: str
    pass_name: str
    meaning: str
    reason: str
    source: Form
    target: Form
    level: int


def version() -> str:
    """The version of the library."""
    return _text(lib.gate_version().text)


def limit_memory(size: int) -> None:
    """Programs that this thread opens from now on may have so many bytes each; 0: no limit."""
    lib.gate_limit_memory(size)


def steps() -> List[Step]:
    """The steps of the pipeline, in their order."""
    result = []
    for index in range(lib.gate_step_count()):
        step = c.CStep()
        lib.gate_step(index, ctypes.byref(step))
        name = _text(step.pass_)
        result.append(
            Step(
                name=f"{name}.{step.run}" if step.run > 1 else name,
                pass_name=name,
                meaning=_text(step.meaning),
                reason=_text(step.reason),
                source=Form(step.from_),
                target=Form(step.to),
                level=step.level,
            )
        )
    return result


@dataclass(frozen=True)
class Run:
    """What running a program came to."""

    end: End
    status: int
    steps: int
    output: bytes
    reason: str


@dataclass(frozen=True)
class Register:
    """A register of a function; its text is x, x_2 for the second value of x, t7 if it has no name."""

    number: int
    name: str
    index: int
    version: int
    type: Type

    def __str__(self) -> str:
        parts = [self.name] if self.name else [f"t{self.index}"]
        if self.name and self.index:
            parts.append(str(self.index))
        if self.version > 0:
            parts.append(str(self.version))
        return "_".join(parts)


_COMPARISONS = {
    "eq": ("==", "!="),
    "ne": ("!=", "=="),
    "lt": ("<", ">="),
    "le": ("<=", ">"),
    "gt": (">", "<="),
    "ge": (">=", "<"),
}


class Predicate:
    """A predicate of a function in gated SSA. Its text is C, over the function's values."""

    def __init__(self, function: "Function", index: int) -> None:
        self.function = function
        self.index = index
        self._c = c.CPredicate()
        if not lib.gate_predicate(function.program._handle, function.index, index, ctypes.byref(self._c)):
            raise IndexError(f"{function.name} has no predicate {index}")

    @property
    def kind(self) -> PredicateKind:
        return PredicateKind(self._c.kind)

    @property
    def operands(self) -> Tuple["Predicate", ...]:
        """The two of AND and OR; none of others."""
        if self.kind not in (PredicateKind.AND, PredicateKind.OR):
            return ()
        return (Predicate(self.function, self._c.first), Predicate(self.function, self._c.second))

    @property
    def registers(self) -> Tuple[Register, ...]:
        """Those that a condition or a case is about."""
        return tuple(self.function.register(self._c.arguments[i]) for i in range(self._c.argument_count))

    def _condition(self) -> str:
        op, _, rest = _text(self._c.op).partition(".")
        operands = [str(register) for register in self.registers]
        if self._c.has_immediate:
            operands.append(str(self._c.immediate))
        unsigned = op.startswith("u") and op[1:] in _COMPARISONS
        symbols = _COMPARISONS.get(op[1:] if unsigned else op)
        if symbols is None or len(operands) != 2 or (self._c.negated and rest.startswith("f")):
            sign = "!" if self._c.negated else ""
            return f"{sign}{_text(self._c.op)}({', '.join(operands)})"
        left = f"(unsigned){operands[0]}" if unsigned else operands[0]
        return f"{left} {symbols[self._c.negated]} {operands[1]}"

    def _case(self) -> str:
        register = self.registers[0]
        if not self._c.is_default:
            return f"{register} {'!=' if self._c.negated else '=='} {self._c.value}"
        values = self._c.cases[: self._c.case_count]
        text = " && ".join(f"{register} != {value}" for value in values) or "1"
        return f"!({text})" if self._c.negated else text

    def _leaf(self) -> str:
        kind = self.kind
        if kind == PredicateKind.CONDITION:
            return self._condition()
        if kind == PredicateKind.CASE:
            return self._case()
        return {PredicateKind.FALSE: "0", PredicateKind.TRUE: "1"}.get(kind, "undefined")

    def __str__(self) -> str:
        # Predicates may be deep: no recursion. What is on the stack is a text, or a predicate with what is around it.
        parts: List[str] = []
        stack: List[Union[str, Tuple[Predicate, PredicateKind]]] = [(self, self.kind)]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            predicate, around = item
            if not predicate.operands:
                parts.append(predicate._leaf())
                continue
            first, second = predicate.operands
            brackets = predicate.kind != around
            sign = " && " if predicate.kind == PredicateKind.AND else " || "
            if brackets:
                stack.append(")")
            stack += [(second, predicate.kind), sign, (first, predicate.kind)]
            if brackets:
                stack.append("(")
        return "".join(parts)

    def __repr__(self) -> str:
        return f"<gate.Predicate {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Predicate) and (self.function, self.index) == (other.function, other.index)

    def __hash__(self) -> int:
        return hash((self.function, self.index))


@dataclass(frozen=True)
class Argument:
    """A value that a merge may have: from a predecessor (phi, mu), or under a predicate (gamma, eta)."""

    register: Register
    predecessor: Optional[int]
    predicate: Optional[Predicate]


@dataclass(frozen=True)
class Merge:
    """A phi, mu, gamma or eta: `dest` is one of its arguments."""

    kind: MergeKind
    node: "Node"
    dest: Register
    arguments: Tuple[Argument, ...]

    def __str__(self) -> str:
        lines = [f"{self.dest} is"]
        for number, argument in enumerate(self.arguments):
            if self.kind == MergeKind.MU:
                when = "in the next iteration" if number else "when the loop is entered"
            elif self.kind == MergeKind.ETA:
                when = f"when the loop is left, as {argument.predicate}"
            elif self.kind == MergeKind.GAMMA:
                when = f"if {argument.predicate}"
            else:
                when = f"from node {argument.predecessor}"
            lines.append(f"    {argument.register}   {when}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Loop:
    """When an iteration of a loop leaves it, and when it goes on, as seen from its header."""

    header: "Node"
    leaves: Predicate
    goes_on: Predicate


@dataclass(frozen=True)
class EndGate:
    """When a function comes to a node without successors."""

    node: "Node"
    predicate: Predicate


class Node:
    """An instruction of a function, with what merges before it."""

    def __init__(self, function: "Function", index: int) -> None:
        self.function = function
        self.index = index
        self._c = c.CNode()
        if not lib.gate_node(function.program._handle, function.index, index, ctypes.byref(self._c)):
            raise IndexError(f"{function.name} has no node {index}")

    @property
    def kind(self) -> NodeKind:
        return NodeKind(self._c.kind)

    @property
    def op(self) -> str:
        """The operator as the text form has it, "add.i32"; "" if there is none."""
        return _text(self._c.op)

    @property
    def name(self) -> str:
        """The function that is called, or the symbol that is addressed; "" if there is none."""
        return _text(self._c.name)

    @property
    def dest(self) -> Optional[Register]:
        return None if self._c.dest == c.NONE else self.function.register(self._c.dest)

    @property
    def arguments(self) -> Tuple[Register, ...]:
        return tuple(self.function.register(self._c.arguments[i]) for i in range(self._c.argument_count))

    @property
    def immediate(self) -> Optional[int]:
        return self._c.immediate if self._c.has_immediate else None

    @property
    def successors(self) -> Tuple[int, ...]:
        return tuple(self._c.successors[i] for i in range(self._c.successor_count))

    @property
    def cases(self) -> Tuple[int, ...]:
        """The values that a switch tells apart; its successors are the default's and one for each."""
        if self.kind != NodeKind.SWITCH:
            return ()
        return tuple(self._c.cases[i] for i in range(self._c.successor_count - 1))

    @property
    def place(self) -> Optional[Tuple[str, int, int]]:
        """File, line and column that it comes from."""
        return (_text(self._c.file), self._c.line, self._c.column) if self._c.file else None

    @property
    def merges(self) -> Tuple[Merge, ...]:
        handle, function = self.function.program._handle, self.function.index
        result = []
        for number in range(lib.gate_merge_count(handle, function, self.index)):
            merge = c.CMerge()
            lib.gate_merge(handle, function, self.index, number, ctypes.byref(merge))
            arguments = []
            for which in range(merge.argument_count):
                argument = c.CArgument()
                lib.gate_argument(handle, function, self.index, number, which, ctypes.byref(argument))
                arguments.append(
                    Argument(
                        register=self.function.register(argument.reg),
                        predecessor=None if argument.predecessor == c.NONE else argument.predecessor,
                        predicate=None
                        if argument.predicate == c.NONE
                        else Predicate(self.function, argument.predicate),
                    )
                )
            result.append(Merge(MergeKind(merge.kind), self, self.function.register(merge.dest), tuple(arguments)))
        return tuple(result)

    def __str__(self) -> str:
        return self.function._site(self.index)

    def __repr__(self) -> str:
        return f"<gate.Node {self.index} of {self.function.name}: {self}>"


@dataclass(frozen=True)
class Block:
    """A basic block of machine code: its instructions as text, and the blocks that may follow."""

    index: int
    instructions: Tuple[str, ...]
    successors: Tuple[int, ...]


class Function:
    """A function of a program, in whatever form it is now."""

    def __init__(self, program: "Program", index: int) -> None:
        self.program = program
        self.index = index

    @property
    def name(self) -> str:
        return _text(lib.gate_function_name(self.program._handle, self.index))

    @property
    def form(self) -> Form:
        return Form(lib.gate_function_form(self.program._handle, self.index))

    def register(self, number: int) -> Register:
        info = c.CRegister()
        if not lib.gate_register(self.program._handle, self.index, number, ctypes.byref(info)):
            raise IndexError(f"{self.name} has no register {number}")
        return Register(number, _text(info.name), info.number, info.version, Type(info.type))

    @property
    def registers(self) -> Iterator[Register]:
        for number in range(lib.gate_register_count(self.program._handle, self.index)):
            yield self.register(number)

    @property
    def parameters(self) -> Tuple[Register, ...]:
        handle = self.program._handle
        count = lib.gate_parameter_count(handle, self.index)
        return tuple(self.register(lib.gate_parameter(handle, self.index, i)) for i in range(count))

    def __len__(self) -> int:
        """The number of nodes."""
        return lib.gate_node_count(self.program._handle, self.index)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: int) -> Node:
        return Node(self, index)

    def __iter__(self) -> Iterator[Node]:
        for index in range(len(self)):
            yield Node(self, index)

    @property
    def nodes(self) -> Iterator[Node]:
        return iter(self)

    @property
    def merges(self) -> Iterator[Merge]:
        """The merges of all nodes."""
        for node in self:
            yield from node.merges

    @property
    def predicates(self) -> Iterator[Predicate]:
        """The table of predicates, in which each stands once, operands first."""
        for index in range(lib.gate_predicate_count(self.program._handle, self.index)):
            yield Predicate(self, index)

    @property
    def loops(self) -> Iterator[Loop]:
        for index in range(lib.gate_loop_count(self.program._handle, self.index)):
            loop = c.CLoop()
            lib.gate_loop(self.program._handle, self.index, index, ctypes.byref(loop))
            yield Loop(Node(self, loop.header), Predicate(self, loop.leaves), Predicate(self, loop.goes_on))

    @property
    def ends(self) -> Iterator[EndGate]:
        for index in range(lib.gate_end_count(self.program._handle, self.index)):
            end = c.CEnd()
            lib.gate_end(self.program._handle, self.index, index, ctypes.byref(end))
            yield EndGate(Node(self, end.node), Predicate(self, end.predicate))

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks of a function in the machine form."""
        for index in range(lib.gate_block_count(self.program._handle, self.index)):
            block = c.CBlock()
            lib.gate_block(self.program._handle, self.index, index, ctypes.byref(block))
            instructions = tuple(self._site(block.first + i) for i in range(block.count))
            yield Block(index, instructions, tuple(block.successors[i] for i in range(block.successor_count)))

    @property
    def assembly(self) -> str:
        """Assembler text of a function in the machine form."""
        length = ctypes.c_size_t()
        text = lib.gate_function_assembly(self.program._handle, self.index, ctypes.byref(length))
        self.program._check(text is not None)
        return _text(text)

    def _site(self, site: int) -> str:
        return _text(lib.gate_site_text(self.program._handle, self.index, site))

    def __repr__(self) -> str:
        return f"<gate.Function {self.name} in {self.form.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self.program is other.program and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self.program), self.index))


class Program:
    """A program; use open_c, compile or parse to make one."""

    def __init__(self, handle: int) -> None:
        self._open: Optional[int] = handle
        try:
            self._check(True)
        except Error:
            self.close()
            raise

    @property
    def _handle(self) -> int:
        if self._open is None:
            raise ValueError("the program is closed")
        return self._open

    def _check(self, good: bool) -> None:
        if good and lib.gate_good(self._handle):
            return
        text = self.messages.rstrip("\n")
        raise OutOfMemory(text) if lib.gate_out_of_memory(self._handle) else Error(text or "the call failed")

    def close(self) -> None:
        if self._open is not None:
            lib.gate_close(self._open)
            self._open = None

    def __enter__(self) -> "Program":
        return self

    def __exit__(
        self, kind: Optional[Class[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_open", None) is not None:
            self.close()

    @property
    def messages(self) -> str:
        """What the compiler had to say so far, warnings too."""
        return _text(lib.gate_messages(self._handle))

    @property
    def memory_used(self) -> int:
        return lib.gate_memory_used(self._handle)

    def convert(self, form: Form, optimize: bool = False) -> "Program":
        """Takes every function to a form, each pass checked."""
        self._check(lib.gate_convert(self._handle, form, optimize))
        return self

    def convert_until(self, step: str, level: int = 1) -> "Program":
        """Runs the steps of gatecc at a level, up to the one that is named, with it."""
        self._check(lib.gate_convert_until(self._handle, step.encode(), level))
        return self

    def run_pass(self, name: str) -> int:
        """Runs one pass; how many functions it has changed."""
        changed = ctypes.c_uint32()
        self._check(lib.gate_run_pass(self._handle, name.encode(), ctypes.byref(changed)))
        return changed.value

    def verify(self) -> None:
        self._check(lib.gate_verify(self._handle))

    @property
    def text(self) -> str:
        """The program as text, which parse reads again."""
        text = _text(lib.gate_text(self._handle))
        self._check(True)
        return text

    @property
    def assembly(self) -> str:
        """Assembler text of a program in the machine form."""
        length = ctypes.c_size_t()
        text = lib.gate_assembly(self._handle, ctypes.byref(length))
        self._check(text is not None)
        return _text(text)

    def run(self, *arguments: str, steps: int = 0) -> Run:
        """Runs main by the interpreter, with arguments behind the program's name; so many steps, 0 for no limit."""
        result = c.CRun()
        words = ("program",) + arguments
        good = lib.gate_run_main(self._handle, _words(words), len(words), steps, ctypes.byref(result))
        self._check(good)
        output = ctypes.string_at(result.output, result.output_length) if result.output else b""
        return Run(End(result.end), result.status, result.steps, output, _text(result.reason))

    def certify(self, source: str = "") -> bytes:
        """The certificate that takes the program, which is in RTL, through all passes; gatecheck checks it."""
        length = ctypes.c_size_t()
        text = lib.gate_certify(self._handle, os.fsencode(source), ctypes.byref(length))
        self._check(bool(text))
        return ctypes.string_at(text, length.value)

    def __len__(self) -> int:
        """The number of functions."""
        return lib.gate_function_count(self._handle)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Function]:
        for index in range(len(self)):
            yield Function(self, index)

    @property
    def functions(self) -> Iterator[Function]:
        return iter(self)

    def __getitem__(self, name: str) -> Function:
        index = lib.gate_function_named(self._handle, name.encode())
        if index == c.NONE:
            raise KeyError(name)
        return Function(self, index)

    def __contains__(self, name: str) -> bool:
        return lib.gate_function_named(self._handle, name.encode()) != c.NONE


def open_c(path: Union[str, "os.PathLike[str]"], *arguments: str) -> Program:
    """The program in a C file. The arguments are those of a compiler: -I, -D, -std=, -W and so on."""
    return Program(lib.gate_open_c(os.fsencode(path), _words(arguments), len(arguments)))


def compile(text: str, *arguments: str, name: str = "input.c") -> Program:
    """The program in a C text; #include "..." is looked for beside the name."""
    data = text.encode()
    return Program(lib.gate_open_c_text(os.fsencode(name), data, len(data), _words(arguments), len(arguments)))


def parse(text: str, form: Form, name: str = "input") -> Program:
    """A program in a text form, verified."""
    data = text.encode()
    return Program(lib.gate_open_text(form, os.fsencode(name), data, len(data)))
