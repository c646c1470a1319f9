// Warnings that need the flow of a function. The pipeline brings each function into SSA form for
// these warnings alone, always with the same steps: warnings must not depend on which optimizations
// run.
#include "c/compile/function_warnings.h"

#include "analysis/conditions/value_mistakes.h"
#include "c/compile/condition_warnings.h"
#include "c/compile/limit_words.h"
#include "hint/hints_ssa.h"
#include "pipeline/transforms.h"

#include <ctype.h>
#include <string.h>

typedef VEC(Str) Names;

typedef struct {
    Pp *pp;
    const Program *program;
    const WarningPlaces *places;
    bool every_way; // -Wmaybe-uninitialized by its name: uses for which no condition is known, too
    bool zero;      // -Wdiv-by-zero by its name: divisors that are zero under a condition
    uint32_t first_place, place_count;         // of the function's variables in places->variables
    uint32_t first_subscript, subscript_count; // the same in places->subscripts
    Map place_of_name;                         // Str to index in places->functions
    Map variables_of_name;                     // Str to the first index in places->variables
    Map subscripts_of_name;                    // the same in places->subscripts
    const FunctionPlace *place; // of the function that is looked at; NULL if it is not known
    Arena *arena;               // for one function at a time
    // The variables of slots that have come into registers: register first_variable + i has the
    // name variables.at[i]; STR_NONE if it is a part of a variable.
    uint32_t first_variable;
    Names variables;
    VEC(Slot) slots; // whose they were
    const VariablePlace *
        *variable; // by register of SSA form: where its variable is declared; NULL if not known
} Warner;

