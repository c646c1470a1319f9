// The text form: what is printed is read back as it was, mistakes are reported where they are, and
// no input, however hostile, does harm. Also the pictures of functions.
#include "text/text.h"
#include "text/print/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Parsing and printing for tests

typedef struct {
    Arena *arena;
    Diag diag; // collects messages
    Program *program;
} Parsed;

static Parsed parse_bytes(const char *text, size_t length) {
    Parsed parsed = {.arena = arena_new("test")};
    diag_init(&parsed.diag, parsed.arena, NULL);
    parsed.program = program_parse(parsed.arena, &parsed.diag, FORM_RTL, "t", text, length);
    out_char(&parsed.diag.out, '\0');
    return parsed;
}

static Parsed parse(const char *text) {
    return parse_bytes(text, strlen(text));
}

static void drop(Parsed *parsed) {
    diag_free(&parsed->diag);
    arena_free(parsed->arena);
}

static Parsed parse_good(const char *text) {
    Parsed parsed = parse(text);
    if (!parsed.program) fail_msg("not parsed:\n%s\n%s", text, parsed.diag.out.text);
    return parsed;
}

// The printed program, to be freed.
static char *printed(const Program *program, bool locations) {
    Out out = {0};
    program_print(&out, program, &(PrintOptions){.locations = locations});
    out_char(&out, '\0');
    return out.text;
}

static void assert_prints(const char *text, const char *expected) {
    Parsed parsed = parse_good(text);
    char *again = printed(parsed.program, true);
    assert_string_equal(again, expected);
    free(again);
    drop(&parsed);
}

// The first function that is defined.
static const Func *first_func(const Program *program) {
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func) return program->symbols.at[i].func;
    fail_msg("the program has no function");
    return NULL;
}

// ---- Texts in canonical form

static const char *const canonical[] = {
    "",
    "extern function void @exit(i32) noreturn\n",
    "file 1 \"a.c\"\nfile 2 \"dir/b \\\"x\\\".h\"\nextern global @x size 0 align 1 weak\n",
    "global @a size 1 align 1\nextern function i32 @f()\n\nfunction void @g() {\n  0: return\n}\n"
    "global @b size 1 align 1\n\nfunction void @h() {\n  0: return\n}\n",
    "global @s size 6 align 1 static const = \"a\\x00\\n\\\\\\\"\\xff\"\n",
    "global @t size 4 align 4 thread\nglobal @k size 4 align 4 static const thread = i32 1\n"
    "alias @a = @t thread\nextern global @e size 4 align 4 thread\n",
    "global @all size 100 align 8 static hidden const used section \".my \\\"s\\\"\" = zero 8, i8 "
    "-1, "
    "i16 -32768, i32 2147483647, i64 -9223372036854775808, \"\", addr @all - 4, addr @later + 1, "
    "addr @later\nextern global @later size 18446744073709551615 align 4294967295 protected\n",
    "global @r size 4 align 4 const replaceable\nalias @a = @r const replaceable\n\nfunction void "
    "@f() "
    "noinline returns_twice retain replaceable section \"s\" {\n  0: return\n}\n",
    "global @x size 4 align 4\nalias @\"x@@V1\" = @x version\nalias @\"x@V0\" = @x version\n",
    "global @c size 4 align 4 common\nglobal @w size 4 align 4 weak internal\n",
    "alias @a = @b weak hidden noreturn\nalias @b = @f static\n\nfunction void @f() {\n  0: "
    "return\n}\n",
    "function void @f() static internal noreturn noinline alwaysinline used returns_twice section "
    "\"s\" constructor 0 destructor 65535 {\n  0: trap\n}\n",
    "function agg(16 align 8: i64, f64) @f(agg(24 align 8) %p, agg(16 align 16: f80) %q, f80 %r, "
    "...) {\n  0: return %p\n}\n",
    "extern function void @v(...)\nextern function agg(1 align 1: i64) @r(agg(3 align 1), f32, "
    "...)\n",
    "function void @\"a b\\x00\"(i32 %\"a b\") {\n  slot $0 size 1 align 1\n  slot $x.y size 2 "
    "align 2\n  slot $\"2\" size 3 align 1\n  slot $3 size 4 align 4\n  0: %1 = addr $0\n  1: %2 = "
    "addr $x.y + 1\n  2: %3 = addr $\"2\" - 1\n  3: %4 = addr $3\n  4: return\n}\n",
    "function void @f() {\n  reg i32 %x\n  reg f80 %x'2\n  reg i64 %x.0\n  reg f32 %x'2.7\n  reg "
    "f64 %0\n  reg i32 %4294967294.4294967293\n  reg i32 %_$9\n  0: return\n}\n",
    "function void @f() {\n  4294967294: nop -> 7\n  0: return\n  7: nop -> 4294967294\n}\n",
    "file 1 \"a\"\n\nfunction void @f() {\n  0: nop !1:2:3\n  1: nop\n  2: nop -> 1 !1:2:3\n  3: "
    "return !1:0:0\n}\n",
};

static void test_canonical(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof canonical / sizeof *canonical; i++)
        assert_prints(canonical[i], canonical[i]);
}

// What may be written differently than it is printed.
static const struct {
    const char *text, *expected;
} free_forms[] = {
    {"// nothing\n\n  \t\r\n", ""},
    {"extern global @x size 0x10 align 0x8 hidden weak // c", "extern global @x size 16 align 8 "
                                                              "weak hidden\n"},
    {"global @x size 1 align 1 = i8 255,i16 0xffff , i32 4294967295, i64 0xffffffffffffffff",
     "global @x size 1 align 1 = i8 -1, i16 -1, i32 -1, i64 -1\n"},
    {"function void @f(){\n007:nop->7\n}", "function void @f() {\n  7: nop -> 7\n}\n"},
    {"function void @f(){\n0:nop->1//x\n\n//y\n1:return\n}//z\n",
     "function void @f() {\n  0: nop\n  1: return\n}\n"},
    {"function i32 @f(i32 %x) {\n reg i32 %x\n reg i32 %y\n0: %y = const.i32 0xffffffff\n"
     "1: switch %x { 0x80000000: 0, 4: 1, default: 0 }\n}\n",
     "function i32 @f(i32 %x) {\n  0: %y = const.i32 -1\n  1: switch %x { -2147483648: 0, 4: 1, "
     "default: 0 }\n}\n"},
    {"function i64 @f(i64 %p) {\n0: %x = load.i64 [ %p+%p*8-0x8 ]\n1: %x = load.i64 [-8]\n2: "
     "return "
     "%x\n}\n",
     "function i64 @f(i64 %p) {\n  0: %x = load.i64 [%p + %p*8 - 8]\n  1: %x = load.i64 [-8]\n  2: "
     "return %x\n}\n"},
    // A signature that is implied is not printed; it may use what is declared below.
    {"function i32 @f(i32 %x, f64 %y) {\n0: %r = call i32(i32, ..., f64, i32) @p(%x, %y, %z)\n"
     "1: %z = call i32(i32) @q(%r)\n2: return %z\n}\nextern function i32 @q(i32)\n"
     "extern function i32 @p(i32, ...)\n",
     "function i32 @f(i32 %x, f64 %y) {\n  0: %r = call @p(%x, %y, %z)\n  1: %z = call @q(%r)\n  "
     "2: return %z\n}\nextern function i32 @q(i32)\nextern function i32 @p(i32, ...)\n"},
};

