// Small blocks, drawn and printed.
#include "test/gen/small_block.h"

#include <assert.h>
#include <string.h>

bool small_has_result(SmallKind kind) {
    return kind <= SMALL_LOAD || kind == SMALL_VOLATILE_LOAD || kind == SMALL_ATOMIC_ADD ||
           kind == SMALL_CALL;
}

// ---- Drawing

typedef struct {
    Random random;
    SmallBlock *block;
    uint8_t values[SMALL_VALUES]; // that can be read
    uint32_t value_count;
} Draw;

static bool has_phis(SmallShape shape) {
    return shape == SMALL_LOOP || shape == SMALL_SELF;
}

// Often one of the last, so that there are chains, too.
static uint8_t draw_value(Draw *draw) {
    uint32_t count = draw->value_count;
    if (count > 3 && random_chance(&draw->random, 1, 3))
        return draw->values[count - 1 - random_below(&draw->random, 3)];
    return draw->values[random_below(&draw->random, count)];
}

static void draw_place(Draw *draw, SmallOp *op, bool word) {
    static const uint8_t sizes[] = {1, 2, 4, 4};
    op->size = word ? 4 : sizes[random_below(&draw->random, 4)];
    op->extends = random_chance(&draw->random, 1, 2);
    if (random_chance(&draw->random, 1, 4)) {
        op->index = (uint8_t)random_range(&draw->random, 1, 2);
        op->place = (uint8_t)random_below(&draw->random, 5u - op->size);
    } else {
        op->place = (uint8_t)random_below(&draw->random, 4 * SMALL_WORDS + 1u - op->size);
    }
}

// How likely each kind is; what ends a block is not drawn.
static const uint8_t weights[SMALL_KINDS] = {
    [SMALL_CONST] = 2,      [SMALL_MOVE] = 1,          [SMALL_ADD] = 6,
    [SMALL_SUB] = 5,        [SMALL_MUL] = 3,           [SMALL_XOR] = 3,
    [SMALL_SEXT8] = 2,      [SMALL_LESS] = 3,          [SMALL_SELECT] = 5,
    [SMALL_DIVU] = 4,       [SMALL_MODS] = 4,          [SMALL_LOAD] = 14,
    [SMALL_STORE] = 14,     [SMALL_VOLATILE_LOAD] = 4, [SMALL_VOLATILE_STORE] = 4,
    [SMALL_ATOMIC_ADD] = 3, [SMALL_MEMSET] = 2,        [SMALL_MEMCPY] = 2,
    [SMALL_FENCE] = 1,      [SMALL_CHECK] = 5,         [SMALL_PUTCHAR] = 3,
    [SMALL_CALL] = 5,
};

static SmallKind draw_kind(Draw *draw) {
    uint32_t sum = 0;
    for (uint32_t kind = 0; kind < SMALL_KINDS; kind++) sum += weights[kind];
    uint32_t at = random_below(&draw->random, sum), kind = 0;
    while (at >= weights[kind]) at -= weights[kind++];
    return (SmallKind)kind;
}

static int32_t draw_number(Draw *draw) {
    static const int32_t edges[] = {0, 1, -1, 2, 7, 255, -128, INT32_MAX, INT32_MIN};
    if (random_chance(&draw->random, 1, 2)) return edges[random_below(&draw->random, 9)];
    return (int32_t)random_next(&draw->random);
}

static SmallOp draw_op(Draw *draw) {
    SmallOp op = {.kind = draw_kind(draw)};
    op.a = draw_value(draw);
    op.b = draw_value(draw);
    op.c = draw_value(draw);
    op.imm = draw_number(draw);
    op.immediate = random_chance(&draw->random, 1, 4) && op.kind != SMALL_SELECT;
    // A division goes right: parameter 1 is never 0 or -1.
    if (op.kind == SMALL_DIVU || op.kind == SMALL_MODS) {
        op.b = 1;
        if (op.imm >= -1 && op.imm <= 0) op.imm = 3;
    }
    if (op.kind >= SMALL_LOAD && op.kind <= SMALL_ATOMIC_ADD)
        draw_place(draw, &op, op.kind == SMALL_ATOMIC_ADD);
    if (op.kind == SMALL_MEMSET) {
        op.size = (uint8_t)random_range(&draw->random, 1, 7);
        op.place = 0;
    }
    // Most checks hold: parameter 1, again.
    if (op.kind == SMALL_CHECK && random_chance(&draw->random, 2, 3)) op.a = 1;
    return op;
}

