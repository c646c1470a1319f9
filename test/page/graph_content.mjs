// What stands in blocks: arguments of merges, floating operators, what is gone, the ways that an argument chooses, places in the end.
import { test } from "node:test";
import assert from "node:assert/strict";
import { graphArguments, graphChoices, graphContent, graphMarkAgain, graphPaths, graphPlaces } from "../../src/explore/page/graph_content.js";
import { graphRegisterUses } from "../../src/explore/page/graph.js";
import { overlayList, overlayNames, overlayPlaces } from "../../src/explore/page/overlay.js";
import { registersOf } from "../../src/explore/page/tokens.js";

const pieces = (text) => graphArguments(text).map(([a, b]) => text.slice(a, b));

test("arguments of merges", () => {
    assert.deepEqual(pieces("%a = phi(1: %b, 7: %c)"), ["1: %b", "7: %c"]);
    assert.deepEqual(pieces("m2 = phi rest (12: m1, 28: m3)"), ["12: m1", "28: m3"]);
    assert.deepEqual(pieces("%a = gamma(gt.i32(%x, 1) & (%p | !lt(%x, %y)): %b, !gt.i32(%x, 1): %c)"), ["gt.i32(%x, 1) & (%p | !lt(%x, %y)): %b", "!gt.i32(%x, 1): %c"]);
    assert.deepEqual(pieces("%a = mu(%b, %c)"), ["%b", "%c"]);
    assert.deepEqual(pieces("%a = call @phi(%b)"), []);
    assert.deepEqual(pieces("%a = add.i32 %b, %c"), []);
});

// Lines as [kind, id, node, text]; blocks as [first, succs].
function makeView(form, lines, blocks, more = {}) {
    const rows = lines.map(([kind, id, node, text]) => ({ kind, id, node, text, key: id >= 0 ? `i${id}` : `t${text}` }));
    const made = blocks.map(([first, succs, idom], i) => ({ first, end: blocks[i + 1]?.[0] ?? more.tail ?? rows.length, succs, how: succs.map((_, k) => succs.length > 1 ? "TF"[k] : ""), preds: [], idom: idom ?? -1, loop: -1, depth: 0 }));
    made.forEach((block, b) => {
        for (const to of block.succs) made[to].preds.push(b);
        block.key = `i${rows[block.first].id}`;
    });
    return { key: "0/0/0", form, rows, blocks: made, tail: more.tail ?? rows.length, region: new Map(more.region ?? []), gates: new Map(more.gates ?? []) };
}

const diamond = makeView("gsa", [
    ["h", -1, -1, "function i32 @f(i32 %x) {"], ["i", 0, 0, "if gt.i32 %x, 1 then 1 else 2"], ["i", 1, 1, "%b = const.i32 1"], ["i", 2, 2, "%c = const.i32 2"],
    ["m", 3, 3, "%a = gamma(gt.i32(%x, 1): %b, !gt.i32(%x, 1): %c)"], ["i", 4, 3, "return %a"], ["p", -1, -1, "end 3: true"], ["e", -1, -1, "}"],
], [[1, [1, 2]], [2, [3], 0], [3, [3], 0], [4, [], 0]], { tail: 6, gates: [[4, [{ text: "gt.i32(%x, 1)", preds: [1] }, { text: "!gt.i32(%x, 1)", preds: [2] }]]] });

test("each argument knows the edges that choose it, from gates or from labels", () => {
    const { blockOfNode } = graphPlaces(diamond);
    assert.deepEqual(graphChoices(diamond, 4, blockOfNode), [[1], [2]]);
    const phi = { ...diamond, gates: new Map(), rows: diamond.rows.map((row, i) => i === 4 ? { ...row, text: "%a = phi(1: %b, 2: %c)" } : row) };
    assert.deepEqual(graphChoices(phi, 4, blockOfNode), [[1], [2]]);
});

test("the ways of an argument begin at the immediate dominator and end at the join", () => {
    const { blocks, edges } = graphPaths(diamond, 3, [1]);
    assert.deepEqual([...blocks].sort(), [0, 1, 3]);
    assert.deepEqual([...edges].sort(), ["0 1", "1 3"]);
    // 0 -> 1 -> 2 or 3 -> 4, and back from 4 to 1: what is above the dominator is no part of it, a loop below it is.
    const blocks4 = [[0, [1]], [1, [2, 3], 0], [2, [2, 4], 1], [3, [4], 1], [4, [1], 1]];
    const view = makeView("gsa", blocks4.map((_, i) => ["i", i, i, `node ${i}`]), blocks4), found = graphPaths(view, 4, [2]);
    assert.deepEqual([...found.blocks].sort(), [1, 2, 4]);
    assert.deepEqual([...found.edges].sort(), ["1 2", "2 2", "2 4"]);
});

