#include "text/print/print_items.h"

#include "base/bits.h"
#include "fact/son_regions.h"
#include "form/gsa.h"
#include "form/mach.h"
#include "form/son.h"
#include "text/print/fssa_print.h"

#include <string.h>

bool has_mach_items(const Func *func) {
    return form_table[func->form].body == BODY_mach;
}

bool has_equations(const Func *func) {
    return form_table[func->form].body == BODY_equations;
}

typedef VEC(Item) FoundItems;

static void add(Arena *arena, FoundItems *list, FuncItemKind kind, uint32_t node, uint32_t index) {
    vec_push(arena, list, (Item){.kind = (uint8_t)kind, .node = node, .index = index});
}

// What stands in front of the instruction of a node, as func_print_merges has it.
static void add_merges(Arena *arena, FoundItems *list, const Func *func, Node node) {
    for (uint32_t i = 0; i < func_phi_count(func, node); i++)
        add(arena, list, ITEM_PHI, node.i, func->phi_at.at[node.i] + i);
    for (uint32_t i = 0; func->gsa && i < gsa_eta_count(func, node); i++)
        add(arena, list, ITEM_ETA, node.i, func->gsa->eta_at.at[node.i] + i);
    for (uint32_t i = 0; func->gsa && i < gsa_merge_count(func, node); i++)
        add(arena, list, ITEM_MERGE, node.i, func->gsa->merge_at.at[node.i] + i);
    for (uint32_t i = 0; func->son && i < son_memory_phi_count(func, node); i++)
        add(arena, list, ITEM_MEMORY_PHI, node.i, func->son->memory_phi_at.at[node.i] + i);
}

// The nodes in the order of the text. In Sea of Nodes that is region by region (son_in_order).
static const uint32_t *node_order(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count, next = 0;
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    if (!func->son) {
        for (uint32_t n = 0; n < count; n++) order[n] = n;
        return order;
    }
    Preds preds = preds_of(arena, func);
    const uint32_t *region = son_regions(arena, func, &preds);
    for (uint32_t n = 0; n < count; n++) {
        if (region[n] != n) continue;
        uint32_t at = n;
        do {
            order[next++] = at;
            const Instr *instr = &func->nodes.at[at];
            at = instr->succ_count == 1 ? instr_succs(func, instr)[0].i : n;
        } while (at != n && region[at] == n);
    }
    return order;
}

static bool is_readable(Arena *arena, const Func *func) {
    Out none = {0};
    return func_printer_is_readable(func_printer_new(arena, &none, func));
}

static void add_graph(Arena *arena, FoundItems *list, const Func *func) {
    Arena *scratch = arena_new("items");
    bool readable = is_readable(scratch, func);
    const uint32_t *order = readable ? node_order(scratch, func) : NULL;
    for (uint32_t i = 0; i < func->nodes.count; i++) {
        uint32_t node = order ? order[i] : i;
        if (readable) add_merges(arena, list, func, (Node){node});
        add(arena, list, ITEM_INSTR, node, node);
    }
    for (uint32_t i = 0; func->son && i < func->son->floating.count; i++)
        add(arena, list, ITEM_FLOATING, NO_ID, i);
    arena_free(scratch);
}

static void add_mach(Arena *arena, FoundItems *list, const Func *func) {
    const Mach *mach = func->mach;
    for (uint32_t b = 0; b < mach->blocks.count; b++)
        for (uint32_t i = 0; i < mach->blocks.at[b].count; i++) {
            uint64_t at = (uint64_t)mach->blocks.at[b].first + i;
            if (at < mach->code.count) add(arena, list, ITEM_MACH, NO_ID, (uint32_t)at);
        }
}

static uint32_t *table(Arena *arena, uint32_t count) {
    uint32_t *result = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    memset(result, 0xff, sizeof *result * ((size_t)count + 1));
    return result;
}

// So many items at most.
static uint32_t most_items(const Func *func) {
    if (has_mach_items(func)) return func->mach->code.count;
    uint32_t count = func->nodes.count + func->phis.count;
    if (func->gsa) count += func->gsa->merges.count + func->gsa->etas.count;
    if (func->son) count += func->son->floating.count + func->son->memory_phis.count;
    return count;
}

FuncItems items_of(Arena *arena, const Func *func) {
    FoundItems list = {0};
    (void)vec_extend(arena, &list, most_items(func));
    vec_clear(&list);
    if (has_mach_items(func))
        add_mach(arena, &list, func);
    else if (has_equations(func))
        for (uint32_t i = 0; i < func->fssa->equations.count; i++)
            add(arena, &list, ITEM_EQUATION, NO_ID, i);
    else
        add_graph(arena, &list, func);
    uint32_t *of_node = table(arena, func->nodes.count), *of_reg = table(arena, func->regs.count);
    Bits several = bits_new(arena, func->regs.count);
    for (uint32_t i = 0; i < list.count; i++) {
        const Item *item = &list.at[i];
        if (item->kind == ITEM_INSTR) of_node[item->node] = i;
        uint32_t dest = item_dest(func, item).i;
        if (dest >= func->regs.count) continue;
        if (of_reg[dest] != NO_ID) bits_add(&several, dest);
        of_reg[dest] = i;
    }
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (bits_has(&several, r)) of_reg[r] = NO_ID;
    return (FuncItems){.count = list.count, .at = list.at, .of_node = of_node, .of_reg = of_reg};
}

