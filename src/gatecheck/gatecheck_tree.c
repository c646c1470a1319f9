// Prints trees of values. The printers call themselves for values inside of a value; the code that
// makes the tree fixes the depth.
#include "gatecheck/gatecheck_tree.h"

#include <string.h>

// ---- Making a tree

static Tree *add(Arena *arena, Tree *parent, TreeKind kind, const char *name) {
    Tree *value = ARENA_ARRAY(arena, Tree, 1);
    *value = (Tree){.kind = kind, .name = name};
    if (!parent) return value;
    if (parent->last)
        parent->last->next = value;
    else
        parent->first = value;
    return parent->last = value;
}

Tree *tree_group(Arena *arena, Tree *parent, const char *name) {
    return add(arena, parent, TREE_GROUP, name);
}

Tree *tree_list(Arena *arena, Tree *parent, const char *name) {
    return add(arena, parent, TREE_LIST, name);
}

void tree_text(Arena *arena, Tree *parent, const char *name, const char *text, size_t length) {
    Tree *value = add(arena, parent, TREE_TEXT, name);
    value->text = text;
    value->length = length;
}

void tree_string(Arena *arena, Tree *parent, const char *name, const char *text) {
    tree_text(arena, parent, name, text, strlen(text));
}

void tree_number(Arena *arena, Tree *parent, const char *name, uint64_t number) {
    add(arena, parent, TREE_NUMBER, name)->number = number;
}

void tree_truth(Arena *arena, Tree *parent, const char *name, bool truth) {
    add(arena, parent, TREE_TRUTH, name)->number = truth;
}

// ---- JSON

static void json_text(Out *out, const char *text, size_t length) {
    out_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c > '~')
            out_printf(out, "\\u%04x", c);
        else
            out_printf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    out_char(out, '"');
}

static void json_value(Out *out, const Tree *value, int depth);

static void json_members(Out *out, const Tree *value, int depth) {
    out_char(out, value->kind == TREE_GROUP ? '{' : '[');
    for (const Tree *member = value->first; member; member = member->next) {
        out_printf(out, "%s\n%*s", member == value->first ? "" : ",", depth + 1, "");
        if (member->name) json_text(out, member->name, strlen(member->name));
        if (member->name) out_text(out, ": ");
        json_value(out, member, depth + 1);
    }
    if (value->first) out_printf(out, "\n%*s", depth, "");
    out_char(out, value->kind == TREE_GROUP ? '}' : ']');
}

static void json_value(Out *out, const Tree *value, int depth) {
    switch (value->kind) {
    case TREE_TEXT: json_text(out, value->text, value->length); break;
    case TREE_NUMBER: out_u64(out, value->number); break;
    case TREE_TRUTH: out_text(out, value->number ? "true" : "false"); break;
    case TREE_GROUP:
    case TREE_LIST: json_members(out, value, depth); break;
    }
}

void tree_print_json(Out *out, const Tree *value) {
    json_value(out, value, 0);
    out_char(out, '\n');
}

// ---- HTML

static const char page_start[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n"
    "<style>\n"
    "body { font: 11pt/1.4 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }\n"
    "table { border-collapse: collapse; margin: 0.5em 0; }\n"
    "th, td { border: 1px solid #999; padding: 0.1em 0.5em; text-align: left; }\n"
    "td, dd { overflow-wrap: anywhere; vertical-align: top; }\n"
    "dt { font-weight: bold; }\n"
    "@media print { body { max-width: none; font-size: 9pt; } tr { break-inside: avoid; } }\n"
    "</style>\n</head>\n<body>\n<h1>%s</h1>\n";

// Most control characters may not be in a page, not even by their numbers.
static void html_text(Out *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || (c > '~' && c < 0xa0))
            out_printf(out, "\\x%02x", c);
        else if (c >= 0xa0 || strchr("&<>\"'", c))
            out_printf(out, "&#%u;", c);
        else
            out_char(out, (char)c);
    }
}

// A value, or the texts of a list, with something between them.
static void html_plain(Out *out, const Tree *value, const char *between) {
    if (value->kind == TREE_TEXT) html_text(out, value->text, value->length);
    if (value->kind == TREE_NUMBER) out_u64(out, value->number);
    if (value->kind == TREE_TRUTH) out_text(out, value->number ? "yes" : "no");
    for (const Tree *member = value->first; member; member = member->next) {
        html_plain(out, member, between);
        if (member->next) out_text(out, between);
    }
}

// A list of groups, one a row.
static void html_table(Out *out, const Tree *list) {
    out_text(out, "<table>\n<thead><tr>");
    for (const Tree *cell = list->first->first; cell; cell = cell->next) {
        out_text(out, "<th>");
        html_text(out, cell->name, strlen(cell->name));
        out_text(out, "</th>");
    }
    out_text(out, "</tr></thead>\n<tbody>\n");
    for (const Tree *row = list->first; row; row = row->next) {
        out_text(out, "<tr>");
        for (const Tree *cell = row->first; cell; cell = cell->next) {
            out_text(out, "<td>");
            html_plain(out, cell, ", ");
            out_text(out, "</td>");
        }
        out_text(out, "</tr>\n");
    }
    out_text(out, "</tbody>\n</table>\n");
}

static bool is_section(const Tree *value) {
    return value->kind == TREE_GROUP ||
           (value->kind == TREE_LIST && value->first && value->first->kind == TREE_GROUP);
}

static bool has_sections(const Tree *group) {
    for (const Tree *member = group->first; member; member = member->next)
        if (is_section(member)) return true;
    return false;
}

static void html_group(Out *out, const Tree *group, int level);

// A group, a table, or groups that are too large for one: each is under its first value.
static void html_section(Out *out, const Tree *value, int level) {
    if (value->kind == TREE_GROUP) {
        html_group(out, value, level);
    } else if (!has_sections(value->first)) {
        html_table(out, value);
    } else {
        for (const Tree *member = value->first; member; member = member->next) {
            out_printf(out, "<h%d>", level);
            html_plain(out, member->first, "");
            out_printf(out, "</h%d>\n", level);
            html_group(out, member, level + 1);
        }
    }
}

// First the values that fit in a line, then the others under headings.
static void html_group(Out *out, const Tree *group, int level) {
    out_text(out, "<dl>\n");
    for (const Tree *member = group->first; member; member = member->next) {
        if (is_section(member)) continue;
        out_text(out, "<dt>");
        html_text(out, member->name, strlen(member->name));
        out_text(out, "</dt><dd>");
        html_plain(out, member, "<br>");
        out_text(out, "</dd>\n");
    }
    out_text(out, "</dl>\n");
    for (const Tree *member = group->first; member; member = member->next) {
        if (!is_section(member)) continue;
        out_printf(out, "<h%d>", level);
        html_text(out, member->name, strlen(member->name));
        out_printf(out, "</h%d>\n", level);
        html_section(out, member, level + 1);
    }
}

void tree_print_html(Out *out, const Tree *group, const char *title) {
    out_printf(out, page_start, title, title);
    html_group(out, group, 2);
    out_text(out, "</body>\n</html>\n");
}
