// The slider over the steps of a function: a cell for each, with its name, its size and its time as bars, the forms above.
import { clear, element, timeText } from "./dom.js";
import { formOfView, stepsOf, totalsOf, whyNothing } from "./model.js";

export function verdictText(step) {
    const words = { unchanged: "nothing to do", accepted: "accepted", inside: "judged with its excursion", rejected: "rejected", unchecked: "not checked" };
    return (words[step.verdict] ?? step.verdict) + (step.givenUp && !step.rejected ? ", given up" : "");
}

// Positions that the slider shows: all, or only those of steps that changed something.
export function shownPositions(fn, onlyChanged, current) {
    const positions = [0];
    for (const step of stepsOf(fn)) if (!onlyChanged || step.changed || step.index + 1 === current) positions.push(step.index + 1);
    return positions;
}

export function changedPositions(fn) {
    return [0, ...stepsOf(fn).filter((step) => step.changed).map((step) => step.index + 1)];
}

export function createStrip(app, pipeline) {
    const track = element("div.strip-track", { role: "slider", tabindex: "0", "aria-label": app.model.pipelines.length > 1 ? `step of ${app.model.pipelines[pipeline].label}` : "step",
        "aria-valuemin": "0", "aria-orientation": "horizontal" });
    const info = element("div.strip-info");
    const strip = element("div.strip", null, track, info);
    const self = { element: strip, track, info, app, pipeline, update: () => updateStrip(self) };
    const choose = (event) => {
        const cell = event.target.closest?.(".cell");
        if (cell) app.go(pipeline, Number(cell.dataset.position));
    };
    track.addEventListener("pointerdown", (event) => {
        choose(event);
        track.dataset.drag = "1";
    });
    track.addEventListener("pointermove", (event) => event.buttons === 1 && track.dataset.drag && choose(event));
    for (const end of ["pointerup", "pointerleave"]) track.addEventListener(end, () => delete track.dataset.drag);
    track.addEventListener("keydown", (event) => onStripKey(self, event));
    return self;
}

function onStripKey(self, event) {
    const { app, pipeline } = self;
    const fn = app.fn(pipeline);
    if (!fn || event.ctrlKey || event.metaKey || event.altKey) return;
    const positions = shownPositions(fn, app.state.onlyChanged, app.position(pipeline));
    const at = positions.indexOf(app.position(pipeline));
    const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5, Home: -Infinity, End: Infinity };
    if (!(event.key in moves)) return;
    app.go(pipeline, positions[Math.max(0, Math.min(positions.length - 1, at + moves[event.key]))]);
    event.preventDefault();
    event.stopPropagation();
}

function cellFor(fn, position, scale) {
    const step = position ? stepsOf(fn)[position - 1] : null;
    const form = formOfView(fn, step?.after ?? 0);
    const state = !step ? "start" : step.rejected ? "rejected" : step.changed ? "changed" : "unchanged";
    const cell = element(`div.cell.${state}${step?.givenUp ? ".given-up" : ""}`, { "data-position": position, "data-form": form, "data-step": step?.name ?? "start" });
    const bars = element("div.cell-bars");
    const size = step?.size ? step.size[1] : scale.first;
    bars.append(bar("size", size / scale.size));
    if (step?.seconds) bars.append(bar("time", sum(step.seconds) / scale.time));
    cell.append(bars, element("div.cell-name", null, step?.name ?? "start"));
    cell.title = step ? `${step.name}: ${step.due.pass.meaning} (${verdictText(step)}${step.seconds ? `, ${timeText(sum(step.seconds))}` : ""})` : "as the front end made it";
    return cell;
}

function bar(name, share) {
    const made = element(`div.bar.${name}`);
    made.style.height = `${Math.max(4, Math.min(100, share * 100))}%`;
    return made;
}

function sum(numbers) {
    return numbers.reduce((a, b) => a + b, 0);
}

function scaleOf(fn) {
    const steps = stepsOf(fn);
    const sizes = steps.flatMap((step) => step.size ?? []);
    return { size: Math.max(1, ...sizes), first: steps.find((step) => step.size)?.size[0] ?? 0, time: Math.max(1e-9, ...steps.map((step) => sum(step.seconds ?? [0]))) };
}

function updateStrip(self) {
    const { app, pipeline, track, info } = self;
    const fn = app.fn(pipeline);
    clear(track);
    clear(info);
    if (!fn) {
        info.append(element("span.muted", null, whyNothing(app.model, pipeline)));
        return;
    }
    const position = app.position(pipeline);
    const scale = scaleOf(fn);
    let form = null, group = null;
    for (const shown of shownPositions(fn, app.state.onlyChanged, position)) {
        const cell = cellFor(fn, shown, scale);
        if (cell.dataset.form !== form) {
            form = cell.dataset.form;
            group = element("div.strip-group", { "data-form": form }, element("div.strip-form", null, form), element("div.strip-cells"));
            track.append(group);
        }
        if (shown === position) cell.classList.add("at");
        group.lastChild.append(cell);
        group.style.minWidth = `${group.lastChild.children.length * 23 + (group.querySelector(".at") ? 70 : 0)}px`;
    }
    describe(self, fn, position);
    track.querySelector(".at")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function describe({ app, track, info, pipeline }, fn, position) {
    const steps = stepsOf(fn);
    const step = position ? steps[position - 1] : null;
    track.setAttribute("aria-valuemax", steps.length);
    track.setAttribute("aria-valuenow", position);
    track.setAttribute("aria-valuetext", step ? `${step.name}, step ${position} of ${steps.length}, ${verdictText(step)}` : "start, as the front end made it");
    const add = (name, ...parts) => info.append(element(`span.${name}`, null, ...parts));
    if (app.model.pipelines.length > 1) add("badge.pipeline", app.model.pipelines[pipeline].label);
    add("info-name", step?.name ?? "start");
    if (step && step.due.pass.from) add("info-form", step.due.pass.from === step.due.pass.to ? step.due.pass.from : `${step.due.pass.from} → ${step.due.pass.to}`);
    add("info-meaning", step ? step.due.pass.meaning : "as the front end made it");
    if (step) add(`badge.verdict.${step.verdict}`, verdictText(step));
    const counts = app.comparison(pipeline).counts;
    for (const [name, sign] of [["added", "+"], ["removed", "−"], ["changed", "~"], ["moved", "↕"]]) if (counts[name]) add(`count.${name}`, `${sign}${counts[name]}`);
    if (step?.size) add("info-size", `size ${step.size[0]} → ${step.size[1]}`);
    if (step?.seconds) add("info-time", `${timeText(step.seconds[0])} transform, ${timeText(step.seconds[1])} verify, ${timeText(step.seconds[2])} check`);
    const total = totalsOf(fn);
    let text = `in all ${steps.length} steps, ${total.changed} with change`;
    if (total.rejected) text += `, ${total.rejected} rejected`;
    if (total.sizeBefore !== null) text += `, size ${total.sizeBefore} → ${total.sizeAfter}`;
    if (app.model.times && sum(total.seconds)) text += `, ${timeText(sum(total.seconds))}`;
    add("info-total", text);
    info.lastChild.title = text;
}
