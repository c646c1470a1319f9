// The pane of a step: what it did, why that is right, and what became of the selected thing.
import { button, element, timeText } from "./dom.js";
import { historyOf, positionOfView, lifeOf } from "./facts.js";
import { createList } from "./list.js";
import { blockName, remarksOf, stepAt, viewOf } from "./model.js";
import { verdictText } from "./strip.js";

export function createStepPane(app, pane, body, toolbar) {
    const self = { app, pane, remarks: [], events: [], id: -1 };
    const column = (title, ...children) => element("section.facts-column", { "aria-label": title }, element("h3", null, title), ...children);
    self.remarkBox = element("div.facts-list");
    self.why = element("div.facts-text", { tabindex: "0", role: "group", "aria-label": "why it is right" });
    self.historyBox = element("div.facts-list");
    self.historyNote = element("div.muted.pad.history-note", { tabindex: "0", role: "group", "aria-label": "what is selected" });
    self.remarkNote = element("p.muted.pad");
    body.append(element("div.facts", null, column("What it did", self.remarkNote, self.remarkBox), column("Why it is right", self.why), column("History of the selection", self.historyNote, self.historyBox)));
    self.remarkList = createList(self.remarkBox, { label: "what the step did", render: (index, row) => renderRemark(self, index, row), key: (index) => index,
        className: (index) => remarkClass(self, index), onCursor: (index, how) => how !== "pointer" && pointRemark(self, index), onChoose: (index) => app.pin(remarkTarget(self, self.remarks[index])),
        onPoint: (index) => app.hover(index < 0 ? null : remarkTarget(self, self.remarks[index]), "pointer") });
    self.historyList = createList(self.historyBox, { label: "history of the selection", render: (index, row) => renderEvent(self, index, row), key: (index) => index,
        className: (index) => (self.events[index].position === app.position(self.side) ? "near" : ""), onCursor: (index, how) => how !== "pointer" && app.say(eventText(self.events[index])),
        onChoose: (index) => jump(self, self.events[index]) });
    self.note = element("span.pane-note");
    toolbar.append(self.note);
    return { update: () => updateStep(self), light: () => lightStep(self), reveal: () => {}, focus: () => (self.remarks.length ? self.remarkList : self.historyList).element.focus(),
        destroy: () => [self.remarkList, self.historyList].forEach((list) => list.observer.disconnect()) };
}

// ---- Remarks

function remarkTarget(self, remark) {
    const id = remark.after >= 0 ? remark.after : remark.before;
    if (id >= 0) return { type: "id", pipeline: self.pane.pipeline, id, note: remark.text };
    return remark.loc ? { type: "line", file: remark.loc.file, line: remark.loc.line } : null;
}

function remarkClass(self, index) {
    const { app, pane } = self;
    const remark = self.remarks[index];
    const touches = (ids) => (remark.before >= 0 && ids.has(remark.before)) || (remark.after >= 0 && ids.has(remark.after));
    const names = [];
    if (touches(app.pinLit.per[pane.pipeline].ids)) names.push("pinned");
    if (touches(app.lit.per[pane.pipeline].ids)) names.push("hot");
    return names.join(" ");
}

function pointRemark(self, index) {
    const remark = self.remarks[index];
    self.app.hover(remarkTarget(self, remark), "key");
    self.app.say(`${remark.kind}: ${remark.text}`);
}

function renderRemark(self, index, row) {
    const remark = self.remarks[index];
    row.title = remark.text;
    row.append(element(`span.badge.kind.${remark.kind}`, null, remark.kind), element("span.gutter.number", null, remark.loc ? `${remark.loc.line}` : ""), element("span.words", null, ` ${remark.text}`));
}

function updateStep(self) {
    const { app, pane } = self;
    const fn = app.fn(pane.pipeline);
    const step = fn ? stepAt(fn, app.position(pane.pipeline)) : null;
    self.remarks = step ? remarksOf(fn, step) : [];
    self.remarkList.cursor = -1;
    self.remarkList.element.scrollTop = 0;
    self.remarkList.setCount(self.remarks.length, self.remarks.reduce((most, remark) => Math.max(most, remark.text.length), 0));
    self.remarkBox.hidden = !self.remarks.length;
    self.remarkNote.hidden = self.remarks.length > 0;
    self.remarkNote.textContent = !step ? "This is the function as the front end made it." : step.changed ? "It says nothing of single changes; the code shows them." : "It found nothing to do.";
    self.note.textContent = app.positionTitle(pane.pipeline);
    explain(self, fn, step);
    updateHistory(self);
}

// ---- Why it is right

