// Sets of keys as binary tries. No recursion goes deeper than a key has bits.
#include "check/machine/key_set.h"

#include <string.h>

static KeyNode *node_at(const KeySets *sets, uint32_t at) {
    return &sets->nodes.at[at];
}

static uint64_t *keys_of(const KeySets *sets, const KeyNode *leaf) {
    return sets->keys.at + (size_t)leaf->left * KEYS_PER_LEAF;
}

static uint64_t key_in(const KeySets *sets, uint32_t at) {
    const KeyNode *node = node_at(sets, at);
    return node->leaf ? keys_of(sets, node)[0] : node->some_key;
}

uint32_t keys_count(const KeySets *sets, KeySet set) {
    return set == NO_KEYS ? 0 : node_at(sets, set)->total;
}

// ---- Making nodes

static uint32_t new_node(KeySets *sets, KeyNode node) {
    node.age = sets->age;
    vec_push(sets->arena, &sets->nodes, node);
    return sets->nodes.count - 1;
}

static uint32_t new_leaf(KeySets *sets, const uint64_t *keys, uint32_t count) {
    uint64_t *copy = vec_extend(sets->arena, &sets->keys, KEYS_PER_LEAF);
    memcpy(copy, keys, count * sizeof *keys);
    return new_node(sets, (KeyNode){.leaf = true, .left = sets->leaves++, .total = count});
}

static uint8_t highest_bit(uint64_t word) {
    return (uint8_t)(63 - __builtin_clzll(word));
}

static bool has_bit(uint64_t key, uint8_t bit) {
    return key >> bit & 1;
}

// Two subtrees that are alike above the bit and differ there.
static uint32_t new_branch(KeySets *sets, uint8_t bit, uint32_t left, uint32_t right) {
    return new_node(sets, (KeyNode){.left = left,
                                    .right = right,
                                    .total = keys_count(sets, left) + keys_count(sets, right),
                                    .some_key = key_in(sets, left),
                                    .bit = bit});
}

// Two subtrees none of whose keys are of the other's kind: they differ first at the highest bit at
// which two keys differ.
static uint32_t join(KeySets *sets, uint32_t a, uint32_t b) {
    uint64_t key = key_in(sets, a);
    uint8_t bit = highest_bit(key ^ key_in(sets, b));
    return has_bit(key, bit) ? new_branch(sets, bit, b, a) : new_branch(sets, bit, a, b);
}

// The branch with other children: itself if it may be changed, or if the children are unchanged. A
// child that was changed in place has a parent that may be, too.
static uint32_t with_children(KeySets *sets, uint32_t at, uint32_t left, uint32_t right) {
    const KeyNode *node = node_at(sets, at);
    if (left == NO_KEYS) return right;
    if (right == NO_KEYS) return left;
    if (node->age != sets->age) {
        bool same = node->left == left && node->right == right;
        return same ? at : new_branch(sets, node->bit, left, right);
    }
    uint64_t key = key_in(sets, left);
    uint32_t total = keys_count(sets, left) + keys_count(sets, right);
    KeyNode *own = node_at(sets, at);
    own->left = left;
    own->right = right;
    own->total = total;
    own->some_key = key;
    return at;
}

// Whether a key differs from those of a branch above its bit.
static bool is_outside(const KeyNode *branch, uint64_t key) {
    uint64_t difference = branch->some_key ^ key;
    return difference && highest_bit(difference) > branch->bit;
}

// ---- One key

// The place of a key in a leaf: as many are smaller. They are few, so all are looked at, without
// branches.
static uint32_t place_in(const uint64_t *keys, uint32_t count, uint64_t key) {
    uint32_t place = 0;
    for (uint32_t k = 0; k < count; k++) place += keys[k] < key;
    return place;
}

