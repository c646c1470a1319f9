// All orders in which the operations of a small block may fire, by brute force: whatever may fire
// next is tried, one operation after the other, and what each order leaves is compared with what
// the order of the text leaves.
//
// Memory is a value: each operation that changes memory has an array of its own for what it makes,
// and a read uses the array of the last change before it in the text, whenever it fires.
#include "test/gen/small_block.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 4 * SMALL_WORDS };

typedef struct {
    uint8_t bytes[BYTES];
} Bytes;

// What a run of the block has come to.
typedef struct {
    int32_t values[SMALL_VALUES];
    Bytes after[SMALL_OPS]; // memory that the operation has made
    uint32_t fired;         // a set of operations
    bool way;               // the branch went to its first successor
    bool trapped, exited;
    Out output; // what was written
} Run;

typedef struct {
    const SmallBlock *block;
    uint32_t needs[SMALL_OPS]; // sets of operations
    int32_t
        source[SMALL_OPS]; // the operation whose memory it has: the last change before it, or -1
    Bytes memory;          // when the block was entered
    uint32_t left;         // rounds until the call that counts them ends the program
    Run reference;         // in the order of the text
    SmallRuns *runs;
} Search;

// ---- What needs what

static bool fixed_place(const SmallOp *op) {
    return (op->kind == SMALL_LOAD || op->kind == SMALL_STORE) && !op->index;
}
static bool is_call(SmallKind kind) {
    return kind == SMALL_PUTCHAR || kind == SMALL_CALL || kind == SMALL_TICK ||
           kind == SMALL_RETURN;
}
static bool changes(SmallKind kind) {
    return is_call(kind) || kind == SMALL_STORE || kind == SMALL_VOLATILE_STORE ||
           kind == SMALL_ATOMIC_ADD || kind == SMALL_MEMSET || kind == SMALL_MEMCPY ||
           kind == SMALL_FENCE;
}
static bool uses_memory(SmallKind kind) {
    return changes(kind) || kind == SMALL_LOAD || kind == SMALL_VOLATILE_LOAD;
}
// It stays in its order: it stops, or is seen.
static bool is_seen(SmallKind kind) {
    return is_call(kind) || kind == SMALL_CHECK || kind == SMALL_VOLATILE_LOAD ||
           kind == SMALL_VOLATILE_STORE;
}
// It must not happen if what is seen before it stops the program.
static bool may_go_wrong(const SmallOp *op) {
    if (is_seen(op->kind) || op->kind == SMALL_DIVU || op->kind == SMALL_MODS) return true;
    if (op->kind == SMALL_BRANCH || op->kind == SMALL_FENCE) return op->kind == SMALL_BRANCH;
    return uses_memory(op->kind) && !fixed_place(op);
}

static uint32_t operands(const SmallOp *op, uint8_t *values) {
    uint32_t count = 0;
    bool b = (op->kind >= SMALL_ADD && op->kind <= SMALL_XOR) || op->kind == SMALL_LESS ||
             op->kind == SMALL_DIVU || op->kind == SMALL_MODS;
    bool none = op->kind == SMALL_CONST || op->kind == SMALL_LOAD ||
                op->kind == SMALL_VOLATILE_LOAD || op->kind == SMALL_MEMCPY ||
                op->kind == SMALL_FENCE;
    bool all = op->kind == SMALL_SELECT || op->kind == SMALL_TICK;
    if (!none) values[count++] = op->a;
    if ((b && !op->immediate) || all) values[count++] = op->b;
    if (all) values[count++] = op->c;
    return count;
}

static void find_needs(Search *search) {
    const SmallBlock *block = search->block;
    for (uint32_t i = 0; i < block->count; i++) {
        const SmallOp *op = &block->ops[i];
        uint8_t values[3];
        uint32_t count = operands(op, values);
        search->needs[i] = 0;
        search->source[i] = -1;
        for (uint32_t k = 0; k < count; k++)
            if (values[k] >= SMALL_FIRST) search->needs[i] |= 1u << (values[k] - SMALL_FIRST);
        for (uint32_t e = 0; e < i; e++) {
            SmallKind earlier = block->ops[e].kind;
            if (changes(earlier)) search->source[i] = (int32_t)e;
            bool memory = uses_memory(op->kind) && changes(earlier);
            if (memory || (may_go_wrong(op) && is_seen(earlier))) search->needs[i] |= 1u << e;
        }
        assert(search->needs[i] < 1u << i && "needs are earlier operations");
    }
}

// ---- Firing

static int32_t wrapped(uint32_t bits) {
    int32_t value;
    memcpy(&value, &bits, 4);
    return value;
}

static uint32_t place_of(const Search *search, const SmallOp *op) {
    return op->place + (op->index ? 4u * search->block->index[op->index - 1] : 0);
}

