"""The binding: python3 -m unittest discover -s python/tests, with python/ on PYTHONPATH."""

import re
import sys
import threading
import unittest
from pathlib import Path

import gate
from gate import _library, _version

ROOT = Path(__file__).resolve().parents[2]
MOTIVATING = ROOT / "examples" / "motivating.c"

CLAMP = """
int clamp(int x, int low, int high) {
    if (x < low) x = low;
    else if (x > high) x = high;
    return x;
}
int main(int argc, char **argv) { return clamp(argc, 2, 5); }
"""


class Header(unittest.TestCase):
    """The declarations for ctypes are those of the header."""

    def test_version(self):
        defined = re.search(r'GATECC_VERSION "(.*)"', (ROOT / "src/base/version.h").read_text()).group(1)
        api = re.search(r"GATE_API_VERSION (\d+)", (ROOT / "include/gate.h").read_text()).group(1)
        self.assertEqual(_version.VERSION, defined)
        self.assertEqual(gate.version(), defined)
        self.assertEqual(_version.API, int(api))

    def test_every_function_is_declared(self):
        header = (ROOT / "include/gate.h").read_text()
        declared = set(re.findall(r"^[^ /#\n].*?[ *](gate_[a-z0-9_]+)\(", header, re.M))
        missing = {name for name in declared - set(_library.FUNCTIONS) if not name.startswith("gate_build")}
        # What builds functions is left to C and to text; these five are reached by other ways.
        self.assertEqual(missing, {"gate_new", "gate_instruction", "gate_instruction_count", "gate_place"})
        self.assertLessEqual(set(_library.FUNCTIONS), declared)

    def test_argument_counts(self):
        header = re.sub(r"/\*.*?\*/", "", (ROOT / "include/gate.h").read_text(), flags=re.S)
        for name, (_, arguments) in _library.FUNCTIONS.items():
            text = re.search(rf"\b{name}\(([^)]*)\)", header).group(1).strip()
            self.assertEqual(len(arguments), 0 if text == "void" else text.count(",") + 1, name)

    def test_enumerations(self):
        header = (ROOT / "include/gate.h").read_text()
        for name, members, prefix in (
            ("GateForm", gate.Form, "GATE_FORM_"),
            ("GateEnd", gate.End, "GATE_"),
            ("GateNodeKind", gate.NodeKind, "GATE_"),
            ("GateMergeKind", gate.MergeKind, "GATE_"),
            ("GatePredicateKind", gate.PredicateKind, "GATE_IS_"),
            ("GateType", gate.Type, "GATE_"),
        ):
            body = re.search(r"typedef enum \{([^}]*)\} %s;" % name, header).group(1)
            names = re.findall(r"GATE_\w+", re.sub(r"/\*.*?\*/", "", body, flags=re.S))
            self.assertEqual(names, [prefix + member.name for member in members])


