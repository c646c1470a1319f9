// Where blocks go: a tree of boxes, after the tree of dominators.
//
// A block's box holds the block at the top and below it the boxes of the blocks that it dominates directly, its children, in *levels*: what
// control reaches first is above, where ways meet is below those ways. A loop is a frame within the box of its header; what follows the loop is
// taken out of the frame and stands below it. So boxes are nested or apart, a loop is one rectangle, and code after a loop is below it.
// Rows go through the whole picture: row r holds blocks only, and the space above it, *channel* r, holds edges only. Within a box there are
// *lanes*: columns at the left of its levels, or at the right of a loop's frame, for edges that pass levels.
//
// Order. Children of one level stand in the order of their ranks, and the rank of a block is the smallest identity in it. Identities
// stay over passes, so two blocks that stay side by side stay in their order; it does not matter from which step one comes.
//
// Grid. All x are multiples of layoutUnit, lanes and the ports into blocks are layoutPort further: lines in columns meet without a bend.
import { layoutTreeNumbers } from "./layout_flow.js";

export const layoutUnit = 20;
export const layoutPort = 10;
export const layoutLoopIndent = 40;
export const layoutGap = 20;

// Children hang in frames: frame 2 b is below block b, frame 2 b + 1 below the loop of header b.
function layoutFrames(flow) {
    const { count, root, idom, loop, outer } = flow;
    const frame = new Int32Array(count + 1).fill(-1), owner = new Int32Array(count + 1).fill(-1);
    for (let v = 0; v < count; v++) {
        let left = -1;
        for (let at = loop[idom[v]]; at >= 0 && !flow.contains(at, v); at = outer[at]) left = at;
        owner[v] = left >= 0 ? left : idom[v];
        frame[v] = left >= 0 ? 2 * left + 1 : 2 * owner[v];
    }
    const depth = new Int32Array(count + 1), order = [root];
    const children = Array.from({ length: count + 1 }, () => null);
    for (let v = 0; v < count; v++) (children[owner[v]] ??= []).push(v);
    for (let i = 0, stack = [root]; stack.length; i++) {
        const b = stack.pop();
        if (i) order.push(b);
        for (const child of children[b] ?? []) {
            depth[child] = depth[b] + 1;
            stack.push(child);
        }
    }
    return { frame, owner, depth, order, children };
}

// Each edge between boxes of one frame, or into a frame from its owner, seen from the frame: calls visit(u, v, s), where s is the child of v's owner
// in whose box u is (s = owner: u is the owner itself; s = -1: u is somewhere else).
function layoutCrossings(flow, tree, visit) {
    const path = [];
    for (const u of tree.order) {
        path.length = tree.depth[u];
        path.push(u);
        if (u === flow.root) continue;
        for (const v of flow.succs[u]) {
            const at = tree.depth[v];
            if (path[at - 1] !== tree.owner[v]) visit(u, v, -1);
            else visit(u, v, at < path.length ? path[at] : tree.owner[v]);
        }
    }
}

// Children that lead on nowhere within their frame and are small beside the largest one (an early return, say) are put above that, so that the rest of a function
// does not move to the right with each of them.
function layoutRest(flow, tree, size, ends) {
    const below = new Map();
    for (const children of tree.children) {
        if (!children || children.length < 2 || children === tree.children[flow.root]) continue;
        for (const side of [0, 1]) {
            const group = children.filter((v) => (tree.frame[v] & 1) === side);
            if (group.length < 2) continue;
            let largest = group[0];
            for (const v of group) if (size[v] > size[largest]) largest = v;
            const above = group.filter((v) => v !== largest && ends[v] && size[v] * 2 <= size[largest]);
            if (above.length) below.set(largest, above);
        }
    }
    return below;
}

function layoutLevels(flow, tree) {
    const { count, root, rpo } = flow;
    const level = new Int32Array(count + 1), ends = new Uint8Array(count + 1).fill(1), into = Array.from({ length: count + 1 }, () => null);
    const entered = new Uint8Array(count + 1);
    layoutCrossings(flow, tree, (u, v, s) => {
        if (s < 0 || s === v || s === tree.owner[v] || tree.frame[s] !== tree.frame[v]) return;
        ends[s] = 0;
        entered[v] = 1;
        if (rpo[u] < rpo[v]) (into[v] ??= []).push(s);
    });
    for (let v = 0; v < count; v++) if (entered[v]) ends[v] = 0;
    const size = layoutTreeNumbers(tree.owner, tree.order).size;
    const rest = layoutRest(flow, tree, size, ends);
    for (const [v, above] of rest) if (!entered[v]) into[v] = above;
    flow.roots.forEach((v, i) => { level[v] = i + 1; });
    for (const v of flow.order) {
        if (v === root) continue;
        if (tree.owner[v] === root && !flow.reachable(v)) level[v] = Math.max(level[v], 1);
        for (const s of into[v] ?? []) level[v] = Math.max(level[v], level[s] + 1);
    }
    return { level, size };
}

