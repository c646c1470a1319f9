// Labels of the source, jumps to them, and leaving scopes: calling cleanup functions and giving
// back the memory of variable-length arrays.
//
// Jumps out of the same scopes share their calls. The calls on the way from a scope to a label (or
// to the return) are emitted once, behind the function's body, and every jump enters that way at
// its own scope.
#include "c/lower/lower_private.h"

// ---- The list of scopes

// Each entry knows one that is farther out, so that any can be found in logarithmic time: two steps
// of equal length are put together to one (Myers, "An applicative random-access stack").
void unwind_push(Lower *lower, Unwind entry) {
    Unwind *top = ARENA_NEW(lower->scratch, Unwind), *outer = lower->unwind;
    *top = entry;
    top->outer = top->skip = outer;
    top->depth = 1;
    top->unit = lower->unit;
    top->calls = entry.cleanup ? top : NULL;
    if (outer) {
        const Unwind *middle = outer->skip;
        uint32_t half = middle ? middle->depth : 0;
        uint32_t end = middle && middle->skip ? middle->skip->depth : 0;
        if (middle && outer->depth - half == half - end) top->skip = middle->skip;
        top->depth = outer->depth + 1;
        if (!top->calls) top->calls = outer->calls;
    }
    lower->unwind = top;
}

static uint32_t depth_of(const Unwind *entry) {
    return entry ? entry->depth : 0;
}

// The entry around (or the same as) another that has a depth; NULL for 0.
static Unwind *at_depth(Unwind *entry, uint32_t depth) {
    while (depth_of(entry) > depth)
        entry = depth_of(entry->skip) >= depth ? entry->skip : entry->outer;
    return entry;
}

static Unwind *common_scope(Unwind *a, Unwind *b) {
    uint32_t depth = depth_of(a) < depth_of(b) ? depth_of(a) : depth_of(b);
    a = at_depth(a, depth);
    b = at_depth(b, depth);
    while (a != b) {
        bool far = a->skip != b->skip;
        a = far ? a->skip : a->outer;
        b = far ? b->skip : b->outer;
    }
    return a;
}

// Whether there is a cleanup between an entry and an outer one.
static bool calls_before(const Unwind *from, const Unwind *until) {
    return from && depth_of(from->calls) > depth_of(until);
}

// ---- Leaving scopes

static void call_cleanup(Lower *lower, Decl *decl) {
    Decl *cleanup = decl->attributes->cleanup;
    Spot place = spot_of_decl(lower, decl);
    Reg address = spot_address(lower, &place);
    PType param = PTYPE_OF(TYPE_I64);
    SigInfo sig = {.result = ptype_of(lower, cleanup->type->base, true),
                   .param_count = 1,
                   .fixed_count = 1,
                   .params = &param};
    emit_call(lower, lower_symbol(lower, cleanup), program_sig(lower->program, sig), NO_REG,
              &address, 1);
}

static void restore_stack(Lower *lower, Reg token) {
    emit_builtin(lower, BI_STACK_RESTORE, NO_REG, &token, 1, 0);
}

// Does what one entry asks for, or all up to the next cleanup if they only free memory, which one
// step can do. Yields the entry that comes next. Returning frees the stack by itself.
static Unwind *do_step(Lower *lower, Unwind *at, const Unwind *until, bool returning) {
    if (at->cleanup) {
        lower->unwind = at->outer;
        call_cleanup(lower, at->cleanup);
        return at->outer;
    }
    uint32_t stop = depth_of(calls_before(at, until) ? at->calls : until);
    Unwind *last = at_depth(at, stop + 1);
    if (!returning) restore_stack(lower, last->token);
    return last->outer;
}

// It is done for the declaration.
static Unwind *unwind_step(Lower *lower, Unwind *at, const Unwind *until, bool returning) {
    uint32_t outer = lower->unit;
    lower->unit = at->unit;
    Unwind *next = do_step(lower, at, until, returning);
    lower->unit = outer;
    return next;
}

void unwind_to(Lower *lower, Unwind *until) {
    Unwind *from = lower->unwind;
    for (Unwind *at = from; at != until;) at = unwind_step(lower, at, until, false);
    lower->unwind = from;
}

// The way out from an entry, which is emitted later.
static Exit *exit_from(Lower *lower, Unwind *from, Unwind *until, Label destination) {
    uint64_t hash = hash_add(hash_mix((uint64_t)(uintptr_t)from), destination.i);
    uint32_t at = table_first(&lower->exit_table, hash), i;
    while ((i = table_id(&lower->exit_table, hash, &at)) != HASH_NONE) {
        Exit *known = &lower->exits.at[i];
        if (known->from == from && known->destination.i == destination.i) return known;
    }
    Exit added = {
        .from = from, .until = until, .destination = destination, .label = label_new(lower)};
    table_insert(lower->scratch, &lower->exit_table, hash, lower->exits.count);
    vec_push(lower->scratch, &lower->exits, added);
    return &lower->exits.at[lower->exits.count - 1];
}

