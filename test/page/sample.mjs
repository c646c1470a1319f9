// A small page's data by hand: two pipelines with one function, in which gvn merges two additions, tidy is rejected, and a machine form follows; and a
// run of it in two forms.

const texts = [
    "function i32 @f(i32 %a) {", // 0
    "%1 = add.i32 %a, 1", // 1
    "%2 = add.i32 %a, 1", // 2
    "%3 = mul.i32 %1, %2", // 3
    "if gt.i32 %3, 5 then 4 else 5", // 4
    "return %3", // 5
    "return %a", // 6
    "}", // 7
    "%3 = mul.i32 %1, %1", // 8
    "if gt.i32 %3, 5 then 3 else 4", // 9
    "equal to %1, computed at node 0, which dominates", // 10
    "the value of node 2 differs", // 11
    "every merged pair computes the same", // 12
    "return 7", // 13
    "imull %edi, %eax", // 14
    "\tret", // 15
    "f:", // 16
];

export function sampleFunction() {
    return {
        name: "f", file: 0, line: 1, endLine: 6, texts, locs: [[], [0, 2, 13], [0, 3, 13], [0, 4, 15], [0, 5, 5], [0, 6, 5]],
        rows: {
            //   0   1  2  3  4  5  6   7  8  9 10 11 12
            id: [-1, 0, 1, 2, 3, 4, 5, -1, 2, 3, 4, 4, 5], kind: "hiiiiiieiiiii", text: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 5, 6],
            loc: [0, 1, 2, 3, 4, 4, 5, 0, 3, 4, 4, 4, 5], node: [-1, 0, 1, 2, 3, 4, 5, -1, 1, 2, 3, 3, 4],
        },
        views: [
            { form: "ssa", step: -1, order: [0, 8], blocks: [1, 5, 6], tail: 7, succs: [[1, 2], [], []], how: [["T", "F"], [], []], idom: [-1, 0, 0], loop: [-1, -1, -1], depth: [0, 0, 0] },
            { form: "ssa", step: 0, order: [0, 2, 8, 2, 11, 2, 7, 1], blocks: [1, 4, 5], tail: 6, succs: [[1, 2], [], []], how: [["T", "F"], [], []], idom: [-1, 0, 0], loop: [-1, -1, -1], depth: [0, 0, 0] },
            { form: "ssa", step: 1, rejected: true, order: [0, 2, 8, 2, 10, 1, 12, 1, 7, 1], like: 1 },
        ],
        steps: [
            { step: 0, view: 1, verdict: "accepted", established: 12, size: [6, 5], seconds: [0.001, 0.0005, 0.0005], remarks: [[1, 1, -1, 0, 2, 10]] },
            { step: 1, view: 2, verdict: "rejected", reason: 11, size: [5, 5], remarks: [] },
            { step: 2, view: 1, verdict: "unchanged", size: [5, 5], remarks: [] },
        ],
        asm: { lines: [16, 14, 15], ids: [-1, 2, 4], locs: [0, 3, 4] },
    };
}

export function sampleData() {
    return {
        format: 1, program: "gatecc", file: "f.c", command: "gate explore f.c", times: true,
        files: [{ name: "f.c", text: "int f(int a) {\n    int b = a + 1;\n    int c = a + 1;\n    if (b * c > 5)\n        return b * c;\n    return a; }\n" }],
        kinds: "removed merged folded replaced moved copied added decided inlined split form placed kept spilled".split(" "),
        passes: [{ name: "gvn", meaning: "operators computed before", from: "ssa", to: "ssa", checker: "values" }, { name: "tidy", meaning: "order", from: "ssa", to: "ssa", checker: "copies" },
            { name: "widen", meaning: "out of loops", from: "ssa", to: "ssa", checker: "motion" }],
        pipelines: [0, 1].map((index) => ({ label: `-O${index + 1}`, options: [`-O${index + 1}`],
            steps: [{ name: "gvn", pass: 0, reason: "", level: 1 }, { name: "tidy", pass: 1, reason: "", level: 1 }, { name: "widen", pass: 2, reason: "", level: 1 }], functions: [sampleFunction()], messages: [] })),
        run: { args: [], limit: 100, records: [
            { form: "ssa", step: "start", pipeline: 0, values: ["2", "4", "0"], steps: [0, 0, 0, 0, 1, 0, 0, 2, 1, 0, 3, -1, 0, 5, -1], depth: [0, 5], events: [[3, "output 4"]], end: "exit 1" },
            { form: "ssa", step: "gvn", pipeline: 0, values: ["2", "4"], steps: [0, 0, 0, 0, 2, 1, 0, 3, -1, 0, 5, -1], depth: [0, 4], events: [[2, "output 4"]], end: "exit 1" },
        ] },
    };
}
