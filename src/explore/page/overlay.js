// What can be laid over a drawing: dominators, loops, live ranges, machine registers. An overlay adds to blocks when they are drawn (decorate), draws
// between blocks (lines), and says what its colours mean (legend).
//
// given = { view, content, picture, registersOf, final: the function as machine code in the end or null, registers: Set of those selected }
import { graphElement, graphShape } from "./graph_scene.js";
import { graphSizes } from "./graph_content.js";
import { livePieces, livePressure, liveRanges } from "./liveness.js";

const overlayTones = 12, overlayMostBars = 8;

export function overlayList(view, final) {
    const blocks = Boolean(view?.blocks?.length);
    return [
        { name: "none", label: "no overlay", enabled: true },
        { name: "dominators", label: "dominators", enabled: blocks },
        { name: "loops", label: "loops", enabled: blocks && view.blocks.some((block) => block.loop >= 0) },
        { name: "live", label: "live ranges", enabled: blocks && view.form !== "son" },
        { name: "registers", label: "machine registers", enabled: blocks && Boolean(final ?? (view.form === "mach" ? view : null)) },
    ];
}

export function createOverlay(name, given) {
    const make = { dominators: overlayDominators, loops: overlayLoops, live: overlayLive, registers: overlayRegisters }[name];
    return make && given.view?.blocks?.length ? make(given) : null;
}

// ---- Dominators: lines of the tree; what the current block dominates, and what dominates it, is tinted.