class Programs(unittest.TestCase):
    def test_run(self):
        with gate.open_c(MOTIVATING) as program:
            run = program.run("10")
        self.assertEqual((run.end, run.status, run.output), (gate.End.RETURNED, 0, b"f(10) = 74\n"))
        self.assertGreater(run.steps, 10)

    def test_every_form_runs_alike(self):
        for form in gate.Form:
            for optimize in (False, True):
                with gate.compile(CLAMP) as program:
                    program.convert(form, optimize)
                    self.assertEqual({function.form for function in program}, {form})
                    self.assertEqual(program.run("a", "b", "c", "d", "e", "f").status, 5, form)
                    self.assertEqual(program.run().status, 2, form)

    def test_text_is_read_again(self):
        for form in gate.Form:
            with gate.compile(CLAMP) as program:
                text = program.convert(form).text
            with gate.parse(text, form) as again:
                self.assertEqual(again.text, text)

    def test_arguments_and_includes(self):
        header = Path("part.h")
        header.write_text("#define TWO 2\n")
        text = '#include "part.h"\nint main(void) { return TWO + ONE; }'
        with gate.compile(text, "-DONE=1", "-Wall") as program:
            self.assertEqual(program.run().status, 3)
        with self.assertRaises(gate.Error) as caught:
            gate.compile(text, name="elsewhere/name.c")
        self.assertIn("elsewhere/name.c:1:10: error:", str(caught.exception))

    def test_mistakes(self):
        with self.assertRaises(gate.Error) as caught:
            gate.compile("int f(void) { return x; }", name="wrong.c")
        self.assertIn("wrong.c:1:22: error: 'x' undeclared", str(caught.exception))
        with self.assertRaises(gate.Error):
            gate.open_c("does-not-exist.c")
        with self.assertRaises(gate.Error) as caught:
            gate.compile("int f(void);", "-frobnicate")
        self.assertIn("-frobnicate", str(caught.exception))
        with gate.compile(CLAMP) as program:
            with self.assertRaises(gate.Error) as caught:
                program.convert_until("no_such_step")
        self.assertIn("there is no step 'no_such_step'", str(caught.exception))
        with gate.compile(CLAMP) as program:
            program.convert(gate.Form.MACH)
            with self.assertRaises(gate.Error) as caught:
                program.convert(gate.Form.SSA)
        self.assertIn("cannot be brought into form ssa", str(caught.exception))

    def test_closed(self):
        program = gate.compile(CLAMP)
        program.close()
        program.close()
        with self.assertRaises(ValueError):
            program.run()

    def test_wrong_steps(self):
        with gate.compile("int main(void) { int a[2]; a[0] = 1; return a[5]; }") as program:
            run = program.run()
        self.assertEqual(run.end, gate.End.WENT_WRONG)
        self.assertTrue(run.reason)
        with gate.compile("int main(void) { for (;;); }") as program:
            self.assertEqual(program.run(steps=1000).end, gate.End.RAN_OUT)

    def test_memory(self):
        gate.limit_memory(50000)
        try:
            with self.assertRaises(gate.OutOfMemory) as caught:
                gate.open_c(MOTIVATING)
            self.assertIn("out of memory", str(caught.exception))
        finally:
            gate.limit_memory(0)
        with gate.open_c(MOTIVATING) as program:
            self.assertGreater(program.memory_used, 50000)

    def test_threads(self):
        found = {}

        def work(number):
            with gate.open_c(MOTIVATING) as program:
                program.convert(gate.Form.GSA)
                found[number] = program.run(str(number)).output

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found[4], b"f(4) = 7\n")
        self.assertEqual(len(found), 4)


