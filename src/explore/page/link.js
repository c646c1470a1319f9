// Relatives: what lights up in all panes when something is pointed at. A target is one of
//   { type: "line", file, line }            a line of the source
//   { type: "id", pipeline, id, register?, blocks? } a line of a form, by identity; with the register that is pointed at, if any, and the blocks
//                                           whose edges its gate selects
//   { type: "reg", pipeline, name }         a register
//   { type: "asm", pipeline, index }        a line of assembly
//   { type: "blocks", pipeline, blocks }    the blocks whose edges a gate selects
// Relatives are of the same identity, of the same place in the source, or hold the register. Identities are known within one pipeline; from one
// pipeline to the other only places in the source lead.
import { assemblyIndex, assemblyOf, locationsIndex } from "./model.js";
import { registersOf } from "./tokens.js";

export function noRelatives() {
    return { lines: new Map(), columns: [], per: [emptySide(), emptySide()], target: null };
}

function emptySide() {
    return { ids: new Set(), near: new Set(), registers: new Set(), assembly: new Set(), blocks: new Set() };
}

function addLine(lit, location, strong) {
    const key = `${location.file}:${location.line}`;
    if (strong || !lit.lines.has(key)) lit.lines.set(key, strong ? "hot" : "near");
    if (strong && location.column) lit.columns.push(location);
}

// All that has this identity, in every form and in the assembly.
function addIdentity(lit, fn, id) {
    const side = lit.per[fn.pipeline];
    side.ids.add(id);
    for (const location of locationsIndex(fn).lines.get(id) ?? []) addLine(lit, location, true);
    for (const index of assemblyIndex(fn).get(id) ?? []) side.assembly.add(index);
}

function addPlace(lit, fn, key, strong) {
    const side = lit.per[fn.pipeline];
    for (const id of locationsIndex(fn).ids.get(key) ?? []) {
        (strong ? side.ids : side.near).add(id);
        if (strong) for (const index of assemblyIndex(fn).get(id) ?? []) side.assembly.add(index);
    }
    if (!strong) return;
    for (const line of assemblyOf(fn)) if (line.loc && `${line.loc.file}:${line.loc.line}` === key) side.assembly.add(line.index);
}

// Identities whose place is exactly this one; how one pipeline's lines are found in the other.
function addExactPlaces(lit, fn, locations) {
    for (const location of locations) {
        const key = `${location.file}:${location.line}`;
        for (const id of locationsIndex(fn).ids.get(key) ?? []) {
            const same = (locationsIndex(fn).lines.get(id) ?? []).some((one) => one.file === location.file && one.line === location.line && one.column === location.column);
            if (!same) continue;
            lit.per[fn.pipeline].ids.add(id);
            for (const index of assemblyIndex(fn).get(id) ?? []) lit.per[fn.pipeline].assembly.add(index);
        }
    }
}

// Where a register is set and used in a view: { defs: [position], uses: [position] }.
export function placesOfRegister(view, name) {
    if (!view.registers) {
        view.registers = new Map();
        view.rows.forEach((row, position) => {
            for (const register of registersOf(row.text)) {
                if (!view.registers.has(register.name)) view.registers.set(register.name, { defs: [], uses: [] });
                view.registers.get(register.name)[register.def ? "defs" : "uses"].push(position);
            }
        });
    }
    return view.registers.get(name) ?? { defs: [], uses: [] };
}

// `functions`: the function in each pipeline, null where there is none.
export function relativesOf(functions, target) {
    const lit = noRelatives();
    lit.target = target;
    if (!target) return lit;
    const own = functions[target.pipeline ?? 0];
    if (target.type === "line") {
        const key = `${target.file}:${target.line}`;
        lit.lines.set(key, "hot");
        for (const fn of functions) if (fn) addPlace(lit, fn, key, true);
    } else if (!own) {
        return lit;
    } else if (target.type === "reg") {
        lit.per[target.pipeline].registers.add(target.name);
    } else if (target.type === "blocks") {
        for (const block of target.blocks) lit.per[target.pipeline].blocks.add(block);
    } else if (target.type === "asm") {
        addAssembly(lit, functions, own, target.index);
        if (target.register) lit.per[target.pipeline].registers.add(target.register);
    } else if (target.type === "id") {
        addIdentityAndPlace(lit, functions, own, target.id);
        if (target.register) lit.per[target.pipeline].registers.add(target.register);
        for (const block of target.blocks ?? []) lit.per[target.pipeline].blocks.add(block);
    }
    return lit;
}

function addIdentityAndPlace(lit, functions, own, id) {
    addIdentity(lit, own, id);
    const locations = locationsIndex(own).lines.get(id) ?? [];
    for (const location of locations) addPlace(lit, own, `${location.file}:${location.line}`, false);
    const other = functions[1 - own.pipeline];
    if (other) addExactPlaces(lit, other, locations);
}

function addAssembly(lit, functions, own, index) {
    const line = assemblyOf(own)[index];
    if (!line) return;
    if (line.id >= 0) addIdentityAndPlace(lit, functions, own, line.id);
    else if (line.loc) {
        addLine(lit, line.loc, true);
        addPlace(lit, own, `${line.loc.file}:${line.loc.line}`, true);
    }
    lit.per[own.pipeline].assembly.add(index);
}

// Two targets are the same thing.
export function sameTarget(a, b) {
    if (!a || !b) return a === b;
    return targetKey(a) === targetKey(b);
}

// ---- Targets in words, for the address: l0:12, i0:34, r0:%a.1, a0:5.

export function targetKey(target) {
    if (!target) return "";
    if (target.type === "line") return `l${target.file}:${target.line}`;
    if (target.type === "id") return `i${target.pipeline}:${target.id}${target.register ? `:${target.register}` : ""}`;
    if (target.type === "reg") return `r${target.pipeline}:${target.name}`;
    if (target.type === "asm") return `a${target.pipeline}:${target.index}`;
    return "";
}

export function parseTarget(text) {
    const match = /^([lira])(\d+):([^:]+)(?::(.+))?$/.exec(text ?? "");
    if (!match) return null;
    const [, kind, first, second, third] = match;
    const where = Number(first);
    if (kind === "r") return { type: "reg", pipeline: where, name: second };
    if (!/^\d+$/.test(second)) return null;
    if (kind === "l") return { type: "line", file: where, line: Number(second) };
    if (kind === "a") return { type: "asm", pipeline: where, index: Number(second) };
    return third ? { type: "id", pipeline: where, id: Number(second), register: third } : { type: "id", pipeline: where, id: Number(second) };
}
