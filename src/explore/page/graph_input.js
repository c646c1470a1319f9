// Pointer, wheel, touch and keys of a graph. What is pointed at is found from the elements; keys move a cursor from block to block along edges, and
// within a block from line to line.

export function listenToGraph(self) {
    const { root } = self, control = new AbortController(), options = { signal: control.signal };
    const pointers = new Map();
    const state = { pointers, moved: 0, pinch: 0 };
    root.addEventListener("pointerdown", (event) => graphPointerDown(self, state, event), options);
    root.addEventListener("pointermove", (event) => graphPointerMove(self, state, event), options);
    root.addEventListener("pointerup", (event) => graphPointerUp(self, state, event), options);
    root.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId), options);
    root.addEventListener("pointerover", (event) => graphPointed(self, event.target), options);
    root.addEventListener("pointerleave", () => graphPointed(self, null), options);
    root.addEventListener("wheel", (event) => graphWheel(self, event), { ...options, passive: false });
    root.addEventListener("keydown", (event) => graphKey(self, event), options);
    root.addEventListener("focus", () => graphFocused(self), options);
    return () => control.abort();
}

// ---- Pointer

function graphPointerDown(self, state, event) {
    if (event.button !== 0) return;
    state.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    state.moved = 0;
    state.pinch = 0;
    state.target = event.target;
}

function graphPointerMove(self, state, event) {
    const before = state.pointers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before[0], dy = event.clientY - before[1];
    state.moved += Math.abs(dx) + Math.abs(dy);
    if (state.moved < 4) return;
    // Selecting text with the mouse goes on working: with a key held down the picture stays.
    if (event.altKey) return;
    state.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!self.root.hasPointerCapture(event.pointerId)) {
        self.root.setPointerCapture(event.pointerId);
        self.root.classList.add("graph-dragging");
    }
    if (state.pointers.size === 2) {
        const [[x1, y1], [x2, y2]] = [...state.pointers.values()], apart = Math.hypot(x2 - x1, y2 - y1), box = self.root.getBoundingClientRect();
        if (state.pinch) self.actions.zoomAt(apart / state.pinch, (x1 + x2) / 2 - box.left, (y1 + y2) / 2 - box.top);
        state.pinch = apart;
        return;
    }
    self.actions.pan(dx, dy);
}

function graphPointerUp(self, state, event) {
    if (!state.pointers.delete(event.pointerId)) return;
    self.root.classList.remove("graph-dragging");
    if (state.moved >= 4) return;
    const block = state.target.closest?.(".graph-block");
    const found = graphWhat(state.target);
    if (block && !block.classList.contains("graph-ghost")) self.actions.cursorTo({ block: Number(block.dataset.block), item: -1, part: -1 }, false);
    if (found.id !== null) self.callbacks.onSelect?.(found.id, found.register);
    else if (block) self.callbacks.onSelect?.(graphFirstId(self, Number(block.dataset.block)), null);
    else if (self.scene.level === "far") graphSelectFar(self, event);
    else self.callbacks.onSelect?.(null, null);
}

// From far away a click goes nearer.
function graphSelectFar(self, event) {
    const box = self.root.getBoundingClientRect(), { camera } = self;
    const x = (event.clientX - box.left - camera.x) / camera.scale, y = (event.clientY - box.top - camera.y) / camera.scale;
    const index = self.picture.nodes.findIndex((node) => x >= node.x && x <= node.x + node.width && y >= node.y && y <= node.y + node.height);
    self.actions.zoomAt(0.7 / camera.scale, event.clientX - box.left, event.clientY - box.top);
    if (index >= 0) self.actions.cursorTo({ block: index, item: -1, part: -1 });
}

export function graphFirstId(self, block) {
    return self.content.blocks[block]?.items.find((item) => item.row.id >= 0 && !item.removed)?.row.id ?? null;
}

// The identity and the register at an element.
function graphWhat(target) {
    const row = target?.closest?.(".graph-row");
    if (!row) return { id: null, register: null, row: null };
    const id = Number(row.dataset.id), register = target.closest("[data-reg]")?.dataset.reg ?? null;
    return { id: id >= 0 ? id : null, register, row };
}

