// The data of a page, made easy to use. Functions and views are decoded when they are first asked for, and kept: a page of a large file
// opens as quickly as one of a small file.

export function createModel(data) {
    const files = (data.files ?? []).map((file) => ({ name: file.name, lines: file.text === undefined ? null : file.text.replace(/\n$/, "").split("\n") }));
    const model = { data, files, file: data.file, command: data.command, program: data.program, live: Boolean(data.live), times: data.times !== false,
        passes: data.passes ?? [], forms: data.forms ?? [], run: data.run ?? null, pipelines: [] };
    model.pipelines = data.pipelines.map((pipeline, index) => decodePipeline(model, pipeline, index));
    return model;
}

function decodePipeline(model, raw, index) {
    const pipeline = { index, kinds: model.data.kinds, label: raw.label, options: raw.options ?? [], messages: raw.messages ?? [], functions: [], names: new Map() };
    pipeline.steps = raw.steps.map((step, number) => ({ index: number, name: step.name, reason: step.reason ?? "", level: step.level,
        pass: model.passes[step.pass] ?? { name: step.name, meaning: "" } }));
    raw.functions.forEach((one, number) => {
        const decoded = { pipeline: index, index: number, name: one.name, file: one.file ?? 0, line: one.line ?? 0, endLine: one.endLine ?? one.line ?? 0, raw: one,
            owner: pipeline, cache: {} };
        pipeline.functions.push(decoded);
        if (!pipeline.names.has(one.name)) pipeline.names.set(one.name, decoded);
    });
    return pipeline;
}

function cached(fn, name, make) {
    if (!(name in fn.cache)) fn.cache[name] = make(fn);
    return fn.cache[name];
}

export function textOf(fn, index) {
    return index === undefined || index < 0 ? "" : fn.raw.texts[index] ?? "";
}

// A location, or null: { file, line, column }.
export function locationOf(fn, index) {
    const locations = cached(fn, "locations", () => (fn.raw.locs ?? []).map((loc) => loc.length ? { file: loc[0], line: loc[1], column: loc[2] ?? 0 } : null));
    return locations[index] ?? null;
}

// ---- Steps

// All steps that a function took. Each knows the view before and after it; what comes after a rejected step goes on from before it, and if
// that led out of an excursion, from before the excursion.
export function stepsOf(fn) {
    return cached(fn, "steps", () => {
        const steps = [], times = new Map();
        let current = 0, settled = 0;
        fn.raw.steps.forEach((raw, index) => {
            const due = fn.owner.steps[raw.step];
            const step = { index, name: due.name, due, verdict: raw.verdict, reason: textOf(fn, raw.reason), established: textOf(fn, raw.established),
                hint: textOf(fn, raw.hint), size: raw.size ?? null, seconds: raw.seconds ?? null, before: raw.before ?? current, after: raw.view, raw };
            times.set(due.name, (times.get(due.name) ?? 0) + 1);
            step.key = times.get(due.name) > 1 ? `${due.name}~${times.get(due.name)}` : due.name;
            step.givenUp = Boolean(raw.givenUp);
            step.rejected = raw.verdict === "rejected";
            step.changed = step.rejected || step.after !== step.before;
            if (!step.rejected) current = raw.view;
            else if (due.pass.from !== due.pass.to && formOfView(fn, settled) === due.pass.to) current = settled;
            if (raw.verdict !== "inside" && !step.rejected) settled = current;
            steps.push(step);
        });
        return steps;
    });
}

// The steps of two pipelines of one function after which it has not the same size, or that only one of them has taken.
export function differentSteps(fn, other) {
    if (!other) return [];
    const sizes = (one) => new Map(stepsOf(one).map((step) => [step.key, step.size?.[1] ?? -1]));
    const here = sizes(fn), there = sizes(other);
    return [...stepsOf(fn).filter((step) => here.get(step.key) !== there.get(step.key)), ...stepsOf(other).filter((step) => !here.has(step.key))];
}

// Position 0 is the function as the front end made it, position i is after step i - 1.
export function positionCount(fn) {
    return stepsOf(fn).length + 1;
}

export function stepAt(fn, position) {
    return position > 0 ? stepsOf(fn)[position - 1] ?? null : null;
}

export function viewIndexAt(fn, position) {
    return stepAt(fn, position)?.after ?? 0;
}

export function positionName(fn, position) {
    return stepAt(fn, position)?.key ?? "start";
}