// The set of some keys, ascending: a leaf, or, for too many keys, a branch at the highest bit at
// which they differ.
static uint32_t set_of(KeySets *sets, const uint64_t *keys, uint32_t count) {
    if (count <= KEYS_PER_LEAF) return new_leaf(sets, keys, count);
    uint8_t bit = highest_bit(keys[0] ^ keys[count - 1]);
    uint32_t low = 0;
    while (!has_bit(keys[low], bit)) low++;
    uint32_t left = set_of(sets, keys, low);
    return new_branch(sets, bit, left, set_of(sets, keys + low, count - low));
}

// A leaf with the same keys that may be changed: itself, or a copy.
static uint32_t own_leaf(KeySets *sets, uint32_t at) {
    if (node_at(sets, at)->age == sets->age) return at;
    uint64_t keys[KEYS_PER_LEAF];
    memcpy(keys, keys_of(sets, node_at(sets, at)), sizeof keys);
    return new_leaf(sets, keys, node_at(sets, at)->total);
}

static uint32_t put_in_leaf(KeySets *sets, uint32_t at, uint64_t key) {
    const KeyNode *leaf = node_at(sets, at);
    uint32_t count = leaf->total, k = place_in(keys_of(sets, leaf), count, key);
    if (k < count && keys_of(sets, leaf)[k] == key) return at;
    if (count == KEYS_PER_LEAF) {
        uint64_t all[KEYS_PER_LEAF + 1];
        memcpy(all, keys_of(sets, leaf), k * sizeof key);
        all[k] = key;
        memcpy(all + k + 1, keys_of(sets, leaf) + k, (count - k) * sizeof key);
        return set_of(sets, all, count + 1);
    }
    uint32_t own = own_leaf(sets, at);
    uint64_t *keys = keys_of(sets, node_at(sets, own));
    for (uint32_t i = count; i > k; i--) keys[i] = keys[i - 1];
    keys[k] = key;
    node_at(sets, own)->total++;
    return own;
}

static uint32_t put(KeySets *sets, uint32_t at, uint64_t key) {
    sets->work++;
    KeyNode node = *node_at(sets, at);
    if (node.leaf) return put_in_leaf(sets, at, key);
    if (is_outside(&node, key)) return join(sets, at, new_leaf(sets, &key, 1));
    if (has_bit(key, node.bit))
        node.right = put(sets, node.right, key);
    else
        node.left = put(sets, node.left, key);
    return with_children(sets, at, node.left, node.right);
}

KeySet keys_put(KeySets *sets, KeySet set, uint64_t key) {
    return set == NO_KEYS ? new_leaf(sets, &key, 1) : put(sets, set, key);
}

static uint32_t drop_from_leaf(KeySets *sets, uint32_t at, uint64_t key) {
    const KeyNode *leaf = node_at(sets, at);
    uint32_t count = leaf->total, k = place_in(keys_of(sets, leaf), count, key);
    if (k == count || keys_of(sets, leaf)[k] != key) return at;
    if (count == 1) return NO_KEYS;
    uint32_t own = own_leaf(sets, at);
    uint64_t *keys = keys_of(sets, node_at(sets, own));
    for (; k + 1 < count; k++) keys[k] = keys[k + 1];
    node_at(sets, own)->total--;
    return own;
}

static uint32_t drop(KeySets *sets, uint32_t at, uint64_t key) {
    sets->work++;
    KeyNode node = *node_at(sets, at);
    if (node.leaf) return drop_from_leaf(sets, at, key);
    if (is_outside(&node, key)) return at;
    if (has_bit(key, node.bit))
        node.right = drop(sets, node.right, key);
    else
        node.left = drop(sets, node.left, key);
    return with_children(sets, at, node.left, node.right);
}

KeySet keys_drop(KeySets *sets, KeySet set, uint64_t key) {
    return set == NO_KEYS ? set : drop(sets, set, key);
}

// A branch none of whose keys is as large is left at once, so that this goes down two ways at most.
static uint64_t next(KeySets *sets, uint32_t at, uint64_t from) {
    sets->work++;
    const KeyNode *node = node_at(sets, at);
    if (node->leaf) {
        const uint64_t *keys = keys_of(sets, node);
        uint32_t k = place_in(keys, node->total, from);
        return k < node->total ? keys[k] : NO_KEY;
    }
    uint64_t below = ((uint64_t)1 << node->bit << 1) - 1; // the bits that may be anything
    if (from > (node->some_key | below)) return NO_KEY;
    uint32_t right = node->right;
    uint64_t found = next(sets, node->left, from);
    return found != NO_KEY ? found : next(sets, right, from);
}

