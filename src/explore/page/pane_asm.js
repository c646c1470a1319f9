// The pane of assembly: what the end of the pipeline is printed as.
import { element } from "./dom.js";
import { createList } from "./list.js";
import { assemblyOf } from "./model.js";
import { appendAssembly, assemblyRegistersOf } from "./tokens.js";

export function createAssemblyPane(app, pane, body, toolbar) {
    const self = { app, pane, lines: [] };
    self.list = createList(body, { label: "assembly", render: (index, row) => renderAssembly(self, index, row), key: (index) => index, className: (index) => assemblyClass(self, index),
        onCursor: (index, how) => how !== "pointer" && cursor(self, index, how), onChoose: (index, event) => app.pin(assemblyTarget(self, index, event)),
        onPoint: (index, event) => app.hover(index < 0 ? null : assemblyTarget(self, index, event), "pointer") });
    self.note = element("span.pane-note");
    toolbar.append(self.note);
    return { update: (changed) => updateAssembly(self, changed), light: () => lightAssembly(self), reveal: (lit) => revealAssembly(self, lit), focus: () => self.list.element.focus(),
        destroy: () => self.list.observer.disconnect() };
}

function assemblyTarget(self, index, event) {
    const register = event?.target?.closest?.("[data-reg]")?.dataset.reg;
    const target = { type: "asm", pipeline: self.pane.pipeline, index };
    if (register) target.register = register;
    return target;
}

function cursor(self, index, how) {
    self.app.hover(assemblyTarget(self, index), how);
    const line = self.lines[index];
    self.app.say(`${line.text.trim().replace(/\s+/g, " ")}${line.loc ? `, line ${line.loc.line}` : ""}`);
}

function updateAssembly(self, changed) {
    const fn = self.app.fn(self.pane.pipeline);
    self.lines = fn ? assemblyOf(fn) : [];
    self.note.textContent = self.lines.length ? "" : "there is none: the function did not reach the end of the pipeline";
    if (changed.has("fn") || self.list.count !== self.lines.length) {
        self.list.cursor = -1;
        self.list.element.scrollTop = 0;
        self.list.setCount(self.lines.length, self.lines.reduce((most, line) => Math.max(most, line.text.length), 0));
    } else self.list.refresh();
}

function renderAssembly(self, index, row) {
    const line = self.lines[index];
    row.dataset.id = line.id;
    row.dataset.asm = index;
    const text = line.text.trim();
    const inside = /^\s/.test(line.text);
    const code = element(`span.code.indent-${inside ? 2 : 0}${text.startsWith(".") && inside ? ".outside" : ""}`);
    appendAssembly(code, text.replace(/\t+/g, " "));
    row.append(element("span.gutter.number", null, String(index + 1)), code);
    markAssemblyRegisters(self, row);
}

function assemblyClass(self, index) {
    const { app, pane } = self;
    const line = self.lines[index];
    const side = app.lit.per[pane.pipeline], pinned = app.pinLit.per[pane.pipeline];
    const names = [];
    if (pinned.assembly.has(index)) names.push("pinned");
    if (side.assembly.has(index)) names.push("hot");
    else if ((line.id >= 0 && side.near.has(line.id)) || assemblyRegistersOf(line.text).some((register) => side.registers.has(register.name))) names.push("near");
    if (app.isNow(pane.pipeline, line.id)) names.push("now");
    return names.join(" ");
}

function markAssemblyRegisters(self, row) {
    const side = self.app.lit.per[self.pane.pipeline].registers;
    for (const register of row.querySelectorAll("[data-reg]")) register.classList.toggle("lit", side.has(register.dataset.reg));
}

function lightAssembly(self) {
    self.list.refresh();
    for (const row of self.list.rows.values()) markAssemblyRegisters(self, row);
}

function revealAssembly(self, lit) {
    const lines = [...lit.per[self.pane.pipeline].assembly];
    if (lines.length && !lines.some((index) => self.list.visible(index))) self.list.reveal(Math.min(...lines));
}
