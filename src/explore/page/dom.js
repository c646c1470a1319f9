// Small helpers for elements. Text always goes in as text.

// element("div.pane", { role: "list", onclick: f, hidden: true }, child, "text", …)
export function element(description, properties, ...children) {
    const [tag, ...classes] = description.split(".");
    const made = document.createElement(tag || "div");
    if (classes.length) made.className = classes.join(" ");
    for (const [name, value] of Object.entries(properties ?? {})) {
        if (value === undefined || value === null) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else if (name in made && typeof value === "boolean" && !name.startsWith("aria")) made[name] = value;
        else made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

export function clear(node) {
    node.replaceChildren();
    return node;
}

export function button(label, title, action, description = "button.plain") {
    return element(description, { type: "button", title, "aria-label": title, onclick: action }, label);
}

let lastId = 0;

export function freshId(prefix) {
    return `${prefix}-${++lastId}`;
}

// Milliseconds in few figures.
export function timeText(seconds) {
    const ms = seconds * 1000;
    if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
    if (ms >= 10) return `${ms.toFixed(0)} ms`;
    if (ms >= 0.1) return `${ms.toFixed(1)} ms`;
    return `${(ms * 1000).toFixed(0)} µs`;
}

export function reducedMotion() {
    return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
