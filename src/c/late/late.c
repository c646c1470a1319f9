// The walk that answers the questions of late.h, callees first.
//
// If some questions of a function have no answer yet, and its calls can be replaced, the function
// is offered as a body with the questions in it; in the function itself the answer is then "not
// known". always_inline functions are replaced wherever they are called; others only if they are
// small. The checker of inline_calls checks the replacement, except for functions that pass on
// their variable arguments, which have no meaning before the replacement.
//
// Calls in copies are replaced in turn: more is known of a copied function's variable arguments.
// The replacement ends, since no body is copied into a copy of itself. Functions that call each
// other could still give a number of copies that is exponential in the number of functions: calls
// in copies are replaced only up to MOST_GROWTH nodes, unless a function must be replaced.
#include "c/late/late.h"

#include "analysis/call_graph.h"
#include "check/checkers.h"
#include "pipeline/transforms.h"

#include <string.h>

// The findings about a call.
typedef struct {
    bool seen;  // it can be reached
    bool known; // the answer is `value`
    bool computable;
    bool has_limit; // else it is `value` at most or at least
    int64_t value;
    uint32_t args; // of calls of checked functions: index of what is known of the arguments
} Answer;

typedef struct {
    Late *late;
    LateFacts facts;
    Answer *of; // by node of the function
    VEC(KnownRegister) args;
} Answers;

static bool is_question(const Late *late, const Instr *instr) {
    return late_kind(late->lower, instr) < LATE_COUNT || late_is_checked(late->lower, instr);
}

// ---- Replacing calls

static bool may_be_offered(const Late *late, const Symbol *symbol, const Func *func,
                           bool waits_for_asm) {
    enum { SMALL = 60 };
    if (symbol->flags & SYMF_ALWAYS_INLINE) return true;
    if (late->lower->all_in_memory) return false;
    return waits_for_asm || func->nodes.count <= SMALL;
}

// The name of a function in the source.
static const char *source_name(const Late *late, const Func *func) {
    const char *name = func_name(func);
    size_t length = strlen(name), ending = strlen(".inline");
    if (length > ending && strcmp(name + length - ending, ".inline") == 0) length -= ending;
    return arena_text(late->lower->arena, name, length);
}

// The places of a copy of a copy: the places of the copy, then this one.
static uint32_t copy_inside(const Late *late, uint32_t inner, uint32_t copy) {
    CallNotes *notes = late->lower->notes;
    CopyNote place = notes->copies.at[inner];
    place.outer = place.outer == NO_ID ? copy : copy_inside(late, place.outer, copy);
    vec_push(late->lower->arena, &notes->copies, place);
    return notes->copies.count - 1;
}

// Copies of calls that have notes get notes of their own, with their places.
static void note_copies(Late *late, const Func *before, const CopiesHint *hint) {
    CallNotes *notes = late->lower->notes;
    Arena *arena = late->lower->arena;
    for (uint32_t i = 0; notes && notes->calls.count && i < hint->sites.count; i++) {
        Func *func = late->func;
        Node site = hint->sites.at[i];
        uint32_t n = func_at(func, site)->succ[0].i, copy = NO_ID;
        uint32_t end = i + 1 < hint->sites.count ? func_at(func, hint->sites.at[i + 1])->succ[0].i
                                                 : func->nodes.count;
        for (; n < end; n++) {
            Instr *instr = &func->nodes.at[n];
            uint32_t known =
                instr->kind == I_CALL ? map_get(&notes->of_loc, instr->loc) : HASH_NONE;
            if (known == HASH_NONE) continue;
            if (copy == NO_ID) {
                copy = notes->copies.count;
                vec_push(arena, &notes->copies,
                         (CopyNote){.into = source_name(late, before),
                                    .loc = func_at(before, site)->loc,
                                    .outer = NO_ID});
            }
            CallNote note = notes->calls.at[known];
            note.loc = lower_location_like(late->lower, instr->loc);
            note.outer = note.outer == NO_ID ? copy : copy_inside(late, note.outer, copy);
            instr->loc = note.loc;
            map_set(arena, &notes->of_loc, note.loc, notes->calls.count);
            vec_push(arena, &notes->calls, note);
        }
    }
}

