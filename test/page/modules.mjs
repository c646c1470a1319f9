// Habits of the page's modules that the bundle and its readers rely on: names that are unique over all modules, functions and files of a length one
// can read, no markup made of data.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

const folder = new URL("../../src/explore/page/", import.meta.url);
const modules = fs.readdirSync(folder).filter((name) => name.endsWith(".js")).map((name) => ({ name, text: fs.readFileSync(new URL(name, folder), "utf8") }));

test("no name is there twice", () => {
    const seen = new Map();
    for (const { name, text } of modules) {
        for (const match of text.matchAll(/^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/gm)) {
            assert.equal(seen.get(match[1]), undefined, `${match[1]} is in ${seen.get(match[1])} and in ${name}`);
            seen.set(match[1], name);
        }
    }
    assert.ok(seen.size > 150);
});

test("files of at most 800 lines, functions of at most 60, a head that says what it is about", () => {
    for (const { name, text } of modules) {
        const lines = text.split("\n");
        assert.ok(lines.length <= 800, name);
        assert.ok(text.startsWith("//"), `${name} has no head`);
        let start = -1;
        lines.forEach((line, index) => {
            if (/^(?:export )?(?:async )?function/.test(line)) start = index;
            if (line !== "}" || start < 0) return;
            assert.ok(index - start < 60, `${name}:${start + 1} has ${index - start + 1} lines`);
            start = -1;
        });
    }
});

test("data never becomes markup or code", () => {
    for (const { name, text } of modules) assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
});
