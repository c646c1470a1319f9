// The layout of thousands of random graphs: what must hold of every picture.
import { test } from "node:test";
import assert from "node:assert/strict";
import { layoutGraph } from "../../src/explore/page/layout.js";
import { layoutFlow } from "../../src/explore/page/layout_flow.js";
import { randomProgram, randomMess, generator } from "./gen/graphs.mjs";

const graphs = process.env.GATE_LONG ? 3000 : 700;

function* someGraphs() {
    // In which lines would lie on each other if tracks were not sorted for it.
    yield ["mess 2797", randomMess(2797, 1 + 2797 % 25)];
    for (let seed = 0; seed < graphs; seed++) {
        yield [`program ${seed}`, randomProgram(seed, 2 + seed % 60)];
        yield [`program with gotos ${seed}`, randomProgram(seed, 2 + seed % 50, { gotos: 1 + seed % 4 })];
        yield [`mess ${seed}`, randomMess(seed, 1 + seed % 25)];
    }
}

function segments(edge) {
    const list = [], p = edge.points;
    for (let i = 0; i + 3 < p.length; i += 2) list.push([p[i], p[i + 1], p[i + 2], p[i + 3]]);
    return list;
}

const within = (value, a, b) => value > Math.min(a, b) && value < Math.max(a, b);

function passes([x1, y1, x2, y2], box) {
    return Math.max(x1, x2) > box.x && Math.min(x1, x2) < box.x + box.width && Math.max(y1, y2) > box.y && Math.min(y1, y2) < box.y + box.height;
}

test("blocks do not overlap and lie within the picture", () => {
    for (const [name, graph] of someGraphs()) {
        const { nodes, width, height } = layoutGraph(graph);
        nodes.forEach((a, i) => {
            assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= width + 1e-6 && a.y + a.height <= height + 1e-6, `${name}: block ${i} is outside`);
            assert.ok(a.width >= graph.nodes[i].width && a.height === graph.nodes[i].height, `${name}: size of block ${i}`);
            for (let k = 0; k < i; k++) {
                const b = nodes[k];
                assert.ok(a.x >= b.x + b.width + 10 || b.x >= a.x + a.width + 10 || a.y >= b.y + b.height + 10 || b.y >= a.y + a.height + 10, `${name}: blocks ${k} and ${i}`);
            }
        });
    }
});

test("each edge is drawn once, orthogonal, from the bottom of its block to the top of the other (back: to the side), and through no block", () => {
    for (const [name, graph] of someGraphs()) {
        const { nodes, edges } = layoutGraph(graph);
        const drawn = edges.map((edge) => edge.which.map((i) => `${edge.from}.${i}`)).flat().sort();
        const there = graph.succs.map((list, from) => list.map((_, i) => `${from}.${i}`)).flat().sort();
        assert.deepEqual(drawn, there, name);
        for (const edge of edges) {
            const where = `${name}: edge ${edge.from} to ${edge.to} (${edge.kind})`, p = edge.points, from = nodes[edge.from], to = nodes[edge.to];
            for (const i of edge.which) assert.equal(graph.succs[edge.from][i], edge.to, where);
            assert.ok(within(p[0], from.x, from.x + from.width) && p[1] === from.y + from.height, `${where} leaves`);
            const x = p[p.length - 2], y = p[p.length - 1];
            if (edge.back) assert.ok(x === to.x && within(y, to.y, to.y + to.height), `${where} arrives at the side`);
            else assert.ok(within(x, to.x, to.x + to.width) && y === to.y, `${where} arrives`);
            for (const s of segments(edge)) {
                assert.ok((s[0] === s[2]) !== (s[1] === s[3]), `${where}: ${s}`);
                for (const box of nodes) assert.ok(!passes(s, box), `${where} passes a block`);
            }
            if (!edge.back && edge.kind !== "outer") for (const s of segments(edge)) assert.ok(s[3] >= s[1], `${where} goes up`);
        }
    }
});

