// Recorded runs: forward and back, values, calls, events, two forms in lock step; nothing moves for who does not want motion.
import assert from "node:assert/strict";
import { dataOf, functionOf } from "./data.mjs";
import { accessibility, closePage, explore, group, openPage, picture, test } from "./lib.mjs";

const registers = (page, side = 0) => page.locator(".run-side").nth(side).locator(".run-column").first().locator(".row").evaluateAll((rows) => rows.map((row) => (
    { name: row.querySelector(".run-name").textContent, value: row.querySelector(".run-value").textContent, fresh: row.classList.contains("changed") })));
const where = (page) => page.locator(".run-where").textContent();

await group("runs", async (browser) => {
    const file = explore("run", ["-O2", "examples/gcd.c", "--", "84", "36"]);
    const data = dataOf(file);
    const { records } = data.run;
    const rtl = records.findIndex((record) => record.form === "rtl");
    const mach = records.findLastIndex ? records.findLastIndex((record) => record.form === "mach") : records.length - 1;

    test("step by step: the line that ran, and what it set", async () => {
        const record = records[rtl];
        const page = await openPage(browser, file, { hash: `#f=gcd&s=start&p=source,code,run&run=${rtl}:0` });
        assert.equal(await where(page), `step 0 of ${record.steps.length / 3}`);
        const forward = page.getByLabel("one step forward");
        let compared = 0;
        for (let step = 0; step < Math.min(30, record.steps.length / 3); step++) {
            await forward.click();
            const [fnIndex, id, value] = record.steps.slice(3 * step, 3 * step + 3);
            const fn = functionOf(data, data.pipelines[0].functions[fnIndex].name);
            const row = fn.views[0].find((one) => one.id === id);
            assert.equal(await page.locator(".run-now").textContent(), row.text);
            assert.equal(await page.locator(".combo-input").first().inputValue(), fn.name, "the function that runs is shown");
            assert.ok(await page.locator(`.pane-code .row.now[data-id="${id}"]`).isVisible());
            if (value < 0 || !/^%\S+ = /.test(row.text)) continue;
            const fresh = (await registers(page)).filter((one) => one.fresh);
            assert.deepEqual(fresh.map((one) => `${one.name} ${one.value}`), [`${row.text.split(" ")[0]} ${record.values[value]}`]);
            compared++;
        }
        assert.ok(compared > 5);
        await closePage(page);
    });

    test("back is the way that forward came; the slider goes anywhere", async () => {
        const page = await openPage(browser, file, { hash: `#f=gcd&s=start&p=code,run&run=${rtl}:0` });
        const states = [];
        for (let i = 0; i < 12; i++) {
            states.push([await where(page), await page.locator(".run-now").textContent(), JSON.stringify(await registers(page)), await page.locator(".run-stack").textContent()]);
            await page.getByLabel("one step forward").click();
        }
        while (states.length) {
            await page.getByLabel("one step back").click();
            const expected = states.pop();
            assert.deepEqual([await where(page), await page.locator(".run-now").textContent(), JSON.stringify(await registers(page)), await page.locator(".run-stack").textContent()], expected);
        }
        await page.getByLabel("step of the run").focus();
        await page.keyboard.press("End");
        assert.match(await page.locator(".run-stack").textContent(), new RegExp(records[rtl].cut ? "cut" : `ended: ${records[rtl].end}`));
        await page.getByLabel("to the start").click();
        await page.getByLabel("play", { exact: true }).click();
        assert.match(await where(page), new RegExp(`^step ${records[rtl].steps.length / 3} `), "with reduced motion, play goes to the end at once");
        await closePage(page);
    });

    test("calls and events", async () => {
        const record = records[rtl];
        const page = await openPage(browser, file, { hash: `#f=gcd&s=start&p=code,run&run=${rtl}:0` });
        assert.ok(record.events.length > 0, "the run has events");
        await page.getByLabel("to the next event").click();
        assert.match(await where(page), new RegExp(`^step ${record.events[0][0] + 1} `));
        const events = page.locator(".run-column").nth(1).locator(".row");
        assert.ok((await events.first().textContent()).endsWith(record.events[0][1]));
        const last = record.events.filter(([at]) => at === record.events[0][0]).length - 1;
        assert.ok(await events.nth(last).evaluate((row) => row.classList.contains("hot")), "the last event until here is marked");
        await page.getByLabel("to the start").click();
        const depths = new Set();
        for (let i = 0; i < 40; i++) {
            await page.getByLabel("one step forward").click();
            depths.add(await page.locator(".run-stack").textContent());
        }
        assert.ok([...depths].some((text) => /call depth 0: main/.test(text)));
        assert.ok([...depths].some((text) => /call depth 1: main › /.test(text)));
        await closePage(page);
    });

    test("every form can be stepped", async () => {
        const page = await openPage(browser, file, { hash: "#f=gcd&p=code,run" });
        for (let index = 0; index < records.length; index++) {
            await page.getByLabel("form that runs").selectOption(String(index));
            assert.equal(await page.locator(".info-name").textContent(), records[index].step || "start");
            for (let i = 0; i < 3; i++) await page.getByLabel("one step forward").click();
            const id = records[index].steps[3 * 2 + 1];
            if (id >= 0) assert.ok(await page.locator(`.pane-code .row.now[data-id="${id}"]`).first().isVisible(), `${records[index].form} after ${records[index].step}`);
        }
        await closePage(page);
    });

    test("two forms in lock step stop where both do the same", async () => {
        const page = await openPage(browser, file, { hash: `#f=gcd&s=start&p=code,run&run=${rtl}.${mach}:0`, width: 1500 });
        assert.equal(await page.locator(".run-side").count(), 2);
        let paired = 0;
        const step = async () => Number((await where(page)).split(" ")[1]);
        for (let i = 0; i < 8; i++) {
            await page.getByLabel("one step forward").click();
            const at = (await step()) - 1;
            const id = records[rtl].steps[3 * at + 1];
            if (!(await page.locator(".run-side").nth(1).locator("h3").textContent()).includes("the last step that both have")) paired++;
            const second = functionOf(data, data.pipelines[0].functions[records[rtl].steps[3 * at]].name).views.at(-1).find((row) => row.id === id);
            if (second) assert.equal(await page.locator(".run-now").nth(1).textContent(), second.text);
        }
        assert.ok(paired > 2);
        assert.deepEqual(await accessibility(page), []);
        await picture(page, "lockstep");
        await closePage(page);
    });
});