static int32_t read_at(const Bytes *memory, uint32_t at, uint32_t size, bool extends) {
    uint32_t bits = 0;
    assert(at + size <= BYTES);
    for (uint32_t i = 0; i < size; i++) bits |= (uint32_t)memory->bytes[at + i] << 8 * i;
    if (extends && size < 4 && bits >> (8 * size - 1)) bits |= UINT32_MAX << 8 * size;
    return wrapped(bits);
}

static void write_at(Bytes *memory, uint32_t at, uint32_t size, int32_t value) {
    assert(at + size <= BYTES);
    for (uint32_t i = 0; i < size; i++) memory->bytes[at + i] = (uint8_t)((uint32_t)value >> 8 * i);
}

static const Bytes *memory_before(const Search *search, const Run *run, uint32_t i) {
    int32_t source = search->source[i];
    if (source < 0) return &search->memory;
    assert(run->fired >> source & 1);
    return &run->after[source];
}

static void print_memory(Out *out, const Bytes *memory) {
    for (uint32_t i = 0; i < SMALL_WORDS; i++)
        out_printf(out, "%d ", read_at(memory, 4 * i, 4, false));
    out_char(out, '\n');
}

static int32_t compute(const SmallOp *op, int32_t a, int32_t b, int32_t c) {
    uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
    switch (op->kind) {
    case SMALL_CONST: return op->imm;
    case SMALL_MOVE: return a;
    case SMALL_ADD: return wrapped(ua + ub);
    case SMALL_SUB: return wrapped(ua - ub);
    case SMALL_MUL: return wrapped(ua * ub);
    case SMALL_XOR: return wrapped(ua ^ ub);
    case SMALL_SEXT8: return wrapped((ua & 255) | (ua & 128 ? 0xffffff00 : 0));
    case SMALL_LESS: return a < b;
    case SMALL_SELECT: return c ? a : b;
    case SMALL_DIVU: return wrapped(ua / ub);
    case SMALL_MODS: return a % b;
    default: break;
    }
    assert(false && "no operator");
    return 0;
}

static void access_memory(const Search *search, Run *run, uint32_t i, int32_t a) {
    const SmallOp *op = &search->block->ops[i];
    Bytes memory = *memory_before(search, run, i);
    int32_t *value = &run->values[SMALL_FIRST + i];
    uint32_t at = place_of(search, op);
    if (small_has_result(op->kind)) // g uses the second word
        *value = op->kind == SMALL_CALL ? read_at(&memory, 4, 4, false)
                                        : read_at(&memory, at, op->size, op->extends);
    switch (op->kind) {
    case SMALL_STORE:
    case SMALL_VOLATILE_STORE: write_at(&memory, at, op->size, a); break;
    case SMALL_ATOMIC_ADD: write_at(&memory, at, 4, wrapped((uint32_t)*value + (uint32_t)a)); break;
    case SMALL_MEMSET: memset(memory.bytes, a & 255, op->size); break;
    case SMALL_MEMCPY: memcpy(memory.bytes, memory.bytes + 8, 8); break;
    case SMALL_CALL: write_at(&memory, 4, 4, wrapped((uint32_t)*value + (uint32_t)a)); break;
    default: break;
    }
    if (changes(op->kind)) run->after[i] = memory;
}

// Performs an operation that is ready.
static void fire(const Search *search, Run *run, uint32_t i) {
    const SmallOp *op = &search->block->ops[i];
    assert(!(search->needs[i] & ~run->fired) && !(run->fired >> i & 1));
    int32_t a = run->values[op->a], b = op->immediate ? op->imm : run->values[op->b];
    int32_t c = run->values[op->c];
    if (uses_memory(op->kind)) access_memory(search, run, i, a);
    if (op->kind <= SMALL_MODS) run->values[SMALL_FIRST + i] = compute(op, a, b, c);
    if (op->kind == SMALL_CHECK) run->trapped = a == 0;
    if (op->kind == SMALL_PUTCHAR) out_char(&run->output, (char)a);
    if (op->kind == SMALL_BRANCH) run->way = a != op->imm;
    if (op->kind == SMALL_TICK && search->left == 1) {
        run->exited = true;
        out_printf(&run->output, "%d %d %d ", a, run->values[op->b], c);
        print_memory(&run->output, &run->after[i]);
    }
    run->fired |= 1u << i;
}

// ---- All orders

static const Bytes *last_memory(const Search *search, const Run *run) {
    for (uint32_t i = search->block->count; i-- > 0;)
        if (changes(search->block->ops[i].kind)) return &run->after[i];
    return &search->memory;
}