test("lines to different blocks from different blocks do not lie on each other", () => {
    for (const [name, graph] of someGraphs()) {
        const { edges } = layoutGraph(graph), lines = new Map();
        for (const edge of edges) {
            for (const s of segments(edge)) {
                const upright = s[0] === s[2], at = `${upright ? "x" : "y"}${upright ? s[0] : s[1]}`;
                const [a, b] = upright ? [s[1], s[3]] : [s[0], s[2]];
                (lines.get(at) ?? lines.set(at, []).get(at)).push({ a: Math.min(a, b), b: Math.max(a, b), edge });
            }
        }
        for (const [at, list] of lines) {
            list.forEach((one, i) => {
                for (let k = 0; k < i; k++) {
                    const other = list[k];
                    if (one.edge.to === other.edge.to && one.edge.back === other.edge.back || one.edge.from === other.edge.from) continue;
                    assert.ok(one.a >= other.b || other.a >= one.b,
                        `${name}: ${at}: ${one.edge.from} to ${one.edge.to} (${one.edge.kind}) on ${other.edge.from} to ${other.edge.to} (${other.edge.kind})`);
                }
            });
        }
    }
});

test("a loop is one rectangle with nothing else in it, indented; what follows it is below it", () => {
    for (const [name, graph] of someGraphs()) {
        const { nodes, loops, edges } = layoutGraph(graph), flow = layoutFlow(graph);
        const inside = (box, loop) => box.x >= loop.x && box.x + box.width <= loop.x + loop.width && box.y >= loop.y && box.y + box.height <= loop.y + loop.height;
        for (const loop of loops) {
            nodes.forEach((box, v) => {
                const member = flow.contains(loop.header, v);
                assert.equal(inside(box, loop), member, `${name}: block ${v} and the loop of ${loop.header}`);
                if (!member) assert.ok(box.x >= loop.x + loop.width || box.x + box.width <= loop.x || box.y >= loop.y + loop.height || box.y + box.height <= loop.y, `${name}: block ${v} is partly in the loop of ${loop.header}`);
                else assert.ok(box.x >= loop.x + 40, `${name}: block ${v} is indented in the loop of ${loop.header}`);
            });
            for (const other of loops) {
                if (other !== loop && flow.contains(loop.header, other.header)) assert.ok(other.x > loop.x && other.depth > loop.depth, `${name}: inner loop ${other.header}`);
            }
            for (const { from, to, kind, back } of edges) {
                if (back || kind === "outer" || !flow.contains(loop.header, from) || flow.contains(loop.header, to)) continue;
                assert.ok(nodes[to].y >= loop.y + loop.height, `${name}: ${to} is below the loop of ${loop.header}`);
            }
        }
    }
});

test("only ways back that lead to no dominator, and ways out of unreachable parts, go up outside", () => {
    for (const [name, graph] of someGraphs()) {
        const flow = layoutFlow(graph), { edges, nodes, unreachable } = layoutGraph(graph);
        const plain = name.startsWith("program ") && !name.includes("gotos");
        for (const edge of edges) if (plain && flow.reachable(edge.from)) assert.notEqual(edge.kind, "outer", `${name}: ${edge.from} to ${edge.to}`);
        assert.equal(unreachable, nodes.filter((_, v) => !flow.reachable(v)).length);
        const lowest = Math.max(...nodes.filter((_, v) => flow.reachable(v)).map((node) => node.y));
        nodes.forEach((node, v) => node.unreachable && assert.ok(node.y > lowest, `${name}: unreachable block ${v} is at the end`));
    }
});

// Dominators and loops by their definitions.
test("dominators and loops are those of the definition", () => {
    for (let seed = 0; seed < 300; seed++) {
        const graph = randomMess(seed, 2 + seed % 12), flow = layoutFlow(graph), count = graph.succs.length;
        const reach = (start, without) => {
            const seen = new Set(start === without ? [] : [start]), work = [...seen];
            while (work.length) for (const v of graph.succs[work.pop()]) if (v !== without && !seen.has(v)) seen.add(v), work.push(v);
            return seen;
        };
        const all = reach(0, -1);
        for (const b of all) {
            for (let a = 0; a < count; a++) if (all.has(a)) assert.equal(flow.above(a, b), a === b || !reach(0, a).has(b), `mess ${seed}: ${a} dominates ${b}`);
        }
        for (const h of all) {
            const ends = [...all].filter((u) => graph.succs[u].includes(h) && flow.above(h, u));
            assert.equal(ends.length > 0, flow.loop[h] === h, `mess ${seed}: header ${h}`);
            if (!ends.length) continue;
            for (const v of all) assert.equal(flow.contains(h, v), v === h || ends.some((end) => reach(v, h).has(end)), `mess ${seed}: ${v} in the loop of ${h}`);
        }
    }
});