static void add(Draw *draw, SmallOp op) {
    SmallBlock *block = draw->block;
    assert(block->count < SMALL_OPS);
    if (small_has_result(op.kind))
        draw->values[draw->value_count++] = (uint8_t)(SMALL_FIRST + block->count);
    block->ops[block->count++] = op;
}

// What ends the block comes last in the text, but the end of rounds anywhere.
static void draw_ops(Draw *draw) {
    SmallBlock *block = draw->block;
    uint32_t own = block->shape == SMALL_LOOP ? 2 : 1;
    uint32_t count = random_range(&draw->random, 2, SMALL_OPS - own);
    uint32_t at = random_below(&draw->random, count);
    uint8_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == at && block->shape == SMALL_LOOP) {
            left = (uint8_t)(SMALL_FIRST + block->count);
            add(draw,
                (SmallOp){.kind = SMALL_SUB, .a = SMALL_FIRST - 1, .immediate = true, .imm = 1});
        }
        if (i == at && block->shape == SMALL_SELF)
            add(draw, (SmallOp){.kind = SMALL_TICK,
                                .a = draw_value(draw),
                                .b = SMALL_PARAMS,
                                .c = SMALL_PARAMS + 1});
        add(draw, draw_op(draw));
    }
    SmallOp end = {.kind = SMALL_BRANCH, .a = draw_value(draw), .imm = draw_number(draw)};
    if (block->shape == SMALL_LOOP) {
        end.a = left;
        end.imm = 0;
        block->again[SMALL_PHIS - 1] = left;
    }
    if (block->shape == SMALL_RETURNS) end.kind = SMALL_RETURN;
    if (block->shape != SMALL_SELF) add(draw, end);
}

SmallBlock small_block(uint64_t seed) {
    SmallBlock block = {0};
    Draw draw = {.random = random_from(seed), .block = &block};
    block.shape = (SmallShape)random_below(&draw.random, SMALL_SHAPES);
    for (uint32_t i = 0; i < SMALL_PARAMS; i++) block.params[i] = draw_number(&draw);
    if (block.params[1] >= -1 && block.params[1] <= 0) block.params[1] = 5;
    block.rounds = has_phis(block.shape) ? random_range(&draw.random, 1, SMALL_ROUNDS) : 1;
    if (block.shape == SMALL_LOOP) block.params[2] = (int32_t)block.rounds;
    for (uint32_t i = 0; i < 2; i++)
        block.index[i] = (uint8_t)random_below(&draw.random, SMALL_WORDS);
    for (uint32_t i = 0; i < SMALL_WORDS; i++) block.memory[i] = (int32_t)random_next(&draw.random);
    for (uint8_t i = 0; i < SMALL_PARAMS; i++) draw.values[draw.value_count++] = i;
    for (uint8_t i = 0; has_phis(block.shape) && i < SMALL_PHIS; i++)
        draw.values[draw.value_count++] = (uint8_t)(SMALL_PARAMS + i);
    draw_ops(&draw);
    for (uint32_t i = 0; has_phis(block.shape) && i < SMALL_PHIS; i++)
        if (block.shape != SMALL_LOOP || i < SMALL_PHIS - 1) block.again[i] = draw_value(&draw);
    return block;
}

// ---- Printing

static void print_value(Out *out, uint8_t value) {
    if (value < SMALL_PARAMS)
        out_printf(out, "%%p%u.0", value);
    else
        out_printf(out, "%%v%u.1", value);
}

