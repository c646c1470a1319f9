// Sea of Nodes of large functions, of the shapes that break what is quadratic or recursive: built,
// verified, printed, read back and rid of implied checks; and functions with as many objects in
// memory as nodes. Times and their growth are printed.
#include "bench/shapes.h"
#include "pass/pass.h"
#include "pass/son/son_trail.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"
#include "text/text.h"
#include "verify/verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef enum { BUILD, VERIFY, PRINT, PARSE, CHECKS, PARTS } Part;

static const char *const part_names[PARTS] = {"son_build", "verify", "print", "parse",
                                              "check_elim"};

typedef struct {
    uint32_t nodes, classes, memory_phis;
    double seconds[PARTS];
} Sample;

static void took(Sample *sample, Part part, double *last) {
    double now = (double)clock() / CLOCKS_PER_SEC;
    sample->seconds[part] = now - *last;
    *last = now;
}

static Sample measure(Arena *arena, const Func *func) {
    CopiesHint normal = {0};
    SsaHint ssa = {0};
    Complaints complaints = {.arena = arena};
    const Func *norm = normalize(arena, func, &normal);
    func = ssa_build(arena, norm ? norm : func, &ssa);
    Sample sample = {.nodes = func->nodes.count};
    double last = (double)clock() / CLOCKS_PER_SEC;
    Func *son = son_build(arena, func);
    took(&sample, BUILD, &last);
    assert_true(verify_func(&complaints, son));
    took(&sample, VERIFY, &last);
    Out text = {0}, again = {0};
    program_at(func->program, func->symbol)->func = son;
    program_print(&text, func->program, &(PrintOptions){0});
    took(&sample, PRINT, &last);
    Diag diag;
    diag_init(&diag, arena, stderr);
    const Program *read = program_parse(arena, &diag, FORM_SON, "text", text.text, text.length);
    took(&sample, PARSE, &last);
    assert_non_null(read);
    program_print(&again, read, &(PrintOptions){0});
    assert_true(text.length == again.length && memcmp(text.text, again.text, text.length) == 0);
    last = (double)clock() / CLOCKS_PER_SEC;
    check_elim(arena, son);
    took(&sample, CHECKS, &last);
    sample.classes = son->son->classes.count;
    sample.memory_phis = son->son->memory_phis.count;
    out_free(&text);
    out_free(&again);
    diag_free(&diag);
    return sample;
}

static void report(const char *name, const Sample *small, const Sample *large) {
    print_message("%-9s %8u nodes, %5u classes, %6u memory phis;", name, large->nodes,
                  large->classes, large->memory_phis);
    for (Part part = 0; part < PARTS; part++) {
        double factor = large->seconds[part] / fmax(small->seconds[part], 1e-6);
        print_message(" %s %.1f ms (%.2f)", part_names[part], large->seconds[part] * 1e3,
                      log(factor) / log((double)large->nodes / small->nodes));
    }
    print_message("\n");
}

static Sample measure_shape(Shape shape, uint32_t nodes) {
    Arena *arena = arena_new("scale");
    Sample sample = measure(arena, shape_func(arena, program_new(arena), shape, nodes, 1));
    arena_free(arena);
    return sample;
}

static void test_shapes(void **state) {
    (void)state;
    uint32_t nodes = (uint32_t)effort(2000, 40000, 1000000);
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
        Sample small = measure_shape(shape, nodes / 10), large = measure_shape(shape, nodes);
        report(shape_name(shape), &small, &large);
    }
}

// ---- Objects

typedef enum { OBJECTS_STRAIGHT, OBJECTS_CALLS, OBJECTS_BRANCHES, OBJECTS_COUNT } ObjectsKind;

static const char *const objects_names[OBJECTS_COUNT] = {"objects", "calls", "branches"};

// Slots in proportion to the nodes, stored to and loaded from; besides, calls that may write all,
// or branches around stores.
static Func *objects_func(Arena *arena, ObjectsKind kind, uint32_t count) {
    Program *program = program_new(arena);
    PType i32 = PTYPE_OF(TYPE_I32);
    Sig sig = program_sig(
        program, (SigInfo){.result = i32, .param_count = 1, .fixed_count = 1, .params = &i32});
    Sym symbol = program_symbol(program, str_intern(&program->strings, "f", 1), SYM_FUNC);
    Sym other = program_symbol(program, str_intern(&program->strings, "g", 1), SYM_FUNC);
    Func *func = func_new(program, arena, symbol, sig);
    Random random = random_from(count);
    program_at(program, symbol)->sig = program_at(program, other)->sig = sig;
    program_at(program, symbol)->defined = true;
    program_at(program, symbol)->func = func;
    func->form = FORM_RTL;
    Reg x = func_add_reg(func, (RegInfo){.number = 0, .type = TYPE_I32});
    Reg a = func_add_reg(func, (RegInfo){.number = 1, .type = TYPE_I64});
    vec_push(arena, &func->params, x);
    for (uint32_t i = 0; i < count / 4; i++) func_add_slot(func, (SlotInfo){.size = 8, .align = 8});
    for (uint32_t i = 0; i < count / 4; i++) {
        uint32_t slot = random_below(&random, func->slots.count), at = func->nodes.count;
        Instr address = {.kind = I_OP, .op = OP_ADDR_SLOT, .dest = a, .ref = slot};
        Instr store = {.kind = I_STORE,
                       .chunk = CHUNK_I32,
                       .base = BASE_SLOT,
                       .ref = slot,
                       .dest = NO_REG,
                       .arg_count = 1,
                       .arg = {x}};
        Instr load = {.kind = I_LOAD,
                      .chunk = CHUNK_I32,
                      .base = BASE_SLOT,
                      .dest = x,
                      .ref = random_below(&random, func->slots.count)};
        Instr call = {
            .kind = I_CALL, .dest = x, .ref = other.i, .aux = sig.i, .arg_count = 1, .arg = {x}};
        Instr share = {.kind = I_STORE,
                       .chunk = CHUNK_I64,
                       .base = BASE_REG,
                       .dest = NO_REG,
                       .arg_count = 2,
                       .arg = {a, a}};
        Instr branch = {.kind = I_COND,
                        .op = OP_EQ_I32,
                        .immediate = true,
                        .dest = NO_REG,
                        .arg_count = 1,
                        .arg = {x},
                        .succ = {{at + 1}, {at + 2}}};
        const Instr parts[OBJECTS_COUNT][4] = {{store, load, address, share},
                                               {call, load, address, share},
                                               {branch, store, load, address}};
        for (uint32_t k = 0; k < 4; k++) {
            Instr instr = parts[kind][k];
            instr.succ_count = instr.kind == I_COND ? 2 : 1;
            if (instr.kind != I_COND) instr.succ[0] = (Node){at + k + 1};
            func_add(func, instr);
        }
    }
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {x}});
    return func;
}

static Sample measure_objects(ObjectsKind kind, uint32_t nodes) {
    Arena *arena = arena_new("scale");
    Sample sample = measure(arena, objects_func(arena, kind, nodes));
    arena_free(arena);
    return sample;
}

static void test_objects(void **state) {
    (void)state;
    uint32_t nodes = (uint32_t)effort(2000, 40000, 1000000);
    for (ObjectsKind kind = 0; kind < OBJECTS_COUNT; kind++) {
        Sample small = measure_objects(kind, nodes / 10), large = measure_objects(kind, nodes);
        report(objects_names[kind], &small, &large);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_objects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
