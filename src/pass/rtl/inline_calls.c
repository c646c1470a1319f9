// Replaces calls by copies of bodies. pipeline/inline_plan.c decides for the whole program which
// bodies are offered. Here calls of these bodies are replaced, as long as the function does not
// grow too much: outside of loops, or where a profile says that calls run rarely, only by bodies
// that are hardly larger than the call, or that are not needed elsewhere. The copies come behind
// the function's own nodes; normalize, which runs next, puts everything in order.
#include "pass/rtl/inline_weight.h"

#include "base/bits.h"
#include "fact/calls.h"
#include "fact/effects.h"
#include "fact/slot_fields.h"

typedef struct {
    Arena *arena;
    const Bodies *bodies;
    const Func *func;
    Func *result;
    Map next_number;      // name -> a number above all that registers of this name have
    uint64_t budget;      // nodes that may still be added
    uint64_t result_size; // nodes with all copies so far
    Bits loops;           // nodes in loops
    InlineWeights *weights;
} InlineCalls;

// Where a copy is.
typedef struct {
    const Instr *call;
    const Func *body;
    uint32_t reg, slot, node; // its first register and slot; the first node of the body
} BodyCopy;

// ---- Which calls

// Marks the nodes between the ends of jumps backwards; in the front end's code these are the nodes
// in loops.
static Bits find_loops(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count, end = 0;
    uint32_t *last =
        ARENA_ARRAY(arena, uint32_t, count); // node -> last from which a jump leads to it
    Bits inside = bits_new(arena, count);
    for (uint32_t n = 0; n < count; n++) {
        const Node *succs = instr_succs(func, &func->nodes.at[n]);
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            if (succs[k].i <= n) last[succs[k].i] = n + 1;
    }
    for (uint32_t n = 0; n < count; n++) {
        if (last[n] > end) end = last[n];
        if (n < end) bits_add(&inside, n);
    }
    return inside;
}

// Whether a call is worth larger code: it has run often, or if the number of runs is not known, it
// is in a loop.
static bool is_hot(const InlineCalls *state, Node node) {
    const Program *program = state->func->program;
    uint64_t runs;
    if (program_runs(program, func_at(state->func, node)->loc, &runs))
        return program_is_hot(program, runs);
    return bits_has(&state->loops, node.i);
}

// Whether a body that is there is worth it.
static InlineAnswer weigh(InlineCalls *state, Node node, OfferedBody offered) {
    const Instr *call = func_at(state->func, node);
    const Symbol *symbol = program_at(state->func->program, (Sym){call->ref});
    uint32_t size = offered.rtl->nodes.count;
    if (symbol->flags & SYMF_ALWAYS_INLINE) return INLINE_COPIED;
    if (size > state->budget) return INLINE_BUDGET;
    if (!offered.once && !is_hot(state, node) &&
        inline_size(offered.rtl) > inline_limit(state->weights, call, offered.rtl))
        return INLINE_COLD;
    return INLINE_COPIED;
}

// Whether the function gets a copy of its own body: one that is small, as long as the copies are
// few. The calls in the copies stay, for the next time.
static bool goes_deeper(const InlineCalls *state, uint32_t size) {
    enum { SMALL_BODY = 50, MANY = 400 };
    return size <= SMALL_BODY && state->result_size + size <= MANY;
}

static InlineAnswer answer(InlineCalls *state, Node node) {
    const Instr *call = func_at(state->func, node);
    if (call->kind != I_CALL) return INLINE_NO_CALL;
    if (call->ref == NO_ID) return INLINE_INDIRECT;
    if (call->succ_count != 1) return INLINE_LAST;
    bool itself = call->ref == state->func->symbol.i;
    OfferedBody offered = body_of(state->bodies, (Sym){call->ref});
    if (!offered.rtl) return itself ? INLINE_ITSELF : INLINE_NO_BODY;
    if (call->aux != offered.rtl->sig.i) return INLINE_OTHER_TYPE;
    uint32_t size = offered.rtl->nodes.count;
    if (itself && !goes_deeper(state, size)) return INLINE_ITSELF;
    InlineAnswer weighed = itself ? INLINE_COPIED : weigh(state, node, offered);
    if (weighed != INLINE_COPIED) return weighed;
    state->budget -= size < state->budget ? size : state->budget;
    state->result_size += size;
    return weighed;
}

static void prepare(InlineCalls *state) {
    enum { LEAST_GROWTH = 4000 };
    state->loops = find_loops(state->arena, state->func);
    state->budget = LEAST_GROWTH + 2 * (uint64_t)state->func->nodes.count;
    state->result_size = state->func->nodes.count;
    state->weights = inline_weights(state->arena, state->func);
}