test("the same graph gets the same picture", () => {
    for (let seed = 0; seed < 40; seed++) {
        assert.deepEqual(layoutGraph(randomProgram(seed, 50)), layoutGraph(randomProgram(seed, 50)));
    }
});

test("blocks stand in the order of their ranks, whatever their numbers are", () => {
    for (let seed = 0; seed < 200; seed++) {
        const graph = randomProgram(seed, 40), random = generator(seed), count = graph.nodes.length, order = graph.nodes.map((_, i) => i);
        for (let i = count - 1; i > 1; i--) {
            const k = 1 + random.below(i);
            [order[i], order[k]] = [order[k], order[i]];
        }
        const place = new Map(order.map((v, i) => [v, i]));
        const other = { nodes: order.map((v) => graph.nodes[v]), succs: order.map((v) => graph.succs[v].map((to) => place.get(to))) };
        const first = layoutGraph(graph).nodes, second = layoutGraph(other).nodes;
        first.forEach((node, v) => assert.deepEqual(second[place.get(v)], node, `program ${seed}: block ${v}`));
    }
    const three = { nodes: [0, 9, 3, 5].map((rank) => ({ width: 80, height: 40, rank })), succs: [[1, 2, 3], [], [], []] };
    const { nodes } = layoutGraph(three);
    assert.ok(nodes[2].x < nodes[3].x && nodes[3].x < nodes[1].x);
});

// A pass, as far as the layout is concerned: blocks lose or gain lines, some edges go away, a block that only goes on is merged with the next.
function afterPass(graph, names, random) {
    const nodes = graph.nodes.map((node) => ({ ...node })), succs = graph.succs.map((list) => [...list]);
    for (const node of nodes) if (random.chance(0.15)) node.height = Math.max(30, node.height - 16);
    for (let i = 0; i < 2; i++) {
        const u = random.below(succs.length);
        if (succs[u].length > 1) succs[u].splice(random.below(succs[u].length), 1);
    }
    const reached = new Set([0]), work = [0];
    while (work.length) for (const v of succs[work.pop()]) if (!reached.has(v)) reached.add(v), work.push(v);
    const kept = [...reached].sort((a, b) => a - b), place = new Map(kept.map((v, i) => [v, i]));
    return [{ nodes: kept.map((v) => nodes[v]), succs: kept.map((v) => succs[v].map((to) => place.get(to))) }, kept.map((v) => names[v])];
}

test("blocks that stay keep their order, and nearly their place", () => {
    let moved = 0, blocks = 0, swapped = 0, pairs = 0;
    for (let seed = 0; seed < 60; seed++) {
        const random = generator(seed + 1000);
        let graph = randomProgram(seed, 60), names = graph.nodes.map((_, i) => i), before = null;
        for (let step = 0; step < 8; step++) {
            const places = new Map(layoutGraph(graph).nodes.map((node, i) => [names[i], node]));
            if (before) {
                const both = [...places].filter(([name]) => before.has(name));
                for (const [name, node] of both) {
                    moved += Math.abs(node.x - before.get(name).x);
                    blocks++;
                }
                both.forEach(([name, node], i) => {
                    for (const [other, second] of both.slice(0, i)) {
                        const a = before.get(name), b = before.get(other);
                        if (a.row !== b.row || node.row !== second.row) continue;
                        pairs++;
                        if (Math.sign(a.x - b.x) !== Math.sign(node.x - second.x)) swapped++;
                    }
                });
            }
            before = places;
            [graph, names] = afterPass(graph, names, random);
        }
    }
    const average = moved / blocks;
    console.log(`# moved sideways by ${average.toFixed(1)} on average (${blocks} blocks); ${swapped} of ${pairs} pairs in a row changed sides`);
    assert.ok(average < 60, `${average}`);
    assert.ok(swapped <= pairs * 0.01, `${swapped} of ${pairs}`);
});
