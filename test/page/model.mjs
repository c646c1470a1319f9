// Decoding: steps know what is before and after them, rejected ones change nothing, views keep keys, indexes find what they should.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assemblyOf, blockOfPosition, createModel, locationsIndex, positionOf, remarksOf, stepsOf, totalsOf, viewIndexAt, viewOf } from "../../src/explore/page/model.js";
import { sampleData } from "./sample.mjs";

const model = createModel(sampleData());
const fn = model.pipelines[0].functions[0];

test("steps go on from what was accepted", () => {
    const steps = stepsOf(fn);
    assert.deepEqual(steps.map((step) => [step.name, step.before, step.after, step.changed, step.rejected]), [["gvn", 0, 1, true, false], ["tidy", 1, 2, true, true], ["widen", 1, 1, false, false]]);
    assert.equal(steps[1].reason, "the value of node 2 differs");
    assert.equal(steps[0].established, "every merged pair computes the same");
});

test("positions by name, also of steps that a function has not taken", () => {
    assert.equal(positionOf(fn, "start"), 0);
    assert.equal(positionOf(fn, "tidy"), 2);
    assert.equal(positionOf(fn, "no such step"), 0);
    assert.equal(viewIndexAt(fn, 3), 1);
});

test("after a rejected way out of an excursion, the function is what it was before the excursion", () => {
    const data = sampleData();
    data.passes = [{ name: "son_build", from: "ssa", to: "son" }, { name: "son_schedule", from: "son", to: "ssa" }, { name: "widen", from: "ssa", to: "ssa" }];
    const own = data.pipelines[0].functions[0];
    own.views[1].form = "son";
    own.steps[0].verdict = "inside";
    own.steps[2].view = 0;
    const steps = stepsOf(createModel(data).pipelines[0].functions[0]);
    assert.equal(steps[2].before, 0);
    assert.equal(steps[2].changed, false);
});

test("a step that is taken again after an attempt was given up has a name of its own", () => {
    const data = sampleData();
    const own = data.pipelines[0].functions[0];
    own.steps[0].givenUp = own.steps[1].givenUp = true;
    own.steps.push({ ...own.steps[0], givenUp: undefined, before: 0 });
    const again = createModel(data).pipelines[0].functions[0];
    assert.deepEqual(stepsOf(again).map((step) => [step.key, step.name, step.givenUp]), [["gvn", "gvn", true], ["tidy", "tidy", true], ["widen", "widen", false], ["gvn~2", "gvn", false]]);
    assert.equal(positionOf(again, "gvn~2"), 4);
    assert.equal(stepsOf(again)[3].before, 0);
});

test("views: rows, blocks, predecessors, places", () => {
    const view = viewOf(fn, 0);
    assert.equal(view.rows.length, 8);
    assert.deepEqual(view.blocks.map((block) => [block.first, block.end, block.preds, block.key]), [[1, 5, [], "i0"], [5, 6, [0], "i4"], [6, 7, [0], "i5"]]);
    assert.equal(view.places.get(2), 3);
    assert.deepEqual([0, 1, 4, 5, 6, 7].map((position) => blockOfPosition(view, position)), [-1, 0, 0, 1, 2, -1]);
    assert.equal(viewOf(fn, 0), view);
    const rejected = viewOf(fn, 2);
    assert.equal(rejected.rejected, true);
    assert.equal(rejected.blocks.length, 3);
    assert.equal(rejected.rows[4].text, "return 7");
});

test("keys are the same in all views and unique in each", () => {
    for (const index of [0, 1, 2]) assert.equal(new Set(viewOf(fn, index).rows.map((row) => row.key)).size, viewOf(fn, index).rows.length);
    assert.equal(viewOf(fn, 0).rows[3].key, viewOf(fn, 1).rows[2].key);
});

test("places in the source, assembly, remarks, totals", () => {
    assert.deepEqual([...locationsIndex(fn).ids.get("0:4")], [2]);
    assert.deepEqual([...locationsIndex(fn).ids.get("0:5")], [3, 4]);
    assert.deepEqual(assemblyOf(fn).map((line) => [line.text, line.id]), [["f:", -1], ["imull %edi, %eax", 2], ["\tret", 4]]);
    const [remark] = remarksOf(fn, stepsOf(fn)[0]);
    assert.deepEqual([remark.kind, remark.before, remark.other, remark.loc.line], ["merged", 1, 0, 3]);
    assert.deepEqual(totalsOf(fn), { changed: 2, rejected: 1, seconds: [0.001, 0.0005, 0.0005], sizeBefore: 6, sizeAfter: 5 });
});