static bool same_end(const Search *search, const Run *run) {
    const Run *reference = &search->reference;
    if (run->trapped != reference->trapped || run->exited != reference->exited) return false;
    if (run->output.length != reference->output.length) return false;
    if (run->output.length &&
        memcmp(run->output.text, reference->output.text, run->output.length) != 0)
        return false;
    if (run->trapped || run->exited) return true;
    return memcmp(run->values, reference->values, sizeof run->values) == 0 &&
           run->way == reference->way &&
           memcmp(last_memory(search, run), last_memory(search, reference), BYTES) == 0;
}

// From here on, everything that may fire next. As deep as there are operations.
static void try_all(Search *search, Run *run) {
    uint32_t count = search->block->count;
    if (run->trapped || run->exited || run->fired == (1u << count) - 1) {
        search->runs->enumerated++;
        search->runs->differ |= !same_end(search, run);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (run->fired >> i & 1 || search->needs[i] & ~run->fired) continue;
        int32_t old = run->values[SMALL_FIRST + i];
        size_t written = run->output.length;
        bool way = run->way;
        fire(search, run, i);
        try_all(search, run);
        run->fired &= ~(1u << i);
        run->values[SMALL_FIRST + i] = old;
        run->output.length = written;
        run->way = way;
        run->trapped = run->exited = false;
    }
}

static uint32_t ready_after(const Search *search, uint32_t set) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < search->block->count; i++)
        if (!(set >> i & 1) && !(search->needs[i] & ~set)) ready |= 1u << i;
    return ready;
}

// Without running anything: in how many ways all operations can have fired, by the sets that have
// fired before; one at a time, or any number of those that are ready.
static uint64_t count_ways(const Search *search, bool one) {
    uint32_t all = (1u << search->block->count) - 1;
    uint64_t ways[1u << SMALL_OPS] = {1};
    for (uint32_t set = 0; set < all; set++) {
        uint32_t ready = ways[set] ? ready_after(search, set) : 0;
        for (uint32_t next = ready; next; next = (next - 1) & ready)
            if (!one || !(next & (next - 1))) ways[set | next] += ways[set];
    }
    return ways[all];
}

// ---- Rounds

static void enter(const Search *search, Run *run, bool first) {
    const SmallBlock *block = search->block;
    int32_t phis[SMALL_PHIS];
    for (uint32_t i = 0; i < SMALL_PHIS; i++)
        phis[i] = first ? block->params[i] : run->values[block->again[i]];
    for (uint32_t i = 0; i < SMALL_PHIS; i++) run->values[SMALL_PARAMS + i] = phis[i];
    for (uint32_t i = 0; i < SMALL_OPS; i++) run->values[SMALL_FIRST + i] = 0;
    run->fired = 0;
}

// True if the block is entered again.
static bool run_round(Search *search, bool first) {
    Run *reference = &search->reference;
    enter(search, reference, first);
    Run other = *reference;
    other.output = (Out){0};
    if (reference->output.length)
        out_bytes(&other.output, reference->output.text, reference->output.length);
    for (uint32_t i = 0; i < search->block->count && !reference->trapped && !reference->exited; i++)
        fire(search, reference, i);
    try_all(search, &other);
    out_free(&other.output);
    if (reference->trapped || reference->exited) return false;
    search->runs->rounds++;
    Bytes memory = *last_memory(search, reference);
    search->memory = memory;
    search->left--;
    return search->block->shape == SMALL_SELF ||
           (search->block->shape == SMALL_LOOP && reference->way);
}

static void print_end(Search *search) {
    const SmallBlock *block = search->block;
    Run *run = &search->reference;
    Out *out = &run->output;
    const int32_t *values = run->values;
    if (block->shape == SMALL_RETURNS)
        out_printf(out, "%d ", values[block->ops[block->count - 1].a]);
    else if (block->shape == SMALL_LOOP)
        out_printf(out, "%d %d %d %d ", values[0], values[3], values[4], values[5]);
    else
        out_printf(out, "%d ", run->way ? values[0] : values[1]);
    for (uint32_t i = 0; block->shape != SMALL_RETURNS && i < block->count; i++)
        if (small_has_result(block->ops[i].kind)) out_printf(out, "%d ", values[SMALL_FIRST + i]);
    print_memory(out, &search->memory);
}

SmallRuns small_runs(const SmallBlock *block) {
    SmallRuns runs = {0};
    Search search = {.block = block, .left = block->rounds, .runs = &runs};
    for (uint32_t i = 0; i < SMALL_WORDS; i++) write_at(&search.memory, 4 * i, 4, block->memory[i]);
    memcpy(search.reference.values, block->params, sizeof block->params);
    find_needs(&search);
    runs.orders = count_ways(&search, true);
    runs.sets = count_ways(&search, false);
    bool first = true;
    while (run_round(&search, first)) first = false;
    Run *run = &search.reference;
    if (!run->trapped && !run->exited) print_end(&search);
    runs.end = run->trapped ? SMALL_TRAPS : SMALL_ENDS;
    runs.output = run->output;
    return runs;
}
