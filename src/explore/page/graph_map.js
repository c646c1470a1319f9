// The small map of a large graph, in a corner: all blocks, and what is in sight. Dragging in it moves the picture.
import { graphElement } from "./graph_scene.js";

// A graph that is little larger than its pane has a map that is smaller still: it lies over blocks.
const graphMapWidth = 170, graphMapHeight = 230, graphMapScale = 0.12;

export function createMap(root, moveTo) {
    const canvas = graphElement("canvas", "graph-map", root);
    canvas.setAttribute("aria-hidden", "true");
    canvas.hidden = true;
    const map = { canvas, picture: null, factor: 1, image: null };
    const go = (event) => {
        if (!map.picture) return;
        const box = canvas.getBoundingClientRect();
        moveTo((event.clientX - box.left) / map.factor, (event.clientY - box.top) / map.factor);
    };
    canvas.addEventListener("pointerdown", (event) => {
        event.stopPropagation();
        canvas.setPointerCapture(event.pointerId);
        go(event);
    });
    canvas.addEventListener("pointermove", (event) => canvas.hasPointerCapture(event.pointerId) && go(event));
    return map;
}

// The blocks are painted once for each picture, what is in sight over them each time.
export function fillMap(map, picture, colours) {
    map.picture = map.canvas.parentElement.clientHeight ? picture : null;
    if (!map.picture) {
        map.canvas.hidden = true;
        return;
    }
    const ratio = globalThis.devicePixelRatio || 1;
    const root = map.canvas.parentElement;
    map.factor = Math.min(graphMapScale, Math.min(graphMapWidth, root.clientWidth * 0.2 + 20) / picture.width, Math.min(graphMapHeight, root.clientHeight * 0.35) / picture.height);
    const width = Math.max(24, Math.ceil(picture.width * map.factor)), height = Math.max(24, Math.ceil(picture.height * map.factor));
    const image = map.image = document.createElement("canvas");
    for (const canvas of [image, map.canvas]) {
        canvas.width = width * ratio;
        canvas.height = height * ratio;
    }
    map.canvas.style.width = `${width}px`;
    map.canvas.style.height = `${height}px`;
    const pen = image.getContext("2d");
    pen.scale(ratio * map.factor, ratio * map.factor);
    const least = 1 / map.factor;
    for (const loop of picture.loops) {
        pen.fillStyle = colours.tones[(loop.depth - 1) % 6];
        pen.fillRect(loop.x, loop.y, Math.max(loop.width, least), Math.max(loop.height, least));
    }
    pen.fillStyle = colours.edge;
    for (const node of picture.nodes) pen.fillRect(node.x, node.y, Math.max(node.width, least), Math.max(node.height, least));
}

export function paintMap(map, camera, width, height, colours) {
    const { canvas, picture, factor, image } = map;
    if (!picture) return;
    const fits = picture.width * camera.scale <= width * 1.05 && picture.height * camera.scale <= height * 1.05;
    canvas.hidden = fits;
    if (fits) return;
    const ratio = globalThis.devicePixelRatio || 1, pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 1.5;
    const x = Math.max(1, -camera.x / camera.scale * factor), y = Math.max(1, -camera.y / camera.scale * factor);
    const right = Math.min(canvas.width / ratio - 1, (-camera.x + width) / camera.scale * factor), bottom = Math.min(canvas.height / ratio - 1, (-camera.y + height) / camera.scale * factor);
    pen.strokeRect(x, y, Math.max(3, right - x), Math.max(3, bottom - y));
}
