// Initializers of C against gcc: random types with random initializers (missing braces, designators
// that go back, ranges, strings, unions, bit-fields) must give the same bytes; and the forms of
// values that are not numbers.
#include "cfront.h"

#include "test/gen/random.h"

// ---- Random types

typedef struct Shape Shape;
struct Shape {
    enum { SHAPE_SCALAR, SHAPE_ARRAY, SHAPE_RECORD } kind;
    const char *scalar;
    Shape *element;
    uint32_t count;  // of elements or members
    uint32_t number; // of the record
    bool is_union;
    struct ShapeMember {
        Shape *shape;
        uint32_t number; // its name is m and this
        uint32_t width;  // of a bit-field, 0 if it is none
        bool anonymous;
    } members[4];
};

typedef struct {
    Arena *arena;
    Random random;
    Out text;
    uint32_t names;
} Objects;

static Shape *new_shape(Objects *all, uint32_t depth);

static Shape *new_scalar(Objects *all) {
    static const char *const names[] = {"char",          "short", "int",    "unsigned", "long",
                                        "unsigned char", "float", "double", "_Bool"};
    Shape *shape = ARENA_NEW(all->arena, Shape);
    shape->scalar = names[random_below(&all->random, 9)];
    return shape;
}

static void put_declarator(Objects *all, const Shape *shape, const char *name, bool open) {
    const Shape *base = shape;
    while (base->kind == SHAPE_ARRAY) base = base->element;
    if (base->kind == SHAPE_RECORD)
        out_printf(&all->text, "%s S%u %s", base->is_union ? "union" : "struct", base->number,
                   name);
    else
        out_printf(&all->text, "%s %s", base->scalar, name);
    for (; shape->kind == SHAPE_ARRAY; shape = shape->element, open = false) {
        if (open)
            out_text(&all->text, "[]");
        else
            out_printf(&all->text, "[%u]", shape->count);
    }
}

static void put_member(Objects *all, const struct ShapeMember *member) {
    char name[16];
    snprintf(name, sizeof name, "m%u", member->number);
    out_char(&all->text, ' ');
    if (member->anonymous) {
        const Shape *inner = member->shape;
        out_text(&all->text, inner->is_union ? "union {" : "struct {");
        for (uint32_t i = 0; i < inner->count; i++) put_member(all, &inner->members[i]);
        out_text(&all->text, " };");
        return;
    }
    put_declarator(all, member->shape, name, false);
    if (member->width > 0) out_printf(&all->text, " : %u", member->width);
    out_char(&all->text, ';');
}

static Shape *new_record(Objects *all, uint32_t depth, bool anonymous) {
    Random *random = &all->random;
    Shape *shape = ARENA_NEW(all->arena, Shape);
    shape->kind = SHAPE_RECORD;
    shape->is_union = random_chance(random, 1, 4);
    shape->count = random_range(random, 1, 4);
    for (uint32_t i = 0; i < shape->count; i++) {
        struct ShapeMember *member = &shape->members[i];
        member->number = all->names++;
        uint32_t form = random_below(random, 10);
        if (form < 2) {
            member->shape = new_scalar(all);
            member->shape->scalar = random_chance(random, 1, 2) ? "int" : "unsigned";
            member->width = random_range(random, 1, 32);
        } else if (form < 3 && depth > 0) {
            member->anonymous = true;
            member->shape = new_record(all, depth - 1, true);
        } else {
            member->shape = new_shape(all, depth > 0 ? depth - 1 : 0);
        }
    }
    shape->number = all->names++;
    if (anonymous) return shape;
    out_printf(&all->text, "%s S%u {", shape->is_union ? "union" : "struct", shape->number);
    for (uint32_t i = 0; i < shape->count; i++) put_member(all, &shape->members[i]);
    out_text(&all->text, " };\n");
    return shape;
}

static Shape *new_array(Objects *all, Shape *element, uint32_t count) {
    Shape *shape = ARENA_NEW(all->arena, Shape);
    shape->kind = SHAPE_ARRAY;
    shape->element = element;
    shape->count = count;
    return shape;
}

static Shape *new_shape(Objects *all, uint32_t depth) {
    uint32_t form = depth == 0 ? 0 : random_below(&all->random, 10);
    if (form < 3) return new_scalar(all);
    if (form < 4) {
        Shape *character = new_scalar(all);
        character->scalar = "char";
        return new_array(all, character, random_range(&all->random, 2, 6));
    }
    if (form < 6)
        return new_array(all, new_shape(all, depth - 1), random_range(&all->random, 1, 4));
    return new_record(all, depth, false);
}

// ---- Random initializers

static void put_value(Objects *all) {
    static const char *const values[] = {"0",   "1",   "2",    "7",     "-1",
                                         "127", "200", "-300", "65535", "123456"};
    out_text(&all->text, values[random_below(&all->random, 10)]);
}

static void put_list(Objects *all, const Shape *shape, uint32_t depth);

static bool is_string(const Shape *shape) {
    return shape->kind == SHAPE_ARRAY && shape->element->kind == SHAPE_SCALAR &&
           strcmp(shape->element->scalar, "char") == 0;
}