static void find_sites(InlineCalls *state, CopiesHint *hint) {
    const Func *func = state->func;
    if (func_returns_twice(func)) return;
    prepare(state);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (answer(state, (Node){n}) == INLINE_COPIED)
            vec_push(state->arena, &hint->sites, (Node){n});
}

uint8_t *inline_answers(Arena *arena, const Bodies *bodies, const Func *func) {
    InlineCalls state = {.arena = arena, .bodies = bodies, .func = func};
    uint8_t *answers = ARENA_ARRAY(arena, uint8_t, (size_t)func->nodes.count + 1);
    bool twice = func_returns_twice(func);
    prepare(&state);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        answers[n] = (uint8_t)answer(&state, (Node){n});
        if (answers[n] != INLINE_NO_CALL && twice) answers[n] = INLINE_AMONG_TWICE;
    }
    return answers;
}

// ---- Which functions

// Whether a function needs a frame of its own.
static bool needs_frame(const Program *program, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (call_returns_twice(program, instr)) return true;
        if (instr_effects(instr) & USES_FRAME) return true;
    }
    return false;
}

const char *inline_obstacle(const Program *program, const Symbol *symbol) {
    const Func *func = symbol->func;
    const SigInfo *sig = program_sig_info(program, func->sig);
    Reg returned;
    if (func->form != FORM_FIRST) return "has a body that is not RTL";
    if (sig->variadic) return "takes any number of arguments";
    if (symbol->flags & SYMF_NOINLINE) return "is marked noinline";
    if (symbol_returns_twice(symbol)) return "may return twice";
    if (symbol_is_replaceable(symbol)) return "may be replaced by another definition";
    if (needs_frame(program, func)) return "needs a frame of its own";
    if (ptype_is_aggregate(program_ptype_info(program, sig->result)) &&
        !returns_slot(func, &returned))
        return "returns a structure that is not one variable of its own";
    return NULL;
}

bool inline_is_possible(const Program *program, const Symbol *symbol) {
    return !inline_obstacle(program, symbol);
}

// ---- Registers and slots

static void count_names(InlineCalls *state) {
    for (uint32_t r = 0; r < state->func->regs.count; r++) {
        const RegInfo *info = &state->func->regs.at[r];
        uint32_t next = map_get(&state->next_number, info->name.i);
        if (info->name.i && (next == HASH_NONE || next <= info->number))
            map_set(state->arena, &state->next_number, info->name.i, info->number + 1);
    }
}

static void add_registers(InlineCalls *state, const Func *body) {
    for (uint32_t r = 0; r < body->regs.count; r++) {
        RegInfo info = body->regs.at[r];
        if (!info.name.i) {
            func_temp(state->result, info.type);
            continue;
        }
        uint32_t next = map_get(&state->next_number, info.name.i);
        info.number = next == HASH_NONE ? 0 : next;
        map_set(state->arena, &state->next_number, info.name.i, info.number + 1);
        func_add_reg(state->result, info);
    }
}

static const ParamType *param_type(const Func *body, uint32_t i) {
    const SigInfo *sig = program_sig_info(body->program, body->sig);
    return program_ptype_info(body->program, sig->params[i]);
}

static void add_slots(InlineCalls *state, const Func *body) {
    for (uint32_t i = 0; i < body->slots.count; i++)
        func_add_slot(state->result, (SlotInfo){.size = body->slots.at[i].size,
                                                .align = body->slots.at[i].align,
                                                .buffer = body->slots.at[i].buffer});
    for (uint32_t i = 0; i < body->params.count; i++) {
        const ParamType *type = param_type(body, i);
        if (ptype_is_aggregate(type))
            func_add_slot(state->result, (SlotInfo){.size = type->size,
                                                    .align = type->align,
                                                    .buffer = func_param_buffer(body)});
    }
}

// ---- Code

static Node next_node(const InlineCalls *state) {
    return (Node){state->result->nodes.count + 1};
}

static void add_memcpy(InlineCalls *state, Reg to, Reg from, uint64_t size, Node succ,
                       uint32_t loc) {
    func_add(state->result, (Instr){.kind = I_BUILTIN,
                                    .op = BI_MEMCPY,
                                    .dest = NO_REG,
                                    .arg_count = 2,
                                    .arg = {to, from},
                                    .succ_count = 1,
                                    .succ = {succ},
                                    .imm = (int64_t)size,
                                    .loc = loc});
}

static void add_move(InlineCalls *state, Type type, Reg to, Reg from, Node succ, uint32_t loc) {
    func_add(state->result, (Instr){.kind = I_OP,
                                    .op = (uint16_t)op_move(type),
                                    .dest = to,
                                    .arg_count = 1,
                                    .arg = {from},
                                    .succ_count = 1,
                                    .succ = {succ},
                                    .loc = loc});
}

