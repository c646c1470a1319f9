// The drawing of functions: what is on the screen, not what the modules say. On pages with nothing but a graph, with the data of real functions; one
// group of tests is on a function of 10,000 nodes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { accessibility, built, closePage, group, openPage, picture, root, test } from "./lib.mjs";
import { graphPage } from "./gen/graph_page.mjs";
import { largeData } from "./gen/large_data.mjs";

const folder = path.join(root, "src/explore/page"), scratch = process.env.TMPDIR ?? "/tmp";

function pageOf(name, data) {
    const file = path.join(scratch, `${name}.html`);
    fs.writeFileSync(file, graphPage(folder, data));
    return file;
}

function dataOf(source) {
    return execFileSync(path.join(built, "bin/gate"), ["explore", "--data", path.join(root, source)], { maxBuffer: 1 << 28, encoding: "utf8" });
}

// Draws the first view of a form, or one by its number, and waits until it is on the screen.
async function show(page, fn, form, how = "reset") {
    await page.evaluate(([name, wanted, way]) => {
        const index = typeof wanted === "number" ? wanted : t.formsOf(name).indexOf(wanted);
        t.graph.show(t.open(name, index));
        t.graph[way]();
    }, [fn, form, how]);
    await settle(page);
}

const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const boxes = (page, selector) => page.$$eval(selector, (all) => all.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x, y, width, height, block: Number(one.dataset.block), key: one.dataset.key, from: Number(one.dataset.from), to: Number(one.dataset.to), text: one.textContent };
}));
const view = (page, fn, index) => page.evaluate(([name, number]) => {
    const found = t.open(name, number);
    return { rows: found.rows.map((row) => row.text), blocks: found.blocks };
}, [fn, index]);
const colour = (page, name) => page.evaluate((variable) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${variable})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
}, name);
const calls = (page, kind) => page.evaluate((wanted) => t.calls.filter((call) => call[0] === wanted), kind);

