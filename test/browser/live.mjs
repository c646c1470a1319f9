// The served page: the source is an editor, the forms follow; mistakes are told and the last good result stays.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { accessibility, addressShows, built, closePage, group, openPage, picture, root, test } from "./lib.mjs";

const scratch = process.env.TMPDIR ?? "/tmp";
const servers = [];

// Starts a server and yields its address.
function serve(args) {
    return new Promise((resolve, reject) => {
        const server = spawn(path.join(built, "bin/gate"), ["explore", "--serve", ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
        servers.push(server);
        let out = "", errors = "";
        server.stderr.on("data", (text) => (errors += text));
        server.stdout.on("data", (text) => {
            out += text;
            const match = /http:\/\/127\.0\.0\.1:\d+\/\w+\//.exec(out);
            if (match) resolve(match[0]);
        });
        server.on("exit", () => reject(new Error(`the server has ended: ${errors}`)));
    });
}

const code = (page) => page.locator(".pane-code .row .code").evaluateAll((rows) => rows.map((row) => row.textContent));
const area = (page) => page.getByLabel("C source");

async function waitForCode(page, pattern) {
    await page.waitForFunction((source) => [...document.querySelectorAll(".pane-code .row")].some((row) => new RegExp(source).test(row.textContent)), pattern.source);
}

// Puts text behind the first occurrence of a place, as if typed.
async function typeAt(page, place, text) {
    await area(page).evaluate((element, before) => {
        const at = element.value.indexOf(before) + before.length;
        element.focus();
        element.setSelectionRange(at, at);
    }, place);
    await page.keyboard.type(text);
}

function sameAsFromDisk(name, url, browser, fn) {
    test(`served, ${name}: steps, links and graph as in a page from disk`, async () => {
        const page = await openPage(browser, await url(), { hash: `#f=${fn}&s=start&p=source,code,graph` });
        assert.equal(await page.locator(".combo-input").first().inputValue(), fn);
        const steps = (await page.locator(".cell").count()) - 1;
        await page.locator(".strip-track").focus();
        await page.keyboard.press("End");
        assert.equal(await page.locator(".strip-track").getAttribute("aria-valuenow"), String(steps));
        await page.keyboard.press("Home");
        const row = page.locator(".pane-code .row[data-kind=i]").nth(1);
        await row.locator(".number").click();
        assert.ok((await page.locator(".editor-line.pinned").count()) > 0, "the editor's line lights up");
        assert.ok((await page.locator(".graph-row").count()) > 0);
        await closePage(page);
    });
}

function editTests(url, browser) {
    test("what is typed is compiled after a pause", async () => {
        const page = await openPage(browser, await url(), { hash: "#f=gcd&s=start&p=source,code,asm" });
        await typeAt(page, "return a", " + 4711");
        await waitForCode(page, /4711/);
        await addressShows(page, /f=gcd&s=start/);
        await picture(page, "live");
        await page.keyboard.press("Control+Z");
        await page.waitForFunction(() => !document.querySelector(".editor-text").value.includes("4711"));
        await page.waitForFunction(() => ![...document.querySelectorAll(".pane-code .row")].some((row) => row.textContent.includes("4711")));
        await closePage(page);
    });

    test("a mistake is told, and the last good result stays", async () => {
        const page = await openPage(browser, await url(), { hash: "#f=gcd&s=start&p=source,code,asm" });
        const before = await code(page);
        await typeAt(page, "return a", " +");
        await page.waitForSelector(".editor-messages.error:not([hidden])");
        assert.match(await page.locator(".editor-messages").textContent(), /error/);
        assert.deepEqual(await code(page), before);
        assert.deepEqual(await accessibility(page), []);
        await picture(page, "live-mistake");
        await typeAt(page, "return a +", " 99");
        await waitForCode(page, /99/);
        assert.ok(!(await page.locator(".editor-messages.error").isVisible()));
        await closePage(page);
    });

    test("other options, another pipeline", async () => {
        const page = await openPage(browser, await url(), { hash: "#f=gcd&s=start&p=source,code,asm" });
        const before = await page.locator(".cell").count();
        await page.getByLabel("options of the compiler").fill("-O0");
        await page.keyboard.press("Enter");
        await page.waitForFunction((count) => document.querySelectorAll(".cell").length < count, before);
        await closePage(page);
    });

    test("the caret's line lights up what it became", async () => {
        const page = await openPage(browser, await url(), { hash: "#f=gcd&s=start&p=source,code,asm" });
        await typeAt(page, "a = a -", "");
        await page.keyboard.press("ArrowRight");
        await page.waitForSelector(".pane-code .row.hot");
        assert.match(await page.locator(".pane-code .row.hot").first().textContent(), /sub|%a/);
        await closePage(page);
    });

    test("a file without functions, and with functions again", async () => {
        const page = await openPage(browser, await url(), { hash: "#f=gcd&s=start&p=source,code,graph" });
        await area(page).fill("int nothing;\n");
        await page.waitForFunction(() => !document.querySelector(".pane-code .row"));
        await area(page).fill("int twice(int n) { return n + n; }\n");
        await waitForCode(page, /@twice/);
        await addressShows(page, /f=twice/);
        await closePage(page);
    });

    for (const colorScheme of ["light", "dark"]) {
        test(`axe finds no serious mistake in the editor, ${colorScheme}`, async () => {
            const page = await openPage(browser, await url(), { hash: "#f=gcd&s=start&p=source,code,graph", colorScheme });
            assert.deepEqual(await accessibility(page), []);
            await closePage(page);
        });
    }
}

process.on("exit", () => servers.forEach((server) => server.kill()));

await group("live", async (browser) => {
    fs.copyFileSync(path.join(root, "examples/gcd.c"), path.join(scratch, "gcd.c"));
    const addresses = new Map();
    const url = (args) => () => {
        const key = args.join(" ");
        if (!addresses.has(key)) addresses.set(key, serve(args));
        return addresses.get(key);
    };
    const small = url(["-O2", path.join(scratch, "gcd.c"), "--", "84", "36"]);
    sameAsFromDisk("small", small, browser, "gcd");
    sameAsFromDisk("medium", url(["-O2", "bench/programs/json.c"]), browser, "parse");
    sameAsFromDisk("large", url(["-O2", "-Isrc", "src/c/lower/lower_expr.c"]), browser, "lower_any");
    editTests(small, browser);
});
