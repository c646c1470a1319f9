// What the keys do, in a dialog.
import { button, element } from "./dom.js";
import { graphKeys } from "./graph_input.js";

const general = [
    ["?", "this help"], ["/", "search in steps, lines, remarks, source and assembly"], ["f", "choose a function"], ["[ and ]", "step before, step after"],
    ["{ and }", "previous, next step that changed something"], ["Home, End on the slider", "first, last step"], ["c", "only steps that changed something"], ["r", "show or hide removed lines and words"],
    ["s", "stable numbers: nodes by identity instead of position"], ["b", "show or hide what the step did"], ["t", "theme: as the system has it, light, dark"], ["1 … 6", "go to pane 1 … 6"],
    ["Escape", "let go of what is pinned"],
];
const lists = [
    ["↑ ↓ Page Up Page Down Home End", "move; relatives light up in all panes"], ["Enter", "pin what lights up; again: let go"], ["← →", "code: from register to register of the line; with the condition of its gate"],
    ["n, p", "code: next, previous change"], ["d", "code: to the definition of the register"], ["← → on a bar between panes", "move the bar"],
];
const runs = [["← →", "one step back, one step forward"], ["e, E", "to the next, previous event"]];

function table(title, rows) {
    const body = element("tbody");
    for (const [keys, meaning] of rows) body.append(element("tr", null, element("th", { scope: "row" }, element("kbd", null, keys)), element("td", null, meaning)));
    return element("section", null, element("h3", null, title), element("table.keys", null, body));
}

export function createHelp(app) {
    const dialog = element("dialog.help", { "aria-label": "help" });
    const keys = element("input", { type: "checkbox", id: "help-keys", onchange: (event) => app.setKeys(event.target.checked) });
    keys.checked = app.keysOn;
    dialog.append(
        element("div.help-head", null, element("h2", null, "Explorer"), button("×", "close", () => dialog.close())),
        element("p", null, "Follow a function from C to machine code. The slider at the top goes through the steps of the compiler; each pane shows one side of the function. What you point at lights up everywhere: the same thing in another form, the line it comes from, the instruction it became. A click keeps it lit."),
        element("p", null, "Every step is judged by a checker. A step that is rejected is undone; the page shows what was rejected, and why."),
        element("div.help-tables", null, table("Everywhere", general), table("In lists", lists), table("In the graph", graphKeys), table("In a run", runs)),
        element("p", null, element("label", { for: "help-keys" }, keys, " single letters are keys (turn this off if they get in your way)")),
        element("p.muted", null, `${app.model.program ?? ""} · ${app.model.command ?? ""}`));
    return { element: dialog, toggle: () => (dialog.open ? dialog.close() : dialog.showModal()) };
}