// An initializer for an object of this shape; false if it leaves out braces.
static bool put_initializer(Objects *all, const Shape *shape, uint32_t depth) {
    if (is_string(shape) && random_chance(&all->random, 1, 2)) {
        bool braces = random_chance(&all->random, 1, 3);
        out_printf(&all->text, braces ? "{\"%.*s\"}" : "\"%.*s\"",
                   (int)random_range(&all->random, 0, shape->count), "abcdef");
        return true;
    }
    if (shape->kind == SHAPE_SCALAR || depth == 0 || random_chance(&all->random, 1, 4)) {
        put_value(all);
        return shape->kind == SHAPE_SCALAR;
    }
    put_list(all, shape, depth - 1);
    return true;
}

// A random member; those of anonymous members are named like the others.
static const Shape *put_member_designator(Objects *all, const Shape *shape) {
    const struct ShapeMember *member = &shape->members[random_below(&all->random, shape->count)];
    if (member->anonymous) return put_member_designator(all, member->shape);
    out_printf(&all->text, ".m%u", member->number);
    return member->shape;
}

static const Shape *put_designators(Objects *all, const Shape *shape) {
    do {
        if (shape->kind == SHAPE_RECORD) {
            shape = put_member_designator(all, shape);
            continue;
        }
        uint32_t low = random_below(&all->random, shape->count);
        if (random_chance(&all->random, 1, 5))
            out_printf(&all->text, "[%u ... %u]", low,
                       random_range(&all->random, low, shape->count - 1));
        else
            out_printf(&all->text, "[%u]", low);
        shape = shape->element;
    } while (shape->kind != SHAPE_SCALAR && random_chance(&all->random, 1, 2));
    out_text(&all->text, " = ");
    return shape;
}

static void put_list(Objects *all, const Shape *shape, uint32_t depth) {
    uint32_t length = random_below(&all->random, 7);
    bool in_step = true; // the next value is for member or element `i`
    out_char(&all->text, '{');
    for (uint32_t i = 0; i < length; i++) {
        if (i > 0) out_text(&all->text, ", ");
        if (random_chance(&all->random, 1, 3)) {
            put_initializer(all, put_designators(all, shape), depth);
            in_step = false;
            continue;
        }
        const Shape *at = NULL;
        if (in_step && i < shape->count && !(shape->is_union && i > 0))
            at = shape->kind == SHAPE_ARRAY ? shape->element : shape->members[i].shape;
        if (at)
            in_step = put_initializer(all, at, depth);
        else
            put_value(all);
    }
    out_char(&all->text, '}');
}

static void put_object(Objects *all, uint32_t number) {
    Shape *shape = new_shape(all, 3);
    if (shape->kind == SHAPE_SCALAR)
        shape = new_array(all, shape, random_range(&all->random, 1, 5));
    char name[16];
    snprintf(name, sizeof name, "v%u", number);
    put_declarator(all, shape, name, random_chance(&all->random, 1, 4));
    out_text(&all->text, " = ");
    put_list(all, shape, 3);
    out_text(&all->text, ";\n");
}

// ---- Bytes

static void write_bits(uint8_t *bytes, const InitPiece *piece, uint64_t value) {
    for (uint32_t i = 0; i < piece->width; i++) {
        uint64_t at = piece->offset * 8 + piece->bit + i;
        uint8_t mask = (uint8_t)(1u << at % 8);
        bytes[at / 8] = (uint8_t)(value >> i & 1 ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
    }
}

static void write_piece(uint8_t *bytes, const InitPiece *piece) {
    const Expr *value = piece->value;
    uint8_t *at = bytes + piece->offset;
    if (value->kind == EX_STRING) {
        uint64_t size =
            value->string->size < piece->type->size ? value->string->size : piece->type->size;
        memset(at, 0, piece->type->size);
        memcpy(at, value->string->bytes, size);
    } else if (value->kind == EX_FLOAT) {
        float single = (float)value->floating;
        double twice = (double)value->floating;
        memcpy(at, piece->type->kind == CT_FLOAT ? (void *)&single : (void *)&twice,
               piece->type->size);
    } else {
        assert_int_equal(value->kind, EX_INT);
        if (piece->bitfield)
            write_bits(bytes, piece, value->integer);
        else
            memcpy(at, &value->integer, piece->type->size);
    }
}

static void print_object(Arena *arena, Out *out, const Decl *decl) {
    uint8_t *bytes = ARENA_ARRAY(arena, uint8_t, decl->type->size + 8);
    for (uint32_t i = 0; i < decl->init->count; i++) write_piece(bytes, &decl->init->pieces[i]);
    out_printf(out, "%s:", decl->name->text);
    for (uint64_t i = 0; i < decl->type->size; i++) out_printf(out, " %02x", bytes[i]);
    out_char(out, '\n');
}

static void test_random(void **state) {
    (void)state;
    enum { COUNT = 300 };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Objects all = {.arena = arena_new("shapes"), .random = random_from(seed)};
        for (uint32_t i = 0; i < COUNT; i++) put_object(&all, i);
        out_char(&all.text, '\0');
        Front front;
        front_parse(&front, all.text.text);
        assert_true(front.good);
        Out ours = {0}, program = {0};
        for (uint32_t i = 0; i < front.decl_count; i++)
            print_object(front.arena, &ours, front.decls[i]);
        out_char(&ours, '\0');
        out_printf(&program,
                   "#include <stdio.h>\n%s\nstatic void show(int n, unsigned char *p, long s) {\n"
                   "    printf(\"v%%d:\", n);\n"
                   "    for (long i = 0; i < s; i++) printf(\" %%02x\", p[i]);\n"
                   "    puts(\"\");\n}\nint main(void) {\n",
                   all.text.text);
        for (uint32_t i = 0; i < COUNT; i++)
            out_printf(&program, "show(%u, (void *)&v%u, sizeof v%u);\n", i, i, i);
        out_text(&program, "return 0; }\n");
        out_char(&program, '\0');
        front_compare(ours.text, front_gcc(&front, program.text));
        out_free(&ours);
        out_free(&program);
        out_free(&all.text);
        front_free(&front);
        arena_free(all.arena);
    }
}