// Calls that are to be replaced, and their callees.
typedef struct {
    CopiesHint hint;
    VEC(Sym) callees;
} Sites;

static void add_site(Late *late, Sites *sites, Node node, Sym callee) {
    vec_push(late->scratch, &sites->hint.sites, node);
    vec_push(late->scratch, &sites->callees, callee);
}

// Whether a call of a function is in the function itself or in a copy of it.
static bool is_recursive(const Late *late, Node call, Sym callee) {
    uint32_t copy = late->copy_of.at[call.i];
    while (copy != NO_ID && late->copies.at[copy].callee.i != callee.i)
        copy = late->copies.at[copy].outer;
    return copy != NO_ID || callee.i == late->func->symbol.i;
}

// The nodes of each copy follow the nodes of the previous copy, behind the function's own.
static void remember_copies(Late *late, const Sites *sites) {
    for (uint32_t i = 0; i < sites->callees.count; i++) {
        Node site = sites->hint.sites.at[i];
        uint32_t end = i + 1 < sites->callees.count
                           ? func_at(late->func, sites->hint.sites.at[i + 1])->succ[0].i
                           : late->func->nodes.count;
        LateCopy copy = {.callee = sites->callees.at[i], .outer = late->copy_of.at[site.i]};
        vec_push(late->scratch, &late->copies, copy);
        while (late->copy_of.count < end)
            vec_push(late->scratch, &late->copy_of, late->copies.count - 1);
    }
}

static bool replace(Late *late, Sites *sites, bool checked) {
    const Func *func = late->func;
    CopiesHint *hint = &sites->hint;
    if (!hint->sites.count) return false;
    Func *result = inline_sites(late->program->arena, &late->bodies, func, hint);
    if (checked && !check_copies(late->scratch, &late->bodies, func, result, hint).accepted)
        return false;
    late->func = result;
    note_copies(late, func, hint);
    remember_copies(late, sites);
    asm_number_copies(late, func->nodes.count);
    return true;
}

// Calls of functions that have a body on offer. The function had `own` nodes before anything was
// replaced.
static bool replace_plain(Late *late, uint32_t own) {
    enum { MOST_GROWTH = 4000 };
    const Func *func = late->func;
    LateOrigins origins = {0};
    Sites sites = {0};
    uint64_t growth = func->nodes.count - own;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *call = &func->nodes.at[n];
        if (call->kind != I_CALL || call->ref == NO_ID) continue;
        Sym callee = {call->ref};
        const Func *body = body_of(&late->bodies, callee).rtl;
        if (!body || call->aux != body->sig.i || call->succ_count != 1 ||
            is_recursive(late, (Node){n}, callee))
            continue;
        bool demanded = program_at(late->program, callee)->flags & SYMF_ALWAYS_INLINE;
        if (!demanded && late->copy_of.at[n] != NO_ID && growth > MOST_GROWTH) continue;
        if (late->open[callee.i]) {
            if (!origins.func) origins = late_origins(late->scratch, late->lower, func);
            if (growth > MOST_GROWTH || !late_is_closed(&origins, call, late->open[callee.i]))
                continue;
        }
        growth += body->nodes.count;
        add_site(late, &sites, (Node){n}, callee);
    }
    return replace(late, &sites, true);
}

// A number like that of a symbol, for a body that is good for one call.
static uint32_t add_body(Late *late, const Func *body) {
    Bodies *bodies = &late->bodies;
    if (bodies->count == late->capacity) {
        OfferedBody *old = bodies->of;
        late->capacity = 2 * late->capacity + 16;
        bodies->of = ARENA_ARRAY(late->lower->scratch, OfferedBody, late->capacity);
        for (uint32_t i = 0; i < bodies->count; i++) bodies->of[i] = old[i];
    }
    bodies->of[bodies->count] = (OfferedBody){.rtl = body};
    return bodies->count++;
}

