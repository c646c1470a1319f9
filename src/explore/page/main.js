// The page: reads the data, makes header, sliders, panes and drawer, and holds together what they have in common: what is shown (state.js),
// what is pointed at and what is pinned (link.js).
import { element, freshId } from "./dom.js";
import { createHeader } from "./header.js";
import { createHelp } from "./help.js";
import { noRelatives, relativesOf, sameTarget, targetKey } from "./link.js";
import { createEditorPane, createSession } from "./live.js";
import { createModel, differentSteps, positionCount, positionName, positionOf, stepAt, stepsOf, viewIndexAt, viewOf } from "./model.js";
import { comparisonAt } from "./pane_code.js";
import { createFrame, createPanes, drawerBar } from "./panes.js";
import { fillForPrint } from "./print.js";
import { addSettings, rememberedSettings } from "./settings.js";
import { createStore, defaultPanes, hashOf, parseHash } from "./state.js";
import { changedPositions, createStrip, shownPositions } from "./strip.js";

// ---- What is shown at first

// One with a rejected step if there is any; else the one of the file that most steps have changed or, of two pipelines, in which most steps differ, as long
// as it is not too large to begin with.
function firstFunction(model) {
    const functions = model.pipelines[0].functions;
    const own = functions.filter((fn) => model.files[fn.file]?.name === model.file);
    const rejected = [...own, ...functions].find((fn) => fn.raw.steps.some((step) => step.verdict === "rejected"));
    if (rejected) return rejected;
    const readable = own.filter((fn) => fn.raw.rows.id.length <= 4000).slice(0, 500);
    let best = null, most = -1;
    for (const fn of readable) {
        const changes = stepsOf(fn).filter((step) => step.changed).length + 1000 * differentSteps(fn, otherOf(model, fn)).length;
        if (changes > most) [best, most] = [fn, changes];
    }
    return best ?? own[0] ?? functions[0] ?? null;
}

// The same function in the second pipeline.
function otherOf(model, fn) {
    return model.pipelines[1]?.names.get(fn.name) ?? null;
}

// A rejected step if there is one, else the first in which two pipelines differ, else the first that improved something, else the start.
function firstStep(model, fn) {
    const steps = stepsOf(fn);
    const step = steps.find((one) => one.rejected) ?? differentSteps(fn, otherOf(model, fn))[0] ?? steps.find((one) => one.changed && one.due.pass.from === one.due.pass.to && one.raw.remarks?.length) ?? steps.find((one) => one.changed);
    return step ? step.key : "start";
}

function initialState(model, hash) {
    const known = parseHash(hash);
    const named = model.pipelines[0].names.get(known.fn);
    const fn = named ?? firstFunction(model);
    const two = model.pipelines.length > 1;
    const start = fn ? known.steps?.[0] ?? firstStep(model, fn) : "start";
    const panes = (known.panes ?? defaultPanes(two)).map((pane) => ({ ...pane, pipeline: Math.min(pane.pipeline, model.pipelines.length - 1) }));
    return { fn: fn?.name ?? "", steps: two ? [start, known.steps?.[1] ?? start] : [start], panes, widths: known.widths ?? null, pinned: known.pinned ?? null, onlyChanged: known.onlyChanged,
        hideRemoved: known.hideRemoved, stable: known.stable, drawer: known.drawer, drawerHeight: known.drawerHeight ?? 0, locked: !known.steps?.[1] || known.steps[0] === known.steps[1], run: known.run ?? null };
}

// ---- The common part

function createApp(data) {
    const model = createModel(data);
    const app = { model, store: createStore(initialState(model, location.hash)), lit: noRelatives(), pinLit: noRelatives(), now: [], ...rememberedSettings() };
    Object.defineProperty(app, "state", { get: () => app.store.state });
    addQuestions(app);
    addMoves(app);
    addLight(app);
    addPaneActions(app);
    addSettings(app);
    app.keepAddress = () => history.replaceState(null, "", hashOf(app.state));
    return app;
}

