// Words of lines: registers with places, definitions, colours, assembly, C with comments over lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentAt, argumentRanges } from "../../src/explore/page/arguments.js";
import { assemblyRegistersOf, registersOf, sourceTokens, tokensOf, wordsOf } from "../../src/explore/page/tokens.js";

const names = (text) => registersOf(text).map((register) => (register.def ? `=${register.name}` : register.name));

test("registers of every form", () => {
    assert.deepEqual(names("%s.2 = phi(3: %s.1, 15: %s.5)"), ["=%s.2", "%s.1", "%s.5"]);
    assert.deepEqual(names("%a, %n = params"), ["=%a", "=%n"]);
    assert.deepEqual(names("rax = select i32 if gt.i32 rdx, 10 then r8 else rax"), ["=rax", "rdx", "r8", "rax"]);
    assert.deepEqual(names("m3, %2.1 = call @f(%1.1, %argc.0)"), ["=m3", "=%2.1", "%1.1", "%argc.0"]);
    assert.deepEqual(names("%1.1 = load.i32 [%a.0 + %0.1*4] from m0"), ["=%1.1", "%a.0", "%0.1", "m0"]);
    assert.deepEqual(names("store.i32 [$buf + %3*4], %4"), ["%3", "%4"]);
    assert.deepEqual(names("function i32 @sum(i64 %a.0, i32 %n.0) {"), ["=%a.0", "=%n.0"]);
    assert.deepEqual(names("if eq.i32 %x, 1 then 2 else 3"), ["%x"]);
});

test("places of registers are places in the text", () => {
    const text = "%s.2 = add.i32 %s.1, %x";
    for (const register of registersOf(text)) assert.equal(text.slice(register.start, register.end), register.name);
});

test("words put together are the line", () => {
    for (const text of ["%s.2 = phi(3: %s.1, 15: %s.5)", "switch %n { 1: 9, -5: 12, default: 1 }", 'global "a\\"b" x', "\tmovl (%rdi,%rcx,4), %edx"]) assert.equal(wordsOf(text).join(""), text);
});

test("numbers of nodes are labels, other numbers are not", () => {
    const kinds = (text) => tokensOf(text).filter((token) => /\d$/.test(token.text) && token.text[0] !== "%").map((token) => `${token.text} ${token.kind}`);
    assert.deepEqual(kinds("%x = add.i32 %x, 2 -> 8"), ["add.i32 op", "2 num", "8 lab"]);
    assert.deepEqual(kinds("if lt.i32 %x, 9 then 4 else 5"), ["lt.i32 op", "9 num", "4 lab", "5 lab"]);
    assert.deepEqual(kinds("jump b2"), ["b2 lab"]);
});

test("parts of machine registers have one name", () => {
    assert.deepEqual(assemblyRegistersOf("\tmovzbl %al, %r9d").map((register) => register.name), ["rax", "r9"]);
    assert.deepEqual(assemblyRegistersOf("movsd (%rsi), %xmm10").map((register) => register.name), ["rsi", "xmm10"]);
});

test("C: comments go on over lines", () => {
    const first = sourceTokens("int a; /* begins", false);
    assert.equal(first.inside, true);
    const second = sourceTokens("ends */ int b;", first.inside);
    assert.equal(second.inside, false);
    assert.deepEqual([second.tokens[0].text, second.tokens[0].kind], ["ends */", "cmt"]);
    assert.equal(sourceTokens('char *s = "/*";', false).inside, false);
    assert.equal(second.tokens.map((token) => token.text).join(""), "ends */ int b;");
});

test("arguments of merges", () => {
    const text = "%s.5 = gamma(gt.i32(%1.1, 10): %s.3, !gt.i32(%1.1, 10): %s.4)";
    assert.deepEqual(argumentRanges(text).map(([start, end]) => text.slice(start, end)), ["gt.i32(%1.1, 10): %s.3", "!gt.i32(%1.1, 10): %s.4"]);
    assert.equal(argumentAt(text, text.indexOf("%s.4")), 1);
    assert.equal(argumentAt(text, 0), -1);
    assert.deepEqual(argumentRanges("%x = add.i32 %a, %b"), []);
    assert.equal(argumentAt("%s.7 = eta(p1 & !p2, %s.5)", 22), 0);
});
