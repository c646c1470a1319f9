// Two pipelines side by side, rejected steps, gates.
import assert from "node:assert/strict";
import { dataOf, functionOf, idsOf } from "./data.mjs";
import { accessibility, addressShows, closePage, explore, group, openPage, picture, test } from "./lib.mjs";

function versusTests(file, browser) {
    const data = dataOf(file);
    test("two pipelines: a slider and a code pane each", async () => {
        const page = await openPage(browser, file, { hash: "#f=parse" });
        assert.equal(await page.locator(".strip-track").count(), 2);
        assert.deepEqual(await page.locator(".badge.pipeline").allTextContents(), data.pipelines.map((pipeline) => pipeline.label));
        assert.equal(await page.locator(".panes .pane-code").count(), 2);
        assert.deepEqual(await accessibility(page), []);
        await closePage(page);
    });

    test("two pipelines go together to the step of the same name, or each by itself", async () => {
        const page = await openPage(browser, file, { hash: "#f=parse" });
        const names = () => page.locator(".info-name").allTextContents();
        await page.locator('.strip >> nth=0 >> .cell[data-step="select_code"]').click();
        assert.deepEqual(await names(), ["select_code", "select_code"]);
        await page.getByRole("button", { name: "together" }).click();
        await page.locator('.strip >> nth=1 >> .cell[data-step="ssa_build"]').click();
        assert.deepEqual(await names(), ["select_code", "ssa_build"]);
        await addressShows(page, /s=select_code&s2=ssa_build/);
        await picture(page, "pipelines");
        await closePage(page);
    });

    test("from one pipeline to the other by places in the source", async () => {
        const [first, second] = [0, 1].map((pipeline) => functionOf(data, "parse", pipeline));
        const page = await openPage(browser, file, { hash: "#f=parse&s=start&s2=start" });
        const row = first.views[0].find((one) => one.id >= 0 && one.loc && /load|switch|if/.test(one.text));
        await page.locator(`.pane-code >> nth=0 >> .row[data-id="${row.id}"] .number`).hover();
        await page.waitForSelector(".pane-code .row.hot");
        const hot = await page.locator(".pane-code").nth(1).locator(".row.hot").evaluateAll((rows) => rows.map((one) => Number(one.dataset.id)));
        assert.ok(hot.length > 0);
        for (const id of hot) assert.ok(second.views.some((view) => view.some((one) => one.id === id && one.loc?.line === row.loc.line && one.loc.column === row.loc.column)));
        await closePage(page);
    });
}

function rejectedTests(file, browser) {
    const fn = functionOf(dataOf(file), "f");
    const step = fn.steps.find((one) => one.verdict === "rejected");
    test("a rejected step is shown at once, with its reason and what was rejected", async () => {
        const page = await openPage(browser, file);
        assert.equal(await page.locator(".info-name").textContent(), step.name);
        assert.equal(await page.locator(".badge.verdict").textContent(), "rejected");
        assert.ok((await page.locator(".banner").textContent()).includes(step.reason));
        assert.ok((await page.locator(".fact.rejected").allTextContents()).some((text) => text.includes(step.reason)));
        const rows = await page.locator(".pane-code .row:not(.removed)").evaluateAll((all) => all.map((row) => Number(row.dataset.id)).filter((id) => id >= 0));
        const rejected = idsOf(fn.views[step.after]);
        assert.ok(rows.every((id) => rejected.has(id)));
        assert.ok((await page.locator(".pane-code .row.changed, .pane-code .row.added, .pane-code .row.removed").count()) > 0, "the damage is marked");
        const node = /node (\d+)/.exec(step.reason)[1];
        assert.equal(await page.locator(".pane-code .row.wrong .number").first().textContent(), node, "the row that the reason names is marked");
        assert.deepEqual(await accessibility(page), []);
        await picture(page, "rejected");
        await page.keyboard.press("]");
        assert.ok(!(await page.locator(".banner").isVisible()));
        await closePage(page);
    });
}

function gateTests(file, browser) {
    const data = dataOf(file);
    const fn = functionOf(data, "f");
    const step = fn.steps.find((one) => one.name === "gsa_build");
    test("pointing at an argument of a gamma: its condition, and the blocks whose edges it selects", async () => {
        const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build&p=code,graph", colorScheme: "dark" });
        const view = fn.raw.views[step.after];
        const [position, gates] = Object.entries(view.gates).find(([at]) => /gamma/.test(fn.views[step.after][at].text));
        const id = fn.views[step.after][position].id;
        const row = page.locator(`.pane-code .row[data-id="${id}"]:not(.removed)`);
        await row.scrollIntoViewIfNeeded();
        const register = row.locator(".reg").nth(1);
        await register.hover();
        await page.waitForFunction(() => document.querySelector(".status-text").textContent.includes("when "));
        const status = await page.locator(".status-text").textContent();
        for (const [text] of gates) assert.ok(status.includes(`when ${text}`), `${status} has not: ${text}`);
        await row.locator(".number").click();
        const first = (block) => fn.views[step.after][view.blocks[block]].node;
        for (const [text, preds] of gates) assert.ok((await page.locator(".gate").allTextContents()).includes(`when ${text}: from block ${preds.map(first).join(", ")}`));
        await picture(page, "gates");
        await closePage(page);
    });
}

await group("pipelines", async (browser) => {
    versusTests(explore("versus", ["-O1", "--versus=-O2", "--no-run", "bench/programs/json.c"]), browser);
    rejectedTests(explore("forged", ["--forge=gsa_build", "examples/motivating.c"]), browser);
    gateTests(explore("gates", ["-O2", "examples/motivating.c"]), browser);
});
