// Calls that copy more than fits, or more than there is, or something onto itself:
// -Wstringop-overflow and related warnings.
//
// Only what is known for sure counts: objects whose declaration is in sight, sizes that are
// constants, strings that are literals. For strings the array that is named must suffice, for
// memory the whole object around it.
#include "c/parse/warn.h"

#include <string.h>

// ---- Objects

typedef struct {
    uint64_t room;    // bytes from where the pointer points
    const Decl *decl; // the object, or NULL
    const Expr *string;
} MemoryRegion;

static bool is_last_member(const Expr *member) {
    const CType *type = member->left->type;
    if (type->kind != CT_STRUCT) return true;
    const Record *record = type->record;
    return record->members.count == 0 ||
           &record->members.at[record->members.count - 1] == member->member;
}

// The size of the object that an lvalue names; `whole` if that of the variable around it counts.
static bool object_region(const Expr *object, bool whole, MemoryRegion *region) {
    const CType *type = object->type;
    uint64_t offset = 0;
    bool last = true;
    if (object->kind == EX_STRING) {
        *region = (MemoryRegion){.room = object->string->size, .string = object};
        return true;
    }
    if (type_has_variable_size(type) || !type->complete) return false;
    const Expr *root = object;
    for (; root->kind == EX_MEMBER; root = root->left) {
        offset += root->member_offset;
        last = last && is_last_member(root);
    }
    if (root->kind == EX_VAR) {
        const Decl *decl = root->decl;
        if (!decl->type->complete || type_has_variable_size(decl->type)) return false;
        if (decl->parameter && decl->array_parameter) return false;
        bool flexible = type_is_record(decl->type) && decl->type->record->flexible;
        if (flexible || decl->attributes->weak || decl->type->size < offset) return false;
        // What others define may be larger.
        if (decl->external && !decl->defined && !decl->tentative && decl->type->kind == CT_ARRAY &&
            !decl->type->array.counted)
            return false;
        uint64_t room = whole || last ? decl->type->size - offset : type->size;
        *region = (MemoryRegion){.room = room, .decl = decl};
        return true;
    }
    if (whole || last || object->kind != EX_MEMBER || type->kind != CT_ARRAY) return false;
    *region = (MemoryRegion){.room = type->size};
    return true;
}

static bool find_region(const Expr *pointer, bool whole, MemoryRegion *region) {
    int64_t steps = 0;
    for (;;) {
        if (pointer->kind == EX_CAST && pointer->type->kind == CT_POINTER &&
            (pointer->cast == CAST_POINTER || pointer->cast == CAST_SAME)) {
            pointer = pointer->left;
        } else if (pointer->kind == EX_BINARY && pointer->op == BIN_PTR_ADD &&
                   pointer->right->kind == EX_INT && pointer->type->base->complete) {
            steps += (int64_t)pointer->right->integer * (int64_t)pointer->type->base->size;
            pointer = pointer->left;
        } else {
            break;
        }
    }
    bool address = pointer->kind == EX_ADDR;
    bool decay = pointer->kind == EX_CAST && pointer->cast == CAST_DECAY;
    if ((!address && !decay) || steps < 0) return false;
    if (!object_region(pointer->left, whole, region)) return false;
    // Beyond the first element of a part the rest of the object may be meant.
    if ((uint64_t)steps > region->room) return false;
    region->room -= (uint64_t)steps;
    return true;
}

bool known_room(const Expr *pointer, uint64_t *room, const Decl **decl) {
    MemoryRegion region;
    if (!find_region(pointer, false, &region)) return false;
    *room = region.room;
    *decl = region.decl;
    return true;
}

// The length of the string literal that a pointer is; false if it is none.
static bool literal_length(const Expr *pointer, uint64_t *length) {
    MemoryRegion region;
    if (!find_region(pointer, false, &region) || !region.string) return false;
    const CString *string = region.string->string;
    if (string->element != 1) return false;
    const char *start = (const char *)string->bytes + (string->size - region.room);
    *length = strlen(start);
    return true;
}

