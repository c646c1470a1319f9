// The content of a report as a tree of values, and the tree as JSON or as a page of HTML. This file
// only formats.
#pragma once

#include "base/out.h"

typedef enum {
    TREE_TEXT,
    TREE_NUMBER,
    TREE_TRUTH, // a number that is 0 or 1
    TREE_GROUP, // of values with different names
    TREE_LIST,  // of values without names: all texts, or all groups with the same names
} TreeKind;

typedef struct Tree {
    TreeKind kind;
    const char *name; // in its group; NULL in a list
    const char *text;
    size_t length;
    uint64_t number;
    struct Tree *first, *last, *next; // of a group or list; in that which it belongs to
} Tree;

// Each adds a value to a group or list; with NULL, it makes a value that belongs to nothing.
Tree *tree_group(Arena *arena, Tree *parent, const char *name);
Tree *tree_list(Arena *arena, Tree *parent, const char *name);
void tree_text(Arena *arena, Tree *parent, const char *name, const char *text, size_t length);
void tree_string(Arena *arena, Tree *parent, const char *name, const char *text);
void tree_number(Arena *arena, Tree *parent, const char *name, uint64_t number);
void tree_truth(Arena *arena, Tree *parent, const char *name, bool truth);

// Texts are bytes: those that are not ASCII are written as the characters of these numbers. All
// that is written is ASCII.
void tree_print_json(Out *out, const Tree *value);
// The groups and lists of the group are the sections of the page.
void tree_print_html(Out *out, const Tree *group, const char *title);
