#include "analysis/conditions/value_mistakes.h"

#include "analysis/conditions/conditions.h"
#include "analysis/conditions/limits.h"
#include "fact/calls.h"
#include "fact/effects.h"
#include "fact/eval.h"
#include "graph/definitions.h"
#include "graph/dominance.h"

#include <string.h>

// The known value of a register.
typedef enum { KNOWN_NOTHING, KNOWN_NUMBER, KNOWN_SLOT, KNOWN_SYMBOL, KNOWN_REG } KnownKind;

typedef struct {
    KnownKind kind;
    uint32_t id;    // slot, symbol, or the register that it is an offset from
    int64_t offset; // or the number
} KnownAddress;

typedef struct {
    uint32_t next; // in FlawSearch.freed; NO_ID at the end
    Node node;
} Freed;

typedef struct {
    Arena *arena;
    const Func *ssa;
    const Definition *definitions;
    Dominance dominance;
    Preds preds;
    KnownAddress *known; // by register
    uint32_t *widened;   // by register: the first that is its sign extension; NO_ID
    bool *live;          // by node: conditions on constants do not exclude it
    uint32_t *freed_at;  // by register: the first of its calls of free; NO_ID if none
    VEC(Freed) freed;
    Flaws flaws;
} FlawSearch;

// ---- Order

// The nodes in reverse postorder.
static uint32_t *order_nodes(Arena *arena, const Func *ssa, uint32_t *count) {
    uint32_t nodes = ssa->nodes.count, top = 0, at = nodes;
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, nodes);
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, nodes);
    uint32_t *next =
        ARENA_ARRAY(arena, uint32_t, nodes); // successor to go to, plus one; 0: not seen
    stack[top++] = 0;
    next[0] = 1;
    while (top) {
        const Instr *instr = &ssa->nodes.at[stack[top - 1]];
        uint32_t which = next[stack[top - 1]]++ - 1;
        if (which >= instr->succ_count) {
            order[--at] = stack[--top];
            continue;
        }
        uint32_t to = instr_succs(ssa, instr)[which].i;
        if (next[to]) continue;
        next[to] = 1;
        stack[top++] = to;
    }
    *count = nodes - at;
    return order + at;
}

// ---- Values

static KnownAddress known_of(const FlawSearch *search, Reg reg) {
    KnownAddress known = search->known[reg.i];
    return known.kind == KNOWN_NOTHING ? (KnownAddress){.kind = KNOWN_REG, .id = reg.i} : known;
}

static bool number_of(const FlawSearch *search, Reg reg, Value *value) {
    if (search->known[reg.i].kind != KNOWN_NUMBER) return false;
    *value = value_immediate(reg_type(search->ssa, reg), search->known[reg.i].offset);
    return true;
}

// An operator on numbers.
static bool evaluate(const FlawSearch *search, const Instr *instr, Value *result) {
    const Reg *args = instr_args(search->ssa, instr);
    Value values[3] = {0};
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (!number_of(search, args[i], &values[i])) return false;
    if (instr->immediate) values[instr->arg_count] = value_immediate(TYPE_I64, instr->imm);
    return op_eval(instr->op, values[0], values[1], values[2], result) && !result->undef;
}

static int64_t as_number(Type type, Value value) {
    return type == TYPE_I32 ? (int32_t)(uint32_t)value.bits : (int64_t)value.bits;
}

