#include "slice/source/slice_criterion.h"

#include <string.h>

#define SAY(diag, source, ...) slice_say((diag), (source), __VA_ARGS__)

__attribute__((format(printf, 3, 4))) static bool slice_say(Diag *diag, const SliceSource *source,
                                                            const char *format, ...) {
    va_list args;
    Out line = {0};
    va_start(args, format);
    out_vprintf(&line, format, args);
    va_end(args);
    out_char(&line, '\0');
    diag_error(diag, SPAN_NONE, "%s: %s", source->path, line.text);
    out_free(&line);
    return false;
}

// ---- Functions and statements

static bool check_function(const SliceSource *source, Diag *diag, uint32_t index) {
    const UnitFunction *function = &source->units.functions.at[index];
    if (function->elsewhere)
        return SAY(diag, source,
                   "the body of '%s' is made by a macro or in another file, and cannot be sliced",
                   function->name);
    if (function->symbol.i == NO_ID)
        return SAY(diag, source, "the function '%s' cannot be sliced: it is only for inlining",
                   function->name);
    return true;
}

static bool find_named(const SliceSource *source, Diag *diag, const char *name,
                       SliceCriterion *criterion) {
    const Units *units = &source->units;
    for (uint32_t i = 0; i < units->functions.count; i++) {
        if (strcmp(units->functions.at[i].name, name) != 0) continue;
        criterion->function = i;
        return check_function(source, diag, i);
    }
    return SAY(diag, source, "there is no function '%s' that is defined in this file", name);
}

static uint32_t count_lines(const Units *units) {
    uint32_t lines = 0;
    for (uint32_t i = 0; i < units->length; i++)
        lines += units->text[i] == '\n' || i + 1 == units->length;
    return lines;
}

// A statement that does something itself, other than a block.
static bool has_own_code(const SliceSource *source, uint32_t unit) {
    const Unit *at = unit_at(&source->units, unit);
    const UnitFunction *function = &source->units.functions.at[at->function];
    for (uint32_t i = at->first; i < at->behind && i < function->count; i++)
        if (unit_owner(&source->units, function->units[i]) == unit && function->nodes[i] != NO_ID)
            return true;
    return false;
}

// Whether a statement would do something if control came to it.
static bool is_dead(const SliceSource *source, uint32_t unit) {
    const Unit *at = unit_at(&source->units, unit);
    const UnitFunction *function = &source->units.functions.at[at->function];
    for (uint32_t i = at->first; i < at->behind && i < function->count; i++)
        if (unit_owner(&source->units, function->units[i]) == unit && function->jumps[i] == NO_ID)
            return true;
    return false;
}

// The unit that has the code of a statement: itself, or, for a declaration, the last of its
// initializers that does something; 0 if it does nothing.
static uint32_t unit_with_code(const SliceSource *source, uint32_t statement) {
    const Units *units = &source->units;
    if (has_own_code(source, statement)) return statement;
    uint32_t found = 0;
    if (unit_at(units, statement)->kind != UNIT_DECLARATION) return 0;
    for (uint32_t u = statement + 1; u <= unit_at(units, statement)->last; u++)
        if (unit_at(units, u)->clean && has_own_code(source, u)) found = u;
    return found;
}

// The statement that a line stands for: the last one that begins there, those that do nothing only
// if there are no others; or else the innermost one around it.
static uint32_t statement_at(const SliceSource *source, uint32_t line) {
    const Units *units = &source->units;
    uint32_t around = 0, last = 0, last_with_code = 0;
    for (uint32_t u = 1; u < units->all.count; u++) {
        const Unit *at = unit_at(units, u);
        if (at->role == ROLE_FUNCTION || !at->clean || at->line > line || line > at->end_line)
            continue;
        around = u;
        while (unit_at(units, around)->role >= ROLE_DECLARATOR)
            around = unit_at(units, around)->parent;
        if (at->line != line || at->kind == UNIT_BLOCK || at->kind == UNIT_LABELLED) continue;
        last = around;
        if (unit_with_code(source, last)) last_with_code = last;
    }
    return last_with_code ? last_with_code : last ? last : around;
}