static void test_free_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof free_forms / sizeof *free_forms; i++)
        assert_prints(free_forms[i].text, free_forms[i].expected);
}

static void test_locations_are_optional(void **state) {
    (void)state;
    Parsed parsed = parse_good("file 1 \"a\"\nfunction void @f() {\n0: return !1:2:3\n}\n");
    char *text = printed(parsed.program, false);
    assert_string_equal(text, "function void @f() {\n  0: return\n}\n");
    free(text);
    drop(&parsed);
}

// ---- What the parser builds

static void test_labels_and_order(void **state) {
    (void)state;
    Parsed parsed = parse_good("function void @z() {\n0: call @a()\n1: return\n}\n"
                               "alias @m = @z\nextern function void @a()\n"
                               "function void @b() {\n5: nop -> 5\n}\n");
    const Program *program = parsed.program;
    assert_int_equal(program->symbols.count, 4);
    static const char *const names[] = {"z", "m", "a", "b"};
    for (uint32_t i = 0; i < 4; i++)
        assert_string_equal(program_text(program, program->symbols.at[i].name), names[i]);
    assert_int_equal(program->symbols.at[0].func->labels.count, 0);
    assert_int_equal(program->symbols.at[3].func->labels.count, 1);
    assert_int_equal(program->symbols.at[3].func->nodes.at[0].succ[0].i, 0);
    assert_int_equal(program->symbols.at[1].kind, SYM_FUNC);
    assert_int_equal(program->symbols.at[1].sig.i, program->symbols.at[0].sig.i);
    drop(&parsed);
}

static void test_alias_chain(void **state) {
    (void)state;
    Parsed parsed = parse_good("alias @a = @b\nalias @b = @c\nalias @d = @b\n"
                               "global @c size 12 align 4\n");
    for (uint32_t i = 0; i < 3; i++) {
        const Symbol *symbol = &parsed.program->symbols.at[i];
        assert_int_equal(symbol->kind, SYM_DATA);
        assert_true(symbol->defined);
        assert_int_equal(symbol->size, 12);
        assert_int_equal(symbol->align, 4);
    }
    assert_int_equal(parsed.program->symbols.at[0].alias.i, 1);
    drop(&parsed);
}

static void test_variadic_signature(void **state) {
    (void)state;
    Parsed parsed =
        parse_good("extern function agg(32 align 8) @p(i32, ...)\n"
                   "function void @f(i32 %a, i64 %q) {\n"
                   "0: call @p(%a, %x, %q) into %q\n1: %x = const.f32 1\n2: return\n}\n");
    const Instr *call = &first_func(parsed.program)->nodes.at[0];
    const SigInfo *sig = program_sig_info(parsed.program, (Sig){call->aux});
    assert_true(sig->variadic);
    assert_int_equal(sig->fixed_count, 1);
    assert_int_equal(sig->param_count, 3);
    assert_int_equal(sig->params[1].i, TYPE_F32);
    assert_int_equal(sig->params[2].i, TYPE_I64);
    assert_int_equal(call->arg_count, 4);
    assert_int_equal(call->dest.i, NO_ID);
    drop(&parsed);
}

static void test_registers(void **state) {
    (void)state;
    Parsed parsed = parse_good("function void @f(i32 %x) {\n0: %x'3 = move.i32 %x\n"
                               "1: %12 = const.i64 1\n2: %x.0 = const.f64 1\n3: %x'3.4 = const.f32 "
                               "1\n4: return\n}\n");
    const Func *func = first_func(parsed.program);
    static const struct {
        const char *name;
        uint32_t number, version;
        Type type;
    } expected[] = {{"x", 0, 0, TYPE_I32},
                    {"x", 3, 0, TYPE_I32},
                    {"", 12, 0, TYPE_I64},
                    {"x", 0, 1, TYPE_F64},
                    {"x", 3, 5, TYPE_F32}};
    assert_int_equal(func->regs.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const RegInfo *info = &func->regs.at[i];
        assert_string_equal(program_text(parsed.program, info->name), expected[i].name);
        assert_int_equal(info->number, expected[i].number);
        assert_int_equal(info->version, expected[i].version);
        assert_int_equal(info->type, expected[i].type);
    }
    assert_int_equal(func->next_temp, 13);
    drop(&parsed);
}

// ---- Floating-point numbers

static const struct {
    Type type;
    const char *text;    // as written
    const char *printed; // NULL: the same
    uint64_t bits;
    uint16_t high;
} floats[] = {
    {TYPE_F32, "0x0p+0", NULL, 0, 0},
    {TYPE_F32, "-0x0p+0", NULL, 0x80000000, 0},
    {TYPE_F32, "0x1.8p+1", NULL, 0x40400000, 0},
    {TYPE_F32, "0.1", "0x1.99999ap-4", 0x3dcccccd, 0},
    {TYPE_F32, "0x1p-149", NULL, 1, 0},
    {TYPE_F32, "1e-60", "0x0p+0", 0, 0},
    {TYPE_F32, "0x1.fffffep+127", NULL, 0x7f7fffff, 0},
    {TYPE_F32, "inf", NULL, 0x7f800000, 0},
    {TYPE_F32, "-inf", NULL, 0xff800000, 0},
    {TYPE_F32, "nan:0x7f800001", NULL, 0x7f800001, 0},
    {TYPE_F32, "nan:0xffffffff", NULL, 0xffffffff, 0},
    {TYPE_F64, "0x1.8p+1", NULL, 0x4008000000000000, 0},
    {TYPE_F64, "-1.5e3", "-0x1.77p+10", 0xc097700000000000, 0},
    {TYPE_F64, "7", "0x1.cp+2", 0x401c000000000000, 0},
    {TYPE_F64, "0x0.0000000000001p-1022", NULL, 1, 0},
    {TYPE_F64, "0x1.fffffffffffffp+1023", NULL, 0x7fefffffffffffff, 0},
    {TYPE_F64, "-inf", NULL, 0xfff0000000000000, 0},
    {TYPE_F64, "nan:0x7ff0000000000001", NULL, 0x7ff0000000000001, 0},
    {TYPE_F64, "nan:0xfff8000000000000", NULL, 0xfff8000000000000, 0},
    {TYPE_F80, "0x3fff:0x8000000000000000", NULL, 0x8000000000000000, 0x3fff},
    {TYPE_F80, "1", "0x3fff:0x8000000000000000", 0x8000000000000000, 0x3fff},
    {TYPE_F80, "-0x1p-1", "0xbffe:0x8000000000000000", 0x8000000000000000, 0xbffe},
    {TYPE_F80, "-inf", "0xffff:0x8000000000000000", 0x8000000000000000, 0xffff},
    {TYPE_F80, "nan:0x7fff:0xc000000000000001", "0x7fff:0xc000000000000001", 0xc000000000000001,
     0x7fff},
    {TYPE_F80, "0x0000:0x0000000000000001", NULL, 1, 0},
};

