// The elements of a drawing: blocks as HTML, lines as SVG, below one element that is moved and scaled. Only what is in sight has elements. From far
// away blocks have titles only, and if very many are in sight all of it is painted on a canvas.
import { graphSizes, graphChoices } from "./graph_content.js";
import { appendCode } from "./tokens.js";

const graphSpace = "http://www.w3.org/2000/svg";
const graphFull = 0.42, graphMostBlocks = 700, graphLongBlock = 300;

export function graphElement(name, className, parent) {
    const made = document.createElement(name);
    if (className) made.className = className;
    parent?.append(made);
    return made;
}

export function graphShape(name, attributes, parent) {
    const made = document.createElementNS(graphSpace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent?.append(made);
    return made;
}

export function createScene(root) {
    const canvas = graphElement("canvas", "graph-far", root);
    const world = graphElement("div", "graph-world", root);
    const svg = graphShape("svg", { class: "graph-lines", width: 1, height: 1, "aria-hidden": "true" }, world);
    const scene = { root, canvas, world, svg, loops: graphShape("g", { class: "graph-loops" }, svg), edges: graphShape("g", { class: "graph-edges" }, svg),
        blocks: graphElement("div", "graph-blocks", world), top: null, picture: null, view: null, content: null, drawnBlocks: new Map(), drawnEdges: new Map(), drawnLoops: new Map(),
        level: "full", decorate: null, prefix: `graph${graphCount.next++}`, all: false };
    const above = graphShape("svg", { class: "graph-lines graph-above", width: 1, height: 1, "aria-hidden": "true" }, world);
    scene.top = graphShape("g", {}, above);
    canvas.setAttribute("aria-hidden", "true");
    return scene;
}

const graphCount = { next: 0 };

export function clearScene(scene) {
    for (const map of [scene.drawnBlocks, scene.drawnEdges, scene.drawnLoops]) {
        for (const made of map.values()) made.remove();
        map.clear();
    }
    scene.top.replaceChildren();
}

// ---- Blocks

function graphBlockLabel(scene, block) {
    const node = scene.picture.nodes[block.index];
    const parts = [`block ${block.title}`];
    if (block.ghost) parts.push("gone");
    if (node.depth) parts.push(`loop depth ${node.depth}`);
    if (node.unreachable) parts.push("unreachable");
    parts.push(`${block.items.length} ${block.items.length === 1 ? "line" : "lines"}`);
    const to = block.succs.map((target, i) => `${scene.content.blocks[target].title}${block.how[i] ? ` if ${graphHowWord(block.how[i])}` : ""}`);
    parts.push(to.length ? `goes to ${to.slice(0, 8).join(", ")}${to.length > 8 ? ` and ${to.length - 8} more` : ""}` : "ends");
    return parts.join(", ");
}

function graphHowWord(how) {
    return how === "T" ? "true" : how === "F" ? "false" : how === "default" ? "no other" : how;
}

export function blockDescription(scene, index) {
    return graphBlockLabel(scene, scene.content.blocks[index]);
}

function graphMakeRow(scene, item, index) {
    const row = graphElement("div", `graph-row graph-${item.part}${item.mark ? ` graph-${item.mark}` : ""}`);
    row.dataset.item = index;
    if (item.position >= 0) row.dataset.row = item.position;
    row.dataset.id = item.row.id;
    row.style.top = `${item.y}px`;
    row.style.height = `${item.height}px`;
    const long = item.lines.some((line) => line.end - line.start > (item.part === "note" || item.part === "head" ? 46 : graphSizes.widest) - 1);
    if (long) row.title = item.row.text;
    const choices = item.row.kind === "m" && item.position >= 0 ? graphChoices(scene.view, item.position, scene.content.places.blockOfNode) : [];
    for (const line of item.lines) {
        const text = item.row.text.slice(line.start, line.end);
        const made = graphElement("div", line.argument >= 0 ? `graph-line graph-arg${line.deeper ? " graph-deeper" : ""}` : "graph-line", row);
        appendCode(made, text.trimEnd());
        if (line.argument >= 0 && choices[line.argument]) made.dataset.preds = choices[line.argument].join(" ");
    }
    if (item.lines.length === 1 && choices.some(Boolean)) graphInlineArguments(row.firstChild, item.row.text, choices);
    return row;
}

// Arguments of a merge on one line: wraps the nodes of each into an element of its own.
function graphInlineArguments(line, text, choices) {
    const open = text.indexOf("(");
    let at = 0, argument = -1, depth = 0, holder = null;
    for (const node of [...line.childNodes]) {
        const part = node.textContent, start = at;
        at += part.length;
        if (start < open) continue;
        if (part === "(" && start === open) {
            argument = 0;
            continue;
        }
        if (part === "(") depth++;
        if (part === ")") depth--;
        if (depth < 0) break;
        if (part === "," && depth === 0) {
            argument++;
            holder = null;
            continue;
        }
        if (!holder && !part.trim()) continue;
        if (!holder) {
            holder = document.createElement("span");
            holder.className = "graph-arg";
            if (choices[argument]) holder.dataset.preds = choices[argument].join(" ");
            node.before(holder);
        }
        holder.append(node);
    }
}

// Which items of a block are drawn: all, or of a block with very many those that are in sight, with as many again above and below.
function graphItemsInSight(scene, block, sight) {
    const count = block.items.length;
    if (count <= graphLongBlock || scene.all) return [0, count];
    const top = sight.y - scene.picture.nodes[block.index].y, from = graphItemAt(block, top - sight.height), end = graphItemAt(block, top + 2 * sight.height);
    return [from, Math.min(count, end + 1)];
}

// The last item that begins above a height, by halving.
function graphItemAt(block, y) {
    let low = 0, high = block.items.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (block.items[middle].y <= y) low = middle;
        else high = middle - 1;
    }
    return low;
}