// Calls of functions that pass on their variable arguments. A call that itself gets such arguments
// waits: only where the surrounding function is called do these have a number and types.
static bool replace_packs(Late *late) {
    Sites sites = {0};
    Bits open = late_packs(late->lower, late->scratch, late->func);
    uint32_t symbols = late->symbols;
    for (uint32_t n = 0; n < late->func->nodes.count; n++) {
        Instr *call = &late->func->nodes.at[n];
        if (call->kind != I_CALL || call->ref >= symbols || !late->packs[call->ref] ||
            is_recursive(late, (Node){n}, (Sym){call->ref}) || call->succ_count != 1 ||
            late_passes_pack(late->func, &open, call))
            continue;
        Sym callee = {call->ref};
        const SigInfo *sig = program_sig_info(late->program, (Sig){call->aux});
        const Func *body = late_specialize(late->lower, late->scratch, late->packs[call->ref], sig);
        if (!body) continue;
        call->ref = add_body(late, body);
        call->aux = body->sig.i;
        add_site(late, &sites, (Node){n}, callee);
    }
    bool any = replace(late, &sites, false);
    late->bodies.count = symbols;
    return any;
}

// ---- Answers

static void answer_size(Answers *answers, LateKind kind, Reg pointer, Answer *answer) {
    LateFacts *facts = &answers->facts;
    bool dynamic = kind >= LATE_DYNAMIC;
    uint32_t which = dynamic ? kind - LATE_DYNAMIC : kind - LATE_SIZE;
    PointerSize size = late_size(facts, pointer, which);
    answer->has_limit = size.state == SIZE_KNOWN;
    answer->value = size.bytes;
    if (!dynamic) {
        answer->known = answer->has_limit;
        return;
    }
    PointerSize other = late_size(facts, pointer, which ^ 2);
    answer->known = answer->has_limit && other.state == SIZE_KNOWN && other.bytes == size.bytes;
    answer->computable = !answer->known && late_is_computable(facts, pointer, which);
}

// Copies that the normal form has made of a node have to agree.
static void note_answer(Answers *answers, const Instr *call, Answer found) {
    Answer *answer = &answers->of[call->imm - 1];
    found.args = answer->args;
    if (!answer->seen) {
        *answer = found;
        answer->seen = true;
    } else if (answer->known != found.known || answer->has_limit != found.has_limit ||
               answer->value != found.value || answer->computable != found.computable) {
        answer->known = answer->has_limit = answer->computable = false;
    }
}

static void note_arguments(Answers *answers, const Instr *call) {
    const Func *ssa = answers->facts.ssa;
    Answer *answer = &answers->of[call->imm - 1];
    if (answer->seen) {
        for (uint32_t i = 0; i < call->arg_count; i++) {
            KnownRegister *first = &answers->args.at[answer->args + i];
            const KnownRegister *other = &answers->facts.known[instr_args(ssa, call)[i].i];
            first->known &=
                other->known && first->value == other->value && first->symbol.i == other->symbol.i;
        }
        return;
    }
    answer->seen = true;
    answer->args = answers->args.count;
    for (uint32_t i = 0; i < call->arg_count; i++)
        vec_push(answers->facts.arena, &answers->args,
                 answers->facts.known[instr_args(ssa, call)[i].i]);
}

static void find_sizes(Answers *answers) {
    LateFacts *facts = &answers->facts;
    const Func *ssa = facts->ssa;
    KnownRegister *known = ARENA_ARRAY(facts->arena, KnownRegister, (size_t)ssa->regs.count + 1);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        LateKind kind = late_kind(facts->lower, instr);
        if (kind >= LATE_CONSTANT) continue;
        Answer answer = {0};
        answer_size(answers, kind, instr_args(ssa, instr)[0], &answer);
        note_answer(answers, instr, answer);
        if (instr->dest.i != NO_ID)
            known[instr->dest.i] =
                (KnownRegister){.known = answer.known, .symbol = NO_SYM, .value = answer.value};
    }
    facts->known = late_known(facts, known);
}

