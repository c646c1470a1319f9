// The end of an initializer in which designators went back: pieces that a later list for an
// enclosing object has voided are dropped, and values that are lost in this way are warned of.
//
// Pieces and marks are sorted by place; since objects nest, a stack of the marks around the current
// place suffices, and the whole is done in the time of sorting.
#include "c/parse/initialize.h"

#include <stdlib.h>

typedef struct {
    uint64_t start, end; // bytes
    uint32_t order;      // index in the list of pieces
    bool mark;
} Extent;

static Extent extent_of(const InitPiece *piece, uint32_t order) {
    Extent extent = {.start = piece->offset, .order = order, .mark = !piece->value};
    extent.end = piece->offset + piece->type->size;
    if (piece->bitfield) {
        extent.start += piece->bit / 8u;
        extent.end = piece->offset + ((uint64_t)piece->bit + piece->width + 7) / 8;
    }
    return extent;
}

// By place; an object comes before its parts.
static int compare(const void *left, const void *right) {
    const Extent *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->end != b->end) return a->end > b->end ? -1 : 1;
    if (a->mark != b->mark) return a->mark ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

// A zero for every scalar of an object.
static void add_zeros(Flat *flat, CType *type, uint64_t offset, bool reversed, const Expr *from) {
    Parser *parser = flat->parser;
    if (type->kind == CT_ARRAY) {
        for (uint64_t i = 0; i < type->array.count; i++)
            add_zeros(flat, type->base, offset + i * type->base->size, reversed, from);
        return;
    }
    if (type_is_record(type)) {
        const Record *record = type->record;
        for (uint32_t i = 0; i < record->members.count; i++) {
            const Member *member = &record->members.at[i];
            uint32_t first = flat->pieces.count;
            if (!member->bitfield || member->name)
                add_zeros(flat, member->type, offset + member->offset, member->reversed, from);
            if (!member->bitfield || !member->name) continue;
            flat->pieces.at[first].bitfield = true;
            flat->pieces.at[first].bit = member->bit;
            flat->pieces.at[first].width = member->width;
        }
        return;
    }
    if (!type_is_scalar(type)) return;
    Expr *zero = type_is_floating(type) || type_is_complex(type)
                     ? expr_convert(parser, expr_int(parser, parser->types->basic[CT_INT], 0, from),
                                    type->unqualified)
                     : expr_int(parser, type->unqualified, 0, from);
    vec_push(flat->arena, &flat->pieces,
             (InitPiece){.offset = offset,
                         .type = type->unqualified,
                         .implied = true,
                         .reversed = reversed,
                         .value = zero});
}

// Which pieces are void, and which marks have made some so.
static bool *find_void(Arena *arena, const InitPiece *pieces, uint32_t count, bool *effective) {
    Extent *extents = ARENA_ARRAY(arena, Extent, count);
    bool *is_void = ARENA_ARRAY(arena, bool, count);
    for (uint32_t i = 0; i < count; i++) extents[i] = extent_of(&pieces[i], i);
    qsort(extents, count, sizeof *extents, compare);
    VEC(Extent) around = {0}; // marks, outermost first
    for (uint32_t i = 0; i < count; i++) {
        const Extent *at = &extents[i];
        while (around.count > 0 && around.at[around.count - 1].end <= at->start) around.count--;
        for (uint32_t k = around.count; k-- > 0;)
            if (around.at[k].end >= at->end && around.at[k].order > at->order)
                is_void[at->order] = effective[around.at[k].order] = true;
        if (!at->mark) continue;
        Extent *top = around.count > 0 ? &around.at[around.count - 1] : NULL;
        if (top && top->start == at->start && top->end == at->end)
            top->order = at->order;
        else
            vec_push(arena, &around, *at);
    }
    return is_void;
}

static const char overwritten[] = "this replaces an initializer that was given before";

// A mark stands before a list in braces, or before the value of another member of a union.
static void warn_marks(Flat *flat, const bool *effective) {
    uint32_t list = 0;
    for (uint32_t i = 0; i < flat->pieces.count; i++) {
        while (list < flat->lists.count && flat->lists.at[list].piece < i) list++;
        if (flat->pieces.at[i].value || !effective[i]) continue;
        if (list < flat->lists.count && flat->lists.at[list].piece == i) {
            const Token *brace = &flat->lists.at[list].brace;
            parser_warn(flat->parser, WARN_OVERRIDE_INIT, brace->pos, brace->pos + brace->length,
                        "%s", overwritten);
        } else if (i + 1 < flat->pieces.count && flat->pieces.at[i + 1].value) {
            warn_at_expr(flat->parser, WARN_OVERRIDE_INIT, flat->pieces.at[i + 1].value, "%s",
                         overwritten);
        }
    }
}

static bool same_place(const InitPiece *a, const InitPiece *b) {
    return a->offset == b->offset && a->bitfield == b->bitfield && a->bit == b->bit &&
           a->width == b->width && a->type->size == b->type->size;
}

void init_warn_overridden(Flat *flat) {
    Arena *arena = arena_new("initializer");
    Table places = {0};
    Pos warned = 0; // a range is one value for many places
    for (uint32_t i = 0; i < flat->pieces.count; i++) {
        const InitPiece *piece = &flat->pieces.at[i];
        if (piece->implied) continue;
        uint64_t hash = hash_add(hash_mix(piece->offset), piece->bit);
        uint32_t at = table_first(&places, hash), other;
        while ((other = table_id(&places, hash, &at)) != HASH_NONE)
            if (same_place(&flat->pieces.at[other], piece)) break;
        if (other == HASH_NONE) {
            table_insert(arena, &places, hash, i);
        } else if (piece->value->pos != warned) {
            warned = piece->value->pos;
            warn_at_expr(flat->parser, WARN_OVERRIDE_INIT, piece->value, "%s", overwritten);
        }
    }
    arena_free(arena);
}

void init_settle(Flat *flat) {
    Arena *arena = arena_new("initializer");
    const InitPiece *pieces = flat->pieces.at;
    uint32_t count = flat->pieces.count;
    bool *effective = ARENA_ARRAY(arena, bool, count);
    bool *is_void = find_void(arena, pieces, count, effective);
    if (pp_might_warn(flat->parser->pp, WARN_OVERRIDE_INIT)) warn_marks(flat, effective);
    flat->pieces.at = NULL;
    flat->pieces.count = flat->pieces.capacity = 0;
    const Expr from = {.pos = flat->parser->last_end, .end = flat->parser->last_end};
    for (uint32_t i = 0; i < count; i++) {
        if (is_void[i]) continue;
        if (pieces[i].value)
            vec_push(flat->arena, &flat->pieces, pieces[i]);
        else if (flat->records) // part of a record that was given as a whole
            add_zeros(flat, pieces[i].type, pieces[i].offset, false, &from);
    }
    arena_free(arena);
}
