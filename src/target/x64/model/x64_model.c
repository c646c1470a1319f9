// x86-64 as the trusted record has it.
#include "target/x64/model/constraints.h"
#include "target/x64/model/x64.h"

static bool tests_bits(Op op) {
    return x64_shape(op) == X64_COMPARE;
}

static const char *address_expected(const Program *program, const MachInstr *instr) {
    if (instr->base == MB_SYMBOL && instr->scale &&
        !x64_symbol_takes_index(program, (Sym){instr->ref}))
        return "a symbol without index";
    if (!x64_displacement_fits((MachBase)instr->base, instr->displacement))
        return "a displacement that fits an instruction with its base";
    return NULL;
}

static uint32_t relocation_size(uint32_t type) {
    static const uint32_t rows[][2] = {
#define RELOC(name, number, size, leads, fields) {number, size},
#include "target/x64/model/reloc.def"
    };
    for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k][0] == type) return rows[k][1];
    return UINT32_MAX;
}

static const PartsRow parts_rows[] = {
    {.types = 1u << TYPE_I64 | 1u << TYPE_F64, .size = 8, .most = SYSV_PARTS, .padded = true},
    {.types = 1u << TYPE_F80, .size = 16, .most = SYSV_PARTS},
    {0},
};

const TargetModel x64_model = {
    .name = "x64",
    .title = "x86-64",
    .triplet = "x86_64-linux-gnu",
    .elf_machine = 62,
    .relocation_size = relocation_size,
    .types = 1u << TYPE_I32 | 1u << TYPE_I64 | 1u << TYPE_F32 | 1u << TYPE_F64 | 1u << TYPE_F80,
    .floats_as_evaluated = true,
    .va_list_size = VA_LIST_SIZE,
    TARGET_SIZES(x64, X64_REG_COUNT, ASM_REGISTER_COUNT, X64_CLASS_COUNT),
    .register_names = x64_register_names,
    .unwind_numbers = x64_unwind_numbers,
    .order = x64_register_order,
    .order_count = X64_ORDER_COUNT,
    .stack = M_RSP,
    .frame = M_RBP,
    .scratch = M_RAX,
    .callee_saved = {{X64_CALLEE_SAVED}},
    .caller_saved = {{(X64_GENERAL & ~X64_BIT(M_RSP) & ~X64_CALLEE_SAVED) | X64_VECTOR}},
    .exchanged = {{X64_GENERAL}},
    .classes = {[CLASS_GENERAL] = {{X64_GENERAL}}, [MC_VECTOR] = {{X64_VECTOR}}},
    .class_of = mach_class_of,
    .takes_memory = mach_takes_memory,
    .takes_immediate = mach_takes_immediate,
    .scales = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8,
    .scales_expected = "a scale of 1, 2, 4 or 8 with an index, or neither",
    .address_expected = address_expected,
    .tests_bits = tests_bits,
    .constraints = x64_constraints,
    .parts_rows = parts_rows,
    .parts_expected = "i64 or f64, or only f80",
    .classify = x64_classify,
    .returns_alike = x64_returns_alike,
    .frame_of = x64_frame,
    .entry_of = mach_entry,
    .frame_base = x64_frame_base,
};
