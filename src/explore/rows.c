#include "explore/rows.h"

#include "message/json.h"

#include <string.h>

void rows_init(ViewRows *rows, Arena *arena, const Program *program) {
    *rows = (ViewRows){.arena = arena, .program = program};
    vec_push(arena, &rows->locs, (Loc){0});
}

uint32_t rows_text(ViewRows *rows, const char *text, size_t length) {
    struct RowTexts *texts = &rows->texts;
    uint64_t hash = hash_bytes(text, length);
    uint32_t at = table_first(&texts->table, hash), id;
    while ((id = table_id(&texts->table, hash, &at)) != HASH_NONE)
        if (texts->length.at[id] == length && memcmp(texts->at.at[id], text, length) == 0)
            return id;
    id = texts->at.count;
    vec_push(rows->arena, &texts->at, arena_text(rows->arena, text, length));
    vec_push(rows->arena, &texts->length, size_to_u32(length, "bytes of a line"));
    table_insert(rows->arena, &texts->table, hash, id);
    return id;
}

uint32_t rows_loc(ViewRows *rows, uint32_t loc) {
    if (loc == 0 || loc >= rows->program->locs.count) return 0;
    Loc place = rows->program->locs.at[loc];
    uint64_t key = (uint64_t)place.file << 48 ^ (uint64_t)place.line << 20 ^ place.column;
    uint32_t known = map_get(&rows->loc_of, key);
    if (known != HASH_NONE) return known;
    map_set(rows->arena, &rows->loc_of, key, rows->locs.count);
    vec_push(rows->arena, &rows->locs, place);
    return rows->locs.count - 1;
}

static bool same_row(const Row *a, const Row *b) {
    return a->id == b->id && a->text == b->text && a->loc == b->loc && a->node == b->node &&
           a->kind == b->kind;
}

uint32_t rows_add(ViewRows *rows, const View *view, uint32_t line, const uint32_t *identity) {
    const ViewLine *from = &view->lines.at[line];
    bool item = from->item != NO_ID;
    Row row = {.id = item ? identity[from->item] : NO_ID,
               .text = rows_text(rows, view->text.text + from->text, from->length),
               .loc = item ? rows_loc(rows, item_loc(view->func, &view->items->at[from->item])) : 0,
               .node = from->label,
               .kind = from->kind};
    uint64_t hash = hash_add(hash_add(hash_add(row.id, row.text), row.loc),
                             (uint64_t)row.node << 8 | (unsigned char)row.kind);
    uint32_t at = table_first(&rows->row_table, hash), id;
    while ((id = table_id(&rows->row_table, hash, &at)) != HASH_NONE)
        if (same_row(&rows->rows.at[id], &row)) return id;
    table_insert(rows->arena, &rows->row_table, hash, rows->rows.count);
    vec_push(rows->arena, &rows->rows, row);
    return rows->rows.count - 1;
}

static void write_locs(Out *out, const ViewRows *rows, const uint32_t *file_of) {
    json_key(out, "locs");
    out_text(out, "[[]");
    for (uint32_t i = 1; i < rows->locs.count; i++) {
        Loc loc = rows->locs.at[i];
        out_printf(out, ",[%u,%u,%u]", file_of[loc.file], loc.line, loc.column);
    }
    out_char(out, ']');
}

void rows_write(Out *out, const ViewRows *rows, const uint32_t *file_of) {
    json_key(out, "texts");
    out_char(out, '[');
    for (uint32_t i = 0; i < rows->texts.at.count; i++) {
        json_comma(out);
        json_string(out, rows->texts.at.at[i], rows->texts.length.at[i]);
    }
    out_char(out, ']');
    write_locs(out, rows, file_of);
    json_key(out, "rows");
    out_text(out, "{\"id\":[");
    for (uint32_t i = 0; i < rows->rows.count; i++) json_number(out, rows->rows.at[i].id);
    out_text(out, "],\"kind\":\"");
    for (uint32_t i = 0; i < rows->rows.count; i++) out_char(out, rows->rows.at[i].kind);
    out_text(out, "\",\"text\":[");
    for (uint32_t i = 0; i < rows->rows.count; i++) json_number(out, rows->rows.at[i].text);
    out_text(out, "],\"loc\":[");
    for (uint32_t i = 0; i < rows->rows.count; i++) json_number(out, rows->rows.at[i].loc);
    out_text(out, "],\"node\":[");
    for (uint32_t i = 0; i < rows->rows.count; i++) json_number(out, rows->rows.at[i].node);
    out_text(out, "]}");
}
