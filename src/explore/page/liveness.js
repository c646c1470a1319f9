// Which registers are live where, from the texts of a view. For each register the way back from its uses, block by block, until it was set: as much
// work as there is to say. Works for forms in which a register is set once and for those in which it is set often.
//
// An argument of a merge is used at the end of the block from which control comes; which one that is, is said by gates or by labels.
import { graphArguments, graphChoices, graphPlaces } from "./graph_content.js";

function liveBlockFacts(view, registersOf) {
    const places = graphPlaces(view), count = view.blocks.length;
    const facts = { blockOfRow: places.blockOfRow, names: new Map(), rows: [], uses: [], atEnd: [], defs: Array.from({ length: count }, () => new Set()), exposed: Array.from({ length: count }, () => new Set()) };
    const number = (name) => {
        if (!facts.names.has(name)) {
            facts.names.set(name, facts.names.size);
            facts.uses.push([]);
        }
        return facts.names.get(name);
    };
    const merges = [];
    view.blocks.forEach((block, b) => {
        for (let p = block.first; p < block.end; p++) {
            const found = registersOf(view.rows[p].text), row = facts.rows[p] = { defs: [], uses: [] };
            for (const one of found) if (one.def) row.defs.push(number(one.name));
            if (view.rows[p].kind === "m" && !/= eta\b/.test(view.rows[p].text)) merges.push([p, b, found]);
            else for (const one of found) if (!one.def) row.uses.push(number(one.name));
            for (const r of row.uses) if (!facts.defs[b].has(r)) facts.exposed[b].add(r);
            for (const r of row.defs) facts.defs[b].add(r);
        }
    });
    for (const [p, b, found] of merges) liveMergeUses(view, p, b, found, places, facts, number);
    return facts;
}

// Of a gamma's argument only the value is used on the edge; what its gate reads is used nowhere: the branches have done that.
function liveMergeUses(view, position, block, found, places, facts, number) {
    const choices = graphChoices(view, position, places.blockOfNode);
    graphArguments(view.rows[position].text).forEach(([a, b], i) => {
        const used = found.filter((one) => !one.def && one.start >= a && one.end <= b).at(-1);
        if (!used) return;
        for (const pred of choices[i] ?? []) facts.atEnd.push([pred, number(used.name)]);
    });
}

// { names: Map name -> number, isIn(block, register), isOut(block, register), out(block): Set of registers live at its end, rows: per position { defs, uses } }
export function liveRanges(view, registersOf) {
    const facts = liveBlockFacts(view, registersOf), { blocks } = view, words = (facts.names.size + 31) >> 5;
    const bits = new Uint32Array(words * blocks.length), atEnd = blocks.map(() => null), work = [];
    const isIn = (b, r) => (bits[b * words + (r >> 5)] >>> (r & 31) & 1) === 1;
    const enter = (b, r) => {
        const at = b * words + (r >> 5), bit = 1 << (r & 31);
        if (bits[at] & bit) return;
        bits[at] |= bit;
        work.push(b, r);
    };
    facts.exposed.forEach((set, b) => {
        for (const r of set) enter(b, r);
    });
    for (const [b, r] of facts.atEnd) {
        (atEnd[b] ??= new Set()).add(r);
        if (!facts.defs[b].has(r)) enter(b, r);
    }
    while (work.length) {
        const r = work.pop(), b = work.pop();
        for (const pred of blocks[b].preds) if (!facts.defs[pred].has(r)) enter(pred, r);
    }
    const isOut = (b, r) => Boolean(atEnd[b]?.has(r)) || blocks[b].succs.some((to) => isIn(to, r));
    const out = (b) => {
        const all = new Set(atEnd[b] ?? []);
        for (const to of new Set(blocks[b].succs)) {
            for (let w = 0; w < words; w++) for (let rest = bits[to * words + w]; rest; rest &= rest - 1) all.add(w * 32 + 31 - Math.clz32(rest & -rest));
        }
        return all;
    };
    return { names: facts.names, isIn, isOut, out, rows: facts.rows };
}

// Pieces of one register's range in a block, as [first, last] positions of rows, both ends included; a row that only sets it counts.
export function livePieces(view, live, block, register) {
    const { first, end } = view.blocks[block], pieces = [];
    let alive = live.isOut(block, register), last = end - 1;
    for (let p = end - 1; p >= first; p--) {
        const row = live.rows[p];
        if (row?.defs.includes(register)) {
            pieces.push([p, alive ? last : p]);
            alive = false;
        }
        if (row?.uses.includes(register) && !alive) {
            alive = true;
            last = p;
        }
    }
    if (alive) pieces.push([first, last]);
    return pieces.reverse();
}

// How many registers are live behind each row of a block. Merges happen at once, at the beginning.
export function livePressure(view, live, block) {
    const { first, end } = view.blocks[block], result = new Array(end - first), now = live.out(block);
    for (let p = end - 1; p >= first; p--) {
        result[p - first] = now.size;
        for (const r of live.rows[p]?.defs ?? []) now.delete(r);
        for (const r of live.rows[p]?.uses ?? []) now.add(r);
    }
    return result;
}
