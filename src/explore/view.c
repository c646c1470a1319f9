#include "explore/view.h"

#include "form/mach.h"
#include "graph/basic_blocks.h"
#include "text/text.h"

#include <string.h>

// ---- Lines

// How far the text has been read: what a line is depends on those before.
typedef struct {
    View *view;
    Arena *arena;
    uint32_t items; // so many were met
    bool body;      // a block of machine code or a region has begun
    bool floating;
} Cutting;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool starts_with(const char *text, size_t length, const char *start) {
    size_t count = strlen(start);
    return length >= count && memcmp(text, start, count) == 0;
}

// The number at the start of a line and what follows it: "12: "; 0 if there is none.
static size_t read_label(const char *text, size_t length, uint32_t *label) {
    size_t at = 0;
    *label = 0;
    while (at < length && is_digit(text[at])) *label = *label * 10 + (uint32_t)(text[at++] - '0');
    return at && starts_with(text + at, length - at, ": ") ? at + 2 : 0;
}

static char kind_of_item(const Item *item) {
    switch ((FuncItemKind)item->kind) {
    case ITEM_PHI:
    case ITEM_MERGE:
    case ITEM_ETA:
    case ITEM_MEMORY_PHI: return 'm';
    case ITEM_FLOATING: return 'f';
    case ITEM_INSTR:
    case ITEM_MACH:
    case ITEM_EQUATION:
    case ITEM_KIND_COUNT: break;
    }
    return 'i';
}

// A line that does something is the next item; a text with more lines than items has lines without.
static void set_item(Cutting *cutting, ViewLine *line) {
    const FuncItems *items = cutting->view->items;
    line->kind = 'i';
    if (cutting->items == items->count) return;
    line->item = cutting->items++;
    const Item *item = &items->at[line->item];
    line->kind = kind_of_item(item);
    if (item->kind == ITEM_MACH) line->label = item->index;
}

static void cut_line(Cutting *cutting, const char *text, size_t length) {
    View *view = cutting->view;
    size_t at = 0;
    while (at < length && text[at] == ' ') at++;
    ViewLine line = {.kind = 'h', .item = NO_ID, .label = NO_ID, .block = NO_ID};
    const char *rest = text + at;
    size_t left = length - at, label = 0;
    bool mach = view_is_machine(view->func);
    if (view->lines.count == 0) {
        line.kind = 'h';
    } else if (at == 0 && starts_with(rest, left, "}")) {
        line.kind = 'e';
    } else if (mach && at == 0) {
        line.kind = 'l';
        cutting->body = true;
    } else if (mach || cutting->floating) {
        if (cutting->body) set_item(cutting, &line);
    } else if ((label = read_label(rest, left, &line.label))) {
        set_item(cutting, &line);
    } else if (view->func->son && starts_with(rest, left, "region ")) {
        line.kind = 'l';
        cutting->body = true;
    } else if (view->func->son && starts_with(rest, left, "floating:")) {
        cutting->floating = cutting->body = true;
    } else if (view->func->gsa && !starts_with(rest, left, "reg ") &&
               !starts_with(rest, left, "slot ")) {
        line.kind = 'p';
    }
    if (!label && line.kind != 'i') line.label = NO_ID;
    line.text = size_to_u32((size_t)(rest + label - view->text.text), "bytes of a function's text");
    line.length = (uint32_t)(left - label);
    vec_push(cutting->arena, &view->lines, line);
}

static void cut_lines(Arena *arena, View *view) {
    Cutting cutting = {.view = view, .arena = arena};
    const char *text = view->text.text, *end = text + view->text.length;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop) stop = end;
        cut_line(&cutting, text, (size_t)(stop - text));
        text = stop + 1;
    }
}

// ---- Blocks

static const Item *line_item(const View *view, uint32_t line) {
    uint32_t item = view->lines.at[line].item;
    return item == NO_ID ? NULL : &view->items->at[item];
}

static bool in_range(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (instr_succs(func, instr)[k].i >= func->nodes.count) return false;
    }
    return true;
}

