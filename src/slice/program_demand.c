#include "slice/program_demand.h"

#include "slice/slice.h"

typedef struct {
    Sym caller;
    Node call;
} CallSite;

typedef struct {
    SliceExtent extent;
    SliceVariables variables;
    SliceDemand *demand; // NULL if not sliced
    SliceContract contract;
    VEC(CallSite) sites; // kept calls of it
    uint32_t events;     // how many of its calls' events have been looked at
    bool waiting, reached;
} FunctionDemand;

struct ProgramDemand {
    Arena *arena;
    const Program *program;
    const SliceCalls *calls;
    ProgramDemandHooks hooks;
    FunctionDemand *functions; // by symbol
    VEC(Sym) waiting;          // to be closed
    Bits address_taken;        // functions that may be called by their address
    bool unknown_called;       // whoever they are, they may be called
};

// ---- What is called by whom

static const Func *body_at(const ProgramDemand *program, uint32_t symbol) {
    const Symbol *info = &program->program->symbols.at[symbol];
    return symbol_is_replaceable(info) || info->alias.i != NO_ID ? NULL : info->func;
}

// The function that a call surely is of, if it has a body; NO_ID otherwise.
static uint32_t callee_of(const ProgramDemand *program, const Instr *instr) {
    if (instr->kind != I_CALL || instr->ref == NO_ID) return NO_ID;
    return body_at(program, instr->ref) ? instr->ref : NO_ID;
}

// Whether a call may lead to any function whose address is taken: by its address, or by way of a function of which nothing
// is known.
static bool calls_unknown(const ProgramDemand *program, const Instr *instr) {
    if (instr->kind != I_CALL || callee_of(program, instr) != NO_ID) return false;
    return instr->ref == NO_ID || program->calls->of[instr->ref].may_set == SLICE_EVERYTHING;
}

static void find_taken(ProgramDemand *program) {
    const Program *of = program->program;
    for (uint32_t s = 0; s < of->symbols.count; s++) {
        const Symbol *symbol = &of->symbols.at[s];
        if (symbol->alias.i != NO_ID) bits_add(&program->address_taken, symbol->alias.i);
        for (uint32_t k = 0; k < symbol->data.count; k++)
            if (symbol->data.at[k].kind == DATA_ADDR)
                bits_add(&program->address_taken, symbol->data.at[k].symbol.i);
        if (!symbol->func) continue;
        for (uint32_t n = 0; n < symbol->func->nodes.count; n++) {
            const Instr *instr = &symbol->func->nodes.at[n];
            if (instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL)
                bits_add(&program->address_taken, instr->ref);
        }
    }
}

ProgramDemand *program_demand_new(Arena *arena, const Program *of, const SliceCalls *calls,
                                  ProgramDemandHooks hooks) {
    ProgramDemand *program = ARENA_NEW(arena, ProgramDemand);
    uint32_t count = of->symbols.count;
    *program = (ProgramDemand){.arena = arena,
                               .program = of,
                               .calls = calls,
                               .hooks = hooks,
                               .functions = ARENA_ARRAY(arena, FunctionDemand, count),
                               .address_taken = bits_new(arena, count)};
    find_taken(program);
    return program;
}

// ---- Beginning

static void wait_for(ProgramDemand *program, Sym function) {
    FunctionDemand *at = &program->functions[function.i];
    if (at->waiting) return;
    at->waiting = true;
    vec_push(program->arena, &program->waiting, function);
}

