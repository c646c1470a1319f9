// What the layout has to know of a control flow graph: an order in which edges go forward, dominators, loops. Computed here and not taken
// from the data, because a picture of what a step has changed is of blocks of two functions at once. Near-linear, without recursion.
//
// A graph is { succs: [[number, …], …] }; node 0 is the entry. A node more, the root, leads to the entry and to the unreachable parts.

function layoutPredecessors(succs, count) {
    const first = new Int32Array(count + 1);
    for (const list of succs) for (const to of list) first[to + 1]++;
    for (let i = 0; i < count; i++) first[i + 1] += first[i];
    const fill = first.slice(), from = new Int32Array(first[count]);
    succs.forEach((list, u) => {
        for (const to of list) from[fill[to]++] = u;
    });
    return { first, from };
}

// Depth first from one node: numbers in the order of arrival, parents, and the nodes in the order in which they were left.
function layoutWalk(succs, start, state) {
    const { number, parent, vertex, left } = state;
    const stack = [start], next = state.next;
    number[start] = vertex.length;
    vertex.push(start);
    while (stack.length) {
        const u = stack[stack.length - 1];
        if (next[u] === succs[u].length) {
            left.push(u);
            stack.pop();
            continue;
        }
        const v = succs[u][next[u]++];
        if (number[v] >= 0) continue;
        number[v] = vertex.length;
        parent[v] = u;
        vertex.push(v);
        stack.push(v);
    }
}

// Parts that no way leads to begin where nothing leads to, if there is such a place.
function layoutUnreachable(succs, preds, state, root) {
    const roots = [];
    for (const onlyStarts of [true, false]) {
        for (let u = 0; u < root; u++) {
            if (state.number[u] >= 0 || (onlyStarts && preds.first[u + 1] > preds.first[u])) continue;
            state.parent[u] = root;
            layoutWalk(succs, u, state);
            roots.push(u);
        }
    }
    return roots;
}

// Dominators by semidominators (numbers of arrival throughout). An edge out of an unreachable part into the reachable one counts for nothing.
function layoutDominators(flow, preds, reached) {
    const { vertex, number, parent } = flow, count = vertex.length;
    const semi = new Int32Array(count), label = new Int32Array(count), ancestor = new Int32Array(count).fill(-1), idom = new Int32Array(count);
    for (let i = 0; i < count; i++) semi[i] = label[i] = i;
    const path = [];
    const best = (v) => {
        if (ancestor[v] < 0) return v;
        while (ancestor[ancestor[v]] >= 0) {
            path.push(v);
            v = ancestor[v];
        }
        while (path.length) {
            v = path.pop();
            const above = ancestor[v];
            if (semi[label[above]] < semi[label[v]]) label[v] = label[above];
            ancestor[v] = ancestor[above];
        }
        return -1;
    };
    for (let i = count - 1; i > 0; i--) {
        const w = vertex[i];
        semi[i] = number[parent[w]];
        for (let k = preds.first[w]; k < preds.first[w + 1]; k++) {
            const v = number[preds.from[k]];
            if (i <= reached && v > reached) continue;
            best(v);
            if (semi[label[v]] < semi[i]) semi[i] = semi[label[v]];
        }
        ancestor[i] = number[parent[w]];
    }
    for (let i = 1; i < count; i++) {
        let d = number[parent[vertex[i]]];
        while (d > semi[i]) d = idom[d];
        idom[i] = d;
    }
    const result = new Int32Array(count).fill(-1);
    for (let i = 1; i < count; i++) result[vertex[i]] = vertex[idom[i]];
    return result;
}

// Numbers by which "a is above b in the tree" is two comparisons. Parents come before children in `order`.
export function layoutTreeNumbers(parent, order) {
    const count = parent.length, size = new Int32Array(count).fill(1), enter = new Int32Array(count), used = new Int32Array(count);
    for (let i = order.length - 1; i >= 0; i--) if (parent[order[i]] >= 0) size[parent[order[i]]] += size[order[i]];
    let roots = 0;
    for (const v of order) {
        const p = parent[v];
        if (p < 0) {
            enter[v] = roots;
            roots += size[v];
        } else {
            enter[v] = enter[p] + 1 + used[p];
            used[p] += size[v];
        }
    }
    return { above: (a, b) => enter[a] <= enter[b] && enter[b] < enter[a] + size[a], enter, size };
}