// ---- Pieces that are not numbers

// The pieces of x as text: the offset, the type and the kind of value of each.
static void expect_pieces(const char *text, const char *expected) {
    Front front;
    front_parse(&front, text);
    const Decl *decl = front_find(&front, "x");
    if (!decl) fail_msg("%s: %.*s", text, (int)front.diag.out.length, front.diag.out.text);
    Out out = {0};
    for (uint32_t i = 0; i < decl->init->count; i++) {
        const InitPiece *piece = &decl->init->pieces[i];
        out_printf(&out, "%u: ", (unsigned)piece->offset);
        type_print(&out, piece->type);
        if (piece->value->kind == EX_INT)
            out_printf(&out, " = %lld", (long long)piece->value->integer);
        out_text(&out, "; ");
    }
    if (decl->init->whole) out_text(&out, "whole");
    out_char(&out, '\0');
    assert_string_equal(out.text, expected);
    out_free(&out);
    front_free(&front);
}

static void test_pieces(void **state) {
    (void)state;
    expect_pieces("int x = 5;", "0: int = 5; whole");
    expect_pieces("int x = {5};", "0: int = 5; whole");
    expect_pieces("int x[3] = {};", "");
    expect_pieces("char x[] = \"ab\";", "0: char[3]; whole");
    expect_pieces("char x[4] = {\"ab\"};", "0: char[4]; whole");
    expect_pieces("char *x[] = {\"a\", 0};", "0: char *; 8: char * = 0; ");
    expect_pieces("int y; int *x = &y;", "0: int *; whole");
    expect_pieces("struct s { int a, b; }; struct s x = (struct s){1, 2};",
                  "0: int = 1; 4: int = 2; ");
    expect_pieces("int x[] = (int[]){1, 2};", "0: int = 1; 4: int = 2; ");
    expect_pieces("struct { int n, a[]; } x = {1, {2, 3}};",
                  "0: int = 1; 4: int = 2; 8: int = 3; ");
    expect_pieces("struct { int a, b; } x = {b: 1, a: 2};", "4: int = 1; 0: int = 2; ");
    expect_pieces("int x[] = {[1] 5, 6};", "4: int = 5; 8: int = 6; ");
    expect_pieces("struct { int a; struct { int b, c; }; } x = {.c = 1, .a = 2, 3};",
                  "8: int = 1; 0: int = 2; 4: int = 3; ");
    expect_pieces("struct { char a; } x = {300};", "0: char = 44; whole");
    // What an earlier list said is void; a whole record stays where no list replaces it.
    expect_pieces("struct { int a[2]; } x = {.a = {1, 2}, .a = {3}};", "0: int = 3; ");
    expect_pieces("struct { int a[2]; } x = {.a = {1, 2}, .a[0] = 3};",
                  "0: int = 1; 4: int = 2; 0: int = 3; ");
    expect_pieces("union { long a; char b; } x = {.a = -1, .b = 1};", "0: char = 1; ");
    expect_pieces("int x[4] = {[0 ... 3] = 0};", "0: int = 0; ");
}

// A million elements take time and memory in proportion.
static void test_large(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    Out text = {0};
    out_text(&text, "const unsigned short x[] = {\n");
    for (uint32_t i = 0; i < COUNT; i++)
        out_printf(&text, "[%u] = %u,\n", COUNT - 1 - i, i & 0xffff);
    out_text(&text, "}; const char *y[][2] = {\n");
    for (uint32_t i = 0; i < COUNT; i++) out_text(&text, "\"a\", {\"b\"},\n");
    out_text(&text, "};\n");
    out_char(&text, '\0');
    Front front;
    front_parse(&front, text.text);
    assert_true(front.good);
    assert_int_equal(front_find(&front, "x")->init->count, COUNT);
    assert_int_equal(front_find(&front, "y")->type->array.count, COUNT);
    front_free(&front);
    out_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
