// The graph pane: a function as blocks and edges. createGraph(container, callbacks) fills an element and yields what the page calls.
//
// layout.js says where things are, graph_content.js what stands in blocks, graph_scene.js makes the elements, graph_input.js listens, overlay.js lays
// something over it. Here they are put together: the camera, what is lit, and going from one view to the next.
import { layoutGraph } from "./layout.js";
import { graphContent, graphMarkAgain, graphPaths, graphSizes } from "./graph_content.js";
import { blockDescription, clearScene, createScene, graphElement, graphShape, paintScene, updateScene } from "./graph_scene.js";
import { createMap, fillMap, paintMap } from "./graph_map.js";
import { listenToGraph } from "./graph_input.js";
import { createOverlay, overlayList } from "./overlay.js";
import { registersOf } from "./tokens.js";

const graphLeastScale = 0.002, graphMostScale = 3, graphMargin = 28, graphMostArrows = 120, graphMostListed = 1000, graphMostNodes = 3, graphMostKept = 8;

export function createGraph(container, callbacks) {
    const root = graphElement("div", "graph-root", container);
    root.tabIndex = 0;
    root.setAttribute("role", "application");
    root.setAttribute("aria-roledescription", "control flow graph");
    root.setAttribute("aria-label", "graph, empty");
    const self = { root, callbacks, scene: createScene(root), camera: { x: 0, y: 0, scale: 1 }, view: null, content: null, picture: null, marks: new Map(), before: null, overlayName: "none", overlay: null,
        lit: { ids: new Set(), pinned: new Set(), registers: new Set(), blocks: new Set() }, path: null, cursor: { block: -1, item: -1, part: -1 }, hovered: -1, frame: 0, index: new Map(), kept: [], colours: null, family: "" };
    const corner = graphElement("div", "graph-corner", root);
    self.said = graphElement("div", "graph-said", corner);
    self.legend = graphElement("div", "graph-legend", corner);
    self.list = graphElement("ul", "graph-list", root);
    self.registersOf = callbacks.registersOf ?? registersOf;
    self.map = createMap(root, (x, y) => graphCentre(self, x, y));
    self.scene.decorate = (element, block) => graphDecorate(self, element, block);
    self.actions = { zoomAt: (f, x, y) => graphZoomAt(self, f, x, y), pan: (x, y) => graphPan(self, x, y), fit: () => graphFit(self), reset: () => graphReset(self), light: () => graphLight(self),
        cursorTo: (cursor, look) => graphCursorTo(self, cursor, look), gate: (join, preds) => graphGate(self, join, preds), hoverBlock: (block) => graphHoverBlock(self, block) };
    const silence = listenToGraph(self);
    const observer = new ResizeObserver(() => graphResized(self));
    observer.observe(root);
    return graphInterface(self, () => {
        observer.disconnect();
        silence();
        cancelAnimationFrame(self.frame);
        clearTimeout(self.listing);
        root.remove();
    });
}

function graphInterface(self, destroy) {
    const middle = () => [self.root.clientWidth / 2, self.root.clientHeight / 2];
    return {
        show: (view, options = {}) => graphShow(self, view, options),
        highlight(lit) {
            self.lit = { ids: lit.ids ?? new Set(), pinned: lit.pinned ?? new Set(), registers: lit.registers ?? new Set(), blocks: lit.blocks ?? new Set() };
            if (self.overlayName === "live") graphRefreshOverlay(self);
            graphLight(self);
        },
        reveal: (id) => graphReveal(self, id),
        setOverlay: (name) => graphSetOverlay(self, name),
        overlays: () => overlayList(self.view, self.callbacks.finalView?.() ?? null),
        fit: () => graphFit(self),
        zoom: (factor) => graphZoomAt(self, factor, ...middle()),
        reset: () => graphReset(self),
        setTheme() {
            self.colours = null;
            fillMap(self.map, self.picture, graphColours(self));
            graphDraw(self);
        },
        print: () => graphPrint(self),
        destroy,
    };
}

// ---- From one view to the next

