// Stands in for the drawing of graphs until that is there.
import { element } from "./dom.js";

export const graphKeys = [];

export function createGraph(container) {
    container.append(element("p.muted.pad", null, "Graphs are not drawn yet."));
    return { show() {}, highlight() {}, reveal() {}, setOverlay() {}, overlays: () => [{ name: "none", label: "no overlay" }], fit() {}, zoom() {}, reset() {}, destroy() {} };
}
