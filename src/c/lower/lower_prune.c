// Leaving out what a program does not need: symbols that neither have to be there (exported, marked
// as used, run at start or end) nor are mentioned by one that stays. Headers declare and define
// much that a unit never uses.
#include "c/lower/lower_private.h"

#include "base/bits.h"

typedef struct {
    const Lower *lower;
    Program *program;
    Bits kept;
    Arena *scratch;
    VEC(uint32_t) work;
    const OwnedObject *owned; // objects that functions keep, objects of one function together
    uint32_t owned_count;
    uint32_t *first_owned; // symbol -> its first one, or NO_ID
} Prune;

static void keep(Prune *prune, uint32_t symbol) {
    if (bits_put(&prune->kept, symbol)) vec_push(prune->scratch, &prune->work, symbol);
}

static bool mentions_symbol(const Instr *instr) {
    if (instr->kind == I_CALL) return instr->ref != NO_ID;
    if (instr->kind == I_OP) return instr->op == OP_ADDR_SYMBOL;
    return instr_has_address(instr) && instr->base == BASE_SYMBOL;
}

// Whether a signature is the signature of a function, with further arguments.
static bool has_extra_arguments(const SigInfo *call, const SigInfo *function) {
    if (call->variadic || function->variadic || call->result.i != function->result.i ||
        call->param_count <= function->param_count)
        return false;
    for (uint32_t i = 0; i < function->param_count; i++)
        if (call->params[i].i != function->params[i].i) return false;
    return true;
}

// A call without a prototype may pass more than the function takes. What is too much is dropped, as
// it has no effect, unless another function may be called in the end. The address of an aggregate
// result comes last and stays.
static void drop_extra_arguments(Prune *prune, Func *func, Node node) {
    const Instr *call = func_at(func, node);
    const Symbol *callee = program_at(prune->program, (Sym){call->ref});
    if (!callee->func || symbol_is_replaceable(callee) || call->aux == callee->sig.i) return;
    const SigInfo *have = program_sig_info(prune->program, (Sig){call->aux});
    const SigInfo *want = program_sig_info(prune->program, callee->sig);
    if (!has_extra_arguments(have, want)) return;
    uint32_t given = call->arg_count, kept = given - (have->param_count - want->param_count);
    Reg *args = arena_copy(prune->scratch, instr_args(func, call), given * sizeof(Reg));
    if (given > have->param_count) args[kept - 1] = args[given - 1];
    func->nodes.at[node.i].aux = callee->sig.i;
    func_set_args(func, node, args, kept);
}

static bool is_asm(const Instr *instr) {
    return instr->kind == I_BUILTIN && builtin_info(instr->op)->form == BIF_ASM;
}

// The name in the text is the only mention that anybody sees later on.
static void keep_in_asm(Prune *prune, uint32_t statement) {
    const Lower *lower = prune->lower;
    for (uint32_t i = map_get(&lower->mentions_of, statement); i != HASH_NONE;
         i = lower->mentions.at[i].next) {
        keep(prune, lower->mentions.at[i].symbol.i);
        program_at(prune->program, lower->mentions.at[i].symbol)->flags |= SYMF_USED;
    }
}

static void keep_mentioned(Prune *prune, const Symbol *symbol) {
    if (symbol->alias.i != NO_ID) keep(prune, symbol->alias.i);
    for (uint32_t i = 0; i < symbol->data.count; i++)
        if (symbol->data.at[i].kind == DATA_ADDR) keep(prune, symbol->data.at[i].symbol.i);
    Func *func = (Func *)symbol->func;
    for (uint32_t n = 0; func && n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (is_asm(instr)) keep_in_asm(prune, (uint32_t)instr->imm);
        if (!mentions_symbol(instr)) continue;
        keep(prune, instr->ref);
        if (instr->kind == I_CALL) drop_extra_arguments(prune, func, (Node){n});
    }
}

// An object of a block that is marked as used stays if its function does.
static void keep_owned(Prune *prune, uint32_t function) {
    for (uint32_t i = prune->first_owned[function];
         i < prune->owned_count && prune->owned[i].function.i == function; i++)
        keep(prune, prune->owned[i].object.i);
}

