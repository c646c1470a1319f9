// The data of a page with one function of many blocks, made up: a random program with four rows in each block.
import { randomProgram } from "../../page/gen/graphs.mjs";

export function largeData(count) {
    const { succs } = randomProgram(7, count), texts = [], rows = { id: [], kind: "", text: [], loc: [], node: [] }, blocks = [];
    const add = (text) => {
        rows.id.push(rows.id.length);
        rows.kind += "i";
        rows.text.push(texts.push(text) - 1);
        rows.loc.push(0);
        rows.node.push(rows.node.length);
    };
    succs.forEach((list, b) => {
        blocks.push(rows.id.length);
        for (let i = 0; i < 3; i++) add(`%${b}.${i} = add.i32 %${Math.max(0, b - 1)}.${i}, ${i}`);
        add(list.length ? `if lt.i32 %${b}.0, ${b} then ${list.join(" else ")}` : `return %${b}.0`);
    });
    const view = { form: "ssa", step: -1, order: [0, rows.id.length], blocks, tail: rows.id.length, succs, how: succs.map((list) => list.length === 2 ? ["T", "F"] : list.map((_, i) => list.length > 2 ? String(i) : "")),
        idom: succs.map((_, i) => i - 1), loop: succs.map(() => -1), depth: succs.map(() => 0) };
    return JSON.stringify({ format: 1, file: "large.c", command: "", files: [], passes: [], forms: [], pipelines: [{ label: "", options: [], steps: [], functions: [{ name: "large", file: 0, line: 1, texts, locs: [[]], rows, views: [view], steps: [] }] }] });
}
