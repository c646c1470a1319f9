// Describes functions, blocks and variables for debuggers.
//
// A block gets a scope when something is declared in it. From then on the locations of emitted code
// belong to that scope. By these locations emission finds the block's code again, wherever passes
// have put it. So a place in the source that is in several scopes has several locations.
#include "c/lower/lower_debug.h"

void debug_begin_function(Lower *lower) {
    Debug *debug = lower->debug;
    if (!debug) return;
    lower->debugging.scope = debug->scopes.count;
    lower->debugging.block = NULL;
    vec_clear(&lower->debugging.locals);
    vec_push(
        debug->arena, &debug->scopes,
        (DebugScope){.func = debug->funcs.count, .parent = NO_ID, .first = NO_ID, .last = NO_ID});
    lower_forget_location(lower);
    lower->debugging.start = lower_location(lower, lower->func->pos);
}

// ---- Blocks

void debug_open_block(Lower *lower) {
    if (!lower->debug) return;
    DebugBlock *block = ARENA_NEW(lower->scratch, DebugBlock);
    *block = (DebugBlock){.outer = lower->debugging.block, .around = lower->debugging.scope};
    lower->debugging.block = block;
}

void debug_close_block(Lower *lower) {
    if (!lower->debug) return;
    const DebugBlock *block = lower->debugging.block;
    if (block->declares) lower_forget_location(lower);
    lower->debugging.scope = block->around;
    lower->debugging.block = block->outer;
}

static void open_scope(Lower *lower) {
    Debug *debug = lower->debug;
    uint32_t parent = lower->debugging.scope;
    uint32_t depth = debug->scopes.at[parent].depth + 1;
    lower->debugging.block->declares = true;
    lower->debugging.scope = debug->scopes.count;
    vec_push(debug->arena, &debug->scopes,
             (DebugScope){.func = debug->funcs.count,
                          .parent = parent,
                          .depth = depth,
                          .first = NO_ID,
                          .last = NO_ID});
    lower_forget_location(lower);
}

void debug_declare(Lower *lower, Decl *decl) {
    bool object = decl->kind == DECL_VAR && decl->name && !decl->external && !decl->internal &&
                  decl->storage != STORAGE_EXTERN;
    if (!lower->debug || !object) return;
    if (lower->debugging.block && !lower->debugging.block->declares) open_scope(lower);
    vec_push(lower->arena, &lower->debugging.locals,
             (LocalDecl){.decl = decl, .scope = lower->debugging.scope});
}

uint32_t debug_location(Lower *lower, uint32_t loc) {
    Debug *debug = lower->debug;
    if (!debug || !loc) return loc;
    Program *program = lower->program;
    bool known = loc < debug->scope_of_loc.count;
    if (known && debug->scope_of_loc.at[loc] != lower->debugging.scope) {
        Loc same = program->locs.at[loc];
        loc = program->locs.count;
        vec_push(program->arena, &program->locs, same);
    }
    while (debug->scope_of_loc.count <= loc)
        vec_push(debug->arena, &debug->scope_of_loc, lower->debugging.scope);
    return loc;
}

uint32_t lower_location_like(Lower *lower, uint32_t loc) {
    Program *program = lower->program;
    Loc same = program->locs.at[loc];
    uint32_t number = program->locs.count;
    vec_push(program->arena, &program->locs, same);
    if (lower->debug) {
        uint32_t scope =
            loc < lower->debug->scope_of_loc.count ? lower->debug->scope_of_loc.at[loc] : 0;
        while (lower->debug->scope_of_loc.count <= number)
            vec_push(lower->debug->arena, &lower->debug->scope_of_loc, scope);
    }
    uint64_t runs;
    if (program_runs(program, loc, &runs)) program_set_runs(program, number, runs);
    return number;
}

// ---- Variables

// Names the register that holds a variable or its address, or the two that hold its halves.
// Registers get other numbers at the end of the function.
static DebugWhere name_register(const Lower *lower, DebugVariable *variable, const CType *type,
                                uint32_t reg, DebugWhere where) {
    const RegInfo *info = &lower->f->regs.at[reg];
    if (!info->name.i) return DEBUG_NOWHERE;
    variable->place = info->name;
    variable->number = info->number;
    if (where == DEBUG_IN_REGISTER && type->size > 8 && lower_type(type) == TYPE_WIDE)
        variable->half = 8;
    if (where == DEBUG_IN_REGISTER && type_is_complex(type))
        variable->half = (uint32_t)type->base->size;
    if (variable->half) variable->second = lower->f->regs.at[reg + 1].number;
    return where;
}

