// The pane of code: the function in the form that it has after the selected step, with what the step has changed.
import { argumentAt } from "./arguments.js";
import { compareViews, stableText, stableWords, wordDifference } from "./diff.js";
import { button, element } from "./dom.js";
import { placesOfRegister } from "./link.js";
import { createList, rowHeight } from "./list.js";
import { placeOfReason, stepAt, whyNothing } from "./model.js";
import { appendCode, registersOf } from "./tokens.js";

const signs = { added: "+", removed: "−", changed: "~", moved: "↕" };

export function createCodePane(app, pane, body, toolbar) {
    const self = { app, pane, entries: [], view: null, spot: -1, uses: new Map(), pinUses: new Map(), index: new Map() };
    self.banner = element("div.banner", { role: "note" });
    self.banner.hidden = true;
    body.append(self.banner);
    self.map = element("div.change-map", { "aria-hidden": "true" });
    const area = element("div.code-area");
    body.append(area);
    self.list = createList(area, { label: "code", render: (index, row) => renderEntry(self, index, row), key: (index) => self.entries[index]?.row.key, className: (index) => entryClass(self, index),
        onCursor: (index, how) => onCursor(self, index, how), onChoose: (index, event) => app.pin(targetOf(self, index, event)),
        onPoint: (index, event) => app.hover(index < 0 ? null : targetOf(self, index, event), "pointer"), onKey: (event, index) => onCodeKey(self, event, index) });
    area.append(self.map);
    self.title = element("span.pane-note");
    toolbar.append(self.title);
    return { update: (changed) => updateCode(self, changed), light: () => lightCode(self), reveal: (lit) => revealEntry(self, lit), focus: () => self.list.element.focus(),
        nextChange: (direction) => nextChange(self, direction), destroy: () => self.list.observer.disconnect() };
}

// ---- Targets

// What is pointed at in a row: its identity, the register under the pointer (or the one that it sets), the blocks of the gate under the pointer.
function targetOf(self, index, event) {
    const entry = self.entries[index];
    if (!entry) return null;
    const register = event?.target?.closest?.("[data-reg]");
    const column = register ? Number(register.dataset.at ?? -1) : -1;
    return targetAt(self, entry, register?.dataset.reg ?? null, column);
}

function targetAt(self, entry, register, column) {
    const pipeline = self.pane.pipeline;
    const { row } = entry;
    if (row.id < 0) return register ? { type: "reg", pipeline, name: register } : null;
    const target = { type: "id", pipeline, id: row.id };
    const own = register ?? definedRegister(row);
    if (own) target.register = own;
    const blocks = blocksOfGate(self, row, column);
    if (blocks) target.blocks = blocks;
    return target;
}

// The register that a row sets, if its name is worth following: machine registers are used by everybody.
function definedRegister(row) {
    const first = registersOf(row.text).find((register) => register.def);
    return first && first.name.startsWith("%") ? first.name : null;
}

function blocksOfGate(self, row, column) {
    const gates = self.view.gates.get(self.view.places.get(row.id));
    if (!gates) return null;
    const argument = column < 0 ? -1 : argumentAt(row.text, column);
    const chosen = argument >= 0 && gates[argument] ? [gates[argument]] : gates;
    return chosen.flatMap((gate) => gate.preds);
}

function onCursor(self, index, how) {
    if (how !== "spot") self.spot = -1;
    if (how === "pointer") return;
    const entry = self.entries[index];
    self.app.hover(targetAt(self, entry, null, -1), how);
    self.app.say(entryText(self, entry));
}

function entryText(self, entry) {
    const { row, mark } = entry;
    const words = [mark, row.node >= 0 ? `node ${row.node}` : "", row.text, row.loc ? `line ${row.loc.line}` : ""];
    return words.filter(Boolean).join(", ");
}

// ---- Keys

function onCodeKey(self, event, index) {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") return moveSpot(self, index, event.key === "ArrowRight" ? 1 : -1);
    if (event.key === "n") return nextChange(self, 1);
    if (event.key === "p") return nextChange(self, -1);
    if (event.key === "d") return gotoDefinition(self, index);
    return false;
}

// Registers of a row, one after the other.
function moveSpot(self, index, direction) {
    const entry = self.entries[index];
    if (!entry) return false;
    const registers = registersOf(shownText(self, entry.row));
    if (!registers.length) return true;
    self.spot = Math.max(0, Math.min(registers.length - 1, self.spot + direction));
    const register = registers[self.spot];
    self.app.hover(targetAt(self, entry, register.name, register.start), "spot");
    const gate = gateAt(self, entry.row, register.start);
    self.app.say(`${register.name}${register.def ? ", set here" : ""}${gate ? `, chosen when ${gate.text}` : ""}`);
    lightCode(self);
    return true;
}

