// Themes, sizes, paper, keyboard alone, and what axe says to all of them.
import assert from "node:assert/strict";
import { dataOf, functionOf } from "./data.mjs";
import { accessibility, addressShows, closePage, explore, group, openPage, picture, test } from "./lib.mjs";

const layouts = [["source, code and graph", "&p=source,code,graph"], ["assembly, step and run", "&p=asm,step,run"], ["two forms", "&p=code,graph:loops&stable=1&changed=1"]];

function lookTests(file, browser) {
    for (const colorScheme of ["light", "dark"]) {
        for (const [what, panes] of layouts) {
            test(`axe finds no serious mistake: ${what}, ${colorScheme}`, async () => {
                const page = await openPage(browser, file, { hash: `#f=f&s=gsa_build${panes}&sel=l0:0`, colorScheme });
                await page.locator(".cell").nth(4).click();
                assert.deepEqual(await accessibility(page), []);
                await closePage(page);
            });
        }
        test(`axe finds no serious mistake: something pinned and pointed at, menus open, help, ${colorScheme}`, async () => {
            const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build&p=source,code,asm", colorScheme });
            await page.locator(".pane-code .row").nth(6).locator(".number").click();
            await page.locator(".pane-source .row").nth(8).hover();
            assert.deepEqual(await accessibility(page), []);
            await page.keyboard.press("/");
            await page.keyboard.type("phi");
            assert.deepEqual(await accessibility(page), []);
            await page.keyboard.press("Escape");
            await page.keyboard.press("Escape");
            await page.keyboard.press("?");
            assert.ok(await page.locator("dialog.help").isVisible());
            assert.deepEqual(await accessibility(page), []);
            await picture(page, `help-${colorScheme}`);
            await page.keyboard.press("Escape");
            assert.ok(!(await page.locator("dialog.help").isVisible()));
            await closePage(page);
        });
    }

    test("the theme follows the system, and can be chosen", async () => {
        const page = await openPage(browser, file, { colorScheme: "dark" });
        const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = await background();
        await page.keyboard.press("t");
        const light = await background();
        assert.notEqual(light, dark);
        await page.keyboard.press("t");
        assert.equal(await background(), dark);
        await page.keyboard.press("t");
        await page.emulateMedia({ colorScheme: "light" });
        assert.equal(await background(), light);
        await closePage(page);
    });
}

function sizeTests(file, browser) {
    // 200 % at 1024 pixels is a window of 512.
    for (const [width, height] of [[1024, 768], [512, 384]]) {
        test(`nothing is lost in a window of ${width} pixels`, async () => {
            const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build", width, height });
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
            for (const selector of [".pane-source .row", ".pane-code .row", ".pane-graph", ".drawer", ".strip-track", ".combo-search", ".pane-code .pane-kind"]) {
                const one = page.locator(selector).first();
                await one.scrollIntoViewIfNeeded();
                assert.ok(await one.isVisible(), selector);
            }
            const clipped = await page.locator("header button, header select, .pane-head button").evaluateAll((all) => all.filter((one) => {
                const box = one.getBoundingClientRect();
                return box.width && (box.left < -1 || box.right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 2);
            }).map((one) => one.textContent));
            assert.deepEqual(clipped, []);
            assert.deepEqual(await accessibility(page), []);
            await picture(page, `window-${width}`);
            await closePage(page);
        });
    }

    test("on paper: the function's source and form, no tools", async () => {
        const fn = functionOf(dataOf(file), "f");
        const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build&p=source,code", colorScheme: "dark" });
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        await page.emulateMedia({ media: "print" });
        const text = await page.locator(".paper").innerText();
        const view = fn.views[fn.steps.find((step) => step.name === "gsa_build").after];
        for (const row of view) assert.ok(text.includes(row.text), row.text);
        assert.ok(text.includes("static int f(int n) {"));
        for (const selector of [".head", ".strips", ".drawer", ".status", ".pane-code"]) assert.ok(!(await page.locator(selector).first().isVisible()), selector);
        const colors = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector(".paper")).color]);
        assert.equal(colors[0], "rgb(255, 255, 255)");
        await page.pdf({ path: `${process.env.TMPDIR ?? "/tmp"}/paper.pdf` });
        await closePage(page);
    });
}