static void know_operator(FlawSearch *search, const Instr *instr) {
    const Func *ssa = search->ssa;
    KnownAddress *known = &search->known[instr->dest.i];
    Type type = reg_type(ssa, instr->dest);
    const Reg *args = instr_args(ssa, instr);
    if (instr->op == op_const(type) && type != TYPE_F80) {
        if (type == TYPE_I32 || type == TYPE_I64)
            *known = (KnownAddress){.kind = KNOWN_NUMBER, .offset = instr->imm};
        return;
    }
    if (instr->op == OP_ADDR_SLOT || instr->op == OP_ADDR_SYMBOL) {
        *known = (KnownAddress){.kind = instr->op == OP_ADDR_SLOT ? KNOWN_SLOT : KNOWN_SYMBOL,
                                .id = instr->ref,
                                .offset = instr->imm};
        return;
    }
    if (type != TYPE_I32 && type != TYPE_I64) return;
    if (instr->arg_count == 1 && instr->op == op_move(type)) {
        *known = known_of(search, args[0]);
        return;
    }
    Value value, other;
    if (instr->arg_count > 0 && evaluate(search, instr, &value)) {
        *known = (KnownAddress){.kind = KNOWN_NUMBER, .offset = as_number(type, value)};
        return;
    }
    if (instr->op == OP_SEXT_I64) {
        KnownAddress narrow = known_of(search, args[0]);
        if (narrow.kind != KNOWN_REG || narrow.offset != 0) return;
        if (search->widened[narrow.id] == NO_ID) search->widened[narrow.id] = instr->dest.i;
        *known = (KnownAddress){.kind = KNOWN_REG, .id = search->widened[narrow.id]};
        return;
    }
    bool add = instr->op == OP_ADD_I64, sub = instr->op == OP_SUB_I64;
    if (!add && !sub) return;
    bool counted = instr->immediate;
    int64_t step = instr->imm;
    if (!counted && number_of(search, args[1], &other)) {
        counted = true;
        step = (int64_t)other.bits;
    }
    KnownAddress base = known_of(search, args[0]);
    if (!counted && add && number_of(search, args[0], &other)) {
        counted = true;
        step = (int64_t)other.bits;
        base = known_of(search, args[1]);
    }
    if (!counted || base.kind == KNOWN_NUMBER) return;
    base.offset = (int64_t)((uint64_t)base.offset + (uint64_t)(sub ? -step : step));
    *known = base;
}

// Phis whose arguments are all one address.
static void know_phis(FlawSearch *search, Node node) {
    const Func *ssa = search->ssa;
    for (uint32_t i = 0; i < func_phi_count(ssa, node); i++) {
        const Phi *phi = &func_phis(ssa, node)[i];
        const Reg *args = phi_args(ssa, phi);
        KnownAddress first = known_of(search, args[0]);
        uint32_t k = 1, count = preds_count(&search->preds, node);
        for (; k < count; k++) {
            KnownAddress other = known_of(search, args[k]);
            if (other.kind != first.kind || other.id != first.id || other.offset != first.offset)
                break;
        }
        if (k == count && first.kind != KNOWN_NUMBER) search->known[phi->dest.i] = first;
    }
}

// ---- Copies in memory

static const char *callee_name(const FlawSearch *search, const Instr *instr) {
    if (instr->kind != I_CALL || instr->ref == NO_ID) return "";
    const Symbol *symbol = program_at(search->ssa->program, (Sym){instr->ref});
    return symbol->defined ? "" : program_text(search->ssa->program, symbol->name);
}