static void test_floats(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        char text[200], expected[200];
        const char *format = "function void @f() {\n  0: %%x = const.%s %s\n  1: return\n}\n";
        const char *type = type_name(floats[i].type);
        snprintf(text, sizeof text, format, type, floats[i].text);
        snprintf(expected, sizeof expected, format, type,
                 floats[i].printed ? floats[i].printed : floats[i].text);
        assert_prints(text, expected);
        Parsed parsed = parse_good(text);
        const Instr *instr = &first_func(parsed.program)->nodes.at[0];
        assert_int_equal((uint64_t)instr->imm, floats[i].bits);
        assert_int_equal(instr->high, floats[i].high);
        drop(&parsed);
    }
}

// ---- A program with everything, built by calls

static Reg new_reg(Func *func, Type type) {
    return func_temp(func, type);
}

static void add(Func *func, Instr instr, const Reg *args, uint32_t count) {
    uint32_t next = func->nodes.count + 1;
    Node node = func_add(func, instr);
    func_set_args(func, node, args, count);
    func_set_succs(func, node, &(Node){next}, 1);
}

static void add_operators(Func *func) {
    Reg of_type[TYPE_COUNT];
    for (Type type = TYPE_I32; type < TYPE_COUNT; type++) of_type[type] = new_reg(func, type);
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        Reg args[3];
        for (uint32_t i = 0; i < info->arity; i++) args[i] = of_type[info->operand[i]];
        Instr instr = {.kind = I_OP, .op = (uint16_t)op, .dest = new_reg(func, info->result)};
        if (!info->arity) instr.imm = op == OP_CONST_I32 ? INT32_MIN : INT64_MIN;
        if (op == OP_CONST_F32) instr.imm = 0x7fc00001;
        if (op == OP_CONST_F80) instr.high = 0xffff;
        add(func, instr, args, info->arity);
        if (!op_allows_immediate(op)) continue;
        instr.immediate = true;
        instr.imm = info->operand[1] == TYPE_I32 ? INT32_MIN : INT64_MIN;
        add(func, instr, args, 1);
    }
}

static void add_accesses(Func *func, bool is_volatile) {
    Reg base = new_reg(func, TYPE_I64), index = new_reg(func, TYPE_I64);
    for (uint32_t i = 0; i < CHUNK_COUNT * 4 * 5; i++) {
        Chunk chunk = i % CHUNK_COUNT;
        Instr instr = {.kind = is_volatile ? I_BUILTIN : I_LOAD,
                       .op = is_volatile ? BI_VOLATILE_LOAD : 0,
                       .base = (uint8_t)(i / CHUNK_COUNT % 4),
                       .chunk = (uint8_t)chunk,
                       .scale = (uint8_t)((uint32_t)1 << i / CHUNK_COUNT / 4 >> 1),
                       .dest = new_reg(func, chunk_type(chunk)),
                       .imm = (int64_t)i % 3 - 1};
        Reg args[3];
        uint32_t count = 0;
        if (instr.base == BASE_REG) args[count++] = base;
        if (instr.scale) args[count++] = index;
        add(func, instr, args, count);
        args[count++] = instr.dest;
        instr.kind = is_volatile ? I_BUILTIN : I_STORE;
        instr.op = is_volatile ? BI_VOLATILE_STORE : 0;
        instr.dest = NO_REG;
        add(func, instr, args, count);
    }
}

static void add_builtins(Func *func, PType aggregate) {
    Reg w = new_reg(func, TYPE_I32), q = new_reg(func, TYPE_I64);
    for (Builtin builtin = 0; builtin < BI_COUNT; builtin++) {
        const BuiltinInfo *info = builtin_info(builtin);
        if (info->form == BIF_ADDRESS || info->form == BIF_ATOMIC) continue;
        Instr instr = {.kind = I_BUILTIN, .op = (uint16_t)builtin, .dest = NO_REG};
        Reg args[3];
        uint32_t count = 0;
        for (const char *c = info->arguments; *c; c++) args[count++] = *c == 'w' ? w : q;
        if (info->result == BIR_I64) instr.dest = new_reg(func, TYPE_I64);
        if (info->form == BIF_SIZE || info->form == BIF_ALIGN) instr.imm = 16;
        if (info->form == BIF_ORDER) instr.aux = ORDER_ACQUIRE;
        if (builtin == BI_VA_ARG) {
            instr.dest = new_reg(func, TYPE_F80);
            instr.ref = TYPE_F80;
            add(func, instr, args, count);
            instr.dest = NO_REG;
            instr.ref = aggregate.i;
            args[count++] = q;
        }
        add(func, instr, args, count);
        if (info->end) func_set_succs(func, (Node){func->nodes.count - 1}, NULL, 0);
    }
}

