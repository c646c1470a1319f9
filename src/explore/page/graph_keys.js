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