static Bits followed_calls(const ProgramDemand *program, const Func *func) {
    Bits followed = bits_new(program->arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (callee_of(program, &func->nodes.at[n]) != NO_ID) bits_add(&followed, n);
    return followed;
}

static void begin(ProgramDemand *program, Sym function) {
    FunctionDemand *at = &program->functions[function.i];
    const Func *func = body_at(program, function.i);
    if (!func || at->extent != SLICE_UNTOUCHED) return;
    at->extent = SLICE_SLICED;
    at->variables = slice_variables_of(program->arena, func, program->calls);
    SliceOptions options = {0};
    if (program->hooks.options) options = program->hooks.options(program->hooks.context, func);
    Bits *followed = ARENA_NEW(program->arena, Bits);
    *followed = followed_calls(program, func);
    options.followed = followed;
    at->demand = slice_demand_new(program->arena, &at->variables, options);
    if (program->hooks.begun) program->hooks.begun(program->hooks.context, at->demand, func);
    wait_for(program, function);
}

SliceDemand *program_demand_function(ProgramDemand *program, Sym function) {
    begin(program, function);
    FunctionDemand *at = &program->functions[function.i];
    if (at->extent != SLICE_SLICED) return NULL;
    wait_for(program, function);
    return at->demand;
}

const SliceVariables *program_demand_variables(ProgramDemand *program, Sym function) {
    begin(program, function);
    return &program->functions[function.i].variables;
}

// ---- Needs, in front of calls

// What a callee needs has to be right in front of one of its calls.
static void demand_needs(ProgramDemand *program, CallSite site, SliceWorldSet needs) {
    SliceDemand *demand = program->functions[site.caller.i].demand;
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
        if (needs >> v & 1) slice_demand_variable(demand, site.call, v);
    wait_for(program, site.caller);
}

static void grow_needs(ProgramDemand *program, Sym function, SliceWorldSet needs) {
    FunctionDemand *at = &program->functions[function.i];
    SliceWorldSet fresh = needs & ~at->contract.needs;
    if (!fresh) return;
    at->contract.needs |= fresh;
    for (uint32_t i = 0; i < at->sites.count; i++) demand_needs(program, at->sites.at[i], fresh);
}

// What the slice of a function reads at its entry. A shared piece is part of memory.
static SliceWorldSet needs_of(const FunctionDemand *at) {
    SliceWorldSet needs = 0;
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
        if (slice_demand_from_entry(at->demand, v)) needs |= (SliceWorldSet)1 << v;
    for (uint32_t v = at->variables.first_piece; v < at->variables.count; v++)
        if (slice_is_shared(&at->variables, v) && slice_demand_from_entry(at->demand, v))
            needs |= (SliceWorldSet)1 << SLICE_MEMORY;
    return needs;
}

// ---- Functions that stay

// A function stays as it is, and with it what it calls.
static void keep_whole(ProgramDemand *program, Sym first) {
    VEC(Sym) work = {0};
    vec_push(program->arena, &work, first);
    while (work.count) {
        Sym function = vec_pop(&work);
        FunctionDemand *at = &program->functions[function.i];
        const Func *func = body_at(program, function.i);
        if (!func || at->extent == SLICE_WHOLE) continue;
        at->extent = SLICE_WHOLE;
        at->contract.gives = SLICE_EVERYTHING;
        at->contract.result = true;
        grow_needs(program, function, program->calls->of[function.i].reads);
        for (uint32_t n = 0; n < func->nodes.count; n++) {
            const Instr *instr = &func->nodes.at[n];
            uint32_t callee = callee_of(program, instr);
            if (callee != NO_ID) vec_push(program->arena, &work, (Sym){callee});
            if (!program->unknown_called && calls_unknown(program, instr)) {
                program->unknown_called = true;
                for (uint32_t s = 0; s < program->address_taken.size; s++)
                    if (bits_has(&program->address_taken, s))
                        vec_push(program->arena, &work, (Sym){s});
            }
        }
    }
}

static void keep_taken(ProgramDemand *program) {
    if (program->unknown_called) return;
    program->unknown_called = true;
    for (uint32_t s = 0; s < program->address_taken.size; s++)
        if (bits_has(&program->address_taken, s)) keep_whole(program, (Sym){s});
}

// ---- Outputs

// The result, or variables of the world, are needed where a function returns.
static void demand_outputs(ProgramDemand *program, Sym function, SliceWorldSet gives, bool result) {
    begin(program, function);
    FunctionDemand *at = &program->functions[function.i];
    SliceWorldSet fresh = gives & ~at->contract.gives;
    bool fresh_result = result && !at->contract.result;
    if (at->extent != SLICE_SLICED || (!fresh && !fresh_result)) return;
    at->contract.gives |= fresh;
    at->contract.result |= result;
    const Func *func = at->variables.func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_RETURN) continue;
        if (fresh_result || !instr->arg_count) slice_demand_node(at->demand, (Node){n});
        for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
            if (fresh >> v & 1) slice_demand_variable(at->demand, (Node){n}, v);
    }
    wait_for(program, function);
}

void program_demand_effects(ProgramDemand *program, Sym function) {
    demand_outputs(program, function, SLICE_EVERYTHING, true);
}

static void call_is_kept(ProgramDemand *program, CallSite site, const Func *func) {
    const Instr *instr = func_at(func, site.call);
    uint32_t callee = callee_of(program, instr);
    if (callee == NO_ID) {
        if (calls_unknown(program, instr)) keep_taken(program);
        return;
    }
    begin(program, (Sym){callee});
    FunctionDemand *at = &program->functions[callee];
    vec_push(program->arena, &at->sites, site);
    demand_needs(program, site, at->contract.needs);
}

// What a variable holds behind a call is needed, so that the callee has to give it, if the callee sets it at all.
static void output_is_needed(ProgramDemand *program, FunctionDemand *caller, SliceCallEvent event) {
    const Func *func = caller->variables.func;
    uint32_t callee = callee_of(program, func_at(func, event.call));
    if (callee == NO_ID) return;
    const SliceVariables *variables = &caller->variables;
    if (slice_is_register(variables, event.variable)) {
        demand_outputs(program, (Sym){callee}, 0, true);
        return;
    }
    // An aggregate that is returned is copied to where the caller says: it is a result, too.
    const SigInfo *sig = program_sig_info(func->program, (Sig){func_at(func, event.call)->aux});
    bool aggregate = ptype_is_aggregate(program_ptype_info(func->program, sig->result));
    bool memory = slice_is_shared(variables, event.variable);
    if (slice_is_piece(variables, event.variable) && !memory) {
        demand_outputs(program, (Sym){callee}, 0, aggregate);
        return;
    }
    uint32_t world = memory ? SLICE_MEMORY : event.variable;
    SliceWorldSet gives = program->calls->of[callee].may_set & (SliceWorldSet)1 << world;
    demand_outputs(program, (Sym){callee}, gives, aggregate && memory);
}

