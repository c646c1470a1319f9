// The pane of a recorded run: step forward and back, registers with their values, calls and events; a second form in lock step.
import { button, element, reducedMotion } from "./dom.js";
import { createList } from "./list.js";
import { alignRecords, decodeRecord, eventsUntil, nextPair, pairedStep, recordLabel, rowOfStep, stateAt } from "./run.js";

export function createRunPane(app, pane, body, toolbar) {
    const self = { app, pane, sides: [], timer: 0, pairs: null };
    if (!app.model.run?.records?.length) {
        body.append(element("p.muted.pad", null, "No run was recorded: gate explore records one if the file has a function main (see gate explore --help)."));
        return { update() {}, light() {}, reveal() {}, focus: () => body.focus(), destroy() {} };
    }
    self.first = recordChooser(app, "form that runs", false);
    self.second = recordChooser(app, "form in lock step with it", true);
    toolbar.append(self.first, element("span.muted", null, "with"), self.second);
    self.controls = makeControls(self);
    self.holder = element("div.run-sides");
    body.append(self.controls, self.holder);
    for (const chooser of [self.first, self.second]) chooser.addEventListener("change", () => chooseRecords(self));
    body.addEventListener("keydown", (event) => onRunKey(self, event));
    return { update: (changed) => updateRun(self, changed), light: () => {}, reveal: () => {}, focus: () => self.slider.focus(), destroy: () => stop(self) };
}

function recordChooser(app, label, optional) {
    const select = element("select.small", { "aria-label": label });
    if (optional) select.append(element("option", { value: "" }, "nothing else"));
    app.model.run.records.forEach((record, index) => {
        const prefix = app.model.pipelines.length > 1 ? `${app.model.pipelines[record.pipeline ?? 0].label}: ` : "";
        select.append(element("option", { value: index }, prefix + recordLabel(record)));
    });
    return select;
}

function makeControls(self) {
    self.slider = element("input.run-slider", { type: "range", min: "0", step: "1", "aria-label": "step of the run", oninput: (event) => showStep(self, Number(event.target.value)) });
    self.play = button("▶", "play", () => (self.timer ? stop(self) : start(self)));
    self.where = element("span.run-where");
    return element("div.run-controls", { role: "group", "aria-label": "run" }, button("|‹", "to the start", () => showStep(self, 0)), button("‹", "one step back", () => move(self, -1)), self.play,
        button("›", "one step forward", () => move(self, 1)), button("›|", "to the end", () => showStep(self, Infinity)), button("!", "to the next event", () => toEvent(self, 1), "button.plain.event"),
        self.slider, self.where);
}

function onRunKey(self, event) {
    if (event.target === self.slider || event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|INPUT)$/.test(event.target.tagName)) return;
    if (event.key === "ArrowRight") move(self, 1);
    else if (event.key === "ArrowLeft") move(self, -1);
    else if (event.key === "e") toEvent(self, 1);
    else if (event.key === "E") toEvent(self, -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
}

// ---- Moving

// At first the form that the other panes show, if that has run.
function current(self) {
    const { app } = self;
    if (app.state.run) return app.state.run;
    const same = app.model.run.records.findIndex((record) => (record.step || "start") === app.state.steps[record.pipeline ?? 0]);
    return { records: [Math.max(0, same)], step: 0 };
}

function chooseRecords(self) {
    const records = [Number(self.first.value)];
    if (self.second.value !== "") records.push(Number(self.second.value));
    self.app.store.set({ run: { records, step: 0 } });
    followForm(self);
}

function showStep(self, step) {
    const { records } = current(self);
    const record = decodeRecord(self.app.model, records[0]);
    self.app.store.set({ run: { records, step: Math.max(0, Math.min(record.count, step)) } });
}

// One step; in lock step, to the next step that both have.
function move(self, direction) {
    const { records, step } = current(self);
    if (records.length < 2) return showStep(self, step + direction);
    const next = nextPair(self.pairs, 0, step - 1, direction);
    showStep(self, next === null ? (direction > 0 ? Infinity : 0) : next + 1);
}

function toEvent(self, direction) {
    const { records, step } = current(self);
    const record = decodeRecord(self.app.model, records[0]);
    const places = record.events.map(([at]) => at + 1);
    const next = direction > 0 ? places.find((at) => at > step) : places.filter((at) => at < step).at(-1);
    showStep(self, next ?? (direction > 0 ? Infinity : 0));
}

// Whoever does not want motion gets to the end in one go.
function start(self) {
    if (reducedMotion()) return showStep(self, Infinity);
    self.play.textContent = "❚❚";
    self.play.setAttribute("aria-label", "pause");
    self.timer = setInterval(() => {
        const { records, step } = current(self);
        if (step >= decodeRecord(self.app.model, records[0]).count) stop(self);
        else move(self, 1);
    }, 250);
}

function stop(self) {
    clearInterval(self.timer);
    self.timer = 0;
    if (!self.play) return;
    self.play.textContent = "▶";
    self.play.setAttribute("aria-label", "play");
}