static void add_atomics(Func *func) {
    Reg base = new_reg(func, TYPE_I64), index = new_reg(func, TYPE_I64);
    for (uint32_t i = 0; i < BI_COUNT * CHUNK_I64 * ORDER_COUNT; i++) {
        Builtin builtin = i % BI_COUNT;
        Chunk chunk = i / BI_COUNT % (CHUNK_I64 + 1);
        const BuiltinInfo *info = builtin_info(builtin);
        if (info->form != BIF_ATOMIC) continue;
        Instr instr = {.kind = I_BUILTIN,
                       .op = (uint16_t)builtin,
                       .base = (uint8_t)(i / 3 % 4),
                       .chunk = (uint8_t)chunk,
                       .scale = i % 2 ? 4 : 0,
                       .dest = NO_REG,
                       .aux = i % ORDER_COUNT | (i % 7 ? 0 : ATOMIC_VOLATILE),
                       .imm = (int64_t)i % 3 - 1};
        Reg args[4];
        uint32_t count = 0;
        if (instr.base == BASE_REG) args[count++] = base;
        if (instr.scale) args[count++] = index;
        for (const char *c = info->arguments; *c; c++)
            args[count++] = new_reg(func, chunk_type(chunk));
        if (info->result == BIR_CHUNK) instr.dest = new_reg(func, chunk_type(chunk));
        add(func, instr, args, count);
    }
}

static void add_calls(Func *func, Sym callee, PType aggregate) {
    Program *program = func->program;
    Reg i = new_reg(func, TYPE_I32), q = new_reg(func, TYPE_I64), f = new_reg(func, TYPE_F64);
    PType types[] = {PTYPE_OF(TYPE_I64), PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_F64), aggregate};
    SigInfo variadic = {.result = PTYPE_OF(TYPE_I32),
                        .params = types,
                        .param_count = 3,
                        .fixed_count = 1,
                        .variadic = true};
    Instr call = {.kind = I_CALL, .dest = new_reg(func, TYPE_I32), .ref = callee.i};
    call.aux = program_sig(program, variadic).i;
    add(func, call, (Reg[]){q, i, f}, 3); // its signature is implied
    variadic.param_count = 4;
    call.aux = program_sig(program, variadic).i;
    add(func, call, (Reg[]){q, i, f, q}, 4); // here not
    SigInfo into = {.result = aggregate, .params = types, .param_count = 2, .fixed_count = 2};
    call = (Instr){.kind = I_CALL, .dest = NO_REG, .ref = NO_ID};
    call.aux = program_sig(program, into).i;
    add(func, call, (Reg[]){q, q, i, q}, 4);
    into.result = PTYPE_VOID;
    into.param_count = into.fixed_count = 0;
    call.aux = program_sig(program, into).i;
    add(func, call, &q, 1);
}

static void add_control(Func *func) {
    Reg i = new_reg(func, TYPE_I32), q = new_reg(func, TYPE_I64);
    add(func, (Instr){.kind = I_NOP, .dest = NO_REG}, NULL, 0);
    add(func, (Instr){.kind = I_CHECK, .dest = NO_REG}, &q, 1);
    Node cond = func_add(func, (Instr){.kind = I_COND, .op = OP_EQ_I32, .dest = NO_REG});
    func_set_args(func, cond, (Reg[]){i, i}, 2);
    func_set_succs(func, cond, (Node[]){{0}, cond}, 2);
    int64_t values[] = {INT64_MIN, -1, 0, INT64_MAX};
    for (uint32_t count = 0; count <= 4; count++) {
        Instr instr = {.kind = I_SWITCH, .dest = NO_REG};
        instr.aux = func_add_cases(func, values, count);
        Node node = func_add(func, instr);
        func_set_args(func, node, &q, 1);
        func_set_succs(func, node, (Node[]){node, {0}, cond, {1}, {2}}, count + 1);
    }
    for (uint32_t count = 0; count < 2; count++) {
        Node node = func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG});
        func_set_args(func, node, &i, count);
    }
}

static Program *everything(Arena *arena) {
    Program *program = program_new(arena);
    PType aggregate = program_ptype(
        program, (ParamType){.size = 16, .align = 8, .parts = 2, .part = {TYPE_I64, TYPE_F64}});
    PType params[] = {PTYPE_OF(TYPE_I64)};
    SigInfo info = {.result = PTYPE_OF(TYPE_I32),
                    .params = params,
                    .param_count = 1,
                    .fixed_count = 1,
                    .variadic = true};
    Sym callee = program_symbol(program, str_of(&program->strings, "callee"), SYM_FUNC);
    program_at(program, callee)->sig = program_sig(program, info);
    Sym symbol =
        program_symbol(program, str_of(&program->strings, "\x7f weird \"name\""), SYM_FUNC);
    Func *func = func_new(program, arena, symbol, program_sig(program, info));
    program_at(program, symbol)->sig = func->sig;
    program_at(program, symbol)->func = func;
    program_at(program, symbol)->defined = true;
    Reg param =
        func_add_reg(func, (RegInfo){.name = str_of(&program->strings, "p"), .type = TYPE_I64});
    vec_push(arena, &func->params, param);
    func_add_slot(func, (SlotInfo){.size = 8, .align = 8});
    add_operators(func);
    add_accesses(func, false);
    add_accesses(func, true);
    add_builtins(func, aggregate);
    add_atomics(func);
    add_calls(func, callee, aggregate);
    add_control(func);
    return program;
}

static void assert_same_reg(const Func *f, Reg a, const Func *g, Reg b) {
    if (a.i == NO_ID || b.i == NO_ID) {
        assert_int_equal(a.i, b.i);
        return;
    }
    const RegInfo *x = &f->regs.at[a.i], *y = &g->regs.at[b.i];
    assert_string_equal(program_text(f->program, x->name), program_text(g->program, y->name));
    assert_int_equal(x->number, y->number);
    assert_int_equal(x->version, y->version);
    assert_int_equal(x->type, y->type);
}

static void assert_same_instr(const Func *f, const Instr *a, const Func *g, const Instr *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->base, b->base);
    assert_int_equal(a->scale, b->scale);
    assert_int_equal(a->chunk, b->chunk);
    assert_int_equal(a->op, b->op);
    assert_int_equal(a->high, b->high);
    assert_int_equal(a->immediate, b->immediate);
    assert_int_equal(a->imm, b->imm);
    if (a->kind != I_BUILTIN || a->op != BI_VA_ARG) assert_int_equal(a->ref, b->ref);
    assert_same_reg(f, a->dest, g, b->dest);
    assert_int_equal(a->arg_count, b->arg_count);
    for (uint32_t i = 0; i < a->arg_count; i++)
        assert_same_reg(f, instr_args(f, a)[i], g, instr_args(g, b)[i]);
    assert_int_equal(a->succ_count, b->succ_count);
    for (uint32_t i = 0; i < a->succ_count; i++)
        assert_int_equal(instr_succs(f, a)[i].i, instr_succs(g, b)[i].i);
    for (uint32_t i = 1; a->kind == I_SWITCH && i < a->succ_count; i++)
        assert_int_equal(instr_cases(f, a)[i - 1], instr_cases(g, b)[i - 1]);
}