const Instr *item_instr(const Func *func, const Item *item) {
    if (item->kind == ITEM_INSTR) return &func->nodes.at[item->node];
    return item->kind == ITEM_FLOATING ? &func->son->floating.at[item->index] : NULL;
}

Reg item_dest(const Func *func, const Item *item) {
    switch ((FuncItemKind)item->kind) {
    case ITEM_INSTR:
    case ITEM_FLOATING: return item_instr(func, item)->dest;
    case ITEM_PHI: return func->phis.at[item->index].dest;
    case ITEM_MERGE: return func->gsa->merges.at[item->index].dest;
    case ITEM_ETA: return func->gsa->etas.at[item->index].dest;
    case ITEM_EQUATION: return func->fssa->equations.at[item->index].dest;
    case ITEM_MEMORY_PHI:
    case ITEM_MACH:
    case ITEM_KIND_COUNT: return NO_REG;
    }
    return NO_REG;
}

// Of equations, those have one that say when an effect happens.
static uint32_t equation_loc(const Func *func, uint32_t index) {
    FssaTerm term = func->fssa->equations.at[index].term;
    if (term.i >= func->fssa->terms.count) return 0;
    const FssaTermNode *node = fssa_at(func, term);
    bool effect = node->kind == FT_EFFECT && node->ref < func->nodes.count;
    return effect ? func->nodes.at[node->ref].loc : 0;
}

// What stands at the entry of a node is of the line of that.
uint32_t item_loc(const Func *func, const Item *item) {
    if (item->kind == ITEM_MACH) return func->mach->code.at[item->index].loc;
    if (item->kind == ITEM_FLOATING) return func->son->floating.at[item->index].loc;
    if (item->kind == ITEM_EQUATION) return equation_loc(func, item->index);
    return func->nodes.at[item->node].loc;
}

// ---- Texts

// Lines of a node: each without indentation, and without its label.
static uint32_t add_lines(Arena *arena, const Out *lines, const char **texts, uint32_t room) {
    uint32_t count = 0;
    for (const char *at = lines->text, *end = at + lines->length; at < end && count < room;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        const char *start = colon + 2;
        texts[count++] = arena_text(arena, start, (size_t)(stop - start));
        at = stop + 1;
    }
    return count;
}

static const MachBlock *block_of(const Func *func, const uint32_t *block, uint32_t instr) {
    return &func->mach->blocks.at[block[instr]];
}

static const uint32_t *blocks_of_code(Arena *arena, const Func *func) {
    const Mach *mach = func->mach;
    uint32_t *block = ARENA_ARRAY(arena, uint32_t, (size_t)mach->code.count + 1);
    for (uint32_t b = 0; b < mach->blocks.count; b++)
        for (uint32_t i = 0; i < mach->blocks.at[b].count; i++)
            if ((uint64_t)mach->blocks.at[b].first + i < mach->code.count)
                block[mach->blocks.at[b].first + i] = b;
    return block;
}

static const char *taken(Arena *arena, Out *out) {
    const char *text = arena_text(arena, out->text, out->length);
    out->length = 0;
    return text;
}

const char *const *item_texts(Arena *arena, const Func *func, const FuncItems *items) {
    const char **texts = ARENA_ARRAY(arena, const char *, (size_t)items->count + 1);
    Out out = {0};
    bool mach = has_mach_items(func);
    FuncPrinter *printer = mach || has_equations(func) ? NULL : func_printer_new(arena, &out, func);
    const uint32_t *block = mach ? blocks_of_code(arena, func) : NULL;
    for (uint32_t i = 0; i < items->count;) {
        const Item *item = &items->at[i];
        if (item->kind == ITEM_MACH) {
            mach_instr_print(&out, func, block_of(func, block, item->index),
                             mach_at(func, item->index));
            texts[i++] = taken(arena, &out);
        } else if (item->kind == ITEM_FLOATING) {
            instr_print(&out, func, item_instr(func, item));
            texts[i++] = taken(arena, &out);
        } else if (item->kind == ITEM_EQUATION) {
            fssa_equation_print(&out, func, item->index);
            texts[i++] = taken(arena, &out);
        } else {
            func_print_node(printer, (Node){item->node}, &(PrintOptions){0});
            i += add_lines(arena, &out, texts + i, items->count - i);
            out.length = 0;
        }
    }
    out_free(&out);
    return texts;
}

void item_print(Out *out, const Func *func, const Item *item) {
    Arena *arena = arena_new("item");
    FuncItems items = items_of(arena, func);
    const char *const *texts = item_texts(arena, func, &items);
    for (uint32_t i = 0; i < items.count; i++)
        if (items.at[i].kind == item->kind && items.at[i].node == item->node &&
            items.at[i].index == item->index)
            out_text(out, texts[i]);
    arena_free(arena);
}

// ---- Numbers

ItemNumbers item_numbers(Arena *arena, const FuncItems *items) {
    ItemNumbers numbers = {0};
    uint32_t *of[ITEM_KIND_COUNT];
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = &items->at[i];
        if (item->index >= numbers.count[item->kind]) numbers.count[item->kind] = item->index + 1;
    }
    for (uint32_t k = 0; k < ITEM_KIND_COUNT; k++)
        numbers.of[k] = of[k] = table(arena, numbers.count[k]);
    for (uint32_t i = 0; i < items->count; i++) of[items->at[i].kind][items->at[i].index] = i;
    return numbers;
}

uint32_t item_number(const ItemNumbers *numbers, FuncItemKind kind, uint32_t index) {
    return index < numbers->count[kind] ? numbers->of[kind][index] : NO_ID;
}
