// Which way edges take. An edge leaves a block at its bottom and arrives at the top of another, by vertical lines in columns that are free and
// horizontal lines in channels, where no blocks are.
//
//   drop   nothing is in the way below the block: straight down to the channel above the target
//   lane   through the channel below the block to the lane of the target, at the left of the levels that are passed
//   exit   out of a loop: to a lane at the right of the outermost loop that is left, down to the channel below it, and on from there
//   comb   of a switch: one line out of the block, from which all ways to children branch off
//   back   to the lane at the left of the loop, up, and into the header from the left
//   outer  what does not fit (ways back into the middle, out of unreachable parts): by lanes at the left of everything
//
// Lines that lead to the same block share a lane and a track of a channel; lines to different blocks never lie on each other: lanes at the left and ports into blocks, ports
// out of blocks that turn, and lanes at the right have columns of their own (10, 0 and 15 modulo 20), and what meets in a channel is kept apart by the order of tracks.
import { layoutUnit, layoutPort } from "./layout_boxes.js";

const layoutNever = 0x3fffffff, layoutCombFrom = 5, layoutMostSorted = 16, layoutAside = 15;

function layoutLoopLeft(flow, u, v) {
    let left = -1;
    for (let at = flow.loop[u]; at >= 0 && !flow.contains(at, v); at = flow.outer[at]) left = at;
    return left;
}

function layoutKindOf(flow, boxes, u, v, s) {
    const { row, clear, loopEnd } = boxes;
    if (flow.loop[v] === v && flow.above(v, u)) return "back";
    if (row[v] <= row[u]) return "outer";
    if (flow.succs[u].length >= layoutCombFrom && boxes.owner[v] === u && boxes.frame[v] === 2 * u) return "comb";
    if (clear[u] >= row[v]) return "drop";
    if (s < 0) return "outer";
    const left = layoutLoopLeft(flow, u, v);
    if (left < 0 || loopEnd[left] === row[u] + 1) return "lane";
    return loopEnd[left] <= row[v] ? "exit" : "outer";
}

// Edges with their kinds, and who needs lanes: per target the first level that its lane passes, per loop the exits, per switch the last level of its comb.
export function layoutEdges(flow, boxes) {
    const size = flow.count + 1, edges = [];
    const need = { start: new Int32Array(size).fill(layoutNever), comb: new Int32Array(size), exits: new Map(), outer: new Map() };
    boxes.crossings((u, v, s) => {
        const edge = { from: u, to: v, kind: layoutKindOf(flow, boxes, u, v, s), left: -1, through: false, index: 0 };
        edges.push(edge);
        if (edge.kind === "comb") need.comb[u] = Math.max(need.comb[u], boxes.level[v]);
        if (edge.kind === "outer") {
            const span = need.outer.get(v) ?? [layoutNever, -1];
            need.outer.set(v, [Math.min(span[0], boxes.row[v], boxes.row[u]), Math.max(span[1], boxes.row[u] + 1, boxes.row[v])]);
        }
        if (edge.kind === "exit") {
            edge.left = layoutLoopLeft(flow, u, v);
            edge.through = boxes.loopEnd[edge.left] < boxes.row[v];
            const exits = need.exits.get(edge.left) ?? need.exits.set(edge.left, new Map()).get(edge.left);
            exits.set(v, Math.min(exits.get(v) ?? layoutNever, boxes.row[u] + 1));
        }
        if (edge.kind === "lane" || edge.through) {
            const from = s !== boxes.owner[v] && boxes.frame[s] === boxes.frame[v] ? boxes.level[s] : 0;
            need.start[v] = Math.min(need.start[v], from);
        }
    });
    return { edges, need };
}

// Lanes of frames, from the last level to the first: those of later levels are further left. The first block of a level has the lane right above its port.
export function layoutLanes(flow, boxes, need) {
    const size = flow.count + 1;
    const lanes = { lane: new Int32Array(size), comb: new Int32Array(size), indent: [], rights: new Int32Array(size), right: new Map(), outer: new Map() };
    boxes.frames.forEach((levels, f) => {
        if (!levels) return;
        const indent = lanes.indent[f] = new Int32Array(levels.length), stack = [], owner = f >> 1;
        for (let k = levels.length - 1; k >= 0; k--) {
            while (stack.length && stack[stack.length - 1].start > k) stack.pop();
            const base = stack.length ? stack[stack.length - 1].index + 1 : 0;
            let next = base;
            indent[k] = base;
            levels[k].forEach((v, i) => {
                if (i) next = Math.max(next, base + 1);
                if (need.start[v] === layoutNever) return;
                lanes.lane[v] = next;
                stack.push({ index: next++, start: need.start[v] });
            });
            if (!(f & 1) && k > 0 && need.comb[owner] === k) {
                lanes.comb[owner] = Math.max(next, base + 1);
                stack.push({ index: lanes.comb[owner], start: 0 });
            }
        }
    });
    for (const [header, exits] of need.exits) {
        const sorted = [...exits].sort((a, b) => b[1] - a[1] || boxes.level[a[0]] - boxes.level[b[0]] || boxes.place[a[0]] - boxes.place[b[0]]);
        sorted.forEach(([v], i) => lanes.right.set(header * size + v, i));
        lanes.rights[header] = sorted.length;
    }
    layoutOuterLanes(need.outer, lanes.outer);
    return lanes;
}

