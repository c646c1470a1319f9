// A page with nothing but a graph, for tests of the drawing: the modules of the page in one script, as the program puts them together, and the data of
// an explorer page.
import fs from "node:fs";
import path from "node:path";

// Modules in the order of their imports, as one script.
export function bundle(folder, start) {
    const done = new Set(), parts = [];
    const add = (name) => {
        if (done.has(name)) return;
        done.add(name);
        const text = fs.readFileSync(path.join(folder, name), "utf8");
        for (const match of text.matchAll(/^import .* from "\.\/(.*)";$/gm)) add(match[1]);
        parts.push(text.replace(/^import .*$/gm, "").replace(/^export /gm, ""));
    };
    for (const name of start) add(name);
    return parts.join("\n");
}

const main = `
const model = createModel(JSON.parse(document.getElementById("gate-data").textContent));
const calls = [];
function open(fn, index, pipeline = 0) {
    const found = model.pipelines[pipeline].functions.find((one) => one.name === fn);
    return viewOf(found, index);
}
function formsOf(fn) { return model.pipelines[0].functions.find((one) => one.name === fn).raw.views.map((view) => view.form); }
let final = null;
const graph = createGraph(document.getElementById("holder"), { onHover: (id, register) => calls.push(["hover", id, register]), onSelect: (id, register) => calls.push(["select", id, register]),
    onGate: (preds) => calls.push(["gate", preds]), onStatus: (text) => calls.push(["status", text]), finalView: () => final, reducedMotion: () => true });
globalThis.t = { model, calls, open, formsOf, graph, setFinal: (view) => { final = view; }, viewOf };
document.body.dataset.ready = "1";
`;

export function graphPage(folder, data) {
    const script = bundle(folder, ["model.js", "graph.js"]) + main;
    const styles = ["style.css", "graph.css"].map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>graph</title><style>${styles}\n#holder { position: fixed; inset: 0; }\n` +
        `@media print { #holder { position: static; } }</style></head><body><main><h1 class="hidden-text">graph</h1><div id="holder"></div></main>` +
        `<script type="application/json" id="gate-data">${data.replaceAll("</", "<\\/")}</script><script>"use strict";{${script.replaceAll("</script", "<\\/script")}}</script></body></html>`;
}