// Whether a call changes no memory that the program sees.
static bool is_harmless(const FlawSearch *search, const Instr *instr) {
    static const char *const names[] = {"malloc", "calloc", "free", "strlen"};
    const char *name = callee_name(search, instr);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

// The place of a load or store without an index.
static bool known_place(const FlawSearch *search, const Instr *instr, KnownAddress *place) {
    if (instr->scale) return false;
    switch ((BaseKind)instr->base) {
    case BASE_REG: *place = known_of(search, instr_args(search->ssa, instr)[0]); break;
    case BASE_SLOT: *place = (KnownAddress){.kind = KNOWN_SLOT, .id = instr->ref}; break;
    case BASE_SYMBOL: *place = (KnownAddress){.kind = KNOWN_SYMBOL, .id = instr->ref}; break;
    default: return false;
    }
    place->offset += instr->imm;
    return true;
}

// Whether a store surely leaves a place alone.
static bool is_apart(const FlawSearch *search, const Instr *store, const KnownAddress *place,
                     int64_t size) {
    KnownAddress other;
    if (!known_place(search, store, &other)) return false;
    if (other.kind == place->kind && other.id == place->id) {
        int64_t bytes = chunk_size((Chunk)store->chunk);
        return other.offset + bytes <= place->offset || place->offset + size <= other.offset;
    }
    return (other.kind == KNOWN_SLOT || other.kind == KNOWN_SYMBOL) &&
           (place->kind == KNOWN_SLOT || place->kind == KNOWN_SYMBOL);
}

// A load that finds what was stored or loaded shortly before, on the only way there.
static void know_load(FlawSearch *search, Node load) {
    enum { FARTHEST = 40 };
    const Func *ssa = search->ssa;
    const Instr *instr = func_at(ssa, load);
    KnownAddress place, other;
    if (reg_type(ssa, instr->dest) != TYPE_I64 || instr->chunk != CHUNK_I64 ||
        !known_place(search, instr, &place))
        return;
    Node at = load;
    for (unsigned i = 0; i < FARTHEST; i++) {
        at = preds_sole(&search->preds, at);
        if (at.i == NO_ID) return;
        const Instr *before = func_at(ssa, at);
        bool access = before->kind == I_LOAD || before->kind == I_STORE;
        if (access && before->chunk == instr->chunk && known_place(search, before, &other) &&
            other.kind == place.kind && other.id == place.id && other.offset == place.offset) {
            Reg value = before->kind == I_LOAD ? before->dest
                                               : instr_args(ssa, before)[before->arg_count - 1];
            search->known[instr->dest.i] = known_of(search, value);
            return;
        }
        if (before->kind == I_STORE && is_apart(search, before, &place, 8)) continue;
        if (before->kind == I_CALL && is_harmless(search, before)) continue;
        if (instr_effects(before) & (MAY_WRITE | MAY_WRITE_SHARED)) return;
    }
}

// ---- Which code is reached

static void reach_successors(FlawSearch *search, const Instr *instr) {
    const Node *succs = instr_succs(search->ssa, instr);
    Value value;
    if (call_never_returns(search->ssa->program, instr)) return;
    if (instr->kind == I_COND && evaluate(search, instr, &value)) {
        search->live[succs[value.bits ? 0 : 1].i] = true;
        return;
    }
    for (uint32_t i = 0; i < instr->succ_count; i++) search->live[succs[i].i] = true;
}

// ---- Memory

static Flaw *add_flaw(FlawSearch *search, FlawKind kind, Node node) {
    Flaw flaw = {.kind = kind, .node = node, .other = NO_NODE, .reg = NO_REG, .symbol = NO_SYM};
    vec_push(search->arena, &search->flaws, flaw);
    return &search->flaws.at[search->flaws.count - 1];
}

static void set_object(Flaw *flaw, const KnownAddress *known) {
    flaw->is_slot = known->kind == KNOWN_SLOT;
    if (flaw->is_slot)
        flaw->slot = (Slot){known->id};
    else
        flaw->symbol = (Sym){known->id};
}

// Whether an access goes through a pointer that is null, perhaps plus an offset.
static void check_access(FlawSearch *search, Node node, const Instr *instr) {
    if (instr->base != BASE_REG) return;
    const Reg *args = instr_args(search->ssa, instr);
    KnownAddress place = known_of(search, args[0]);
    Value index = {0};
    if (place.kind != KNOWN_NUMBER || place.offset != 0) return;
    if (instr->scale && !number_of(search, args[1], &index)) return;
    int64_t offset = instr->imm + (int64_t)index.bits * instr->scale;
    if (offset >= 0 && offset < 4096) add_flaw(search, FLAW_NULL, node);
}

// ---- Freed memory

// Functions that give a resource, and the functions that take it back.
typedef enum { PAIR_NONE, PAIR_HEAP, PAIR_FILE, PAIR_PIPE, PAIR_DIRECTORY } Pair;

static Pair given_by(const char *name) {
    static const struct {
        const char *name;
        Pair pair;
    } givers[] = {{"malloc", PAIR_HEAP},  {"calloc", PAIR_HEAP}, {"strdup", PAIR_HEAP},
                  {"realloc", PAIR_HEAP}, {"fopen", PAIR_FILE},  {"fdopen", PAIR_FILE},
                  {"tmpfile", PAIR_FILE}, {"popen", PAIR_PIPE},  {"opendir", PAIR_DIRECTORY}};
    for (size_t i = 0; i < sizeof givers / sizeof *givers; i++)
        if (strcmp(givers[i].name, name) == 0) return givers[i].pair;
    return PAIR_NONE;
}

static Pair taken_by(const char *name) {
    if (strcmp(name, "free") == 0 || strcmp(name, "realloc") == 0) return PAIR_HEAP;
    if (strcmp(name, "fclose") == 0) return PAIR_FILE;
    if (strcmp(name, "pclose") == 0) return PAIR_PIPE;
    return strcmp(name, "closedir") == 0 ? PAIR_DIRECTORY : PAIR_NONE;
}

static void check_taking(FlawSearch *search, Node node, const Instr *instr, Pair pair) {
    KnownAddress known = known_of(search, instr_args(search->ssa, instr)[0]);
    if (pair == PAIR_HEAP && (known.kind == KNOWN_SLOT || known.kind == KNOWN_SYMBOL)) {
        set_object(add_flaw(search, FLAW_NOT_ALLOCATED, node), &known);
        return;
    }
    if (known.kind != KNOWN_REG) return;
    const Instr *giver = defining_instr(search->ssa, search->definitions, (Reg){known.id});
    Pair given = giver ? given_by(callee_name(search, giver)) : PAIR_NONE;
    if (given != PAIR_NONE && given != pair)
        add_flaw(search, FLAW_MISMATCHED, node)->other = search->definitions[known.id].node;
    Freed freed = {.next = search->freed_at[known.id], .node = node};
    if (pair != PAIR_HEAP || known.offset != 0) return;
    search->freed_at[known.id] = search->freed.count;
    vec_push(search->arena, &search->freed, freed);
}

// realloc has freed nothing if its result is null: a use is none that comes after a test of the
// result, except where the result is known not to be null.
static bool surely_freed(const FlawSearch *search, Node call, Node use) {
    const Func *ssa = search->ssa;
    const Instr *instr = func_at(ssa, call);
    if (strcmp(callee_name(search, instr), "realloc") != 0 || instr->dest.i == NO_ID) return true;
    for (Node at = use, above; at.i != call.i; at = above) {
        above = search->dominance.idom[at.i];
        const Instr *branch = func_at(ssa, above);
        if (!is_test_of_zero(branch)) continue;
        KnownAddress tested = known_of(search, branch->arg[0]);
        if (tested.kind != KNOWN_REG || tested.id != instr->dest.i) continue;
        uint32_t null = op_family(branch->op) == FAM_EQ ? 0 : 1;
        if (preds_sole(&search->preds, at).i == NO_ID || branch->succ[null].i == at.i) return false;
    }
    return true;
}

static void check_use(FlawSearch *search, Node node, Reg reg) {
    KnownAddress known = known_of(search, reg);
    if (known.kind != KNOWN_REG) return;
    for (uint32_t i = search->freed_at[known.id]; i != NO_ID; i = search->freed.at[i].next) {
        Node before = search->freed.at[i].node;
        if (before.i == node.i || !dominates(&search->dominance, before, node)) continue;
        if (!surely_freed(search, before, node)) continue;
        Flaw *flaw = add_flaw(search, FLAW_USED_AFTER_FREE, node);
        flaw->other = before;
        flaw->reg = (Reg){known.id};
        return;
    }
}

static void check_uses(FlawSearch *search, Node node, const Instr *instr) {
    const Reg *args = instr_args(search->ssa, instr);
    switch (instr->kind) {
    case I_LOAD:
    case I_STORE:
        if (instr->base == BASE_REG) check_use(search, node, args[0]);
        break;
    case I_CALL:
    case I_RETURN: // the receiver of the address may use it
        for (uint32_t i = 0; i < instr->arg_count; i++)
            if (reg_type(search->ssa, args[i]) == TYPE_I64) check_use(search, node, args[i]);
        break;
    default: break;
    }
}

// ---- Strings

// Whether no string has changed from a node on until another, on the only way there.
static bool strings_stay(const FlawSearch *search, Node from, Node to) {
    enum { FARTHEST = 60 };
    for (unsigned i = 0; i < FARTHEST; i++) {
        to = preds_sole(&search->preds, to);
        if (to.i == from.i) return true;
        if (to.i == NO_ID) return false;
        const Instr *instr = func_at(search->ssa, to);
        bool pointer = instr->kind == I_STORE && instr->chunk == CHUNK_I64;
        if (pointer || (instr->kind == I_CALL && is_harmless(search, instr))) continue;
        if (instr_effects(instr) & (MAY_WRITE | MAY_WRITE_SHARED)) return false;
    }
    return false;
}

// strcpy into what malloc gave for the length of the same string, without room for its end.
static void check_string(FlawSearch *search, Node node, const Instr *instr) {
    const char *name = callee_name(search, instr);
    bool copies = strcmp(name, "strcpy") == 0 || strcmp(name, "stpcpy") == 0;
    if (!copies || instr->arg_count != 2) return;
    const Func *ssa = search->ssa;
    const Reg *args = instr_args(ssa, instr);
    KnownAddress to = known_of(search, args[0]), from = known_of(search, args[1]);
    if (to.kind != KNOWN_REG || to.offset != 0) return;
    const Instr *giver = call_that_gave(ssa, search->definitions, (Reg){to.id}, "malloc");
    if (!giver || giver->arg_count != 1) return;
    KnownAddress size = known_of(search, instr_args(ssa, giver)[0]);
    if (size.kind != KNOWN_REG || size.offset > 0) return;
    const Instr *length = call_that_gave(ssa, search->definitions, (Reg){size.id}, "strlen");
    if (!length || length->arg_count != 1) return;
    KnownAddress measured = known_of(search, instr_args(ssa, length)[0]);
    if (measured.kind != from.kind || measured.id != from.id || measured.offset != from.offset ||
        !strings_stay(search, search->definitions[size.id].node, node))
        return;
    Flaw *flaw = add_flaw(search, FLAW_STRING_SHORT, node);
    flaw->other = search->definitions[to.id].node;
    flaw->missing = 1 - size.offset;
}

// An access to element n of what malloc or calloc gave for n elements.
static void check_element(FlawSearch *search, Node node, const Instr *instr) {
    const Func *ssa = search->ssa;
    const Reg *args = instr_args(ssa, instr);
    if (instr->base != BASE_REG || !instr->scale) return;
    KnownAddress base = known_of(search, args[0]), index = known_of(search, args[1]), count;
    if (base.kind != KNOWN_REG || index.kind != KNOWN_REG) return;
    const Instr *giver = call_that_gave(ssa, search->definitions, (Reg){base.id}, "malloc");
    if (!giver || giver->arg_count != 1) return;
    count = known_of(search, instr_args(ssa, giver)[0]);
    if (count.kind != KNOWN_REG) return;
    const Instr *product = defining_instr(ssa, search->definitions, (Reg){count.id});
    if (instr->scale > 1) {
        bool times = product && product->op == OP_MUL_I64 && product->kind == I_OP &&
                     product->immediate && product->imm == instr->scale && count.offset == 0;
        if (!times) return;
        count = known_of(search, instr_args(ssa, product)[0]);
    }
    int64_t behind = base.offset + instr->imm + (index.offset - count.offset) * instr->scale;
    if (count.kind != KNOWN_REG || count.id != index.id ||
        behind + (int64_t)chunk_size((Chunk)instr->chunk) <= 0)
        return;
    Flaw *flaw = add_flaw(search, FLAW_ELEMENT, node);
    flaw->other = search->definitions[base.id].node;
}

// ---- Recursion

// Whether every way from the entry leads to a call of the function itself: without going beyond
// such calls there is neither an end nor a cycle. Yields one of the calls; NO_NODE if there is
// another way.
static Node endless_recursion(const FlawSearch *search) {
    const Func *ssa = search->ssa;
    enum { NEW, OPEN, DONE };
    uint8_t *state = ARENA_ARRAY(search->arena, uint8_t, ssa->nodes.count);
    uint32_t *stack = ARENA_ARRAY(search->arena, uint32_t, ssa->nodes.count);
    uint32_t *next = ARENA_ARRAY(search->arena, uint32_t, ssa->nodes.count);
    uint32_t top = 0;
    Node found = NO_NODE;
    stack[top++] = 0;
    state[0] = OPEN;
    while (top) {
        uint32_t n = stack[top - 1];
        const Instr *instr = &ssa->nodes.at[n];
        bool call = instr->kind == I_CALL && instr->ref == ssa->symbol.i;
        if (call) found = (Node){n};
        if (!call && (instr->succ_count == 0 || call_never_returns(ssa->program, instr)))
            return NO_NODE;
        if (call || next[n] >= instr->succ_count) {
            state[n] = DONE;
            top--;
            continue;
        }
        uint32_t to = instr_succs(ssa, instr)[next[n]++].i;
        if (state[to] == OPEN) return NO_NODE;
        if (state[to] == DONE) continue;
        state[to] = OPEN;
        stack[top++] = to;
    }
    return found;
}

// ---- All together

static void find_values(FlawSearch *search, const uint32_t *order, uint32_t count) {
    search->live[0] = true;
    for (uint32_t i = 0; i < count; i++) {
        const Instr *instr = &search->ssa->nodes.at[order[i]];
        if (!search->live[order[i]]) continue;
        know_phis(search, (Node){order[i]});
        if (instr->kind == I_OP) know_operator(search, instr);
        if (instr->kind == I_LOAD) know_load(search, (Node){order[i]});
        Pair pair = instr->kind == I_CALL && instr->arg_count > 0
                        ? taken_by(callee_name(search, instr))
                        : PAIR_NONE;
        if (pair != PAIR_NONE) check_taking(search, (Node){order[i]}, instr, pair);
        reach_successors(search, instr);
    }
}

static void check_return(FlawSearch *search, Node node, const Instr *instr) {
    if (instr->kind != I_RETURN || instr->arg_count != 1) return;
    const Func *ssa = search->ssa;
    const SigInfo *sig = program_sig_info(ssa->program, ssa->sig);
    if (ptype_is_aggregate(program_ptype_info(ssa->program, sig->result))) return;
    Reg reg = instr_args(ssa, instr)[0];
    KnownAddress known = known_of(search, reg);
    // A register without a name is the address as it is written in the statement.
    if (known.kind != KNOWN_SLOT || !ssa->regs.at[reg.i].name.i) return;
    set_object(add_flaw(search, FLAW_RETURNS_LOCAL, node), &known);
}

Flaws flaws_of(Arena *arena, const Func *ssa) {
    FlawSearch search = {.arena = arena, .ssa = ssa, .definitions = definitions_of(arena, ssa)};
    search.preds = preds_of(arena, ssa);
    search.dominance = dominance_of(arena, ssa, &search.preds);
    search.widened = ARENA_ARRAY(arena, uint32_t, ssa->regs.count);
    memset(search.widened, 0xff, ssa->regs.count * sizeof *search.widened);
    search.known = ARENA_ARRAY(arena, KnownAddress, ssa->regs.count);
    search.live = ARENA_ARRAY(arena, bool, ssa->nodes.count);
    search.freed_at = ARENA_ARRAY(arena, uint32_t, ssa->regs.count);
    for (uint32_t r = 0; r < ssa->regs.count; r++) search.freed_at[r] = NO_ID;
    uint32_t count;
    const uint32_t *order = order_nodes(arena, ssa, &count);
    find_values(&search, order, count);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (!search.live[n]) continue;
        if (instr->kind == I_LOAD || instr->kind == I_STORE)
            check_access(&search, (Node){n}, instr);
        if (instr->kind == I_LOAD || instr->kind == I_STORE)
            check_element(&search, (Node){n}, instr);
        if (instr->kind == I_CALL) check_string(&search, (Node){n}, instr);
        if (search.freed.count) check_uses(&search, (Node){n}, instr);
        check_return(&search, (Node){n}, instr);
    }
    Node call = endless_recursion(&search);
    if (call.i != NO_ID) add_flaw(&search, FLAW_RECURSION, call);
    return search.flaws;
}