function graphShow(self, view, { marks = new Map(), before = null } = {}) {
    if (self.view === view && self.before === before && graphSameMarks(self.marks, marks)) return;
    const anchor = graphAnchor(self), family = view ? view.key.split("/").slice(0, 2).join("/") : "", stays = family === self.family && Boolean(self.picture);
    const old = new Map();
    if (stays) for (const block of self.content.blocks) old.set(block.key, self.picture.nodes[block.index]);
    graphMeasureText(self);
    const { content, picture } = graphPrepare(self, view, marks, before);
    Object.assign(self, { view, marks, before, content, picture, family, index: new Map(), path: null, hovered: -1 });
    const cursorKey = anchor.cursor, scene = self.scene;
    clearScene(scene);
    Object.assign(scene, { view, content, picture: self.picture });
    self.cursor = { block: content.blocks.findIndex((block) => block.key === cursorKey), item: -1, part: -1 };
    fillMap(self.map, self.picture, graphColours(self));
    graphMakeOverlay(self);
    graphTell(self);
    if (!stays) graphReset(self);
    else graphKeepPlace(self, anchor);
    graphDraw(self);
    if (stays && !self.callbacks.reducedMotion?.()) graphAnimate(self, old, anchor);
}

// Content and layout of a view, kept for the views shown last. Marks change neither sizes nor places.
function graphPrepare(self, view, marks, before) {
    const found = self.kept.findIndex((one) => one.view === view && one.before === before && one.character === graphSizes.character);
    const [entry] = found >= 0 ? self.kept.splice(found, 1) : [{ view, before, character: graphSizes.character, content: graphContent(view, marks, before), picture: null, marks }];
    const { blocks } = entry.content;
    if (found < 0 && blocks.length) {
        entry.picture = layoutGraph({ nodes: blocks, succs: blocks.map((block) => block.succs) });
        for (const edge of entry.picture.edges) edge.box = graphBoxOf(edge.points);
    }
    if (!graphSameMarks(entry.marks, marks)) graphMarkAgain(entry.content, marks);
    entry.marks = marks;
    self.kept.push(entry);
    if (self.kept.length > graphMostKept) self.kept.shift();
    return entry;
}

function graphSameMarks(marks, others) {
    if (marks.size !== others.size) return false;
    for (const [key, mark] of marks) if (others.get(key) !== mark) return false;
    return true;
}

function graphBoxOf(points) {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (let i = 0; i < points.length; i += 2) {
        left = Math.min(left, points[i]);
        right = Math.max(right, points[i]);
        top = Math.min(top, points[i + 1]);
        bottom = Math.max(bottom, points[i + 1]);
    }
    return { x: left - 5, y: top - 5, width: right - left + 10, height: bottom - top + 10 };
}

// What should stay where it is: blocks, nearest to the cursor or else to the middle first, with their places on the screen.
function graphAnchor(self) {
    const { camera, picture, content, root } = self;
    if (!picture) return { cursor: null, blocks: [] };
    const cursor = self.cursor.block >= 0 ? content.blocks[self.cursor.block].key : null;
    const x = (root.clientWidth / 2 - camera.x) / camera.scale, y = (root.clientHeight / 3 - camera.y) / camera.scale;
    const blocks = content.blocks.filter((block) => !block.ghost).map((block) => {
        const node = picture.nodes[block.index];
        const away = Math.max(0, node.x - x, x - node.x - node.width) + Math.max(0, node.y - y, y - node.y - node.height);
        return { block, away: block.key === cursor ? -1 : away, screenX: node.x * camera.scale + camera.x, screenY: node.y * camera.scale + camera.y };
    });
    return { cursor, blocks: blocks.sort((a, b) => a.away - b.away) };
}

// The first of them that is still there, by its key or by any of its rows, stays at its place.
function graphKeepPlace(self, anchor) {
    const byKey = new Map(self.content.blocks.map((block) => [block.key, block])), byId = new Map();
    for (const block of self.content.blocks) for (const item of block.items) if (item.row.id >= 0 && !item.removed) byId.set(item.row.id, block);
    for (const { block, screenX, screenY } of anchor.blocks.slice(0, 200)) {
        const there = byKey.get(block.key) ?? byId.get(block.items.find((item) => byId.has(item.row.id))?.row.id);
        if (!there) continue;
        const node = self.picture?.nodes[there.index];
        if (!node) break;
        self.camera.x = screenX - node.x * self.camera.scale;
        self.camera.y = screenY - node.y * self.camera.scale;
        graphKeepInside(self);
        return;
    }
    graphReset(self);
}