function explain(self, fn, step) {
    const add = (title, text, name = "") => text && self.why.append(element(`div.fact${name}`, null, element("span.fact-title", null, title), element("span.fact-text", null, text)));
    self.why.replaceChildren();
    self.why.previousSibling.textContent = step?.rejected ? "Why it was rejected" : "Why it is right";
    if (!fn) return;
    if (!step) {
        add("Front end", "That this means what the C source means is not checked: the front end is believed because of its tests.");
    } else {
        add("Verdict", verdictText(step), `.${step.verdict}`);
        if (step.givenUp && !step.rejected) add("Given up", "a later step of the same attempt was rejected; the function went on from before it");
        if (step.rejected) add("Reason", step.reason || "none was given", ".rejected");
        if (step.rejected && isForged(self.app.model.pipelines[self.pane.pipeline], step)) add("Forged", "the pass did no wrong: gate put a mistake into what it made, as it was asked to (--forge), to show what the checker says");
        add("Established", step.established);
        add("Checker", step.due.pass.checker);
        add("Here because", step.due.reason);
        if (step.size) add("Size", `${step.size[0]} before, ${step.size[1]} after`);
        if (step.seconds) add("Time", `${timeText(step.seconds[0])} transform, ${timeText(step.seconds[1])} verify, ${timeText(step.seconds[2])} check`);
        if (step.hint) self.why.append(element("div.fact", null, element("span.fact-title", null, "Hint"), element("pre.fact-text", null, step.hint)));
    }
    const about = (message) => !/ function '/.test(message) || message.includes(` function '${fn.name}'`);
    for (const message of self.app.model.pipelines[self.pane.pipeline].messages.filter(about)) add("Message", message, ".rejected");
}

// Whether a mistake was put into what this step made.
function isForged(pipeline, step) {
    return pipeline.options.includes(`--forge=${step.due.pass.name}`);
}

// ---- History

// The identities that are selected, of the pinned target if there is one, else of what is pointed at by keyboard or pointer.
function selectedIdentity(self) {
    const { app } = self;
    for (const lit of [app.pinLit, app.lit]) {
        const target = lit.target;
        if (!target) continue;
        const pipeline = target.type === "line" ? self.pane.pipeline : target.pipeline;
        if (target.type === "id") return { pipeline, id: target.id };
        const ids = [...lit.per[pipeline].ids];
        const view = app.view(pipeline);
        if (ids.length) return { pipeline, id: ids.find((id) => view?.places.has(id)) ?? ids[0] };
    }
    return null;
}

function lightStep(self) {
    self.remarkList.refresh();
    updateHistory(self);
}

function updateHistory(self) {
    const { app } = self;
    const chosen = selectedIdentity(self);
    const fn = chosen ? app.fn(chosen.pipeline) : null;
    const key = fn ? `${chosen.pipeline} ${fn.name} ${chosen.id}` : "";
    if (key === self.historyKey && fn === self.historyFn) {
        self.historyList.refresh();
        return;
    }
    self.historyKey = key;
    self.historyFn = fn;
    self.side = chosen?.pipeline ?? self.pane.pipeline;
    self.id = chosen?.id ?? -1;
    self.events = fn ? historyOf(fn, chosen.id) : [];
    self.historyList.cursor = -1;
    self.historyList.setCount(self.events.length, self.events.reduce((most, event) => Math.max(most, event.text.length + 12), 0));
    self.historyBox.hidden = !self.events.length;
    self.historyNote.replaceChildren();
    if (!fn) self.historyNote.append("Point at a line, or choose one with a click or Enter: here is what became of it.");
    else describeSelection(self, fn);
}

function describeSelection(self, fn) {
    const life = lifeOf(fn, self.id);
    const view = self.app.view(fn.pipeline);
    const position = view.places.get(self.id);
    const row = position === undefined ? (life ? viewOf(fn, life[0]).rows.find((one) => one.id === self.id) : null) : view.rows[position];
    self.historyNote.append(element("code", null, row ? row.text : `#${self.id}`), ` ${position === undefined ? "(not in this form)" : ""} `);
    if (position === undefined && life) self.historyNote.append(button("show", "go to a step where it is", () => self.app.go(fn.pipeline, positionOfView(fn, life[1])), "button.link"));
    for (const gate of view.gates.get(position) ?? []) self.historyNote.append(element("div.gate", null, `when ${gate.text}: from block ${gate.preds.map((block) => blockName(view, block)).join(", ")}`));
}

function eventText(event) {
    return `${event.name}: ${event.kind}: ${event.text}`;
}

function renderEvent(self, index, row) {
    const event = self.events[index];
    row.title = event.text;
    row.append(element("span.event-step", null, event.name), element(`span.badge.kind.${event.kind}`, null, event.rejected ? "rejected" : event.kind), element("span.words", null, ` ${event.text}`));
}

function jump(self, event) {
    const { app } = self;
    app.go(self.side, event.position);
    if (self.id >= 0) app.keep({ type: "id", pipeline: self.side, id: self.id });
}