function graphPointed(self, target) {
    const { id, register } = graphWhat(target), key = `${id} ${register}`;
    const block = target?.closest?.(".graph-block"), argument = target?.closest?.(".graph-arg[data-preds]");
    self.actions.hoverBlock(block ? Number(block.dataset.block) : -1);
    self.actions.gate(block ? Number(block.dataset.block) : -1, argument ? argument.dataset.preds.split(" ").map(Number) : null);
    if (self.pointed === key) return;
    self.pointed = key;
    self.callbacks.onHover?.(id, register);
}

function graphWheel(self, event) {
    event.preventDefault();
    const box = self.root.getBoundingClientRect(), unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const across = event.deltaX || event.deltaY;
        self.actions.pan(-across * unit, event.deltaX ? -event.deltaY * unit : 0);
        return;
    }
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    self.actions.zoomAt(Math.exp(-Math.max(-300, Math.min(300, event.deltaY * unit)) * speed), event.clientX - box.left, event.clientY - box.top);
}

// ---- Keys

const graphMoves = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 0], ArrowRight: [-1, 0] };

function graphKey(self, event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !self.picture) return;
    const { key } = event, middle = [self.root.clientWidth / 2, self.root.clientHeight / 2];
    const plain = { "+": () => self.actions.zoomAt(1.25, ...middle), "=": () => self.actions.zoomAt(1.25, ...middle), "-": () => self.actions.zoomAt(0.8, ...middle), 0: () => self.actions.reset(), f: () => self.actions.fit(),
        Home: () => graphGoBlock(self, 0), End: () => graphGoBlock(self, graphLastBlock(self)), Enter: () => graphEnter(self), Escape: () => graphEscape(self) };
    if (event.shiftKey && graphMoves[key]) self.actions.pan(graphMoves[key][0] * 80, graphMoves[key][1] * 80);
    else if (graphMoves[key] && self.cursor.item >= 0) graphMoveInside(self, key);
    else if (graphMoves[key]) graphMoveBlock(self, key);
    else if (plain[key]) {
        if (plain[key]() === false) return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
}

function graphLastBlock(self) {
    let last = 0;
    self.picture.nodes.forEach((node, i) => { if (node.y > self.picture.nodes[last].y) last = i; });
    return last;
}

function graphFocused(self) {
    if (self.picture && self.cursor.block < 0 && self.root.matches(":focus-visible")) graphGoBlock(self, 0);
}

export function graphDescribe(self, index) {
    const node = self.picture.nodes[index], block = self.content.blocks[index], view = self.view.blocks[index];
    const parts = [`block ${block.title}, ${index + 1} of ${self.content.blocks.length}`];
    if (node.depth) parts.push(`loop depth ${node.depth}`);
    if (node.unreachable) parts.push("no way leads here");
    if (block.ghost) parts.push("gone");
    else if (view.idom >= 0) parts.push(`dominated by ${self.content.blocks[view.idom].title}`);
    parts.push(block.succs.length ? `goes to ${block.succs.slice(0, 6).map((to) => self.content.blocks[to].title).join(", ")}${block.succs.length > 6 ? ", …" : ""}` : "ends here");
    return parts.join(", ");
}

function graphGoBlock(self, index) {
    self.actions.cursorTo({ block: index, item: -1, part: -1 });
    self.callbacks.onStatus?.(graphDescribe(self, index));
    self.callbacks.onHover?.(self.content.blocks[index].ghost ? null : graphFirstId(self, index), null);
}

