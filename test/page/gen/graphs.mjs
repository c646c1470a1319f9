// Graphs for tests of the layout: random programs (structured, with breaks, continues, returns, switches, gotos) and graphs without any order. A
// number makes the same graph each time.

export function generator(seed) {
    let state = (seed * 2654435761 + 12345) >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    return { below: (n) => Math.floor(next() * n), chance: (p) => next() < p };
}

// Blocks of a program, made statement by statement until there are about `size`.
export function randomProgram(seed, size, { gotos = 0 } = {}) {
    const random = generator(seed), succs = [[]];
    const fresh = () => succs.push([]) - 1;
    const breaks = [], continues = [];
    // Each yields the block in which control goes on, or -1.
    const sequence = (at, budget, depth) => {
        let left = budget;
        while (left > 0 && at >= 0) {
            const part = 1 + random.below(Math.max(1, left));
            at = statement(at, Math.min(part, left), depth);
            left -= part;
        }
        return at;
    };
    const join = (ends) => {
        const list = ends.filter((end) => end >= 0);
        if (!list.length) return -1;
        const to = fresh();
        for (const end of list) succs[end].push(to);
        return to;
    };
    const branch = (at, budget, depth, otherwise) => {
        const yes = fresh();
        succs[at].push(yes);
        const a = sequence(yes, Math.floor(budget / 2) - 1, depth + 1);
        if (!otherwise) {
            const to = fresh();
            succs[at].push(to);
            if (a >= 0) succs[a].push(to);
            return to;
        }
        const no = fresh();
        succs[at].push(no);
        return join([a, sequence(no, Math.floor(budget / 2) - 1, depth + 1)]);
    };
    const loop = (at, budget, depth, testAtEnd) => {
        const header = fresh(), out = fresh();
        succs[at].push(header);
        breaks.push(out);
        continues.push(header);
        let body = header;
        if (!testAtEnd) {
            body = fresh();
            succs[header].push(body, out);
        }
        const end = sequence(body, budget - 3, depth + 1);
        breaks.pop();
        continues.pop();
        if (end >= 0) succs[end].push(header, ...(testAtEnd ? [out] : []));
        return succs.some((list) => list.includes(out)) ? out : -1;
    };
    const choice = (at, budget, depth) => {
        const out = fresh(), cases = 2 + random.below(Math.max(1, Math.min(14, budget))), through = random.chance(0.3);
        let before = -1;
        breaks.push(out);
        for (let i = 0; i < cases; i++) {
            const one = fresh();
            succs[at].push(one);
            if (before >= 0) succs[before].push(one);
            const end = sequence(one, Math.floor(budget / cases) - 1, depth + 1);
            before = through && random.chance(0.5) ? end : -1;
            if (end >= 0 && before < 0) succs[end].push(out);
        }
        breaks.pop();
        succs[at].push(out);
        if (before >= 0) succs[before].push(out);
        return out;
    };
    const statement = (at, budget, depth) => {
        if (depth > 400) return at;
        const kind = random.below(12);
        if (kind < 3) return branch(at, budget, depth, false);
        if (kind < 5) return branch(at, budget, depth, true);
        if (kind < 7 && budget > 2) return loop(at, budget, depth, kind === 5);
        if (kind < 8 && budget > 3) return choice(at, budget, depth);
        if (kind < 9 && random.chance(0.3)) {
            const list = kind === 8 && random.chance(0.5) ? breaks : continues;
            if (!list.length) return at;
            const to = list[random.chance(0.8) ? list.length - 1 : random.below(list.length)], rest = fresh();
            succs[at].push(to, rest);
            return rest;
        }
        if (kind === 9 && random.chance(0.3)) {
            const stop = fresh(), rest = fresh();
            succs[at].push(stop, rest);
            return rest;
        }
        const to = fresh();
        succs[at].push(to);
        return to;
    };
    let at = 0;
    while (succs.length < size) {
        const end = sequence(at, size - succs.length, 0);
        if (end >= 0) {
            at = end;
            continue;
        }
        at = fresh();
        succs[0].push(at);
    }
    for (let i = 0; i < gotos; i++) succs[random.below(succs.length)].push(random.below(succs.length));
    return withSizes(succs, random);
}

// Any graph: every node has up to three successors anywhere; some nodes are unreachable.
export function randomMess(seed, size) {
    const random = generator(seed), succs = [];
    for (let i = 0; i < size; i++) {
        const list = [];
        for (let k = random.below(4); k > 0; k--) list.push(random.chance(0.7) ? Math.min(size - 1, i + 1 + random.below(3)) : random.below(size));
        succs.push(list);
    }
    return withSizes(succs, random);
}

function withSizes(succs, random) {
    return { succs, nodes: succs.map((_, i) => ({ width: 80 + random.below(200), height: 30 + random.below(5) * (random.chance(0.1) ? 100 : 16), rank: i })) };
}
