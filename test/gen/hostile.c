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

// A function f of signature 0 and data g of so many bytes.
#define F_AND_G                                                                                    \
    "name \"f\"\nname \"g\"\nsymbol \"f\" kind function defined signature 0\n"                     \
    "symbol \"g\" defined size %u align 8\ncertify \"f\"\n"
#define LOAD_OF_G  "kind load base symbol chunk i32 "
#define STORE_TO_G "kind store base symbol chunk i32 "
#define MACH_LOAD  "kind load base symbol chunk i32 addressed "
#define MACH_STORE "kind store base symbol chunk i32 addressed "

// So many registers i32 of RTL, then the number of nodes.
static void plain_frame(Out *out, uint32_t regs, const char *params, uint32_t nodes) {
    out_text(out, "  fresh 1\n");
    if (regs) out_printf(out, "  types i32*%u\n  versions plain*%u\n", regs - 1, regs - 1);
    if (*params) out_printf(out, "  params %s\n", params);
    out_printf(out, "  length %u\n", nodes);
}

// ---- Machine code

// Values that live through blocks that lie in an order against the flow, each in a spill.
static void write_reversed_blocks(Out *out, uint32_t n) {
    out_printf(out, "target \"x64\" code pie signatures 1 symbols 2\nsignature result 1\n" F_AND_G,
               4 * n);
    plain_frame(out, n + 1, "", 2 * n + 2);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  new " LOAD_OF_G "dest %u symbol \"g\" imm %u succs (%u)\n", k + 1, 4 * k,
                   k + 1);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  new " STORE_TO_G "args (%u) symbol \"g\" succs (%u)\n", n - k,
                   n + k + 1);
    out_printf(out, "  new kind op op const.i32 dest 0 succs (%u)\n  new kind return args (0)\n",
               2 * n + 1);

    out_text(out, "step select_code\n  node_of_block 0");
    for (uint32_t k = 1; k <= n; k++) out_printf(out, " %u", 2 * n - k);
    out_printf(out, "\n  machine 1\n  length %u\n  new kind params\n", 3 * n + 3);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  new " MACH_LOAD "dest %u displacement %u symbol \"g\"\n", k + 1, 4 * k);
    out_printf(out,
               "  new kind jump succs (%u)\n  new " MACH_STORE "a 1 symbol \"g\"\n"
               "  new kind op op const.i32 dest 0\n  new kind return arguments (0)\n",
               n);
    for (uint32_t k = 2; k <= n; k++)
        out_printf(out, "  new " MACH_STORE "a %u symbol \"g\"\n  new kind jump succs (%u)\n", k,
                   k - 1);

    out_text(out, "step allocate\n  origin 0");
    repeat(out, n, " %u -", 1);
    out_printf(out, " %u - %u+2", n + 1, n + 2);
    for (uint32_t k = 2; k <= n; k++) out_printf(out, " - %u %u", n + 1 + 2 * k, n + 2 + 2 * k);
    out_printf(out,
               "\n  block_origin 0+%u\n  fresh 1\n  machine 1\n  allocated 1\n  spills 8*%u\n"
               "  length %u\n  new kind params\n",
               n, n - 1, 5 * n + 3);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out,
                   "  new " MACH_LOAD "dest rax displacement %u symbol \"g\"\n"
                   "  new kind move op move.i32 a rax dest %u\n",
                   4 * k, k);
    out_printf(out,
               "  new kind jump succs (%u)\n  new kind move op move.i32 a 0 dest rax\n"
               "  new " MACH_STORE "a rax symbol \"g\"\n"
               "  new kind op op const.i32 dest rax\n  new kind return arguments (rax)\n",
               n);
    for (uint32_t k = 2; k <= n; k++)
        out_printf(out,
                   "  new kind move op move.i32 a %u dest rax\n"
                   "  new " MACH_STORE "a rax symbol \"g\"\n  new kind jump succs (%u)\n",
                   k - 1, k - 1);
    out_text(out, "end\n");
}

