// Units once a file is parsed: what can be cut. See units.h.
#include "c/parse/units.h"

const char *unit_kind_name(UnitKind kind) {
    static const char *const names[UNIT_KIND_COUNT] = {
        [UNIT_FUNCTION] = "function",
        [UNIT_BLOCK] = "block",
        [UNIT_EXPRESSION] = "expression",
        [UNIT_DECLARATION] = "declaration",
        [UNIT_DECLARATOR] = "declarator",
        [UNIT_INITIALIZER] = "initializer",
        [UNIT_IF] = "if",
        [UNIT_WHILE] = "while",
        [UNIT_DO] = "do",
        [UNIT_FOR] = "for",
        [UNIT_SWITCH] = "switch",
        [UNIT_CASE] = "case",
        [UNIT_LABEL] = "label",
        [UNIT_GOTO] = "goto",
        [UNIT_BREAK] = "break",
        [UNIT_CONTINUE] = "continue",
        [UNIT_RETURN] = "return",
        [UNIT_ASM] = "asm",
        [UNIT_EMPTY] = "empty",
        [UNIT_LABELLED] = "labelled",
        [UNIT_GROUP] = "group",
    };
    return names[kind];
}

void units_init(Units *units, Arena *arena) {
    *units = (Units){.arena = arena};
    vec_push(arena, &units->all, (Unit){.role = ROLE_FUNCTION}); // number 0 is none
}

static bool in_text(const Unit *unit) {
    return unit->begin != NO_ID && unit->end != NO_ID && unit->begin < unit->end;
}

// The next item of the same block behind a unit, or 0.
static uint32_t next_item(const Units *units, uint32_t unit) {
    const Unit *at = unit_at(units, unit);
    uint32_t next = at->last + 1;
    if (next > unit_at(units, at->parent)->last) return 0;
    return unit_at(units, next)->role == ROLE_ITEM ? next : 0;
}

// Items that macros tie together, from the first one on, are one unit: all count as the first.
// Yields the last one.
static uint32_t tie_items(Units *units, uint32_t first) {
    uint32_t last = first;
    while (!unit_at(units, last)->right) {
        uint32_t next = next_item(units, last);
        if (!next) return first;
        last = next;
    }
    Unit *whole = unit_at(units, first);
    const Unit *end = unit_at(units, last);
    if (last == first || !whole->left || whole->begin == NO_ID || end->end == NO_ID) return first;
    whole->kind = UNIT_GROUP;
    whole->end = end->end;
    whole->right = true;
    for (uint32_t at = next_item(units, first);; at = next_item(units, at)) {
        Unit *member = unit_at(units, at);
        member->left = member->right = false;
        member->owner = first;
        whole->pinned |= member->pinned;
        whole->always |= member->always;
        whole->uses_line |= member->uses_line;
        if (at == last) break;
    }
    whole->last = end->last;
    return last;
}

static uint32_t line_at(const uint32_t *lines, uint32_t count, uint32_t offset) {
    uint32_t low = 0, high = count; // it is in [low, high)
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void place(const Units *units, const uint32_t *lines, uint32_t count, Unit *unit) {
    (void)units;
    if (!in_text(unit)) return;
    uint32_t first = line_at(lines, count, unit->begin),
             last = line_at(lines, count, unit->end - 1);
    unit->line = first + 1;
    unit->column = unit->begin - lines[first] + 1;
    unit->end_line = last + 1;
    unit->end_column = unit->end - lines[last];
}

static void place_all(Units *units) {
    VEC(uint32_t) lines = {0};
    Arena *scratch = arena_new("lines");
    vec_push(scratch, &lines, 0);
    for (uint32_t i = 0; i < units->length; i++)
        if (units->text[i] == '\n') vec_push(scratch, &lines, i + 1);
    for (uint32_t u = 1; u < units->all.count; u++)
        place(units, lines.at, lines.count, unit_at(units, u));
    arena_free(scratch);
}

// A label's own text ends at its colon; a unit that shares a macro with it is tied to it.
void units_settle(Units *units) {
    for (uint32_t u = 1; u < units->all.count; u++) {
        const Unit *at = unit_at(units, u);
        if (at->role == ROLE_ITEM && at->left && !at->right && !at->owner) tie_items(units, u);
    }
    for (uint32_t u = 1; u < units->all.count; u++) {
        Unit *at = unit_at(units, u);
        UnitFunction *function = &units->functions.at[at->function];
        if (at->role == ROLE_FUNCTION)
            function->elsewhere = !at->left || !at->right || !in_text(at);
        bool tied = at->owner != 0;
        at->clean = at->role == ROLE_FUNCTION ||
                    (!tied && at->left && at->right && in_text(at) && !function->elsewhere);
        if (at->clean)
            at->owner = u;
        else
            at->owner = unit_at(units, tied ? at->owner : at->parent)->owner;
        if (!at->clean && at->pinned) unit_at(units, at->owner)->pinned = true;
        if (!at->clean && at->always) unit_at(units, at->owner)->always = true;
        if (!at->clean && at->uses_line) unit_at(units, at->owner)->uses_line = true;
    }
    place_all(units);
}