static void find_roots(Prune *prune) {
    uint32_t count = prune->program->symbols.count;
    Bits owned = bits_new(prune->scratch, count);
    prune->first_owned = ARENA_ARRAY(prune->scratch, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) prune->first_owned[i] = NO_ID;
    for (uint32_t i = prune->owned_count; i-- > 0;) {
        bits_add(&owned, prune->owned[i].object.i);
        prune->first_owned[prune->owned[i].function.i] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        if (symbol_is_root(&prune->program->symbols.at[i]) && !bits_has(&owned, i)) keep(prune, i);
    const Units *units = prune->lower->units; // whoever asks for these may want any function
    for (uint32_t i = 0; units && i < units->functions.count; i++)
        if (units->functions.at[i].symbol.i != NO_ID) keep(prune, units->functions.at[i].symbol.i);
}

// Which asm statements can be reached in functions that stay.
static uint32_t *find_asms(const Prune *prune) {
    const Program *program = prune->program;
    uint32_t *used = ARENA_ARRAY(prune->scratch, uint32_t, (size_t)program->asms.count + 1);
    for (uint32_t i = 0; i < program->symbols.count && program->asms.count; i++) {
        const Func *func = bits_has(&prune->kept, i) ? program->symbols.at[i].func : NULL;
        for (uint32_t n = 0; func && n < func->nodes.count; n++)
            if (is_asm(&func->nodes.at[n])) used[func->nodes.at[n].imm] = true;
    }
    return used;
}

// The others go; those that stay keep their order.
static void drop_asms(Prune *prune, uint32_t *used) {
    Program *program = prune->program;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < program->asms.count; i++) {
        if (!used[i]) continue;
        program->asms.at[kept] = program->asms.at[i];
        used[i] = kept++;
    }
    if (kept == program->asms.count) return;
    program->asms.count = kept;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        for (uint32_t n = 0; func && n < func->nodes.count; n++) {
            Instr *instr = &func->nodes.at[n];
            if (is_asm(instr)) instr->imm = used[instr->imm];
        }
    }
}

static void report_late_errors(Lower *lower, const Prune *prune, const uint32_t *asms) {
    for (uint32_t i = 0; i < lower->late_errors.count; i++) {
        const LateError *error = &lower->late_errors.at[i];
        bool reached = error->statement == NO_ID || asms[error->statement];
        if (reached && (error->function.i == NO_ID || bits_has(&prune->kept, error->function.i)))
            pp_report(lower->pp, DIAG_ERROR, NULL, error->pos, 1, "%s", error->message);
    }
}

// Functions belong to lowering until the program is handed out, so they may still be changed.
static void renumber(Symbol *symbol, const uint32_t *number) {
    if (symbol->alias.i != NO_ID) symbol->alias.i = number[symbol->alias.i];
    for (uint32_t i = 0; i < symbol->data.count; i++)
        if (symbol->data.at[i].kind == DATA_ADDR)
            symbol->data.at[i].symbol.i = number[symbol->data.at[i].symbol.i];
    Func *func = (Func *)symbol->func;
    if (!func) return;
    func->symbol.i = number[func->symbol.i];
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (mentions_symbol(&func->nodes.at[n]))
            func->nodes.at[n].ref = number[func->nodes.at[n].ref];
}

static void renumber_order(SourceOrder *order, const Bits *kept, const uint32_t *number) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < order->places.count; i++) {
        SourcePlace place = order->places.at[i];
        bool is_symbol = place.symbol.i != NO_ID;
        if (is_symbol && !bits_has(kept, place.symbol.i)) continue;
        if (is_symbol) place.symbol.i = number[place.symbol.i];
        order->places.at[count++] = place;
    }
    order->places.count = count;
}

static void drop_symbols(Prune *prune) {
    Program *program = prune->program;
    uint32_t count = program->symbols.count, kept = 0;
    uint32_t *number = ARENA_ARRAY(prune->scratch, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (bits_has(&prune->kept, i)) number[i] = kept++;
    if (kept == count) return;
    program->symbol_of_name = (Map){0};
    for (uint32_t i = 0; i < count; i++) {
        if (!bits_has(&prune->kept, i)) continue;
        Symbol *symbol = &program->symbols.at[number[i]];
        *symbol = program->symbols.at[i];
        renumber(symbol, number);
        map_set(program->arena, &program->symbol_of_name, symbol->name.i, number[i]);
    }
    program->symbols.count = kept;
    if (prune->lower->order) renumber_order(prune->lower->order, &prune->kept, number);
    if (prune->lower->units) units_renumber(prune->lower->units, &prune->kept, number);
}

void lower_prune(Lower *lower) {
    Program *program = lower->program;
    Prune prune = {.lower = lower,
                   .program = program,
                   .scratch = lower->scratch,
                   .kept = bits_new(lower->scratch, program->symbols.count),
                   .owned = lower->owned.at,
                   .owned_count = lower->owned.count};
    find_roots(&prune);
    while (prune.work.count) {
        uint32_t symbol = vec_pop(&prune.work);
        keep_mentioned(&prune, &program->symbols.at[symbol]);
        keep_owned(&prune, symbol);
    }
    uint32_t *asms = find_asms(&prune);
    report_late_errors(lower, &prune, asms);
    drop_symbols(&prune);
    drop_asms(&prune, asms);
}