void unwind_and_jump(Lower *lower, Unwind *until, Label destination) {
    Unwind *from = lower->unwind;
    if (calls_before(from, until)) {
        destination = exit_from(lower, from, until, destination)->label;
    } else if (from != until) {
        restore_stack(lower, at_depth(from, depth_of(until) + 1)->token);
    }
    emit_jump(lower, destination);
}

void unwind_and_return(Lower *lower, Reg value) {
    if (!calls_before(lower->unwind, NULL)) {
        emit_return(lower, value);
        return;
    }
    if (lower->return_label.i == NO_ID) {
        lower->return_label = label_new(lower);
        lower->return_value = NO_REG;
        if (value.i != NO_ID) lower->return_value = reg_new(lower, reg_type(lower->f, value));
    }
    if (value.i != NO_ID) emit_move(lower, lower->return_value, operand_reg(lower, value));
    unwind_and_jump(lower, NULL, lower->return_label);
}

// Emits a way out up to where it meets one that has been emitted.
static void emit_exit(Lower *lower, Exit way) {
    bool returning = way.destination.i == lower->return_label.i;
    for (Unwind *at = way.from; at != way.until;) {
        Exit *exit = exit_from(lower, at, way.until, way.destination);
        if (exit->placed) {
            emit_jump(lower, exit->label);
            return;
        }
        exit->placed = true;
        label_place(lower, exit->label);
        if (at->cleanup) emit_at(lower, at->cleanup->pos);
        at = unwind_step(lower, at, way.until, returning);
    }
    emit_jump(lower, way.destination);
}

static void emit_exits(Lower *lower) {
    for (uint32_t i = 0; i < lower->exits.count; i++)
        if (!lower->exits.at[i].placed) emit_exit(lower, lower->exits.at[i]);
    if (lower->return_label.i == NO_ID) return;
    label_place(lower, lower->return_label);
    emit_return(lower, lower->return_value);
}

// ---- Labels

static uint32_t label_index(Lower *lower, LabelDecl *label) {
    if (!label->number) {
        Label added = label_new(lower);
        vec_push(lower->arena, &lower->named_labels, (NamedLabel){.label = added});
        label->number = lower->named_labels.count;
    }
    return label->number - 1;
}

NamedLabel *named_label(Lower *lower, LabelDecl *label) {
    uint32_t index = label_index(lower, label); // which may move the list
    return &lower->named_labels.at[index];
}

int64_t label_address(Lower *lower, LabelDecl *label) {
    NamedLabel *named = named_label(lower, label);
    if (!named->address) {
        vec_push(lower->arena, &lower->address_labels, label->number - 1);
        named->address = lower->address_labels.count;
    }
    return named->address;
}

// A goto out of nothing that needs care is a jump; others wait until all labels are known. C lets a
// loop of gotos run for ever.
void lower_goto(Lower *lower, LabelDecl *label) {
    uint32_t target = label_index(lower, label);
    if (label_is_placed(lower, lower->named_labels.at[target].label)) emit_spin(lower);
    if (!lower->unwind) {
        emit_jump(lower, lower->named_labels.at[target].label);
        return;
    }
    Label edge = label_new(lower);
    vec_push(lower->arena, &lower->pending_gotos,
             (PendingGoto){
                 .edge = edge, .target = target, .unwind = lower->unwind, .unit = lower->unit});
    emit_jump(lower, edge);
}

// All computed gotos of a function share one switch over the labels whose address is taken.
void lower_computed_goto(Lower *lower, const Expr *expr) {
    if (lower->dispatch.i == NO_ID) {
        lower->dispatch = label_new(lower);
        lower->dispatch_value = reg_new(lower, TYPE_I64);
    }
    lower_into(lower, expr, lower->dispatch_value);
    emit_spin(lower);
    emit_jump(lower, lower->dispatch);
}

static void emit_dispatch(Lower *lower) {
    uint32_t count = lower->address_labels.count;
    int64_t *cases = ARENA_ARRAY(lower->scratch, int64_t, (size_t)count + 1);
    Label *labels = ARENA_ARRAY(lower->scratch, Label, (size_t)count + 1);
    Label nowhere = label_new(lower);
    for (uint32_t i = 0; i < count; i++) {
        cases[i] = (int64_t)i + 1;
        labels[i] = lower->named_labels.at[lower->address_labels.at[i]].label;
    }
    label_place(lower, lower->dispatch);
    if (lower->coverage) emit_at(lower, 0);
    emit_switch(lower, lower->dispatch_value, cases, labels, count, nowhere);
    label_place(lower, nowhere);
    emit_builtin(lower, BI_UNREACHABLE, NO_REG, NULL, 0, 0);
}

void lower_pending_gotos(Lower *lower) {
    for (uint32_t i = 0; i < lower->pending_gotos.count; i++) {
        PendingGoto pending = lower->pending_gotos.at[i];
        const NamedLabel *target = &lower->named_labels.at[pending.target];
        label_place(lower, pending.edge);
        lower->unwind = pending.unwind;
        lower->unit = pending.unit;
        unwind_and_jump(lower, common_scope(pending.unwind, target->unwind), target->label);
    }
    lower->unit = lower->func->body->unit;
    emit_exits(lower);
    lower->unwind = NULL;
    if (lower->dispatch.i != NO_ID) emit_dispatch(lower);
}