function overlayDominators({ view, picture }) {
    const depth = overlayTreeDepth(view);
    return {
        legend: [{ tone: 0, text: "dominated by the block at the cursor" }, { tone: 1, text: "dominates it" }],
        focus(drawn, current) {
            const above = new Set();
            for (let b = current; b >= 0; b = view.blocks[b]?.idom ?? -1) above.add(b);
            for (const [b, element] of drawn) {
                const dominated = b < view.blocks.length && current >= 0 && b !== current && overlayDominates(view, depth, current, b);
                element.classList.toggle("graph-dominated", dominated);
                element.classList.toggle("graph-dominator", b !== current && above.has(b));
            }
        },
        lines(group, seen) {
            view.blocks.forEach((block, b) => {
                if (block.idom < 0 || block.idom === b) return;
                const from = picture.nodes[block.idom], to = picture.nodes[b];
                if (!seen(from) && !seen(to)) return;
                const x1 = from.x + from.width - 14, y1 = from.y + from.height, x2 = to.x + to.width - 14, y2 = to.y, bend = Math.min(60, Math.abs(y2 - y1) / 2);
                graphShape("path", { class: Math.abs(y2 - y1) + Math.abs(x2 - x1) > 3000 ? "graph-tree graph-long" : "graph-tree", d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`, "data-from": block.idom, "data-to": b }, group);
            });
        },
    };
}

function overlayTreeDepth(view) {
    const depth = new Int32Array(view.blocks.length).fill(-1);
    view.blocks.forEach((_, b) => {
        const path = [];
        let at = b;
        while (at >= 0 && depth[at] < 0 && path.length <= view.blocks.length) {
            path.push(at);
            at = view.blocks[at].idom;
        }
        let above = at >= 0 ? depth[at] : -1;
        while (path.length) depth[path.pop()] = ++above;
    });
    return depth;
}

function overlayDominates(view, depth, a, b) {
    while (b >= 0 && depth[b] > depth[a]) b = view.blocks[b].idom;
    return a === b;
}

// ---- Loops: stronger tints and names.

function overlayLoops({ picture, content }) {
    const sizes = new Map();
    const sizeOf = (loop) => {
        if (!sizes.has(loop)) sizes.set(loop, picture.nodes.filter((node) => node.x >= loop.x && node.x < loop.x + loop.width && node.y >= loop.y && node.y < loop.y + loop.height).length);
        return sizes.get(loop);
    };
    const deepest = picture.loops.reduce((most, loop) => Math.max(most, loop.depth), 0);
    return {
        legend: Array.from({ length: Math.min(6, deepest) }, (_, i) => ({ loop: i, text: `depth ${i + 1}` })),
        lines(group, seen) {
            for (const loop of picture.loops) {
                if (!seen(loop)) continue;
                const count = sizeOf(loop);
                const text = graphShape("text", { class: "graph-loop-name", x: loop.x + loop.width - 10, y: loop.y + loop.height - 6, "text-anchor": "end" }, group);
                text.textContent = `loop ${content.blocks[loop.header].title} · depth ${loop.depth} · ${count} ${count === 1 ? "block" : "blocks"}`;
            }
        },
    };
}

// ---- Live ranges: bars at the right of blocks; without a selection how many registers are live behind each row.

function overlayLive({ view, registersOf, registers }) {
    const live = overlayRanges(view, registersOf);
    const chosen = [...registers].filter((name) => live.names.has(name)).slice(0, overlayMostBars);
    const itemsOf = (block, items = block.items) => new Map(items.filter((item) => item.position >= 0).map((item) => [item.position, item]));
    const bars = (element, block) => {
        const items = itemsOf(block), number = block.index;
        chosen.forEach((name, i) => {
            for (const [first, last] of livePieces(view, live, number, live.names.get(name))) {
                const top = items.get(first) ?? items.get(first + 1), bottom = items.get(last);
                if (!top || !bottom) continue;
                const bar = graphElement("div", `graph-bar graph-tone-line-${i % overlayTones}`, element);
                bar.dataset.reg = name;
                bar.title = `${name} is live`;
                bar.style.cssText = `left: calc(100% + ${3 + i * 6}px); top: ${top.y}px; height: ${bottom.y + bottom.height - top.y}px`;
            }
        });
    };
    const pressure = (element, block) => {
        const items = itemsOf(block, block.items.slice(...(block.drawn ?? []))), counts = livePressure(view, live, block.index), first = view.blocks[block.index].first;
        counts.forEach((count, i) => {
            const item = items.get(first + i);
            if (!item || !count) return;
            const bar = graphElement("div", "graph-pressure", element);
            bar.title = `${count} ${count === 1 ? "register is" : "registers are"} live behind this line`;
            bar.style.cssText = `left: calc(100% + 2px); top: ${item.y + 3}px; height: ${graphSizes.line - 6}px; width: ${Math.min(count, 16)}px`;
        });
    };
    return {
        legend: chosen.length ? chosen.map((name, i) => ({ line: i, text: name })) : [{ text: "how many registers are live behind each line; select a register to see its range" }],
        decorate: (element, block) => block.ghost || (chosen.length ? bars(element, block) : pressure(element, block)),
    };
}

const overlayKept = new WeakMap();

function overlayRanges(view, registersOf) {
    if (!overlayKept.has(view)) overlayKept.set(view, liveRanges(view, registersOf));
    return overlayKept.get(view);
}

// ---- Machine registers: a value has the colour of the register in which it is in the end.

const overlayMachine = /^(?:r[a-z0-9]+|xmm\d+|s\d+)$/;

// Identity -> the first place that its instruction sets in the end.
export function overlayPlaces(final, registersOf) {
    const places = new Map();
    for (const row of final.rows) {
        if (row.id < 0) continue;
        const set = registersOf(row.text).find((one) => one.def) ?? (/^s\d+ = /.test(row.text) ? { name: row.text.split(" ")[0] } : null);
        if (set && overlayMachine.test(set.name)) places.set(row.id, set.name);
    }
    return places;
}

// Name of a register in this view -> place, by the rows that set it. One that is set to several places has the first.
export function overlayNames(view, places, registersOf) {
    const names = new Map();
    for (const row of view.rows) {
        const place = places.get(row.id);
        for (const one of registersOf(row.text)) {
            if (overlayMachine.test(one.name)) names.set(one.name, one.name);
            else if (place && one.def && !names.has(one.name)) names.set(one.name, place);
        }
    }
    return names;
}

function overlayRegisters({ view, registersOf, final }) {
    const places = overlayPlaces(final ?? view, registersOf), names = overlayNames(view, places, registersOf);
    const order = [...new Set(names.values())].sort(overlayCompare), tone = new Map(order.map((place, i) => [place, i % overlayTones]));
    return {
        legend: order.length ? order.map((place) => ({ tone: tone.get(place), text: place })) : [{ text: "no value of this form has a machine register of its own in the end" }],
        decorate(element) {
            for (const word of element.querySelectorAll("[data-reg]")) {
                const place = names.get(word.dataset.reg);
                if (!place) continue;
                word.classList.add(`graph-tone-fill-${tone.get(place)}`);
                if (place !== word.dataset.reg) word.title = `in ${place} in the end`;
            }
        },
    };
}

const overlayOrder = "rax rcx rdx rbx rsi rdi rbp r8 r9 r10 r11 r12 r13 r14 r15".split(" ");

function overlayCompare(a, b) {
    const place = (name) => {
        const i = overlayOrder.indexOf(name);
        return i >= 0 ? i : name.startsWith("xmm") ? 100 + Number(name.slice(3)) : 200 + Number(name.slice(1));
    };
    return place(a) - place(b);
}
