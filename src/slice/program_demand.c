#include "slice/program_demand.h"

#include "fact/effects.h"
#include "slice/slice_hint.h"

typedef struct {
    Sym caller;
    Node call;
} KeptCall;

typedef struct {
    SliceExtent extent;
    SliceVariables variables;
    SliceDemand *demand; // NULL if not sliced
    SliceContract contract;
    VEC(KeptCall) sites; // kept calls of it
    uint32_t events;     // how many of its calls' events have been looked at
    uint32_t nodes;      // the same of its kept nodes
    bool waiting, reached;
    bool criterion; // something was asked of it before anything was followed
} FunctionDemand;

// Functions that calls by address with one signature may be of, and what was demanded of all of
// them.
typedef struct {
    VEC(Sym) functions;
    SliceWorldSet gives;
    bool result;
} Targets;

struct ProgramDemand {
    Arena *arena;
    const Program *program;
    const SliceCalls *calls;
    ProgramDemandHooks hooks;
    FunctionDemand *functions; // by symbol
    VEC(Sym) waiting;          // to be closed
    Bits address_taken;        // functions that may be called by their address
    Bits exposed;              // symbols that kept code mentions, but for what it calls
    Map targets_of;            // signature of calls by address -> index in
    VEC(Targets) targets;
    bool by_address;  // a call by address is kept
    bool called_back; // something unknown may call all whose address is taken
    bool closed, begun;
    bool seen; // whatever can be seen from outside is needed, also where no return comes after it
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

static bool is_by_address(const Instr *instr) {
    return instr->kind == I_CALL && instr->ref == NO_ID;
}

// Whether a call is of a function outside of which nothing is known.
static bool is_outside(const ProgramDemand *program, const Instr *instr) {
    if (instr->kind != I_CALL || instr->ref == NO_ID || callee_of(program, instr) != NO_ID)
        return false;
    SliceCallEffect effect = program->calls->of[instr->ref];
    return effect.may_set == SLICE_EVERYTHING || effect.reads == SLICE_EVERYTHING ||
           program_at(program->program, (Sym){instr->ref})->alias.i != NO_ID;
}

// Whether a node may come to what nobody knows of: such a function, or instructions of the machine.
static bool is_unknown(const ProgramDemand *program, const Instr *instr) {
    return is_outside(program, instr) ||
           (instr->kind == I_BUILTIN && instr_effects(instr) & USES_MACHINE);
}

static Targets *targets_of(ProgramDemand *program, const Instr *call) {
    uint32_t known = map_get(&program->targets_of, call->aux);
    if (known != HASH_NONE) return &program->targets.at[known];
    Targets targets = {0};
    for (uint32_t s = 0; s < program->address_taken.size; s++) {
        if (bits_has(&program->address_taken, s) && body_at(program, s) &&
            slice_call_fits(program->program, (Sig){call->aux}, (Sym){s}))
            vec_push(program->arena, &targets.functions, (Sym){s});
    }
    known = program->targets.count;
    vec_push(program->arena, &program->targets, targets);
    map_set(program->arena, &program->targets_of, call->aux, known);
    return &program->targets.at[known];
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
                               .address_taken = bits_new(arena, count),
                               .exposed = bits_new(arena, count)};
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

// Whether a jump may end a call of a function while the first one that was begun runs.
static bool may_be_left(const ProgramDemand *program, Sym function) {
    return slice_may_be_left(program->calls, function) &&
           (program->begun || slice_may_be_called_again(program->calls, function, NULL));
}

static void begin(ProgramDemand *program, Sym function) {
    FunctionDemand *at = &program->functions[function.i];
    const Func *func = body_at(program, function.i);
    if (!func || at->extent != SLICE_UNTOUCHED) return;
    at->variables = slice_variables_of(program->arena, func, program->calls);
    if (may_be_left(program, function)) at->variables.whole = "calls of it may be left by a jump";
    program->begun = true;
    at->extent = at->variables.whole ? SLICE_WHOLE : SLICE_SLICED;
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
    if (!program->closed) at->criterion = true;
    if (at->demand) wait_for(program, function);
    return at->demand;
}

const SliceVariables *program_demand_variables(ProgramDemand *program, Sym function) {
    begin(program, function);
    return &program->functions[function.i].variables;
}

// ---- Needs, in front of calls

// What a callee needs has to be right in front of one of its calls.
static void demand_needs(ProgramDemand *program, KeptCall site, SliceWorldSet needs) {
    SliceDemand *demand = program->functions[site.caller.i].demand;
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
        if (needs >> v & 1) slice_demand_variable(demand, site.call, v);
    // Slots that the call may read count as memory.
    const SliceVariables *variables = &program->functions[site.caller.i].variables;
    SliceSpan reads = slice_list(variables, site.call, SLICE_READS);
    for (uint32_t i = 0; needs >> SLICE_MEMORY & 1 && i < reads.count; i++)
        if (slice_is_piece(variables, reads.at[i]))
            slice_demand_variable(demand, site.call, reads.at[i]);
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

// ---- Outputs

// The result, or variables of the world, are needed where a function returns.
static void demand_outputs(ProgramDemand *program, Sym function, SliceWorldSet gives, bool result) {
    begin(program, function);
    FunctionDemand *at = &program->functions[function.i];
    SliceWorldSet fresh = gives & ~at->contract.gives;
    bool fresh_result = result && !at->contract.result;
    if (!at->demand || (!fresh && !fresh_result)) return;
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
    if (program->seen && fresh & SLICE_SEEN) slice_demand_seen(at->demand);
    wait_for(program, function);
}

void program_demand_effects(ProgramDemand *program, Sym function) {
    program->seen = true;
    program->functions[function.i].criterion = true;
    demand_outputs(program, function, SLICE_EVERYTHING, true);
}

// Something that nobody knows of may call all whose address is taken.
static void demand_all(ProgramDemand *program) {
    if (program->called_back) return;
    program->called_back = true;
    for (uint32_t s = 0; s < program->address_taken.size; s++)
        if (bits_has(&program->address_taken, s) && body_at(program, s))
            demand_outputs(program, (Sym){s}, SLICE_EVERYTHING, true);
}

static void demand_of_targets(ProgramDemand *program, const Instr *call, SliceWorldSet gives,
                              bool result) {
    Targets *targets = targets_of(program, call);
    if (!(gives & ~targets->gives) && (!result || targets->result)) return;
    targets->gives |= gives;
    targets->result |= result;
    for (uint32_t i = 0; i < targets->functions.count; i++) {
        Sym target = targets->functions.at[i];
        demand_outputs(program, target, gives & program->calls->of[target.i].may_set, result);
    }
}

// A call by address may lead to all whose address is taken, as far as anybody sees who does not
// look at parameters. Those that it cannot be of are sliced for nothing, so that they do not rely
// on others.
static void begin_all(ProgramDemand *program) {
    if (program->by_address) return;
    program->by_address = true;
    for (uint32_t s = 0; s < program->address_taken.size; s++)
        if (bits_has(&program->address_taken, s) && body_at(program, s)) begin(program, (Sym){s});
}

static void call_is_kept(ProgramDemand *program, KeptCall site, const Func *func) {
    const Instr *instr = func_at(func, site.call);
    uint32_t callee = callee_of(program, instr);
    // The text has the value: without a `return` in the callee it would be undefined. An aggregate
    // is copied in any case.
    const SigInfo *sig = program_sig_info(program->program, (Sig){instr->aux});
    bool has_value = instr->dest.i != NO_ID ||
                     ptype_is_aggregate(program_ptype_info(program->program, sig->result));
    if (has_value && is_by_address(instr)) demand_of_targets(program, instr, 0, true);
    if (is_by_address(instr)) {
        begin_all(program);
        const Targets *targets = targets_of(program, instr);
        for (uint32_t i = 0; i < targets->functions.count; i++) {
            Sym target = targets->functions.at[i];
            begin(program, target);
            if (!program->functions[target.i].sites.count)
                vec_push(program->arena, &program->functions[target.i].sites, site);
        }
        if (program->seen) demand_of_targets(program, instr, SLICE_SEEN, false);
    }
    if (callee == NO_ID) return;
    begin(program, (Sym){callee});
    if (has_value) demand_outputs(program, (Sym){callee}, 0, true);
    FunctionDemand *at = &program->functions[callee];
    vec_push(program->arena, &at->sites, site);
    demand_needs(program, site, at->contract.needs);
    if (program->seen)
        demand_outputs(program, (Sym){callee}, SLICE_SEEN & program->calls->of[callee].may_set,
                       false);
}

// What a variable holds behind a call is needed, so that the callee has to give it, if the callee
// sets it at all.
static void output_is_needed(ProgramDemand *program, FunctionDemand *caller, SliceCallEvent event) {
    const Func *func = caller->variables.func;
    const Instr *call = func_at(func, event.call);
    const SliceVariables *variables = &caller->variables;
    bool memory = slice_is_shared(variables, event.variable) ||
                  slice_is_piece(variables, event.variable),
         result;
    SliceWorldSet gives = memory ? (SliceWorldSet)1 << SLICE_MEMORY : 0;
    if (slice_is_register(variables, event.variable)) {
        result = true;
    } else {
        // An aggregate that is returned is copied to where the caller says: it is a result, too.
        const SigInfo *sig = program_sig_info(func->program, (Sig){call->aux});
        result = ptype_is_aggregate(program_ptype_info(func->program, sig->result)) &&
                 (memory || slice_is_piece(variables, event.variable));
        if (event.variable < SLICE_WORLD_COUNT) gives = (SliceWorldSet)1 << event.variable;
    }
    uint32_t callee = callee_of(program, call);
    if (is_by_address(call))
        demand_of_targets(program, call, gives, result);
    else if (callee != NO_ID)
        demand_outputs(program, (Sym){callee}, gives & program->calls->of[callee].may_set, result);
}

// ---- Mentions

// Whoever gets to know a function by its address, or out of data, may call it for all that it does.
// What cannot be sliced, because another definition may take its place, calls others as it is.
static void expose(ProgramDemand *program, Sym first) {
    VEC(Sym) work = {0};
    vec_push(program->arena, &work, first);
    while (work.count) {
        Sym symbol = vec_pop(&work);
        const Symbol *info = program_at(program->program, symbol);
        if (!bits_put(&program->exposed, symbol.i)) continue;
        if (info->alias.i != NO_ID) vec_push(program->arena, &work, info->alias);
        for (uint32_t k = 0; k < info->data.count; k++)
            if (info->data.at[k].kind == DATA_ADDR)
                vec_push(program->arena, &work, info->data.at[k].symbol);
        if (body_at(program, symbol.i))
            demand_outputs(program, symbol, SLICE_EVERYTHING, true);
        else if (info->func)
            for (uint32_t n = 0; n < info->func->nodes.count; n++) {
                const Instr *instr = &info->func->nodes.at[n];
                Sym other = instr_symbol(instr);
                if (other.i != NO_ID) vec_push(program->arena, &work, other);
                if (is_by_address(instr) || is_unknown(program, instr)) demand_all(program);
            }
    }
}

// What stays as it is relies on all that others do.
static void look_at_mentions(ProgramDemand *program, Sym function) {
    FunctionDemand *at = &program->functions[function.i];
    bool relies = at->extent == SLICE_WHOLE;
    for (uint32_t count; slice_demand_order(at->demand, &count), at->nodes < count;) {
        uint32_t node = slice_demand_order(at->demand, &count)[at->nodes++];
        const Instr *instr = &at->variables.func->nodes.at[node];
        Sym symbol = instr_symbol(instr);
        if (symbol.i != NO_ID && (relies || callee_of(program, instr) == NO_ID))
            expose(program, symbol);
        if (is_unknown(program, instr) || (relies && is_by_address(instr))) demand_all(program);
    }
}

// ---- Reaching

// Marks the functions that a run from a function may come to.
static Bits functions_from(ProgramDemand *program, Sym start) {
    Bits found = bits_new(program->arena, program->program->symbols.count);
    VEC(uint32_t) work = {0};
    vec_push(program->arena, &work, start.i);
    bool outside = false;
    while (work.count) {
        uint32_t symbol = vec_pop(&work);
        const Func *func = body_at(program, symbol);
        if (!func || !bits_put(&found, symbol)) continue;
        for (uint32_t n = 0; n < func->nodes.count; n++) {
            const Instr *instr = &func->nodes.at[n];
            uint32_t callee = callee_of(program, instr);
            if (callee != NO_ID) vec_push(program->arena, &work, callee);
            if (outside || !(is_by_address(instr) || is_outside(program, instr))) continue;
            outside = true;
            for (uint32_t s = 0; s < program->address_taken.size; s++)
                if (bits_has(&program->address_taken, s)) vec_push(program->arena, &work, s);
        }
    }
    return found;
}

// The calls in some functions, by whom they are of: row s has those of function s, the last one
// those by address and of functions outside.
typedef struct {
    uint32_t *at;
    KeptCall *sites;
} CallRows;

static uint32_t row_of(const ProgramDemand *program, const Instr *instr) {
    uint32_t callee = callee_of(program, instr);
    if (callee != NO_ID) return callee;
    bool others = is_by_address(instr) || is_outside(program, instr);
    return others ? program->program->symbols.count : NO_ID;
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
                    rows.sites[at[row + 1]++] = (KeptCall){{s}, {n}};
                else
                    at[row + 2]++;
            }
        }
        if (fill) break;
        for (uint32_t s = 0; s <= count; s++) at[s + 2] += at[s + 1];
        rows.sites = ARENA_ARRAY(program->arena, KeptCall, at[count + 2]);
    }
    return rows;
}

