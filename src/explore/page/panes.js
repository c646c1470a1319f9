// Panes side by side: frames with a choice of what they show, and bars between them that can be moved.
import { button, clear, element } from "./dom.js";
import { createAssemblyPane } from "./pane_asm.js";
import { createCodePane } from "./pane_code.js";
import { createGraphPane } from "./pane_graph.js";
import { createRunPane } from "./pane_run.js";
import { createSourcePane } from "./pane_source.js";
import { createStepPane } from "./pane_step.js";
import { paneKinds, paneNames } from "./state.js";

const makers = { source: createSourcePane, code: createCodePane, graph: createGraphPane, asm: createAssemblyPane, step: createStepPane, run: createRunPane };

export function createPanes(app, container) {
    const self = { app, container, frames: [] };
    return { build: () => build(self), update: (changed) => each(self, (content) => content.update(changed)), light: () => each(self, (content) => content.light()),
        reveal: (lit) => each(self, (content) => content.reveal(lit)), focus: (index) => self.frames[index]?.content.focus(), theme: () => each(self, (content) => content.theme?.()),
        print: () => each(self, (content) => content.print?.()), find: (kind) => self.frames.find((frame) => frame.pane.kind === kind)?.content, self };
}

function each(self, action) {
    for (const frame of self.frames) action(frame.content);
}

// A frame with its header; also used for the drawer.
export function createFrame(app, pane, maker, number, closable) {
    const toolbar = element("div.pane-tools");
    const body = element("div.pane-body");
    const header = element("div.pane-head", null);
    const frame = { pane, element: element(`section.pane.pane-${pane.kind}`, { "aria-label": `pane ${number}: ${paneNames[pane.kind]}` }, header, body) };
    if (closable !== null) {
        const kinds = element("select.pane-kind", { "aria-label": `what pane ${number} shows`, onchange: (event) => app.changePane(pane, { kind: event.target.value }) });
        for (const kind of paneKinds) kinds.append(element("option", { value: kind }, paneNames[kind]));
        kinds.value = pane.kind;
        header.append(kinds);
    } else header.append(element("span.pane-title", null, paneNames[pane.kind]));
    if (app.model.pipelines.length > 1 && pane.kind !== "run") header.append(pipelineChooser(app, pane, number));
    header.append(toolbar);
    if (closable) header.append(button("×", `close pane ${number}`, () => app.closePane(pane)));
    frame.content = (maker ?? makers[pane.kind])(app, pane, body, toolbar);
    return frame;
}

function pipelineChooser(app, pane, number) {
    const chooser = element("select.small", { "aria-label": `pipeline of pane ${number}`, onchange: (event) => app.changePane(pane, { pipeline: Number(event.target.value) }) });
    app.model.pipelines.forEach((pipeline, index) => chooser.append(element("option", { value: index }, pipeline.label)));
    chooser.value = String(pane.pipeline);
    return chooser;
}

function build(self) {
    const { app, container } = self;
    each(self, (content) => content.destroy());
    clear(container);
    const panes = app.state.panes;
    self.frames = panes.map((pane, index) => createFrame(app, pane, app.makerFor?.(pane), index + 1, panes.length > 1));
    self.frames.forEach((frame, index) => {
        if (index) container.append(separator(self, index));
        container.append(frame.element);
    });
    spread(self);
}

function widthsOf(self) {
    const { widths, panes } = self.app.state;
    return widths?.length === panes.length ? widths : panes.map(() => 100 / panes.length);
}

function spread(self) {
    widthsOf(self).forEach((width, index) => (self.frames[index].element.style.flexGrow = String(width)));
    self.container.querySelectorAll(".separator").forEach((bar, index) => bar.setAttribute("aria-valuenow", String(Math.round(widthsOf(self)[index]))));
}

// A bar between two panes: dragged, or moved with the arrow keys.
function separator(self, index) {
    const bar = element("div.separator", { role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": `width of pane ${index}`, "aria-valuemin": "5", "aria-valuemax": "90" });
    bar.addEventListener("pointerdown", (event) => {
        bar.setPointerCapture(event.pointerId);
        event.preventDefault();
    });
    bar.addEventListener("pointermove", (event) => {
        if (!bar.hasPointerCapture(event.pointerId)) return;
        const total = self.frames.reduce((sum, frame) => sum + frame.element.getBoundingClientRect().width, 0);
        const left = self.frames[index - 1].element.getBoundingClientRect();
        shift(self, index, ((event.clientX - left.right) / total) * widthsOf(self).reduce((a, b) => a + b, 0));
    });
    bar.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
        if (!step) return;
        shift(self, index, step);
        event.preventDefault();
        event.stopPropagation();
    });
    bar.addEventListener("dblclick", () => {
        self.app.store.set({ widths: null });
        spread(self);
    });
    return bar;
}

function shift(self, index, by) {
    const widths = [...widthsOf(self)];
    const least = 5;
    const change = Math.max(least - widths[index - 1], Math.min(by, widths[index] - least));
    widths[index - 1] += change;
    widths[index] -= change;
    self.app.store.set({ widths });
    spread(self);
}

// The bar above the drawer. `resize(height)` is told the height that is wanted, in pixels.
export function drawerBar(drawer, resize) {
    const bar = element("div.drawer-bar", { role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-label": "height of the facts", "aria-valuemin": "60", "aria-valuemax": "2000", "aria-valuenow": "200" });
    const change = (height) => {
        const wanted = Math.max(60, Math.round(height));
        bar.setAttribute("aria-valuenow", String(wanted));
        resize(wanted);
    };
    bar.addEventListener("pointerdown", (event) => {
        bar.setPointerCapture(event.pointerId);
        event.preventDefault();
    });
    bar.addEventListener("pointermove", (event) => bar.hasPointerCapture(event.pointerId) && change(drawer.getBoundingClientRect().bottom - event.clientY));
    bar.addEventListener("keydown", (event) => {
        const by = { ArrowUp: 20, ArrowDown: -20 }[event.key];
        if (!by) return;
        change(drawer.getBoundingClientRect().height + by);
        event.preventDefault();
        event.stopPropagation();
    });
    return bar;
}
