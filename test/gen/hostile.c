#include "test/gen/hostile.h"

#include "cert/certificate.h"
#include "test/gen/damage.h"

// NUMBER times a text with one number in it, which goes up from `from`.
static void repeat(Out *out, uint32_t number, const char *format, uint32_t from) {
    for (uint32_t i = 0; i < number; i++) out_printf(out, format, from + i);
}

static void repeat_text(Out *out, uint32_t number, const char *text, const char *between) {
    for (uint32_t i = 0; i < number; i++) {
        if (i) out_text(out, between);
        out_text(out, text);
    }
}

// ---- Machine code

// Values that live through blocks that lie in an order against the flow, each in a spill.
static void write_reversed_blocks(Out *out, uint32_t n) {
    out_printf(out,
               "global @g size %u align 4\nfunction i32 @main()\ncertify @main {\n  reg i32 %%r",
               4 * n);
    repeat(out, n, ", %%v%u", 1);
    out_text(out, "\n");
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  %u: %%v%u = load.i32 [@g + %u]\n", k, k + 1, 4 * k);
    for (uint32_t k = 0; k < n; k++) out_printf(out, "  %u: store.i32 [@g], %%v%u\n", n + k, n - k);
    out_printf(out, "  %u: %%r = const.i32 0\n  %u: return %%r\n}\n", 2 * n, 2 * n + 1);

    out_text(out, "step select_code\n  node_of_block: 0");
    for (uint32_t k = 1; k <= n; k++) out_printf(out, " %u", 2 * n - k);
    out_text(out, "\n{\nb0:\n  params\n");
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  %%v%u = load.i32 [@g + %u]\n", k + 1, 4 * k);
    out_printf(out, "  jump b%u\nb1:\n  store.i32 [@g], %%v1\n  %%r = const.i32 0\n  return %%r\n",
               n);
    for (uint32_t k = 2; k <= n; k++)
        out_printf(out, "b%u:\n  store.i32 [@g], %%v%u\n  jump b%u\n", k, k, k - 1);

    out_text(out, "}\nstep allocate\n  origin: 0");
    repeat(out, n, " %u -", 1);
    out_printf(out, " %u - %u+2", n + 1, n + 2);
    for (uint32_t k = 2; k <= n; k++) out_printf(out, " - %u %u", n + 1 + 2 * k, n + 2 + 2 * k);
    out_printf(out, "\n  block_origin: 0+%u\n{\n  new\n  allocated\n  spills ", n);
    repeat_text(out, n, "8", ", ");
    out_text(out, "\nb0:\n  params\n");
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  rax = load.i32 [@g + %u]\n  s%u = move i32 rax\n", 4 * k, k);
    out_printf(out,
               "  jump b%u\nb1:\n  rax = move i32 s0\n  store.i32 [@g], rax\n"
               "  rax = const.i32 0\n  return rax\n",
               n);
    for (uint32_t k = 2; k <= n; k++)
        out_printf(out, "b%u:\n  rax = move i32 s%u\n  store.i32 [@g], rax\n  jump b%u\n", k, k - 1,
                   k - 1);
    out_text(out, "}\n");
}

// Calls of a function with many parameters, of which machine code names only those in registers.
static void write_short_calls(Out *out, uint32_t n) {
    out_text(out, "extern function void @big(");
    repeat_text(out, n, "i64", ", ");
    out_text(out, ")\nfunction void @f(i64)\ncertify @f {\n  reg i64 %a\n  parameters %a\n"
                  "  0: return\n}\nstep select_code\n  node_of_block: 0\n{\nb0:\n  %a = params\n");
    repeat_text(out, n, "  call @big(%a, %a, %a, %a, %a, %a)\n", "");
    out_text(out, "  return\n}\n");
}

