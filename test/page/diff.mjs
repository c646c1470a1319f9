// Differences of views: what is added, removed, changed and moved; that nodes have other numbers is no change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareViews, increasing, nodeReferences, stableText, wordDifference } from "../../src/explore/page/diff.js";
import { createModel, viewOf } from "../../src/explore/page/model.js";
import { sampleData } from "./sample.mjs";

const fn = createModel(sampleData()).pipelines[0].functions[0];
const words = (text) => text.split(/(?= )/).map((word) => ({ text: word, key: word }));

function viewOfLines(form, lines) {
    return { form, rows: lines.map(([id, node, text]) => ({ id, node, text, kind: "i", key: `i${id}` })) };
}

test("a merged line is removed, its user is changed, renumbered targets are not", () => {
    const { entries, counts } = compareViews(viewOf(fn, 0), viewOf(fn, 1));
    assert.deepEqual(counts, { added: 0, removed: 1, changed: 1, moved: 0 });
    assert.deepEqual(entries.map((entry) => entry.mark), ["", "", "removed", "changed", "", "", "", ""]);
});

test("of lines that changed places as few as possible are moved", () => {
    const before = viewOfLines("ssa", [[1, 0, "a"], [2, 1, "b"], [3, 2, "c"], [4, 3, "d"]]);
    const after = viewOfLines("ssa", [[4, 0, "d"], [1, 1, "a"], [2, 2, "b"], [3, 3, "c"]]);
    assert.deepEqual(compareViews(before, after).entries.map((entry) => entry.mark), ["moved", "", "", ""]);
});

test("removed lines stand where they were", () => {
    const before = viewOfLines("ssa", [[1, 0, "a"], [2, 1, "b"], [3, 2, "c"]]);
    const after = viewOfLines("ssa", [[1, 0, "a"], [5, 1, "x"], [3, 2, "c"]]);
    assert.deepEqual(compareViews(before, after).entries.map((entry) => `${entry.mark}${entry.row.text}`), ["a", "addedx", "removedb", "c"]);
});

test("nothing before: nothing is marked", () => {
    assert.ok(compareViews(null, viewOf(fn, 0)).entries.every((entry) => entry.mark === ""));
});

test("longest increasing subsequences, against trying all", () => {
    let seed = 7;
    const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let round = 0; round < 200; round++) {
        const numbers = [...new Set(Array.from({ length: 9 }, () => random(30)))];
        let best = 0;
        for (let mask = 0; mask < 1 << numbers.length; mask++) {
            const chosen = numbers.filter((_, i) => mask & (1 << i));
            if (chosen.every((number, i) => i === 0 || chosen[i - 1] < number)) best = Math.max(best, chosen.length);
        }
        const found = [...increasing(numbers)].sort((a, b) => a - b).map((i) => numbers[i]);
        assert.equal(found.length, best);
        assert.ok(found.every((number, i) => i === 0 || found[i - 1] < number));
    }
});

test("references to nodes in every kind of line", () => {
    const numbers = (text) => nodeReferences(text).map(([, , number]) => number);
    assert.deepEqual(numbers("%s.2 = phi(3: %s.1, 15: %s.5)"), [3, 15]);
    assert.deepEqual(numbers("m6 = phi $buf (8: m1, 11: m0)"), [8, 11]);
    assert.deepEqual(numbers("switch %n.0 { 1: 9, 5: 12, default: 1 }"), [9, 12, 1]);
    assert.deepEqual(numbers("if gt.i32 %n.0, 0 then 3 else 21"), [3, 21]);
    assert.deepEqual(numbers("region 13 from 10, 12:"), [13, 10, 12]);
    assert.deepEqual(numbers("%x = add.i32 %x, 2 -> 8"), [8]);
    assert.deepEqual(numbers("store.i32 [@g], 2"), []);
});

test("stable text names nodes by identity", () => {
    const view = viewOf(fn, 1);
    assert.equal(stableText(view, view.rows[3]), "if gt.i32 %3, 5 then #4 else #5");
    assert.equal(stableText(viewOf(fn, 0), viewOf(fn, 0).rows[4]), "if gt.i32 %3, 5 then #4 else #5");
});

test("words: what is gone, what is new, and the new line whole", () => {
    const parts = wordDifference(words("a b c d"), words("a x c d e"));
    assert.deepEqual(parts.map((part) => `${part.kind}:${part.text}`), ["same:a", "removed: b", "added: x", "same: c d", "added: e"]);
    assert.equal(parts.filter((part) => part.kind !== "removed").map((part) => part.text).join(""), "a x c d e");
});