// ---- Messages

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void note_object(Parser *parser, const MemoryRegion *region, const char *role) {
    if (region->decl && region->decl->name)
        parser_note(parser, region->decl->pos, "%s object '%s' of size %llu", role,
                    region->decl->name->text, (unsigned long long)region->decl->type->size);
}

static bool check_write(Parser *parser, const Expr *call, const char *name, const Expr *to,
                        uint64_t bytes, bool whole) {
    MemoryRegion region;
    if (!find_region(to, whole, &region) || bytes <= region.room || region.string) return false;
    warn_at_expr(parser, WARN_STRINGOP_OVERFLOW, call,
                 "'%s' writing %llu byte%s into a region of size %llu overflows the destination",
                 name, (unsigned long long)bytes, plural(bytes), (unsigned long long)region.room);
    note_object(parser, &region, "destination");
    return true;
}

static void check_read(Parser *parser, const Expr *call, const char *name, const Expr *from,
                       uint64_t bytes) {
    MemoryRegion region;
    if (!find_region(from, true, &region) || bytes <= region.room) return;
    warn_at_expr(parser, WARN_STRINGOP_OVERREAD, call,
                 "'%s' reading %llu byte%s from a region of size %llu", name,
                 (unsigned long long)bytes, plural(bytes), (unsigned long long)region.room);
    note_object(parser, &region, "source");
}

// ---- Functions

static bool constant_size(const Expr *expr, uint64_t *size) {
    return expr_is_integer_constant(expr, size) && !expr->assumed;
}

static void check_memory(Parser *parser, const Expr *call, const char *name, bool reads) {
    uint64_t bytes;
    if (call->arg_count != 3 || !constant_size(call->args[2], &bytes)) return;
    if (check_write(parser, call, name, call->args[0], bytes, true)) return;
    if (reads) check_read(parser, call, name, call->args[1], bytes);
}

static void check_compare(Parser *parser, const Expr *call, const char *name) {
    uint64_t bytes;
    if (call->arg_count != 3 || !constant_size(call->args[2], &bytes)) return;
    check_read(parser, call, name, call->args[0], bytes);
    check_read(parser, call, name, call->args[1], bytes);
}

static void check_copy(Parser *parser, const Expr *call, const char *name) {
    uint64_t length;
    if (call->arg_count != 2) return;
    if (expr_same(expr_stripped(call->args[0]), expr_stripped(call->args[1])))
        warn_at_expr(parser, WARN_RESTRICT, call, "source argument is the same as destination");
    else if (literal_length(call->args[1], &length))
        check_write(parser, call, name, call->args[0], length + 1, false);
}

static void check_bounded(Parser *parser, const Expr *call, const char *name, bool append) {
    uint64_t bytes, length;
    MemoryRegion region;
    if (call->arg_count != 3 || !constant_size(call->args[2], &bytes)) return;
    bool known = find_region(call->args[0], false, &region) && !region.string;
    if (append) {
        if (known && bytes == region.room && call->args[2]->origin == ORIGIN_SIZEOF)
            warn_at_expr(parser, WARN_STRINGOP_TRUNCATION, call,
                         "'%s' specified bound %llu equals destination size", name,
                         (unsigned long long)bytes);
        return;
    }
    if (known && check_write(parser, call, name, call->args[0], bytes, false)) return;
    if (!literal_length(call->args[1], &length) || bytes == 0 || bytes > length) return;
    if (bytes == length)
        warn_at_expr(
            parser, WARN_STRINGOP_TRUNCATION, call,
            "'%s' output truncated before terminating nul copying %llu byte%s from a string "
            "of the same length",
            name, (unsigned long long)bytes, plural(bytes));
    else
        warn_at_expr(parser, WARN_STRINGOP_TRUNCATION, call,
                     "'%s' output truncated copying %llu byte%s from a string of length %llu", name,
                     (unsigned long long)bytes, plural(bytes), (unsigned long long)length);
}