static void find_constants(Answers *answers) {
    const Func *ssa = answers->facts.ssa;
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        LateKind kind = late_kind(answers->facts.lower, instr);
        if (late_is_checked(answers->facts.lower, instr)) note_arguments(answers, instr);
        if (kind != LATE_CONSTANT && kind != LATE_CONSTANT_64) continue;
        const KnownRegister *value = &answers->facts.known[instr_args(ssa, instr)[0].i];
        Answer answer = {.known = value->known && value->symbol.i == NO_ID, .value = 1};
        note_answer(answers, instr, answer);
    }
}

// Nodes of the SSA form are known by the number of the node they come from.
static void number_calls(Func *func, bool on) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_CALL) func->nodes.at[n].imm = on ? n + 1 : 0;
}

// The function in SSA form with constants propagated, until the next function is looked at.
static LateFacts facts_of(Late *late) {
    static const PassId way[] = {PASS_split_slots, PASS_normalize, PASS_ssa_build, PASS_copy_prop,
                                 PASS_sccp,        PASS_tidy,      PASS_copy_prop};
    Arena *arena = late->scratch;
    number_calls(late->func, true);
    const Func *ssa = pipeline_look(late->pipeline, late->func, way, sizeof way / sizeof *way);
    LateFacts facts = {
        .lower = late->lower, .arena = arena, .ssa = ssa, .preds = preds_of(arena, ssa)};
    facts.known = late_known(&facts, NULL);
    return facts;
}

static Answers find_answers(Late *late) {
    uint32_t count = late->func->nodes.count;
    Answers answers = {.late = late, .of = ARENA_ARRAY(late->scratch, Answer, (size_t)count + 1)};
    answers.facts = facts_of(late);
    find_sizes(&answers);
    find_constants(&answers);
    return answers;
}

// ---- Putting them in

void late_put_constant(Func *func, Node node, int64_t value) {
    const Instr *call = func_at(func, node);
    Instr instr = {.kind = I_NOP, .dest = NO_REG, .loc = call->loc};
    if (call->dest.i != NO_ID) {
        bool wide = reg_type(func, call->dest) == TYPE_I64;
        instr.kind = I_OP;
        instr.op = wide ? OP_CONST_I64 : OP_CONST_I32;
        instr.dest = call->dest;
        instr.imm = value;
    }
    instr.succ_count = 1;
    instr.succ[0] = call->succ[0];
    func->nodes.at[node.i] = instr;
}

// A pointer that was marked is the pointer.
static void drop_mark(Func *func, Node node) {
    const Instr call = *func_at(func, node);
    func->nodes.at[node.i] = (Instr){.kind = I_OP,
                                     .op = OP_MOVE_I64,
                                     .dest = call.dest,
                                     .arg_count = 1,
                                     .arg = {instr_args(func, &call)[0]},
                                     .succ_count = 1,
                                     .succ = {call.succ[0]},
                                     .loc = call.loc};
}

// Puts the final answers. Whether there are questions left.
static bool put_answers(Late *late, const Answers *answers) {
    Func *func = late->func;
    DynamicQuestions dynamic = {0};
    uint32_t count = func->nodes.count;
    bool left = false;
    for (uint32_t n = 0; n < count; n++) {
        LateKind kind = late_kind(late->lower, &func->nodes.at[n]);
        const Answer *answer = &answers->of[n];
        if (kind >= LATE_SUBOBJECT) {
            left |= kind == LATE_PACK || kind == LATE_PACK_LEN;
            continue;
        }
        if (!answer->seen)
            late_put_constant(func, (Node){n}, kind < LATE_CONSTANT && !(kind & 2) ? -1 : 0);
        else if (answer->known)
            late_put_constant(func, (Node){n}, answer->value);
        else if (answer->computable)
            vec_push(late->scratch, &dynamic,
                     (DynamicQuestion){.node = {n}, .kind = kind - LATE_DYNAMIC});
        else
            left = true;
    }
    if (dynamic.count) late_answer_dynamic(late->scratch, late->lower, func, &dynamic);
    return left;
}

