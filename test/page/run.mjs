// Recorded runs: values at every step in both directions, frames of calls, events, two forms in lock step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createModel } from "../../src/explore/page/model.js";
import { alignRecords, decodeRecord, eventsUntil, nextPair, pairedStep, recordLabel, rowOfStep, stateAt } from "../../src/explore/page/run.js";
import { sampleData } from "./sample.mjs";

const model = createModel(sampleData());
const values = (state) => state.frames.at(-1) && Object.fromEntries([...state.frames.at(-1).registers].map(([name, { value }]) => [name, value]));

test("registers after each step", () => {
    const record = decodeRecord(model, 0);
    assert.equal(record.count, 5);
    assert.deepEqual(stateAt(record, 0).frames, []);
    assert.deepEqual(values(stateAt(record, 3)), { "%1": "2", "%2": "2", "%3": "4" });
    assert.deepEqual(values(stateAt(record, 1)), { "%1": "2" });
    assert.equal(rowOfStep(record, 2).text, "%3 = mul.i32 %1, %2");
    assert.equal(recordLabel(record), "ssa at the start");
    assert.equal(recordLabel(decodeRecord(model, 1)), "ssa after gvn");
});

test("events up to a step", () => {
    const record = decodeRecord(model, 0);
    assert.deepEqual([0, 3, 4, 5].map((step) => eventsUntil(record, step)), [0, 0, 1, 1]);
});

test("frames come and go with the depth; states that are kept do not differ from ones made anew", () => {
    const data = sampleData();
    const count = 5000;
    const steps = [], depth = [];
    for (let i = 0; i < count; i++) {
        steps.push(0, i % 3, i % 2);
        depth.push(i % 7 < 3 ? 1 : 2, 1);
    }
    data.run.records = [{ form: "ssa", step: "start", values: ["a", "b"], steps, depth, events: [], end: "" }];
    const record = decodeRecord(createModel(data), 0);
    const fresh = decodeRecord(createModel(data), 0);
    stateAt(record, count);
    for (const step of [4999, 1001, 1000, 999, 3, 2500, 0]) {
        fresh.states.length = 0;
        const expected = stateAt(fresh, step), found = stateAt(record, step);
        assert.deepEqual(found, expected);
        if (step) assert.equal(found.frames.length, (step - 1) % 7 < 3 ? 1 : 2);
    }
});

test("two forms in lock step: by events, and by identities between them", () => {
    const [a, b] = [decodeRecord(model, 0), decodeRecord(model, 1)];
    const pairs = alignRecords(a, b);
    assert.deepEqual(pairs, [[0, 0], [2, 1], [3, 2], [4, 3]]);
    assert.deepEqual(pairedStep(pairs, 0, 1), { step: 0, exact: false });
    assert.deepEqual(pairedStep(pairs, 0, 2), { step: 1, exact: true });
    assert.deepEqual(pairedStep(pairs, 1, 3), { step: 4, exact: true });
    assert.deepEqual([nextPair(pairs, 0, 0, 1), nextPair(pairs, 0, 2, -1), nextPair(pairs, 0, 4, 1), nextPair(pairs, 0, -1, 1)], [2, 0, null, 0]);
});

test("several events of one step are one pair", () => {
    const twice = (record) => ({ ...record, events: record.events.flatMap((event) => [event, [event[0], "more"]]) });
    assert.deepEqual(alignRecords(twice(decodeRecord(model, 0)), twice(decodeRecord(model, 1))), [[0, 0], [2, 1], [3, 2], [4, 3]]);
});

test("forms of different pipelines meet only at events", () => {
    const [a, b] = [decodeRecord(model, 0), { ...decodeRecord(model, 1), pipeline: 1 }];
    assert.deepEqual(alignRecords(a, b), [[3, 2]]);
});