// Intervals into as few lanes as the first that fits; of very many lanes only the last are tried.
function layoutOuterLanes(spans, lanes) {
    const ends = [];
    for (const [v, [first, last]] of [...spans].sort((a, b) => a[1][0] - b[1][0] || a[0] - b[0])) {
        let i = Math.max(0, ends.length - 64);
        while (i < ends.length && ends[i] >= first) i++;
        ends[i] = last;
        lanes.set(v, i);
    }
}

// Places on the bottom of a block: straight above where the line goes if that is possible, else between the columns of lanes.
function layoutPorts(x, width, list) {
    const taken = new Set();
    const free = (from, step) => {
        let at = from;
        while (taken.has(at) && at + step > x && at + step < x + width) at += step;
        return at;
    };
    list.sort((a, b) => a.wish - b.wish || a.edge.to - b.edge.to);
    for (const one of list) {
        one.straight = one.wish > x && one.wish < x + width && !taken.has(one.wish);
        if (one.straight) taken.add(one.port = one.wish);
    }
    // At each side the line that turns first, in the highest track, is the outermost.
    const turns = (one) => one.edge.kind === "back" ? 0 : one.edge.kind === "drop" ? 2 : 1;
    const rest = list.filter((one) => !one.straight).sort((a, b) => turns(a) - turns(b));
    for (const one of rest) if (one.wish < x + width / 2) taken.add(one.port = free(x + layoutUnit, layoutUnit));
    rest.sort((a, b) => turns(a) - turns(b) || b.wish - a.wish);
    for (const one of rest) if (one.wish >= x + width / 2) taken.add(one.port = free(x + width - layoutUnit, -layoutUnit));
}

// The x to which each edge turns, hop by hop: [channel, net, x]. Nets: 3 t to block t, 3 t + 1 comb of t, 3 t + 2 back to t.
export function layoutHops(flow, boxes, lanes, columns, edges) {
    const { row, loopEnd, frame } = boxes, { x, left, frameWide } = columns, size = flow.count + 1;
    const inPort = (v) => x[v] + layoutPort;
    const base = (f) => (f & 1 ? left[f >> 1] : x[f >> 1]) + layoutPort;
    const laneOf = (v) => base(frame[v]) + lanes.lane[v] * layoutUnit;
    const ways = {
        drop: ({ to }) => [[row[to], 3 * to, inPort(to)]],
        lane: ({ from, to }) => [[row[from] + 1, 3 * to, laneOf(to)], [row[to], 3 * to, inPort(to)]],
        back: ({ from, to }) => [[row[from] + 1, 3 * to + 2, left[to] + layoutPort]],
        outer: ({ from, to }) => [[row[from] + 1, 3 * to, -layoutPort - layoutUnit * lanes.outer.get(to)], [row[to], 3 * to, inPort(to)]],
        comb: ({ from, to }) => {
            if (row[to] === row[from] + 1) return [[row[to], 3 * from + 1, inPort(to)]];
            return [[row[from] + 1, 3 * from + 1, base(2 * from) + lanes.comb[from] * layoutUnit], [row[to], 3 * from + 1, inPort(to)]];
        },
        exit: ({ from, to, left: loop, through }) => {
            const right = left[loop] + frameWide[loop] + layoutAside + lanes.right.get(loop * size + to) * layoutUnit;
            const hops = [[row[from] + 1, 3 * to, right], [loopEnd[loop], 3 * to, through ? laneOf(to) : inPort(to)]];
            if (through) hops.push([row[to], 3 * to, inPort(to)]);
            return hops;
        },
    };
    const outs = new Map();
    for (const edge of edges) {
        edge.hops = ways[edge.kind](edge);
        const list = outs.get(edge.from) ?? outs.set(edge.from, []).get(edge.from);
        list.push({ edge, wish: edge.hops[0][2], port: 0 });
    }
    for (const [u, list] of outs) {
        const width = columns.blockWidth(u), combs = list.filter((one) => one.edge.kind === "comb");
        const ports = combs.length ? [{ edge: combs[0].edge, wish: x[u], port: 0 }, ...list.filter((one) => one.edge.kind !== "comb")] : list;
        layoutPorts(x[u], width, ports);
        for (const one of combs) one.port = ports.find((p) => p.edge === combs[0].edge).port;
        for (const one of list) one.edge.port = one.port;
    }
}

