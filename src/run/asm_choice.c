// Chooses the operations that fire: the `choose` of figure 6 of Glesner (docs/papers.md).
//
// Where operations fire one at a time, a heap holds the ready operations by their keys
// (asm_code.c); otherwise a list holds the ready operations in any order.
#include "run/asm_machine.h"

static bool is_heap(const AsmMachine *m) {
    return m->choice.kind == ASM_LAZY || m->choice.kind == ASM_REVERSE;
}

static uint32_t key_of(const AsmCode *code, uint32_t operation) {
    return code->operations[operation].key;
}

void asm_add_ready(const AsmMachine *m, AsmFrame *f, uint32_t operation) {
    uint32_t *ready = asm_ready(m, f), at = f->ready_count++;
    if (is_heap(m)) {
        const AsmCode *code = asm_code(m);
        for (; at && key_of(code, operation) < key_of(code, ready[(at - 1) / 2]); at = (at - 1) / 2)
            ready[at] = ready[(at - 1) / 2];
    }
    ready[at] = operation;
}

// Takes the operation with the smallest key.
static uint32_t take_first(const AsmMachine *m, AsmFrame *f) {
    const AsmCode *code = asm_code(m);
    uint32_t *ready = asm_ready(m, f), first = ready[0], count = --f->ready_count;
    uint32_t last = ready[count], at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && key_of(code, ready[child + 1]) < key_of(code, ready[child]))
            child++;
        if (key_of(code, last) <= key_of(code, ready[child])) break;
        ready[at] = ready[child];
    }
    ready[at] = last;
    return first;
}

// Numbers that look random, each made of the one before.
static uint64_t next_random(AsmMachine *m) {
    uint64_t x = m->random += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

// Each with the probability of a half; if that is none, one of them. Written without branches:
// nobody foresees which way they go.
static void choose_some(AsmMachine *m, AsmFrame *f) {
    uint32_t *ready = asm_ready(m, f), *chosen = m->chosen, kept = 0, taken = 0;
    uint64_t bits = next_random(m);
    for (uint32_t i = 0; i < f->ready_count; i++, bits >>= 1) {
        if (i && i % 64 == 0) bits = next_random(m);
        uint32_t operation = ready[i];
        chosen[taken] = ready[kept] = operation;
        taken += bits & 1;
        kept += !(bits & 1);
    }
    if (!taken) {
        uint32_t at = (uint32_t)(next_random(m) % kept);
        chosen[taken++] = ready[at];
        ready[at] = ready[--kept];
    }
    m->chosen_count = taken;
    f->ready_count = kept;
}

static void choose_all(AsmMachine *m, AsmFrame *f) {
    memcpy(m->chosen, asm_ready(m, f), f->ready_count * sizeof(uint32_t));
    m->chosen_count = f->ready_count;
    f->ready_count = 0;
}

// There is at most one: a call needs the call before it.
static void put_call_last(AsmMachine *m) {
    const AsmCode *code = asm_code(m);
    uint32_t last = m->chosen_count - 1, i = 0;
    while (i < last && code->operations[m->chosen[i]].step->code != CODE_CALL) i++;
    uint32_t operation = m->chosen[i];
    m->chosen[i] = m->chosen[last];
    m->chosen[last] = operation;
}

bool asm_choose(AsmMachine *m, AsmFrame *f) {
    switch (f->ready_count == 1 && m->choice.kind != ASM_STEP ? ASM_EAGER : m->choice.kind) {
    case ASM_SEED: choose_some(m, f); break;
    case ASM_EAGER: choose_all(m, f); break;
    case ASM_LAZY:
    case ASM_REVERSE: m->chosen[m->chosen_count++] = take_first(m, f); break;
    case ASM_STEP:
        if (!asm_step_choose(m, f)) return false;
        break;
    case ASM_CHOICE_COUNT: break;
    }
    put_call_last(m);
    return true;
}