// A function that reads each of its parameters, which come on the stack.
static void write_stack_parameters(Out *out, uint32_t n) {
    out_text(out, "global @g size 8 align 8\nfunction void @f(");
    repeat_text(out, n + 6, "i64", ", ");
    out_text(out, ")\ncertify @f {\n  reg i64 %p0");
    repeat(out, n + 5, ", %%p%u", 1);
    out_text(out, "\n  parameters %p0");
    repeat(out, n + 5, ", %%p%u", 1);
    out_text(out, "\n");
    for (uint32_t k = 0; k < n; k++) out_printf(out, "  %u: store.i64 [@g], %%p%u\n", k, k + 6);
    out_printf(out, "  %u: return\n}\nstep select_code\n  node_of_block: 0\n{\nb0:\n", n);
    out_text(out, "  %p0, %p1, %p2, %p3, %p4, %p5 = params\n");
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  %%p%u = load.i64 [incoming + %u]\n  store.i64 [@g], %%p%u\n", k + 6,
                   8 * k, k + 6);
    out_text(out, "  return\n}\n");
}

// Registers that are set in front of a switch with as many ways.
static void write_sets_and_ways(Out *out, uint32_t n) {
    out_text(out, "global @g size 4 align 4\nfunction void @f(i32)\ncertify @f {\n  reg i32 %c");
    repeat(out, n, ", %%v%u", 1);
    out_text(out, "\n  parameters %c\n");
    for (uint32_t k = 0; k < n; k++) out_printf(out, "  %u: %%v%u = load.i32 [@g]\n", k, k + 1);
    out_printf(out, "  %u: switch %%c {", n);
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u: %u,", k, n + 1 + 2 * k);
    out_printf(out, " default: %u }\n", n + 1);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  %u: store.i32 [@g], %%v%u\n  %u: return\n", n + 1 + 2 * k, k + 1,
                   n + 2 + 2 * k);
    out_text(out, "}\nstep select_code\n  node_of_block: 0");
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u", n + 1 + 2 * k);
    out_text(out, "\n{\nb0:\n  %c = params\n");
    repeat(out, n, "  %%v%u = load.i32 [@g]\n", 1);
    out_text(out, "  switch.i32 %c {");
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u: b%u,", k, k + 1);
    out_text(out, " default: b1 }\n");
    for (uint32_t k = 1; k <= n; k++)
        out_printf(out, "b%u:\n  store.i32 [@g], %%v%u\n  return\n", k, k);
    out_text(out, "}\n");
}

// A block that many blocks claim to have been.
static void write_one_origin(Out *out, uint32_t n) {
    out_text(out, "global @g size 4 align 4\nfunction void @f()\ncertify @f {\n  reg i32 %v\n");
    for (uint32_t k = 0; k < n; k++) out_printf(out, "  %u: %%v = load.i32 [@g]\n", k);
    out_printf(out,
               "  %u: return\n}\nstep select_code\n  node_of_block: 0 0\n{\nb0:\n  jump b1\nb1:\n",
               n);
    repeat_text(out, n, "  %v = load.i32 [@g]\n", "");
    out_text(out, "  return\n}\nstep allocate\n  origin: 0");
    repeat_text(out, n, "", "");
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u", n + 1);
    out_printf(out, "\n  block_origin: 0 1*%u\n{\n  new\n  allocated\nb0:\n  jump b1\n", n - 1);
    for (uint32_t k = 1; k <= n; k++) out_printf(out, "b%u:\n  return\n", k);
    out_text(out, "}\n");
}