static void print_operands(Out *out, const SmallOp *op) {
    print_value(out, op->a);
    out_text(out, ", ");
    if (op->immediate)
        out_printf(out, "%d", op->imm);
    else
        print_value(out, op->b);
}

static void print_address(Out *out, const SmallOp *op) {
    if (op->index)
        out_printf(out, "[@m + %%i%u.0*4 + %u]", op->index, op->place);
    else
        out_printf(out, "[@m + %u]", op->place);
}

static const char *chunk(const SmallOp *op, bool load) {
    if (op->size == 4) return "i32";
    if (op->size == 2) return load && !op->extends ? "u16" : "i16";
    return load && !op->extends ? "u8" : "i8";
}

static const char *const names[SMALL_KINDS] = {
    [SMALL_ADD] = "add.i32",   [SMALL_SUB] = "sub.i32",   [SMALL_MUL] = "mul.i32",
    [SMALL_XOR] = "xor.i32",   [SMALL_LESS] = "lt.i32",   [SMALL_DIVU] = "divu.i32",
    [SMALL_MODS] = "mods.i32", [SMALL_MOVE] = "move.i32", [SMALL_SEXT8] = "sext8.i32",
    [SMALL_CHECK] = "check",
};

static void print_access(Out *out, const SmallOp *op) {
    bool load = small_has_result(op->kind);
    static const char *const accesses[] = {"load", "store", "volatile_load", "volatile_store",
                                           "atomic_add"};
    out_printf(out, "%s.%s ", accesses[op->kind - SMALL_LOAD], chunk(op, load));
    print_address(out, op);
    if (!load || op->kind == SMALL_ATOMIC_ADD) {
        out_text(out, ", ");
        print_value(out, op->a);
    }
    if (op->kind == SMALL_ATOMIC_ADD) out_text(out, " relaxed");
}

static void print_call(Out *out, const SmallOp *op) {
    if (op->kind == SMALL_PUTCHAR) out_text(out, "call @putchar(");
    if (op->kind == SMALL_CALL) out_text(out, "call @g(");
    if (op->kind == SMALL_TICK) out_text(out, "call @tick(");
    print_value(out, op->a);
    if (op->kind == SMALL_TICK) {
        out_text(out, ", ");
        print_value(out, op->b);
        out_text(out, ", ");
        print_value(out, op->c);
        out_text(out, ", %format.0");
    }
    out_char(out, ')');
}

static void print_op(Out *out, const SmallOp *op, uint32_t node) {
    switch (op->kind) {
    case SMALL_CONST: out_printf(out, "const.i32 %d", op->imm); break;
    case SMALL_MOVE:
    case SMALL_SEXT8:
    case SMALL_CHECK:
        out_printf(out, "%s ", names[op->kind]);
        print_value(out, op->a);
        break;
    case SMALL_SELECT:
        out_text(out, "select.i32 ");
        print_value(out, op->c);
        out_text(out, ", ");
        print_value(out, op->a);
        out_text(out, ", ");
        print_value(out, op->b);
        break;
    case SMALL_LOAD:
    case SMALL_STORE:
    case SMALL_VOLATILE_LOAD:
    case SMALL_VOLATILE_STORE:
    case SMALL_ATOMIC_ADD: print_access(out, op); break;
    case SMALL_MEMSET:
        out_text(out, "memset %m.0, ");
        print_value(out, op->a);
        out_printf(out, ", %u", op->size);
        break;
    case SMALL_MEMCPY: out_text(out, "memcpy %m.0, %half.0, 8"); break;
    case SMALL_FENCE: out_text(out, "fence seq_cst"); break;
    case SMALL_PUTCHAR:
    case SMALL_CALL:
    case SMALL_TICK: print_call(out, op); break;
    case SMALL_BRANCH:
        out_text(out, "if ne.i32 ");
        print_value(out, op->a);
        out_printf(out, ", %d then %u else %u", op->imm, node + 1, node + 2);
        break;
    case SMALL_RETURN:
        out_text(out, "return ");
        print_value(out, op->a);
        break;
    default:
        out_printf(out, "%s ", names[op->kind]);
        print_operands(out, op);
        break;
    }
}