// Calls of a function with many parameters, of which machine code names only those in registers.
static void write_short_calls(Out *out, uint32_t n) {
    out_text(out, "target \"x64\" code pie signatures 2 symbols 2\nsignature params (2) fixed 1\n"
                  "signature params (");
    repeat_text(out, n, "2", " ");
    out_printf(out,
               ") fixed %u\nname \"f\"\nname \"big\"\n"
               "symbol \"f\" kind function defined signature 0\n"
               "symbol \"big\" kind function signature 1\n"
               "certify \"f\"\n  fresh 1\n  types i64\n  versions plain\n  params 0\n  length 1\n"
               "  new kind return\nstep select_code\n  node_of_block 0\n  machine 1\n"
               "  length %u\n  new kind params results (0)\n",
               n, n + 2);
    repeat_text(out, n, "  new kind call symbol \"big\" aux 1 arguments (0 0 0 0 0 0)\n", "");
    out_text(out, "  new kind return\nend\n");
}

// A function that reads each of its parameters, which come on the stack.
static void write_stack_parameters(Out *out, uint32_t n) {
    out_text(out, "target \"x64\" code pie signatures 1 symbols 2\nsignature params (");
    repeat_text(out, n + 6, "2", " ");
    out_printf(out, ") fixed %u\n" F_AND_G, n + 6, 8);
    out_printf(out, "  fresh 1\n  types i64*%u\n  versions plain*%u\n  params 0+%u\n  length %u\n",
               n + 5, n + 5, n + 5, n + 1);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out,
                   "  new kind store base symbol chunk i64 args (%u) symbol \"g\" succs (%u)\n",
                   k + 6, k + 1);
    out_printf(out,
               "  new kind return\nstep select_code\n  node_of_block 0\n  machine 1\n"
               "  length %u\n  new kind params results (0 1 2 3 4 5)\n",
               2 * n + 2);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out,
                   "  new kind load base incoming chunk i64 addressed dest %u displacement %u\n"
                   "  new kind store base symbol chunk i64 addressed a %u symbol \"g\"\n",
                   k + 6, 8 * k, k + 6);
    out_text(out, "  new kind return\nend\n");
}

// Registers that are set in front of a switch with as many ways.
static void write_sets_and_ways(Out *out, uint32_t n) {
    out_printf(
        out,
        "target \"x64\" code pie signatures 1 symbols 2\nsignature params (1) fixed 1\n" F_AND_G,
        8);
    plain_frame(out, n + 1, "0", 3 * n + 1);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  new " LOAD_OF_G "dest %u symbol \"g\" succs (%u)\n", k + 1, k + 1);
    out_printf(out, "  new kind switch args (0) succs (%u", n + 1);
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u", n + 1 + 2 * k);
    out_text(out, ") cases (0");
    repeat(out, n - 1, " %u", 1);
    out_text(out, ")\n");
    for (uint32_t k = 0; k < n; k++)
        out_printf(out,
                   "  new " STORE_TO_G "args (%u) symbol \"g\" succs (%u)\n  new kind return\n",
                   k + 1, n + 2 + 2 * k);
    out_text(out, "step select_code\n  node_of_block 0");
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u", n + 1 + 2 * k);
    out_printf(out, "\n  machine 1\n  length %u\n  new kind params results (0)\n", 3 * n + 2);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  new " MACH_LOAD "dest %u symbol \"g\"\n", k + 1);
    out_text(out, "  new kind switch op eq.i32 a 0 succs (1");
    repeat(out, n, " %u", 1);
    out_text(out, ") cases (0");
    repeat(out, n - 1, " %u", 1);
    out_text(out, ")\n");
    for (uint32_t k = 1; k <= n; k++)
        out_printf(out, "  new " MACH_STORE "a %u symbol \"g\"\n  new kind return\n", k);
    out_text(out, "end\n");
}