// For each node whether it starts a run of lines that are executed together: a block, or a part of
// one that lies apart in the text.
static bool *find_starts(Arena *arena, const Func *func) {
    bool *starts = ARENA_ARRAY(arena, bool, func->nodes.count + 1);
    Preds preds = preds_of(arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        starts[n] =
            !continues_block(func, &preds, (Node){n}) || preds_at(&preds, (Node){n})->i + 1 != n;
    return starts;
}

// Where blocks start: at labels of blocks and regions, if the form has them, else at a node that
// starts one.
static void cut_blocks(Arena *arena, View *view) {
    const Func *func = view->func;
    bool labels = view_is_machine(func) || func->son;
    const bool *starts = labels ? NULL : find_starts(arena, func);
    uint32_t count = view_is_machine(func) ? func->mach->blocks.count : func->nodes.count;
    uint32_t last = NO_ID, behind = 0;
    view->node_block = ARENA_ARRAY(arena, uint32_t, count + 1);
    memset(view->node_block, 0xff, sizeof(uint32_t) * (count + 1));
    view->block_at = ARENA_ARRAY(arena, uint32_t, view->lines.count + 1);
    for (uint32_t i = 0; i < view->lines.count; i++) {
        ViewLine *line = &view->lines.at[i];
        const Item *item = line_item(view, i);
        bool node = item && item->kind != ITEM_FLOATING && item->kind != ITEM_MACH;
        bool starts_here = labels ? line->kind == 'l'
                                  : node && item->node != last && item->node < func->nodes.count &&
                                        starts[item->node];
        if (starts_here) view->block_at[view->block_count++] = i;
        if (node) last = item->node;
        if (!view->block_count ||
            (!node && line->kind != 'l' && (!item || item->kind != ITEM_MACH)))
            continue;
        line->block = view->block_count - 1;
        behind = i + 1;
        if (node && item->node < func->nodes.count) view->node_block[item->node] = line->block;
        if (view_is_machine(func) && line->block < count)
            view->node_block[line->block] = line->block;
    }
    view->tail = behind;
}

// The last line of a block that may name successors; NO_ID if there is none.
static uint32_t last_item_line(const View *view, uint32_t block) {
    uint32_t end = block + 1 < view->block_count ? view->block_at[block + 1] : view->tail;
    for (uint32_t i = end; i > view->block_at[block]; i--)
        if (view->lines.at[i - 1].item != NO_ID) return i - 1;
    return NO_ID;
}

// The successors of a block as the form counts them: nodes or machine blocks.
static uint32_t raw_succs(const View *view, uint32_t block, const Instr **end) {
    *end = NULL;
    if (view_is_machine(view->func))
        return block < view->func->mach->blocks.count ? mach_block(view->func, block)->succ_count
                                                      : 0;
    uint32_t line = last_item_line(view, block);
    const Item *item = line == NO_ID ? NULL : line_item(view, line);
    if (!item || item->node >= view->func->nodes.count) return 0;
    *end = &view->func->nodes.at[item->node];
    return (*end)->succ_count;
}

static void find_edges(Arena *arena, View *view) {
    VEC(uint32_t) succs = {0};
    view->succ_at = ARENA_ARRAY(arena, uint32_t, view->block_count + 1);
    for (uint32_t b = 0; b < view->block_count; b++) {
        const Instr *end;
        uint32_t count = raw_succs(view, b, &end);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t to = end ? instr_succs(view->func, end)[k].i
                              : mach_succs(view->func, mach_block(view->func, b))[k];
            if (!end && to >= view->func->mach->blocks.count) to = 0; // damaged
            uint32_t target = view->node_block[to];
            vec_push(arena, &succs, target == NO_ID ? 0 : target);
        }
        view->succ_at[b + 1] = succs.count;
    }
    view->succ = succs.at;
}

static void print_case(Out *out, const int64_t *cases, uint32_t k) {
    if (k == 0)
        out_text(out, "default");
    else
        out_i64(out, cases[k - 1]);
}

void view_print_edge(Out *out, const View *view, uint32_t block, uint32_t k) {
    const Instr *end;
    uint32_t count = raw_succs(view, block, &end);
    if (end) {
        if (end->kind == I_COND && count == 2) out_text(out, k ? "F" : "T");
        if (end->kind == I_SWITCH) print_case(out, instr_cases(view->func, end), k);
        return;
    }
    uint32_t line = last_item_line(view, block);
    const Item *item = line == NO_ID ? NULL : line_item(view, line);
    if (!item || count < 2) return;
    const MachInstr *instr = mach_at(view->func, item->index);
    if (instr->kind == MK_BRANCH) out_text(out, k ? "F" : "T");
    if (instr->kind == MK_SWITCH) print_case(out, mach_cases(view->func, instr), k);
}

View view_of(Arena *arena, const Func *func, const FuncItems *items) {
    View view = {.func = func, .items = items};
    func_print(&view.text, func, &(PrintOptions){0});
    cut_lines(arena, &view);
    view.tail = view.lines.count;
    if (!view_is_machine(func) && !in_range(func)) return view;
    cut_blocks(arena, &view);
    find_edges(arena, &view);
    view_analyse(arena, &view);
    return view;
}

void view_free(View *view) {
    out_free(&view->text);
}