function addQuestions(app) {
    app.fn = (pipeline) => app.model.pipelines[pipeline]?.names.get(app.state.fn) ?? null;
    app.functions = () => app.model.pipelines.map((_, index) => app.fn(index));
    app.position = (pipeline) => {
        const fn = app.fn(pipeline);
        return fn ? positionOf(fn, app.state.steps[pipeline] ?? "start") : 0;
    };
    app.view = (pipeline) => {
        const fn = app.fn(pipeline);
        return fn ? viewOf(fn, viewIndexAt(fn, app.position(pipeline))) : null;
    };
    app.viewBefore = (pipeline) => {
        const fn = app.fn(pipeline);
        const step = fn ? stepAt(fn, app.position(pipeline)) : null;
        return step ? viewOf(fn, step.before) : null;
    };
    app.comparison = (pipeline) => comparisonAt(app.fn(pipeline), app.viewBefore(pipeline), app.view(pipeline));
    app.positionTitle = (pipeline) => {
        const name = app.fn(pipeline) ? positionName(app.fn(pipeline), app.position(pipeline)) : "start";
        return name === "start" ? "at the start" : `after ${name}`;
    };
    app.isNow = (pipeline, id) => app.now.some((one) => one.pipeline === pipeline && one.id === id && app.model.pipelines[pipeline].functions[one.fn]?.name === app.state.fn);
}

function addMoves(app) {
    app.goNamed = (pipeline, name) => {
        const steps = app.state.steps.map((old, index) => (index === pipeline || app.state.locked ? name : old));
        if (steps.some((step, index) => step !== app.state.steps[index])) app.store.set({ steps });
    };
    app.go = (pipeline, position) => {
        const fn = app.fn(pipeline);
        if (fn) app.goNamed(pipeline, positionName(fn, Math.max(0, Math.min(positionCount(fn) - 1, position))));
    };
    const along = (positions, direction) => {
        const at = app.position(0);
        const next = direction > 0 ? positions.find((one) => one > at) : positions.filter((one) => one < at).at(-1);
        if (next !== undefined) app.go(0, next);
        else app.say(direction > 0 ? "no step after this" : "no step before this");
    };
    app.step = (direction) => app.fn(0) && along(shownPositions(app.fn(0), app.state.onlyChanged, app.position(0)), direction);
    app.change = (direction) => app.fn(0) && along(changedPositions(app.fn(0)), direction);
    app.chooseFunction = (name) => app.store.set({ fn: name, pinned: null });
    app.follow = (result) => {
        if (result.fn) return app.chooseFunction(result.fn);
        if (result.position !== undefined) app.go(0, result.position);
        if (result.target) app.keep(result.target);
    };
}

function addLight(app) {
    let frame = 0;
    app.hover = (target, how) => {
        if (sameTarget(app.lit.target, target) && how !== "spot" && String(app.lit.target?.blocks) === String(target?.blocks)) return;
        app.lit = relativesOf(app.functions(), target);
        frame ||= requestAnimationFrame(() => {
            frame = 0;
            app.relight();
        });
    };
    // Pins what is not pinned yet, lets go of what is.
    app.pin = (target) => app.store.set({ pinned: sameTarget(app.state.pinned, target) ? null : target });
    app.keep = (target) => {
        if (!sameTarget(app.state.pinned, target)) app.store.set({ pinned: target });
        else app.panes.reveal(app.pinLit);
    };
    app.relight = () => {
        app.panes.light();
        app.drawer?.content.light();
        app.showStatus();
    };
    app.setNow = (now) => {
        app.now = now;
        const first = now[0];
        const name = first ? app.model.pipelines[first.pipeline].functions[first.fn]?.name : null;
        if (name && name !== app.state.fn) app.store.set({ fn: name });
        app.relight();
        if (first) {
            const lit = noRelatives();
            lit.per[first.pipeline].ids.add(first.id);
            app.panes.reveal(lit);
        }
    };
}

