// Sets of 64-bit keys that share their common parts.
//
// They serve dataflow over many blocks whose sets hardly differ from one to the next: a set costs
// as much as its difference from the set it was made of, and the union of two sets costs as much as
// their difference. The sets are binary tries (Patricia trees after Okasaki and Gill) with a few
// keys to a leaf. Once a set was kept, its nodes never change; until then, nodes that belong to
// this set alone are changed in place.
#pragma once

#include "base/hash.h"
#include "base/vec.h"

enum { KEYS_PER_LEAF = 16 };

// A branch: keys with a 0 and with a 1 at a bit; all higher bits of its keys are alike. Keys on the
// left are smaller. A leaf: up to KEYS_PER_LEAF keys, ascending.
typedef struct {
    uint32_t left, right; // of a leaf: left is its number in KeySets.keys
    uint32_t total;       // keys in it
    uint32_t age;         // KeySets.age when it was made
    uint64_t some_key;    // of a branch
    uint8_t bit;
    bool leaf;
} KeyNode;

// The nodes of all sets. A set is its root.
typedef struct {
    Arena *arena;
    VEC(KeyNode) nodes;
    VEC(uint64_t) keys; // KEYS_PER_LEAF for each leaf
    uint32_t leaves;
    Map unions;    // of two nodes, the first in the high half: their union
    uint32_t age;  // nodes of this age belong to one set only
    uint64_t work; // steps from node to node so far
} KeySets;

typedef uint32_t KeySet;

#define NO_KEYS UINT32_MAX // the empty set
#define NO_KEY  UINT64_MAX

// From now on what has been made may be part of several sets.
static inline void keys_keep(KeySets *sets) {
    sets->age++;
}
uint32_t keys_count(const KeySets *sets, KeySet set);
// The smallest key that is at least `from`; NO_KEY, which is none, if there is none.
uint64_t keys_next(KeySets *sets, KeySet set, uint64_t from);
KeySet keys_put(KeySets *sets, KeySet set, uint64_t key);
KeySet keys_drop(KeySets *sets, KeySet set, uint64_t key);
// Keeps both.
KeySet keys_union(KeySets *sets, KeySet a, KeySet b);