// Blocks with very many items, of which others have come into sight, are made anew.
function graphDropPassed(scene, sight) {
    for (const [index, made] of scene.drawnBlocks) {
        const block = scene.content.blocks[index];
        if (block.items.length <= graphLongBlock) continue;
        const top = sight.y - scene.picture.nodes[index].y;
        const complete = scene.all ? block.drawn[1] - block.drawn[0] === block.items.length : graphItemAt(block, top) >= block.drawn[0] && graphItemAt(block, top + sight.height) < block.drawn[1];
        if (complete) continue;
        made.remove();
        scene.drawnBlocks.delete(index);
    }
}

function graphMakeBlock(scene, block, sight) {
    const node = scene.picture.nodes[block.index];
    const made = graphElement("div", `graph-block${block.ghost ? " graph-ghost" : ""}${block.mark ? ` graph-block-${block.mark}` : ""}${node.unreachable ? " graph-unreachable" : ""}`);
    made.id = `${scene.prefix}-b${block.index}`;
    made.dataset.block = block.index;
    made.dataset.key = block.key;
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", graphBlockLabel(scene, block));
    made.style.transform = `translate(${node.x}px, ${node.y}px)`;
    made.style.width = `${node.width}px`;
    made.style.height = `${node.height}px`;
    const title = graphElement("div", "graph-title", made);
    graphElement("span", "graph-name", title).textContent = block.title;
    if (node.unreachable) graphElement("span", "graph-note-word", title).textContent = block.ghost ? "gone" : "unreachable";
    else if (block.ghost) graphElement("span", "graph-note-word", title).textContent = "gone";
    block.drawn = graphItemsInSight(scene, block, sight);
    if (scene.level === "full") for (let i = block.drawn[0]; i < block.drawn[1]; i++) made.append(graphMakeRow(scene, block.items[i], i));
    if (scene.level === "full") scene.decorate?.(made, block);
    return made;
}

// ---- Lines

// A path with rounded corners.
export function graphPath(points) {
    let path = `M${points[0]} ${points[1]}`;
    for (let i = 2; i < points.length; i += 2) {
        const x = points[i], y = points[i + 1];
        if (i + 2 >= points.length) {
            path += `L${x} ${y}`;
            break;
        }
        const bx = points[i - 2], by = points[i - 1], cx = points[i + 2], cy = points[i + 3];
        const before = Math.abs(x - bx) + Math.abs(y - by), after = Math.abs(cx - x) + Math.abs(cy - y), r = Math.min(6, before / 2, after / 2);
        path += `L${x - Math.sign(x - bx) * r} ${y - Math.sign(y - by) * r}Q${x} ${y} ${x + Math.sign(cx - x) * r} ${y + Math.sign(cy - y) * r}`;
    }
    return path;
}

function graphArrow(points) {
    const x = points[points.length - 2], y = points[points.length - 1];
    if (points[points.length - 3] === y) return `M${x} ${y}l-8 -4v8z`;
    return `M${x} ${y}l-4 -8h8z`;
}

export function edgeLabel(scene, edge) {
    const { how } = scene.content.blocks[edge.from];
    const words = edge.which.map((i) => how[i] ?? "").filter(Boolean);
    return words.length > 4 ? `${words.slice(0, 3).join(", ")}, … ${words.length}` : words.join(", ");
}

function graphMakeEdge(scene, edge) {
    const from = scene.content.blocks[edge.from], to = scene.content.blocks[edge.to], label = edgeLabel(scene, edge);
    const kind = edge.back ? " graph-back" : label === "T" ? " graph-true" : label === "F" ? " graph-false" : "";
    const group = graphShape("g", { class: `graph-edge${kind}${edge.kind === "outer" ? " graph-up" : ""}${from.ghost || to.ghost ? " graph-gone" : ""}`, "data-from": edge.from, "data-to": edge.to });
    graphShape("path", { class: edge.box.width + edge.box.height > 3000 ? "graph-stroke graph-long" : "graph-stroke", d: graphPath(edge.points) }, group);
    graphShape("path", { class: "graph-tip", d: graphArrow(edge.points) }, group);
    if (label && scene.level === "full") {
        const atEnd = edge.kind === "comb" || (label.length > 2 && !edge.back && edge.points.length > 4), p = edge.points, n = p.length;
        const text = graphShape("text", atEnd ? { x: p[n - 2] + 6, y: p[n - 1] - 4 } : { x: p[0] + 4, y: p[1] + 11 }, group);
        text.textContent = label;
    }
    return group;
}