function addPaneActions(app) {
    app.changePane = (pane, changes) => {
        if (pane !== app.drawer.pane) return changeShown(pane, changes);
        Object.assign(pane, changes);
        app.drawer.content.update(new Set(["steps"]));
    };
    const changeShown = (pane, changes) => app.store.set({ panes: app.state.panes.map((one) => (one === pane ? { ...one, ...changes } : one)) });
    app.closePane = (pane) => app.store.set({ panes: app.state.panes.filter((one) => one !== pane), widths: null });
    app.addPane = (kind) => {
        if (!kind) return;
        if (app.state.panes.length >= 6) return app.say("six panes are the most");
        app.store.set({ panes: [...app.state.panes, { kind, pipeline: 0, overlay: "none" }], widths: null });
    };
    app.makerFor = (pane) => (app.model.live && pane.kind === "source" ? createEditorPane : null);
}

// ---- The parts of the page

function buildPage(app, page) {
    const header = element("header.head", { "aria-label": "explorer" });
    const strips = element("div.strips", { role: "group", "aria-label": "steps" });
    const main = element("div.panes");
    const drawer = element("div.drawer");
    const bar = drawerBar(drawer, (height) => app.store.set({ drawerHeight: height }));
    const status = element("footer.status", null, element("span.status-text"), element("span.status-more"));
    const speaker = element("div.hidden-text", { "aria-live": "polite", id: freshId("speaker") });
    const paper = element("div.paper");
    page.replaceChildren(element("h1.hidden-text", null, `${app.model.file ?? ""}: from C to machine code`), header, strips, main, bar, drawer, status, speaker, paper);
    app.say = (text) => (speaker.textContent = text);
    app.header = createHeader(app, header);
    app.strips = app.model.pipelines.map((_, index) => createStrip(app, index));
    strips.replaceChildren(...app.strips.map((strip) => strip.element));
    app.panes = createPanes(app, main);
    app.drawer = createFrame(app, { kind: "step", pipeline: 0 }, null, 0, null);
    drawer.append(app.drawer.element);
    app.drawerElement = drawer;
    app.drawerBar = bar;
    app.help = createHelp(app);
    page.append(app.help.element);
    app.showStatus = () => showStatus(app, status);
    app.paper = paper;
    app.panes.build();
}

// The line at the bottom: what is pointed at, in words.
function showStatus(app, status) {
    const target = app.lit.target ?? app.pinLit.target;
    const texts = target?.note ? [target.note] : [];
    if (target?.type === "line") texts.push(`line ${target.line}`);
    if (target?.type === "id") {
        const fn = app.fn(target.pipeline);
        const position = app.view(target.pipeline)?.places.get(target.id);
        const row = position === undefined ? null : app.view(target.pipeline).rows[position];
        texts.push(`#${target.id}`, row && row.node >= 0 ? `node ${row.node}` : "", row?.loc ? `${app.model.files[row.loc.file]?.name ?? ""}:${row.loc.line}:${row.loc.column}` : "", target.register ?? "", row ? "" : "not in this form");
        for (const gate of (position !== undefined && app.view(target.pipeline).gates.get(position)) || []) texts.push(`when ${gate.text}`);
        if (!fn) texts.length = 0;
    }
    if (target?.type === "reg") texts.push(target.name);
    if (target?.type === "asm") texts.push(`assembly line ${target.index + 1}`, target.register ?? "");
    status.firstChild.textContent = texts.filter(Boolean).join(" · ");
    status.lastChild.textContent = app.state.pinned ? "pinned (Escape lets go)" : "";
}