// ---- Reaching

// Marks the functions that a run from a function may come to.
static Bits functions_from(ProgramDemand *program, Sym start) {
    Bits found = bits_new(program->arena, program->program->symbols.count);
    VEC(uint32_t) work = {0};
    vec_push(program->arena, &work, start.i);
    bool unknown = false;
    while (work.count) {
        uint32_t symbol = vec_pop(&work);
        const Func *func = body_at(program, symbol);
        if (!func || !bits_put(&found, symbol)) continue;
        for (uint32_t n = 0; n < func->nodes.count; n++) {
            const Instr *instr = &func->nodes.at[n];
            uint32_t callee = callee_of(program, instr);
            if (callee != NO_ID) vec_push(program->arena, &work, callee);
            if (unknown || !calls_unknown(program, instr)) continue;
            unknown = true;
            for (uint32_t s = 0; s < program->address_taken.size; s++)
                if (bits_has(&program->address_taken, s)) vec_push(program->arena, &work, s);
        }
    }
    return found;
}

// The calls in some functions, by whom they are of: row s has those of function s, the last one those of unknown functions.
typedef struct {
    uint32_t *at;
    CallSite *sites;
} CallRows;

static uint32_t row_of(const ProgramDemand *program, const Instr *instr) {
    uint32_t callee = callee_of(program, instr);
    if (callee != NO_ID) return callee;
    return calls_unknown(program, instr) ? program->program->symbols.count : NO_ID;
}

static CallRows call_rows(ProgramDemand *program, const Bits *from) {
    uint32_t count = from->size, *at = ARENA_ARRAY(program->arena, uint32_t, (size_t)count + 3);
    CallRows rows = {.at = at};
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t s = bits_next(from, 0); s < count; s = bits_next(from, s + 1)) {
            const Func *func = body_at(program, s);
            for (uint32_t n = 0; n < func->nodes.count; n++) {
                uint32_t row = row_of(program, &func->nodes.at[n]);
                if (row == NO_ID) continue;
                if (fill)
                    rows.sites[at[row + 1]++] = (CallSite){{s}, {n}};
                else
                    at[row + 2]++;
            }
        }
        if (fill) break;
        for (uint32_t s = 0; s <= count; s++) at[s + 2] += at[s + 1];
        rows.sites = ARENA_ARRAY(program->arena, CallSite, at[count + 2]);
    }
    return rows;
}

bool program_demand_reached(ProgramDemand *program, Sym function, Sym start) {
    Bits from = functions_from(program, start);
    if (!bits_has(&from, function.i)) return false;
    CallRows rows = call_rows(program, &from);
    VEC(uint32_t) work = {0};
    vec_push(program->arena, &work, function.i);
    program->functions[function.i].reached = true;
    while (work.count) {
        uint32_t callee = vec_pop(&work);
        // whose address is taken is perhaps called by calls of unknown functions
        uint32_t row[2] = {callee, from.size};
        for (uint32_t i = 0; i < 1u + bits_has(&program->address_taken, callee); i++)
            for (uint32_t k = rows.at[row[i]]; k < rows.at[row[i] + 1]; k++) {
                CallSite site = rows.sites[k];
                SliceDemand *demand = program_demand_function(program, site.caller);
                if (demand) slice_demand_node(demand, site.call);
                FunctionDemand *at = &program->functions[site.caller.i];
                if (!at->reached) vec_push(program->arena, &work, site.caller.i);
                at->reached = true;
            }
    }
    return true;
}

// ---- Closing

static void look_at_calls(ProgramDemand *program, Sym function) {
    FunctionDemand *at = &program->functions[function.i];
    for (uint32_t count; slice_demand_calls(at->demand, &count), at->events < count;) {
        SliceCallEvent event = slice_demand_calls(at->demand, &count)[at->events++];
        if (event.variable == NO_ID)
            call_is_kept(program, (CallSite){function, event.call}, at->variables.func);
        else
            output_is_needed(program, at, event);
    }
}

void program_demand_close(ProgramDemand *program) {
    while (program->waiting.count) {
        Sym function = vec_pop(&program->waiting);
        FunctionDemand *at = &program->functions[function.i];
        at->waiting = false;
        if (!at->demand) continue;
        slice_demand_close(at->demand);
        look_at_calls(program, function);
        if (at->extent == SLICE_SLICED) grow_needs(program, function, needs_of(at));
    }
}

SliceExtent program_demand_extent(const ProgramDemand *program, Sym function) {
    return program->functions[function.i].extent;
}

SliceContract program_demand_contract(const ProgramDemand *program, Sym function) {
    return program->functions[function.i].contract;
}
