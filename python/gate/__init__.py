"""libgate for Python: C programs as RTL, SSA, gated SSA and machine code.

    import gate
    with gate.compile("int f(int x) { return x > 3 ? x : 3; }") as program:
        program.convert(gate.Form.GSA)
        for merge in program["f"].merges:
            print(merge)

Programs are context managers; what is reached from one (functions, nodes, merges, predicates) is a view of it as it is,
and of no use when it is closed. What fails raises gate.Error with the compiler's messages.
"""

from ._model import (
    Argument,
    Block,
    End,
    EndGate,
    Error,
    Form,
    Function,
    Loop,
    Merge,
    MergeKind,
    Node,
    NodeKind,
    OutOfMemory,
    Predicate,
    PredicateKind,
    Program,
    Register,
    Run,
    Step,
    Type,
    compile,
    limit_memory,
    open_c,
    parse,
    steps,
    version,
)
from ._version import VERSION as __version__

__all__ = [
    "Argument",
    "Block",
    "End",
    "EndGate",
    "Error",
    "Form",
    "Function",
    "Loop",
    "Merge",
    "MergeKind",
    "Node",
    "NodeKind",
    "OutOfMemory",
    "Predicate",
    "PredicateKind",
    "Program",
    "Register",
    "Run",
    "Step",
    "Type",
    "__version__",
    "compile",
    "limit_memory",
    "open_c",
    "parse",
    "steps",
    "version",
]
