// The pane of the source: the file of the function, its lines linked to what became of them.
import { element } from "./dom.js";
import { createList } from "./list.js";
import { givenFile } from "./model.js";
import { sourceTokens } from "./tokens.js";

// A line that no person wrote has no words behind this many characters: tens of thousands of elements would stop the browser.
const longestLine = 4000;

export function createSourcePane(app, pane, body, toolbar) {
    const self = { app, pane, file: -1, lines: [], inside: [], alive: new Set() };
    self.list = createList(body, { label: "source", render: (index, row) => renderLine(self, index, row), key: (index) => index, className: (index) => lineClass(self, index),
        onCursor: (index, how) => how !== "pointer" && app.hover(target(self, index), how), onChoose: (index) => app.pin(target(self, index)),
        onPoint: (index) => app.hover(index < 0 ? null : target(self, index), "pointer") });
    self.chooser = element("select.small", { "aria-label": "file", onchange: (event) => showFile(self, Number(event.target.value)) });
    const named = app.model.files.map((file, index) => ({ file, index })).filter(({ file }) => file.lines);
    for (const { file, index } of named) self.chooser.append(element("option", { value: index }, file.name));
    self.chooser.hidden = named.length < 2;
    toolbar.append(self.chooser);
    return { update: (changed) => updateSource(self, changed), light: () => lightSource(self), reveal: (lit) => revealLine(self, lit), focus: () => self.list.element.focus(),
        destroy: () => self.list.observer.disconnect() };
}

function target(self, index) {
    return { type: "line", file: self.file, line: index + 1 };
}

function showFile(self, file) {
    self.file = file;
    self.chooser.value = String(file);
    const lines = self.app.model.files[file]?.lines;
    self.lines = lines ?? [];
    self.inside = commentStates(self.lines);
    self.list.cursor = -1;
    self.list.element.scrollTop = 0;
    self.list.setCount(self.lines.length, self.lines.reduce((most, line) => Math.max(most, line.length + 3 * (line.lastIndexOf("\t") + 1)), 0));
}

// For each line whether it begins inside of a comment. Most lines tell without being taken apart.
function commentStates(lines) {
    const states = new Uint8Array(lines.length);
    let inside = false;
    lines.forEach((line, index) => {
        states[index] = Number(inside);
        if (inside || line.includes("/*")) inside = sourceTokens(line, inside).inside;
    });
    return states;
}

function updateSource(self, changed) {
    const fn = self.app.fn(self.pane.pipeline) ?? self.app.fn(0);
    self.alive = new Set();
    if (!fn) return showFile(self, givenFile(self.app.model));
    for (const row of self.app.view(fn.pipeline).rows) if (row.loc && row.loc.file === fn.file) self.alive.add(row.loc.line);
    if (changed.has("fn") || self.file < 0) {
        showFile(self, fn.file);
        self.fn = fn;
        self.list.element.scrollTop = Math.max(0, (fn.line - 3) * 20);
    }
    self.list.rerender();
    lightSource(self);
}

function renderLine(self, index, row) {
    const fn = self.fn;
    const inFunction = fn && self.file === fn.file && index + 1 >= fn.line && index + 1 <= fn.endLine;
    row.dataset.line = index + 1;
    row.append(element(`span.gutter.alive${self.alive.has(index + 1) && self.file === fn?.file ? ".yes" : ""}`, { "aria-hidden": "true" }), element("span.gutter.number", null, String(index + 1)));
    const code = element(`span.code${inFunction ? "" : ".outside"}`);
    const line = self.lines[index];
    for (const token of sourceTokens(line.slice(0, longestLine), Boolean(self.inside[index])).tokens) {
        const span = element(token.kind ? `span.${token.kind}` : "span", { "data-col": token.start + 1 }, token.text);
        code.append(token.text.trim() ? span : token.text);
    }
    if (line.length > longestLine) code.append(line.slice(longestLine));
    row.append(code);
    markColumns(self, index, row);
}

function lineClass(self, index) {
    const key = `${self.file}:${index + 1}`;
    const { lit, pinLit } = self.app;
    const names = [];
    if (pinLit.lines.get(key) === "hot") names.push("pinned");
    const heat = lit.lines.get(key);
    if (heat) names.push(heat);
    return names.join(" ");
}

function markColumns(self, index, row) {
    for (const old of row.querySelectorAll(".col")) old.classList.remove("col");
    for (const place of [...self.app.pinLit.columns, ...self.app.lit.columns]) {
        if (place.file === self.file && place.line === index + 1) row.querySelector(`[data-col="${place.column}"]`)?.classList.add("col");
    }
}

function lightSource(self) {
    self.list.refresh();
    for (const [index, row] of self.list.rows) markColumns(self, index, row);
}

function revealLine(self, lit) {
    const hot = [...lit.lines].filter(([, heat]) => heat === "hot").map(([key]) => key.split(":").map(Number));
    if (!hot.length) return;
    const here = hot.filter(([file]) => file === self.file).map(([, line]) => line);
    if (!here.length && self.app.model.files[hot[0][0]]?.lines) {
        showFile(self, hot[0][0]);
        here.push(hot[0][1]);
    }
    if (here.length && !here.some((line) => self.list.visible(line - 1))) self.list.reveal(Math.min(...here) - 1);
}