function keyTests(file, browser) {
    test("everything is reached with Tab, and the focus is seen", async () => {
        const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build&p=source,code,asm" });
        const reached = new Set();
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press("Tab");
            const one = await page.evaluate(() => {
                const at = document.activeElement;
                if (!at || at === document.body) return null;
                const style = getComputedStyle(at);
                return { name: at.getAttribute("aria-label") ?? at.textContent.slice(0, 20), seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 };
            });
            if (!one) continue;
            assert.ok(one.seen, `the focus of ${one.name} is not seen`);
            reached.add(one.name);
        }
        for (const name of ["function", "search", "step", "source", "assembly", "width of pane 1", "what pane 2 shows", "what the step did", "help (?)", "only changed"]) {
            assert.ok([...reached].some((one) => one === name || one.startsWith(name)), `${name} is not reached: ${[...reached].join(", ")}`);
        }
        await closePage(page);
    });

    test("lists, registers, gates and pins with keys alone", async () => {
        const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build&p=source,code,asm" });
        await page.keyboard.press("2");
        assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^code of f, gsa/);
        await page.keyboard.press("Home");
        const active = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.querySelector(".code").textContent);
        const seen = new Set();
        while (!/gamma\(/.test(await active())) {
            await page.keyboard.press("ArrowDown");
            assert.ok(seen.size < 80);
            seen.add(await active());
        }
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        assert.match(await page.locator("[aria-live=polite]").first().textContent(), /^%\S+.*chosen when /);
        assert.ok((await page.locator(".pane-code .reg.lit").count()) > 0);
        await page.keyboard.press("Enter");
        assert.ok((await page.locator(".pane-code .row.pinned").count()) > 0);
        assert.equal(await page.locator(".pane-code .row.pinned").first().getAttribute("aria-selected"), "true");
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(".row.pinned").count(), 0);
        const before = await active();
        await page.keyboard.press("n");
        assert.notEqual(await active(), before);
        await closePage(page);
    });

    test("panes: another kind, one more, one less, moved bars; single letters can be turned off", async () => {
        const page = await openPage(browser, file, { hash: "#f=f&s=gsa_build&p=source,code,asm" });
        await page.getByLabel("what pane 3 shows").selectOption("step");
        assert.ok(await page.locator(".panes .pane-step").isVisible());
        await page.getByLabel("add a pane").selectOption("asm");
        assert.equal(await page.locator(".panes .pane").count(), 4);
        await addressShows(page, /p=source,code,step,asm/);
        await page.getByLabel("close pane 3").click();
        await addressShows(page, /p=source,code,asm/);
        const width = async () => (await page.locator(".pane-source").boundingBox()).width;
        const before = await width();
        await page.getByLabel("width of pane 1").focus();
        for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
        assert.ok((await width()) > before + 50);
        await addressShows(page, /w=/);
        const bar = await page.getByLabel("width of pane 1").boundingBox();
        await page.mouse.move(bar.x + 4, bar.y + 100);
        await page.mouse.down();
        await page.mouse.move(bar.x - 150, bar.y + 100, { steps: 4 });
        await page.mouse.up();
        assert.ok(Math.abs((await page.getByLabel("width of pane 1").boundingBox()).x - (bar.x - 150)) < 30);
        await page.keyboard.press("?");
        await page.locator("#help-keys").uncheck();
        await page.keyboard.press("Escape");
        const step = await page.locator(".info-name").textContent();
        await page.keyboard.press("]");
        assert.equal(await page.locator(".info-name").textContent(), step);
        await closePage(page);
    });

    test("the function chooser finds by part of a name", async () => {
        const page = await openPage(browser, file, { hash: "#f=f" });
        await page.keyboard.press("f");
        await page.keyboard.type("mai");
        assert.match(await page.locator(".combo-item").first().textContent(), /^mainline \d+ · \d+ rows · \d+ changes/);
        await page.keyboard.press("Enter");
        await addressShows(page, /f=main/);
        assert.ok(await page.locator(".pane-code .row", { hasText: "@main" }).isVisible());
        await closePage(page);
    });
}

await group("modes", async (browser) => {
    const file = explore("modes", ["-O2", "examples/motivating.c"]);
    lookTests(file, browser);
    sizeTests(file, browser);
    keyTests(file, browser);
});
