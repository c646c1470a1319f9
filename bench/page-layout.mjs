// How long the layout of the explorer page takes, and how the time grows: `node bench/page-layout.mjs`. A node is a block or a row; blocks have 4 rows on
// average. Time of the processor (the machine may be busy), the first time and the best of five.
import { layoutGraph } from "../src/explore/page/layout.js";
import { randomProgram, randomMess } from "../test/page/gen/graphs.mjs";

function measure(name, nodes, graph) {
    let first = 0, best = Infinity, result = null;
    for (let i = 0; i < 5; i++) {
        const start = process.cpuUsage().user;
        result = layoutGraph(graph);
        const spent = (process.cpuUsage().user - start) / 1000;
        if (!i) first = spent;
        best = Math.min(best, spent);
    }
    const outer = result.edges.filter((edge) => edge.kind === "outer").length;
    console.log(`${name.padEnd(26)} ${String(nodes).padStart(7)} nodes ${String(graph.succs.length).padStart(7)} blocks ${String(result.edges.length).padStart(7)} edges  ` +
        `${first.toFixed(1).padStart(8)} ms ${best.toFixed(1).padStart(8)} ms  ${Math.round(result.width)} x ${Math.round(result.height)}, ${outer} edges outside`);
}

// Shapes at which an algorithm may become slow.
function chain(count, jump) {
    const succs = Array.from({ length: count }, (_, i) => i + 1 < count ? [i + 1] : []);
    jump(succs);
    return { succs, nodes: succs.map((_, i) => ({ width: 160, height: 80, rank: i })) };
}

for (const nodes of [1000, 10000, 100000]) {
    const blocks = nodes / 5;
    measure("structured program", nodes, randomProgram(1, blocks));
    measure("program with gotos", nodes, randomProgram(2, blocks, { gotos: blocks / 50 }));
    measure("no order at all", nodes, randomMess(3, blocks));
    measure("every block to the end", nodes, chain(blocks, (succs) => succs.forEach((list, i) => i + 1 < blocks && list.push(blocks - 1))));
    measure("loops in loops", nodes, chain(blocks, (succs) => succs.forEach((list, i) => i > blocks / 2 && i < blocks - 1 && list.push(blocks - 1 - i))));
    measure("switch", nodes, chain(blocks, (succs) => { for (let i = 2; i < blocks; i++) (succs[0].push(i), succs[i - 1] = [blocks - 1]); }));
    measure("switch, falling through", nodes, chain(blocks, (succs) => { for (let i = 2; i < blocks; i++) succs[0].push(i); }));
    measure("if after if", nodes, chain(blocks, (succs) => { for (let i = 0; i + 2 < blocks; i += 2) succs[i].push(i + 2); }));
}