static void report_pack(Late *late) {
    Lower *lower = late->lower;
    Pos pos = 0;
    for (uint32_t i = 0; i < lower->packing.count; i++)
        if (lower->packing.at[i].function.i == late->func->symbol.i) pos = lower->packing.at[i].pos;
    vec_push(lower->arena, &lower->late_errors,
             (LateError){.function = late->func->symbol,
                         .statement = NO_ID,
                         .pos = pos,
                         .message = "invalid use of '__builtin_va_arg_pack ()'"});
}

static Bits read_registers(Arena *arena, const Func *func) {
    Bits read = bits_new(arena, func->regs.count);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].arg_count; k++)
            bits_add(&read, instr_args(func, &func->nodes.at[n])[k].i);
    return read;
}

// Unknown answers are "not known", and pointers to members are pointers.
static void finish(Late *late, const Answers *answers, uint32_t answered) {
    Func *func = late->func;
    uint32_t count = func->nodes.count;
    bool packs = false;
    Bits read = read_registers(late->scratch, func);
    for (uint32_t n = 0; n < count; n++) {
        LateKind kind = late_kind(late->lower, &func->nodes.at[n]);
        const Answer *answer = n < answered ? &answers->of[n] : NULL;
        if (kind == LATE_SUBOBJECT || kind == LATE_OPEN || kind == LATE_PARAMETER) {
            drop_mark(func, (Node){n});
        } else if (kind < LATE_CONSTANT) {
            bool limit = answer && answer->has_limit;
            late_put_constant(func, (Node){n}, limit ? answer->value : (kind & 2) ? 0 : -1);
        } else if (kind < LATE_COUNT) {
            packs |= kind == LATE_PACK || kind == LATE_PACK_LEN;
            late_put_constant(func, (Node){n}, 0);
        } else if (answer && answer->seen && late_is_checked(late->lower, &func->nodes.at[n])) {
            late_fold_call(late->lower, func, (Node){n}, answers->args.at + answer->args, &read);
        }
    }
    if (packs) report_pack(late);
}

static bool asks(const Late *late, bool *asm_too) {
    bool any = false;
    for (uint32_t n = 0; n < late->func->nodes.count; n++) {
        any |= is_question(late, &late->func->nodes.at[n]);
        *asm_too |= asm_is_late(late, &late->func->nodes.at[n]);
    }
    return any || *asm_too;
}

static bool is_packing(const Late *late) {
    for (uint32_t n = 0; n < late->func->nodes.count; n++) {
        LateKind kind = late_kind(late->lower, &late->func->nodes.at[n]);
        if (kind == LATE_PACK || kind == LATE_PACK_LEN) return true;
    }
    return false;
}

// Where a body is copied to, there are arguments: what was said of parameters does not count.
static void forget_parameters(const Late *late, Func *body) {
    for (uint32_t n = 0; n < body->nodes.count; n++)
        if (late_kind(late->lower, &body->nodes.at[n]) == LATE_PARAMETER)
            drop_mark(body, (Node){n});
}

// Offers the function with its questions, which are then left open in it.
static void offer(Late *late, Sym sym) {
    const Symbol *symbol = program_at(late->program, sym);
    Func *body = late->func;
    if (is_packing(late)) {
        if (symbol->flags & SYMF_ALWAYS_INLINE) late->packs[sym.i] = late->func;
    } else if (inline_is_possible(late->program, symbol)) {
        late->bodies.of[sym.i].rtl = late->func;
    } else {
        return;
    }
    late->func = func_clone(body, late->program->arena);
    forget_parameters(late, body);
    asm_number_copies(late, 0);
}

