// The layout of a control flow graph: places of blocks and lines of edges. Time n log n; the same graph always gets the same picture.
//
//   graph  = { nodes: [{ width, height, rank }], succs: [[node, …], …] }    node 0 is the entry; rank: smallest identity in the block
//   result = { width, height, nodes: [{ x, y, width, height, row, depth, unreachable }],
//              edges: [{ from, to, which: [positions in succs[from]], kind, back, points: [x, y, x, y, …] }],
//              loops: [{ header, depth, x, y, width, height }], unreachable: number of blocks that no way leads to }
//
// layout_boxes.js says where blocks go, layout_route.js which way edges take.
import { layoutFlow } from "./layout_flow.js";
import { layoutBoxes, layoutColumns, layoutUnit } from "./layout_boxes.js";
import { layoutEdges, layoutLanes, layoutHops, layoutTracks } from "./layout_route.js";

const layoutTrackHeight = 8, layoutAbove = 16, layoutBelow = 14, layoutLeastRow = 24, layoutBackAt = 13;

// Several edges between the same blocks are drawn as one.
function layoutDistinct(succs) {
    return succs.map((list) => list.length < 2 ? list : [...new Set(list)]);
}

// Lowest free rows for blocks that are higher than others of their row: they may reach down into rows that are free below them, if no line passes there.
function layoutHeights(flow, boxes, columns, channels, edges, nodes) {
    const { row, clear, rows } = boxes, heights = new Float64Array(rows).fill(layoutLeastRow);
    const bound = new Uint8Array(flow.count);
    for (const edge of edges) if (edge.kind !== "drop") bound[edge.from] = 1;
    const lines = channels.map((channel) => [...channel.nets.values()].sort((one, other) => one.a - other.a));
    const reach = lines.map((list) => {
        let far = -Infinity;
        return list.map((line) => far = Math.max(far, line.b));
    });
    // Is some line of the channel within a .. b? Of those that begin before b, does one end after a?
    const crossed = (channel, a, b) => {
        let low = 0, high = lines[channel].length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (lines[channel][middle].a < b) low = middle + 1;
            else high = middle;
        }
        return low > 0 && reach[channel][low - 1] > a;
    };
    const tall = [];
    for (let v = 0; v < flow.count; v++) {
        if (bound[v] || clear[v] <= row[v] + 1 || nodes[v].height <= layoutLeastRow) heights[row[v]] = Math.max(heights[row[v]], nodes[v].height);
        else tall.push(v);
    }
    tall.sort((a, b) => row[a] - row[b] || a - b);
    for (const v of tall) {
        let r = row[v], have = heights[r];
        while (have < nodes[v].height && r + 1 < clear[v] && !crossed(r + 1, columns.x[v] - layoutUnit, columns.x[v] + columns.blockWidth(v) + layoutUnit)) {
            r++;
            have += heights[r] + layoutAbove + layoutBelow;
        }
        if (have < nodes[v].height) heights[r] += nodes[v].height - have;
    }
    return heights;
}

function layoutDown(boxes, channels, heights) {
    const top = new Float64Array(boxes.rows + 1), channelTop = new Float64Array(boxes.rows + 1);
    let y = 0;
    for (let r = 0; r <= boxes.rows; r++) {
        channelTop[r] = y;
        const tracks = channels[r].tracks;
        if (r > 0 && r < boxes.rows) y += layoutAbove + tracks * layoutTrackHeight + layoutBelow;
        else if (tracks) y += layoutAbove + tracks * layoutTrackHeight + layoutBelow;
        top[r] = y;
        if (r < boxes.rows) y += heights[r];
    }
    return { top, channelTop, height: y };
}

// The corners of an edge.
function layoutPoints(edge, nodes, channels, down) {
    const from = nodes[edge.from], to = nodes[edge.to], points = [edge.port, from.y + from.height];
    let x = edge.port;
    for (const [channel, net, next] of edge.hops) {
        if (next === x) continue;
        const y = down.channelTop[channel] + layoutAbove + channels[channel].nets.get(net).track * layoutTrackHeight;
        points.push(x, y, next, y);
        x = next;
    }
    if (edge.back) points.push(x, to.y + layoutBackAt, to.x, to.y + layoutBackAt);
    else points.push(x, to.y);
    return points;
}

function layoutShift(result, dx) {
    if (!dx) return;
    for (const node of result.nodes) node.x += dx;
    for (const loop of result.loops) loop.x += dx;
    for (const edge of result.edges) for (let i = 0; i < edge.points.length; i += 2) edge.points[i] += dx;
}

export function layoutGraph(graph) {
    const flow = layoutFlow({ succs: layoutDistinct(graph.succs) });
    const boxes = layoutBoxes(flow, graph.nodes.map((node) => node.rank ?? 0));
    const { edges, need } = layoutEdges(flow, boxes);
    const lanes = layoutLanes(flow, boxes, need);
    const columns = layoutColumns(flow, boxes, graph.nodes.map((node) => node.width), lanes.indent, lanes.rights);
    columns.blockWidth = (v) => Math.ceil(graph.nodes[v].width / layoutUnit) * layoutUnit;
    layoutHops(flow, boxes, lanes, columns, edges);
    const channels = layoutTracks(flow, boxes, edges);
    const heights = layoutHeights(flow, boxes, columns, channels, edges, graph.nodes);
    const down = layoutDown(boxes, channels, heights);
    const nodes = graph.nodes.map((node, v) => ({ x: columns.x[v], y: down.top[boxes.row[v]], width: columns.blockWidth(v), height: node.height, row: boxes.row[v],
        depth: flow.depth[v], unreachable: !flow.reachable(v) }));
    const result = { width: columns.width, height: down.height, nodes, edges: [], loops: [], unreachable: nodes.reduce((sum, node) => sum + node.unreachable, 0) };
    for (const edge of edges) {
        const { from, to, kind } = edge, back = kind === "back";
        edge.back = back;
        result.edges.push({ from, to, which: [], kind, back, points: layoutPoints(edge, nodes, channels, down) });
    }
    layoutWhich(graph, result.edges);
    for (const header of flow.headers) {
        const first = boxes.row[header], end = boxes.loopEnd[header];
        const y = down.top[first] - 7;
        result.loops.push({ header, depth: flow.depth[header], x: columns.left[header], y, width: columns.frameWide[header], height: down.channelTop[end] + layoutAbove + channels[end].returning * layoutTrackHeight - 4 - y });
    }
    let least = 0;
    for (const index of lanes.outer.values()) least = Math.min(least, -layoutUnit * (index + 1));
    layoutShift(result, -least);
    result.width -= least;
    return result;
}

function layoutWhich(graph, edges) {
    for (const edge of edges) {
        const list = graph.succs[edge.from];
        if (list.length < layoutFewSuccessors) list.forEach((to, i) => to === edge.to && edge.which.push(i));
    }
    const many = new Map();
    for (const edge of edges) if (graph.succs[edge.from].length >= layoutFewSuccessors) many.set(`${edge.from} ${edge.to}`, edge);
    if (!many.size) return;
    graph.succs.forEach((list, from) => {
        if (list.length >= layoutFewSuccessors) list.forEach((to, i) => many.get(`${from} ${to}`).which.push(i));
    });
}

const layoutFewSuccessors = 8;