static bool in_identifier(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

// The first mention of a name from a position on in its line; a place in the code is the place of
// an instruction, which may be an operator to the left of the name. The position itself if it is
// not mentioned.
static Pos place_of_name(Pp *pp, Pos pos, const char *name, uint32_t *length) {
    const Inclusion *in = pp_inclusion(pp, pos);
    *length = 1;
    if (!in || !*name) return pos;
    const char *text = in->file->text;
    uint32_t size = (uint32_t)strlen(name), end = pos - in->start;
    while (end < in->file->length && text[end] != '\n') end++;
    for (uint32_t at = pos - in->start; at < end && size <= end - at; at++) {
        if (at > 0 && in_identifier(text[at - 1])) continue;
        if (memcmp(text + at, name, size) != 0) continue;
        if (at + size < end && in_identifier(text[at + size])) continue;
        *length = size;
        return in->start + at;
    }
    return pos;
}

// A warning at a place of the program. `name` is what to mark there, or "".
static void warn(Warner *warner, Warning warning, uint32_t loc, const char *name,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

static Pos position_of(const Warner *warner, uint32_t loc) {
    const Loc *place = &warner->program->locs.at[loc];
    if (!loc) return 0;
    const char *file = program_text(warner->program, warner->program->files.at[place->file]);
    return pp_position(warner->pp, file, place->line, place->column);
}

static void report(Warner *warner, Severity severity, Warning warning, Pos pos, const char *name,
                   const char *text) {
    uint32_t length;
    Pos at = place_of_name(warner->pp, pos, name, &length);
    const char *option = severity == DIAG_NOTE ? NULL : warning_name(warning);
    pp_report(warner->pp, severity, option, at, length, "%s", text);
}

static void warn(Warner *warner, Warning warning, uint32_t loc, const char *name,
                 const char *format, ...) {
    if (!pp_might_warn(warner->pp, warning)) return;
    Out text = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&text, format, args);
    va_end(args);
    Pos pos = position_of(warner, loc);
    const Loc *place = &warner->program->locs.at[loc];
    if (loc && !pos)
        out_printf(&text, " at %s:%u:%u",
                   program_text(warner->program, warner->program->files.at[place->file]),
                   place->line, place->column);
    out_char(&text, '\0');
    report(warner, DIAG_WARNING, warning, pos, name, text.text);
    out_free(&text);
}

static void note(Warner *warner, uint32_t loc, const char *text) {
    Pos pos = position_of(warner, loc);
    if (pos) report(warner, DIAG_NOTE, WARN_COUNT, pos, "", text);
}

static void warn_uninitialized(Warner *warner, const Func *ssa, const UninitializedUse *use) {
    const char *name = program_text(warner->program, ssa->regs.at[use->reg.i].name);
    if (use->sometimes) return;
    warn(warner, WARN_UNINITIALIZED, func_at(ssa, use->node)->loc, name,
         "'%s' is used uninitialized", name);
}

// ---- Conditions

// What cannot be said in words is shown.
static void note_branches(Warner *warner, const Func *ssa, const ConditionFinding *found) {
    for (uint32_t i = 0; i < found->branch_count; i++)
        note(warner, func_at(ssa, found->branches[i])->loc, "which depends on what is asked here");
}

static void warn_maybe_uninitialized(Warner *warner, const Func *ssa,
                                     const ConditionFinding *found) {
    const char *name = program_text(warner->program, ssa->regs.at[found->reg.i].name);
    uint32_t loc = func_at(ssa, found->node)->loc;
    if (!pp_might_warn(warner->pp, WARN_MAYBE_UNINITIALIZED)) return;
    if (found->when)
        warn(warner, WARN_MAYBE_UNINITIALIZED, loc, name,
             "'%s' may be used uninitialized: it is%s %s", name,
             found->sufficient ? " at least" : "", found->when);
    else
        warn(warner, WARN_MAYBE_UNINITIALIZED, loc, name, "'%s' may be used uninitialized%s", name,
             found->known ? " on some paths" : "");
    note_branches(warner, ssa, found);
    const VariablePlace *place = warner->variable[found->reg.i];
    if (place && place->pos)
        report(warner, DIAG_NOTE, WARN_COUNT, place->pos, name,
               arena_printf(warner->arena, "'%s' was declared here", name));
}

static void warn_finding(Warner *warner, const Func *ssa, const ConditionFinding *found) {
    uint32_t loc = func_at(ssa, found->node)->loc;
    const char *name = program_text(warner->program, ssa->regs.at[found->reg.i].name);
    const char *least = found->sufficient ? " at least" : "";
    const char *when = found->when ? found->when : "on some paths";
    switch (found->kind) {
    case FOUND_UNINITIALIZED: warn_maybe_uninitialized(warner, ssa, found); return;
    case FOUND_NULL:
        warn(warner, WARN_NULL_DEREFERENCE, loc, name,
             *name ? "potential null pointer dereference: '%s' is null%s %s"
                   : "potential null pointer dereference%s:%s %s",
             name, least, when);
        note_branches(warner, ssa, found);
        return;
    case FOUND_ZERO:
        warn(warner, WARN_DIV_BY_ZERO, loc, name, "division by zero%s %s", least, when);
        note_branches(warner, ssa, found);
        return;
    }
}

// Where the variables of the function are declared, by its registers.
static void find_places(Warner *warner, const Func *ssa, const SsaHint *hint) {
    const VariablePlaces *places = &warner->places->variables;
    Map of_reg = {0}, of_slot = {0};
    for (uint32_t i = 0; i < warner->place_count; i++) {
        const VariablePlace *place = &places->at[warner->first_place + i];
        map_set(warner->arena, place->is_slot ? &of_slot : &of_reg, place->number, i);
    }
    warner->variable = ARENA_ARRAY(warner->arena, const VariablePlace *, ssa->regs.count);
    for (uint32_t r = 0; r < ssa->regs.count; r++) {
        uint32_t origin = hint->origin.at[r].i, found = map_get(&of_reg, origin);
        uint32_t in_slot = origin - warner->first_variable; // none if it wraps
        if (in_slot < warner->slots.count) found = map_get(&of_slot, warner->slots.at[in_slot].i);
        if (found != HASH_NONE) warner->variable[r] = &places->at[warner->first_place + found];
    }
}

static void warn_of_conditions(Warner *warner, const Func *ssa, const UninitializedFacts *facts) {
    bool null = pp_might_warn(warner->pp, WARN_NULL_DEREFERENCE);
    bool zero = warner->zero && pp_might_warn(warner->pp, WARN_DIV_BY_ZERO);
    if (!facts->all.count && !null && !zero) return;
    bool *is_unsigned = ARENA_ARRAY(warner->arena, bool, ssa->regs.count);
    uint32_t *line = ARENA_ARRAY(warner->arena, uint32_t, ssa->regs.count);
    for (uint32_t r = 0; r < ssa->regs.count; r++) {
        const VariablePlace *place = warner->variable[r];
        if (!place) continue;
        is_unsigned[r] = place->is_unsigned;
        line[r] = pp_presumed(warner->pp, place->pos).line;
    }
    ConditionRequest request = {
        .arena = warner->arena,
        .pp = warner->pp,
        .ssa = ssa,
        .is_unsigned = is_unsigned,
        .line = line,
        .uninitialized = pp_might_warn(warner->pp, WARN_MAYBE_UNINITIALIZED),
        .null = pp_might_warn(warner->pp, WARN_NULL_DEREFERENCE),
        .zero = warner->zero && pp_might_warn(warner->pp, WARN_DIV_BY_ZERO),
        .every_way = warner->every_way,
        .every_null = pp_warning_level(warner->pp, WARN_NULL_DEREFERENCE) >= 2};
    ConditionFindings found = find_conditions(&request, facts);
    for (uint32_t i = 0; i < found.count; i++) warn_finding(warner, ssa, &found.at[i]);
}

// ---- Flaws

static const char *source_name(const Warner *warner, const Func *ssa, bool is_slot, uint32_t id) {
    if (id == NO_ID) return "";
    Str name = is_slot ? ssa->slots.at[id].name : program_at(warner->program, (Sym){id})->name;
    const char *text = program_text(warner->program, name);
    return str_text(&warner->program->strings,
                    str_intern(&ssa->program->strings, text, strcspn(text, ".")));
}

static const char *callee_name(const Warner *warner, const Func *ssa, Node node) {
    const Instr *instr = func_at(ssa, node);
    return instr->ref == NO_ID ? ""
                               : program_text(warner->program,
                                              program_at(warner->program, (Sym){instr->ref})->name);
}

static const char *allocator_name(const Warner *warner, const Func *ssa,
                                  const LimitMistake *mistake) {
    const Instr *call = defining_instr(ssa, definitions_of(warner->arena, ssa), (Reg){mistake->id});
    return program_text(warner->program, program_at(warner->program, (Sym){call->ref})->name);
}

static void warn_string_short(Warner *warner, const Func *ssa, const Flaw *flaw, uint32_t loc) {
    const char *callee = callee_name(warner, ssa, flaw->node);
    const char *count = flaw->missing == 1 ? "one too many bytes"
                                           : arena_printf(warner->arena, "%lld bytes too many",
                                                          (long long)flaw->missing);
    warn(warner, WARN_STRINGOP_OVERFLOW, loc, callee,
         "'%s' writing %s into a region of a size that depends on 'strlen'", callee, count);
    note(warner, func_at(ssa, flaw->other)->loc, "allocated here");
}

static void warn_flaw(Warner *warner, const Func *ssa, const Flaw *flaw) {
    uint32_t loc = func_at(ssa, flaw->node)->loc;
    const char *name =
        source_name(warner, ssa, flaw->is_slot, flaw->is_slot ? flaw->slot.i : flaw->symbol.i);
    switch (flaw->kind) {
    case FLAW_NULL:
        warn(warner, WARN_NULL_DEREFERENCE, loc, "", "null pointer dereference");
        return;
    case FLAW_RETURNS_LOCAL:
        if (!warner->place || !warner->place->returns_pointer) return;
        warn(warner, WARN_RETURN_LOCAL_ADDR, loc, "return",
             "function returns address of local variable '%s'", name);
        return;
    case FLAW_USED_AFTER_FREE: {
        const char *pointer = program_text(warner->program, ssa->regs.at[flaw->reg.i].name);
        warn(warner, WARN_USE_AFTER_FREE, loc, pointer,
             *pointer ? "pointer '%s' used after '%s'" : "pointer%s used after '%s'", pointer,
             callee_name(warner, ssa, flaw->other));
        note(warner, func_at(ssa, flaw->other)->loc,
             arena_printf(warner->arena, "call to '%s' here",
                          callee_name(warner, ssa, flaw->other)));
        return;
    }
    case FLAW_STRING_SHORT: warn_string_short(warner, ssa, flaw, loc); return;
    case FLAW_ELEMENT:
        warn(warner, WARN_ARRAY_BOUNDS, loc, "",
             "access to the element behind the last that '%s' gave",
             callee_name(warner, ssa, flaw->other));
        note(warner, func_at(ssa, flaw->other)->loc, "allocated here");
        return;
    case FLAW_NOT_ALLOCATED: {
        const char *callee = callee_name(warner, ssa, flaw->node);
        warn(warner, WARN_FREE_NONHEAP, loc, callee, "'%s' called on unallocated object '%s'",
             callee, name);
        return;
    }
    case FLAW_MISMATCHED:
        warn(warner, WARN_MISMATCHED_DEALLOC, loc, "",
             "'%s' called on pointer returned from a mismatched allocation function",
             callee_name(warner, ssa, flaw->node));
        note(warner, func_at(ssa, flaw->other)->loc, "returned from here");
        return;
    case FLAW_RECURSION:
        if (warner->place)
            report(warner, DIAG_WARNING, WARN_INFINITE_RECURSION, warner->place->pos,
                   func_name(ssa), "infinite recursion detected");
        note(warner, loc, "recursive call");
        return;
    }
}

// ---- Limits

// What is found here at all; -Wreturn-local-addr and its kin are on by default, but not worth the
// time alone.
static bool is_wanted(const Pp *pp) {
    static const Warning warnings[] = {WARN_UNINITIALIZED,      WARN_MAYBE_UNINITIALIZED,
                                       WARN_ARRAY_BOUNDS,       WARN_USE_AFTER_FREE,
                                       WARN_INFINITE_RECURSION, WARN_NULL_DEREFERENCE};
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
        if (pp_might_warn(pp, warnings[i])) return true;
    return false;
}

bool wants_limits(const Pp *pp) {
    static const Warning warnings[] = {WARN_ARRAY_BOUNDS, WARN_DIV_BY_ZERO,
                                       WARN_SHIFT_COUNT_NEGATIVE, WARN_SHIFT_COUNT};
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
        if (pp_might_warn(pp, warnings[i])) return is_wanted(pp);
    return false;
}

// The subscripts of the function, as the analysis wants them.
static ArrayUses uses_of(const Warner *warner, const SsaHint *hint) {
    const SubscriptPlaces *places = &warner->places->subscripts;
    ArrayUse *uses = ARENA_ARRAY(warner->arena, ArrayUse, warner->subscript_count + 1);
    for (uint32_t i = 0; i < warner->subscript_count; i++) {
        const SubscriptPlace *place = &places->at[warner->first_subscript + i];
        uses[i] = (ArrayUse){.index = place->index,
                             .address = place->address,
                             .base = place->base,
                             .ref = place->ref,
                             .object = place->object,
                             .offset = place->offset,
                             .loc = place->loc,
                             .size = place->size,
                             .count = place->count};
    }
    return (ArrayUses){.at = uses, .count = warner->subscript_count, .origin = hint->origin.at};
}

static void warn_index(Warner *warner, const Func *ssa, const LimitMistake *mistake) {
    const SubscriptPlace *place =
        &warner->places->subscripts.at[warner->first_subscript + mistake->use];
    Out text = {0};
    limit_index_words(&text, mistake, place);
    out_char(&text, '\0');
    if (!mistake->is_there)
        warn(warner, WARN_ARRAY_BOUNDS, func_at(ssa, mistake->node)->loc, place->name, "%s",
             text.text);
    else if (pp_might_warn(warner->pp, WARN_ARRAY_BOUNDS))
        pp_report(warner->pp, DIAG_WARNING, warning_name(WARN_ARRAY_BOUNDS), place->pos,
                  place->length, "%s", text.text);
    out_free(&text);
}

static void warn_limit(Warner *warner, const Func *ssa, const LimitMistake *mistake) {
    uint32_t loc = func_at(ssa, mistake->node)->loc;
    bool object = mistake->base == LIMITS_SLOT || mistake->base == LIMITS_SYMBOL;
    const char *name =
        object ? source_name(warner, ssa, mistake->base == LIMITS_SLOT, mistake->id) : "";
    const char *giver = mistake->base == LIMITS_HEAP ? allocator_name(warner, ssa, mistake) : "";
    Warning warning = WARN_ARRAY_BOUNDS;
    Out text = {0};
    switch (mistake->kind) {
    case LIMIT_INDEX: warn_index(warner, ssa, mistake); return;
    case LIMIT_BOUNDS: limit_bounds_words(&text, mistake, name, giver); break;
    case LIMIT_DIVISOR:
        warning = WARN_DIV_BY_ZERO;
        limit_operator_words(&text, mistake, func_at(ssa, mistake->node));
        break;
    case LIMIT_SHIFT:
        warning = mistake->most < 0 ? WARN_SHIFT_COUNT_NEGATIVE : WARN_SHIFT_COUNT;
        limit_operator_words(&text, mistake, func_at(ssa, mistake->node));
        break;
    }
    out_char(&text, '\0');
    warn(warner, warning, loc, name, "%s", text.text);
    out_free(&text);
}

static void warn_of_limits(Warner *warner, const Func *ssa, const SsaHint *hint) {
    if (!wants_limits(warner->pp)) return;
    ArrayUses uses = uses_of(warner, hint);
    LimitMistakes found = limit_mistakes_of(warner->arena, ssa, &uses);
    for (uint32_t i = 0; i < found.count; i++) warn_limit(warner, ssa, &found.at[i]);
}

// The variables of slots are in registers again: all of those are whole slots. A name that others
// have too is followed by a number.
static void note_variables(Warner *warner, const Func *before, const SplitHint *hint) {
    warner->first_variable = before->regs.count;
    for (uint32_t i = 0; i < hint->fields.count; i++) {
        const SlotField *field = &hint->fields.at[i];
        const SlotInfo *slot = &before->slots.at[field->slot.i];
        bool whole = chunk_size((Chunk)field->chunk) == slot->size && slot->name.i;
        const char *name = whole ? program_text(before->program, slot->name) : "";
        vec_push(warner->arena, &warner->variables,
                 whole ? str_intern(&before->program->strings, name, strcspn(name, "."))
                       : STR_NONE);
        vec_push(warner->arena, &warner->slots, field->slot);
    }
}

// The function with the names of variables.
static Func with_variables(const Warner *warner, const Func *ssa, const SsaHint *hint) {
    Func view = *ssa;
    if (!warner->variables.count) return view;
    view.regs.at = ARENA_ARRAY(warner->arena, RegInfo, ssa->regs.count);
    for (uint32_t r = 0; r < ssa->regs.count; r++) {
        RegInfo *reg = &view.regs.at[r];
        *reg = ssa->regs.at[r];
        uint32_t variable = hint->origin.at[r].i - warner->first_variable; // none if it wraps
        if (variable >= warner->variables.count || !warner->variables.at[variable].i) continue;
        reg->name = warner->variables.at[variable];
        reg->number = variable + 1;
    }
    return view;
}

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Warner *warner = context;
    PassId pass = step_at(step).pass;
    if (pass == PASS_split_slots) note_variables(warner, before, hint);
    if (pass != PASS_ssa_build) return;
    Func ssa = with_variables(warner, after, hint);
    find_places(warner, &ssa, hint);
    UninitializedFacts facts = uninitialized_uses(warner->arena, &ssa);
    for (uint32_t i = 0; i < facts.uses.count; i++)
        warn_uninitialized(warner, &ssa, &facts.uses.at[i]);
    warn_of_conditions(warner, &ssa, &facts);
    Flaws flaws = flaws_of(warner->arena, &ssa);
    for (uint32_t i = 0; i < flaws.count; i++) warn_flaw(warner, &ssa, &flaws.at[i]);
    warn_of_limits(warner, &ssa, hint);
}

