// The page opened from disk, on a small, a medium and a large function: every pane, the slider, search, differences, links, histories.
import assert from "node:assert/strict";
import { dataOf, functionOf, idsOf, idsOnLine } from "./data.mjs";
import { addressShows, closePage, explore, group, openPage, picture, test } from "./lib.mjs";

const cases = [
    { name: "small", args: ["-O2", "examples/motivating.c"], fn: "f" },
    { name: "medium", args: ["-O2", "bench/programs/json.c"], fn: "parse" },
    { name: "large", args: ["-O2", "-Isrc", "src/c/lower/lower_expr.c"], fn: "lower_any" },
];

// The largest function of SQLite, for the long tests.
if (process.env.GATE_SQLITE) cases.push({ name: "sqlite", args: ["-O2", "-w", "--function=sqlite3VdbeExec", process.env.GATE_SQLITE], fn: "sqlite3VdbeExec" });

const texts = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.textContent));
const stepName = (page) => page.locator(".strip .info-name").first().textContent();

// The rows of the code pane that are in the document, as they are in the data.
async function shownRows(page) {
    return page.locator(".pane-code .row").evaluateAll((rows) => rows.map((row) => {
        const code = row.querySelector(".code").cloneNode(true);
        for (const gone of code.querySelectorAll("del")) gone.remove();
        return { index: Number(row.dataset.index), id: Number(row.dataset.id), mark: row.dataset.mark ?? "", text: code.textContent };
    }).sort((a, b) => a.index - b.index));
}

