// What became of one thing: the remarks about an identity over all steps, in words.
import { assemblyIndex, assemblyOf, positionName, remarksOf, stepsOf, textOf, viewOf } from "./model.js";

// Remarks by identity: Map id -> [{ remark, role }], built once for a function.
function remarksByIdentity(fn) {
    fn.cache.remarksByIdentity ??= (() => {
        const found = new Map();
        const add = (id, entry) => {
            if (id < 0) return;
            if (!found.has(id)) found.set(id, []);
            found.get(id).push(entry);
        };
        for (const step of stepsOf(fn)) {
            for (const remark of remarksOf(fn, step)) {
                add(remark.before, { remark, role: "itself" });
                if (remark.after !== remark.before) add(remark.after, { remark, role: remark.before >= 0 ? "from" : "itself" });
                if (remark.other !== remark.before && remark.other !== remark.after) add(remark.other, { remark, role: "because" });
            }
        }
        return found;
    })();
    return fn.cache.remarksByIdentity;
}

// The views that have a row of this identity: [first, last], or null.
export function lifeOf(fn, id) {
    fn.cache.lives ??= (() => {
        const lives = new Map();
        fn.raw.views.forEach((view, index) => {
            for (let i = 0; i + 1 < view.order.length; i += 2) {
                for (let row = view.order[i]; row < view.order[i] + view.order[i + 1]; row++) {
                    const identity = fn.raw.rows.id[row];
                    if (identity < 0 || view.rejected) continue;
                    const life = lives.get(identity);
                    if (life) life[1] = index;
                    else lives.set(identity, [index, index]);
                }
            }
        });
        return lives;
    })();
    return fn.cache.lives.get(id) ?? null;
}

// The position at which a view came to be.
export function positionOfView(fn, view) {
    const step = stepsOf(fn).find((one) => one.after === view && (one.changed || view === 0));
    return view === 0 ? 0 : (step?.index ?? -1) + 1;
}

// The life of an identity: [{ position, name, kind, text, loc, other }], in the order of the steps.
export function historyOf(fn, id) {
    const life = lifeOf(fn, id);
    const events = [];
    if (life) {
        const born = positionOfView(fn, life[0]);
        const row = viewOf(fn, life[0]).rows.find((one) => one.id === id);
        events.push({ position: born, name: positionName(fn, born), kind: "born", text: row?.text ?? "", loc: row?.loc ?? null, other: -1 });
    }
    for (const { remark, role } of remarksByIdentity(fn).get(id) ?? []) {
        const text = role === "because" ? `was the reason: ${remark.text}` : role === "from" ? `came of another: ${remark.text}` : remark.text;
        events.push({ position: remark.step.index + 1, name: remark.step.name, kind: remark.kind, text, loc: remark.loc, rejected: remark.step.rejected,
            other: role === "itself" ? remark.other : remark.before });
    }
    addChanges(fn, id, events);
    const assembly = assemblyIndex(fn).get(id) ?? [];
    if (assembly.length) {
        const text = assembly.map((index) => assemblyOf(fn)[index].text.trim().replace(/\s+/g, " ")).join("; ");
        events.push({ position: stepsOf(fn).length, name: "assembly", kind: "emitted", text, loc: null, other: -1 });
    }
    return events.sort((a, b) => a.position - b.position || rank(a) - rank(b));
}

function rank(event) {
    return event.kind === "born" ? 0 : event.kind === "emitted" ? 2 : 1;
}

// Steps that wrote its line anew without a remark about it, and the one after which it is gone.
function addChanges(fn, id, events) {
    const told = new Set(events.map((event) => event.position));
    let before = null;
    for (const step of stepsOf(fn)) {
        if (!step.changed || step.rejected) continue;
        const old = rowOfIdentity(fn, step.before, id), now = rowOfIdentity(fn, step.after, id);
        before = now ?? before;
        if (told.has(step.index + 1)) continue;
        if (old >= 0 && now < 0) events.push({ position: step.index + 1, name: step.name, kind: "gone", text: "is not there any more", loc: null, other: -1 });
        else if (old >= 0 && now >= 0 && fn.raw.rows.text[old] !== fn.raw.rows.text[now] && bareText(fn, old) !== bareText(fn, now)) {
            events.push({ position: step.index + 1, name: step.name, kind: "written", text: textOf(fn, fn.raw.rows.text[now]), loc: null, other: -1 });
        }
    }
}

// A line without any numbers of nodes: that those are given anew is no news.
function bareText(fn, row) {
    return textOf(fn, fn.raw.rows.text[row]).replace(/(-> |then |else |\bfrom |, )\d+/g, "$1").replace(/([(, ])\d+: /g, "$1: ");
}

// The row of data that has an identity in a view; -1 if none.
function rowOfIdentity(fn, view, id) {
    const decoded = viewOf(fn, view);
    const position = decoded.places.get(id);
    return position === undefined ? -1 : decoded.rows[position].index;
}