static void test_everything(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const Program *program = everything(arena);
    char *text = printed(program, true);
    Parsed parsed = parse_good(text);
    const Func *f = first_func(program), *g = first_func(parsed.program);
    assert_int_equal(f->nodes.count, g->nodes.count);
    assert_int_equal(f->regs.count, g->regs.count);
    for (uint32_t i = 0; i < f->nodes.count; i++)
        assert_same_instr(f, &f->nodes.at[i], g, &g->nodes.at[i]);
    char *again = printed(parsed.program, true);
    assert_string_equal(text, again);
    free(text);
    free(again);
    drop(&parsed);
    arena_free(arena);
}

// A broken function is printed as far as it goes.
static void test_print_broken(void **state) {
    (void)state;
    Parsed parsed = parse_good("function void @f(i64 %p) {\n0: nop\n1: return\n}\n");
    Func copy = *parsed.program->symbols.at[0].func, *func = &copy;
    func->nodes.at[0] = (Instr){.kind = I_STORE,
                                .base = BASE_SLOT,
                                .ref = 7,
                                .dest = {9},
                                .arg_count = 1,
                                .arg = {{5}},
                                .succ_count = 1,
                                .succ = {{77}}};
    char *text = printed(parsed.program, false);
    assert_string_equal(text, "function void @f(i64 %p) {\n  0: %? = store.i8 [$?], %? -> ?\n  1: "
                              "return\n}\n");
    free(text);
    drop(&parsed);
}

// ---- Mistakes

// A mistake in a line of its own inside a function with some things to refer to; the line is 5.
#define HEAD                                                                                       \
    "extern function i32 @v(i64, ...)\nglobal @d size 4 align 4\nfunction i32 @f(i32 %a, i64 %p) " \
    "{\nslot $s size 8 align 8\n"
#define IN(line) HEAD line "\n99: return %a\n}\n"