static uint32_t function_at(const Units *units, uint32_t line) {
    uint32_t found = NO_ID;
    for (uint32_t f = 0; f < units->functions.count; f++) {
        const Unit *root = unit_at(units, units->functions.at[f].root);
        if (root->begin != NO_ID && root->line <= line && line <= root->end_line) found = f;
    }
    return found;
}

// Whether a statement that does nothing can have a node.
static bool can_be_marked(const Unit *unit) {
    return unit->kind != UNIT_BLOCK && unit->kind != UNIT_LABELLED && unit->kind != UNIT_GROUP &&
           unit->role < ROLE_DECLARATOR;
}

static bool find_at_line(SliceSource *source, Diag *diag, uint32_t line,
                         SliceCriterion *criterion) {
    const Units *units = &source->units;
    uint32_t total = count_lines(units), function = function_at(units, line);
    if (line == 0 || line > total)
        return SAY(diag, source, "there is no line %u: the file has %u", line, total);
    if (function == NO_ID) return SAY(diag, source, "line %u is in no function", line);
    if (!check_function(source, diag, function)) return false;
    uint32_t found = statement_at(source, line), statement = 0;
    if (found && unit_at(units, found)->function == function) {
        bool dead = is_dead(source, found);
        statement = unit_with_code(source, found);
        if (!statement && !dead && can_be_marked(unit_at(units, found))) {
            slice_source_mark(source, found);
            statement = unit_with_code(source, found);
        }
    }
    if (!statement)
        return SAY(diag, source, "there is no code at line %u%s", line,
                   found && is_dead(source, found) ? " that control can come to" : "");
    criterion->function = function;
    criterion->unit = statement;
    return true;
}

bool slice_find_function(SliceSource *source, Diag *diag, const SliceQuestion *question,
                         SliceCriterion *criterion) {
    *criterion = (SliceCriterion){0};
    if (question->has_line) return find_at_line(source, diag, question->line, criterion);
    return find_named(source, diag, question->function, criterion);
}

// ---- Variables

static void want(const FunctionSlice *slice, SliceCriterion *criterion, uint32_t variable) {
    vec_push(slice->source->arena, &criterion->variables, variable);
}

static void want_range(const FunctionSlice *slice, SliceCriterion *criterion, SliceRange range) {
    for (uint32_t i = 0; i < range.count; i++) want(slice, criterion, range.first + i);
}

// Whether a local variable can be seen from a statement, or, for 0, from the end of the function.
static bool is_visible(const FunctionSlice *slice, const UnitVariable *variable, uint32_t unit) {
    const Units *units = &slice->source->units;
    uint32_t root = slice->function->root;
    if (!variable->unit || variable->unit == root) return true;
    const Unit *at = unit_at(units, variable->unit);
    bool own = at->kind == UNIT_FOR;
    uint32_t last = own ? at->last : unit_at(units, at->parent)->last;
    if (!unit) return at->parent == root && !own;
    return unit >= variable->unit && unit <= last;
}

static const UnitVariable *find_local(const FunctionSlice *slice, const char *name, uint32_t unit) {
    const UnitVariable *found = NULL;
    for (uint32_t i = 0; i < slice->function->variables.count; i++) {
        const UnitVariable *variable = &slice->function->variables.at[i];
        if (strcmp(variable->name, name) == 0 && is_visible(slice, variable, unit) &&
            (!found || variable->unit >= found->unit))
            found = variable;
    }
    return found;
}

static void want_symbol(const FunctionSlice *slice, SliceCriterion *criterion, Sym symbol) {
    const SliceVariables *variables = &slice->variables;
    SliceRange range = slice_pieces_of_symbol(variables, symbol);
    uint64_t covered = 0;
    for (uint32_t i = 0; i < range.count; i++) {
        const SlicePiece *piece = slice_piece(variables, range.first + i);
        covered += piece->to - piece->from;
    }
    want_range(slice, criterion, range);
    if (covered < program_at(slice->source->program, symbol)->size || !range.count)
        want(slice, criterion, SLICE_MEMORY);
}

