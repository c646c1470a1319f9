// Lists of any length: only the rows in sight (and a few more) are elements. All rows are equally high. The list has the focus, one row is
// its cursor (aria-activedescendant), as a list box.
import { element, freshId } from "./dom.js";

export const rowHeight = 20;
const extraRows = 12;

// options: { label, render(index, row), key(index), onCursor(index, how), onChoose(index, event), onPoint(index, event), onKey(event, index) -> handled, className(index) }
export function createList(container, options) {
    const inner = element("div.list-inner", { role: "presentation" });
    const list = element("div.list", { role: "listbox", tabindex: "0", "aria-label": options.label }, inner);
    container.append(list);
    const self = { element: list, count: 0, cursor: -1, rows: new Map(), options, inner, id: freshId("list") };
    self.setCount = (count, width) => setCount(self, count, width);
    self.rerender = () => rerender(self);
    self.refresh = () => refreshRows(self);
    self.moveTo = (index, how) => moveTo(self, index, how);
    self.reveal = (index) => revealRow(self, index);
    self.visible = (index) => isVisible(self, index);
    self.anchor = () => anchorsOf(self);
    self.restore = (anchors, indexOf) => restorePlace(self, anchors, indexOf);
    let pending = 0;
    const later = () => (pending ||= requestAnimationFrame(() => ((pending = 0), draw(self))));
    list.addEventListener("scroll", later, { passive: true });
    self.observer = new ResizeObserver(later);
    self.observer.observe(list);
    listenToPointer(self);
    list.addEventListener("keydown", (event) => onListKey(self, event));
    list.addEventListener("focus", () => {
        if (self.cursor < 0 && self.count) self.moveTo(Math.max(0, Math.ceil(list.scrollTop / rowHeight)), "focus");
        else if (self.cursor >= 0) options.onCursor?.(self.cursor, "focus");
    });
    return self;
}

// `width`: the longest row in characters, for scrolling sideways.
function setCount(self, count, width = 0) {
    self.count = count;
    self.inner.style.width = width ? `calc(${width}ch + 90px)` : "";
    self.inner.style.height = `${count * rowHeight}px`;
    self.inner.style.setProperty("--digits", String(count).length);
    if (self.cursor >= count) self.cursor = count - 1;
    rerender(self);
}

function rerender(self) {
    for (const row of self.rows.values()) row.remove();
    self.rows.clear();
    draw(self);
}

function refreshRows(self) {
    for (const [index, row] of self.rows) classify(self, index, row);
}

function moveTo(self, index, how) {
    if (!self.count) return;
    self.cursor = Math.max(0, Math.min(index, self.count - 1));
    if (how !== "pointer") revealRow(self, self.cursor);
    draw(self);
    refreshRows(self);
    self.options.onCursor?.(self.cursor, how);
}

// Scrolls only if the row is out of sight; one that is far away comes to a third of the height.
function revealRow(self, index) {
    const list = self.element;
    const top = index * rowHeight, height = list.clientHeight;
    if (top < list.scrollTop) list.scrollTop = top - (list.scrollTop - top > rowHeight * 2 ? height / 3 : 0);
    else if (top + rowHeight > list.scrollTop + height) list.scrollTop = top - (top - list.scrollTop - height > rowHeight ? height / 3 : height - rowHeight);
    draw(self);
}

function isVisible(self, index) {
    const top = index * rowHeight;
    return top >= self.element.scrollTop && top + rowHeight <= self.element.scrollTop + self.element.clientHeight;
}

// The rows by which the list keeps its place when its rows change: the cursor if it is in sight, then those at the top, rows with an identity first.
function anchorsOf(self) {
    const scrolled = self.element.scrollTop;
    const first = Math.ceil(scrolled / rowHeight);
    const choices = [];
    if (self.cursor >= 0 && isVisible(self, self.cursor)) choices.push(self.cursor);
    for (let i = first; i < Math.min(self.count, first + 40); i++) choices.push(i);
    const anchors = choices.map((index) => ({ key: self.options.key?.(index), offset: index * rowHeight - scrolled }));
    const known = (anchor) => /^i\d/.test(anchor.key);
    return [...anchors.filter(known), ...anchors.filter((anchor) => !known(anchor))];
}

function restorePlace(self, anchors, indexOf) {
    for (const { key, offset } of anchors) {
        const index = key === undefined ? undefined : indexOf(key);
        if (index === undefined || index < 0) continue;
        self.element.scrollTop = index * rowHeight - offset;
        break;
    }
    draw(self);
}

function listenToPointer(self) {
    const list = self.element, options = self.options;
    const indexAt = (event) => {
        const row = event.target.closest?.(".row");
        return row && list.contains(row) ? Number(row.dataset.index) : -1;
    };
    list.addEventListener("mousemove", (event) => options.onPoint?.(indexAt(event), event));
    list.addEventListener("mouseleave", (event) => options.onPoint?.(-1, event));
    list.addEventListener("click", (event) => {
        const index = indexAt(event);
        if (index < 0) return;
        self.moveTo(index, "pointer");
        options.onChoose?.(index, event);
    });
}

function onListKey(self, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(self.element.clientHeight / rowHeight) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves) self.moveTo(Math.max(0, Math.min(self.count - 1, (self.cursor < 0 ? 0 : self.cursor) + moves[event.key])), "key");
    else if (event.key === "Enter" || event.key === " ") {
        if (self.cursor >= 0) self.options.onChoose?.(self.cursor, event);
    } else if (!self.options.onKey?.(event, self.cursor)) return;
    event.preventDefault();
    event.stopPropagation();
}

function classify(self, index, row) {
    const names = self.options.className?.(index) ?? "";
    row.className = `row${names ? ` ${names}` : ""}${index === self.cursor ? " cursor" : ""}`;
    row.setAttribute("aria-selected", names.includes("pinned") ? "true" : "false");
}

function makeRow(self, index) {
    const row = element("div.row", { role: "option", id: `${self.id}-${index}`, "data-index": index, "aria-posinset": index + 1, "aria-setsize": self.count });
    row.style.top = `${index * rowHeight}px`;
    self.options.render(index, row);
    classify(self, index, row);
    return row;
}

// Makes elements of the rows in sight and drops the others.
function draw(self) {
    const list = self.element;
    const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - extraRows);
    const end = Math.min(self.count, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + extraRows);
    for (const [index, row] of self.rows) {
        if ((index >= first && index < end) || index === self.cursor) continue;
        row.remove();
        self.rows.delete(index);
    }
    const need = [];
    for (let index = first; index < end; index++) if (!self.rows.has(index)) need.push(index);
    if (self.cursor >= 0 && self.cursor < self.count && !self.rows.has(self.cursor) && (self.cursor < first || self.cursor >= end)) need.push(self.cursor);
    for (const index of need) {
        const row = makeRow(self, index);
        self.rows.set(index, row);
        self.inner.append(row);
    }
    if (self.cursor >= 0) list.setAttribute("aria-activedescendant", `${self.id}-${self.cursor}`);
    else list.removeAttribute("aria-activedescendant");
}
