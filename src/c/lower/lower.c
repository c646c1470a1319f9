// Lowering a unit: each function as soon as it has been parsed, then the objects, then what is not
// needed is left out.
#include "base/deep_stack.h"
#include "c/lower/lower_private.h"

#include <stdlib.h>

Lower *lower_new(Arena *arena, Pp *pp, Types *types, Diag *diag, Program *program) {
    Lower *lower = ARENA_NEW(arena, Lower);
    *lower = (Lower){.arena = arena,
                     .scratch = arena_new("lowering"),
                     .pp = pp,
                     .types = types,
                     .diag = diag,
                     .program = program,
                     .stack_floor = stack_floor(15)};
    lower->f = func_new(program, arena, NO_SYM, (Sig){NO_ID});
    return lower;
}

void lower_symbol_defaults(Lower *lower, SymbolDefaults defaults) {
    lower->defaults = defaults;
}

void lower_describe(Lower *lower, Debug *debug) {
    *debug = (Debug){.arena = lower->arena};
    vec_push(debug->arena, &debug->types, (DebugType){.kind = DEBUG_VOID});
    lower->debug = debug;
}

void lower_variables_in_memory(Lower *lower) {
    lower->in_memory = lower->all_in_memory = true;
}

void lower_notes(Lower *lower, CallNotes *notes) {
    lower->notes = notes;
}

void lower_variables(Lower *lower, VariablePlaces *places) {
    lower->variables = places;
}

void lower_subscripts(Lower *lower, SubscriptPlaces *places) {
    lower->subscripts = places;
}

void lower_order(Lower *lower, SourceOrder *order, bool all) {
    lower->order = order;
    lower->ordered = all;
    order->wanted = all;
}

void lower_library_atomics(Lower *lower) {
    lower->library_atomics = true;
}

void lower_whole_units(Lower *lower) {
    lower->whole_units = true;
}

void lower_no_builtins(Lower *lower) {
    lower->no_builtins = true;
}

void lower_not_builtin(Lower *lower, const char *const *names, uint32_t count) {
    lower->not_builtin = names;
    lower->not_builtin_count = count;
}

void lower_endless_loops(Lower *lower) {
    lower->endless_loops = true;
}

void lower_strict_aliasing(Lower *lower) {
    lower->strict_aliasing = true;
}

void lower_without_errno(Lower *lower) {
    lower->no_math_errno = true;
}

void lower_any_rounding(Lower *lower) {
    lower->any_rounding = true;
}

void lower_units(Lower *lower, Units *units) {
    lower->units = units;
}

void lower_checks(Lower *lower, SanitizeOptions options) {
    lower->sanitize = options;
}

void lower_free(Lower *lower) {
    arena_free(lower->scratch);
}

void lower_late_error(Lower *lower, Pos pos, const char *message) {
    Sym function = lower->func ? lower->f->symbol : NO_SYM;
    vec_push(lower->arena, &lower->late_errors,
             (LateError){.function = function, .statement = NO_ID, .pos = pos, .message = message});
}

// ---- Parameters

// A parameter that arrives as something else than the variable it becomes: promoted, as the member
// of a transparent union, or to be kept in memory.
static void store_parameter(Lower *lower, Decl *decl, Reg reg, const CType *passed) {
    declare_variable(lower, decl);
    Spot place = spot_of_decl(lower, decl);
    place.is_volatile = false;
    place.typed &= !type_is_record(decl->type);
    const CType *type = type_is_record(decl->type) ? passed : decl->type;
    Spot memory = spot_of_reg(reg);
    bool wide = lower_type(passed) == TYPE_WIDE; // the register holds its address
    Operand value = wide ? wide_read(lower, &memory, passed) : operand_reg(lower, reg);
    if (passed->kind == CT_HALF) value = half_that_arrives(lower, value, NO_REG);
    value = lower_convert(lower, value, passed, type, NO_REG);
    spot_write(lower, &place, type, value);
}

static bool stays_in_register(const Lower *lower, const Decl *decl, const CType *passed) {
    return lower_type(passed) == type_as_passed(passed) && lower_type(passed) != TYPE_WIDE &&
           convert_is_free(passed, decl->type) && !decl->address_taken &&
           !units_keep_in_memory(lower->units, decl) && !(decl->type->quals & Q_VOLATILE) &&
           !lower->func->calls_setjmp && !lower->in_memory;
}

static void lower_parameter(Lower *lower, Decl *decl, uint32_t i) {
    CType *passed = type_of_parameter(lower, lower->func->type, decl, i);
    bool aggregate = passed_as_aggregate(passed);
    if (aggregate && ptype_of(lower, passed, false).i == PTYPE_VOID.i) {
        declare_variable(lower, decl);
        return;
    }
    bool by_address = aggregate || lower_type(passed) == TYPE_WIDE;
    Type type = by_address ? TYPE_I64 : type_as_passed(passed);
    Reg reg = reg_named(lower, type, decl->name);
    vec_push(lower->f->arena, &lower->f->params, reg);
    decl->number = reg.i;
    if (type_is_complex(decl->type) && stays_in_register(lower, decl, passed)) {
        complex_parameter(lower, decl, reg);
    } else if (aggregate) {
        declare_at(lower, decl, reg);
        if (buffer_kind(lower, passed) >= BUFFER_ARRAY)
            program_at(lower->program, lower->f->symbol)->flags |= SYMF_BUFFER_PARAM;
    } else if (!type_is_record(decl->type) && stays_in_register(lower, decl, passed)) {
        decl->place = IN_REGISTER;
        note_variable(lower, decl, false);
    } else {
        store_parameter(lower, decl, reg, passed);
    }
}