// Down and up along edges: the successor (predecessor) that is most nearly straight below (above); left and right to the nearest block at that side.
function graphMoveBlock(self, key) {
    const { cursor, picture } = self;
    if (cursor.block < 0) return graphGoBlock(self, 0);
    const here = picture.nodes[cursor.block], along = key === "ArrowDown" || key === "ArrowUp";
    let best = -1, least = Infinity;
    const consider = (index, cost) => {
        if (index === cursor.block || cost >= least) return;
        best = index;
        least = cost;
    };
    if (along) {
        for (const edge of picture.edges) {
            const other = key === "ArrowDown" ? (edge.from === cursor.block ? edge.to : -1) : edge.to === cursor.block ? edge.from : -1;
            if (other < 0) continue;
            const node = picture.nodes[other];
            consider(other, (edge.back ? 1e7 : 0) + Math.abs(node.x - here.x) + Math.abs(node.y - here.y) / 4);
        }
    } else {
        picture.nodes.forEach((node, i) => {
            const dx = key === "ArrowRight" ? node.x - here.x : here.x - node.x;
            if (dx > 0) consider(i, dx + 4 * Math.max(0, node.y - here.y - here.height, here.y - node.y - node.height));
        });
    }
    if (best >= 0) graphGoBlock(self, best);
    else self.callbacks.onStatus?.(along ? (key === "ArrowDown" ? "no edge leads on from here" : "no edge leads here") : "no block at this side");
}

// ---- Within a block

function graphItems(self) {
    return self.content.blocks[self.cursor.block].items;
}

function graphEnter(self) {
    const { cursor } = self;
    if (cursor.block < 0) return graphGoBlock(self, 0);
    const items = graphItems(self);
    if (cursor.item < 0) {
        const first = Math.max(0, items.findIndex((item) => item.row.id >= 0));
        if (self.scene.level !== "full") self.actions.zoomAt(0.8 / self.camera.scale, self.root.clientWidth / 2, self.root.clientHeight / 2);
        return items.length ? graphGoItem(self, first) : undefined;
    }
    const row = items[cursor.item].row;
    self.callbacks.onSelect?.(row.id >= 0 ? row.id : null, graphPartAt(self)?.dataset.reg ?? null);
    return undefined;
}

function graphEscape(self) {
    self.actions.gate(-1, null);
    if (self.cursor.item >= 0) graphGoBlock(self, self.cursor.block);
    else {
        self.callbacks.onSelect?.(null, null);
        return false;
    }
    return true;
}

function graphGoItem(self, item) {
    const row = graphItems(self)[item].row;
    self.actions.gate(-1, null);
    self.actions.cursorTo({ block: self.cursor.block, item, part: -1 });
    self.callbacks.onStatus?.(row.text);
    self.callbacks.onHover?.(row.id >= 0 ? row.id : null, null);
}

function graphParts(self) {
    const block = self.scene.drawnBlocks.get(self.cursor.block);
    const row = [...block?.children ?? []].find((one) => one.dataset.item === String(self.cursor.item));
    return row ? [...row.querySelectorAll("[data-reg], .graph-arg")] : [];
}

function graphPartAt(self) {
    return self.cursor.part >= 0 ? graphParts(self)[self.cursor.part] : undefined;
}

function graphMoveInside(self, key) {
    const { cursor } = self, items = graphItems(self);
    if (key === "ArrowDown" || key === "ArrowUp") {
        const next = cursor.item + (key === "ArrowDown" ? 1 : -1);
        if (next >= 0 && next < items.length) graphGoItem(self, next);
        return;
    }
    const parts = graphParts(self), part = cursor.part + (key === "ArrowRight" ? 1 : -1);
    if (part < -1 || part >= parts.length) return;
    self.actions.cursorTo({ ...cursor, part }, false);
    const word = parts[part], row = items[cursor.item].row;
    const argument = word?.closest(".graph-arg[data-preds]");
    self.actions.gate(cursor.block, argument ? argument.dataset.preds.split(" ").map(Number) : null);
    self.callbacks.onStatus?.(word ? word.textContent : row.text);
    self.callbacks.onHover?.(row.id >= 0 ? row.id : null, word?.dataset.reg ?? null);
}

// The keys of a graph, for the page's help.
export const graphKeys = [
    ["↓ ↑", "along edges: to the next block, to the one before"],
    ["← →", "to the block at the left or right; in a block: registers and arguments of a line"],
    ["Enter", "into the block; there: select the line or register"],
    ["Escape", "out of the block; then: select nothing"],
    ["Home End", "to the entry, to the last block"],
    ["Shift+arrows", "move the picture"],
    ["+ − 0", "larger, smaller, back to the entry"],
    ["f", "all of it"],
];