// Where a variable is: the name of the slot, symbol or register. NOWHERE if nothing has a name.
static DebugWhere find_place(const Lower *lower, const Decl *decl, DebugVariable *variable) {
    switch (decl->place) {
    case IN_SLOT: variable->place = lower->f->slots.at[decl->number].name; return DEBUG_IN_SLOT;
    case IN_POINTER_SLOT:
        variable->place = lower->f->slots.at[decl->number].name;
        return DEBUG_BY_SLOT;
    case IN_SYMBOL:
        variable->place = program_at(lower->program, (Sym){decl->number})->name;
        return DEBUG_AT_SYMBOL;
    case IN_REGISTER:
        return name_register(lower, variable, decl->type, decl->number, DEBUG_IN_REGISTER);
    case IN_POINTER:
        return name_register(lower, variable, decl->type, decl->number, DEBUG_BY_REGISTER);
    default: return DEBUG_NOWHERE;
    }
}

static uint32_t add_variable(Lower *lower, const Decl *decl) {
    Debug *debug = lower->debug;
    Loc loc = lower_loc(lower, decl->pos);
    DebugVariable variable = {.name = lower_str(lower, decl->name),
                              .parameter = decl->parameter,
                              .external = decl->external,
                              .type = debug_named_type(lower, decl->type, decl->type_name),
                              .file = loc.file,
                              .line = loc.line,
                              .next = NO_ID};
    variable.where = (uint8_t)find_place(lower, decl, &variable);
    vec_push(debug->arena, &debug->variables, variable);
    return debug->variables.count - 1;
}

static void add_local(Lower *lower, const Decl *decl, uint32_t scope) {
    Debug *debug = lower->debug;
    bool unused = decl->place == IN_NOTHING; // a static one that is never mentioned
    if (unused || !decl->name) return;
    uint32_t id = add_variable(lower, decl);
    DebugScope *at = &debug->scopes.at[scope];
    if (at->first == NO_ID)
        at->first = id;
    else
        debug->variables.at[at->last].next = id;
    at->last = id;
}

void debug_finish_function(Lower *lower) {
    Debug *debug = lower->debug;
    if (!debug) return;
    const Decl *func = lower->func;
    uint32_t scope = debug->scopes.count; // the outermost one is the last without a parent
    while (debug->scopes.at[--scope].parent != NO_ID) {
    }
    DebugFunc entry = {.name = lower_str(lower, func->name),
                       .symbol = program_at(lower->program, lower->f->symbol)->name,
                       .external = func->external,
                       .prototyped = func->type->func.prototype,
                       .variadic = func->type->func.variadic,
                       .type = debug_named_type(lower, func->type->base, func->type_name),
                       .loc = lower->debugging.start,
                       .scope = scope,
                       .scope_count = debug->scopes.count - scope,
                       .variable = debug->variables.count};
    for (uint32_t i = 0; i < func->params.count; i++) add_local(lower, func->params.at[i], scope);
    for (uint32_t i = 0; i < lower->debugging.locals.count; i++)
        add_local(lower, lower->debugging.locals.at[i].decl, lower->debugging.locals.at[i].scope);
    debug_complete_types(lower, false);
    entry.variable_count = debug->variables.count - entry.variable;
    map_set(debug->arena, &debug->func_of_symbol, entry.symbol.i, debug->funcs.count);
    vec_push(debug->arena, &debug->funcs, entry);
}

void debug_finish_unit(Lower *lower, Decl *const *decls, uint32_t count) {
    Debug *debug = lower->debug;
    if (!debug) return;
    debug->first_global = debug->variables.count;
    for (uint32_t i = 0; i < count; i++) {
        const Decl *decl = decls[i];
        bool linked = decl->name && (decl->external || decl->internal);
        if (decl->kind == DECL_VAR && linked && decl->place == IN_SYMBOL) add_variable(lower, decl);
    }
    for (uint32_t i = 0; i < count; i++)
        if (decls[i]->kind == DECL_TYPEDEF && decls[i]->used) debug_typedef(lower, decls[i]);
    debug_complete_types(lower, true);
}
