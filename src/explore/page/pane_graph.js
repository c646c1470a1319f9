// The pane of the graph: a frame and a toolbar around the drawing (graph.js).
import { button, element, reducedMotion } from "./dom.js";
import { createGraph } from "./graph.js";
import { viewOf } from "./model.js";
import { registersOf } from "./tokens.js";

export function createGraphPane(app, pane, body, toolbar) {
    const self = { app, pane, key: null };
    const holder = element("div.graph-holder");
    body.append(holder);
    const targetFor = (id, register) => {
        if (id === null || id === undefined || id < 0) return register ? { type: "reg", pipeline: pane.pipeline, name: register } : null;
        return register ? { type: "id", pipeline: pane.pipeline, id, register } : { type: "id", pipeline: pane.pipeline, id };
    };
    self.graph = createGraph(holder, { onHover: (id, register) => app.hover(targetFor(id, register), "pointer"), onSelect: (id, register) => app.pin(targetFor(id, register)),
        onGate: (blocks) => app.hover(blocks ? { type: "blocks", pipeline: pane.pipeline, blocks } : null, "pointer"), onStatus: (text) => app.say(text), registersOf, reducedMotion,
        finalView: () => lastMachineView(app.fn(pane.pipeline)) });
    self.overlay = element("select.small", { "aria-label": "overlay", onchange: (event) => chooseOverlay(self, event.target.value) });
    toolbar.append(self.overlay, button("−", "zoom out", () => self.graph.zoom(1 / 1.25)), button("+", "zoom in", () => self.graph.zoom(1.25)), button("fit", "fit: show all of it", () => self.graph.fit()));
    return { update: () => updateGraph(self), light: () => lightGraph(self), reveal: (lit) => revealInGraph(self, lit), focus: () => focusInside(holder), print: () => self.graph.print?.(),
        theme: () => self.graph.setTheme?.(), destroy: () => (clearTimeout(self.later), self.graph.destroy()) };
}

// The last form of machine code, which has registers for the overlay of that name.
function lastMachineView(fn) {
    const index = fn ? fn.raw.views.map((view) => view.form === "mach" && !view.rejected).lastIndexOf(true) : -1;
    return index < 0 ? null : viewOf(fn, index);
}

// The pane is part of what is shown, and so of the address; nothing else changes.
function chooseOverlay(self, overlay) {
    self.pane.overlay = overlay;
    self.graph.setOverlay(overlay);
    self.app.keepAddress();
}

function focusInside(holder) {
    (holder.querySelector('[tabindex="0"]') ?? holder).focus();
}

// Drawing a large function takes a while: texts come first, and of several steps in a row only the last is drawn.
const drawnAtOnce = 1500;

function updateGraph(self) {
    const view = self.app.fn(self.pane.pipeline) ? self.app.view(self.pane.pipeline) : null;
    clearTimeout(self.later);
    if (!view || view.rows.length <= drawnAtOnce) drawGraph(self);
    else self.later = setTimeout(() => drawGraph(self), 30);
}

function drawGraph(self) {
    const { app, pane, graph } = self;
    const fn = app.fn(pane.pipeline);
    const view = fn ? app.view(pane.pipeline) : null;
    const marks = new Map();
    const comparison = fn ? app.comparison(pane.pipeline) : { entries: [] };
    for (const entry of comparison.entries) if (entry.mark && entry.mark !== "removed") marks.set(entry.row.key, entry.mark);
    graph.show(view, { marks, before: fn && !app.state.hideRemoved ? app.viewBefore(pane.pipeline) : null });
    self.overlay.replaceChildren(...graph.overlays().map((one) => element("option", { value: one.name, disabled: one.enabled === false ? true : undefined }, one.label)));
    const wanted = pane.overlay ?? "none";
    graph.setOverlay(graph.overlays().some((one) => one.name === wanted && one.enabled !== false) ? wanted : "none");
    self.overlay.value = wanted;
    lightGraph(self);
}

function lightGraph(self) {
    const { app, pane } = self;
    const side = app.lit.per[pane.pipeline], pinned = app.pinLit.per[pane.pipeline];
    self.graph.highlight({ ids: side.ids, pinned: pinned.ids, registers: new Set([...side.registers, ...pinned.registers]), blocks: new Set([...side.blocks, ...pinned.blocks]) });
}

function revealInGraph(self, lit) {
    const view = self.app.view(self.pane.pipeline);
    const id = [...lit.per[self.pane.pipeline].ids].find((one) => view?.places.has(one));
    if (id !== undefined) self.graph.reveal(id);
}
