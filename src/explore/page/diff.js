// What differs between two views. A line is the same if it has the same identity; that it says the same is seen without the numbers of
// nodes, which every step gives anew. Lines that stayed keep their order; of those that have changed places, as few as possible count as
// moved.
import { wordsOf } from "./tokens.js";

// Positions of a longest increasing subsequence of numbers that all differ.
export function increasing(numbers) {
    const tails = [], before = new Array(numbers.length).fill(-1);
    numbers.forEach((number, i) => {
        let low = 0, high = tails.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (numbers[tails[middle]] < number) low = middle + 1;
            else high = middle;
        }
        if (low > 0) before[i] = tails[low - 1];
        tails[low] = i;
    });
    const chosen = new Set();
    for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]) chosen.add(i);
    return chosen;
}

// Numbers of nodes in a line, as [start, end, number]: targets, arguments of phis, cases, names of regions.
export function nodeReferences(text) {
    const found = [];
    const note = (match, group, offset) => {
        for (const number of group.matchAll(/\d+/g)) found.push([match.index + offset + number.index, match.index + offset + number.index + number[0].length, Number(number[0])]);
    };
    for (const match of text.matchAll(/(\b(?:then|else|region|loop|end|default:) |-> )(\d+)/g)) note(match, match[2], match[1].length);
    for (const match of text.matchAll(/( from )(\d+(?:, \d+)*)/g)) note(match, match[2], match[1].length);
    for (const match of text.matchAll(/phi(?: [^(]*)?\(([^)]*)\)/g)) {
        const start = match[0].indexOf("(") + 1;
        for (const part of match[1].matchAll(/(^|, )(\d+):/g)) note({ index: match.index + start + part.index + part[1].length }, part[2], 0);
    }
    for (const match of text.matchAll(/(-?\d+|case \S+): (\d+)(?=,| })/g)) if (text.includes("switch")) note(match, match[2], match[0].length - match[2].length);
    return found.sort((a, b) => a[0] - b[0]);
}

// Identity of the node of each number in a view.
function identityOfNode(view) {
    view.nodeIdentity ??= (() => {
        const found = new Map();
        for (const row of view.rows) if (row.node >= 0 && row.id >= 0 && row.kind !== "m") found.set(row.node, row.id);
        return found;
    })();
    return view.nodeIdentity;
}

// The words of a line as [{ text, key }]: the key of a node's number is the node's identity, that of other words is the word. With `stable` the text
// names nodes by identity, too: "then #12 else #9".
export function stableWords(view, row, stable = false) {
    const words = wordsOf(row.text);
    if (view.form === "mach") return words.map((text) => ({ text, key: text }));
    const identity = identityOfNode(view);
    const references = new Map(nodeReferences(row.text).map(([start, , number]) => [start, number]));
    let at = 0;
    return words.map((text) => {
        const number = references.get(at);
        at += text.length;
        if (number === undefined || !identity.has(number)) return { text, key: text };
        const name = `#${identity.get(number)}`;
        return { text: stable ? name : text, key: name };
    });
}

export function stableText(view, row) {
    return stableWords(view, row, true).map((word) => word.text).join("");
}

// Words that both have, in order, as a table-free comparison: common beginning and end, then a longest common subsequence of the rest if that is
// short. Words are { text, key }; those of equal keys are the same. Yields [{ text, kind: "same" | "removed" | "added" }] for the new line.
export function wordDifference(before, after) {
    let start = 0, endBefore = before.length, endAfter = after.length;
    while (start < endBefore && start < endAfter && before[start].key === after[start].key) start++;
    while (endBefore > start && endAfter > start && before[endBefore - 1].key === after[endAfter - 1].key) endBefore--, endAfter--;
    const parts = [];
    const add = (text, kind) => {
        if (!text) return;
        if (parts.at(-1)?.kind === kind) parts.at(-1).text += text;
        else parts.push({ text, kind });
    };
    add(textOfWords(after.slice(0, start)), "same");
    middleDifference(before.slice(start, endBefore), after.slice(start, endAfter), add);
    add(textOfWords(after.slice(endAfter)), "same");
    return parts;
}

function textOfWords(words) {
    return words.map((word) => word.text).join("");
}

function middleDifference(a, b, add) {
    if (a.length * b.length > 40000) {
        add(textOfWords(a), "removed");
        add(textOfWords(b), "added");
        return;
    }
    const width = b.length + 1;
    const table = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) {
        for (let j = b.length - 1; j >= 0; j--) {
            table[i * width + j] = a[i].key === b[j].key ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
        }
    }
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i].key === b[j].key) add(b[j].text, "same"), i++, j++;
        else if (i < a.length && (j >= b.length || table[(i + 1) * width + j] >= table[i * width + j + 1])) add(a[i++].text, "removed");
        else add(b[j++].text, "added");
    }
}

// Compares two views: { entries, counts }. An entry is { row, mark, old } with mark "", "added", "removed", "changed" or "moved"; removed lines
// stand where they were. `before` null: nothing is marked.
export function compareViews(before, after) {
    const counts = { added: 0, removed: 0, changed: 0, moved: 0 };
    if (!before || before === after) return { entries: after.rows.map((row) => ({ row, mark: "", old: null })), counts };
    const oldPlace = new Map(before.rows.map((row, position) => [row.key, position]));
    const matched = after.rows.map((row) => oldPlace.get(row.key) ?? -1);
    const kept = matched.filter((position) => position >= 0);
    const stays = new Set([...increasing(kept)].map((i) => kept[i]));
    const taken = new Set(kept);
    const entries = [];
    let next = 0;
    const removedUntil = (limit) => {
        for (; next < limit; next++) if (!taken.has(next)) entries.push({ row: before.rows[next], mark: "removed", old: null });
    };
    after.rows.forEach((row, i) => {
        const place = matched[i];
        if (place < 0) {
            entries.push({ row, mark: "added", old: null });
            return;
        }
        if (stays.has(place)) removedUntil(place), (next = Math.max(next, place + 1));
        const old = before.rows[place];
        const changed = old.text !== row.text && stableText(before, old) !== stableText(after, row);
        entries.push({ row, mark: changed ? "changed" : stays.has(place) ? "" : "moved", old: changed ? old : null, moved: !stays.has(place) });
    });
    removedUntil(before.rows.length);
    for (const entry of entries) if (entry.mark) counts[entry.mark]++;
    return { entries, counts };
}
