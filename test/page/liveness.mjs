// Live ranges against a plain fixpoint over random functions, in which registers are set once or often, with phis and with gammas.
import { test } from "node:test";
import assert from "node:assert/strict";
import { liveRanges, livePieces, livePressure } from "../../src/explore/page/liveness.js";
import { randomProgram, randomMess, generator } from "./gen/graphs.mjs";

// "%a = add %b, %c": what is before " = " is set.
function registersIn(text) {
    const equals = text.indexOf(" = ");
    return [...text.matchAll(/%\w+/g)].map((match) => ({ start: match.index, end: match.index + match[0].length, name: match[0], def: match.index < equals }));
}

function randomView(seed) {
    const random = generator(seed), graph = seed % 3 ? randomProgram(seed, 4 + seed % 20) : randomMess(seed, 3 + seed % 10), rows = [], blocks = [], gates = new Map();
    const register = () => `%r${random.below(8)}`;
    graph.succs.forEach((succs, b) => blocks.push({ succs: [...new Set(succs)], preds: [], first: 0, end: 0, idom: -1, key: `b${b}` }));
    blocks.forEach((block, b) => block.succs.forEach((to) => blocks[to].preds.push(b)));
    blocks.forEach((block, b) => {
        block.first = rows.length;
        if (block.preds.length > 1 && random.chance(0.6)) {
            const gamma = random.chance(0.5), values = block.preds.map(register);
            const text = gamma ? `gamma(${values.map((value) => `eq(${register()}, 1): ${value}`).join(", ")})` : `phi(${values.map((value, i) => `${block.preds[i] * 100}: ${value}`).join(", ")})`;
            if (gamma) gates.set(rows.length, block.preds.map((pred) => ({ text: "", preds: [pred] })));
            rows.push({ id: rows.length, kind: "m", text: `${register()} = ${text}`, node: b * 100, merge: block.preds.map((pred, i) => [pred, values[i]]) });
        }
        for (let i = 1 + random.below(4); i > 0; i--) rows.push({ id: rows.length, kind: "i", node: b * 100, text: random.chance(0.7) ? `${register()} = add ${register()}, ${register()}` : `use ${register()}` });
        block.end = rows.length;
    });
    return { form: "ssa", rows, blocks, tail: rows.length, region: new Map(), gates };
}

// Behind each row: the registers that some way on reads before it sets them, by going round until nothing changes.
function fixpoint(view) {
    const behind = view.rows.map(() => new Set()), entry = view.blocks.map(() => new Set());
    const effect = (row, set) => {
        const found = registersIn(row.text);
        for (const one of found) if (one.def) set.delete(one.name);
        if (row.kind !== "m") for (const one of found) if (!one.def) set.add(one.name);
    };
    for (let changed = true; changed;) {
        changed = false;
        view.blocks.forEach((block, b) => {
            let now = new Set();
            for (const to of block.succs) {
                for (const r of entry[to]) now.add(r);
                for (let p = view.blocks[to].first; p < view.blocks[to].end; p++) for (const [pred, value] of view.rows[p].merge ?? []) if (pred === b) now.add(value);
            }
            for (let p = block.end - 1; p >= block.first; p--) {
                behind[p] = new Set(now);
                now = new Set(now);
                effect(view.rows[p], now);
            }
            if (now.size !== entry[b].size) changed = true;
            entry[b] = now;
        });
    }
    return { behind, entry };
}

test("live ranges are those of the fixpoint", () => {
    let pieces = 0;
    for (let seed = 0; seed < 600; seed++) {
        const view = randomView(seed), live = liveRanges(view, registersIn), plain = fixpoint(view);
        view.blocks.forEach((block, b) => {
            const pressure = livePressure(view, live, b);
            for (const [name, r] of live.names) {
                assert.equal(live.isIn(b, r), plain.entry[b].has(name), `${seed}: ${name} into block ${b}`);
                assert.equal(live.isOut(b, r), plain.behind[block.end - 1].has(name), `${seed}: ${name} out of block ${b}`);
                // A piece covers a row if the register is live behind it or before it, or set there.
                const covered = new Set();
                for (const [first, last] of livePieces(view, live, b, r)) for (let p = first; p <= last; p++, pieces++) covered.add(p);
                for (let p = block.first; p < block.end; p++) {
                    const before = p > block.first ? plain.behind[p - 1] : plain.entry[b];
                    const here = plain.behind[p].has(name) || before.has(name) || registersIn(view.rows[p].text).some((one) => one.def && one.name === name);
                    assert.equal(covered.has(p), here, `${seed}: ${name} at row ${p}: ${view.rows[p].text}`);
                }
            }
            for (let p = block.first; p < block.end; p++) assert.equal(pressure[p - block.first], plain.behind[p].size, `${seed}: row ${p}`);
        });
    }
    assert.ok(pieces > 1000);
});