// The position that is called so: a step's name ("tidy~2" if it was taken a second time, after an attempt that was given up), or "start"; if the function
// has not taken that step, the last one before it.
export function positionOf(fn, name) {
    const steps = stepsOf(fn);
    const exact = steps.findIndex((step) => step.key === name);
    if (exact >= 0) return exact + 1;
    const due = fn.owner.steps.findIndex((step) => step.name === name);
    let position = 0;
    if (due >= 0) for (const step of steps) if (step.due.index <= due) position = step.index + 1;
    return position;
}

export function remarksOf(fn, step) {
    return cached(fn, `remarks ${step.index}`, () => (step.raw.remarks ?? []).map(([kind, before, after, other, loc, text], index) => (
        { index, kind: fn.owner.kinds[kind], before, after, other, loc: locationOf(fn, loc), text: textOf(fn, text), step })));
}

// ---- Views

// Without decoding it.
export function formOfView(fn, index) {
    return fn.raw.views[index]?.form;
}

export function viewOf(fn, index) {
    return cached(fn, `view ${index}`, () => decodeView(fn, index));
}

function rowAt(fn, index) {
    const rows = cached(fn, "rows", () => []);
    if (!rows[index]) {
        const raw = fn.raw.rows;
        rows[index] = { id: raw.id[index], kind: raw.kind[index], text: textOf(fn, raw.text[index]), loc: locationOf(fn, raw.loc[index]), node: raw.node[index], index };
    }
    return rows[index];
}

export function rowNumbers(view) {
    const numbers = [];
    for (let i = 0; i + 1 < view.order.length; i += 2) for (let k = 0; k < view.order[i + 1]; k++) numbers.push(view.order[i] + k);
    return numbers;
}

// Rows of a view with keys: by identity where there is one; labels by the first identity behind them, so that a block that stays keeps its label;
// others by text and how often it was there before.
function keyedRows(fn, raw) {
    const seen = new Map();
    const numbers = rowNumbers(raw);
    const ids = fn.raw.rows.id, kinds = fn.raw.rows.kind;
    const behind = (at) => {
        for (let next = at + 1; next < numbers.length && kinds[numbers[next]] !== "l"; next++) if (ids[numbers[next]] >= 0) return ids[numbers[next]];
        return -1;
    };
    return numbers.map((number, at) => {
        const row = rowAt(fn, number);
        const first = row.id < 0 && row.kind === "l" ? behind(at) : -1;
        const name = row.id >= 0 ? `i${row.id}` : first >= 0 ? `l${first}` : `t${row.kind}${row.kind === "h" || row.kind === "e" ? "" : row.text}`;
        const times = seen.get(name) ?? 0;
        seen.set(name, times + 1);
        return { ...row, key: times ? `${name}/${times}` : name };
    });
}

function decodeView(fn, index) {
    const raw = fn.raw.views[index];
    const rows = keyedRows(fn, raw);
    const shape = raw.like === undefined ? raw : fn.raw.views[raw.like];
    const view = { key: `${fn.pipeline}/${fn.index}/${index}`, index, form: raw.form, rejected: Boolean(raw.rejected), rows, blocks: null, tail: shape.tail ?? rows.length,
        region: new Map(), gates: new Map(), places: new Map() };
    rows.forEach((row, position) => row.id >= 0 && !view.places.has(row.id) && view.places.set(row.id, position));
    if (shape.blocks) view.blocks = decodeBlocks(shape, rows);
    for (const [position, block] of Object.entries(raw.region ?? shape.region ?? {})) view.region.set(Number(position), block);
    for (const [position, list] of Object.entries(raw.gates ?? shape.gates ?? {})) view.gates.set(Number(position), list.map(([text, preds]) => ({ text, preds })));
    return view;
}

function decodeBlocks(raw, rows) {
    const tail = raw.tail ?? rows.length;
    const blocks = raw.blocks.map((first, n) => ({ first, end: raw.blocks[n + 1] ?? tail, succs: raw.succs?.[n] ?? [], how: raw.how?.[n] ?? [], preds: [],
        idom: raw.idom?.[n] ?? -1, loop: raw.loop?.[n] ?? -1, depth: raw.depth?.[n] ?? 0, key: `b${n}` }));
    blocks.forEach((block, n) => {
        for (const to of block.succs) blocks[to]?.preds.push(n);
        const row = rows.slice(block.first, block.end).find((one) => one.id >= 0);
        if (row) block.key = `i${row.id}`;
    });
    return blocks;
}

