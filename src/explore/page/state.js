// What is shown, and how the address says it: function, steps, panes, selection. All changes go through set(), which tells who listens.
import { parseTarget, targetKey } from "./link.js";

export const paneKinds = ["source", "code", "graph", "asm", "step", "run"];

export const paneNames = { source: "Source", code: "Code", graph: "Graph", asm: "Assembly", step: "Step", run: "Run" };

export function defaultPanes(two) {
    const pane = (kind, pipeline) => ({ kind, pipeline, overlay: "none" });
    return two ? [pane("source", 0), pane("code", 0), pane("code", 1)] : [pane("source", 0), pane("code", 0), pane("graph", 0)];
}

// Panes as text: "source,code,graph.1:loops", with widths "30,40,30".
function panesText(panes) {
    return panes.map((pane) => pane.kind + (pane.pipeline ? `.${pane.pipeline}` : "") + (pane.overlay && pane.overlay !== "none" ? `:${pane.overlay}` : "")).join(",");
}

function parsePanes(text) {
    const panes = [];
    for (const part of text.split(",")) {
        const match = /^([a-z]+)(?:\.(\d))?(?::([a-z]+))?$/.exec(part);
        if (match && paneKinds.includes(match[1])) panes.push({ kind: match[1], pipeline: Number(match[2] ?? 0), overlay: match[3] ?? "none" });
    }
    return panes.slice(0, 6);
}

// The part of the address behind "#". Steps are named, so that an address stays good when steps are added.
export function hashOf(state) {
    const parts = [];
    const add = (name, value) => value !== "" && value !== null && value !== undefined && parts.push(`${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":")}`);
    add("f", state.fn);
    add("s", state.steps[0]);
    add("s2", state.steps[1]);
    add("p", panesText(state.panes));
    add("w", state.widths?.length ? state.widths.map((width) => Math.round(width * 10) / 10).join(",") : "");
    add("sel", targetKey(state.pinned));
    if (state.onlyChanged) add("changed", 1);
    if (state.hideRemoved) add("removed", 0);
    if (state.stable) add("stable", 1);
    if (!state.drawer) add("drawer", 0);
    if (state.drawerHeight) add("h", state.drawerHeight);
    if (state.run) add("run", `${state.run.records.join(".")}:${state.run.step}`);
    return `#${parts.join("&")}`;
}

export function parseHash(hash) {
    const found = {};
    for (const part of hash.replace(/^#/, "").split("&")) {
        const [name, value] = part.split("=");
        if (value === undefined) continue;
        try {
            found[name] = decodeURIComponent(value);
        } catch {
            continue;
        }
    }
    const state = {};
    if (found.f) state.fn = found.f;
    if (found.s || found.s2) state.steps = [found.s ?? null, found.s2 ?? null];
    const panes = found.p ? parsePanes(found.p) : [];
    if (panes.length) state.panes = panes;
    const widths = (found.w ?? "").split(",").map(Number);
    if (found.w && widths.every((width) => width > 0)) state.widths = widths;
    if (found.sel) state.pinned = parseTarget(found.sel);
    state.onlyChanged = found.changed === "1";
    state.hideRemoved = found.removed === "0";
    state.stable = found.stable === "1";
    state.drawer = found.drawer !== "0";
    if (/^\d+$/.test(found.h ?? "")) state.drawerHeight = Number(found.h);
    const run = /^(\d+)(?:\.(\d+))?:(\d+)$/.exec(found.run ?? "");
    if (run) state.run = { records: [Number(run[1]), ...(run[2] === undefined ? [] : [Number(run[2])])], step: Number(run[3]) };
    return state;
}

// A store: `set` merges, then calls each listener with the names of what has changed.
export function createStore(initial) {
    const listeners = [];
    const store = { state: initial, listen: (listener) => listeners.push(listener), set };
    function set(changes) {
        const names = Object.keys(changes).filter((name) => store.state[name] !== changes[name]);
        if (!names.length) return;
        store.state = { ...store.state, ...changes };
        const changed = new Set(names);
        for (const listener of listeners) listener(changed, store.state);
    }
    return store;
}