function gateAt(self, row, column) {
    const gates = self.view.gates.get(self.view.places.get(row.id));
    return gates?.[argumentAt(row.text, column)] ?? null;
}

function nextChange(self, direction) {
    const start = self.list.cursor;
    const differs = (index) => Boolean(self.entries[index].mark);
    for (let index = start + direction; index >= 0 && index < self.entries.length; index += direction) {
        // A run of changed rows counts once: the cursor goes to its first row.
        if (differs(index) && !(index > 0 && differs(index - 1) && index - 1 !== start - 1)) {
            self.list.moveTo(index, "key");
            return true;
        }
    }
    self.app.say("no more changes in this direction");
    return true;
}

function gotoDefinition(self, index) {
    const entry = self.entries[index];
    const registers = entry ? registersOf(entry.row.text) : [];
    const register = registers[self.spot] ?? registers.find((one) => !one.def);
    const place = register ? placesOfRegister(self.view, register.name).defs[0] : undefined;
    if (place === undefined) return true;
    self.list.moveTo(self.index.get(self.view.rows[place].key) ?? index, "key");
    return true;
}

// ---- Rows

function updateCode(self, changed) {
    const { app, pane } = self;
    const fn = app.fn(pane.pipeline);
    if (!fn) {
        self.entries = [];
        self.list.setCount(0);
        self.banner.hidden = true;
        self.map.replaceChildren();
        self.title.textContent = whyNothing(app.model, pane.pipeline);
        return;
    }
    const anchors = changed.has("fn") ? [] : self.list.anchor();
    const cursorKey = self.entries[self.list.cursor]?.row.key;
    self.view = app.view(pane.pipeline);
    const comparison = app.comparison(pane.pipeline);
    self.entries = app.state.hideRemoved ? comparison.entries.filter((entry) => entry.mark !== "removed") : comparison.entries;
    self.index = new Map();
    self.entries.forEach((entry, index) => (entry.mark === "removed" && self.index.has(entry.row.key)) || self.index.set(entry.row.key, index));
    self.list.cursor = cursorKey === undefined ? -1 : self.index.get(cursorKey) ?? -1;
    showBanner(self, stepAt(fn, app.position(pane.pipeline)));
    findUses(self);
    self.list.setCount(self.entries.length, self.entries.reduce((most, { row, old }) => Math.max(most, row.text.length + (old ? old.text.length : 0)), 0));
    self.list.restore(anchors, (key) => self.index.get(key));
    // Another function begins with its code: a long list of slots is above it.
    if (changed.has("fn")) self.list.element.scrollTop = Math.max(0, ((self.index.get(self.view.rows[self.view.blocks?.[0]?.first ?? 0]?.key) ?? 0) - 8) * rowHeight);
    drawMap(self);
    self.title.textContent = `${self.view.form}, ${app.positionTitle(pane.pipeline)}`;
    self.list.element.setAttribute("aria-label", `code of ${fn.name}, ${self.view.form}, ${app.positionTitle(pane.pipeline)}`);
}

// Marks beside the list for runs of changed rows, where they are in the whole.
function drawMap(self) {
    const parts = 160, count = self.entries.length;
    const marks = new Map();
    self.entries.forEach((entry, index) => entry.mark && !marks.has(Math.floor((index * parts) / count)) && marks.set(Math.floor((index * parts) / count), entry.mark));
    self.map.replaceChildren(...[...marks].map(([part, mark]) => {
        const made = element(`div.change-mark.${mark}`);
        made.style.top = `${(part * 100) / parts}%`;
        made.style.height = `${Math.max(100 / parts, Math.min(3, 100 / count))}%`;
        return made;
    }));
    self.map.hidden = count * rowHeight <= self.list.element.clientHeight;
}

function showBanner(self, step) {
    self.banner.hidden = !step?.rejected;
    self.banner.replaceChildren();
    self.wrong = null;
    if (!step?.rejected) return;
    const place = placeOfReason(self.view, step.reason);
    self.wrong = self.view.rows[place]?.key ?? null;
    self.banner.append(element("strong", null, "Rejected, and undone: "), step.reason || "no reason was given", " Below is what was rejected. ");
    if (self.wrong) self.banner.append(button("show the place", "show the place", () => self.list.moveTo(self.index.get(self.wrong), "key"), "button.link"));
}

function shownText(self, row) {
    return self.app.state.stable ? stableText(self.view, row) : row.text;
}

function indentOf(view, row) {
    if (row.kind === "e" || row.text.startsWith("function ")) return 0;
    if (row.kind === "l") return view.form === "mach" ? 0 : 1;
    return view.form === "son" && (row.kind === "i" || row.kind === "m" || row.kind === "f") ? 2 : 1;
}