// fgets, read and their kin: argument `to` is filled with up to as many bytes as argument `size`
// says.
static void check_filled(Parser *parser, const Expr *call, const char *name, unsigned to,
                         unsigned size) {
    uint64_t bytes;
    if (call->arg_count > size && constant_size(call->args[size], &bytes))
        check_write(parser, call, name, call->args[to], bytes, true);
}

// ---- Allocations

// The parameters, from 1, whose product is the number of bytes that a function allocates.
static bool allocating_parameters(const Decl *func, uint16_t parameters[2]) {
    static const struct {
        const char *name;
        uint16_t parameters[2];
    } known[] = {{"malloc", {1, 0}}, {"calloc", {1, 2}}, {"realloc", {2, 0}}, {"alloca", {1, 0}}};
    memcpy(parameters, func->attributes->alloc_size, 2 * sizeof *parameters);
    for (size_t i = 0; !parameters[0] && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, func->name->text) == 0 && func->external && !func->defined)
            memcpy(parameters, known[i].parameters, 2 * sizeof *parameters);
    return parameters[0] != 0;
}

void warn_allocation(Parser *parser, const Expr *cast) {
    const Expr *call = cast->left;
    const CType *type = cast->type->kind == CT_POINTER ? cast->type->base : NULL;
    if (call->kind != EX_CALL || !type || !type->complete || type_has_variable_size(type)) return;
    if (type->kind == CT_VOID || type->kind == CT_FUNC) return;
    const Expr *callee = call->left;
    uint16_t parameters[2];
    if (callee->kind != EX_CAST || callee->left->kind != EX_FUNC) return;
    const Decl *func = callee->left->decl;
    if (!func->name || !allocating_parameters(func, parameters)) return;
    uint64_t bytes = 1, size;
    for (size_t i = 0; i < 2 && parameters[i]; i++) {
        if (parameters[i] > call->arg_count || !constant_size(call->args[parameters[i] - 1], &size))
            return;
        if (__builtin_mul_overflow(bytes, size, &bytes)) return;
    }
    // Nothing at all is allocated on purpose.
    if (bytes == 0 || bytes >= type->size) return;
    warn_at_expr(parser, WARN_ALLOC_SIZE, call,
                 "allocation of insufficient size '%llu' for type %s with size '%llu'",
                 (unsigned long long)bytes, type_text(parser, type),
                 (unsigned long long)type->size);
}

// ---- All together

void warn_memory_call(Parser *parser, const Expr *call, bool unused) {
    const Expr *callee = call->left;
    if (callee->kind != EX_CAST || callee->left->kind != EX_FUNC) return;
    const Decl *func = callee->left->decl;
    if (!func->name || !func->external || func->defined) return;
    const char *name = func->name->text;
    if (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0)
        check_memory(parser, call, name, true);
    else if (strcmp(name, "memset") == 0)
        check_memory(parser, call, name, false);
    else if (strcmp(name, "memcmp") == 0)
        check_compare(parser, call, name);
    else if (strcmp(name, "strcpy") == 0 || strcmp(name, "strcat") == 0)
        check_copy(parser, call, name);
    else if (strcmp(name, "strncpy") == 0)
        check_bounded(parser, call, name, false);
    else if (strcmp(name, "strncat") == 0)
        check_bounded(parser, call, name, true);
    else if (strcmp(name, "fgets") == 0)
        check_filled(parser, call, name, 0, 1);
    else if (strcmp(name, "read") == 0)
        check_filled(parser, call, name, 1, 2);
    else if (strcmp(name, "sprintf") == 0 || strcmp(name, "snprintf") == 0)
        warn_format_size(parser, call, func, unused);
}
