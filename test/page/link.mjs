// Relatives, lives, search.
import assert from "node:assert/strict";
import { test } from "node:test";
import { historyOf, lifeOf } from "../../src/explore/page/facts.js";
import { parseTarget, placesOfRegister, relativesOf, targetKey } from "../../src/explore/page/link.js";
import { createModel, viewOf } from "../../src/explore/page/model.js";
import { searchAll } from "../../src/explore/page/search.js";
import { sampleData } from "./sample.mjs";

const model = createModel(sampleData());
const functions = model.pipelines.map((pipeline) => pipeline.functions[0]);
const [fn] = functions;

test("a line of the source: what it became, in both pipelines and in assembly", () => {
    const lit = relativesOf(functions, { type: "line", file: 0, line: 4 });
    for (const side of lit.per) {
        assert.deepEqual([...side.ids], [2]);
        assert.deepEqual([...side.assembly], [1]);
    }
});

test("an identity: its line and column, its assembly, its neighbours of the same line, the other pipeline by place", () => {
    const lit = relativesOf(functions, { type: "id", pipeline: 0, id: 3, register: "%3" });
    assert.deepEqual([...lit.per[0].ids], [3]);
    assert.ok(lit.per[0].near.has(4));
    assert.equal(lit.lines.get("0:5"), "hot");
    assert.deepEqual(lit.columns, [{ file: 0, line: 5, column: 5 }]);
    assert.deepEqual([...lit.per[0].registers], ["%3"]);
    assert.deepEqual([...lit.per[1].ids].sort(), [3, 4]);
});

test("a line of assembly leads back to the source; one without instruction only to itself", () => {
    const lit = relativesOf(functions, { type: "asm", pipeline: 0, index: 1 });
    assert.deepEqual([...lit.per[0].ids], [2]);
    assert.equal(lit.lines.get("0:4"), "hot");
    const label = relativesOf(functions, { type: "asm", pipeline: 0, index: 0 });
    assert.deepEqual([...label.per[0].assembly], [0]);
    assert.equal(label.lines.size, 0);
});

test("a register: where it is set and used", () => {
    assert.deepEqual(placesOfRegister(viewOf(fn, 0), "%3"), { defs: [3], uses: [4, 5] });
    assert.deepEqual(placesOfRegister(viewOf(fn, 0), "%none"), { defs: [], uses: [] });
});

test("targets go through the address", () => {
    for (const target of [{ type: "line", file: 2, line: 14 }, { type: "id", pipeline: 1, id: 7 }, { type: "id", pipeline: 0, id: 7, register: "%a.1" }, { type: "reg", pipeline: 0, name: "%x" },
        { type: "asm", pipeline: 0, index: 3 }]) assert.deepEqual(parseTarget(targetKey(target)), target);
    for (const text of ["", "x", "l1", "i0:abc", "zz0:1", undefined]) assert.equal(parseTarget(text), null);
});

test("the life of what was merged: born, merged with the reason", () => {
    assert.deepEqual(lifeOf(fn, 1), [0, 0]);
    assert.deepEqual(historyOf(fn, 1).map((event) => `${event.name} ${event.kind} ${event.text}`), ["start born %2 = add.i32 %a, 1", "gvn merged equal to %1, computed at node 0, which dominates"]);
});

test("the life of what was a reason, of what was written anew, of what has no more than new numbers", () => {
    assert.deepEqual(historyOf(fn, 0).map((event) => event.text)[1], "was the reason: equal to %1, computed at node 0, which dominates");
    assert.deepEqual(historyOf(fn, 2).map((event) => `${event.name} ${event.kind}`), ["start born", "gvn written", "assembly emitted"]);
    assert.deepEqual(historyOf(fn, 3).map((event) => event.kind), ["born"]);
});

test("search: steps, lines, remarks, source, assembly, functions", () => {
    const groups = (words) => searchAll(model, fn, 1, words).results.map((result) => `${result.group}: ${result.label}`);
    assert.deepEqual(groups("gvn"), ["steps: gvn"]);
    assert.deepEqual(groups("mul.i32"), ["lines: %3 = mul.i32 %1, %1", "lines: %3 = mul.i32 %1, %2"]);
    assert.deepEqual(groups("dominates"), ["remarks: merged: equal to %1, computed at node 0, which dominates"]);
    assert.deepEqual(groups("int c"), ["source: int c = a + 1;"]);
    assert.deepEqual(groups("imull"), ["assembly: imull %edi, %eax"]);
    assert.deepEqual(groups(" "), []);
    const [here, before] = searchAll(model, fn, 1, "mul.i32").results;
    assert.deepEqual([here.position, before.position], [1, 0]);
    assert.equal(searchAll(model, fn, 1, "i32", 2).more > 0, true);
});
