// The arguments of a merge in its text: "gamma(A: %x, B & C: %y)" has [6, 11] and [13, 22].

export function argumentRanges(text) {
    const match = /\b(?:gamma|mu|eta|phi)\b[^(]*\(/.exec(text);
    if (!match) return [];
    const ranges = [];
    let depth = 0, start = match.index + match[0].length;
    for (let at = start; at < text.length; at++) {
        const c = text[at];
        if (c === "(" || c === "[") depth++;
        else if ((c === ")" || c === "]") && depth > 0) depth--;
        else if (c === ")" || (c === "," && depth === 0)) {
            ranges.push([start, at]);
            if (c === ")") return ranges;
            start = at + 1;
            while (text[start] === " ") start++;
        }
    }
    return ranges;
}

// Which argument a place in the text belongs to; -1 if none. An eta has one gate for its one value: both of its arguments are the first.
export function argumentAt(text, column) {
    const index = argumentRanges(text).findIndex(([start, end]) => column >= start && column < end);
    return index > 0 && /\beta\(/.test(text) ? 0 : index;
}