// Volatile accesses and calls stay in their order: so these blocks have one.
static uint32_t print_memory(Out *out, uint32_t node) {
    for (uint32_t i = 0; i < SMALL_WORDS; i++)
        out_printf(out, "  %u: %%m%u.1 = volatile_load.i32 [@m + %u]\n", node++, i, 4 * i);
    return node;
}

static void print_globals(Out *out, const SmallBlock *block) {
    out_text(out, "extern function i32 @printf(i64, ...)\n"
                  "extern function i32 @putchar(i32)\n"
                  "extern function void @exit(i32) noreturn\n"
                  "global @m size 16 align 8 =");
    for (uint32_t i = 0; i < SMALL_WORDS; i++)
        out_printf(out, "%s i32 %d", i ? "," : "", block->memory[i]);
    out_printf(out, "\nglobal @left size 4 align 4 = i32 %u\n", block->rounds);
    out_text(out, "global @args size 64 align 8 =");
    for (uint32_t i = 0; i < SMALL_PARAMS; i++) out_printf(out, " i32 %d,", block->params[i]);
    out_printf(out, " i32 0, i64 %u, i64 %u, addr @m, addr @m + 8, addr @format\n", block->index[0],
               block->index[1]);
    uint32_t numbers = SMALL_WORDS + 3;
    if (block->shape == SMALL_RETURNS) numbers = SMALL_WORDS + 1;
    if (block->shape == SMALL_STRAIGHT || block->shape == SMALL_LOOP) {
        numbers = SMALL_WORDS + 1 + (block->shape == SMALL_LOOP ? SMALL_PHIS : 0);
        for (uint32_t i = 0; i < block->count; i++) numbers += small_has_result(block->ops[i].kind);
    }
    out_printf(out, "global @format size %u align 1 const = \"", 3 * numbers + 2);
    for (uint32_t i = 0; i < numbers; i++) out_text(out, "%d ");
    out_text(out, "\\n\\x00\"\n\n");
}

static void print_helpers(Out *out) {
    out_text(out, "function i32 @g(i32 %x.0) static {\n"
                  "  0: %old.1 = load.i32 [@m + 4]\n"
                  "  1: %new.1 = add.i32 %old.1, %x.0\n"
                  "  2: store.i32 [@m + 4], %new.1\n"
                  "  3: return %old.1\n"
                  "}\n\n"
                  "function void @tick(i32 %a.0, i32 %b.0, i32 %c.0, i64 %format.0) static {\n"
                  "  0: %n.1 = volatile_load.i32 [@left]\n"
                  "  1: %n.2 = sub.i32 %n.1, 1\n"
                  "  2: volatile_store.i32 [@left], %n.2\n"
                  "  3: if eq.i32 %n.2, 0 then 4 else 11\n");
    uint32_t node = print_memory(out, 4);
    out_printf(
        out,
        "  %u: call @printf(%%format.0, %%a.0, %%b.0, %%c.0, %%m0.1, %%m1.1, %%m2.1, %%m3.1)\n",
        node++);
    out_printf(out, "  %u: call @exit(%%n.2)\n  10: unreachable\n  11: return\n}\n\n", node);
}