static void want_local(const FunctionSlice *slice, SliceCriterion *criterion,
                       const UnitVariable *variable) {
    const SliceVariables *variables = &slice->variables;
    switch ((UnitPlace)variable->place) {
    case PLACE_SLOT:
        want_range(slice, criterion, slice_pieces_of_slot(variables, (Slot){variable->number}));
        break;
    case PLACE_SYMBOL: want_symbol(slice, criterion, (Sym){variable->number}); break;
    case PLACE_POINTER: want(slice, criterion, SLICE_MEMORY); // fall through
    case PLACE_REGISTER:
        for (uint32_t i = 0; i < variable->parts; i++)
            if (variable->number + i < slice->func->regs.count)
                want(slice, criterion, slice_register(variables, (Reg){variable->number + i}));
    }
}

// The declarator of a variable, or else the statement that declares it; 0 for a parameter.
static uint32_t declaration_of(const FunctionSlice *slice, const UnitVariable *variable) {
    const Units *units = &slice->source->units;
    if (!variable->unit || variable->unit == slice->function->root) return 0;
    for (uint32_t u = variable->unit + 1; u <= unit_at(units, variable->unit)->last; u++) {
        const Unit *at = unit_at(units, u);
        if (at->role == ROLE_DECLARATOR && at->clean && at->begin <= variable->declared &&
            variable->declared < at->end)
            return u;
    }
    return variable->unit;
}

static bool want_global(const FunctionSlice *slice, SliceCriterion *criterion, const char *name) {
    Program *program = slice->source->program;
    Sym symbol = program_find(program, str_of(&program->strings, name));
    const Units *units = &slice->source->units;
    bool known = false;
    for (uint32_t i = 0; i < units->globals.count && !known; i++)
        known = strcmp(units->globals.at[i]->text, name) == 0;
    // What nothing mentions is no symbol of the program, and holds what it held at the entry.
    if (known && symbol.i != NO_ID) want_symbol(slice, criterion, symbol);
    return known;
}

Reg slice_find_root(const FunctionSlice *slice, const char *name) {
    Arena *arena = slice->source->arena;
    Places places = places_of(arena, slice->func);
    SliceRoots roots = slice_roots_of(arena, slice->func, &places);
    Reg found = NO_REG;
    for (uint32_t i = 0; i < slice->function->variables.count; i++) {
        const UnitVariable *variable = &slice->function->variables.at[i];
        if (strcmp(variable->name, name) != 0) continue;
        bool single = found.i == NO_ID && variable->place == PLACE_REGISTER &&
                      variable->parts == 1 && variable->number < slice->func->regs.count;
        if (!single || roots.root[variable->number] == NO_ID ||
            roots.root[variable->number] != variable->number)
            return NO_REG;
        found = (Reg){variable->number};
    }
    return found;
}

bool slice_find_variable(const FunctionSlice *slice, Diag *diag, const SliceQuestion *question,
                         SliceCriterion *criterion) {
    const SliceSource *source = slice->source;
    const char *name = question->variable;
    if (!name) {
        criterion->effects = !criterion->unit;
        return true;
    }
    if (strcmp(name, "return") == 0) {
        const SigInfo *sig = program_sig_info(source->program, slice->func->sig);
        if (criterion->unit)
            return SAY(diag, source, "the variable 'return' goes with --function, not with --line");
        if (sig->result.i == PTYPE_VOID.i)
            return SAY(diag, source, "the function '%s' returns no value", slice->function->name);
        return true;
    }
    const UnitVariable *variable = find_local(slice, name, criterion->unit);
    if (!variable && want_global(slice, criterion, name)) return true;
    if (!variable) {
        if (criterion->unit)
            return SAY(diag, source, "there is no variable '%s' at line %u", name, question->line);
        return SAY(diag, source, "there is no variable '%s' where '%s' returns", name,
                   slice->function->name);
    }
    if (variable->number == NO_ID)
        return SAY(diag, source, "no dependence: nothing in '%s' uses '%s'", slice->function->name,
                   name);
    want_local(slice, criterion, variable);
    criterion->declared = declaration_of(slice, variable);
    return true;
}