function graphAnimate(self, old, anchor) {
    const { camera } = self, first = anchor.blocks[0];
    if (!first) return;
    for (const [index, element] of self.scene.drawnBlocks) {
        const node = self.picture.nodes[index], was = old.get(self.content.blocks[index].key);
        if (!was) {
            element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 250 });
            continue;
        }
        const dx = was.x - node.x + (first.screenX - camera.x) / camera.scale - old.get(first.block.key).x, dy = was.y - node.y + (first.screenY - camera.y) / camera.scale - old.get(first.block.key).y;
        if (Math.abs(dx) + Math.abs(dy) < 1 || Math.abs(dx) + Math.abs(dy) > 2000) continue;
        element.animate([{ transform: `translate(${node.x + dx}px, ${node.y + dy}px)` }, { transform: `translate(${node.x}px, ${node.y}px)` }], { duration: 250, easing: "ease-out" });
    }
    self.scene.svg.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 350 });
}

// How wide a letter is in the font of the page.
function graphMeasureText(self) {
    const probe = graphElement("span", "graph-probe", self.root);
    probe.textContent = "0".repeat(50);
    const width = probe.getBoundingClientRect().width / 50;
    probe.remove();
    if (width > 3) graphSizes.character = width;
}

// The drawing in words: a label, and the list of all blocks.
function graphTell(self) {
    const { content, picture, list, root } = self, count = content.blocks.filter((block) => !block.ghost).length;
    root.setAttribute("aria-label", count ? `graph of ${count} ${count === 1 ? "block" : "blocks"}, ${picture.loops.length} ${picture.loops.length === 1 ? "loop" : "loops"}` : "graph, empty");
    root.dataset.unreachable = picture?.unreachable ?? 0;
    self.root.classList.toggle("graph-empty", !count);
    list.replaceChildren();
    // A long list is not made before there is time for it.
    clearTimeout(self.listing);
    self.listing = setTimeout(() => {
        const lines = content.blocks.slice(0, graphMostListed).map((block) => blockDescription(self.scene, block.index));
        if (content.blocks.length > graphMostListed) lines.push(`and ${content.blocks.length - graphMostListed} more`);
        for (const line of lines) graphElement("li", "", list).textContent = line;
    }, count > 200 ? 400 : 0);
}

// ---- The camera

function graphFit(self) {
    const { picture, root, camera } = self;
    if (!picture) return;
    const width = root.clientWidth, height = root.clientHeight;
    if (!width || !height) return;
    self.placed = true;
    camera.scale = Math.min(1, Math.max(1, width - 2 * graphMargin) / picture.width, Math.max(1, height - 2 * graphMargin) / picture.height);
    camera.x = (width - picture.width * camera.scale) / 2;
    camera.y = Math.max(graphMargin, (height - picture.height * camera.scale) / 2);
    graphDraw(self);
}

// Real size, or smaller if then all of its width is in sight and can be read, with the entry at the top.
function graphReset(self) {
    const { picture, root, camera } = self;
    if (!picture) return;
    const width = root.clientWidth, across = (width - 2 * graphMargin) / picture.width, down = (root.clientHeight - 2 * graphMargin) / picture.height;
    if (Math.min(across, down) >= 0.75) {
        graphFit(self);
        return;
    }
    const entry = picture.nodes[0];
    self.placed = width > 0;
    camera.scale = across >= 1 ? 1 : Math.max(0.7, across);
    camera.x = across >= camera.scale ? (width - picture.width * camera.scale) / 2 : graphMargin - Math.max(0, entry.x - 60) * camera.scale;
    camera.y = graphMargin - entry.y * camera.scale;
    graphDraw(self);
}

function graphZoomAt(self, factor, x, y) {
    const { camera } = self, scale = Math.max(Math.min(graphLeastScale, camera.scale), Math.min(graphMostScale, camera.scale * factor)), f = scale / camera.scale;
    camera.x = x - (x - camera.x) * f;
    camera.y = y - (y - camera.y) * f;
    camera.scale = scale;
    graphKeepInside(self);
    graphDraw(self);
}

function graphPan(self, x, y) {
    self.camera.x += x;
    self.camera.y += y;
    graphKeepInside(self);
    graphDraw(self);
}

function graphCentre(self, x, y) {
    self.camera.x = self.root.clientWidth / 2 - x * self.camera.scale;
    self.camera.y = self.root.clientHeight / 2 - y * self.camera.scale;
    graphKeepInside(self);
    graphDraw(self);
}

// A part of the picture always stays in sight.
function graphKeepInside(self) {
    const { camera, picture, root } = self;
    if (!picture) return;
    const across = root.clientWidth * 0.4, down = root.clientHeight * 0.4;
    camera.x = Math.max(across - picture.width * camera.scale, Math.min(root.clientWidth - across, camera.x));
    camera.y = Math.max(down - picture.height * camera.scale, Math.min(root.clientHeight - down, camera.y));
}