// A block that many blocks claim to have been.
static void write_one_origin(Out *out, uint32_t n) {
    out_printf(out, "target \"x64\" code pie signatures 1 symbols 2\nsignature\n" F_AND_G, 8);
    plain_frame(out, 1, "", n + 1);
    for (uint32_t k = 0; k < n; k++)
        out_printf(out, "  new " LOAD_OF_G "dest 0 symbol \"g\" succs (%u)\n", k + 1);
    out_printf(out,
               "  new kind return\nstep select_code\n  node_of_block 0 0\n  machine 1\n"
               "  length %u\n  new kind jump succs (1)\n",
               n + 2);
    repeat_text(out, n, "  new " MACH_LOAD "dest 0 symbol \"g\"\n", "");
    out_text(out, "  new kind return\nstep allocate\n  origin 0");
    for (uint32_t k = 0; k < n; k++) out_printf(out, " %u", n + 1);
    out_printf(out,
               "\n  block_origin 0 1*%u\n  fresh 1\n  machine 1\n  allocated 1\n  length %u\n"
               "  new kind jump succs (1)\n",
               n - 1, n + 1);
    repeat_text(out, n, "  new kind return\n", "");
    out_text(out, "end\n");
}

enum { WIDTH = 16, LEVELS = 3 };

// The next node of RTL, or machine instruction; its registers.
typedef struct {
    Out *out;
    bool machine;
    uint32_t next;
} LowBits;

static void low_line(LowBits *l, const char *what, const char *machine, uint32_t dest, uint32_t a,
                     uint32_t b) {
    out_printf(l->out, "  new kind op op %s ", what);
    if (l->machine)
        out_printf(l->out, machine, a, b, dest);
    else
        out_printf(l->out, "dest %u args (%u %u) succs (%u)", dest, a, b, l->next + 1);
    out_text(l->out, "\n");
    l->next++;
}

static void low_number(LowBits *l, const char *what, uint32_t dest, uint32_t a, uint32_t number) {
    if (l->machine)
        out_printf(l->out, "  new kind op op %s immediate 1 a %u dest %u imm %u\n", what, a, dest,
                   number);
    else
        out_printf(l->out, "  new kind op op %s immediate dest %u args (%u) imm %u succs (%u)\n",
                   what, dest, a, number, l->next + 1);
    l->next++;
}

static void low_body(LowBits *l, uint32_t n) {
    enum { X = 2, S = X + WIDTH * (LEVELS + 1) }; // the registers behind z and b
    static const char two[] = "a %u b %u dest %u";
    for (uint32_t k = 0; k < WIDTH; k++, l->next++)
        if (l->machine)
            out_printf(l->out, "  new " MACH_LOAD "dest %u displacement %u symbol \"g\"\n", X + k,
                       4 * (k % 16));
        else
            out_printf(l->out, "  new " LOAD_OF_G "dest %u symbol \"g\" imm %u succs (%u)\n", X + k,
                       4 * (k % 16), l->next + 1);
    for (uint32_t level = 0; level < LEVELS; level++)
        for (uint32_t k = 0; k < WIDTH; k++) {
            // A sum of all of the level below, with other factors for each.
            uint32_t sum = level * WIDTH + k, below = X + level * WIDTH;
            low_number(l, "mul.i32", S + sum, below, k + 3);
            for (uint32_t i = 1; i < WIDTH; i++)
                low_line(l, "add.i32", two, S + sum, S + sum, below + i);
            low_line(l, "xor.i32", two, X + sum + WIDTH, S + sum, below + (k + 1) % WIDTH);
        }
    for (uint32_t k = 0; k < n; k++) {
        low_number(l, "add.i32", 0, S + WIDTH * LEVELS - 1, k);
        if (l->machine)
            out_printf(l->out, "  new kind op op zext8.i32 a 0 dest 1\n  new " MACH_STORE
                               "a 1 symbol \"g\"\n");
        else
            out_printf(l->out,
                       "  new kind op op zext8.i32 dest 1 args (0) succs (%u)\n  new " STORE_TO_G
                       "args (1) symbol \"g\" succs (%u)\n",
                       l->next + 1, l->next + 2);
        l->next += 2;
    }
    out_text(l->out, "  new kind return\n");
}

