// What the browser tests share: one browser for a group of tests, pages that must not complain or reach for the network, pictures,
// and axe. A group is a file NAME.mjs with `await group(async (browser) => { test("what it shows", async (t) => …) })`, started by NAME.sh.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const root = process.env.ROOT ?? path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
export const built = process.env.BUILT ?? path.join(root, "build");
const scratch = process.env.TMPDIR ?? "/tmp";
const packages = createRequire(path.join(root, "build/explorer/node_modules/here.js"));
// How long a page may take for anything, in milliseconds: long enough for a machine on which twenty others compute.
const patience = 300000;
export const pictures = path.join(built, "screenshots");

function needed(what, found) {
    if (found) return found;
    console.error(`${what} is missing: run tools/install-deps explorer`);
    process.exit(1);
}

function findPackage(name) {
    try {
        return packages.resolve(name);
    } catch {
        return null;
    }
}

function findChromium() {
    return ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => fs.existsSync(file));
}

// ---- Pages

// Makes a page of C files with `gate explore` and yields its path.
export function explore(name, args) {
    const file = path.join(scratch, `${name}.html`);
    execFileSync(path.join(built, "bin/gate"), ["explore", "-o", file, ...args], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    return file;
}

export function address(file) {
    return file.startsWith("http") ? file : pathToFileURL(file).href;
}

// Everything that a page must never do is collected in page.complaints: errors, warnings of the console, requests to elsewhere.
function watch(page, start) {
    page.complaints = [];
    const complain = (text) => page.complaints.push(text);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complain(`console: ${message.text()}`));
    page.on("pageerror", (error) => complain(`error: ${error.stack ?? error.message}`));
    page.on("requestfailed", (request) => complain(`request failed: ${request.url()}`));
    const home = start.startsWith("http") ? new URL(start).origin + "/" : start.split("#")[0];
    page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(home) && !url.startsWith("blob:")) complain(`request to ${url}`);
    });
}

export async function openPage(browser, file, { hash = "", width = 1400, height = 900, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const start = address(file);
    watch(page, start);
    await page.goto(start + hash, { waitUntil: "load" });
    await page.waitForSelector("body[data-ready]").catch((error) => {
        throw new Error(`${error.message}\n${page.complaints.join("\n")}`);
    });
    return page;
}

// Ends with a page: it had nothing to complain of.
export async function closePage(page) {
    const complaints = page.complaints;
    await page.context().close();
    assert.deepEqual(complaints, []);
}

// Waits until the address of a page matches. Playwright learns of a new address only after the page.
export async function addressShows(page, pattern) {
    await page.waitForFunction((source) => new RegExp(source).test(location.href), pattern.source);
}

export async function picture(page, name) {
    fs.mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

// Serious and critical mistakes that axe finds; each as a line.
export async function accessibility(page) {
    const source = fs.readFileSync(needed("axe-core", findPackage("axe-core/axe.min.js")), "utf8");
    await page.evaluate(source);
    const found = await page.evaluate(async () => {
        const result = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        return result.violations
            .filter((violation) => ["serious", "critical"].includes(violation.impact))
            .map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 200)} (${n.failureSummary.split("\n")[1] ?? ""})`).join(" | ")}`);
    });
    return found;
}

// ---- Groups of tests

const cases = [];

export function test(name, body) {
    cases.push({ name, body });
}

// Runs the tests of a group in one browser; ends the process with 1 if any failed.
export async function group(name, prepare) {
    const { chromium } = await import(pathToFileURL(needed("playwright-core", findPackage("playwright-core"))).href).then((m) => m.default ?? m);
    const browser = await chromium.launch({
        executablePath: needed("chromium", findChromium()),
        env: { ...process.env, TMPDIR: "/tmp" }, // the path of a socket must be short
        timeout: patience,
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    });
    let failed = 0;
    try {
        await prepare(browser);
        const words = process.argv.slice(2);
        const chosen = cases.filter((one) => words.every((word) => one.name.includes(word)));
        assert.ok(chosen.length > 0, "no tests");
        for (const { name: what, body } of chosen) {
            const began = Date.now();
            try {
                await body();
                console.log(`ok ${what} (${Date.now() - began} ms)`);
            } catch (error) {
                failed++;
                console.log(`FAILED ${what}: ${error.stack ?? error}`);
                for (const context of browser.contexts()) {
                    for (const page of context.pages()) await picture(page, `failed-${name}-${failed}`).catch(() => {});
                    await context.close();
                }
            }
        }
        console.log(`${name}: ${chosen.length - failed} passed, ${failed} failed`);
    } finally {
        await browser.close();
    }
    process.exit(failed ? 1 : 0);
}
