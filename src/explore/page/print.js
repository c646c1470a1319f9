// Paper: the lists of the page hold only what is in sight, so the function is written out for printing: source, and the form of the
// selected step with what changed.
import { clear, element } from "./dom.js";

const printSigns = { added: "+", removed: "−", changed: "~", moved: "↕" };

export function fillForPrint(app, container) {
    clear(container);
    app.model.pipelines.forEach((pipeline, number) => {
        const fn = app.fn(number);
        if (!fn) return;
        if (number === 0) container.append(element("h1", null, `${fn.name} (${app.model.file})`), sourceOf(app, fn));
        const view = app.view(number);
        container.append(element("h2", null, `${app.model.pipelines.length > 1 ? `${pipeline.label}: ` : ""}${view.form}, ${app.positionTitle(number)}`));
        const text = element("pre");
        for (const { row, mark } of app.comparison(number).entries) {
            const label = row.node >= 0 ? String(row.node).padStart(5) : "     ";
            text.append(element(mark === "removed" ? "del" : mark === "added" ? "ins" : "span", null, `${printSigns[mark] ?? " "} ${label}  ${row.text}\n`));
        }
        container.append(text);
    });
}

function sourceOf(app, fn) {
    const lines = app.model.files[fn.file]?.lines ?? [];
    const text = element("pre");
    for (let line = fn.line; line <= fn.endLine; line++) text.append(`${String(line).padStart(5)}  ${lines[line - 1] ?? ""}\n`);
    return text;
}