class Gates(unittest.TestCase):
    def test_merges(self):
        with gate.compile(CLAMP) as program:
            program.convert(gate.Form.GSA)
            merges = [str(merge) for merge in program["clamp"].merges]
            gammas = [m for m in program["clamp"].merges if m.kind == gate.MergeKind.GAMMA]
            self.assertEqual({a.predicate.kind for a in gammas[-1].arguments} & {gate.PredicateKind.UNDEFINED}, set())
        self.assertTrue(any("if x < low" in text for text in merges), merges)
        self.assertTrue(any("x_3   if x >= low" in text for text in merges), merges)

    def test_phis(self):
        with gate.compile(CLAMP) as program:
            program.convert(gate.Form.SSA)
            phis = list(program["clamp"].merges)
            self.assertEqual({phi.kind for phi in phis}, {gate.MergeKind.PHI})
            for phi in phis:
                for argument in phi.arguments:
                    self.assertIn(phi.node.index, program["clamp"][argument.predecessor].successors)

    def test_loops_and_ends(self):
        with gate.open_c(MOTIVATING) as program:
            program.convert(gate.Form.GSA)
            function = program["f"]
            (loop,) = function.loops
            self.assertEqual(str(loop.leaves), "i_2 >= n")
            self.assertTrue(str(loop.goes_on).startswith("i_2 < n"))
            self.assertEqual({m.kind for m in loop.header.merges}, {gate.MergeKind.MU})
            (end,) = function.ends
            self.assertEqual(end.node.kind, gate.NodeKind.RETURN)
            self.assertEqual(end.node.successors, ())
            for predicate in function.predicates:
                for operand in predicate.operands:
                    self.assertLess(operand.index, predicate.index)

    def test_switch(self):
        text = "int f(int x) { int y; switch (x) { case 3: y = 1; break; case 7: y = 2; break; default: y = 0; } return y; }"
        with gate.compile(text) as program:
            program.convert(gate.Form.GSA)
            conditions = {str(a.predicate) for m in program["f"].merges for a in m.arguments}
        self.assertEqual(conditions, {"x == 3", "x == 7", "x != 3 && x != 7"})

    def test_deep_predicates(self):
        # A predicate as deep as Python's stack does not go.
        depth = 120
        text = "int f(int *a) { int r = 0; %s r = 1; return r; }" % "".join(f"if (a[{i}])" for i in range(depth))
        limit = sys.getrecursionlimit()
        with gate.compile(text) as program:
            program.convert(gate.Form.GSA)
            predicates = [predicate for predicate in program["f"].predicates if predicate.operands]
            sys.setrecursionlimit(100)
            try:
                deepest = str(predicates[-1])
            finally:
                sys.setrecursionlimit(limit)
        self.assertGreater(deepest.count("0"), depth)

    def test_nodes(self):
        with gate.open_c(MOTIVATING) as program:
            function = program["main"]
            calls = [node.name for node in function if node.kind == gate.NodeKind.CALL]
            self.assertEqual(sorted(calls), ["atoi", "f", "printf"])
            places = [node.place for node in function if node.place]
            self.assertTrue(all(place[0].endswith("motivating.c") and place[1] > 0 for place in places) and places)
            self.assertEqual([str(register) for register in function.parameters], ["argc", "argv"])
            self.assertIn("f", program)
            self.assertNotIn("g", program)
            with self.assertRaises(KeyError):
                program["g"]
            with self.assertRaises(IndexError):
                function[len(function)]


class Machine(unittest.TestCase):
    def test_blocks(self):
        with gate.compile(CLAMP) as program:
            program.convert(gate.Form.MACH, optimize=True)
            blocks = list(program["clamp"].blocks)
            self.assertTrue(any("return" in block.instructions[-1] for block in blocks))
            for block in blocks:
                self.assertTrue(all(successor < len(blocks) for successor in block.successors))
            self.assertIn("clamp:", program["clamp"].assembly)
            self.assertNotIn("main:", program["clamp"].assembly)
            self.assertIn(".globl main", program.assembly)

    def test_steps(self):
        names = [step.name for step in gate.steps()]
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("tidy.2", names)
        for name in ("gsa_build", "tidy.2", "gvn", "select_code", names[-1]):
            with gate.compile(CLAMP) as program:
                program.convert_until(name)
                wanted = next(step.target for step in gate.steps() if step.name == name)
                self.assertEqual(program["clamp"].form, wanted, name)
                self.assertEqual(program.run().status, 2, name)

    def test_one_pass(self):
        with gate.compile("int f(int x) { int a = x * x; int b = x * x; return a + b; }") as program:
            program.convert(gate.Form.SSA)
            before = len(program["f"])
            self.assertEqual(program.run_pass("gvn"), 1)
            self.assertEqual(program.run_pass("gvn"), 0)
            self.assertEqual(program["f"].form, gate.Form.SSA)
            self.assertGreaterEqual(before, len(program["f"]))
            with self.assertRaises(gate.Error):
                program.run_pass("son_optimize")

    def test_certificate(self):
        with gate.open_c(MOTIVATING) as program:
            certificate = program.certify("motivating.c")
            self.assertEqual(program["f"].form, gate.Form.RTL)
        self.assertIn(b"motivating.c", certificate)


if __name__ == "__main__":
    unittest.main()