static void find_subscripts(Warner *warner, Str name) {
    const SubscriptPlaces *places = &warner->places->subscripts;
    uint32_t first = map_get(&warner->subscripts_of_name, name.i), at = first;
    warner->subscript_count = 0;
    if (first == HASH_NONE) return;
    while (at < places->count && places->at[at].function.i == name.i) at++;
    warner->first_subscript = first;
    warner->subscript_count = at - first;
}

static void begin(void *context, const Func *func) {
    Warner *warner = context;
    Str name = program_at(warner->program, func->symbol)->name;
    warner->place = NULL;
    uint32_t index = map_get(&warner->place_of_name, name.i);
    if (index != HASH_NONE) warner->place = &warner->places->functions.at[index];
    pp_set_function(warner->pp, func_name(func));
    arena_reset(warner->arena);
    warner->variables = (Names){0};
    warner->slots.at = NULL;
    warner->slots.count = warner->slots.capacity = 0;
    warner->first_variable = func->regs.count;
    find_subscripts(warner, name);
    const VariablePlaces *places = &warner->places->variables;
    warner->place_count = 0;
    warner->first_place = map_get(&warner->variables_of_name, name.i);
    if (warner->first_place == HASH_NONE) return;
    for (uint32_t i = warner->first_place; i < places->count && places->at[i].function.i == name.i;
         i++)
        warner->place_count++;
}