// A picture that was shown before there was room for it finds its place with the first room; after that the camera is the reader's.
function graphResized(self) {
    if (self.picture && !self.placed && !self.printing) graphReset(self);
    fillMap(self.map, self.picture, graphColours(self));
    graphDraw(self);
}

// Brings a rectangle of the picture into sight, if it is not.
function graphLookAt(self, box) {
    const { camera, root } = self, x = box.x * camera.scale + camera.x, y = box.y * camera.scale + camera.y, width = box.width * camera.scale, height = box.height * camera.scale;
    let dx = 0, dy = 0;
    if (x < graphMargin || width > root.clientWidth - 2 * graphMargin) dx = graphMargin - x;
    else if (x + width > root.clientWidth - graphMargin) dx = root.clientWidth - graphMargin - x - width;
    if (y < graphMargin || height > root.clientHeight - 2 * graphMargin) dy = graphMargin - y;
    else if (y + height > root.clientHeight - graphMargin) dy = root.clientHeight - graphMargin - y - height;
    if (dx || dy) graphPan(self, dx, dy);
}

function graphReveal(self, id) {
    if (!self.content) return;
    for (const block of self.content.blocks) {
        const item = block.items.find((one) => one.row.id === id && !one.removed);
        if (!item) continue;
        const node = self.picture.nodes[block.index];
        graphLookAt(self, { x: node.x, y: node.y + item.y, width: Math.min(node.width, 200), height: item.height });
        self.cursor = { block: block.index, item: -1, part: -1 };
        graphLight(self);
        return;
    }
}

// Once for each frame of the screen, however often it is asked for.
function graphDraw(self) {
    if (self.frame) return;
    self.frame = requestAnimationFrame(() => {
        self.frame = 0;
        graphDrawNow(self);
    });
}

