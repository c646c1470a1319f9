// The head of the page: file, function, search, switches.
import { createCombo } from "./combo.js";
import { button, element } from "./dom.js";
import { rowNumbers, totalsOf } from "./model.js";
import { searchAll } from "./search.js";
import { paneNames } from "./state.js";

const themes = ["auto", "light", "dark"];

export function createHeader(app, container) {
    const self = { app };
    self.functions = createCombo({ label: "function", placeholder: "function", value: () => app.state.fn ?? "", find: (text) => findFunctions(app, text), choose: (item) => app.chooseFunction(item.name), leave: () => app.strips[0].track.focus() });
    self.search = createCombo({ label: "search", placeholder: "search ( / )", find: (text) => findAnything(app, text), choose: (item) => app.follow(item.result), leave: () => (app.panes.find("code") ?? app.strips[0].track).focus() });
    self.search.element.classList.add("combo-search");
    self.changed = toggle("only changed", "show only steps that changed something (c)", () => app.store.set({ onlyChanged: !app.state.onlyChanged }));
    self.removed = toggle("removed", "show removed lines and words (r)", () => app.store.set({ hideRemoved: !app.state.hideRemoved }));
    self.stable = toggle("stable numbers", "name nodes by their identity, which no step changes (s)", () => app.store.set({ stable: !app.state.stable }));
    self.drawer = toggle("facts", "show what the step did (b)", () => app.store.set({ drawer: !app.state.drawer }));
    self.theme = button("", "theme", () => app.setTheme(themes[(themes.indexOf(app.theme) + 1) % themes.length]));
    self.addPane = element("select.small", { "aria-label": "add a pane", onchange: (event) => (app.addPane(event.target.value), (event.target.value = "")) }, element("option", { value: "" }, "+ pane"));
    for (const [kind, name] of Object.entries(paneNames)) self.addPane.append(element("option", { value: kind }, name));
    const steps = element("div.group", { role: "group", "aria-label": "steps" }, button("⇤", "previous step that changed something ({)", () => app.change(-1)), button("⇥", "next step that changed something (})", () => app.change(1)), self.changed);
    container.append(element("div.brand", null, element("span.brand-name", null, "gate"), element("span.brand-file", { title: app.model.command ?? "" }, (app.model.file ?? "").split("/").slice(-2).join("/"))),
        self.functions.element, self.search.element, steps, element("div.group", { role: "group", "aria-label": "shown" }, self.removed, self.stable, self.drawer), element("div.grow"),
        element("div.group", null, self.addPane, self.theme, button("?", "help (?)", () => app.help.toggle())));
    if (app.model.pipelines.length > 1) steps.append((self.lock = toggle("together", "both pipelines go to the same step", () => app.store.set({ locked: !app.state.locked }))));
    return { update: () => updateHeader(self), focusSearch: () => self.search.focus(), focusFunctions: () => self.functions.focus() };
}

function toggle(label, title, action) {
    return element("button.toggle", { type: "button", title, "aria-pressed": "false", onclick: action }, label);
}

function updateHeader({ app, functions, changed, removed, stable, drawer, theme, lock }) {
    functions.show();
    changed.setAttribute("aria-pressed", String(app.state.onlyChanged));
    removed.setAttribute("aria-pressed", String(!app.state.hideRemoved));
    stable.setAttribute("aria-pressed", String(app.state.stable));
    drawer.setAttribute("aria-pressed", String(app.state.drawer));
    lock?.setAttribute("aria-pressed", String(app.state.locked));
    const sign = { auto: "◐", light: "○", dark: "●" }[app.theme];
    theme.textContent = sign;
    theme.title = `theme: ${app.theme} (t)`;
    theme.setAttribute("aria-label", `theme: ${app.theme}`);
}

// Functions by name, with their size at the start and at the end, and how many steps changed them.
function findFunctions(app, text) {
    const needle = text.trim().toLowerCase();
    const all = app.model.pipelines[0].functions.filter((fn) => !needle || fn.name.toLowerCase().includes(needle));
    all.sort((a, b) => (needle ? Number(b.name.toLowerCase().startsWith(needle)) - Number(a.name.toLowerCase().startsWith(needle)) : 0) || a.index - b.index);
    const limit = 200;
    const current = all.findIndex((fn) => fn.name === app.state.fn);
    const shown = all.slice(0, limit);
    if (current >= limit) shown.unshift(all[current]);
    const items = shown.map((fn) => ({ name: fn.name, label: fn.name, current: fn.name === app.state.fn, detail: functionDetail(fn) }));
    return { items, more: all.length - shown.length };
}

function functionDetail(fn) {
    const total = totalsOf(fn);
    const rows = rowNumbers(fn.raw.views[0]).length;
    return `line ${fn.line} · ${rows} rows · ${total.changed} changes${total.rejected ? ` · ${total.rejected} rejected` : ""}`;
}

function findAnything(app, text) {
    const found = searchAll(app.model, app.fn(0), app.position(0), text);
    return { items: found.results.map((result) => ({ group: result.group, label: result.label, detail: result.detail, result })), more: found.more };
}