test("rows go to their blocks: heads to the entry, conditions to the block they speak of, floating operators to their regions", () => {
    const { blocks } = graphContent(diamond, new Map([["i1", "added"]]), null);
    assert.deepEqual(blocks.map((block) => block.items.map((item) => item.row.text)), [["function i32 @f(i32 %x) {", "if gt.i32 %x, 1 then 1 else 2"], ["%b = const.i32 1"], ["%c = const.i32 2"],
        ["%a = gamma(gt.i32(%x, 1): %b, !gt.i32(%x, 1): %c)", "return %a", "end 3: true"]]);
    assert.equal(blocks[1].mark, "added");
    assert.equal(blocks[2].mark, null);
    assert.deepEqual(blocks.map((block) => block.rank), [0, 1, 2, 3]);
    const son = makeView("son", [["l", -1, -1, "region 0:"], ["i", 1, 0, "return %a"], ["h", -1, -1, "floating:"], ["f", 0, -1, "%a = const.i32 1"], ["e", -1, -1, "}"]], [[0, []]], { tail: 2, region: [[3, 0]] });
    const made = graphContent(son, new Map(), null).blocks;
    assert.equal(made[0].title, "region 0");
    assert.deepEqual(made[0].items.map((item) => [item.part, item.position]), [["row", 1], ["floating", 3]]);
});

test("rows do not overlap and end within their block; a long merge has a line for each argument", () => {
    const long = `%a = gamma(${"gt.i32(%x, 1) & ".repeat(3)}gt.i32(%y, 2): %b, !gt.i32(%x, 1): %c)`;
    const view = { ...diamond, rows: diamond.rows.map((row, i) => i === 4 ? { ...row, text: long } : row) };
    for (const block of graphContent(view, new Map(), null).blocks) {
        let bottom = 0;
        for (const item of block.items) {
            assert.ok(item.y >= bottom);
            bottom = item.y + item.height;
            assert.equal(item.lines.map((line) => item.row.text.slice(line.start, line.end)).join("").replaceAll(" ", ""), item.row.text.replaceAll(" ", ""));
        }
        assert.ok(bottom <= block.height);
    }
    assert.ok(graphContent(view, new Map(), null).blocks[3].items[0].lines.length >= 3);
});

test("what is gone: rows where they were, blocks with their old edges", () => {
    const before = makeView("rtl", [["i", 0, 0, "%a = const.i32 1"], ["i", 1, 1, "%b = const.i32 2"], ["i", 2, 2, "if %a then 3 else 4"], ["i", 3, 3, "call @f()"], ["i", 4, 4, "return %a"]], [[0, [1, 2]], [3, [2], 0], [4, [], 0]]);
    const after = makeView("rtl", [["i", 0, 0, "%a = const.i32 1"], ["i", 5, 1, "nop"], ["i", 4, 2, "return %a"]], [[0, [1]], [2, [], 0]]);
    const { blocks } = graphContent(after, new Map([["i5", "added"]]), before);
    assert.deepEqual(blocks[0].items.map((item) => [item.row.id, item.removed]), [[0, false], [1, true], [2, true], [5, false]]);
    assert.equal(blocks.length, 3);
    assert.ok(blocks[2].ghost);
    assert.deepEqual(blocks[2].items.map((item) => item.row.id), [3]);
    assert.deepEqual(blocks[0].succs, [1, 2], "the old edge to the block that is gone");
    assert.deepEqual(blocks[2].succs, [1]);
    graphMarkAgain({ blocks }, new Map([["i0", "changed"]]));
    assert.deepEqual(blocks[0].items.map((item) => item.mark), ["changed", "removed", "removed", null]);
    assert.equal(graphContent({ ...after, form: "ssa" }, new Map(), before).blocks.length, 2, "not between forms");
});

test("registers are found where they are set and used", () => {
    const content = graphContent(diamond, new Map(), null);
    assert.deepEqual(graphRegisterUses(content, "%b", registersOf), { defs: [[1, 0]], uses: [[3, 0]] });
    assert.deepEqual(graphRegisterUses(content, "%a", registersOf), { defs: [[3, 0]], uses: [[3, 1]] });
    assert.deepEqual(graphRegisterUses(content, "%", registersOf), { defs: [], uses: [] });
});

test("a value has the place of the instruction that it is in the end", () => {
    const final = makeView("mach", [["l", -1, -1, "b0:"], ["i", 1, 0, "rax = const.i32 1"], ["i", 2, 1, "s0 = move i64 rcx"], ["i", 4, 2, "return rax"]], [[0, []]]);
    const places = overlayPlaces(final, registersOf);
    assert.deepEqual([...places], [[1, "rax"], [2, "s0"]]);
    assert.deepEqual([...overlayNames(diamond, places, registersOf)], [["%b", "rax"], ["%c", "s0"]]);
    const names = (view, end) => overlayList(view, end).filter((one) => one.enabled).map((one) => one.name);
    assert.deepEqual(names(diamond, null), ["none", "dominators", "live"]);
    assert.deepEqual(names(diamond, final), ["none", "dominators", "live", "registers"]);
    assert.deepEqual(names(null, null), ["none"]);
});