function graphDrawNow(self) {
    const { camera, scene, root } = self, width = root.clientWidth, height = root.clientHeight;
    scene.world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.scale})`;
    if (!self.picture) return;
    const margin = 0.4, sight = { x: (-camera.x - width * margin) / camera.scale, y: (-camera.y - height * margin) / camera.scale, width: width * (1 + 2 * margin) / camera.scale, height: height * (1 + 2 * margin) / camera.scale };
    self.sight = sight;
    updateScene(scene, sight, camera.scale);
    if (scene.level === "far") paintScene(scene, camera, graphColours(self), graphLitBlocks(self));
    paintMap(self.map, camera, width, height, graphColours(self));
    graphLight(self);
}

function graphColours(self) {
    if (self.colours) return self.colours;
    const probe = graphElement("span", "", self.root);
    const value = (text) => {
        probe.style.color = text;
        return getComputedStyle(probe).color;
    };
    self.colours = { line: value("var(--line)"), edge: value("var(--muted)"), back: value("var(--back)"), block: value("var(--raised)"), hot: value("var(--hot-line)"), accent: value("var(--accent)"),
        tones: Array.from({ length: 6 }, (_, i) => value(`var(--tone-${graphLoopTones[i]})`)) };
    probe.remove();
    return self.colours;
}

const graphLoopTones = [0, 2, 8, 1, 6, 4];

// ---- What is lit

function graphLitBlocks(self) {
    const lit = new Set(self.lit.blocks);
    for (const block of self.content.blocks) if (block.items.some((item) => self.lit.ids.has(item.row.id) || self.lit.pinned.has(item.row.id))) lit.add(block.index);
    return lit;
}

function graphDecorate(self, element, block) {
    self.overlay?.decorate?.(element, block);
}

function graphLight(self) {
    const { scene, lit, path, cursor } = self;
    if (!self.picture || scene.level === "far") return;
    for (const [index, element] of scene.drawnBlocks) {
        element.classList.toggle("graph-lit", lit.blocks.has(index));
        element.classList.toggle("graph-path", Boolean(path?.blocks.has(index)));
        element.classList.toggle("graph-cursor", cursor.block === index);
        graphLightRows(self, element, index);
    }
    for (const [index, element] of scene.drawnEdges) {
        const edge = self.picture.edges[index];
        element.classList.toggle("graph-path", Boolean(path?.edges.has(`${edge.from} ${edge.to}`)));
        element.classList.toggle("graph-near", edge.from === self.hovered || edge.to === self.hovered || edge.from === cursor.block || edge.to === cursor.block);
    }
    self.root.classList.toggle("graph-has-path", Boolean(path));
    self.overlay?.focus?.(scene.drawnBlocks, self.hovered >= 0 ? self.hovered : cursor.block);
    if (cursor.block >= 0 && scene.drawnBlocks.has(cursor.block)) self.root.setAttribute("aria-activedescendant", scene.drawnBlocks.get(cursor.block).id);
    else self.root.removeAttribute("aria-activedescendant");
    graphTopLines(self);
}

function graphLightRows(self, element, index) {
    const { lit, cursor } = self, items = self.content.blocks[index].items;
    for (const row of element.children) {
        if (!row.dataset.id) continue;
        const i = Number(row.dataset.item);
        const id = Number(row.dataset.id), here = cursor.block === index && cursor.item === i;
        row.classList.toggle("graph-hot", id >= 0 && lit.ids.has(id) && !items[i]?.removed);
        row.classList.toggle("graph-pin", id >= 0 && lit.pinned.has(id) && !items[i]?.removed);
        row.classList.toggle("graph-here", here);
        if (!lit.registers.size && !row.dataset.words && !here) continue;
        row.dataset.words = lit.registers.size || here ? "1" : "";
        let part = 0;
        for (const word of row.querySelectorAll("[data-reg], .graph-arg")) {
            if (word.dataset.reg) word.classList.toggle("graph-reg-hot", lit.registers.has(word.dataset.reg));
            word.classList.toggle("graph-part", here && cursor.part === part);
            part++;
        }
    }
}

// Where a register is set and used: { defs: [[block, item]], uses: [[block, item]] }. Lines that do not have the name in them are not taken apart.
export function graphRegisterUses(content, name, registersIn) {
    const found = { defs: [], uses: [] };
    for (const block of content.blocks) {
        block.items.forEach((item, i) => {
            if (item.removed || item.part === "note" || !item.row.text.includes(name)) return;
            for (const one of registersIn(item.row.text)) if (one.name === name) found[one.def ? "defs" : "uses"].push([block.index, i]);
        });
    }
    return found;
}

// Arrows from where a register is set to where it is used, and the lines of the overlay.
function graphTopLines(self) {
    const { scene, lit, picture } = self, group = scene.top;
    group.replaceChildren();
    const seen = (box) => scene.all || !self.sight || (box.x < self.sight.x + self.sight.width && box.x + box.width > self.sight.x && box.y < self.sight.y + self.sight.height && box.y + box.height > self.sight.y);
    if (scene.level === "full" || self.overlayName === "dominators") self.overlay?.lines?.(group, seen);
    self.said.textContent = "";
    if (scene.level !== "full" || self.path) return;
    let wanted = 0;
    const drawn = new Set();
    const arrows = (name, defs, uses) => {
        // A register that is set in many places: which of them a use means, the names do not say.
        if (defs.length * uses.length > graphMostArrows) wanted += defs.length * uses.length;
        else for (const def of defs) {
            for (const use of uses) {
                const key = `${name} ${def} ${use}`;
                if (!drawn.has(key) && drawn.add(key) && wanted++ < graphMostArrows) graphUseArrow(self, group, def, use, picture, name);
            }
        }
    };
    for (const name of lit.registers) arrows(name, graphUsesOf(self, name).defs, graphUsesOf(self, name).uses);
    for (const [place, text] of graphChosenRows(self)) {
        for (const one of self.registersOf(text)) {
            const { defs, uses } = graphUsesOf(self, one.name);
            arrows(one.name, one.def ? [place] : defs, one.def ? uses : [place]);
        }
    }
    if (wanted > graphMostArrows) self.said.textContent = "too many definitions and uses for arrows: they are marked only";
}

function graphUsesOf(self, name) {
    if (!self.index.has(name)) self.index.set(name, graphRegisterUses(self.content, name, self.registersOf));
    return self.index.get(name);
}

// Rows whose data edges are drawn: those selected, if they are few, and the one at the cursor.
function graphChosenRows(self) {
    const { pinned } = self.lit, { cursor, content } = self, found = [];
    if (pinned.size && pinned.size <= graphMostNodes) {
        for (const block of content.blocks) block.items.forEach((item, i) => pinned.has(item.row.id) && !item.removed && found.push([[block.index, i], item.row.text]));
    }
    const here = content.blocks[cursor.block]?.items[cursor.item];
    if (here && !here.removed) found.push([[cursor.block, cursor.item], here.row.text]);
    return found;
}

function graphUseArrow(self, group, [a, i], [b, k], picture, name) {
    if (a === b && i === k) return;
    const from = picture.nodes[a], to = picture.nodes[b], first = self.content.blocks[a].items[i], second = self.content.blocks[b].items[k];
    const y1 = from.y + first.y + graphSizes.line / 2, y2 = to.y + second.y + graphSizes.line / 2;
    const right = to.x > from.x + from.width;
    const x1 = from.x + from.width, x2 = right ? to.x : to.x + to.width, out = a === b ? 12 + Math.min(40, Math.abs(y2 - y1) / 6) : 40;
    graphShape("path", { class: "graph-use", d: `M${x1} ${y1}C${x1 + out} ${y1} ${right ? x2 - out : x2 + out} ${y2} ${x2} ${y2}`, "data-reg": name }, group);
    graphShape("path", { class: "graph-use-head", d: right ? `M${x2} ${y2}l-7 -3.5v7z` : `M${x2} ${y2}l7 -3.5v7z` }, group);
}

function graphHoverBlock(self, block) {
    if (self.hovered === block) return;
    self.hovered = block;
    graphLight(self);
}

// The ways that an argument of a merge chooses.
function graphGate(self, join, preds) {
    const same = (!preds && !self.path) || (preds && self.path && self.path.join === join && self.path.preds === preds.join(" "));
    if (same) return;
    self.path = preds ? { ...graphPaths(self.view, join, preds), join, preds: preds.join(" ") } : null;
    self.callbacks.onGate?.(preds);
    graphLight(self);
}

function graphCursorTo(self, cursor, look = true) {
    self.cursor = cursor;
    const node = self.picture?.nodes[cursor.block];
    if (node && look) {
        const item = self.content.blocks[cursor.block].items[cursor.item];
        graphLookAt(self, item ? { x: node.x, y: node.y + item.y, width: Math.min(node.width, 260), height: item.height } : node);
    }
    graphLight(self);
}

// ---- Overlays

function graphMakeOverlay(self) {
    const given = { view: self.view, content: self.content, picture: self.picture, registersOf: self.registersOf, final: self.callbacks.finalView?.() ?? null, registers: self.lit.registers };
    const usable = overlayList(self.view, given.final).some((one) => one.name === self.overlayName && one.enabled);
    self.overlay = usable ? createOverlay(self.overlayName, given) : null;
    self.root.dataset.overlay = self.overlay ? self.overlayName : "none";
    self.legend.replaceChildren();
    for (const entry of self.overlay?.legend ?? []) {
        const line = graphElement("span", "graph-legend-entry", self.legend);
        if (entry.tone !== undefined) graphElement("span", `graph-swatch graph-tone-fill-${entry.tone}`, line);
        if (entry.line !== undefined) graphElement("span", `graph-swatch graph-tone-line-${entry.line % 12}`, line);
        if (entry.loop !== undefined) graphElement("span", `graph-swatch graph-loop-swatch-${entry.loop}`, line);
        line.append(entry.text);
    }
}

function graphRefreshOverlay(self) {
    const names = [...self.lit.registers].sort().join(" ");
    if (self.overlayFor === names) return;
    self.overlayFor = names;
    graphMakeOverlay(self);
    clearScene(self.scene);
    graphDraw(self);
}

function graphSetOverlay(self, name) {
    const there = overlayList(self.view, self.callbacks.finalView?.() ?? null).find((one) => one.name === name);
    if (!there?.enabled) return false;
    if (self.overlayName === name) return true;
    self.overlayName = name;
    self.overlayFor = null;
    graphMakeOverlay(self);
    clearScene(self.scene);
    graphDraw(self);
    return true;
}

// ---- On paper: all of it, as wide as the page.

function graphPrint(self) {
    const { picture, root, scene, camera } = self;
    if (!picture || self.printing) return;
    const before = { ...camera }, paper = 700, scale = Math.min(1, paper / picture.width);
    self.printing = true;
    scene.all = true;
    Object.assign(camera, { x: 0, y: 0, scale });
    root.classList.add("graph-printing");
    root.style.height = `${Math.ceil(picture.height * scale) + 10}px`;
    graphDrawNow(self);
    addEventListener("afterprint", () => {
        self.printing = false;
        scene.all = false;
        root.classList.remove("graph-printing");
        root.style.height = "";
        Object.assign(camera, before);
        graphDrawNow(self);
    }, { once: true });
}