// Horizontal lines by channel: one for each net. From the top: those that go back up, those that leave blocks, those that arrive. A column in which one line
// ends and another begins then has the end above the beginning.
export function layoutTracks(flow, boxes, edges) {
    const channels = Array.from({ length: boxes.rows + 1 }, () => ({ nets: new Map(), returning: 0, departing: 0, arriving: 0 }));
    for (const edge of edges) {
        let at = edge.port;
        for (const [channel, net, to] of edge.hops) {
            if (to !== at) {
                const { nets } = channels[channel], order = net % 3 === 2 ? 0 : net % 3 === 0 && boxes.row[net / 3] === channel ? 2 : 1;
                const line = nets.get(net) ?? nets.set(net, { a: at, b: at, track: 0, order, above: [], below: [] }).get(net);
                line.a = Math.min(line.a, at, to);
                line.b = Math.max(line.b, at, to);
                line.above.push(at);
                (order ? line.below : line.above).push(to);
            }
            at = to;
        }
    }
    for (const channel of channels) {
        const lines = [...channel.nets.values()].sort((one, other) => one.a - other.a || other.b - one.b);
        let tracks = 0;
        for (const order of [0, 1, 2]) {
            const group = lines.filter((line) => line.order === order), more = layoutPack(group);
            if (more > 1 && more <= layoutMostSorted && group.length <= 4 * layoutMostSorted) layoutSortTracks(group, more);
            for (const line of group) line.track += tracks;
            tracks += more;
            channel[["returning", "departing", "arriving"][order]] = more;
        }
        channel.tracks = tracks;
    }
    return channels;
}

// Tracks in an order with fewer crossings: neighbours change places as long as that helps. A line crosses what comes from above to lines below it, and what leaves
// downward from lines above it; where the upper one goes down in the column in which the lower one comes, they would lie on each other.
function layoutSortTracks(group, count) {
    const tracks = Array.from({ length: count }, () => []);
    for (const line of group) tracks[line.track].push(line);
    const within = (points, line) => points.reduce((sum, x) => sum + (x > line.a && x < line.b ? 1 : 0), 0);
    const onEachOther = (one, other) => one.below.some((x) => other.above.includes(x)) ? 1000 : 0;
    const cost = (upper, lower) => {
        let sum = 0;
        for (const one of upper) for (const other of lower) if (one.a <= other.b && other.a <= one.b) sum += within(other.above, one) + within(one.below, other) + onEachOther(one, other);
        return sum;
    };
    for (let round = 0, better = true; better && round < count; round++) {
        better = false;
        for (let i = 0; i + 1 < count; i++) {
            if (cost(tracks[i + 1], tracks[i]) >= cost(tracks[i], tracks[i + 1])) continue;
            [tracks[i], tracks[i + 1]] = [tracks[i + 1], tracks[i]];
            better = true;
        }
    }
    tracks.forEach((list, i) => {
        for (const line of list) line.track = i;
    });
}

// Intervals, sorted by where they begin, into tracks: always the free one with the smallest number, kept in two heaps.
function layoutPack(lines) {
    const busy = layoutHeap((one, other) => one.b - other.b), free = layoutHeap((one, other) => one - other);
    let tracks = 0;
    for (const line of lines) {
        while (busy.size() && busy.top().b + layoutPort <= line.a) free.push(busy.pop().track);
        line.track = free.size() ? free.pop() : tracks++;
        busy.push(line);
    }
    return tracks;
}

function layoutHeap(compare) {
    const items = [];
    const swap = (i, k) => { [items[i], items[k]] = [items[k], items[i]]; };
    return {
        size: () => items.length,
        top: () => items[0],
        push(item) {
            let i = items.push(item) - 1;
            for (; i > 0 && compare(items[i], items[(i - 1) >> 1]) < 0; i = (i - 1) >> 1) swap(i, (i - 1) >> 1);
        },
        pop() {
            const top = items[0], last = items.pop();
            if (!items.length) return top;
            items[0] = last;
            for (let i = 0; ;) {
                let least = i;
                for (const k of [2 * i + 1, 2 * i + 2]) if (k < items.length && compare(items[k], items[least]) < 0) least = k;
                if (least === i) return top;
                swap(i, least);
                i = least;
            }
        },
    };
}
