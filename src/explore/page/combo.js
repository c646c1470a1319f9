// A text box with a list of what fits, for choosing a function and for searching.
import { clear, element, freshId } from "./dom.js";

// options: { label, placeholder, find(text) -> { items: [{ group?, label, detail?, hint? }], more }, choose(item), value() -> text shown when nothing is typed,
// leave(): after a choice by key, takes the focus to where the next keys are for }
export function createCombo(options) {
    const listId = freshId("combo");
    const input = element("input.combo-input", { type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": listId, "aria-autocomplete": "list",
        "aria-label": options.label, placeholder: options.placeholder ?? "", autocomplete: "off", spellcheck: "false" });
    const list = element("div.combo-list", { role: "listbox", id: listId, "aria-label": options.label });
    list.hidden = true;
    const box = element("div.combo", null, input, list);
    const self = { element: box, input, list, listId, options, items: [], at: -1, typed: false, show: () => (input.value = options.value?.() ?? ""), focus: () => (input.focus(), input.select()) };
    input.addEventListener("focus", () => {
        input.select();
        open(self);
    });
    input.addEventListener("input", () => {
        self.typed = true;
        open(self);
    });
    input.addEventListener("click", () => list.hidden && open(self));
    input.addEventListener("blur", () => close(self));
    input.addEventListener("keydown", (event) => onComboKey(self, event));
    list.addEventListener("mousedown", (event) => {
        event.preventDefault();
        const item = event.target.closest("[data-item]");
        if (item) chooseItem(self, Number(item.dataset.item));
    });
    self.show();
    return self;
}

function close(self) {
    self.list.hidden = true;
    self.typed = false;
    self.input.setAttribute("aria-expanded", "false");
    self.input.removeAttribute("aria-activedescendant");
    if (self.options.value) self.show();
}

function open(self) {
    const found = self.options.find(self.typed || !self.options.value ? self.input.value : "");
    self.items = found.items;
    clear(self.list);
    let group = null;
    self.items.forEach((item, index) => {
        if (item.group && item.group !== group) self.list.append(element("div.combo-group", { role: "presentation" }, (group = item.group)));
        self.list.append(element("div.combo-item", { role: "option", id: `${self.listId}-${index}`, "data-item": index, "aria-selected": "false" },
            element("span.combo-label", null, item.label), element("span.combo-detail", null, item.detail ?? "")));
    });
    const note = found.more ? `and ${found.more} more: type to narrow` : self.items.length ? "" : self.input.value.trim() ? "nothing found" : "";
    if (note) self.list.append(element("div.combo-group", { role: "presentation" }, note));
    self.list.hidden = !self.items.length && !note;
    self.input.setAttribute("aria-expanded", String(!self.list.hidden));
    point(self, self.typed && self.items.length ? 0 : self.items.findIndex((item) => item.current));
}

function point(self, index) {
    self.list.querySelector(".at")?.classList.remove("at");
    self.list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    self.at = index;
    const item = index >= 0 ? self.list.querySelector(`[data-item="${index}"]`) : null;
    if (!item) {
        self.input.removeAttribute("aria-activedescendant");
        return;
    }
    item.classList.add("at");
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    self.input.setAttribute("aria-activedescendant", item.id);
}

function chooseItem(self, index) {
    const item = self.items[index];
    if (!item) return false;
    close(self);
    self.options.choose(item);
    if (self.options.value) self.show();
    return true;
}

function onComboKey(self, event) {
    event.stopPropagation();
    const last = self.items.length - 1;
    if (event.key === "ArrowDown" && self.list.hidden) open(self);
    else if (event.key === "ArrowDown") point(self, Math.min(last, self.at + 1));
    else if (event.key === "ArrowUp") point(self, Math.max(0, self.at - 1));
    else if (event.key === "PageDown") point(self, Math.min(last, self.at + 10));
    else if (event.key === "PageUp") point(self, Math.max(0, self.at - 10));
    else if (event.key === "Enter") {
        if (chooseItem(self, Math.max(0, self.at))) self.options.leave?.();
    } else if (event.key === "Escape" && !self.list.hidden) close(self);
    else if (event.key === "Escape") self.input.blur();
    else return;
    event.preventDefault();
}
