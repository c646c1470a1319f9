// A function of 10,000 nodes: only what is in sight is in the document, whatever one does; and the figures of how long things take.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { dataOf, functionOf } from "./data.mjs";
import { closePage, explore, group, openPage, test } from "./lib.mjs";

// Cases with a few statements each, loops and branches among them.
function source(cases) {
    const lines = ["int huge(int *a, int n) {", "    int s = 0;", "    for (int i = 0; i < n; i++) {", "        switch (a[i]) {"];
    for (let k = 0; k < cases; k++) {
        lines.push(`        case ${k}:`, `            s += a[i + ${k % 7}] * ${k + 3};`, `            if (s > ${k * 5}) a[${k}] = s - ${k};`, "            break;");
    }
    lines.push("        default: return s;", "        }", "    }", "    return s;", "}", "");
    return lines.join("\n");
}

const elements = (page) => page.evaluate(() => document.querySelectorAll("*").length);
const step = (page) => page.locator(".info-name").first().textContent();

await group("huge", async (browser) => {
    const file = path.join(process.env.TMPDIR ?? "/tmp", "huge.c");
    fs.writeFileSync(file, source(1250));
    const page = explore("huge", ["-O2", "--no-times", file]);
    const fn = functionOf(dataOf(page), "huge");
    const most = Math.max(...fn.views.map((view) => view.length));
    assert.ok(most > 10000, `only ${most} rows`);

    test(`${most} rows: steps, scrolling, search and links, with few elements`, async () => {
        const began = Date.now();
        const view = await openPage(browser, page, { hash: "#f=huge&s=start&p=source,code,asm" });
        const times = [`open ${Date.now() - began}`];
        const timed = async (name, action) => {
            const start = Date.now();
            await action();
            times.push(`${name} ${Date.now() - start}`);
            assert.ok((await elements(view)) < 2500, `${name}: ${await elements(view)} elements`);
        };
        await view.locator(".strip-track").focus();
        for (const one of fn.steps.filter((s) => s.changed)) {
            await timed(one.name, async () => {
                await view.keyboard.press("}");
                assert.equal(await step(view), one.name);
            });
        }
        await view.keyboard.press("2");
        await timed("end", () => view.keyboard.press("End"));
        const last = fn.views[fn.steps.at(-1).after].at(-1).text;
        assert.equal((await view.locator(".pane-code .row.cursor .code").textContent()).trim(), last);
        await timed("search", async () => {
            await view.keyboard.press("/");
            await view.keyboard.type("load.i32");
        });
        await timed("hover", () => view.locator(".pane-source .row").nth(30).hover());
        console.log(times.join(", "));
        await closePage(view);
    });

    test(`${most} rows with the graph`, async () => {
        const view = await openPage(browser, page, { hash: "#f=huge&s=start&p=code,graph" });
        await view.locator(".strip-track").focus();
        for (let i = 0; i < 6; i++) await view.keyboard.press("}");
        await view.waitForSelector(".graph-block");
        await view.waitForTimeout(200);
        assert.ok((await elements(view)) < 12000, `${await elements(view)} elements`);
        await closePage(view);
    });
});