// Natural loops, inner ones first. They are nested in every graph; ways back that do not lead to a dominator make no loop here, they are
// edges that go up.
function layoutLoops(flow, preds) {
    const { vertex, above, succs } = flow, count = vertex.length;
    const loop = new Int32Array(count).fill(-1), outer = new Int32Array(count).fill(-1), stands = new Int32Array(count), seen = new Int32Array(count).fill(-1);
    for (let i = 0; i < count; i++) stands[i] = i;
    const find = (v) => {
        let top = v;
        while (stands[top] !== top) top = stands[top];
        while (stands[v] !== top) [v, stands[v]] = [stands[v], top];
        return top;
    };
    const headers = [];
    for (let i = count - 1; i >= 0; i--) {
        const h = vertex[i], work = [];
        const visit = (v) => {
            const top = find(v);
            if (top === h || seen[top] === h) return;
            seen[top] = h;
            work.push(top);
        };
        let found = false;
        for (let k = preds.first[h]; k < preds.first[h + 1]; k++) {
            if (!above(h, preds.from[k])) continue;
            found = true;
            visit(preds.from[k]);
        }
        if (!found) continue;
        for (let at = 0; at < work.length; at++) {
            const x = work[at];
            for (let k = preds.first[x]; k < preds.first[x + 1]; k++) if (above(h, preds.from[k])) visit(preds.from[k]);
        }
        for (const x of work) {
            stands[x] = h;
            if (loop[x] === x) outer[x] = h;
            else loop[x] = h;
        }
        loop[h] = h;
        headers.push(h);
    }
    const depth = new Int32Array(succs.length);
    headers.reverse();
    for (const h of headers) depth[h] = outer[h] < 0 ? 1 : depth[outer[h]] + 1;
    for (let v = 0; v < count; v++) if (loop[v] >= 0) depth[v] = depth[loop[v]];
    return { loop, outer, depth, headers };
}

// { root, idom, number of arrival, rpo, loop (header of the innermost loop or -1), outer (per header), depth, headers (outer first),
//   reachable(v), above(a, b): a dominates b, contains(header, v) }
export function layoutFlow(graph) {
    const count = graph.succs.length, root = count;
    const succs = graph.succs.map((list) => list);
    succs.push(count ? [0] : []);
    const state = { number: new Int32Array(count + 1).fill(-1), parent: new Int32Array(count + 1).fill(-1), vertex: [], left: [], next: new Int32Array(count + 1) };
    layoutWalk(succs, root, state);
    const reached = state.vertex.length - 1;
    let preds = layoutPredecessors(succs, count + 1);
    const left = state.left;
    state.left = [];
    const roots = layoutUnreachable(succs, preds, state, root);
    if (roots.length) {
        succs[root] = [0, ...roots];
        preds = layoutPredecessors(succs, count + 1);
    }
    const order = [...left.reverse(), ...state.left.reverse()], rpo = new Int32Array(count + 1);
    order.forEach((v, i) => { rpo[v] = i; });
    const flow = { count, root, succs, roots, order, rpo, number: state.number, parent: state.parent, vertex: state.vertex };
    flow.idom = layoutDominators(flow, preds, reached);
    flow.reachable = (v) => state.number[v] <= reached;
    const tree = layoutTreeNumbers(flow.idom, flow.vertex);
    flow.above = tree.above;
    Object.assign(flow, layoutLoops(flow, preds));
    const up = new Int32Array(count + 1).fill(-1);
    for (const h of flow.headers) up[h] = flow.outer[h];
    const forest = layoutTreeNumbers(up, flow.headers);
    flow.contains = (h, v) => flow.loop[v] >= 0 && forest.above(h, flow.loop[v]);
    return flow;
}
