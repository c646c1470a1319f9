// Items as text, as the forms' printers write them.
#include "watch/watch_items.h"

#include "form/fssa/fssa_print.h"
#include "form/gsa/gsa_print.h"
#include "form/mach/mach.h"
#include "form/son/son.h"

typedef struct {
    const Func *func;
    Preds preds;
    GateText *gates;
    bool has_preds;
} FuncTexts;

struct WatchTexts {
    Arena *arena;
    VEC(FuncTexts) funcs;
    uint32_t last;
};

WatchTexts *watch_texts_new(Arena *arena) {
    WatchTexts *texts = ARENA_NEW(arena, WatchTexts);
    texts->arena = arena;
    return texts;
}

static FuncTexts *texts_of(WatchTexts *texts, const Func *func) {
    if (texts->last < texts->funcs.count && texts->funcs.at[texts->last].func == func)
        return &texts->funcs.at[texts->last];
    for (texts->last = 0; texts->last < texts->funcs.count; texts->last++)
        if (texts->funcs.at[texts->last].func == func) return &texts->funcs.at[texts->last];
    vec_push(texts->arena, &texts->funcs, (FuncTexts){.func = func});
    return &texts->funcs.at[texts->last];
}

static const Preds *preds_for(WatchTexts *texts, const Func *func) {
    FuncTexts *of = texts_of(texts, func);
    if (!of->has_preds) of->preds = preds_of(texts->arena, func);
    of->has_preds = true;
    return &of->preds;
}

static GateText *gates_for(WatchTexts *texts, const Func *func) {
    FuncTexts *of = texts_of(texts, func);
    if (!of->gates) of->gates = gate_text_new(texts->arena, func, NULL, 0);
    return of->gates;
}

static void print_machine(Out *out, const Func *func, uint32_t index) {
    uint32_t block = mach_block_of(func, index);
    if (block == NO_ID) return;
    out_printf(out, "b%u.%u: ", block, index - mach_block(func, block)->first);
    mach_instr_print(out, func, mach_block(func, block), mach_at(func, index));
}

void watch_print_item(Out *out, WatchTexts *texts, const WatchItem *item) {
    const Func *func = item->func;
    if (item->node != NO_ID) out_printf(out, "%u: ", func_label(func, (Node){item->node}));
    switch (item->kind) {
    case WATCH_INSTR: instr_print(out, func, func_at(func, (Node){item->node})); break;
    case WATCH_PHI:
        phi_print(out, func, preds_for(texts, func), (Node){item->node},
                  &func->phis.at[item->index]);
        break;
    case WATCH_MERGE:
        merge_print(out, gates_for(texts, func), &func->gsa->merges.at[item->index]);
        break;
    case WATCH_ETA: eta_print(out, gates_for(texts, func), &func->gsa->etas.at[item->index]); break;
    case WATCH_FLOATING: instr_print(out, func, &func->son->floating.at[item->index]); break;
    case WATCH_MACH: print_machine(out, func, item->index); break;
    case WATCH_EQUATION: fssa_equation_print(out, func, item->index); break;
    case WATCH_DEMANDED:
        if (item->reg.i == NO_ID)
            instr_print(out, func, func_at(func, (Node){item->node}));
        else
            reg_print(out, func, (Reg){item->index});
        break;
    }
}