static const struct {
    const char *text, *place, *message;
} mistakes[] = {
    // items
    {"x", "1:1",
     "expected 'code', 'file', 'reserve', 'asm', 'extern', 'global', 'alias', 'indirect' or "
     "'function', found "
     "'x'"},
    {"code", "1:5", "expected 'fixed', 'pie' or 'shared', found the end of the text"},
    {"code pie\ncode shared", "2:6", "what code goes by is said already"},
    {"code pie frame", "1:10", "expected the end of the line, found 'frame'"},
    {"\n  \x01\n", "2:3", "this character has no meaning here"},
    {"extern x", "1:8", "expected 'function' or 'global'"},
    {"file 2 \"a\"", "1:6", "this is number 1"},
    {"file 1 \"\"", "1:8", "must not be empty"},
    {"file 1 \"a", "1:8", "not closed in its line"},
    {"file 1 \"a\\q\"", "1:10", "unknown escape"},
    {"file 1 \"\\x4\"", "1:9", "unknown escape"},
    {"file 1 \"a\" b", "1:12", "expected the end of the line, found 'b'"},
    {"global d size 4 align 4", "1:8", "expected the name of a symbol, found 'd'"},
    {"global @ size 4 align 4", "1:8", "a symbol needs a name"},
    {"global @\"\" size 4 align 4", "1:8", "must not be empty"},
    {"global @d align 4", "1:11", "expected 'size', found 'align'"},
    {"global @d size -4 align 4", "1:16", "expected a size, found '-'"},
    {"global @d size 18446744073709551616 align 4", "1:16", "out of range"},
    {"global @d size 4 align 4294967296", "1:24", "out of range"},
    {"global @d size 4 align 4 noreturn", "1:26", "does not apply"},
    {"global @d size 4 align 4 static weak", "1:33", "repeats or contradicts"},
    {"global @d size 4 align 4 used used", "1:31", "repeats or contradicts"},
    {"global @d size 4 align 4 section 5", "1:34", "expected a string"},
    {"global @d size 4 align 4 =", "1:27", "found the end of the text"},
    {"global @d size 4 align 4 = i8 256", "1:31", "'256' is out of range"},
    {"global @d size 4 align 4 = i16 -32769", "1:32", "out of range"},
    {"global @d size 4 align 4 = i32 1,", "1:34", "expected a string, 'zero'"},
    {"global @d size 4 align 4 = addr @e", "1:33", "'@e' is not declared"},
    {"extern global @d size 4 align 4 = i8 1", "1:33", "expected the end of the line"},
    {"global @d size 1 align 1\n\nglobal @d size 1 align 1", "3:8", "declared on line 1"},
    {"alias @a = @b", "1:12", "'@b' is not declared"},
    {"alias @a = @b\nalias @b = @a", "1:7", "alias of itself"},
    {"alias @a = @b section \"s\"\nglobal @b size 1 align 1", "1:15", "does not apply"},
    {"extern function i32 @f(void)", "1:24", "expected the type of a parameter"},
    {"extern function i8 @f()", "1:17", "expected the type of the result, found 'i8'"},
    {"extern function i32 @f(i32, ..., i32)", "1:34", "expected ')' after '...'"},
    {"extern function i32 @f(i32 %x)", "1:28", "expected ',' or ')'"},
    {"extern function agg(0 align 1) @f()", "1:17", "at least one byte"},
    {"extern function agg(8 align 8: i64, i64, i64) @f()", "1:42", "at most two parts"},
    {"extern function agg(8 align 8: void) @f()", "1:32", "expected the type of a register"},
    {"extern function void @f() constructor 2147483648", "1:39", "out of range"},
    {"function void @f(i32) {\n}", "1:21", "expected the register of the parameter"},
    {"function void @f(i32 %x, i64 %x) {\n0: return\n}", "1:30", "'%x' is a parameter twice"},
    {"function void @f()", "1:19", "expected '{'"},
    {"function void @f() {\n}", "2:1", "at least one instruction"},
    {"function void @f() {\n0: return\n", "1:15", "the body of '@f' has no closing brace"},
    {"function void @f() {\n0: return\nglobal @d size 1 align 1", "1:15", "no closing brace"},
    {"function void @f() { 0: return }", "1:22", "expected the end of the line"},
    // slots, registers, labels
    {IN("slot $s size 1 align 1"), "5:6", "'$s' is declared twice"},
    {IN("slot $2 size 1 align 1"), "5:6", "this is $1"},
    {IN("slot $ size 1 align 1"), "5:6", "a slot needs a name or a number"},
    {IN("reg void %x"), "5:5", "expected the type of a register"},
    {IN("reg i64 %a"), "5:9", "'%a' is i64 here, but i32 on line 3"},
    {IN("x: nop"), "5:1", "expected a label and an instruction"},
    {IN("0x: nop"), "5:1", "expected a label"},
    {IN("4294967295: nop"), "5:1", "out of range"},
    {IN("5 nop"), "5:3", "expected ':'"},
    {IN("99: nop"), "6:1", "label 99 is already used on line 5"},
    {IN("1: nop -> 2"), "5:11", "there is no label 2"},
    {IN("1: nop 99"), "5:8", "expected the end of the line, found '99'"},
    {IN("1: if eq.i32 %a, 1 then 99 else 98"), "5:33", "there is no label 98"},
    {HEAD "1: nop\n}", "5:1", "runs off the end"},
    {IN("1: nop\n2: return %a\nslot $t size 1 align 1"), "7:1", "before the first instruction"},
    {IN("1: %x = move.i32 %y"), "5:18", "'%y' has no definition"},
    {IN("1: %x = const.i32 1\n2: %x = const.i64 1"), "6:4", "i64 here, but i32 on line 5"},
    {IN("1: %x'0 = const.i32 1"), "5:4", "at least 1"},
    {IN("1: %4294967295 = const.i32 1"), "5:4", "too large"},
    {IN("1: %x.4294967295 = const.i32 1"), "5:4", "too large"},
    {IN("1: % = const.i32 1"), "5:4", "a register needs a name or a number"},
    {IN("1: nop !1:2:3"), "5:9", "there is no file 1"},
    {IN("1: nop !0:2:3"), "5:9", "there is no file 0"},
    {IN("1: nop !1:2"), "5:12", "expected ':'"},
    // operators
    {IN("1: %x = plus.i32 %a, %a"), "5:9", "unknown instruction 'plus.i32'"},
    {IN("1: %x = 5"), "5:9", "expected an instruction, found '5'"},
    {IN("1: %x"), "5:6", "expected '=', found the end of the line"},
    {IN("1:"), "5:3", "expected an instruction"},
    {IN("1: %x = add.i32 %a"), "5:19", "add.i32 takes 2 operands"},
    {IN("1: %x = add.i32 %a, %a, %a"), "5:23", "add.i32 takes 2 operands"},
    {IN("1: %x = neg.i32 5"), "5:17", "operand 1 of neg.i32 must be a register"},
    {IN("1: %x = add.i32 5, %a"), "5:17", "operand 1 of add.i32 must be a register"},
    {IN("1: %x = select.i32 %a, %a, 5"), "5:28", "operand 3 of select.i32 must be a register"},
    {IN("1: %x = add.i32 %a, 4294967296"), "5:21", "'4294967296' is out of range"},
    {IN("1: %x = add.i32 %a, -2147483649"), "5:21", "out of range"},
    {IN("1: %x = add.i32 %a, 1.5"), "5:21", "expected an integer, found '1.5'"},
    {IN("1: %x = add.i32 %a, @d"), "5:21", "expected a register, found '@d'"},
    {IN("1: add.i32 %a, %a"), "5:4", "'add.i32' needs a register for its result"},
    {IN("1: %x = const.i64 18446744073709551616"), "5:19", "out of range"},
    {IN("1: %x = const.f32 1e39"), "5:19", "too large for f32"},
    {IN("1: %x = const.f64 1e309"), "5:19", "too large for f64"},
    {IN("1: %x = const.f64 1.2.3"), "5:19", "expected a floating-point number"},
    {IN("1: %x = const.f64 nan"), "5:22", "expected ':' and the bits"},
    {IN("1: %x = const.f64 nan:0x7ff0000000000000"), "5:23", "not the bits of a NaN"},
    {IN("1: %x = const.f32 nan:0x1ffffffff"), "5:23", "out of range"},
    {IN("1: %x = const.f80 0x10000:0x1"), "5:19", "out of range"},
    {IN("1: %x = addr %a"), "5:14", "expected a symbol or a slot"},
    {IN("1: %x = addr @e"), "5:14", "'@e' is not declared"},
    {IN("1: %x = addr $t"), "5:14", "'$t' is not declared"},
    {IN("1: %x = addr $0"), "5:14", "'$0' is not declared"},
    {IN("1: %x = addr @d - 9223372036854775809"), "5:17", "out of range"},
    {IN("1: %x = addr @\"d\\z\""), "5:17", "unknown escape"},
    // memory
    {IN("1: %x = load [%p]"), "5:9", "unknown instruction 'load'"},
    {IN("1: %x = load.i32 %p"), "5:18", "expected '['"},
    {IN("1: %x = load.i32 []"), "5:19", "expected an address"},
    {IN("1: %x = load.i32 [%p + %p]"), "5:26", "expected '*' and a scale"},
    {IN("1: %x = load.i32 [%p*3]"), "5:22", "a scale is 1, 2, 4 or 8"},
    {IN("1: %x = load.i32 [%p*256]"), "5:22", "a scale is 1, 2, 4 or 8"},
    {IN("1: %x = load.i32 [%p + 8"), "5:25", "expected ']'"},
    {IN("1: %x = load.i32 [%p*8 + %p*8]"), "5:26", "expected an integer"},
    {IN("1: %x = store.i32 [%p], %a"), "5:4", "'store.i32' has no result"},
    {IN("1: store.i32 [%p]"), "5:18", "expected ','"},
    // calls
    {IN("1: call @e()"), "5:9", "'@e' is not declared"},
    {IN("1: call @d()"), "5:9", "'@d' is not a function"},
    {IN("1: call @f(%a)"), "5:9", "called with 1 argument, but takes 2"},
    {IN("1: call @v()"), "5:9", "called with 0 arguments, but takes at least 1"},
    {IN("1: call i32(i64, ..., i32) @v(%p)"), "5:28", "but takes 2"},
    {IN("1: call %p()"), "5:9", "an indirect call needs a signature"},
    {IN("1: %x = call void(i64) %p(%p)"), "5:4", "'call' has no result"},
    {IN("1: call i32(i64 %p(%p)"), "5:17", "expected ',' or ')'"},
    {IN("1: call i32(i64, ..., ...) %p(%p)"), "5:23", "expected the type of a parameter"},
    {IN("1: call agg(8 align 8)(i64) %p(%p)"), "5:35", "expected 'into'"},
    {IN("1: call i32(i64) %p(%p) into %p"), "5:25", "expected the end of the line, found 'into'"},
    // control
    {IN("1: if add.i32 %a, %a then 1 else 1"), "5:7", "add.i32 is not a condition"},
    {IN("1: if nop then 1 else 1"), "5:7", "nop is not a condition"},
    {IN("1: if eq.i32 %a, %a then 1"), "5:27", "expected 'else'"},
    {IN("1: if eq.i32 %a, %a 1"), "5:21", "expected 'then', found '1'"},
    {IN("1: switch %a { 1: 1 }"), "5:21", "expected ','"},
    {IN("1: switch %a { 1: 1, }"), "5:22", "expected a case or 'default'"},
    {IN("1: switch %a { 1: 1, 1: 1, default: 1 }"), "5:22", "ascending order"},
    {IN("1: switch %a { 1: 1, 4294967295: 1, default: 1 }"), "5:22", "ascending order"},
    {IN("1: switch %a { 4294967296: 1, default: 1 }"), "5:16", "out of range of i32"},
    {IN("1: switch %p { 0: 1, 5: 98, default: 1 }"), "5:25", "there is no label 98"},
    {IN("1: switch %p { default: 98 }"), "5:25", "there is no label 98"},
    {IN("1: return 5"), "5:11", "expected the end of the line"},
    {IN("1: return -> 1"), "5:11", "expected the end of the line, found '->'"},
    {IN("1: %x = return"), "5:4", "'return' has no result"},
    {IN("1: check 5"), "5:10", "expected a register"},
    // builtins
    {IN("1: memcpy %p, %p"), "5:17", "expected ','"},
    {IN("1: memcpy %p, %p, -1"), "5:19", "expected a number of bytes"},
    {IN("1: %x = alloca %p"), "5:18", "expected 'align'"},
    {IN("1: alloca %p align 8"), "5:4", "'alloca' needs a register for its result"},
    {IN("1: %x = va_arg agg(8 align 8) %p, %p"), "5:4", "'va_arg' has no result"},
    {IN("1: va_arg agg(8 align 8) %p"), "5:28", "expected ','"},
    {IN("1: va_arg void %p"), "5:11", "expected the type of a parameter"},
    {IN("1: %x = atomic_load.i32 [%p]"), "5:29", "expected a memory order"},
    {IN("1: atomic_store.i32 [%p], %a loose"), "5:30", "expected a memory order"},
    {IN("1: atomic_store.i32 [%p] relaxed"), "5:26", "expected ','"},
    {IN("1: %x = atomic_compare.i32 [%p], %a seq_cst"), "5:37", "expected ','"},
    {IN("1: atomic_add.i32 [%p], %a seq_cst"), "5:4", "needs a register for its result"},
    {IN("1: fence seq_cst volatile"), "5:18", "expected the end of the line"},
    {IN("1: trap -> 1"), "5:9", "expected the end of the line"},
};