// The other panes show the form that runs.
function followForm(self) {
    for (const number of current(self).records) {
        const record = decodeRecord(self.app.model, number);
        self.app.goNamed(record.pipeline, record.step || "start");
    }
}

// ---- Showing

function sideFor(self, number) {
    const side = { registers: [], events: [] };
    side.now = element("code.run-now");
    side.stack = element("div.run-stack");
    side.box = element("div.run-list");
    side.eventBox = element("div.run-list");
    side.list = createList(side.box, { label: `registers, ${number ? "second" : "first"} form`, key: (index) => index, render: (index, row) => renderRegister(side, index, row),
        className: (index) => (side.registers[index].fresh ? "changed" : "") });
    side.eventList = createList(side.eventBox, { label: `events, ${number ? "second" : "first"} form`, key: (index) => index, render: (index, row) => renderRunEvent(side, index, row),
        className: (index) => (index === side.done - 1 ? "hot" : index >= side.done ? "later" : ""), onChoose: (index) => number === 0 && showStep(self, side.events[index][0] + 1) });
    side.title = element("h3");
    side.element = element("section.run-side", null, side.title, side.now, side.stack, element("div.run-columns", null, element("div.run-column", null, element("h4", null, "Registers"), side.box),
        element("div.run-column", null, element("h4", null, "Events"), side.eventBox)));
    return side;
}

function renderRegister(side, index, row) {
    const { name, value, fresh } = side.registers[index];
    row.append(element("span.reg.run-name", null, name), element("span.run-value", null, value));
    if (fresh) row.append(element("span.hidden-text", null, " (set by this step)"));
}

function renderRunEvent(side, index, row) {
    const [step, text] = side.events[index];
    row.append(element("span.gutter.number", null, String(step + 1)), element("span.words", null, text));
}

function updateRun(self, changed) {
    const run = current(self);
    const { model } = self.app;
    if (run.records.some((number) => !model.run.records[number])) return;
    if (self.sides.length !== run.records.length) {
        self.sides = run.records.map((_, number) => sideFor(self, number));
        self.holder.replaceChildren(...self.sides.map((side) => side.element));
    }
    self.first.value = String(run.records[0]);
    self.second.value = run.records.length > 1 ? String(run.records[1]) : "";
    const records = run.records.map((number) => decodeRecord(model, number));
    const key = run.records.join(".");
    if (records.length > 1 && self.pairKey !== key) self.pairs = alignRecords(records[0], records[1]);
    self.pairKey = key;
    self.slider.max = String(records[0].count);
    self.slider.value = String(run.step);
    const last = records[0].depth[Math.max(0, run.step - 1)] ?? 0;
    self.slider.setAttribute("aria-valuetext", `step ${run.step} of ${records[0].count}, call depth ${last}`);
    self.where.textContent = `step ${run.step} of ${records[0].count}`;
    showSide(self, self.sides[0], records[0], run.step);
    if (records.length > 1) {
        const partner = run.step ? pairedStep(self.pairs, 0, run.step - 1) : { step: -1, exact: true };
        showSide(self, self.sides[1], records[1], partner.step + 1, partner.exact);
    }
    if (changed.has("run")) markNow(self, records, run);
}

function showSide(self, side, record, step, exact = true) {
    const state = stateAt(record, step);
    const frame = state.frames.at(-1);
    side.events = record.events;
    side.done = eventsUntil(record, step);
    side.registers = frame ? [...frame.registers].map(([name, { value, step: at }]) => ({ name, value, fresh: at === step - 1 })) : [];
    side.title.textContent = `${recordLabel(record)}${exact ? "" : " (the last step that both have)"}`;
    const row = step > 0 ? rowOfStep(record, step - 1) : null;
    side.now.textContent = step === 0 ? "before the first step" : row ? row.text : `#${record.id[step - 1]}`;
    const names = state.frames.map((one) => record.functions[one.fn]?.name ?? "?");
    const end = step >= record.count ? `, ${record.cut ? "cut here" : `ended: ${record.end}`}` : "";
    side.stack.textContent = `call depth ${Math.max(0, names.length - 1)}: ${names.join(" › ")}${end}`;
    side.list.cursor = Math.min(side.list.cursor, side.registers.length - 1);
    side.list.setCount(side.registers.length);
    const fresh = side.registers.findIndex((register) => register.fresh);
    if (fresh >= 0) side.list.reveal(fresh);
    side.eventList.setCount(side.events.length);
    if (side.done > 0) side.eventList.reveal(side.done - 1);
    side.step = step;
    side.record = record;
}

// The line that was executed is marked in the other panes, and its function is shown.
function markNow(self, records, run) {
    const now = [];
    self.sides.forEach((side) => {
        if (side.step > 0) now.push({ pipeline: side.record.pipeline, fn: side.record.fn[side.step - 1], id: side.record.id[side.step - 1] });
    });
    self.app.setNow(now);
    self.app.say(`${self.sides[0].now.textContent}, step ${run.step}`);
}
