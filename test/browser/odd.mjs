// What nobody expects of a file: no functions, names that JavaScript knows, text that would end the page, lines that no person wrote, addresses
// that were damaged; and what one sees first.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { dataOf } from "./data.mjs";
import { closePage, explore, group, openPage, test } from "./lib.mjs";

function pageOf(name, text, ...args) {
    const file = path.join(process.env.TMPDIR ?? "/tmp", `${name}.c`);
    fs.writeFileSync(file, text);
    return explore(name, ["-O2", ...args, file]);
}

const everyPane = "p=source,code,graph,asm,step,run";
const chosen = (page) => page.locator(".combo-input").first().inputValue();
const rowsOf = (page, pane) => page.locator(`.pane-${pane} .list .row .code`).allTextContents();

// Whether two boxes of the same pane's head lie over each other.
function overlaps(page) {
    return page.evaluate(() => {
        const found = [];
        for (const head of document.querySelectorAll(".pane-head, .run-controls")) {
            const boxes = [...head.querySelectorAll("button, select, input")].map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width);
            const outer = head.getBoundingClientRect();
            boxes.forEach(([one, a], i) => {
                if (a.right > outer.right + 1) found.push(`${one.textContent.slice(0, 20)} is cut off`);
                for (const [other, b] of boxes.slice(i + 1)) if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(`${one.textContent.slice(0, 20)} / ${other.textContent.slice(0, 20)}`);
            });
        }
        return found;
    });
}

function contentTests(browser) {
    test("a file without functions is shown, and that there are none is said", async () => {
        const page = await openPage(browser, pageOf("none", "int f(int);\ntypedef int number;\n"), { hash: `#${everyPane}` });
        assert.match(await page.locator(".strip-info").textContent(), /no functions in this file/);
        assert.match(await page.locator(".pane-code .pane-note").textContent(), /no functions in this file/);
        assert.deepEqual(await rowsOf(page, "source"), ["int f(int);", "typedef int number;"]);
        for (const key of ["]", "}", "/", "Escape", "n", "c", "s", "b"]) await page.keyboard.press(key);
        await closePage(page);
    });

    test("functions with names that JavaScript knows", async () => {
        const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "length", "prototype"];
        const file = pageOf("names", names.map((name, i) => `int ${name}(int x) { for (int i = 0; i < x; i++) x ^= i + ${i}; return x; }\n`).join(""));
        const page = await openPage(browser, file, { hash: `#f=__proto__&s=gsa_build&${everyPane}` });
        for (const name of names) {
            await page.keyboard.press("f");
            await page.keyboard.type(name);
            await page.keyboard.press("Enter");
            assert.equal(await chosen(page), name);
            assert.ok(await page.locator(".strip-track").evaluate((track) => track === document.activeElement), "the slider has the focus");
            assert.match((await rowsOf(page, "code"))[0], new RegExp(`@${name}\\(`));
        }
        await closePage(page);
    });

    test("text that would end the page is text", async () => {
        const line = 'const char *s = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \u2028";';
        const page = await openPage(browser, pageOf("script", `${line}\nint puts(const char *);\nint main(void) { return puts("</script><img src=x onerror=alert(3)>") < 0; }\n`), { hash: `#f=main&${everyPane}` });
        let asked = 0;
        page.on("dialog", (dialog) => (asked++, dialog.dismiss()));
        assert.equal((await rowsOf(page, "source"))[0], line);
        assert.ok((await page.locator(".pane-run").textContent()).includes("</script><img src=x onerror=alert(3)>"));
        assert.equal((await page.locator("img").count()) + asked, 0);
        await closePage(page);
    });
}

function sizeTests(browser) {
    test("a block of thousands of lines has elements only for those in sight; so has a line of the source", async () => {
        const file = pageOf("long", `int f(int x) { return x${"+x*3^x".repeat(4000)}; }\n`);
        const page = await openPage(browser, file, { hash: "#f=f&s=start&p=source,code,graph" });
        const count = () => page.evaluate(() => document.querySelectorAll("*").length);
        await page.waitForSelector(".graph-row");
        assert.ok((await count()) < 12000, `${await count()} elements`);
        const shown = () => page.locator(".graph-row").evaluateAll((rows) => rows.map((row) => Number(row.dataset.item)));
        const before = await shown();
        await page.keyboard.press("2");
        for (const key of ["End", "ArrowUp", "Enter"]) await page.keyboard.press(key);
        await page.waitForSelector(".graph-row.graph-pin");
        const after = await shown();
        assert.ok(before.includes(0) && !after.includes(0) && before.length < 400 && after.length < 400, `${after[0]} … ${after.at(-1)}`);
        assert.ok((await count()) < 12000, `${await count()} elements`);
        await closePage(page);
    });

    test("six panes in a window of 1400 pixels, three in one of 800: nothing lies over anything", async () => {
        const file = explore("odd-small", ["-O2", "examples/motivating.c"]);
        for (const [hash, width] of [[`#f=f&${everyPane}`, 1400], ["#f=f&p=code,graph,run", 800], ["#f=f&p=source,asm,step", 800]]) {
            const page = await openPage(browser, file, { hash, width, height: 700 });
            assert.deepEqual(await overlaps(page), []);
            const facts = await page.locator(".facts-column").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
            assert.ok(facts.every((room) => room > 120), `columns of ${facts}`);
            await closePage(page);
        }
    });

    test("an address with a height of nonsense leaves the panes in sight", async () => {
        const page = await openPage(browser, explore("odd-small", ["-O2", "examples/motivating.c"]), { hash: "#f=f&h=99999999&w=Infinity,1,1&run=99:99999&s=constructor" });
        assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= document.documentElement.clientHeight && document.querySelector(".panes").clientHeight >= 100));
        await closePage(page);
    });
}

function firstTests(browser) {
    test("two pipelines: first is a function in which they differ, at the step where they begin to", async () => {
        const file = explore("odd-versus", ["-O1", "--no-run", "--versus=-O2", "bench/programs/json.c"]);
        const page = await openPage(browser, file);
        const sizes = await page.locator(".strip-info .info-size").allTextContents();
        assert.notEqual(sizes[0], sizes[1]);
        assert.equal(dataOf(file).pipelines.length, 2);
        await closePage(page);
    });

    test("that a step was forged is said", async () => {
        const page = await openPage(browser, explore("odd-forge", ["-O2", "--no-run", "--forge=gsa_build", "examples/motivating.c"]));
        assert.match(await page.locator(".drawer .facts-text").textContent(), /Forged.*gate put a mistake into what it made/);
        await closePage(page);
    });
}

await group("odd", async (browser) => {
    contentTests(browser);
    sizeTests(browser);
    firstTests(browser);
});
