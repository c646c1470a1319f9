// The words of a line: registers, numbers, operators, labels. Used for colouring, for pointing at registers, for comparing lines word
// by word. Knows the texts of all forms and of assembly; a word that it does not know is plain.

const wordPattern = /%[\w.$]+|@[\w.$]+|\$-?[\w.]+|"(?:[^"\\]|\\.)*"|-?\d[\w.]*|\.?[A-Za-z_][\w.]*|\s+|[^\s]/g;
const machineRegister = /^(?:r(?:[abcd]x|[sd]i|[sb]p|8|9|1[0-5])|xmm(?:\d|1[0-5])|st[0-7])$/;
const memoryVersion = /^m\d+$/;
const targetWords = new Set(["then", "else", "->", "from", "region", "loop", "end", "default", "jump"]);

// Parts of a register have one name in assembly: %eax, %ax and %al are rax.
const wholeRegister = new Map();
for (const letter of ["a", "b", "c", "d"]) {
    for (const name of [`r${letter}x`, `e${letter}x`, `${letter}x`, `${letter}l`, `${letter}h`]) wholeRegister.set(name, `r${letter}x`);
}
for (const name of ["si", "di", "sp", "bp"]) {
    for (const part of [`r${name}`, `e${name}`, name, `${name}l`]) wholeRegister.set(part, `r${name}`);
}
for (let n = 8; n <= 15; n++) for (const end of ["", "d", "w", "b"]) wholeRegister.set(`r${n}${end}`, `r${n}`);

export function wordsOf(text) {
    return text.match(wordPattern) ?? [];
}

// What kind of word it is, in a line of a form: the class by which it is coloured, or "".
function kindOfWord(word, before) {
    const first = word[0];
    if (first === "%" && word.length > 1) return "reg";
    if (first === "@" || (first === "$" && word.length > 1)) return "sym";
    if (first === '"') return "num";
    if (/^-?\d/.test(word)) return targetWords.has(before) ? "lab" : "num";
    if (machineRegister.test(word) || memoryVersion.test(word)) return "reg";
    if (/^b\d+$/.test(word)) return "lab";
    if (/^(?:[if]\d+|f80|ptr)$/.test(word)) return "typ";
    if (/^[A-Za-z_]/.test(word)) return targetWords.has(word) ? "typ" : "op";
    return "";
}

// The words of a line with places and kinds: [{ text, start, kind }].
export function tokensOf(text) {
    const tokens = [];
    let start = 0, before = "";
    for (const word of wordsOf(text)) {
        const kind = kindOfWord(word, before);
        tokens.push({ text: word, start, kind });
        start += word.length;
        if (word === ">" && text[start - 2] === "-") before = "->";
        else if (word.trim() && word !== ",") before = word;
    }
    return tokens;
}

// Where the part of a line that is set ends: at " = ", if only registers are before it. Parameters of a function are set, too.
function endOfDefinitions(text) {
    if (text.startsWith("function ")) return text.length;
    const equals = text.indexOf(" = ");
    return equals > 0 && /^[%\w.$, ]+$/.test(text.slice(0, equals)) ? equals : 0;
}

// Registers in a line: [{ start, end, name, def }].
export function registersOf(text) {
    const end = endOfDefinitions(text);
    const found = [];
    for (const token of tokensOf(text)) {
        if (token.kind !== "reg") continue;
        found.push({ start: token.start, end: token.start + token.text.length, name: token.text, def: token.start < end });
    }
    return found;
}

// Registers in a line of assembly, by the names that the allocated form has for them.
export function assemblyRegistersOf(text) {
    const found = [];
    for (const match of text.matchAll(/%([a-z]+\d*[a-z]?)/g)) {
        const name = wholeRegister.get(match[1]) ?? match[1];
        found.push({ start: match.index, end: match.index + match[0].length, name, def: false });
    }
    return found;
}

function assemblyTokens(text) {
    const tokens = [];
    let start = 0, seen = false;
    for (const word of wordsOf(text)) {
        let kind = "";
        if (word[0] === "%" && word.length > 1) kind = "reg";
        else if (word[0] === "$" || /^-?\d/.test(word)) kind = "num";
        else if (word[0] === "#") kind = "cmt";
        else if (/^\.L/.test(word)) kind = "lab";
        else if (/^[.A-Za-z_]/.test(word)) kind = seen ? "sym" : "op";
        if (word.trim()) seen = true;
        tokens.push({ text: word, start, kind });
        start += word.length;
    }
    return tokens;
}

const keywords = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Atomic").split(" "));

// A line of C, well enough for colours. A comment that goes on over lines is told by `inside`; yields { tokens, inside }.
export function sourceTokens(text, inside) {
    const pattern = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[A-Za-z_]\w*|\d[\w.]*|#\s*\w+|\s+|[^\s]/y;
    const tokens = [];
    let at = 0;
    const add = (word, kind) => {
        tokens.push({ text: word, start: at, kind });
        at += word.length;
    };
    if (inside) {
        const end = text.indexOf("*/");
        add(end < 0 ? text : text.slice(0, end + 2), "cmt");
        inside = end < 0;
    }
    while (at < text.length) {
        pattern.lastIndex = at;
        const word = pattern.exec(text)?.[0] ?? text[at];
        if (word.startsWith("//")) add(word, "cmt");
        else if (word.startsWith("/*")) {
            inside = !word.endsWith("*/") || word.length < 4;
            add(word, "cmt");
        } else if (word[0] === '"' || word[0] === "'" || /^\d/.test(word)) add(word, "num");
        else if (word[0] === "#") add(word, "typ");
        else add(word, keywords.has(word) ? "typ" : "");
    }
    return { tokens, inside: Boolean(inside) };
}

// The words of a line that are coloured; a switch may have thousands, which nobody reads one by one.
const mostColoured = 240;

// Puts words into an element, coloured; registers get data-reg, so that they can be pointed at.
export function appendTokens(element, tokens, nameOf) {
    if (tokens.length > mostColoured) {
        appendTokens(element, tokens.slice(0, mostColoured), nameOf);
        element.append(tokens.slice(mostColoured).map((token) => token.text).join(""));
        return;
    }
    for (const token of tokens) {
        if (!token.kind) {
            element.append(token.text);
            continue;
        }
        const span = element.ownerDocument.createElement("span");
        span.className = token.kind;
        span.textContent = token.text;
        if (token.kind === "reg") span.dataset.reg = nameOf ? nameOf(token.text) : token.text;
        element.append(span);
    }
}

export function appendCode(element, text) {
    appendTokens(element, tokensOf(text));
}

export function appendAssembly(element, text) {
    appendTokens(element, assemblyTokens(text), (name) => wholeRegister.get(name.slice(1)) ?? name.slice(1));
}
