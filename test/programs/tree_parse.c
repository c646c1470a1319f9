// Parses each file named with a tree-sitter grammar (LANGUAGE is its function) and prints how many nodes
// there are of each kind, errors, and a sum over the shape of the tree. Then edits the text and parses
// again, with and without the old tree, which must give the same.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/api.h"

const TSLanguage *LANGUAGE(void);

static char *read_file(const char *name, uint32_t *size) {
    FILE *file = fopen(name, "rb");
    char *text = malloc(16 << 20);
    if (!file || !text) exit(1);
    *size = (uint32_t)fread(text, 1, 16 << 20, file);
    fclose(file);
    return text;
}

typedef struct {
    uint32_t nodes, errors, deepest, sum;
} Totals;

static Totals walk(TSTree *tree) {
    Totals totals = {0};
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    uint32_t depth = 0;
    for (;;) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        totals.nodes++;
        totals.errors += ts_node_is_error(node) || ts_node_is_missing(node);
        if (depth > totals.deepest) totals.deepest = depth;
        totals.sum = totals.sum * 31 + ts_node_symbol(node) + ts_node_start_byte(node) * 7 +
                     ts_node_end_byte(node) * 3 + ts_node_start_point(node).column;
        if (ts_tree_cursor_goto_first_child(&cursor)) {
            depth++;
            continue;
        }
        while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
            if (!ts_tree_cursor_goto_parent(&cursor)) {
                ts_tree_cursor_delete(&cursor);
                return totals;
            }
            depth--;
        }
    }
}

static void print(const char *what, Totals t) {
    printf("  %s: %u nodes, %u errors, depth %u, %08x\n", what, t.nodes, t.errors, t.deepest,
           t.sum);
}

int main(int argc, char **argv) {
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, LANGUAGE())) return 1;
    for (int i = 1; i < argc; i++) {
        uint32_t size;
        char *text = read_file(argv[i], &size);
        const char *name = strrchr(argv[i], '/');
        printf("%s\n", name ? name + 1 : argv[i]);
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, size);
        print("parsed", walk(tree));
        uint32_t at = size / 2;
        while (at > 0 && text[at] != '\n') at--;
        memmove(text + at + 2, text + at, size - at);
        memcpy(text + at, "\n;", 2);
        TSPoint start = {0, 0}, old_end = {0, 0}, new_end = {0, 0};
        for (uint32_t k = 0; k < at; k++) {
            start.column++;
            if (text[k] == '\n') start.row++, start.column = 0;
        }
        old_end = start;
        new_end = (TSPoint){start.row + 1, 1};
        TSInputEdit edit = {at, at, at + 2, start, old_end, new_end};
        ts_tree_edit(tree, &edit);
        TSTree *again = ts_parser_parse_string(parser, tree, text, size + 2);
        print("edited", walk(again));
        TSTree *fresh = ts_parser_parse_string(parser, NULL, text, size + 2);
        print("afresh", walk(fresh));
        ts_tree_delete(tree), ts_tree_delete(again), ts_tree_delete(fresh);
        free(text);
    }
    ts_parser_delete(parser);
    return 0;
}
