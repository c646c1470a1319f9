// A recorded run, step by step in both directions. The record has what was executed and what each destination got; registers at a step are
// what the steps before it have set. States are kept at every thousandth step, so that any step is near one.
import { positionOf, viewIndexAt, viewOf } from "./model.js";
import { registersOf } from "./tokens.js";

const stateDistance = 1000;

// A record with its steps in arrays: { count, fn[], id[], value[], depth[] }. The first function that runs has depth 0.
export function decodeRecord(model, number) {
    const raw = model.run.records[number];
    raw.decoded ??= makeRecord(model, raw, number);
    return raw.decoded;
}

function makeRecord(model, raw, number) {
    const count = Math.floor(raw.steps.length / 3);
    const record = { number, form: raw.form, step: raw.step, pipeline: raw.pipeline ?? 0, count, fn: new Int32Array(count), id: new Int32Array(count), value: new Int32Array(count),
        depth: new Int32Array(count), values: raw.values, events: raw.events ?? [], end: raw.end ?? "", cut: Boolean(raw.cut), functions: model.pipelines[raw.pipeline ?? 0].functions, states: [] };
    for (let i = 0; i < count; i++) {
        record.fn[i] = raw.steps[3 * i];
        record.id[i] = raw.steps[3 * i + 1];
        record.value[i] = raw.steps[3 * i + 2];
    }
    let at = 0;
    for (let i = 0; i + 1 < (raw.depth ?? []).length; i += 2) for (let k = 0; k < raw.depth[i + 1] && at < count; k++) record.depth[at++] = raw.depth[i] - raw.depth[0];
    return record;
}

export function recordLabel(record) {
    return `${record.form} ${record.step === "start" || !record.step ? "at the start" : `after ${record.step}`}`;
}

// The view in which a function of the record ran.
export function recordView(record, fnIndex) {
    const fn = record.functions[fnIndex];
    return fn ? viewOf(fn, viewIndexAt(fn, positionOf(fn, record.step))) : null;
}

// The line that a step executed, or null.
export function rowOfStep(record, step) {
    const view = recordView(record, record.fn[step]);
    const position = view?.places.get(record.id[step]);
    return position === undefined ? null : view.rows[position];
}

// The register that a line sets; "" if none.
function destination(row) {
    if (!row) return "";
    if (row.destination === undefined) row.destination = registersOf(row.text).find((register) => register.def && !/^m\d+$/.test(register.name))?.name ?? "";
    return row.destination;
}

function copyState(state) {
    return { step: state.step, frames: state.frames.map((frame) => ({ fn: frame.fn, registers: new Map(frame.registers) })) };
}

function advance(record, state) {
    const step = state.step;
    const depth = Math.max(0, record.depth[step]);
    while (state.frames.length > depth + 1) state.frames.pop();
    while (state.frames.length < depth + 1) state.frames.push({ fn: record.fn[step], registers: new Map() });
    const frame = state.frames[depth];
    if (frame.fn !== record.fn[step]) state.frames[depth] = { fn: record.fn[step], registers: new Map() };
    const name = record.value[step] >= 0 ? destination(rowOfStep(record, step)) : "";
    if (name) state.frames[depth].registers.set(name, { value: record.values[record.value[step]], step });
    state.step++;
}

// What holds after `step` steps have been done: { step, frames: [{ fn, registers: Map name -> { value, step } }] }, innermost frame last.
export function stateAt(record, step) {
    const target = Math.max(0, Math.min(step, record.count));
    let number = Math.min(Math.floor(target / stateDistance), record.states.length - 1);
    if (number < 0) {
        record.states.push({ step: 0, frames: [] });
        number = 0;
    }
    const state = copyState(record.states[number]);
    while (state.step < target) {
        advance(record, state);
        if (state.step % stateDistance === 0 && record.states.length === state.step / stateDistance) record.states.push(copyState(state));
    }
    return state;
}

// Events up to a step.
export function eventsUntil(record, step) {
    let low = 0, high = record.events.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (record.events[middle][0] < step) low = middle + 1;
        else high = middle;
    }
    return low;
}

// ---- Two forms in lock step

// Pairs of steps of two records that are the same: events by their number; between two events, steps of the same function and identity, in order.
// Yields pairs [[a, b], …] that rise in both.
export function alignRecords(a, b) {
    const pairs = [];
    const sameIdentities = a.pipeline === b.pipeline;
    const shared = Math.min(a.events.length, b.events.length);
    let fromA = 0, fromB = 0;
    for (let event = 0; event <= shared; event++) {
        const same = event < shared && a.events[event][1] === b.events[event][1];
        const toA = same ? Math.min(a.events[event][0], a.count) : a.count;
        const toB = same ? Math.min(b.events[event][0], b.count) : b.count;
        if (sameIdentities) alignSegment(a, b, fromA, toA, fromB, toB, pairs);
        if (!same) break;
        // A step may have several events.
        if (toA >= fromA && toB >= fromB && toA < a.count && toB < b.count) pairs.push([toA, toB]);
        fromA = Math.max(fromA, toA + 1);
        fromB = Math.max(fromB, toB + 1);
    }
    return pairs;
}

// A step of `a` goes with the next one of `b` that is the same thing, unless that is so far on that others would be lost.
function alignSegment(a, b, fromA, toA, fromB, toB, pairs) {
    const farthest = 256;
    const places = new Map();
    for (let j = fromB; j < toB; j++) {
        const key = b.fn[j] * 0x200000 + b.id[j];
        if (!places.has(key)) places.set(key, { list: [], at: 0 });
        places.get(key).list.push(j);
    }
    let next = fromB;
    for (let i = fromA; i < toA; i++) {
        const place = places.get(a.fn[i] * 0x200000 + a.id[i]);
        if (!place) continue;
        while (place.at < place.list.length && place.list[place.at] < next) place.at++;
        const j = place.list[place.at];
        if (j === undefined || j - next > farthest) continue;
        pairs.push([i, j]);
        next = j + 1;
    }
}

// The step of the other record that goes with a step of this one: that of the last pair at or before it. `side`: which one is given.
export function pairedStep(pairs, side, step) {
    let low = 0, high = pairs.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (pairs[middle][side] <= step) low = middle + 1;
        else high = middle;
    }
    const pair = pairs[low - 1];
    return pair ? { step: pair[1 - side], exact: pair[side] === step } : { step: 0, exact: false };
}

// The next (or, backwards, the one before) step that has a partner.
export function nextPair(pairs, side, step, direction) {
    let low = 0, high = pairs.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (pairs[middle][side] < step + (direction > 0 ? 1 : 0)) low = middle + 1;
        else high = middle;
    }
    return pairs[direction > 0 ? low : low - 1]?.[side] ?? null;
}
