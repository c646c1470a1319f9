// What stands in the blocks of a drawing: rows of a view, and where they go. No elements here.
//
// A block has a title, the rows of its part of the text, then what floats (Sea of Nodes: in the last region in which it could be placed) and
// what is said of it (gated SSA: conditions of a loop or an end). A merge with several arguments that does not fit on a line has a line for each
// argument. In a picture of a difference, rows that are gone stand struck out where they were, and blocks that are gone are dashed, with their old edges.

export const graphSizes = { line: 17, title: 21, foot: 4, side: 9, character: 7.25, widest: 66, narrowest: 14 };

// Arguments of a merge: [start, end] of each in the text; none if it is not one.
export function graphArguments(text) {
    const open = /(?:^|= )(?:phi|gamma|mu|eta)\b[^(]*\(/.exec(text);
    if (!open) return [];
    const found = [];
    let depth = 0, start = open.index + open[0].length;
    for (let i = start; i < text.length; i++) {
        const c = text[i];
        if (c === "(" || c === "[") depth++;
        else if ((c === ")" || c === "]") && depth > 0) depth--;
        else if (c === ")") {
            if (i > start) found.push([start, i]);
            return found;
        } else if (c === "," && depth === 0) {
            found.push([start, i]);
            start = i + 2;
        }
    }
    return found;
}

// For each argument of a merge the blocks whose edges choose it, or null.
export function graphChoices(view, position, blockOfNode) {
    const row = view.rows[position], spans = graphArguments(row.text), gates = view.gates.get(position);
    if (gates) return spans.map((_, i) => gates[Math.min(i, gates.length - 1)]?.preds ?? null);
    return spans.map(([a, b]) => {
        const node = /^(\d+):/.exec(row.text.slice(a, b));
        const block = node ? blockOfNode.get(Number(node[1])) : undefined;
        return block === undefined ? null : [block];
    });
}

// The lines that a row takes: [{ start, end, argument }] in its text.
function graphLines(row) {
    const spans = row.kind === "m" ? graphArguments(row.text) : [];
    const whole = { start: 0, end: row.text.length, argument: -1 };
    if (spans.length < 2 || row.text.length <= graphSizes.widest - 10) return [whole];
    const lines = [{ start: 0, end: spans[0][0], argument: -1 }];
    spans.forEach(([a, b], i) => {
        const end = i + 1 < spans.length ? b + 1 : row.text.length, value = row.text.lastIndexOf(": ", b) + 2;
        // A gate that leaves no room for its value has a line of its own.
        if (end - a > graphSizes.widest - 4 && value > a + 2) lines.push({ start: a, end: value, argument: i }, { start: value, end, argument: i, deeper: true });
        else lines.push({ start: a, end, argument: i });
    });
    return lines;
}

function graphNewBlock(index, key, ghost) {
    return { index, key, ghost, title: "", titleRow: -1, items: [], succs: [], how: [], rank: Infinity, width: 0, height: 0, mark: null, number: -1 };
}

function graphAddRow(block, row, position, part, mark) {
    const lines = part === "note" || part === "head" ? [{ start: 0, end: row.text.length, argument: -1 }] : graphLines(row);
    const item = { row, position, part, mark, lines, removed: mark === "removed" };
    block.items.push(item);
    if (row.id >= 0 && part === "row" && row.id < block.rank) block.rank = row.id;
    return item;
}

// Which block has which node, and which block a row is in.
export function graphPlaces(view) {
    const blockOfNode = new Map(), blockOfRow = new Int32Array(view.rows.length).fill(-1);
    view.blocks.forEach((block, b) => {
        for (let p = block.first; p < block.end; p++) {
            blockOfRow[p] = b;
            if (view.rows[p].node >= 0 && !blockOfNode.has(view.rows[p].node)) blockOfNode.set(view.rows[p].node, b);
        }
    });
    return { blockOfNode, blockOfRow };
}

function graphTitle(view, block, index) {
    const first = view.rows[block.first];
    if (first?.kind === "l") return first.text.replace(/:$/, "");
    return first && first.node >= 0 ? String(first.node) : `block ${index}`;
}

function graphFill(view, marks) {
    const places = graphPlaces(view);
    const blocks = view.blocks.map((block, index) => {
        const made = graphNewBlock(index, block.key, false);
        made.title = graphTitle(view, block, index);
        made.succs = [...block.succs];
        made.how = [...block.how];
        for (let p = block.first; p < block.end; p++) {
            if (p === block.first && view.rows[p].kind === "l") made.titleRow = p;
            else graphAddRow(made, view.rows[p], p, "row", marks.get(view.rows[p].key) ?? null);
        }
        return made;
    });
    const start = view.blocks[0]?.first ?? 0, heads = [];
    for (let p = 0; p < start; p++) if (view.rows[p].kind === "h") heads.push(p);
    if (blocks.length) {
        const rows = blocks[0].items;
        blocks[0].items = [];
        for (const p of heads.slice(0, 4)) graphAddRow(blocks[0], view.rows[p], p, "head", null);
        if (heads.length > 4) blocks[0].items.push({ row: { id: -1, kind: "h", text: `… and ${heads.length - 4} more lines of this kind`, key: "" }, position: -1, part: "head", mark: null, removed: false,
            lines: [{ start: 0, end: 60, argument: -1 }] });
        blocks[0].items.push(...rows);
    }
    for (let p = view.tail; p < view.rows.length && blocks.length; p++) graphFillTail(view, p, blocks, places, marks);
    return { blocks, places };
}

function graphFillTail(view, position, blocks, places, marks) {
    const row = view.rows[position], mark = marks.get(row.key) ?? null;
    if (row.kind === "f") graphAddRow(blocks[view.region.get(position) ?? 0] ?? blocks[0], row, position, "floating", mark);
    else if (row.kind === "p") {
        const node = /^(?:loop|end) (\d+)/.exec(row.text);
        const block = blocks[node ? places.blockOfNode.get(Number(node[1])) ?? 0 : 0];
        graphAddRow(block, row, position, "note", mark);
    }
}

// Rows of the view before that are gone.
function graphGhosts(blocks, view, before) {
    const there = new Map();
    for (const block of blocks) for (const item of block.items) there.set(item.row.key, block);
    const target = before.blocks.map((block) => {
        for (let p = block.first; p < block.end; p++) if (there.has(before.rows[p].key) && before.rows[p].kind !== "l") return there.get(before.rows[p].key);
        return null;
    });
    before.blocks.forEach((block, b) => {
        const lost = [];
        for (let p = block.first; p < block.end; p++) if (!there.has(before.rows[p].key) && before.rows[p].kind !== "l") lost.push(p);
        if (!lost.length) return;
        if (target[b]) {
            for (const p of lost) graphInsertGhost(before, block, p, there, target[b]);
            return;
        }
        const ghost = target[b] = graphNewBlock(blocks.length, `gone ${block.key}`, true);
        ghost.title = graphTitle(before, block, b);
        ghost.mark = "removed";
        for (const p of lost) graphAddRow(ghost, before.rows[p], -1, "row", "removed");
        blocks.push(ghost);
    });
    before.blocks.forEach((block, b) => {
        block.succs.forEach((to, i) => {
            const from = target[b], into = target[to];
            if (!from || !into || (!from.ghost && !into.ghost) || from.succs.includes(into.index)) return;
            from.succs.push(into.index);
            from.how.push(block.how[i] ?? "");
        });
    });
}

// After the row that was before it in its block and is still there; else at the beginning.
function graphInsertGhost(before, block, position, there, fallback) {
    const row = before.rows[position];
    let home = fallback, at = -1;
    for (let p = position - 1; p >= block.first; p--) {
        const kept = there.get(before.rows[p].key);
        if (!kept) continue;
        home = kept;
        at = kept.items.findIndex((item) => item.row.key === before.rows[p].key);
        break;
    }
    const item = graphAddRow(home, row, -1, "row", "removed");
    home.items.pop();
    if (at < 0) at = home.items.findLastIndex((one) => one.part === "head");
    home.items.splice(at + 1, 0, item);
    there.set(row.key, home);
}

function graphMeasure(block) {
    const s = graphSizes;
    let characters = Math.max(s.narrowest, Math.min(s.widest, block.title.length + 4)), height = s.title + s.foot, part = "row";
    for (const item of block.items) {
        item.y = height;
        if (item.part !== part && item.part !== "head" && item.part !== "row") item.y = height += 5;
        part = item.part;
        for (const line of item.lines) {
            const length = line.end - line.start + (line.argument >= 0 ? 3 : 0);
            characters = Math.max(characters, Math.min(length, item.part === "note" || item.part === "head" ? 46 : s.widest));
        }
        item.height = item.lines.length * s.line;
        height += item.height;
    }
    block.width = Math.ceil(characters * s.character + 2 * s.side);
    block.height = height + s.foot;
    if (block.rank === Infinity) block.rank = 1e9 + block.index;
}

// A block is marked if all of its rows are.
function graphBlockMark(block) {
    const rows = block.items.filter((item) => item.part === "row" && item.row.id >= 0);
    if (!block.ghost) block.mark = rows.length && rows.every((item) => item.mark === "added") ? "added" : null;
}

// Other marks for the same rows.
export function graphMarkAgain(content, marks) {
    for (const block of content.blocks) {
        for (const item of block.items) if (!item.removed) item.mark = marks.get(item.row.key) ?? null;
        graphBlockMark(block);
    }
}

// { blocks, places } of a view; before: the view to compare with, or null.
export function graphContent(view, marks, before) {
    if (!view?.blocks?.length) return { blocks: [], places: { blockOfNode: new Map(), blockOfRow: new Int32Array(view?.rows.length ?? 0).fill(-1) } };
    const { blocks, places } = graphFill(view, marks);
    if (before?.blocks?.length && before.form === view.form) graphGhosts(blocks, view, before);
    for (const block of blocks) {
        graphBlockMark(block);
        graphMeasure(block);
    }
    return { blocks, places };
}

// Blocks and edges that lie on ways from the immediate dominator of a join to its edges from `preds`: { blocks: Set, edges: Set of "from to" }.
export function graphPaths(view, join, preds) {
    const blocks = new Set([join]), edges = new Set(), work = [];
    const stop = view.blocks[join].idom;
    const visit = (from, to) => {
        edges.add(`${from} ${to}`);
        if (blocks.has(from)) return;
        blocks.add(from);
        if (from !== stop) work.push(from);
    };
    for (const pred of preds) visit(pred, join);
    while (work.length) {
        const block = work.pop();
        for (const from of view.blocks[block].preds) visit(from, block);
    }
    return { blocks, edges };
}