static void test_mistakes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Parsed parsed = parse(mistakes[i].text);
        char expected[100];
        snprintf(expected, sizeof expected, "t:%s: error: ", mistakes[i].place);
        const char *said = parsed.diag.out.text;
        const char *line_end = strchr(said, '\n');
        const char *message = strstr(said, mistakes[i].message);
        bool right = !parsed.program && parsed.diag.errors == 1 && line_end && message &&
                     message < line_end && strncmp(said, expected, strlen(expected)) == 0;
        if (!right)
            fail_msg("for\n%s\nexpected one mistake: %s%s\nbut got %u:\n%s", mistakes[i].text,
                     expected, mistakes[i].message, parsed.diag.errors, said);
        drop(&parsed);
    }
}

static void test_recovery(void **state) {
    (void)state;
    Parsed parsed = parse("globl @x size 1 align 1\n"
                          "function i32 @f(i8 %a) {\n0: nop nop\n}\n" // its body is not looked at
                          "function i32 @g(i32 %a) {\n"
                          "0: %x = foo %a\n" // %x counts as defined, 0 as a label
                          "1: %y = add.i32 %x, %a, 1\n"
                          "2: if lt.i32 %y, 5 then 0 else 7\n"
                          "3: return %y -> 2\n}\n"
                          "global @z size x\n");
    assert_null(parsed.program);
    static const char *const places[] = {
        "t:1:1:", "t:2:17:", "t:11:16:", "t:6:9:", "t:7:23:", "t:9:14:", "t:8:32:"};
    const char *at = parsed.diag.out.text;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        at = strstr(at, places[i]);
        if (!at) fail_msg("no mistake at %s in\n%s", places[i], parsed.diag.out.text);
    }
    assert_int_equal(parsed.diag.errors, sizeof places / sizeof *places);
    drop(&parsed);
}

static void test_caret(void **state) {
    (void)state;
    Parsed parsed = parse("global @abc size 1 align 1 = i8 1234\n");
    assert_string_equal(parsed.diag.out.text, "t:1:33: error: '1234' is out of range\n"
                                              "    1 | global @abc size 1 align 1 = i8 1234\n"
                                              "      |                                 ^~~~\n");
    drop(&parsed);
}

// ---- Hostile input

static uint64_t random_next(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return hash_mix(*seed);
}

// Whatever the text is: either a program that prints stably, or a mistake.
static void try_bytes(const char *text, size_t length) {
    Parsed parsed = parse_bytes(text, length);
    if (!parsed.program) {
        assert_true(parsed.diag.errors > 0);
    } else {
        assert_int_equal(parsed.diag.errors, 0);
        char *once = printed(parsed.program, true);
        Parsed again = parse_good(once);
        char *twice = printed(again.program, true);
        assert_string_equal(once, twice);
        Out out = {0};
        program_dot(&out, parsed.program);
        out_free(&out);
        free(once);
        free(twice);
        drop(&again);
    }
    drop(&parsed);
}

// A copy of exactly its length, so that a sanitizer sees a read past the end.
static void try_copy(const char *text, size_t length) {
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    try_bytes(copy, length);
    free(copy);
}

static const char sample[] =
    "file 1 \"a\"\nextern function i32 @v(i64, ...)\nglobal @d size 9 align 4 = i32 1, addr @f + "
    "2, \"x\\x00\"\nalias @a = @f weak\n\nfunction i32 @f(i32 %x, agg(9 align 1: i64) %y) static "
    "{\n  slot $s size 8 align 8\n  reg i32 %u'2.3\n  0: %z = add.i32 %x, -5 !1:2:3\n  1: if "
    "lt.i32 "
    "%z, 7 then 2 else 9\n  2: %q = addr $s + 8\n  3: store.f64 [%q + %q*8 - 16], %w\n  4: %w = "
    "const.f64 0x1.8p+1\n  5: %z = call @v(%q, %w)\n  6: switch %z { -1: 1, 5: 2, default: 9 }\n  "
    "9: %z = call i32(i64) %q(%q) -> 1\n  10: return %z\n}\n";