// A value made of others again and again, of which only the low bits count.
static void write_low_bits(Out *out, uint32_t n) {
    enum { WIDTH = 16, LEVELS = 3 };
    out_text(out, "global @g size 64 align 8\nfunction void @f()\ncertify @f {\n  reg i32 %z, %b");
    repeat(out, WIDTH * (LEVELS + 1), ", %%x%u", 0);
    repeat(out, WIDTH * LEVELS, ", %%s%u", 0);
    out_text(out, "\n");
    for (int machine = 0; machine < 2; machine++) {
        uint32_t node = 0;
        if (machine) out_text(out, "step select_code\n  node_of_block: 0\n{\nb0:\n  params\n");
#define LINE(...)                                                                                  \
    (machine ? out_text(out, "  ") : out_printf(out, "  %u: ", node), node++,                      \
     out_printf(out, __VA_ARGS__))
        for (uint32_t k = 0; k < WIDTH; k++) LINE("%%x%u = load.i32 [@g + %u]\n", k, 4 * (k % 16));
        for (uint32_t level = 0; level < LEVELS; level++)
            for (uint32_t k = 0; k < WIDTH; k++) {
                // A sum of all of the level below, with other factors for each.
                uint32_t sum = level * WIDTH + k;
                LINE("%%s%u = mul.i32 %%x%u, %u\n", sum, level * WIDTH, k + 3);
                for (uint32_t i = 1; i < WIDTH; i++)
                    LINE("%%s%u = add.i32 %%s%u, %%x%u\n", sum, sum, level * WIDTH + i);
                LINE("%%x%u = xor.i32 %%s%u, %%x%u\n", sum + WIDTH, sum,
                     level * WIDTH + (k + 1) % WIDTH);
            }
        for (uint32_t k = 0; k < n; k++) {
            LINE("%%z = add.i32 %%s%u, %u\n", WIDTH * LEVELS - 1, k);
            LINE("%%b = zext8.i32 %%z\n");
            LINE("store.i32 [@g], %%b\n");
        }
        LINE("return\n");
#undef LINE
        out_text(out, "}\n");
    }
}

// ---- Joins

// Registers tracked at a join with as many ways in: so many that it is refused.
static void write_tracked(Out *out, uint32_t size) {
    uint32_t n = 20 * size;
    out_text(out, "function void @f(i32)\ncertify @f {\n  reg i32 %c");
    repeat(out, n, ", %%v%u", 1);
    out_text(out, "\n  parameters %c\n  0: switch %c {");
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u: %u,", k, k + 1);
    out_printf(out, " default: %u }\n", n + 1);
    for (uint32_t k = 1; k <= n + 1; k++) out_printf(out, "  %u: nop -> %u\n", k, n + 2);
    out_printf(out,
               "  %u: return\n}\nstep ssa_build\n  origin: 0+%u\n  tracked_at: 0 %u\n"
               "  tracked: 0+%u\n{\n  new\n  reg i32 %%c.0",
               n + 2, n, n + 1, n);
    repeat(out, n, ", %%v%u.0", 1);
    out_printf(out, "\n  parameters %%c.0\n  keep 0 to %u with 0\n}\n", n + 2);
}

// A register with a long name, and nodes that it does not fit.
static void write_long_name(Out *out, uint32_t n) {
    out_text(out, "function void @f()\ncertify @f {\n  reg i64 %");
    repeat_text(out, n, "name", "");
    out_text(out, "\n  reg i32 %a\n");
    for (uint32_t k = 0; k < n; k++) out_printf(out, "  %u: %%a = add.i32 %%a, 1\n", k);
    out_printf(out, "  %u: return\n}\nstep normalize\n{\n  new\n  reg i64 %%", n);
    repeat_text(out, n, "name", "");
    out_printf(out, "\n  keep 0 to %u with", n);
    repeat_text(out, n, " 0 0", "");
    out_text(out, "\n}\n");
}

const HostileShape hostile_shapes[] = {
    {"reversed blocks", write_reversed_blocks, true},
    {"short calls", write_short_calls, false},
    {"stack parameters", write_stack_parameters, true},
    {"sets and ways", write_sets_and_ways, true},
    {"one origin", write_one_origin, false},
    {"low bits", write_low_bits, true},
    {"tracked", write_tracked, false},
    {"long name", write_long_name, false},
};
const uint32_t hostile_shape_count = sizeof hostile_shapes / sizeof hostile_shapes[0];

void hostile_certificate(Out *out, const HostileShape *shape, uint32_t n) {
    out_text(out, CERTIFICATE_FIRST_LINE BARE_ORIGIN "code pie\n");
    shape->write(out, n);
    out_text(out, "object none\n");
    damage_rehash(out);
}