// Whether a call of the last row may be of a function.
static bool may_be_of(const ProgramDemand *program, KeptCall site, uint32_t callee) {
    const Instr *call = func_at(body_at(program, site.caller.i), site.call);
    if (!is_by_address(call)) return true;
    return slice_call_fits(program->program, (Sig){call->aux}, (Sym){callee});
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
        // whose address is taken is perhaps called by any of the last row that fits
        uint32_t row[2] = {callee, from.size};
        for (uint32_t i = 0; i < 1u + bits_has(&program->address_taken, callee); i++)
            for (uint32_t k = rows.at[row[i]]; k < rows.at[row[i] + 1]; k++) {
                KeptCall site = rows.sites[k];
                if (i && !may_be_of(program, site, callee)) continue;
                begin(program, site.caller);
                FunctionDemand *at = &program->functions[site.caller.i];
                if (at->demand) {
                    slice_demand_node(at->demand, site.call);
                    wait_for(program, site.caller);
                }
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
            call_is_kept(program, (KeptCall){function, event.call}, at->variables.func);
        else
            output_is_needed(program, at, event);
    }
}

void program_demand_close(ProgramDemand *program) {
    program->closed = true;
    while (program->waiting.count) {
        Sym function = vec_pop(&program->waiting);
        FunctionDemand *at = &program->functions[function.i];
        at->waiting = false;
        if (!at->demand) continue;
        slice_demand_close(at->demand);
        look_at_calls(program, function);
        look_at_mentions(program, function);
        grow_needs(program, function, needs_of(at));
    }
}

SliceExtent program_demand_extent(const ProgramDemand *program, Sym function) {
    return program->functions[function.i].extent;
}

SliceContract program_demand_contract(const ProgramDemand *program, Sym function) {
    return program->functions[function.i].contract;
}

bool program_demand_site(const ProgramDemand *program, Sym function, Sym *caller, Node *call) {
    const FunctionDemand *at = &program->functions[function.i];
    if (at->criterion || !at->sites.count) return false;
    *caller = at->sites.at[0].caller;
    *call = at->sites.at[0].call;
    return true;
}