// Frames as lists of levels, each a list of blocks in their order.
function layoutFill(flow, tree, level, rank) {
    const frames = new Array(2 * flow.count + 2).fill(null), place = new Int32Array(flow.count + 1);
    for (let v = 0; v < flow.count; v++) {
        const levels = frames[tree.frame[v]] ??= [];
        (levels[level[v]] ??= []).push(v);
    }
    for (let f = 0; f < frames.length; f++) {
        if (!frames[f]) continue;
        frames[f] = layoutWrap(frames[f].filter(Boolean), rank);
        frames[f].forEach((list, i) => {
            list.forEach((v, k) => {
                level[v] = i;
                place[v] = k;
            });
        });
    }
    return { frames, place };
}

// A level of very many blocks, the cases of a switch, becomes several.
function layoutWrap(levels, rank) {
    const result = [];
    for (const list of levels) {
        list.sort((a, b) => rank[a] - rank[b] || a - b);
        const most = list.length <= 12 ? list.length : Math.max(8, Math.ceil(Math.sqrt(list.length * 2)));
        for (let i = 0; i < list.length; i += most) result.push(list.slice(i, i + most));
    }
    return result;
}

// Rows from the bottom of the tree to its top, then numbered from the top. `clear`: the first row below a block in which something may stand in its
// column. `loopEnd`: the first row below a header's loop.
function layoutRows(flow, tree, frames) {
    const { count, root } = flow;
    const tall = new Int32Array(count + 1), row = new Int32Array(count + 1).fill(-1), clear = new Int32Array(count + 1), loopEnd = new Int32Array(count + 1);
    const height = (levels) => {
        let sum = 0;
        for (const list of levels ?? []) sum += list.reduce((most, v) => Math.max(most, tall[v]), 0);
        return sum;
    };
    for (let i = tree.order.length - 1; i >= 0; i--) {
        const b = tree.order[i];
        loopEnd[b] = 1 + height(frames[2 * b]);
        tall[b] = loopEnd[b] + height(frames[2 * b + 1]);
    }
    const rows = tall[root] - 1, beyond = new Int32Array(count + 1);
    beyond[root] = rows;
    for (const b of tree.order) {
        loopEnd[b] += row[b];
        let at = row[b] + 1;
        const afterBox = frames[2 * b + 1] ? loopEnd[b] : beyond[b];
        clear[b] = frames[2 * b] ? row[b] + 1 : afterBox;
        for (const f of [2 * b, 2 * b + 1]) {
            const levels = frames[f] ?? [];
            levels.forEach((list, i) => {
                const next = at + list.reduce((most, v) => Math.max(most, tall[v]), 0);
                const last = i + 1 === levels.length;
                for (const v of list) {
                    row[v] = at;
                    beyond[v] = !last ? next : f & 1 ? beyond[b] : afterBox;
                }
                at = next;
            });
        }
    }
    return { rows, row, clear, loopEnd, tall };
}

export function layoutBoxes(flow, rank) {
    const tree = layoutFrames(flow);
    const { level, size } = layoutLevels(flow, tree);
    const { frames, place } = layoutFill(flow, tree, level, rank);
    return { ...tree, level, place, size, frames, ...layoutRows(flow, tree, frames), crossings: (visit) => layoutCrossings(flow, tree, visit) };
}

// Widths from the bottom to the top, then x from the top. `indent`: per frame, lanes at the left of each level; `rights`: lanes at the right of each header's loop.
export function layoutColumns(flow, boxes, widths, indent, rights) {
    const { count, root } = flow, { frames, order } = boxes;
    const wide = new Float64Array(count + 1), x = new Float64Array(count + 1), left = new Float64Array(count + 1), frameWide = new Float64Array(count + 1);
    const round = (width) => Math.ceil(width / layoutUnit) * layoutUnit;
    const across = (f) => {
        let most = 0;
        (frames[f] ?? []).forEach((list, i) => {
            let sum = (indent[f]?.[i] ?? 0) * layoutUnit - layoutGap;
            for (const v of list) sum += wide[v] + layoutGap;
            most = Math.max(most, sum);
        });
        return most;
    };
    for (let i = order.length - 1; i >= 0; i--) {
        const b = order[i], header = flow.loop[b] === b;
        frameWide[b] = Math.max(round(widths[b] ?? 0), across(2 * b));
        if (header) frameWide[b] += layoutLoopIndent + layoutUnit;
        wide[b] = Math.max(frameWide[b] + (rights[b] ?? 0) * layoutUnit, across(2 * b + 1));
    }
    for (const b of order) {
        x[b] = b !== root && flow.loop[b] === b ? left[b] + layoutLoopIndent : left[b];
        for (const f of [2 * b, 2 * b + 1]) {
            (frames[f] ?? []).forEach((list, i) => {
                let at = (f & 1 ? left[b] : x[b]) + (indent[f]?.[i] ?? 0) * layoutUnit;
                for (const v of list) {
                    left[v] = at;
                    at += wide[v] + layoutGap;
                }
            });
        }
    }
    return { x, left, wide, frameWide, width: wide[root] };
}
