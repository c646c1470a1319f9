#include "analysis/conditions/bdd.h"

#include "base/hash.h"

enum { KNOWN_SIZE = 1 << 13 };

// The hash table is twice as large as the budget.
static uint32_t table_size(const BddTable *table) {
    uint32_t size = 64;
    while (size < 2 * table->budget) size *= 2;
    return size;
}

void bdd_init(BddTable *table, Arena *arena, uint32_t budget) {
    *table = (BddTable){.arena = arena, .budget = budget};
    table->shared = ARENA_ARRAY(arena, uint32_t, table_size(table));
    table->known = ARENA_ARRAY(arena, BddChoice, KNOWN_SIZE);
    for (Bdd i = BDD_FALSE; i <= BDD_TRUE; i++)
        vec_push(arena, &table->nodes, (BddNode){.variable = UINT32_MAX, .low = i, .high = i});
}

static Bdd make(BddTable *table, uint32_t variable, Bdd low, Bdd high) {
    if (low == high) return low;
    uint32_t mask = table_size(table) - 1;
    uint32_t at = (uint32_t)hash_add(hash_add(hash_mix(variable), low), high) & mask;
    for (; table->shared[at]; at = (at + 1) & mask) {
        const BddNode *node = &table->nodes.at[table->shared[at]];
        if (node->variable == variable && node->low == low && node->high == high)
            return table->shared[at];
    }
    if (table->nodes.count >= table->budget || variable >= BDD_MAX_VARIABLES) table->full = true;
    if (table->full) return BDD_FALSE;
    table->shared[at] = table->nodes.count;
    vec_push(table->arena, &table->nodes, (BddNode){variable, low, high});
    return table->nodes.count - 1;
}

Bdd bdd_variable(BddTable *table, uint32_t variable) {
    return make(table, variable, BDD_FALSE, BDD_TRUE);
}

static uint32_t variable_of(const BddTable *table, Bdd function) {
    return table->nodes.at[function].variable;
}

// The part of a function where a variable, none of its own being smaller, has a value.
static Bdd part(const BddTable *table, Bdd function, uint32_t variable, bool value) {
    const BddNode *node = &table->nodes.at[function];
    if (node->variable != variable) return function;
    return value ? node->high : node->low;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

Bdd bdd_choose(BddTable *table, Bdd test, Bdd yes, Bdd no) {
    if (table->full) return BDD_FALSE;
    if (test == BDD_TRUE || yes == no) return yes;
    if (test == BDD_FALSE) return no;
    if (yes == BDD_TRUE && no == BDD_FALSE) return test;
    uint64_t hash = hash_add(hash_add(hash_mix(test), yes), no);
    BddChoice *known = &table->known[hash & (KNOWN_SIZE - 1)];
    if (known->test == test && known->yes == yes && known->no == no) return known->result;
    uint32_t variable =
        smaller(variable_of(table, test), smaller(variable_of(table, yes), variable_of(table, no)));
    Bdd half[2];
    for (int value = 0; value < 2; value++)
        half[value] =
            bdd_choose(table, part(table, test, variable, value), part(table, yes, variable, value),
                       part(table, no, variable, value));
    Bdd result = make(table, variable, half[0], half[1]);
    if (!table->full) *known = (BddChoice){test, yes, no, result};
    return result;
}

void bdd_support(BddTable *table, Bdd function, bool *used) {
    bool *seen = ARENA_ARRAY(table->arena, bool, table->nodes.count);
    BddLiterals work = {0};
    vec_push(table->arena, &work, function);
    while (work.count) {
        Bdd at = vec_pop(&work);
        if (at <= BDD_TRUE || seen[at]) continue;
        seen[at] = true;
        const BddNode *node = &table->nodes.at[at];
        used[node->variable] = true;
        vec_push(table->arena, &work, node->low);
        vec_push(table->arena, &work, node->high);
    }
}

// Nodes have larger numbers than their parts.
Bdd bdd_forget(BddTable *table, Bdd function, const bool *forgotten) {
    bool *wanted = ARENA_ARRAY(table->arena, bool, (size_t)function + 1);
    Bdd *result = ARENA_ARRAY(table->arena, Bdd, (size_t)function + 1);
    wanted[function] = true;
    for (Bdd i = function; i > BDD_TRUE; i--)
        if (wanted[i]) wanted[table->nodes.at[i].low] = wanted[table->nodes.at[i].high] = true;
    for (Bdd i = 0; i <= function && !table->full; i++) {
        if (i <= BDD_TRUE) result[i] = i;
        if (i <= BDD_TRUE || !wanted[i]) continue;
        BddNode node = table->nodes.at[i];
        Bdd low = result[node.low], high = result[node.high];
        result[i] = forgotten[node.variable]
                        ? bdd_or(table, low, high)
                        : bdd_choose(table, bdd_variable(table, node.variable), high, low);
    }
    return table->full ? BDD_FALSE : result[function];
}

// ---- Products

typedef struct {
    BddTable *table;
    BddLiterals *products;
    BddLiterals chosen; // literals that all products that are made now have
} ProductSearch;

static Bdd find_products(ProductSearch *search, Bdd lower, Bdd upper);

// Products with a literal more.
static Bdd products_with(ProductSearch *search, uint32_t literal, Bdd lower, Bdd upper) {
    vec_push(search->table->arena, &search->chosen, literal);
    Bdd result = find_products(search, lower, upper);
    (void)vec_pop(&search->chosen);
    return result;
}

// Appends the products for functions between two, and yields their sum. Of the first variable:
// first the part that only products with its negation can cover, then the part that only products
// with it can cover, then the rest, without it.
static Bdd find_products(ProductSearch *search, Bdd lower, Bdd upper) {
    BddTable *table = search->table;
    if (table->full || lower == BDD_FALSE) return BDD_FALSE;
    if (upper == BDD_TRUE) {
        for (uint32_t i = 0; i < search->chosen.count; i++)
            vec_push(table->arena, search->products, search->chosen.at[i]);
        vec_push(table->arena, search->products, BDD_END);
        return BDD_TRUE;
    }
    uint32_t variable = smaller(variable_of(table, lower), variable_of(table, upper));
    Bdd low[2], up[2], sum[2];
    for (int value = 0; value < 2; value++) {
        low[value] = part(table, lower, variable, value);
        up[value] = part(table, upper, variable, value);
    }
    for (int value = 0; value < 2; value++) {
        Bdd only = bdd_and(table, low[value], bdd_not(table, up[!value]));
        sum[value] = products_with(search, 2 * variable + !value, only, up[value]);
    }
    Bdd left = BDD_FALSE;
    for (int value = 0; value < 2; value++)
        left = bdd_or(table, left, bdd_and(table, low[value], bdd_not(table, sum[value])));
    Bdd both = find_products(search, left, bdd_and(table, up[0], up[1]));
    for (int value = 0; value < 2; value++) sum[value] = bdd_or(table, sum[value], both);
    return make(table, variable, sum[0], sum[1]);
}

bool bdd_products(BddTable *table, Bdd lower, Bdd upper, BddLiterals *products) {
    ProductSearch search = {.table = table, .products = products};
    find_products(&search, lower, upper);
    return !table->full;
}
