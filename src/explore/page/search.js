// Search in everything that a function has: steps, remarks, lines of forms, source, assembly; and in the names of functions.
import { assemblyOf, firstViews, remarksOf, rowNumbers, stepsOf, viewIndexAt } from "./model.js";
import { positionOfView } from "./facts.js";

// Yields { results, more }: results are { group, label, detail, position?, target?, fn? }, of each group at most `limit`; more counts the rest.
export function searchAll(model, fn, position, words, limit = 40) {
    const needle = words.trim().toLowerCase();
    const found = { results: [], more: 0 };
    if (!needle || !fn) return found;
    const add = (list) => {
        found.results.push(...list.slice(0, limit));
        found.more += Math.max(0, list.length - limit);
    };
    add(searchSteps(fn, needle));
    add(searchRows(fn, position, needle));
    add(searchRemarks(fn, needle));
    add(searchSource(model, fn, needle));
    add(searchAssembly(fn, needle));
    add(searchFunctions(fn.owner, needle));
    return found;
}

function searchSteps(fn, needle) {
    return stepsOf(fn).filter((step) => `${step.name} ${step.due.pass.meaning}`.toLowerCase().includes(needle))
        .map((step) => ({ group: "steps", label: step.name, detail: step.due.pass.meaning, position: step.index + 1 }));
}

// Lines of all views, each once: in the view that is shown if it is there, else where it first was.
function searchRows(fn, position, needle) {
    const texts = new Set();
    fn.raw.texts.forEach((text, index) => text.toLowerCase().includes(needle) && texts.add(index));
    if (!texts.size) return [];
    const first = firstViews(fn);
    const shown = new Set(rowNumbers(fn.raw.views[viewIndexAt(fn, position)]));
    const { text, id } = fn.raw.rows;
    const results = [], seen = new Set();
    for (let row = 0; row < text.length; row++) {
        if (!texts.has(text[row]) || first[row] < 0 || id[row] < 0) continue;
        const here = shown.has(row);
        const key = `${id[row]} ${text[row]}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const at = here ? position : positionOfView(fn, first[row]);
        results.push({ group: "lines", label: fn.raw.texts[text[row]], detail: here ? "here" : at ? `after ${stepsOf(fn)[at - 1].name}` : "at the start", position: at, here,
            target: { type: "id", pipeline: fn.pipeline, id: id[row] } });
    }
    return results.sort((a, b) => Number(b.here) - Number(a.here));
}

function searchRemarks(fn, needle) {
    const results = [];
    for (const step of stepsOf(fn)) {
        for (const remark of remarksOf(fn, step)) {
            if (!remark.text.toLowerCase().includes(needle)) continue;
            const id = remark.after >= 0 ? remark.after : remark.before;
            results.push({ group: "remarks", label: `${remark.kind}: ${remark.text}`, detail: step.name, position: step.index + 1,
                target: id >= 0 ? { type: "id", pipeline: fn.pipeline, id } : null });
        }
    }
    return results;
}

function searchSource(model, fn, needle) {
    const lines = model.files[fn.file]?.lines ?? [];
    const results = [];
    for (let line = fn.line; line <= fn.endLine; line++) {
        const text = lines[line - 1];
        if (text?.toLowerCase().includes(needle)) results.push({ group: "source", label: text.trim(), detail: `line ${line}`, target: { type: "line", file: fn.file, line } });
    }
    return results;
}

function searchAssembly(fn, needle) {
    return assemblyOf(fn).filter((line) => line.text.toLowerCase().includes(needle))
        .map((line) => ({ group: "assembly", label: line.text.trim().replace(/\s+/g, " "), detail: `line ${line.index + 1}`, target: { type: "asm", pipeline: fn.pipeline, index: line.index } }));
}

function searchFunctions(pipeline, needle) {
    return pipeline.functions.filter((fn) => fn.name.toLowerCase().includes(needle)).map((fn) => ({ group: "functions", label: fn.name, detail: `line ${fn.line}`, fn: fn.name }));
}