// Whether the operands of all asm statements are known, with the answers that there are now.
static bool settle_asm(Late *late) {
    LateFacts facts = facts_of(late);
    asm_find_values(late, &facts);
    return asm_settle(late);
}

// Questions first: they may be asked so that an asm statement is reached only with constants.
static void answer_all(Late *late, Sym sym, bool waits) {
    Answers answers = find_answers(late);
    uint32_t answered = late->func->nodes.count;
    bool left = put_answers(late, &answers), open = waits && !settle_asm(late);
    Symbol *symbol = program_at(late->program, sym);
    symbol->func = late->func;
    if ((left || open) && may_be_offered(late, symbol, late->func, open)) offer(late, sym);
    finish(late, &answers, answered);
    if (open && !settle_asm(late)) asm_report_late(late);
}

// Offers a small function for calls that tell what calls of the library in it wait for.
static void offer_library(Late *late, Sym sym) {
    enum { SMALL = 60 };
    const Symbol *symbol = program_at(late->program, sym);
    Func *func = late->func;
    if (late->bodies.of[sym.i].rtl || func->nodes.count > SMALL ||
        !inline_is_possible(late->program, symbol))
        return;
    LateOrigins origins = late_origins(late->scratch, late->lower, func);
    late->open[sym.i] = late_open_parameters(&origins);
    if (!late->open[sym.i]) return;
    late->bodies.of[sym.i].rtl = func;
    late->func = func_clone(func, late->program->arena);
}

static void settle_function(Late *late, Sym sym) {
    late->scratch = arena_new("late answers");
    late->func = (Func *)program_at(late->program, sym)->func;
    uint32_t own = late->func->nodes.count;
    late->copies = (LateCopies){0};
    late->copy_of = (CopyOfNodes){0};
    for (uint32_t n = 0; n < own; n++) vec_push(late->scratch, &late->copy_of, NO_ID);
    for (bool more = true; more;) {
        more = replace_plain(late, own);
        more |= replace_packs(late);
    }
    bool waits = false;
    if (asks(late, &waits)) answer_all(late, sym, waits);
    if (late_uses_library(late->lower, late->func)) {
        number_calls(late->func, false);
        offer_library(late, sym);
        late_fold_library(late->scratch, late->lower, late->func);
    }
    number_calls(late->func, false);
    program_at(late->program, sym)->func = late->func;
    arena_free(late->scratch);
}

void lower_late_answers(Lower *lower) {
    const Program *program = lower->program;
    bool any = lower->has_late || lower->late_asms.count || lower->library.count;
    for (uint32_t i = 0; i < program->symbols.count && !any; i++)
        any = late_is_checked(lower, &(Instr){.kind = I_CALL, .ref = i});
    if (!any) return;
    Late late = {.lower = lower, .program = lower->program};
    arena_reset(lower->scratch);
    CallGraph graph = call_graph_of(lower->scratch, lower->program);
    // Folding may add symbols.
    late.symbols = late.capacity = program->symbols.count;
    late.bodies = bodies_new(lower->scratch, lower->program);
    late.open = ARENA_ARRAY(lower->scratch, uint64_t, (size_t)program->symbols.count + 1);
    late.packs = ARENA_ARRAY(lower->scratch, const Func *, (size_t)program->symbols.count + 1);
    Pipeline pipeline;
    Diag unseen; // no pass is checked, so that none is rejected
    diag_init(&unseen, lower->scratch, NULL);
    pipeline_init(&pipeline, lower->scratch, transform_table, &unseen);
    pipeline.check = CHECK_OFF;
    late.pipeline = &pipeline;
    for (uint32_t i = 0; i < graph.order.count; i++) settle_function(&late, graph.order.at[i]);
    pipeline_free(&pipeline);
    diag_free(&unseen);
}