function graphMakeLoop(loop) {
    const group = graphShape("g", { class: "graph-loop", "data-loop": loop.header, "data-depth": loop.depth });
    graphShape("rect", { x: loop.x + 2, y: loop.y, width: loop.width - 4, height: loop.height, rx: 8, class: `graph-tone-${(loop.depth - 1) % 6}` }, group);
    return group;
}

// ---- What is in sight

// Makes elements for what is in the rectangle and removes those of what is not.
export function updateScene(scene, sight, scale) {
    const { picture, content } = scene;
    if (!picture) return;
    const seen = (box) => scene.all || (box.x < sight.x + sight.width && box.x + box.width > sight.x && box.y < sight.y + sight.height && box.y + box.height > sight.y);
    let count = 0;
    for (const node of picture.nodes) count += seen(node) ? 1 : 0;
    const level = scene.all ? "full" : count > graphMostBlocks ? "far" : scale < graphFull ? "title" : "full";
    if (level !== scene.level) {
        clearScene(scene);
        scene.level = level;
        scene.root.dataset.level = level;
    }
    // Titles and lines that are seen from further away are larger.
    scene.world.style.setProperty("--graph-title", `${Math.round(Math.min(90, 11 / scale))}px`);
    scene.world.style.setProperty("--graph-stroke", `${Math.max(1.4, 0.8 / scale).toFixed(1)}px`);
    scene.world.hidden = level === "far";
    scene.canvas.hidden = level !== "far";
    if (level === "far") return;
    graphDropPassed(scene, sight);
    graphSync(scene.drawnBlocks, content.blocks, (block) => seen(picture.nodes[block.index]), (block) => graphMakeBlock(scene, block, sight), scene.blocks);
    graphSync(scene.drawnLoops, picture.loops, seen, graphMakeLoop, scene.loops);
    graphSync(scene.drawnEdges, picture.edges, (edge) => seen(edge.box) && (scene.all || graphLineSeen(edge.points, sight)), (edge) => graphMakeEdge(scene, edge), scene.edges);
}

// A long way round may have its corners on all sides of what is in sight and yet not be there.
function graphLineSeen(points, sight) {
    const left = sight.x, right = sight.x + sight.width, top = sight.y, bottom = sight.y + sight.height;
    for (let i = 0; i + 3 < points.length; i += 2) {
        const x1 = points[i], y1 = points[i + 1], x2 = points[i + 2], y2 = points[i + 3];
        if ((x1 > x2 ? x1 : x2) >= left && (x1 < x2 ? x1 : x2) <= right && (y1 > y2 ? y1 : y2) >= top && (y1 < y2 ? y1 : y2) <= bottom) return true;
    }
    return false;
}

function graphSync(drawn, things, wanted, make, parent) {
    const fresh = document.createDocumentFragment();
    things.forEach((thing, i) => {
        const want = wanted(thing), have = drawn.get(i);
        if (want === Boolean(have)) return;
        if (!want) {
            have.remove();
            drawn.delete(i);
            return;
        }
        const made = make(thing);
        drawn.set(i, made);
        fresh.append(made);
    });
    parent.append(fresh);
}

// All of it from far away, on the canvas.
export function paintScene(scene, camera, colours, lit) {
    const { canvas, picture } = scene, ratio = globalThis.devicePixelRatio || 1;
    const width = scene.root.clientWidth, height = scene.root.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, ratio * camera.x, ratio * camera.y);
    const left = -camera.x / camera.scale, top = -camera.y / camera.scale, right = left + width / camera.scale, bottom = top + height / camera.scale;
    const seen = (box) => box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top;
    for (const loop of picture.loops) {
        if (!seen(loop)) continue;
        pen.fillStyle = colours.tones[(loop.depth - 1) % 6];
        pen.fillRect(loop.x, loop.y, loop.width, loop.height);
    }
    pen.lineWidth = Math.max(1.2, 0.6 / camera.scale);
    for (const back of [false, true]) {
        pen.strokeStyle = back ? colours.back : colours.edge;
        pen.beginPath();
        for (const edge of picture.edges) {
            if (edge.back !== back || !seen(edge.box)) continue;
            pen.moveTo(edge.points[0], edge.points[1]);
            for (let i = 2; i < edge.points.length; i += 2) pen.lineTo(edge.points[i], edge.points[i + 1]);
        }
        pen.stroke();
    }
    pen.strokeStyle = colours.line;
    picture.nodes.forEach((node, i) => {
        if (!seen(node)) return;
        pen.fillStyle = lit.has(i) ? colours.hot : colours.block;
        pen.fillRect(node.x, node.y, node.width, node.height);
        pen.strokeRect(node.x, node.y, node.width, node.height);
    });
}