static void lower_parameters(Lower *lower) {
    emit_at(lower, lower->func->pos); // debuggers stop behind what is done there
    lower->result_address = NO_REG;
    if (result_in_memory(lower, lower->func->type->base)) {
        lower->result_address = reg_new(lower, TYPE_I64);
        vec_push(lower->f->arena, &lower->f->params, lower->result_address);
    }
    for (uint32_t i = 0; i < lower->func->params.count; i++)
        lower_parameter(lower, lower->func->params.at[i], i);
    lower_mark_parameters(lower);
}

// ---- Functions

static void start_function(Lower *lower, Decl *func) {
    arena_reset(lower->scratch);
    emit_start(lower);
    lower->func = func;
    lower->in_memory =
        lower->all_in_memory && !(func->attributes->emission & SYMF_NAKED); // it has no frame
    lower->tells_types =
        lower->strict_aliasing && !func->loose_aliasing && !func->attributes->loose_aliasing;
    lower->marks_members |= func->asks_members;
    lower->case_labels = (Map){0};
    vec_clear(&lower->spine);
    vec_clear(&lower->named_labels);
    vec_clear(&lower->pending_gotos);
    vec_clear(&lower->address_labels);
    lower->dispatch = lower->return_label = (Label){NO_ID};
    lower->exit_table = (Table){0};
    lower->exits.at = NULL; // it is in the scratch arena
    lower->exits.count = lower->exits.capacity = 0;
    lower->unwind = NULL;
    lower->target = NULL;
    lower->only_address = NULL;
    sanitize_begin(lower);
}

// Objects of its blocks that nothing may mention, but that are marked as used.
static void lower_kept_objects(Lower *lower, Sym function) {
    VEC(Decl *) decls = {0};
    for (Decl *decl = lower->func->kept; decl; decl = decl->kept)
        vec_push(lower->scratch, &decls, decl);
    while (decls.count) {
        Sym object = lower_symbol(lower, vec_pop(&decls));
        vec_push(lower->arena, &lower->owned,
                 (OwnedObject){.function = function, .object = object});
    }
}

void lower_function(Lower *lower, Decl *func) {
    if (lower->diag->errors) return;
    start_function(lower, func);
    Sym symbol = func->extern_inline ? lower_inline_symbol(lower, func) : lower_symbol(lower, func);
    static Decl *const none[1];
    uint32_t count = func->params.count;
    Sig sig = sig_of(lower, func->type, count ? func->params.at : none, count);
    lower->f->symbol = symbol;
    lower->f->sig = sig;
    debug_begin_function(lower);
    units_function(lower, func);
    lower_parameters(lower);
    coverage_begin(lower);
    instrument_enter(lower);
    units_body(lower);
    lower_statement(lower, func->body);
    emit_at(lower, func->body->end);
    units_tail(lower, false);
    lower_return(lower, NULL);
    coverage_end(lower);
    units_tail(lower, true);
    lower_pending_gotos(lower);
    report_all(lower);
    if (lower->diag->errors) return;
    Symbol *at = program_at(lower->program, symbol);
    if (at->func && !func->replaces)
        pp_report(lower->pp, DIAG_ERROR, NULL, func->pos, func->name->length,
                  "another function is defined under the assembler name of '%s'", func->name->text);
    lower_kept_objects(lower, symbol);
    debug_finish_function(lower);
    const Func *finished = emit_finish(lower, lower->program->arena);
    at = program_at(lower->program, symbol);
    at->sig = sig;
    at->defined = true;
    at->func = finished;
    replace_inline_body(lower, func, symbol);
    bool kept = func->is_inline ? lower->defaults.keep_inline : lower->defaults.keep_static;
    if (func->internal && kept) at->flags |= SYMF_USED;
    lower->func = NULL;
}

void lower_finish(Lower *lower, Decl *const *decls, uint32_t count) {
    if (lower->diag->errors) return;
    lower->func = NULL;
    // Whatever else declares the symbol decides.
    for (uint32_t i = 0; i < count; i++) finish_weak_reference(lower, decls[i]);
    for (uint32_t i = 0; i < count; i++) {
        arena_reset(lower->scratch);
        finish_symbol(lower, decls[i]);
    }
    if (lower->order && lower->order->places.count)
        qsort(lower->order->places.at, lower->order->places.count, sizeof *lower->order->places.at,
              source_place_compare);
    finish_aliases(lower, decls, count);
    if (lower->diag->errors) return;
    for (uint32_t i = 0; i < count; i++) finish_versions(lower, decls[i]);
    if (lower->diag->errors) return;
    debug_finish_unit(lower, decls, count);
    lower_late_answers(lower);
    lower_prune(lower);
    coverage_unit(lower);
    lower_mark_twice(lower);
}