async function goTo(page, step) {
    await page.evaluate((name) => (location.hash = location.hash.replace(/([#&])s=[^&]*/, `$1s=${name}`)), step);
    await page.waitForFunction((name) => document.querySelector(".info-name").textContent === name, step);
}

function sliderTests(one, open) {
    test(`${one.name}: the slider goes through all steps, and the code is what the data has`, async () => {
        const { page, fn } = await open();
        const track = page.locator(".strip-track");
        assert.equal(await page.locator(".cell").count(), fn.steps.length + 1);
        await track.focus();
        await page.keyboard.press("Home");
        assert.equal(await stepName(page), "start");
        for (const step of fn.steps) {
            await page.keyboard.press("ArrowRight");
            assert.equal(await stepName(page), step.name);
            assert.match(await track.getAttribute("aria-valuetext"), new RegExp(`^${step.name}, step \\d+ of ${fn.steps.length}`));
            const rows = (await shownRows(page)).filter((row) => row.mark !== "removed");
            const all = fn.views[step.after].map((row) => row.text);
            assert.ok(rows.length > 0 && rows.every((row) => all.includes(row.text)), `rows after ${step.name}`);
            if (all.length < 24) assert.deepEqual(rows.map((row) => row.text), all);
        }
        await page.keyboard.press("End");
        assert.equal(await stepName(page), fn.steps.at(-1).name);
        await closePage(page);
    });

    test(`${one.name}: only steps with change, and from change to change`, async () => {
        const { page, fn } = await open();
        const changed = fn.steps.filter((step) => step.changed);
        await page.locator(".strip-track").focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("c");
        assert.deepEqual(await texts(page, ".cell-name"), ["start", ...changed.map((step) => step.name)]);
        await addressShows(page, /changed=1/);
        await page.keyboard.press("c");
        assert.equal(await page.locator(".cell").count(), fn.steps.length + 1);
        for (const step of changed) {
            await page.keyboard.press("}");
            assert.equal(await stepName(page), step.name);
        }
        await page.keyboard.press("{");
        assert.equal(await stepName(page), changed.at(-2).name);
        await page.locator(`.cell[data-step="${fn.steps[0].name}"]`).click();
        assert.equal(await stepName(page), fn.steps[0].name);
        await closePage(page);
    });
}

function differenceTests(one, open) {
    test(`${one.name}: what is added and removed is counted and marked by identity`, async () => {
        const { page, fn } = await open();
        let seen = 0;
        for (const step of fn.steps.filter((s) => s.changed)) {
            await goTo(page, step.name);
            const before = idsOf(fn.views[step.before]), after = idsOf(fn.views[step.after]);
            const rows = await shownRows(page);
            for (const row of rows.filter((r) => r.id >= 0)) {
                if (row.mark === "removed") assert.ok(before.has(row.id) && !after.has(row.id), `${step.name}: ${row.text}`);
                else if (row.mark === "added") assert.ok(after.has(row.id) && !before.has(row.id), `${step.name}: ${row.text}`);
                else assert.ok(after.has(row.id) && before.has(row.id), `${step.name}: ${row.text}`);
                if (row.mark) seen++;
            }
            const gone = [...before].filter((id) => !after.has(id)).length;
            const shown = Number(((await texts(page, ".strip-info .count.removed"))[0] ?? "−0").slice(1));
            assert.ok(shown >= gone, `${step.name} removed ${gone}, shown ${shown}`);
        }
        assert.ok(seen > 3);
        await closePage(page);
    });

    test(`${one.name}: a line that stays keeps its place`, async () => {
        const { page, fn } = await open();
        const steps = fn.steps.filter((step) => step.changed);
        let compared = 0;
        for (let i = 0; i + 1 < steps.length; i++) {
            await goTo(page, steps[i].name);
            const now = idsOf(fn.views[steps[i].after]), then = idsOf(fn.views[steps[i + 1].after]);
            const ids = (await shownRows(page)).filter((row) => row.mark !== "removed" && now.has(row.id) && then.has(row.id)).map((row) => row.id);
            if (ids.length < 3) continue;
            const id = ids[Math.floor(ids.length / 2)];
            const row = page.locator(`.pane-code .row[data-id="${id}"]:not(.removed)`);
            await row.locator(".gutter.number").click();
            const list = page.locator(".pane-code .list");
            const free = await list.evaluate((el) => el.scrollTop > 200 && el.scrollTop < el.scrollHeight - el.clientHeight - 200);
            const top = (await row.boundingBox()).y;
            await goTo(page, steps[i + 1].name);
            const after = (await row.boundingBox()).y;
            if (free) assert.equal(after, top, `${steps[i + 1].name} moved ${id}`);
            else assert.ok(await row.isVisible());
            compared++;
        }
        assert.ok(compared > 3);
        await closePage(page);
    });

    test(`${one.name}: removed lines can be hidden, numbers can be stable`, async () => {
        const { page, fn } = await open();
        const step = fn.steps.find((s) => s.changed && [...idsOf(fn.views[s.before])].some((id) => !idsOf(fn.views[s.after]).has(id)));
        await goTo(page, step.name);
        const list = page.locator(".pane-code .list");
        const before = await list.evaluate((el) => el.scrollHeight);
        await page.keyboard.press("r");
        assert.equal(await page.locator(".pane-code .row.removed").count(), 0);
        assert.ok((await list.evaluate((el) => el.scrollHeight)) <= before);
        await page.keyboard.press("s");
        const labels = await page.locator(".pane-code .row").evaluateAll((rows) => rows.map((row) => [row.dataset.id, row.querySelector(".number").textContent]));
        for (const [id, label] of labels) assert.equal(label, id === "-1" ? "" : `#${id}`);
        await closePage(page);
    });
}

function linkTests(one, open) {
    test(`${one.name}: a line of the source lights up what it became`, async () => {
        const { page, fn } = await open("&p=source,code,asm");
        await goTo(page, fn.steps.find((step) => step.changed).name);
        const lines = new Set(fn.views[0].filter((row) => row.loc?.file === fn.file && row.loc.line >= fn.line && row.loc.line <= fn.endLine).map((row) => row.loc.line));
        let lit = 0;
        for (const line of [...lines].slice(0, 4)) {
            await page.locator(`.pane-source .row[data-line="${line}"] .number`).hover();
            await page.waitForSelector(`.pane-source .row.hot[data-line="${line}"]`);
            const expected = idsOnLine(fn, fn.file, line);
            for (const row of await page.locator(".pane-code .row").evaluateAll((rows) => rows.map((r) => [Number(r.dataset.id), r.classList.contains("hot")]))) {
                assert.equal(row[1], expected.has(row[0]), `line ${line}, identity ${row[0]}`);
                lit += row[1] ? 1 : 0;
            }
            const assembly = await page.locator(".pane-asm .row").evaluateAll((rows) => rows.map((r) => [Number(r.dataset.asm), r.classList.contains("hot")]));
            for (const [index, hot] of assembly) assert.equal(hot, expected.has(fn.asm[index].id) || fn.asm[index].loc?.line === line, `line ${line}, assembly ${fn.asm[index].text}`);
        }
        assert.ok(lit > 0);
        await closePage(page);
    });

    test(`${one.name}: a line of code lights up its source, a register its definition and uses`, async () => {
        const { page, fn } = await open("&p=source,code,asm");
        const step = fn.steps.filter((s) => s.changed && s.name !== fn.steps[0].name).find((s) => fn.views[s.after].some((row) => /^%\S+ = /.test(row.text)));
        await goTo(page, step.name);
        const candidates = (await shownRows(page)).filter((row) => row.mark !== "removed" && /^%[\w.]+ = (?!const)/.test(row.text) && fn.views[step.after].some((r) => r.id === row.id && r.loc?.file === fn.file));
        assert.ok(candidates.length > 0);
        const chosen = candidates[0];
        const loc = fn.views[step.after].find((row) => row.id === chosen.id).loc;
        const row = page.locator(`.pane-code .row[data-id="${chosen.id}"]:not(.removed)`);
        await row.locator(".gutter.number").click();
        assert.ok(await page.locator(`.pane-source .row.pinned[data-line="${loc.line}"]`).isVisible());
        const register = row.locator("[data-reg]").first();
        const name = await register.getAttribute("data-reg");
        await register.hover();
        await page.waitForFunction((n) => document.querySelector(".pane-code .reg.lit")?.dataset.reg === n, name);
        const marks = await page.locator(".pane-code .row:not(.removed) [data-reg]").evaluateAll((all) => all.map((r) => [r.dataset.reg, r.classList.contains("lit")]));
        for (const [reg, lit] of marks) assert.equal(lit, reg === name, reg);
        await closePage(page);
    });

    test(`${one.name}: assembly leads back to code and source`, async () => {
        const { page, fn } = await open("&p=source,code,asm");
        await goTo(page, fn.steps.at(-1).name);
        const last = idsOf(fn.views[fn.steps.at(-1).after]);
        const index = fn.asm.findIndex((line) => line.id >= 0 && line.loc?.file === fn.file && last.has(line.id));
        assert.ok(index >= 0);
        const row = page.locator(`.pane-asm .row[data-asm="${index}"]`);
        await row.click();
        assert.ok(await page.locator(`.pane-code .row.pinned[data-id="${fn.asm[index].id}"]`).first().isVisible());
        assert.ok(await page.locator(`.pane-source .row.pinned[data-line="${fn.asm[index].loc.line}"]`).isVisible());
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(".row.pinned").count(), 0);
        await closePage(page);
    });
}

function factTests(one, open) {
    test(`${one.name}: what a step did, why it is right, sizes`, async () => {
        const { page, fn } = await open();
        const step = fn.steps.find((s) => s.remarks.length > 1) ?? fn.steps.find((s) => s.remarks.length);
        assert.ok(step, "no step has remarks");
        await goTo(page, step.name);
        const first = page.locator('.drawer .list[aria-label="what the step did"] .row').first();
        assert.equal((await first.locator(".words").textContent()).trim(), step.remarks[0].text);
        assert.equal(await first.getAttribute("aria-setsize"), String(step.remarks.length));
        if (step.established) assert.ok((await page.locator(".facts-text").first().textContent()).includes(step.established));
        assert.equal(await page.locator(".info-size").textContent(), `size ${step.size[0]} → ${step.size[1]}`);
        await first.click();
        const target = step.remarks[0];
        const id = target.after >= 0 ? target.after : target.before;
        if (id >= 0) await addressShows(page, new RegExp(`sel=i0:${id}`));
        await closePage(page);
    });

    test(`${one.name}: the history of a line has every remark about it, and leads to its steps`, async () => {
        const { page, fn } = await open();
        const told = new Map();
        for (const step of fn.steps) for (const remark of step.remarks) if (remark.before >= 0) told.set(remark.before, [...(told.get(remark.before) ?? []), { step, remark }]);
        const [id, list] = [...told].sort((a, b) => b[1].length - a[1].length)[0];
        await page.evaluate((n) => (location.hash += `&sel=i0:${n}`), id);
        await page.waitForSelector('.drawer .list[aria-label="history of the selection"] .row');
        const events = await eventsOf(page);
        for (const { step, remark } of list.slice(0, 5)) assert.ok(events.some(([name, text]) => name === step.name && text === remark.text), `${step.name}: ${remark.text}`);
        const last = list[0].step.name;
        await eventsOf(page, last);
        await page.locator('.drawer .list[aria-label="history of the selection"] .row', { hasText: last }).last().click();
        await page.waitForFunction((name) => document.querySelector(".info-name").textContent === name, last);
        await closePage(page);
    });

    test(`${one.name}: search finds steps and lines, and goes there`, async () => {
        const { page, fn } = await open();
        const step = fn.steps.filter((s) => s.changed).at(-1);
        await page.keyboard.press("/");
        await page.keyboard.type(step.name);
        await page.locator(".combo-search .combo-item", { hasText: step.name }).first().click();
        assert.equal(await stepName(page), step.name);
        const row = fn.views[0].find((r) => r.id >= 0 && /^%\w+ = /.test(r.text));
        await page.keyboard.press("/");
        await page.keyboard.press("Control+A");
        await page.keyboard.type(row.text);
        assert.ok((await texts(page, ".combo-search .combo-label")).includes(row.text));
        await page.keyboard.press("Enter");
        await addressShows(page, /sel=/);
        assert.ok(await page.locator(".pane-code .row.pinned").first().isVisible());
        await closePage(page);
    });
}

function addressTests(one, open) {
    test(`${one.name}: an address that is kept shows the same again`, async () => {
        const { page, fn, file, browser } = await open("&p=code,asm");
        const step = fn.steps.filter((s) => s.changed)[1];
        await goTo(page, step.name);
        await page.locator(".pane-code .row[data-id]:not([data-id='-1'])").nth(2).locator(".number").click();
        const hash = await page.evaluate(() => location.hash);
        const pinned = (view) => view.locator(".row.pinned").evaluateAll((rows) => rows.map((row) => row.textContent));
        const before = await pinned(page);
        await closePage(page);
        const again = await openPage(browser, file, { hash });
        assert.equal(await stepName(again), step.name);
        assert.equal(await again.locator(".pane").count(), 3);
        assert.deepEqual(await pinned(again), before);
        assert.ok(await again.locator(".row.pinned").first().isVisible());
        await closePage(again);
    });
}

// All rows of the history, or the rows up to the first one of a step: the list has only rows in sight as elements, so it is scrolled
// from its start.
async function eventsOf(page, until = null) {
    return page.locator('.drawer .list[aria-label="history of the selection"]').evaluate(async (list, until) => {
        const events = [];
        for (let top = 0; top < list.scrollHeight && !events.some(([name]) => name === until); top += list.clientHeight) {
            list.scrollTop = top;
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
            for (const row of list.querySelectorAll(".row")) events.push([row.querySelector(".event-step").textContent, row.querySelector(".words").textContent.trim()]);
        }
        return events;
    }, until);
}

await group("page", async (browser) => {
    // One case can be asked for by name; its tests have that in their names.
    const wanted = cases.filter((one) => process.argv.includes(one.name));
    for (const one of wanted.length ? wanted : cases) {
        const file = explore(one.name, one.args);
        const data = dataOf(file);
        const open = async (more = "") => ({ page: await openPage(browser, file, { hash: `#f=${one.fn}&s=start${more}` }), fn: functionOf(data, one.fn), file, browser });
        test(`${one.name}: opens with source, code and graph of the function`, async () => {
            const { page, fn } = await open();
            assert.deepEqual(await page.locator(".panes .pane").evaluateAll((panes) => panes.map((pane) => pane.className.replace("pane pane-", ""))), ["source", "code", "graph"]);
            assert.equal(await page.locator(".combo-input").first().inputValue(), one.fn);
            assert.ok(await page.locator(`.pane-source .row[data-line="${fn.line}"]`).isVisible());
            assert.equal(await page.locator(".panes .list .row").count() < 250, true, "rows out of sight are not in the document");
            await picture(page, `page-${one.name}`);
            await closePage(page);
        });
        if (one.name === "medium") {
            test("medium, a picture for the docs: a line of the source, and what became of it", async () => {
                const page = await openPage(browser, file, { hash: "#f=parse_number&s=son_optimize&p=source,code,graph" });
                await page.locator(".pane-source .row", { hasText: "number = number * 10" }).first().click();
                assert.ok((await page.locator(".pane-code .row.pinned").count()) > 0);
                await page.mouse.move(700, 880);
                await picture(page, "explore");
                await closePage(page);
            });
        }
        sliderTests(one, open);
        differenceTests(one, open);
        linkTests(one, open);
        factTests(one, open);
        addressTests(one, open);
    }
});