uint64_t keys_next(KeySets *sets, KeySet set, uint64_t from) {
    return set == NO_KEYS ? NO_KEY : next(sets, set, from);
}

// ---- Unions

static uint32_t unite(KeySets *sets, uint32_t a, uint32_t b);

static uint32_t put_all(KeySets *sets, uint32_t to, uint32_t leaf) {
    uint64_t keys[KEYS_PER_LEAF];
    uint32_t count = node_at(sets, leaf)->total;
    memcpy(keys, keys_of(sets, node_at(sets, leaf)), count * sizeof *keys);
    for (uint32_t k = 0; k < count; k++) to = keys_put(sets, to, keys[k]);
    return to;
}

static uint32_t unite_leaves(KeySets *sets, uint32_t a, uint32_t b) {
    const KeyNode *first = node_at(sets, a), *second = node_at(sets, b);
    const uint64_t *left = keys_of(sets, first), *right = keys_of(sets, second);
    uint64_t both[2 * KEYS_PER_LEAF];
    uint32_t count = 0;
    for (uint32_t i = 0, j = 0; i < first->total || j < second->total; count++) {
        bool from_left = j == second->total || (i < first->total && left[i] <= right[j]);
        bool from_right = i == first->total || (j < second->total && right[j] <= left[i]);
        both[count] = from_left ? left[i] : right[j];
        i += from_left;
        j += from_right;
    }
    if (count == first->total) return a;
    return count == second->total ? b : set_of(sets, both, count);
}

// Of two branches.
static uint32_t unite_branches(KeySets *sets, uint32_t a, uint32_t b) {
    KeyNode first = *node_at(sets, a), second = *node_at(sets, b);
    const KeyNode *upper = first.bit >= second.bit ? &first : &second;
    uint64_t key = upper == &first ? second.some_key : first.some_key;
    if (is_outside(upper, key)) return join(sets, a, b);
    uint32_t left = upper->left, right = upper->right;
    if (first.bit == second.bit) {
        left = unite(sets, first.left, second.left);
        right = unite(sets, first.right, second.right);
    } else if (has_bit(key, upper->bit)) {
        right = upper == &first ? unite(sets, right, b) : unite(sets, a, right);
    } else {
        left = upper == &first ? unite(sets, left, b) : unite(sets, a, left);
    }
    if (first.left == left && first.right == right) return a;
    if (second.left == left && second.right == right) return b;
    return new_branch(sets, upper->bit, left, right);
}

// Remembers results, also that the union includes both: where many sets are made of few large sets,
// these are met again and again.
static uint32_t unite(KeySets *sets, uint32_t a, uint32_t b) {
    if (a == b) return a;
    sets->work++;
    if (node_at(sets, a)->leaf && node_at(sets, b)->leaf) return unite_leaves(sets, a, b);
    if (node_at(sets, b)->leaf) return put_all(sets, a, b);
    if (node_at(sets, a)->leaf) return put_all(sets, b, a);
    uint32_t known = map_get(&sets->unions, (uint64_t)a << 32 | b);
    if (known != HASH_NONE) return known;
    uint32_t both = unite_branches(sets, a, b);
    map_set(sets->arena, &sets->unions, (uint64_t)a << 32 | b, both);
    map_set(sets->arena, &sets->unions, (uint64_t)both << 32 | a, both);
    map_set(sets->arena, &sets->unions, (uint64_t)both << 32 | b, both);
    return both;
}

KeySet keys_union(KeySets *sets, KeySet a, KeySet b) {
    if (a == NO_KEYS || b == NO_KEYS) return a == NO_KEYS ? b : a;
    keys_keep(sets);
    KeySet both = unite(sets, a, b);
    keys_keep(sets);
    return both;
}