static void add_arguments(InlineCalls *state, const BodyCopy *copy) {
    const Func *body = copy->body;
    const Reg *args = instr_args(state->func, copy->call);
    uint32_t loc = copy->call->loc, slot = copy->slot + body->slots.count;
    for (uint32_t i = 0; i < body->params.count; i++) {
        const ParamType *type = param_type(body, i);
        Reg param = {copy->reg + body->params.at[i].i};
        if (!ptype_is_aggregate(type)) {
            add_move(state, type->type, param, args[i], next_node(state), loc);
            continue;
        }
        func_add(state->result, (Instr){.kind = I_OP,
                                        .op = OP_ADDR_SLOT,
                                        .dest = param,
                                        .ref = slot++,
                                        .succ_count = 1,
                                        .succ = {next_node(state)},
                                        .loc = loc});
        add_memcpy(state, param, args[i], type->size, next_node(state), loc);
    }
}

static void add_return(InlineCalls *state, const BodyCopy *copy, const Instr *instr) {
    const Program *program = state->func->program;
    const Instr *call = copy->call;
    const SigInfo *sig = program_sig_info(program, copy->body->sig);
    const ParamType *type = program_ptype_info(program, sig->result);
    Reg value = {instr->arg_count ? copy->reg + instr->arg[0].i : NO_ID};
    if (ptype_is_aggregate(type))
        add_memcpy(state, instr_args(state->func, call)[call->arg_count - 1], value, type->size,
                   call->succ[0], instr->loc);
    else if (call->dest.i == NO_ID)
        func_nop(state->result, call->succ[0]);
    else
        add_move(state, type->type, call->dest, value, call->succ[0], instr->loc);
}

static void add_instr(InlineCalls *state, const BodyCopy *copy, const Instr *instr) {
    Func *result = state->result;
    Node node = func_copy_instr(result, copy->body, instr);
    Instr *now = &result->nodes.at[node.i];
    if (now->dest.i != NO_ID) now->dest.i += copy->reg;
    if (instr_names_slot(now)) now->ref += copy->slot;
    Reg *args = now->arg_count <= INLINE_ARGS ? now->arg : result->reg_pool.at + now->args_at;
    for (uint32_t k = 0; k < now->arg_count; k++) args[k].i += copy->reg;
    Node *succs =
        now->succ_count <= INLINE_SUCCS ? now->succ : result->node_pool.at + now->succs_at;
    for (uint32_t k = 0; k < now->succ_count; k++) succs[k].i += copy->node;
}

static void replace(InlineCalls *state, Node site) {
    Func *result = state->result;
    const Instr *call = func_at(state->func, site);
    const Func *body = body_of(state->bodies, (Sym){call->ref}).rtl;
    BodyCopy copy = {
        .call = call, .body = body, .reg = result->regs.count, .slot = result->slots.count};
    add_registers(state, body);
    add_slots(state, body);
    result->nodes.at[site.i] = (Instr){.kind = I_NOP,
                                       .dest = NO_REG,
                                       .succ_count = 1,
                                       .succ = {{result->nodes.count}},
                                       .loc = call->loc};
    add_arguments(state, &copy);
    copy.node = result->nodes.count;
    for (uint32_t n = 0; n < body->nodes.count; n++)
        if (body->nodes.at[n].kind == I_RETURN)
            add_return(state, &copy, &body->nodes.at[n]);
        else
            add_instr(state, &copy, &body->nodes.at[n]);
}

// The old nodes for which the first nodes of a copy stand: the call, up to the body.
static void tell_copy(InlineCalls *state, CopiesHint *hint, uint32_t site) {
    Node call = hint->sites.at[site];
    const Func *body = body_of(state->bodies, (Sym){func_at(state->func, call)->ref}).rtl;
    uint32_t end = state->result->nodes.count, first = end - body->nodes.count;
    for (uint32_t n = hint->old.count; n < end; n++) {
        vec_push(state->arena, &hint->old, n < first ? call : (Node){n - first});
        vec_push(state->arena, &hint->copy, n < first ? 0 : site + 1);
    }
}

Func *inline_sites(Arena *arena, const Bodies *bodies, const Func *func, CopiesHint *hint) {
    InlineCalls state = {
        .arena = arena, .bodies = bodies, .func = func, .result = func_clone(func, arena)};
    vec_clear(&state.result->labels);
    count_names(&state);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        vec_push(arena, &hint->old, (Node){n});
        vec_push(arena, &hint->copy, 0);
    }
    for (uint32_t i = 0; i < hint->sites.count; i++) {
        replace(&state, hint->sites.at[i]);
        tell_copy(&state, hint, i);
    }
    return state.result;
}

Func *inline_calls(Arena *arena, const Bodies *bodies, const Func *func, CopiesHint *hint) {
    InlineCalls state = {.arena = arena, .bodies = bodies, .func = func};
    find_sites(&state, hint);
    return hint->sites.count ? inline_sites(arena, bodies, func, hint) : NULL;
}