// A value made of others again and again, of which only the low bits count.
static void write_low_bits(Out *out, uint32_t n) {
    uint32_t nodes = WIDTH + LEVELS * WIDTH * (WIDTH + 1) + 3 * n + 1;
    out_printf(out, "target \"x64\" code pie signatures 1 symbols 2\nsignature\n" F_AND_G, 64);
    plain_frame(out, 2 + WIDTH * (2 * LEVELS + 1), "", nodes);
    low_body(&(LowBits){.out = out}, n);
    out_printf(out,
               "step select_code\n  node_of_block 0\n  machine 1\n  length %u\n  new kind params\n",
               nodes + 1);
    low_body(&(LowBits){.out = out, .machine = true}, n);
    out_text(out, "end\n");
}

// ---- Joins

// Registers tracked at a join with as many ways in: so many that it is refused.
static void write_tracked(Out *out, uint32_t size) {
    uint32_t n = 20 * size;
    out_text(
        out,
        "target \"x64\" code pie signatures 1 symbols 1\nsignature params (1) fixed 1\nname \"f\"\n"
        "symbol \"f\" kind function defined signature 0\ncertify \"f\"\n");
    plain_frame(out, n + 1, "0", n + 3);
    out_printf(out, "  new kind switch args (0) succs (%u", n + 1);
    repeat(out, n, " %u", 1);
    out_text(out, ") cases (0");
    repeat(out, n - 1, " %u", 1);
    out_text(out, ")\n");
    for (uint32_t k = 1; k <= n + 1; k++) out_printf(out, "  new kind nop succs (%u)\n", n + 2);
    out_printf(out,
               "  new kind return\nstep ssa_build\n  origin 0+%u\n  tracked_at 0 %u\n"
               "  tracked 0+%u\n  fresh 1\n  types i32*%u\n  versions never_set*%u\n  params 0\n"
               "  length %u\n  keep %u\nend\n",
               n, n + 1, n, n, n, n + 3, n + 3);
}

// ---- Reading

// Signatures, each of which has the parameters of the one before: they are not written out again,
// but paid for.
static void write_repeated_lists(Out *out, uint32_t n) {
    out_printf(out, "target \"x64\" code pie signatures %u symbols 0\n", 2 * n);
    for (uint32_t k = 0; k < 2 * n; k++) {
        out_text(out, "signature params (");
        repeat_text(out, n / 10, "2", " ");
        out_printf(out, ") fixed %u variadic\n", k);
    }
}

// Strings and names that are long, and lists of nothing.
static void write_long_names(Out *out, uint32_t n) {
    out_text(out, "target \"x64\" code pie symbols 2\nname \"");
    repeat_text(out, n, "name", "");
    out_text(out, "\"\nname \"b\"\nsymbol \"");
    repeat_text(out, n, "name", "");
    out_printf(out, "\" defined size 8 align 8 items %u\n", n);
    repeat_text(out, n, "  item address symbol \"b\"\n", "");
    out_text(out, "symbol \"b\"\n");
}

const HostileShape hostile_shapes[] = {
    {"reversed blocks", write_reversed_blocks, true},
    {"short calls", write_short_calls, false},
    {"stack parameters", write_stack_parameters, true},
    {"sets and ways", write_sets_and_ways, true},
    {"one origin", write_one_origin, false},
    {"low bits", write_low_bits, true},
    {"tracked", write_tracked, false},
    {"repeated lists", write_repeated_lists, false},
    {"long names", write_long_names, false},
};
const uint32_t hostile_shape_count = sizeof hostile_shapes / sizeof hostile_shapes[0];

void hostile_certificate(Out *out, const HostileShape *shape, uint32_t n) {
    out_text(out, CERTIFICATE_TEXT_LINE BARE_ORIGIN);
    shape->write(out, n);
    out_text(out, "object none\n");
}