// The block of each position of a view; -1 for those in none.
export function blockOfPosition(view, position) {
    const blocks = view.blocks;
    if (!blocks || position >= view.tail || !blocks.length || position < blocks[0].first) return view.region.get(position) ?? -1;
    let low = 0, high = blocks.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (blocks[middle].first <= position) low = middle;
        else high = middle - 1;
    }
    return low;
}

// How a block is called: by the number of its first node, as the graph has it.
export function blockName(view, block) {
    const { first, end } = view.blocks[block];
    for (let position = first; position < end; position++) if (view.form !== "mach" && view.rows[position].node >= 0) return String(view.rows[position].node);
    return view.form === "mach" ? view.rows[first].text.replace(/:$/, "") : `b${block}`;
}

// The row that a checker's reason names ("node 12: …", "block b0, instruction 3: …"); -1 if none.
export function placeOfReason(view, reason) {
    const node = /\bnode (\d+)/.exec(reason);
    if (node) {
        const merge = /merge|phi|gamma|mu\b|eta/.test(reason);
        const places = view.rows.map((row, position) => position).filter((position) => view.rows[position].node === Number(node[1]));
        return places.find((position) => (view.rows[position].kind === "m") === merge) ?? places[0] ?? -1;
    }
    const place = /\bblock b(\d+), instruction (\d+)/.exec(reason);
    const block = place ? view.blocks?.[Number(place[1])] : null;
    if (!block) return -1;
    const rows = [];
    for (let position = block.first; position < block.end; position++) if (view.rows[position].kind !== "l") rows.push(position);
    return rows[Number(place[2])] ?? -1;
}

// ---- Assembly

export function assemblyOf(fn) {
    return cached(fn, "assembly", () => {
        const raw = fn.raw.asm;
        if (!raw) return [];
        return raw.lines.map((line, index) => ({ index, text: textOf(fn, line), id: raw.ids?.[index] ?? -1, loc: locationOf(fn, raw.locs?.[index] ?? 0), key: `a${index}` }));
    });
}

// ---- Indexes over a function

// For each identity the locations that rows with it have, and for each line the identities: { lines: Map id -> [loc], ids: Map "file:line" -> Set id }.
export function locationsIndex(fn) {
    return cached(fn, "locations index", () => {
        const lines = new Map(), ids = new Map();
        const { id, loc } = fn.raw.rows;
        const add = (identity, location) => {
            if (identity < 0 || !location) return;
            const key = `${location.file}:${location.line}`;
            if (!ids.has(key)) ids.set(key, new Set());
            ids.get(key).add(identity);
            const known = lines.get(identity);
            if (!known) lines.set(identity, [location]);
            else if (!known.includes(location)) known.push(location);
        };
        for (let i = 0; i < id.length; i++) add(id[i], locationOf(fn, loc[i]));
        for (const line of assemblyOf(fn)) add(line.id, line.loc);
        return { lines, ids };
    });
}

// Lines of assembly of each identity.
export function assemblyIndex(fn) {
    return cached(fn, "assembly index", () => {
        const found = new Map();
        for (const line of assemblyOf(fn)) {
            if (line.id < 0) continue;
            if (!found.has(line.id)) found.set(line.id, []);
            found.get(line.id).push(line.index);
        }
        return found;
    });
}

// For each row of data the first view that has it.
export function firstViews(fn) {
    return cached(fn, "first views", () => {
        const first = new Array(fn.raw.rows.id.length).fill(-1);
        fn.raw.views.forEach((view, index) => {
            for (const number of rowNumbers(view)) if (first[number] < 0) first[number] = index;
        });
        return first;
    });
}

// ---- Without functions

// Why there is nothing to show.
export function whyNothing(model, pipeline) {
    if (!model.pipelines[0].functions.length) return "there are no functions in this file";
    return `${model.pipelines[pipeline]?.label ?? ""} has no function of this name`;
}

// The number of the file that was given.
export function givenFile(model) {
    return model.files.findIndex((file) => file.name === model.file);
}

// ---- Totals

export function totalsOf(fn) {
    const steps = stepsOf(fn);
    const total = { changed: 0, rejected: 0, seconds: [0, 0, 0], sizeBefore: null, sizeAfter: null };
    for (const step of steps) {
        if (step.changed) total.changed++;
        if (step.rejected) total.rejected++;
        step.seconds?.forEach((seconds, i) => (total.seconds[i] += seconds));
        if (step.size) {
            total.sizeBefore ??= step.size[0];
            if (!step.rejected) total.sizeAfter = step.size[1];
        }
    }
    return total;
}
