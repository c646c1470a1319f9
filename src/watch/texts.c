// Items as text. Facts about a function's items are computed once.
#include "watch/watch_items.h"

#include "form/mach.h"

typedef struct {
    const Func *func;
    FuncItems items;
    ItemNumbers numbers;
    const char *const *texts; // NULL if they were not asked for yet
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
    FuncTexts of = {.func = func, .items = items_of(texts->arena, func)};
    of.numbers = item_numbers(texts->arena, &of.items);
    vec_push(texts->arena, &texts->funcs, of);
    return &texts->funcs.at[texts->last];
}

const FuncItems *watch_func_items(WatchTexts *texts, const Func *func) {
    return &texts_of(texts, func)->items;
}

void watch_print_item(Out *out, WatchTexts *texts, const Func *func, const Item *item) {
    char label[32];
    FuncTexts *of = texts_of(texts, func);
    uint32_t number = item_number(&of->numbers, (FuncItemKind)item->kind, item->index);
    if (!of->texts) of->texts = item_texts(texts->arena, func, &of->items);
    watch_label(label, sizeof label, func, item);
    if (*label && item->kind != ITEM_EQUATION) out_printf(out, "%s: ", label);
    if (number != NO_ID) out_text(out, of->texts[number]);
}

void watch_label(char *label, size_t size, const Func *func, const Item *item) {
    uint32_t block;
    label[0] = '\0';
    if (item->kind == ITEM_MACH && (block = mach_block_of(func, item->index)) != NO_ID)
        snprintf(label, size, "b%u.%u", block, item->index - mach_block(func, block)->first);
    else if (item->node != NO_ID)
        snprintf(label, size, "%u", func_label(func, (Node){item->node}));
    else if (item->kind == ITEM_EQUATION)
        snprintf(label, size, "%u", item->index);
}