static void print_main(Out *out, const SmallBlock *block) {
    bool returns = block->shape == SMALL_RETURNS;
    out_text(out, "function i32 @main() {\n"
                  "  0: %p0.1 = volatile_load.i32 [@args]\n"
                  "  1: %p1.1 = volatile_load.i32 [@args + 4]\n"
                  "  2: %p2.1 = volatile_load.i32 [@args + 8]\n"
                  "  3: %z.1 = volatile_load.i32 [@args + 12]\n"
                  "  4: %i1.1 = volatile_load.i64 [@args + 16]\n"
                  "  5: %i2.1 = volatile_load.i64 [@args + 24]\n"
                  "  6: %m.1 = volatile_load.i64 [@args + 32]\n"
                  "  7: %half.1 = volatile_load.i64 [@args + 40]\n"
                  "  8: %format.1 = volatile_load.i64 [@args + 48]\n");
    out_printf(
        out,
        "  9: %scall @f(%%p0.1, %%p1.1, %%p2.1, %%i1.1, %%i2.1, %%m.1, %%half.1, %%format.1)\n",
        returns ? "%r.1 = " : "");
    uint32_t node = 10;
    if (returns) {
        node = print_memory(out, node);
        out_printf(out, "  %u: call @printf(%%format.1, %%r.1, %%m0.1, %%m1.1, %%m2.1, %%m3.1)\n",
                   node++);
    }
    out_printf(out, "  %u: return %%z.1\n}\n", node);
}

uint32_t small_head(const SmallBlock *block) {
    return has_phis(block->shape) ? 1 : 0;
}

static void print_phis(Out *out, const SmallBlock *block, uint32_t latch) {
    for (uint32_t i = 0; i < SMALL_PHIS; i++) {
        out_printf(out, "  1: %%v%u.1 = phi(0: %%p%u.0, %u: ", SMALL_PARAMS + i, i, latch);
        print_value(out, block->again[i]);
        out_text(out, ")\n");
    }
}

// Behind the block: for a way out of the loop one block, else two ways that join.
static void print_end(Out *out, const SmallBlock *block, uint32_t node) {
    bool loop = block->shape == SMALL_LOOP;
    if (loop) {
        out_printf(out, "  %u: nop -> 1\n", node);
        node++;
    } else {
        out_printf(out, "  %u: nop -> %u\n  %u: nop -> %u\n", node, node + 2, node + 1, node + 2);
        out_printf(out, "  %u: %%way.1 = phi(%u: %%p0.0, %u: %%p1.0)\n", node + 2, node, node + 1);
        node += 2;
    }
    node = print_memory(out, node);
    out_printf(out, "  %u: call @printf(%%format.0, %%%s", node, loop ? "p0.0" : "way.1");
    for (uint32_t i = 0; loop && i < SMALL_PHIS; i++)
        out_printf(out, ", %%v%u.1", SMALL_PARAMS + i);
    for (uint32_t i = 0; i < block->count; i++)
        if (small_has_result(block->ops[i].kind)) out_printf(out, ", %%v%u.1", SMALL_FIRST + i);
    out_printf(out, ", %%m0.1, %%m1.1, %%m2.1, %%m3.1)\n  %u: return\n", node + 1);
}

void small_print(Out *out, const SmallBlock *block) {
    print_globals(out, block);
    print_helpers(out);
    out_printf(
        out,
        "function %s @f(i32 %%p0.0, i32 %%p1.0, i32 %%p2.0, i64 %%i1.0, i64 %%i2.0, i64 %%m.0, "
        "i64 %%half.0, i64 %%format.0) static {\n",
        block->shape == SMALL_RETURNS ? "i32" : "void");
    uint32_t node = small_head(block);
    if (node) out_text(out, "  0: nop\n");
    if (node) print_phis(out, block, node + block->count);
    for (uint32_t i = 0; i < block->count; i++, node++) {
        out_printf(out, "  %u: ", node);
        if (small_has_result(block->ops[i].kind)) out_printf(out, "%%v%u.1 = ", SMALL_FIRST + i);
        print_op(out, &block->ops[i], node);
        out_char(out, '\n');
    }
    if (block->shape == SMALL_SELF) out_printf(out, "  %u: nop -> 1\n", node);
    if (block->shape == SMALL_STRAIGHT || block->shape == SMALL_LOOP) print_end(out, block, node);
    out_text(out, "}\n\n");
    print_main(out, block);
}