static void test_truncated(void **state) {
    (void)state;
    for (size_t length = 0; length <= sizeof sample - 1; length++) try_copy(sample, length);
}

static void test_mutated(void **state) {
    (void)state;
    static const char alphabet[] = "%@$'.-+*:,=[]{}()!\"\\\n /0123456789xabfi\0\xff";
    uint64_t seed = 1;
    char text[sizeof sample];
    for (uint32_t round = 0; round < 5000; round++) {
        memcpy(text, sample, sizeof sample);
        uint64_t changes = 1 + random_next(&seed) % 3;
        for (uint64_t i = 0; i < changes; i++) {
            char *at = text + random_next(&seed) % (sizeof sample - 1);
            *at = alphabet[random_next(&seed) % (sizeof alphabet - 1)];
        }
        try_copy(text, sizeof sample - 1);
    }
}

static void test_noise(void **state) {
    (void)state;
    char text[300];
    uint64_t seed = 2;
    for (uint32_t round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof text; i++) text[i] = (char)random_next(&seed);
        try_copy(text, random_next(&seed) % sizeof text);
    }
    try_bytes(NULL, 0);
}

// One very long line of each of several patterns, at the top and in a body, where it is too much
// of something.
static void test_long_lines(void **state) {
    (void)state;
    static const char *const patterns[] = {
        "(",       "a",    "1",     "%x, ",    "\"",  "\\",   "[",   "}",   "{ ", "\x01",
        "%x'1.2 ", "\\\"", "@\"\\", "%\"\\\"", "@a ", "agg(", "1: ", "// ", ".",  "-"};
    static const char *const heads[] = {
        "",
        "global @x size 1 align 1 = ",
        "function void @f() {\n0: ",
        "function void @f() {\n0: %x = call i32(",
        "function void @f() {\n0: call @f(",
        "function void @f(i64 %x) {\n0: switch %x { ",
        "function void @f() {\n0: %x = const.f64 ",
    };
    size_t size = 100000;
    char *text = malloc(size);
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            size_t length = strlen(heads[h]), step = strlen(patterns[i]);
            memcpy(text, heads[h], length);
            for (; length + step <= size; length += step) memcpy(text + length, patterns[i], step);
            try_bytes(text, length);
        }
    free(text);
}

static void test_ten_megabytes(void **state) {
    (void)state;
    Out out = {0};
    out_text(&out, "function void @f(i64 %x) {\n  0: switch %x { ");
    for (uint32_t i = 0; out.length < 10000000; i++) out_printf(&out, "%u: 0, ", i);
    out_text(&out, "default: 0 }\n}\n");
    try_bytes(out.text, out.length);
    for (size_t i = 0; i < out.length; i++) out.text[i] = '(';
    try_bytes(out.text, out.length);
    for (size_t i = 0; i < out.length; i++) out.text[i] = i % 2 ? '\n' : 'x';
    try_bytes(out.text, out.length);
    out_free(&out);
}

// ---- Pictures

static void test_dot(void **state) {
    (void)state;
    Parsed parsed = parse_good("function void @\"a\\\"b\"(i64 %x) {\n"
                               "0: nop\n1: nop -> 5\n"
                               "2: nop\n3: nop -> 2\n" // nobody comes here
                               "5: if lt.i64 %x, 1 then 5 else 6\n"
                               "6: switch %x { -1: 5, 8: 9, default: 7 }\n"
                               "7: trap\n8: nop\n9: return\n}\n");
    Out out = {0};
    func_dot(&out, first_func(parsed.program));
    out_char(&out, '\0');
    assert_string_equal(
        out.text, "digraph {\n"
                  "  node [shape=box, fontname=\"monospace\"];\n"
                  "  edge [fontname=\"monospace\"];\n"
                  "    f0 [shape=plaintext, label=\"function void @\\\"a\\\\\\\"b\\\"(i64 %x)\"];\n"
                  "    f0 -> f0_0;\n"
                  "    f0_0 [label=\"0: nop\\l1: nop\\l\"];\n"
                  "    f0_2 [label=\"2: nop\\l3: nop\\l\", color=grey, fontcolor=grey];\n"
                  "    f0_5 [label=\"5: if lt.i64 %x, 1\\l\"];\n"
                  "    f0_6 [label=\"6: switch %x\\l\"];\n"
                  "    f0_7 [label=\"7: trap\\l\"];\n"
                  "    f0_8 [label=\"8: nop\\l\", color=grey, fontcolor=grey];\n"
                  "    f0_9 [label=\"9: return\\l\"];\n"
                  "    f0_0 -> f0_5;\n"
                  "    f0_2 -> f0_2;\n"
                  "    f0_5 -> f0_5 [label=\"T\", style=dashed];\n"
                  "    f0_5 -> f0_6 [label=\"F\"];\n"
                  "    f0_6 -> f0_7 [label=\"default\"];\n"
                  "    f0_6 -> f0_5 [label=\"-1\", style=dashed];\n"
                  "    f0_6 -> f0_9 [label=\"8\"];\n"
                  "    f0_8 -> f0_9;\n"
                  "}\n");
    out_free(&out);
    drop(&parsed);
}

static void test_dot_program(void **state) {
    (void)state;
    Parsed parsed = parse_good("global @x size 1 align 1\nfunction void @f() {\n0: nop -> 0\n}\n"
                               "function void @g() {\n3: return\n}\n");
    Out out = {0};
    program_dot(&out, parsed.program);
    out_char(&out, '\0');
    assert_string_equal(out.text, "digraph {\n"
                                  "  node [shape=box, fontname=\"monospace\"];\n"
                                  "  edge [fontname=\"monospace\"];\n"
                                  "  subgraph cluster_1 {\n"
                                  "    f1 [shape=plaintext, label=\"function void @f()\"];\n"
                                  "    f1 -> f1_0;\n"
                                  "    f1_0 [label=\"0: nop\\l\"];\n"
                                  "    f1_0 -> f1_0 [style=dashed];\n"
                                  "  }\n"
                                  "  subgraph cluster_2 {\n"
                                  "    f2 [shape=plaintext, label=\"function void @g()\"];\n"
                                  "    f2 -> f2_3;\n"
                                  "    f2_3 [label=\"3: return\\l\"];\n"
                                  "  }\n"
                                  "}\n");
    out_free(&out);
    drop(&parsed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_free_forms),
        cmocka_unit_test(test_locations_are_optional),
        cmocka_unit_test(test_labels_and_order),
        cmocka_unit_test(test_alias_chain),
        cmocka_unit_test(test_variadic_signature),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_print_broken),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_caret),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_ten_megabytes),
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_dot_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