function refreshAll(app, changed) {
    if (changed.has("pinned") || changed.has("fn") || changed.has("data")) {
        app.lit = noRelatives();
        app.pinLit = relativesOf(app.functions(), app.state.pinned);
    }
    if (changed.has("panes")) app.panes.build();
    app.drawerElement.style.height = app.state.drawerHeight ? `${app.state.drawerHeight}px` : "";
    const shown = ["fn", "steps", "panes", "onlyChanged", "hideRemoved", "stable", "data", "drawer", "locked"].some((name) => changed.has(name));
    if (shown) {
        app.header.update();
        for (const strip of app.strips) strip.update();
        const everything = changed.has("panes") ? new Set([...changed, "fn"]) : changed;
        app.panes.update(everything);
        app.drawerElement.hidden = app.drawerBar.hidden = !app.state.drawer || !app.fn(0);
        if (app.state.drawer) app.drawer.content.update(changed);
    } else if (changed.has("run")) app.panes.update(changed);
    if (changed.has("pinned") || shown) app.relight();
    if (changed.has("pinned") && app.state.pinned) app.panes.reveal(app.pinLit);
    app.strips.forEach((strip, index) => strip.element.classList.toggle("apart", index > 0));
    app.keepAddress();
}

// ---- Keys

function onKey(app, event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || app.help.element.open) return;
    if (event.key === "Escape") return app.state.pinned && app.store.set({ pinned: null });
    if (!app.keysOn || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const actions = { "?": () => app.help.toggle(), "/": () => app.header.focusSearch(), f: () => app.header.focusFunctions(), "[": () => app.step(-1), "]": () => app.step(1), "{": () => app.change(-1),
        "}": () => app.change(1), c: () => app.store.set({ onlyChanged: !app.state.onlyChanged }), r: () => app.store.set({ hideRemoved: !app.state.hideRemoved }),
        s: () => app.store.set({ stable: !app.state.stable }), b: () => app.store.set({ drawer: !app.state.drawer }),
        t: () => app.setTheme({ auto: "light", light: "dark", dark: "auto" }[app.theme]), n: () => app.panes.find("code")?.nextChange(1), p: () => app.panes.find("code")?.nextChange(-1) };
    const action = /^[1-6]$/.test(event.key) ? () => app.panes.focus(Number(event.key) - 1) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
}

// ---- Start

function showPage(data, page) {
    const app = createApp(data);
    document.documentElement.dataset.theme = app.theme;
    document.title = `${app.model.file ?? "gate"}: gate explore`;
    if (app.model.live) app.session = createSession(app);
    // A new result of the live page: what is shown stays, as far as it still exists.
    app.replaceData = (fresh) => {
        const before = app.model.pipelines.length;
        app.model = createModel({ ...fresh, live: true });
        if (!app.fn(0)) app.store.state = { ...app.store.state, fn: firstFunction(app.model)?.name ?? "" };
        if (before !== app.model.pipelines.length) {
            app.store.state = { ...app.store.state, panes: defaultPanes(app.model.pipelines.length > 1), steps: app.model.pipelines.map(() => app.state.steps[0]) };
            buildPage(app, page);
        }
        refreshAll(app, new Set(["data"]));
    };
    buildPage(app, page);
    app.store.listen((changed) => refreshAll(app, changed));
    document.addEventListener("keydown", (event) => onKey(app, event));
    globalThis.addEventListener("hashchange", () => {
        if (location.hash === hashOf(app.state)) return;
        const wanted = Object.entries(initialState(app.model, location.hash));
        app.store.set(Object.fromEntries(wanted.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(app.state[name]))));
    });
    globalThis.addEventListener("beforeprint", () => {
        fillForPrint(app, app.paper);
        app.panes.print();
    });
    refreshAll(app, new Set(["fn", "steps", "pinned", "run", "data"]));
    if (app.state.pinned) app.panes.reveal(app.pinLit);
    document.body.dataset.ready = targetKey(app.state.pinned) || "yes";
}

function startPage() {
    const page = document.getElementById("page");
    const source = document.getElementById("gate-data");
    try {
        showPage(JSON.parse(source.textContent), page);
    } catch (error) {
        page.replaceChildren(element("p.error.pad", { role: "alert" }, `This page cannot be shown: ${error.message}`));
        throw error;
    }
}

startPage();
