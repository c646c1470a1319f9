// Labels of the source, jumps to them, and what has to be done when control leaves a scope: calling
// cleanup functions and giving back the memory of variable-length arrays.
#include "c/lower_private.h"

// ---- Leaving scopes

void unwind_push(Lower *lower, Unwind entry) {
    Unwind *top = ARENA_NEW(lower->scratch, Unwind);
    *top = entry;
    top->outer = lower->unwind;
    top->depth = lower->unwind ? lower->unwind->depth + 1 : 1;
    lower->unwind = top;
}

static void call_cleanup(Lower *lower, Decl *decl) {
    Decl *cleanup = decl->attributes->cleanup;
    Spot place = place_of_decl(lower, decl);
    Reg address = place_address(lower, &place);
    PType param = PTYPE_OF(TYPE_I64);
    SigInfo sig = {.result = ptype_of(lower, cleanup->type->base, true),
                   .param_count = 1,
                   .fixed_count = 1,
                   .params = &param};
    emit_call(lower, lower_symbol(lower, cleanup), program_sig(lower->program, sig), NO_REG,
              &address, 1);
}

// Emits what leaving the current scope for an outer one takes; lowering goes on in the current one.
// Returning frees the stack by itself.
void unwind_to(Lower *lower, Unwind *until, bool returning) {
    Reg token = NO_REG;
    Unwind *from = lower->unwind;
    for (Unwind *at = from; at != until; at = at->outer) {
        lower->unwind = at->outer;
        if (at->cleanup)
            call_cleanup(lower, at->cleanup);
        else
            token = at->token;
    }
    lower->unwind = from;
    if (token.i != NO_ID && !returning) emit_builtin(lower, BI_STACK_RESTORE, NO_REG, &token, 1, 0);
}

static Unwind *common_scope(Unwind *a, Unwind *b) {
    while (a != b) {
        if (b && (!a || b->depth > a->depth))
            b = b->outer;
        else
            a = a->outer;
    }
    return a;
}

// ---- Labels

static uint32_t label_index(Lower *lower, LabelDecl *label) {
    if (!label->number) {
        Label new = label_new(lower);
        vec_push(lower->arena, &lower->named_labels, (NamedLabel){.label = new});
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

// A goto out of nothing that needs care is a jump; others wait until all labels are known.
void lower_goto(Lower *lower, LabelDecl *label) {
    uint32_t target = label_index(lower, label);
    if (!lower->unwind) {
        emit_jump(lower, lower->named_labels.at[target].label);
        return;
    }
    Label edge = label_new(lower);
    vec_push(lower->arena, &lower->pending_gotos,
             (PendingGoto){.edge = edge, .target = target, .unwind = lower->unwind});
    emit_jump(lower, edge);
}

// All computed gotos of a function share one switch over the labels whose address is taken.
void lower_computed_goto(Lower *lower, const Expr *expr) {
    if (lower->dispatch.i == NO_ID) {
        lower->dispatch = label_new(lower);
        lower->dispatch_value = reg_new(lower, TYPE_I64);
    }
    lower_into(lower, expr, lower->dispatch_value);
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
        unwind_to(lower, common_scope(pending.unwind, target->unwind), false);
        emit_jump(lower, lower->named_labels.at[pending.target].label);
    }
    lower->unwind = NULL;
    if (lower->dispatch.i != NO_ID) emit_dispatch(lower);
}