// Where the pipeline tells of rejected passes.
static void open_rejected(Diag *rejected, Arena *arena, const WarningSet *warnings) {
    WarningLevel level = warnings_level(warnings, warning_name(WARN_REJECTED_PASS));
    diag_init(rejected, arena, level == LEVEL_IGNORED ? NULL : stderr);
    rejected->warnings_are_errors = level == LEVEL_ERROR;
}

// The function as the source has it: without the values that variables were given although it has
// none.
static const Func *as_written(Arena *arena, const Func *func) {
    uint32_t n = 0;
    while (n < func->nodes.count && !func->nodes.at[n].automatic) n++;
    if (n == func->nodes.count) return func;
    Func *view = func_clone(func, arena);
    for (; n < view->nodes.count; n++) {
        Instr *instr = &view->nodes.at[n];
        if (!instr->automatic || instr->succ_count != 1) continue; // ways through loops stay
        *instr = (Instr){.kind = I_NOP,
                         .dest = NO_REG,
                         .succ_count = 1,
                         .succ = {instr_succs(view, instr)[0]},
                         .loc = instr->loc};
    }
    return view;
}

void warn_of_functions(Pp *pp, Diag *diag, const Program *program, const WarningSet *warnings,
                       const WarningPlaces *places, bool variables_in_memory) {
    bool by_name = warnings->named[WARN_DIV_BY_ZERO] && pp_might_warn(pp, WARN_DIV_BY_ZERO);
    if (!by_name && !is_wanted(pp)) return;
    Arena *arena = arena_new("function warnings");
    Warner warner = {
        .pp = pp, .program = program, .places = places, .arena = arena_new("function")};
    warner.every_way = warnings->named[WARN_MAYBE_UNINITIALIZED];
    warner.zero = warnings->named[WARN_DIV_BY_ZERO];
    for (uint32_t i = 0; i < places->functions.count; i++)
        map_set(arena, &warner.place_of_name, places->functions.at[i].name.i, i);
    for (uint32_t i = places->variables.count; i-- > 0;)
        map_set(arena, &warner.variables_of_name, places->variables.at[i].function.i, i);
    for (uint32_t i = places->subscripts.count; i-- > 0;)
        map_set(arena, &warner.subscripts_of_name, places->subscripts.at[i].function.i, i);
    Diag rejected;
    open_rejected(&rejected, arena, warnings);
    Pipeline pipeline;
    pipeline_init(&pipeline, arena, transform_table, &rejected);
    pipeline.begin = begin;
    pipeline.observe = observe;
    pipeline.context = &warner;
    static const PassId way[] = {PASS_split_slots, PASS_normalize, PASS_ssa_build};
    uint32_t left_out = variables_in_memory ? 0 : 1, count = sizeof way / sizeof *way - left_out;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            pipeline_look(&pipeline, as_written(arena, program->symbols.at[i].func), way + left_out,
                          count);
    pipeline_free(&pipeline);
    diag->errors += rejected.errors;
    diag_free(&rejected);
    arena_free(warner.arena);
    arena_free(arena);
}
