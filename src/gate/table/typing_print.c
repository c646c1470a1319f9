#include "gate/table/typing_print.h"

#include "check/checkers.h"
#include "graph/versions.h"
#include "text/text.h"

typedef struct {
    const Func *before, *after;
    const SsaHint *hint;
    Preds preds;
    Reg *gamma; // registers of `before` for each node
} Typing;

static Reg *row_of(const Typing *typing, uint32_t node) {
    return typing->gamma + (size_t)node * typing->before->regs.count;
}

// The typing before a node, from that of its predecessor or, at a join, from the checker's.
static void fill_row(Typing *typing, uint32_t node, const Reg *joins, uint32_t *join) {
    uint32_t count = typing->before->regs.count;
    Reg *row = row_of(typing, node);
    for (uint32_t r = 0; r < count; r++) row[r] = NO_REG;
    if (node == 0) {
        for (uint32_t i = 0; i < typing->after->regs.count; i++)
            if (reg_is_never_set(typing->after, (Reg){i})) row[typing->hint->origin.at[i].i].i = i;
    } else if (!preds_is_join(&typing->preds, (Node){node})) {
        uint32_t pred = preds_sole(&typing->preds, (Node){node}).i;
        for (uint32_t r = 0; r < count; r++) row[r] = row_of(typing, pred)[r];
        Reg dest = typing->after->nodes.at[pred].dest;
        if (dest.i != NO_ID) row[typing->hint->origin.at[dest.i].i] = dest;
    } else {
        uint32_t start = typing->hint->tracked_at.at[*join];
        uint32_t end = typing->hint->tracked_at.at[++*join];
        for (uint32_t i = start; i < end; i++) row[typing->hint->tracked.at[i].i] = joins[i];
    }
}

static void print_rows(Out *out, const Typing *typing) {
    const Func *before = typing->before;
    uint32_t count = before->regs.count;
    out_printf(out, "typing of %s\n  node", func_name(before));
    for (uint32_t r = 0; r < count; r++) {
        out_char(out, ' ');
        reg_print(out, before, (Reg){r});
    }
    out_char(out, '\n');
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        out_printf(out, "  %4u", n);
        for (uint32_t r = 0; r < count; r++) {
            Out head = {0};
            reg_print(&head, before, (Reg){r});
            Reg version = row_of(typing, n)[r];
            if (version.i == NO_ID)
                out_printf(out, " %*s", (int)head.length, "-");
            else
                out_printf(out, " %*u", (int)head.length,
                           typing->after->regs.at[version.i].version - 1);
            out_free(&head);
        }
        out_char(out, '\n');
    }
}

void typing_print(Out *out, const Func *before, const Func *after, const SsaHint *hint) {
    Arena *arena = arena_new("typing");
    const Reg *joins = check_ssa_typing(arena, before, after, hint);
    Typing typing = {.before = before,
                     .after = after,
                     .hint = hint,
                     .preds = preds_of(arena, after),
                     .gamma =
                         ARENA_ARRAY(arena, Reg, (size_t)before->nodes.count * before->regs.count)};
    uint32_t join = 0;
    for (uint32_t n = 0; joins && n < before->nodes.count; n++) fill_row(&typing, n, joins, &join);
    if (joins) print_rows(out, &typing);
    arena_free(arena);
}