function renderEntry(self, index, holder) {
    const { row, mark, old, moved } = self.entries[index];
    const stable = self.app.state.stable;
    holder.dataset.id = row.id;
    holder.dataset.kind = row.kind;
    if (mark) holder.dataset.mark = mark;
    const label = stable ? (row.id >= 0 ? `#${row.id}` : "") : row.node >= 0 ? String(row.node) : "";
    holder.append(element("span.gutter.sign", { "aria-hidden": "true" }, mark ? signs[mark] + (moved && mark === "changed" ? "↕" : "") : ""), element("span.gutter.number", null, label));
    const code = element(`span.code.indent-${indentOf(self.view, row)}`);
    if (old) appendDifference(self, code, old, row);
    else appendCode(code, shownText(self, row));
    placeRegisters(code);
    holder.append(code);
    if (mark) holder.append(element("span.hidden-text", null, ` (${mark})`));
    markRegisters(self, index, holder);
}

// The new line with the words that are new marked, and those that are gone struck out.
function appendDifference(self, code, old, row) {
    const { stable } = self.app.state;
    const before = stableWords(self.app.viewBefore(self.pane.pipeline), old, stable);
    for (const part of wordDifference(before, stableWords(self.view, row, stable))) {
        if (part.kind === "same") appendCode(code, part.text);
        else if (part.kind === "added") {
            const span = element("ins");
            appendCode(span, part.text);
            code.append(span);
        } else if (!self.app.state.hideRemoved) code.append(element("del", null, part.text));
    }
}

// Each register's element gets its place in the text, so that the argument that it is in can be told.
function placeRegisters(code) {
    let at = 0;
    const walk = (node) => {
        if (node.nodeName === "DEL") return;
        if (node.nodeType === 3) at += node.data.length;
        else {
            if (node.dataset?.reg) node.dataset.at = at;
            for (const child of node.childNodes) walk(child);
        }
    };
    walk(code);
}

// ---- Light

function findUses(self) {
    const find = (lit) => {
        const places = new Map();
        for (const name of lit.per[self.pane.pipeline].registers) {
            const { defs, uses } = placesOfRegister(self.view, name);
            for (const position of uses) places.set(self.view.rows[position].key, "use");
            for (const position of defs) places.set(self.view.rows[position].key, "def");
        }
        return places;
    };
    self.uses = find(self.app.lit);
    self.pinUses = find(self.app.pinLit);
}

function entryClass(self, index) {
    const { row, mark } = self.entries[index];
    const { app, pane } = self;
    const side = app.lit.per[pane.pipeline], pinned = app.pinLit.per[pane.pipeline];
    const names = mark ? [mark] : [];
    if (row.id >= 0 && pinned.ids.has(row.id)) names.push("pinned");
    else if (self.pinUses.has(row.key)) names.push("pin-near");
    if (row.id >= 0 && side.ids.has(row.id)) names.push("hot");
    else if (self.uses.has(row.key) || (row.id >= 0 && side.near.has(row.id))) names.push("near");
    if (app.isNow(pane.pipeline, row.id)) names.push("now");
    if (row.key === self.wrong && mark !== "removed") names.push("wrong");
    return names.join(" ");
}

function markRegisters(self, index, row) {
    const side = self.app.lit.per[self.pane.pipeline].registers, pinned = self.app.pinLit.per[self.pane.pipeline].registers;
    for (const register of row.querySelectorAll("[data-reg]")) {
        register.classList.toggle("lit", side.has(register.dataset.reg));
        register.classList.toggle("pin", pinned.has(register.dataset.reg));
    }
}

function lightCode(self) {
    if (!self.view) return;
    findUses(self);
    self.list.refresh();
    for (const [index, row] of self.list.rows) markRegisters(self, index, row);
}

function revealEntry(self, lit) {
    const side = lit.per[self.pane.pipeline];
    let places = self.entries.flatMap((entry, index) => (entry.row.id >= 0 && side.ids.has(entry.row.id) ? [index] : []));
    if (!places.length) places = [...side.registers].flatMap((name) => placesOfRegister(self.view, name).defs.map((at) => self.index.get(self.view.rows[at].key)));
    if (places.length && !places.some((index) => self.list.visible(index))) self.list.reveal(places[0]);
}

// Compared once for each step of a function; the header asks, too.
export function comparisonAt(fn, before, after) {
    fn.cache.comparisons ??= new Map();
    const key = `${before?.index} ${after.index}`;
    if (!fn.cache.comparisons.has(key)) fn.cache.comparisons.set(key, compareViews(before, after));
    return fn.cache.comparisons.get(key);
}
