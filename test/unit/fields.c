// Every field of a function's parts, set to every odd number: the rule that complains first is
// counted, in test/form/fields.txt, field by field, over the examples of test/form. A rule that is
// lost, or a field that nobody looks at any more, changes the counts. What the verifier takes can
// be printed, and read by the parser if it is read at all.
//
// If rules have changed on purpose: GATE_UPDATE=1 build/unit/fields, and read the difference.
#include "test/gen/parts.h"
#include "test/gen/tokens.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (uint32_t)(sizeof array / sizeof array[0])

// ---- Counting

typedef struct {
    const char *what; // part, field, rule
    uint32_t count;
} Line;

typedef struct {
    Arena *arena;
    VEC(Line) lines;
} Tally;

static void tally_add(Tally *tally, const char *what) {
    for (uint32_t i = 0; i < tally->lines.count; i++)
        if (strcmp(tally->lines.at[i].what, what) == 0) {
            tally->lines.at[i].count++;
            return;
        }
    Line line = {.what = arena_text(tally->arena, what, strlen(what)), .count = 1};
    vec_push(tally->arena, &tally->lines, line);
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(((const Line *)a)->what, ((const Line *)b)->what);
}

// ---- One number

static const uint64_t numbers[] = {
    0,          1,          2,          3,          4,
    8,          16,         255,        300,        UINT32_MAX,
    0xfffffffe, 0x7fffffff, 0x80000000, UINT64_MAX, (uint64_t)1 << 40};

static const char *first_rule(Arena *arena, const Func *func) {
    Complaints complaints = {.arena = arena};
    bool good = verify_func(&complaints, func);
    Out out = {0};
    for (uint32_t i = 0; i < complaints.list.count; i++)
        complaint_print(&out, func->program, &complaints.list.at[i]);
    if (good) func_print(&out, func, &(PrintOptions){0});
    out_free(&out);
    return good ? "taken" : complaints.list.at[0].rule;
}

static void try_number(Tally *tally, const Func *original, uint32_t part_index, uint32_t element,
                       const Field *field, uint64_t number) {
    Arena *arena = arena_new("field");
    Func *func = func_clone(original, arena);
    Part parts[MOST_PARTS];
    parts_of(func, parts);
    const Part *part = &parts[part_index];
    char *at = part_field(part, element, field);
    char old[8];
    memcpy(old, at, field->size);
    memcpy(at, &number, field->size);
    if (memcmp(old, at, field->size) != 0)
        tally_add(tally, arena_printf(arena, "%s %s %s: %s", form_name(func->form), part->name,
                                      field->name, first_rule(arena, func)));
    arena_free(arena);
}

static void try_part(Tally *tally, const Func *func, uint32_t index, const Part *part) {
    for (uint32_t e = 0; e < part->count; e++)
        for (uint32_t f = 0; f < part->field_count; f++) {
            const Field *field = &part->fields[f];
            uint32_t count = field->values ? field->values : COUNT(numbers);
            uint64_t old = 0;
            memcpy(&old, part_field(part, e, field), field->size);
            for (uint32_t k = 0; k < count; k++)
                try_number(tally, func, index, e, field, numbers[k]);
            if (field->values) continue;
            try_number(tally, func, index, e, field, old + 1); // the neighbours
            try_number(tally, func, index, e, field, old - 1);
        }
}

static void try_func(Tally *tally, const Func *original) {
    Arena *arena = arena_new("func");
    Part parts[MOST_PARTS];
    uint32_t count = parts_of(func_clone(original, arena), parts);
    assert_string_equal(first_rule(arena, original), "taken");
    for (uint32_t i = 0; i < count; i++) try_part(tally, original, i, &parts[i]);
    arena_free(arena);
}

static void try_file(Tally *tally, Form form, const char *name) {
    Arena *arena = arena_new("file");
    const char *text = tokens_read(arena, name);
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, form, name, text, strlen(text));
    assert_non_null(program);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func) try_func(tally, program->symbols.at[i].func);
    diag_free(&diag);
    arena_free(arena);
}

static void test_fields(void **state) {
    (void)state;
    static const struct {
        Form form;
        const char *name;
    } files[] = {
        {FORM_RTL, "form/rtl/atomics.rtl"},      {FORM_RTL, "form/rtl/calls.rtl"},
        {FORM_RTL, "form/rtl/control.rtl"},      {FORM_RTL, "form/rtl/memory.rtl"},
        {FORM_RTL, "form/rtl/operators.rtl"},    {FORM_RTL, "form/rtl/varargs_and_stack.rtl"},
        {FORM_SSA, "form/ssa/loops.ssa"},        {FORM_SON, "form/son/memory.son"},
        {FORM_GSA, "form/gsa/loops.gsa"},        {FORM_MACH, "form/mach/unbounded.mach"},
        {FORM_MACH, "form/mach/allocated.mach"},
    };
    Tally tally = {.arena = arena_new("tally")};
    for (uint32_t i = 0; i < COUNT(files); i++) try_file(&tally, files[i].form, files[i].name);
    qsort(tally.lines.at, tally.lines.count, sizeof(Line), compare_lines);
    Out report = {0};
    for (uint32_t i = 0; i < tally.lines.count; i++)
        out_printf(&report, "%6u %s\n", tally.lines.at[i].count, tally.lines.at[i].what);
    tokens_expect(tally.arena, &report, "form/fields.txt");
    out_free(&report);
    arena_free(tally.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
