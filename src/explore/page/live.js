// The served page: the source pane is an editor. After a pause in typing the text is compiled; until the result is good, the last good one
// stays. The text area lies over lines that are only there to light up and to have numbers.
import { element } from "./dom.js";
import { rowHeight } from "./list.js";
import { givenFile } from "./model.js";

const pauseMilliseconds = 400;

// The file that is edited; functions of headers are in others.
function mainFile(app) {
    return Math.max(0, givenFile(app.model));
}

// What the editor holds and what became of it, kept when panes are built anew: { text, options, messages, state }.
export function createSession(app) {
    const main = app.model.files[mainFile(app)] ?? { lines: [] };
    return { text: (main.lines ?? []).join("\n") + "\n", options: (app.model.pipelines[0].options ?? []).join(" "), versus: (app.model.pipelines[1]?.options ?? []).join(" "), messages: "", state: "good",
        timer: 0, number: 0, listeners: new Set() };
}

function tell(session) {
    for (const listener of session.listeners) listener();
}

function words(text) {
    return text.split(/\s+/).filter(Boolean);
}

export function compileLater(app, session) {
    clearTimeout(session.timer);
    session.state = "waiting";
    tell(session);
    session.timer = setTimeout(() => compileNow(app, session), pauseMilliseconds);
}

// Only the answer to the last question counts.
async function compileNow(app, session) {
    const number = ++session.number;
    session.state = "compiling";
    tell(session);
    const body = { file: app.model.file, text: session.text, options: words(session.options) };
    if (session.versus.trim()) body.versus = words(session.versus);
    try {
        const answer = await fetch("compile", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        const text = await answer.text();
        if (number !== session.number) return;
        if (answer.status === 503) return compileLater(app, session); // busy
        const data = answer.ok ? JSON.parse(text) : { error: `${answer.status}: ${text.trim()}` };
        session.messages = data.error ?? (data.pipelines?.[0]?.messages ?? []).join("\n");
        session.state = data.error === undefined ? "good" : "bad";
        if (data.error === undefined) app.replaceData(data);
    } catch (error) {
        if (number !== session.number) return;
        session.messages = `the server does not answer (${error.message})`;
        session.state = "bad";
    }
    tell(session);
}

// The source pane of a live page.
export function createEditorPane(app, pane, body, toolbar) {
    const session = app.session;
    const self = { app, session, lines: element("div.editor-lines", { "aria-hidden": "true" }) };
    self.area = element("textarea.editor-text", { "aria-label": "C source", spellcheck: "false", wrap: "off", autocomplete: "off", autocapitalize: "off" });
    self.area.value = session.text;
    self.messages = element("pre.editor-messages", { role: "status", tabindex: "0", "aria-label": "messages of the compiler" });
    self.options = element("input.editor-options", { type: "text", "aria-label": "options of the compiler", placeholder: "options, such as -O2 --off=gvn", spellcheck: "false" });
    self.options.value = session.options;
    self.state = element("span.pane-note", { role: "status" });
    toolbar.append(self.options, self.state);
    const box = element("div.editor", null, self.lines, self.area);
    body.append(box, self.messages);
    listenToEditor(self);
    const refresh = () => showState(self);
    session.listeners.add(refresh);
    refresh();
    return { update: () => drawLines(self), light: () => drawLines(self), reveal: (lit) => revealInEditor(self, lit), focus: () => self.area.focus(), destroy: () => session.listeners.delete(refresh) };
}

function listenToEditor(self) {
    const { app, session, area } = self;
    area.addEventListener("input", () => {
        session.text = area.value;
        compileLater(app, session);
        drawLines(self);
    });
    self.options.addEventListener("change", () => {
        session.options = self.options.value;
        compileLater(app, session);
    });
    area.addEventListener("scroll", () => drawLines(self), { passive: true });
    const lineTarget = (line) => ({ type: "line", file: mainFile(app), line });
    area.addEventListener("mousemove", (event) => app.hover(lineTarget(Math.floor((event.offsetY + area.scrollTop) / rowHeight) + 1), "pointer"));
    area.addEventListener("mouseleave", () => app.hover(null, "pointer"));
    const caret = () => app.hover(lineTarget(area.value.slice(0, area.selectionStart).split("\n").length), "key");
    area.addEventListener("keyup", caret);
    area.addEventListener("click", caret);
    area.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            caret();
            app.pin(lineTarget(area.value.slice(0, area.selectionStart).split("\n").length));
        }
    });
    new ResizeObserver(() => drawLines(self)).observe(area);
}

function showState(self) {
    const { session } = self;
    const texts = { good: "", waiting: "…", compiling: "compiling…", bad: "not compiled; the other panes show the last good result" };
    self.state.textContent = texts[session.state];
    self.state.classList.toggle("error", session.state === "bad");
    self.messages.textContent = session.messages;
    self.messages.hidden = !session.messages;
    self.messages.classList.toggle("error", session.state === "bad");
}

// Numbers and lights of the lines in sight.
function drawLines(self) {
    const { area, lines, app } = self;
    const file = mainFile(app);
    const count = area.value.split("\n").length;
    const first = Math.floor(area.scrollTop / rowHeight);
    const rows = [];
    for (let index = first; index < Math.min(count, first + Math.ceil(area.clientHeight / rowHeight) + 1); index++) {
        const key = `${file}:${index + 1}`;
        const heat = [app.pinLit.lines.get(key) === "hot" ? "pinned" : "", app.lit.lines.get(key) ?? ""].filter(Boolean).map((name) => `.${name}`).join("");
        const row = element(`div.row.editor-line${heat}`, { "data-line": index + 1 }, element("span.gutter.number", null, String(index + 1)));
        row.style.top = `${index * rowHeight - area.scrollTop}px`;
        rows.push(row);
    }
    lines.replaceChildren(...rows);
}

function revealInEditor(self, lit) {
    const file = `${mainFile(self.app)}:`;
    const hot = [...lit.lines].filter(([key, heat]) => heat === "hot" && key.startsWith(file)).map(([key]) => Number(key.split(":")[1]));
    if (!hot.length) return;
    const top = (Math.min(...hot) - 1) * rowHeight;
    if (top < self.area.scrollTop || top > self.area.scrollTop + self.area.clientHeight - rowHeight) self.area.scrollTop = top - self.area.clientHeight / 3;
}
