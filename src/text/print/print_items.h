// The items of a function: the lines of its text that do something, in the order of the text. An
// item is an instruction of a graph, a phi, mu, gamma or eta, a memory phi, a floating operator, a
// machine instruction, an equation. Histories and the debugger show functions item by item.
#pragma once

#include "form/forms.h"
#include "text/text.h"

typedef enum {
    ITEM_INSTR,
    ITEM_PHI,
    ITEM_MERGE,
    ITEM_ETA,
    ITEM_MEMORY_PHI,
    ITEM_FLOATING,
    ITEM_MACH,
    ITEM_EQUATION,
    ITEM_KIND_COUNT
} FuncItemKind;

typedef struct {
    uint8_t kind;   // FuncItemKind
    uint32_t node;  // INSTR and merges: the node; else NO_ID
    uint32_t index; // INSTR: the node; else among those of its kind of the whole function
} Item;

typedef struct {
    uint32_t count;
    const Item *at;
    const uint32_t *of_node; // item of each node's instruction
    const uint32_t *of_reg;  // the only item that sets a register; NO_ID if there is none or
                             // several
} FuncItems;

FuncItems items_of(Arena *arena, const Func *func);
// Whether its items are machine instructions, or equations.
bool has_mach_items(const Func *func);
bool has_equations(const Func *func);
uint32_t item_loc(const Func *func, const Item *item); // index into Program.locs; 0: unknown
Reg item_dest(const Func *func, const Item *item); // NO_REG if it sets none, or is of machine code
const Instr *item_instr(const Func *func, const Item *item); // INSTR, FLOATING; NULL for others
// The texts of all items, without labels, as the form has them.
const char *const *item_texts(Arena *arena, const Func *func, const FuncItems *items);
// The text of one item. Printing one takes as long as printing all.
void item_print(Out *out, const Func *func, const Item *item);

// ---- Which number an item has, by its kind and index

typedef struct {
    uint32_t count[ITEM_KIND_COUNT];
    const uint32_t *of[ITEM_KIND_COUNT];
} ItemNumbers;

ItemNumbers item_numbers(Arena *arena, const FuncItems *items);
// NO_ID if there is no such item.
uint32_t item_number(const ItemNumbers *numbers, FuncItemKind kind, uint32_t index);
