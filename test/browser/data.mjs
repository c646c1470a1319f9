// What a page must show, read off its data directly: deliberately naive, and without the page's own modules.
import fs from "node:fs";

export function dataOf(file) {
    const html = fs.readFileSync(file, "utf8");
    const start = html.indexOf(">", html.indexOf('<script type="application/json" id="gate-data"')) + 1;
    return JSON.parse(html.slice(start, html.indexOf("</script>", start)));
}

// One function of a pipeline with its texts in place: { steps: [{ name, verdict, changed, rejected, before, after, … }], views: [[{ id, text, loc, node }]] }.
export function functionOf(data, name, pipeline = 0) {
    const owner = data.pipelines[pipeline];
    const raw = owner.functions.find((one) => one.name === name);
    const text = (index) => (index === undefined ? "" : raw.texts[index]);
    const loc = (index) => (raw.locs[index]?.length ? { file: raw.locs[index][0], line: raw.locs[index][1], column: raw.locs[index][2] } : null);
    const views = raw.views.map((view) => {
        const rows = [];
        for (let i = 0; i < view.order.length; i += 2) {
            for (let row = view.order[i]; row < view.order[i] + view.order[i + 1]; row++) {
                rows.push({ id: raw.rows.id[row], text: text(raw.rows.text[row]), loc: loc(raw.rows.loc[row]), node: raw.rows.node[row], kind: raw.rows.kind[row] });
            }
        }
        return rows;
    });
    let current = 0;
    const steps = raw.steps.map((step) => {
        const before = current;
        if (step.verdict !== "rejected") current = step.view;
        return { name: owner.steps[step.step].name, verdict: step.verdict, before, after: step.view, changed: step.view !== before, reason: text(step.reason), established: text(step.established), hint: text(step.hint),
            size: step.size, remarks: (step.remarks ?? []).map(([kind, from, to, other, place, words]) => ({ kind, before: from, after: to, other, loc: loc(place), text: text(words) })) };
    });
    const asm = raw.asm ? raw.asm.lines.map((line, index) => ({ text: text(line), id: raw.asm.ids[index], loc: loc(raw.asm.locs[index]) })) : [];
    return { name, steps, views, asm, raw, line: raw.line, endLine: raw.endLine, file: raw.file };
}

export function idsOf(view) {
    return new Set(view.filter((row) => row.id >= 0).map((row) => row.id));
}

// Identities that were on a line of the source in any view.
export function idsOnLine(fn, file, line) {
    const ids = new Set();
    for (const view of fn.views) for (const row of view) if (row.id >= 0 && row.loc?.file === file && row.loc.line === line) ids.add(row.id);
    return ids;
}
