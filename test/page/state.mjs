// What is shown goes through the address and back; nonsense there does no harm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createStore, hashOf, parseHash } from "../../src/explore/page/state.js";

test("a state goes through the address", () => {
    const state = { fn: "f", steps: ["gvn", "tidy.2"], panes: [{ kind: "source", pipeline: 0, overlay: "none" }, { kind: "graph", pipeline: 1, overlay: "loops" }], widths: [40, 60],
        pinned: { type: "id", pipeline: 0, id: 7, register: "%a.1" }, onlyChanged: true, hideRemoved: true, stable: true, drawer: false, drawerHeight: 240, run: { records: [0, 2], step: 17 } };
    assert.deepEqual(parseHash(hashOf(state)), state);
});

test("nonsense in the address", () => {
    for (const hash of ["", "#", "#=&=", "#p=nonsense", "#f=%zz", "#w=a,b", "#sel=q", "#run=x"]) {
        const state = parseHash(hash);
        assert.equal(state.panes, undefined);
        assert.equal(state.drawer, true);
    }
    assert.equal(parseHash("#p=code,code,code,code,code,code,code,code").panes.length, 6);
});

test("a store tells what has changed, and only then", () => {
    const store = createStore({ a: 1, b: 2 });
    const told = [];
    store.listen((changed) => told.push([...changed]));
    store.set({ a: 1 });
    store.set({ a: 3, b: 2 });
    assert.deepEqual(told, [["a"]]);
    assert.deepEqual(store.state, { a: 3, b: 2 });
});
