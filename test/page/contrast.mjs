// Every colour of text is readable on every background that it can come to stand on: a contrast of at least 4.5, in both themes.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

const style = fs.readFileSync(new URL("../../src/explore/page/style.css", import.meta.url), "utf8");

function pair(text) {
    const match = /light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(text);
    return match ? [match[1], match[2]] : null;
}

function variable(name) {
    return pair(style.slice(style.indexOf(`--${name}: light-dark`)));
}

function ruleColor(name) {
    return pair(style.slice(style.indexOf(`\n.${name} { color: light-dark`)));
}

function luminance(color) {
    const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

function contrast(a, b) {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
}

const words = { text: variable("text"), muted: variable("muted"), removed: variable("removed-line"), reg: ruleColor("reg"), num: ruleColor("num"), typ: ruleColor("typ"), lab: ruleColor("lab"), sym: ruleColor("sym") };
const grounds = ["pane", "raised", "bg", "hot", "near", "pin", "added", "removed", "changed", "moved"];

test("texts on backgrounds", () => {
    let pairs = 0;
    const bad = [];
    for (const [name, colors] of Object.entries(words)) {
        for (const ground of grounds) {
            [0, 1].forEach((theme) => {
                const found = contrast(colors[theme], variable(ground)[theme]);
                if (found < 4.5) bad.push(`${name} on ${ground}, ${theme ? "dark" : "light"}: ${found.toFixed(2)}`);
                pairs++;
            });
        }
    }
    for (let tone = 0; tone < 12; tone++) {
        for (const name of Object.keys(words)) {
            if (name === "removed") continue;
            [0, 1].forEach((theme) => {
                const found = contrast(words[name][theme], variable(`tone-${tone}`)[theme]);
                if (found < 4.5) bad.push(`${name} on tone ${tone}, ${theme ? "dark" : "light"}: ${found.toFixed(2)}`);
                pairs++;
            });
        }
    }
    for (const [name, ground] of [["error-text", "error"], ["accent-text", "accent"], ["error-text", "pane"], ["added-line", "bg"], ["changed-line", "bg"], ["moved-line", "bg"], ["true", "pane"], ["false", "pane"]]) {
        [0, 1].forEach((theme) => contrast(variable(name)[theme], variable(ground)[theme]) < 4.5 && bad.push(`${name} on ${ground}, ${theme}`));
    }
    assert.ok(pairs > 300);
    assert.deepEqual(bad, []);
});