await group("graph", async (browser) => {
    const json = pageOf("graph-json", dataOf("bench/programs/json.c")), large = pageOf("graph-large", largeData(2000));
    const open = (options) => openPage(browser, json, options);

    test("every block and edge of every form is there, blocks apart, rows as in the text", async () => {
        const page = await open({ width: 3000, height: 6000 });
        for (const fn of ["parse_number", "parse_members", "skip_space"]) {
            const forms = await page.evaluate((name) => t.formsOf(name), fn);
            for (const form of new Set(forms)) {
                await show(page, fn, form);
                const { blocks, rows } = await view(page, fn, forms.indexOf(form)), drawn = await boxes(page, ".graph-block");
                assert.deepEqual(drawn.map((box) => box.block).sort((a, b) => a - b), blocks.map((_, i) => i), `${fn} ${form}`);
                drawn.forEach((a, i) => drawn.slice(0, i).forEach((b) => assert.ok(a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height, `${fn} ${form}: ${a.block} on ${b.block}`)));
                const edges = await boxes(page, ".graph-edge");
                assert.deepEqual(edges.map((e) => `${e.from} ${e.to}`).sort(), [...new Set(blocks.flatMap((block, b) => block.succs.map((to) => `${b} ${to}`)))].sort(), `${fn} ${form}`);
                const texts = await page.$$eval(".graph-row[data-row]", (all) => all.map((row) => [Number(row.dataset.row), row.textContent]));
                for (const [position, text] of texts) assert.equal(text.replaceAll(" ", ""), rows[position].replaceAll(" ", ""), `${fn} ${form}`);
                assert.ok(texts.length >= blocks.at(-1).end - blocks[0].first - blocks.length, `${fn} ${form}`);
            }
        }
        await closePage(page);
    });

    test("loops are indented, ways back are at their left, code after them is below", async () => {
        const page = await open({ width: 1400, height: 2400 });
        await show(page, "parse_number", "gsa");
        const drawn = new Map((await boxes(page, ".graph-block")).map((box) => [box.block, box]));
        const back = await boxes(page, ".graph-back"), loops = await boxes(page, ".graph-loop");
        assert.equal(back.length, 2);
        assert.equal(loops.length, 2);
        const { blocks } = await view(page, "parse_number", (await page.evaluate(() => t.formsOf("parse_number"))).indexOf("gsa"));
        for (const edge of back) {
            assert.ok(edge.x < drawn.get(edge.to).x, "at the left");
            const members = [...drawn.values()].filter((box) => blocks[box.block].loop === edge.to), bottom = Math.max(...members.map((box) => box.y + box.height));
            for (const { block } of members) for (const to of blocks[block].succs) if (blocks[to].loop !== edge.to) assert.ok(drawn.get(to).y > bottom, "below");
            for (const box of members) assert.ok(box.x > edge.x + 10, "indented");
        }
        assert.equal(await page.$eval(".graph-true .graph-stroke", (e) => getComputedStyle(e).stroke), await colour(page, "--true"));
        assert.equal(await page.$eval(".graph-back .graph-stroke", (e) => getComputedStyle(e).stroke), await colour(page, "--back"));
        assert.deepEqual(await page.$$eval(".graph-true text, .graph-false text", (all) => [...new Set(all.map((one) => one.textContent))].sort()), ["F", "T"]);
        await picture(page, "graph-gsa");
        await closePage(page);
    });

    test("floating operators stand in regions; data edges only for what is pointed at", async () => {
        const page = await open();
        await show(page, "parse_number", "son");
        assert.ok(await page.$(".graph-block[data-block='0'] .graph-floating"));
        assert.equal(await page.$$eval(".graph-use", (all) => all.length), 0);
        await page.hover(".graph-row [data-reg='%4.1']");
        const [, id, register] = (await calls(page, "hover")).at(-1);
        assert.equal(register, "%4.1");
        assert.ok(id >= 0);
        await page.evaluate(() => t.graph.highlight({ registers: new Set(["%4.1"]), ids: new Set([5]) }));
        assert.ok(await page.$$eval(".graph-use", (all) => all.length) >= 1);
        assert.ok(await page.$$eval(".graph-reg-hot", (all) => all.length) >= 2);
        assert.equal(await page.$$eval(".graph-hot", (all) => all.map((row) => row.dataset.id).join()), "5");
        await page.evaluate(() => t.graph.highlight({ pinned: new Set([5]) }));
        assert.deepEqual((await page.$$eval(".graph-use", (all) => all.map((e) => e.dataset.reg))).sort(), ["%2.1", "%3.1", "%4.1"], "the data edges of a selected node");
        await picture(page, "graph-son");
        await closePage(page);
    });

    test("an argument of a gamma lights the ways that it chooses, by pointer and by keys", async () => {
        const page = await open({ width: 1400, height: 2600 });
        await show(page, "parse_number", "gsa");
        const { blocks } = await view(page, "parse_number", (await page.evaluate(() => t.formsOf("parse_number"))).indexOf("gsa"));
        const argument = page.locator(".graph-arg", { hasText: "!ge.i32(%6.1, 48): %number.1" }).first();
        await argument.hover();
        const lit = await boxes(page, ".graph-block.graph-path"), join = Number(await argument.evaluate((e) => e.closest(".graph-block").dataset.block));
        const pred = Number(await argument.evaluate((e) => e.dataset.preds));
        assert.deepEqual(lit.map((box) => box.block).sort((a, b) => a - b), [blocks[join].idom, pred, join].sort((a, b) => a - b), "the way past the loop");
        const edges = await boxes(page, ".graph-edge.graph-path");
        assert.deepEqual(edges.map((e) => `${e.from} ${e.to}`).sort(), [`${blocks[join].idom} ${pred}`, `${pred} ${join}`].sort());
        assert.equal(await page.$eval(".graph-edge.graph-path .graph-stroke", (e) => getComputedStyle(e).stroke), await colour(page, "--hot-line"));
        await picture(page, "graph-gate");
        await page.mouse.move(2, 2);
        assert.equal(await page.$$eval(".graph-path", (all) => all.length), 0);
        await page.focus(".graph-root");
        await page.evaluate((id) => t.graph.reveal(id), Number(await argument.evaluate((e) => e.closest(".graph-row").dataset.id)));
        for (const key of ["Enter", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
        assert.ok(await page.$$eval(".graph-edge.graph-path", (all) => all.length) > 0, "by keys");
        await closePage(page);
    });

    test("keys walk along edges, into blocks and out; focus is seen", async () => {
        const page = await open();
        await show(page, "parse_number", "ssa");
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.className), "graph-root");
        const cursor = () => page.$eval(".graph-cursor", (e) => Number(e.dataset.block));
        assert.equal(await cursor(), 0);
        const { blocks } = await view(page, "parse_number", (await page.evaluate(() => t.formsOf("parse_number"))).indexOf("ssa"));
        for (let i = 0, at = 0; i < 6; i++) {
            await page.keyboard.press("ArrowDown");
            const next = await cursor();
            assert.ok(blocks[at].succs.includes(next) || (!blocks[at].succs.length && at === next), `${at} to ${next}`);
            const box = await page.$eval(".graph-cursor", (e) => e.getBoundingClientRect().toJSON());
            assert.ok(box.top >= 0 && box.top < 900, "in sight");
            at = next;
        }
        assert.match((await calls(page, "status")).at(-1)[1], /^block \d+, \d+ of \d+/);
        const before = await cursor();
        await page.keyboard.press("ArrowUp");
        assert.ok(blocks[before].preds.includes(await cursor()));
        assert.notEqual(await page.$eval(".graph-cursor", (e) => getComputedStyle(e).boxShadow), await page.$eval(".graph-block:not(.graph-cursor)", (e) => getComputedStyle(e).boxShadow));
        await page.keyboard.press("Home");
        await page.keyboard.press("Enter");
        await page.keyboard.press("ArrowDown");
        const id = Number(await page.$eval(".graph-here", (e) => e.dataset.id));
        await page.keyboard.press("Enter");
        assert.deepEqual((await calls(page, "select")).at(-1), ["select", id, null]);
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        assert.match((await calls(page, "select")).at(-1)[2], /^%/);
        await page.keyboard.press("Escape");
        assert.equal(await page.$(".graph-here"), null);
        await page.keyboard.press("Escape");
        assert.deepEqual((await calls(page, "select")).at(-1), ["select", null, null]);
        await closePage(page);
    });

    test("wheel, keys, dragging and the map move the picture; fit shows all of it", async () => {
        const page = await open();
        await show(page, "parse", "ssa");
        const entry = () => page.$eval(".graph-block[data-block='0']", (e) => e.getBoundingClientRect().toJSON());
        const start = await entry();
        await page.mouse.move(start.x + 10, start.y + 10);
        await page.mouse.wheel(0, 200);
        await settle(page);
        const smaller = await entry();
        assert.ok(smaller.width < start.width && Math.abs(smaller.x - start.x) < 8, "smaller, at the pointer");
        await page.mouse.move(800, 500);
        await page.mouse.down();
        await page.mouse.move(850, 540, { steps: 4 });
        await page.mouse.up();
        await settle(page);
        const dragged = await entry();
        assert.ok(Math.abs(dragged.x - smaller.x - 50) < 2 && Math.abs(dragged.y - smaller.y - 40) < 2, "dragged");
        assert.equal((await calls(page, "select")).length, 0, "dragging selects nothing");
        await page.focus(".graph-root");
        await page.keyboard.press("+");
        await settle(page);
        assert.ok((await entry()).width > dragged.width);
        await page.keyboard.press("Shift+ArrowDown");
        assert.ok(await page.isVisible(".graph-map"));
        await page.keyboard.press("f");
        await settle(page);
        assert.ok(await page.isHidden(".graph-map"));
        for (const box of await boxes(page, ".graph-block")) assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1400 && box.y + box.height <= 900);
        await page.keyboard.press("0");
        await settle(page);
        const map = await page.$eval(".graph-map", (e) => e.getBoundingClientRect().toJSON());
        await page.mouse.click(map.x + 10, map.y + map.height - 4);
        await settle(page);
        assert.equal(await page.$(".graph-block[data-block='0']"), null, "the entry is out of sight");
        await closePage(page);
    });

    test("from step to step blocks keep their places", async () => {
        const page = await open({ width: 1600, height: 1200 });
        let moved = 0, count = 0, far = 0;
        for (const fn of ["parse_number", "parse_members", "parse", "make_text"]) {
            const forms = await page.evaluate((name) => t.formsOf(name), fn);
            await show(page, fn, 0);
            let before = new Map((await boxes(page, ".graph-block")).map((box) => [box.key, box]));
            for (let i = 1; i < forms.length; i++) {
                await page.evaluate(([name, index]) => t.graph.show(t.open(name, index)), [fn, i]);
                await settle(page);
                const now = new Map((await boxes(page, ".graph-block")).map((box) => [box.key, box]));
                for (const [key, box] of now) {
                    if (!before.has(key)) continue;
                    const away = Math.abs(box.x - before.get(key).x);
                    moved += away;
                    far += away > 200 ? 1 : 0;
                    count++;
                }
                before = now;
            }
        }
        console.log(`# ${count} blocks from step to step: ${(moved / count).toFixed(1)} px to the side on average, ${far} by more than 200 px`);
        assert.ok(count > 200);
        assert.ok(moved / count < 40, `${moved / count}`);
        await closePage(page);
    });

    test("overlays: dominators, loops, live ranges, machine registers", async () => {
        const page = await open({ width: 1400, height: 1600 });
        await show(page, "parse_number", "gsa");
        const set = (name) => page.evaluate((overlay) => t.graph.setOverlay(overlay), name);
        const { blocks } = await view(page, "parse_number", (await page.evaluate(() => t.formsOf("parse_number"))).indexOf("gsa"));
        assert.equal(await set("dominators"), true);
        await settle(page);
        await page.focus(".graph-root");
        await page.keyboard.press("Home");
        assert.ok(await page.$$eval(".graph-tree", (all) => all.length) >= 10);
        const drawn = await boxes(page, ".graph-block");
        assert.equal(await page.$$eval(".graph-dominated", (all) => all.length), drawn.length - 1, "the entry dominates all");
        for (const { block } of drawn) assert.ok(block === 0 || blocks[block].idom >= 0);
        await picture(page, "graph-dominators");
        await set("loops");
        await settle(page);
        assert.equal(await page.$eval(".graph-loop rect", (e) => getComputedStyle(e).fill), await colour(page, "--tone-0"));
        assert.match(await page.$eval(".graph-loop-name", (e) => e.textContent), /^loop \d+ · depth 1 · 3 blocks$/);
        await picture(page, "graph-loops");
        await set("live");
        await settle(page);
        assert.ok(await page.$$eval(".graph-pressure", (all) => all.length) > 20);
        await page.evaluate(() => t.graph.highlight({ registers: new Set(["%number.2"]) }));
        await settle(page);
        const bars = await page.$$eval(".graph-bar", (all) => all.map((bar) => [Number(bar.closest(".graph-block").dataset.block), bar.dataset.reg]));
        const set2 = await page.$eval(".graph-row .reg[data-reg='%number.2']", (e) => Number(e.closest(".graph-block").dataset.block));
        assert.ok(bars.some(([block]) => block === set2), "where it is set");
        assert.ok(bars.every(([, name]) => name === "%number.2"));
        assert.ok(!bars.some(([block]) => block === 0), "not before it is set");
        await picture(page, "graph-live");
        await page.evaluate(() => { t.graph.highlight({}); t.setFinal(t.open("parse_number", t.formsOf("parse_number").length - 1)); });
        assert.equal(await set("registers"), true);
        await settle(page);
        const tones = await page.$$eval("[class*='graph-tone-fill'][data-reg]", (all) => all.map((e) => [e.dataset.reg, [...e.classList].find((name) => name.startsWith("graph-tone-fill"))]));
        assert.ok(tones.length > 10);
        const byName = new Map();
        for (const [name, tone] of tones) assert.equal(byName.get(name) ?? byName.set(name, tone).get(name), tone, `${name} has one colour`);
        assert.ok(await page.$$eval(".graph-legend-entry", (all) => all.length) >= 3);
        await picture(page, "graph-registers");
        await closePage(page);
    });

    test("a difference: added and changed rows marked, what is gone struck out, gone blocks dashed", async () => {
        const page = await open({ width: 1400, height: 2400 });
        await page.evaluate(() => {
            const before = t.open("parse_number", 3), after = t.open("parse_number", 6), old = new Map(before.rows.map((row) => [row.key, row])), marks = new Map();
            for (const row of after.rows) if (row.id >= 0 && !old.has(row.key)) marks.set(row.key, "added");
            t.graph.show(after, { marks, before });
            t.graph.reset();
        });
        await settle(page);
        const [gone, there] = await page.evaluate(() => {
            const before = t.open("parse_number", 3), keys = new Set(t.open("parse_number", 6).rows.map((row) => row.key));
            return [before.rows.filter((row) => row.id >= 0 && !keys.has(row.key)).length, [...keys].length];
        });
        assert.ok(there > 0);
        assert.equal(await page.$$eval(".graph-removed", (all) => all.length), gone);
        if (gone) assert.match(await page.$eval(".graph-removed", (e) => getComputedStyle(e).textDecorationLine), /line-through/);
        await picture(page, "graph-difference");
        await closePage(page);
    });

    // The holder is measured once before there is a picture: nothing that follows may take that for the first room the picture gets.
    test("a window of another size leaves the camera to the reader", async () => {
        const page = await open();
        await settle(page);
        await show(page, "parse", "ssa");
        await page.focus(".graph-root");
        await page.keyboard.press("-");
        await settle(page);
        const width = () => page.$eval(".graph-block[data-block='0']", (e) => e.getBoundingClientRect().width);
        const before = await width();
        await page.setViewportSize({ width: 1200, height: 800 });
        await settle(page);
        assert.equal(await width(), before);
        await closePage(page);
    });

    test("dark, and on paper", async () => {
        const page = await open({ colorScheme: "dark" });
        await settle(page);
        await show(page, "parse_number", "mach");
        const light = (text) => text.match(/\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0);
        assert.ok(light(await page.$eval(".graph-block", (e) => getComputedStyle(e).backgroundColor)) < 200);
        assert.ok(light(await page.$eval(".graph-row", (e) => getComputedStyle(e).color)) > 450);
        await picture(page, "graph-dark");
        const count = (await view(page, "parse_number", (await page.evaluate(() => t.formsOf("parse_number"))).indexOf("mach"))).blocks.length;
        await page.emulateMedia({ media: "print", colorScheme: "light" });
        await page.evaluate(() => t.graph.print());
        await settle(page);
        const printed = await boxes(page, ".graph-block");
        assert.equal(printed.length, count, "all blocks");
        for (const box of printed) assert.ok(box.x >= 0 && box.x + box.width <= 760, "as wide as the page");
        assert.equal(await page.$eval(".graph-row", (e) => getComputedStyle(e).color), "rgb(0, 0, 0)");
        assert.equal(await page.$eval(".graph-block", (e) => getComputedStyle(e).backgroundColor), "rgb(255, 255, 255)");
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        await closePage(page);
    });

    test("said to a screen reader: a list of blocks with successors; nothing serious found", async () => {
        const page = await open();
        await show(page, "parse_number", "ssa");
        await page.waitForFunction(() => document.querySelectorAll(".graph-list li").length > 0);
        const lines = await page.$$eval(".graph-list li", (all) => all.map((one) => one.textContent));
        const { blocks } = await view(page, "parse_number", (await page.evaluate(() => t.formsOf("parse_number"))).indexOf("ssa"));
        assert.equal(lines.length, blocks.length);
        assert.match(lines[0], /^block 0, .*goes to \d+ if true, \d+ if false$/);
        assert.match(await page.getAttribute(".graph-root", "aria-label"), /^graph of \d+ blocks, 2 loops$/);
        await page.focus(".graph-root");
        await page.keyboard.press("ArrowDown");
        const active = await page.getAttribute(".graph-root", "aria-activedescendant");
        assert.match(await page.getAttribute(`#${active}`, "aria-label"), /^block /);
        assert.deepEqual(await accessibility(page), []);
        await closePage(page);
    });

    test("10,000 nodes: only what is in sight has elements; from afar all of it is painted", async () => {
        const page = await openPage(browser, large);
        const took = await page.evaluate(() => {
            const view = t.open("large", 0), start = performance.now();
            t.graph.show(view);
            return [view.rows.length + view.blocks.length, performance.now() - start];
        });
        await settle(page);
        assert.ok(took[0] >= 10000, `${took[0]} nodes`);
        const inDom = await page.evaluate(() => document.querySelectorAll(".graph-root *").length);
        assert.ok(inDom < 4000, `${inDom} elements`);
        const frames = [];
        for (const scale of [1, 0.3, 0.02]) {
            frames.push(await page.evaluate(async (factor) => {
                t.graph.reset();
                t.graph.zoom(factor);
                const graph = document.querySelector(".graph-root"), times = [];
                for (let i = 0; i < 25; i++) {
                    const start = performance.now();
                    graph.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", shiftKey: true, bubbles: true }));
                    await new Promise(requestAnimationFrame);
                    await new Promise(requestAnimationFrame);
                    times.push((performance.now() - start) / 2);
                }
                return `${graph.dataset.level ?? "full"} ${times.sort((a, b) => a - b)[12].toFixed(1)} ms`;
            }, scale));
        }
        console.log(`# ${took[0]} nodes drawn in ${took[1].toFixed(0)} ms, ${inDom} elements; frames while moving: ${frames.join(", ")}`);
        await page.evaluate(() => t.graph.fit());
        await settle(page);
        assert.equal(await page.getAttribute(".graph-root", "data-level"), "far");
        assert.equal(await page.$(".graph-block"), null);
        const painted = await page.$eval(".graph-far", (canvas) => {
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let count = 0;
            for (let i = 3; i < data.length; i += 4) if (data[i]) count++;
            return count;
        });
        assert.ok(painted > 1000, `${painted} points`);
        await picture(page, "graph-far");
        await page.focus(".graph-root");
        await page.keyboard.press("0");
        await settle(page);
        assert.ok(await page.$(".graph-block[data-block='0']"));
        await closePage(page);
    });
});
