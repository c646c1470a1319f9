// Every field of a function's parts, set to every odd number: the rule that complains first is counted, in
// test/form/fields.txt, field by field, over the examples of test/form. A rule that is lost, or a field that nobody looks
// at any more, changes the counts. What the verifier takes can be printed, and read by the parser if it is read at all.
//
// If rules have changed on purpose: GATE_UPDATE=1 build/unit/fields, and read the difference.
#include "form/gsa/gsa.h"
#include "form/mach/mach.h"
#include "form/son/son.h"
#include "form/text.h"
#include "form/verify.h"
#include "test/gen/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    const char *name;
    size_t offset, size;
    uint32_t values; // 2 of a bool; 0: any number
} Field;

#define FIELD(Type, member)                                                                        \
    { #member, offsetof(Type, member), sizeof(((Type *)0)->member), 0 }
#define TRUTH_FIELD(Type, member)                                                                  \
    { #member, offsetof(Type, member), sizeof(((Type *)0)->member), 2 }
#define COUNT(array) (uint32_t)(sizeof array / sizeof array[0])

static const Field node_fields[] = {
    FIELD(Instr, kind),
    FIELD(Instr, base),
    FIELD(Instr, scale),
    FIELD(Instr, chunk),
    FIELD(Instr, op),
    FIELD(Instr, high),
    TRUTH_FIELD(Instr, immediate),
    FIELD(Instr, dest),
    FIELD(Instr, arg_count),
    FIELD(Instr, succ_count),
    FIELD(Instr, arg[0]),
    FIELD(Instr, arg[1]),
    FIELD(Instr, arg[2]),
    FIELD(Instr, succ[0]),
    FIELD(Instr, succ[1]),
    FIELD(Instr, ref),
    FIELD(Instr, aux),
    FIELD(Instr, imm),
    FIELD(Instr, loc),
};
static const Field reg_fields[] = {FIELD(RegInfo, name), FIELD(RegInfo, number),
                                   FIELD(RegInfo, version), FIELD(RegInfo, type)};
static const Field slot_fields[] = {FIELD(SlotInfo, name), FIELD(SlotInfo, size),
                                    FIELD(SlotInfo, align)};
static const Field phi_fields[] = {FIELD(Phi, dest), FIELD(Phi, args_at)};
static const Field id_fields[] = {{"", 0, 4, 0}};
static const Field case_fields[] = {{"", 0, 8, 0}};
static const Field atom_fields[] = {FIELD(GateAtom, op),        TRUTH_FIELD(GateAtom, immediate),
                                    FIELD(GateAtom, arg_count), FIELD(GateAtom, arg[0]),
                                    FIELD(GateAtom, arg[1]),    FIELD(GateAtom, imm),
                                    FIELD(GateAtom, cases),     FIELD(GateAtom, way)};
static const Field gate_fields[] = {FIELD(GateNode, kind), TRUTH_FIELD(GateNode, negated),
                                    FIELD(GateNode, first), FIELD(GateNode, second)};
static const Field cases_fields[] = {FIELD(GateCases, first), FIELD(GateCases, count)};
static const Field merge_fields[] = {FIELD(Merge, kind), FIELD(Merge, dest), FIELD(Merge, args_at),
                                     FIELD(Merge, arg_count)};
static const Field merge_arg_fields[] = {FIELD(MergeArg, gate), FIELD(MergeArg, reg)};
static const Field eta_fields[] = {FIELD(Eta, dest), FIELD(Eta, gate), FIELD(Eta, source)};
static const Field loop_fields[] = {FIELD(LoopGate, header), FIELD(LoopGate, leaves),
                                    FIELD(LoopGate, goes_on)};
static const Field end_fields[] = {FIELD(EndGate, node), FIELD(EndGate, gate)};
static const Field class_fields[] = {TRUTH_FIELD(MemoryClass, is_slot), FIELD(MemoryClass, ref)};
static const Field memory_phi_fields[] = {FIELD(MemoryPhi, memory), FIELD(MemoryPhi, version),
                                          FIELD(MemoryPhi, args_at)};
static const Field mach_fields[] = {FIELD(MachInstr, kind),
                                    FIELD(MachInstr, base),
                                    FIELD(MachInstr, scale),
                                    FIELD(MachInstr, chunk),
                                    FIELD(MachInstr, memory),
                                    FIELD(MachInstr, immediate),
                                    TRUTH_FIELD(MachInstr, addressed),
                                    TRUTH_FIELD(MachInstr, tested),
                                    TRUTH_FIELD(MachInstr, checked),
                                    FIELD(MachInstr, op),
                                    FIELD(MachInstr, high),
                                    FIELD(MachInstr, dest),
                                    FIELD(MachInstr, src[0]),
                                    FIELD(MachInstr, src[1]),
                                    FIELD(MachInstr, src[2]),
                                    FIELD(MachInstr, src[3]),
                                    FIELD(MachInstr, base_place),
                                    FIELD(MachInstr, index),
                                    FIELD(MachInstr, displacement),
                                    FIELD(MachInstr, ref),
                                    FIELD(MachInstr, aux),
                                    FIELD(MachInstr, imm),
                                    FIELD(MachInstr, list),
                                    FIELD(MachInstr, results),
                                    FIELD(MachInstr, arguments),
                                    FIELD(MachInstr, loc)};
static const Field block_fields[] = {FIELD(MachBlock, first), FIELD(MachBlock, count),
                                     FIELD(MachBlock, succs), FIELD(MachBlock, succ_count)};
static const Field spill_fields[] = {FIELD(MachSpill, size)};

// A vector of a function, to be found again in each copy.
typedef struct {
    const char *name;
    const Field *fields;
    uint32_t field_count;
    size_t element;
    char *at;
    uint32_t count;
} Part;

#define PART(vec, fields)                                                                          \
    { #vec, fields, COUNT(fields), sizeof *(vec).at, (char *)(vec).at, (vec).count }

enum { MOST_PARTS = 24 };

static uint32_t parts_of(Func *func, Part *parts) {
    const Part plain[] = {PART(func->nodes, node_fields),   PART(func->regs, reg_fields),
                          PART(func->slots, slot_fields),   PART(func->params, id_fields),
                          PART(func->labels, id_fields),    PART(func->reg_pool, id_fields),
                          PART(func->node_pool, id_fields), PART(func->case_pool, case_fields),
                          PART(func->phis, phi_fields),     PART(func->phi_at, id_fields),
                          PART(func->phi_args, id_fields)};
    uint32_t count = COUNT(plain);
    memcpy(parts, plain, sizeof plain);
    if (func->gsa) {
        Gsa *gsa = func->gsa;
        const Part gated[] = {PART(gsa->atoms, atom_fields),
                              PART(gsa->gates, gate_fields),
                              PART(gsa->switches, cases_fields),
                              PART(gsa->case_values, case_fields),
                              PART(gsa->merges, merge_fields),
                              PART(gsa->merge_at, id_fields),
                              PART(gsa->merge_args, merge_arg_fields),
                              PART(gsa->etas, eta_fields),
                              PART(gsa->eta_at, id_fields),
                              PART(gsa->loops, loop_fields),
                              PART(gsa->ends, end_fields)};
        memcpy(parts + count, gated, sizeof gated);
        count += COUNT(gated);
    }
    if (func->son) {
        Son *son = func->son;
        const Part floating[] = {PART(son->floating, node_fields),
                                 PART(son->classes, class_fields),
                                 PART(son->makes, id_fields),
                                 PART(son->reads, id_fields),
                                 PART(son->memory_phis, memory_phi_fields),
                                 PART(son->memory_phi_at, id_fields),
                                 PART(son->memory_args, id_fields)};
        memcpy(parts + count, floating, sizeof floating);
        count += COUNT(floating);
    }
    if (func->mach) {
        Mach *mach = func->mach;
        const Part machine[] = {PART(mach->code, mach_fields), PART(mach->blocks, block_fields),
                                PART(mach->succs, id_fields), PART(mach->lists, id_fields),
                                PART(mach->spills, spill_fields)};
        memcpy(parts + count, machine, sizeof machine);
        count += COUNT(machine);
    }
    assert_true(count <= MOST_PARTS);
    return count;
}

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
    char *at = part->at + element * part->element + field->offset;
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
            memcpy(&old, part->at + e * part->element + field->offset, field->size);
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
