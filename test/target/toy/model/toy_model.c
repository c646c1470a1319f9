#include "fact/effects.h"
#include "target/toy/model/toy.h"

// Sets are two words here: r0 to r63, and r64 to r67, fp, sp.
#define WORDS(...)                                                                                 \
    {                                                                                              \
        { __VA_ARGS__ }                                                                            \
    }
#define ALL       WORDS(~(uint64_t)0, 0x3f)
#define SAVED     WORDS((uint64_t)0xfff << 18, 0x1c) // r18 to r29, r66, r67, fp
#define DESTROYED WORDS(~((uint64_t)0xfff << 18), 0x03)
#define BANK(k)   WORDS((uint64_t)0xff << (TOY_BANK + 8 * (k)))
#define LAST_BANK WORDS((uint64_t)0x3f << 58, 0x03) // r58 to r65

static const char *const names[] = {
    "r0",  "r1",  "r2",  "r3",  "r4",  "r5",  "r6",  "r7",  "r8",  "r9",  "r10", "r11",
    "r12", "r13", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23",
    "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31", "r32", "r33", "r34", "r35",
    "r36", "r37", "r38", "r39", "r40", "r41", "r42", "r43", "r44", "r45", "r46", "r47",
    "r48", "r49", "r50", "r51", "r52", "r53", "r54", "r55", "r56", "r57", "r58", "r59",
    "r60", "r61", "r62", "r63", "r64", "r65", "r66", "r67", "fp",  "sp",
};
static const uint8_t numbers[] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69,
};

static uint32_t relocation_size(uint32_t type) {
    (void)type;
    return UINT32_MAX;
}

static MachClass class_of(Type type) {
    return type_is_int(type) ? CLASS_GENERAL : CLASS_MEMORY;
}

static bool takes_memory(const MachInstr *instr, unsigned source, Chunk chunk) {
    (void)instr, (void)source, (void)chunk;
    return false;
}

bool toy_takes_immediate(const MachInstr *instr, unsigned source, int64_t value) {
    if (instr->kind == MK_BUILTIN) return instr->op == BI_MEMSET && source == 1;
    bool computes = instr->kind == MK_OP || instr->kind == MK_BRANCH || instr->kind == MK_CHECK ||
                    instr->kind == MK_SELECT;
    return computes && source == 1 && op_allows_immediate(instr->op) && toy_is_small(value);
}

static const char *address_expected(const Program *program, const MachInstr *instr) {
    (void)program;
    if (instr->base == MB_SYMBOL || instr->base == MB_NONE)
        return "an address that starts at a register";
    if (instr->base == MB_PLACE && !toy_is_small(instr->displacement))
        return "a displacement of 12 bits";
    return NULL;
}

static bool tests_bits(Op op) {
    (void)op;
    return false;
}

// ---- Calls: r2 to r9, then the stack, 8 bytes each; results in r2. Aggregates are in memory.

static void add_argument(Arena *arena, Convention *convention, uint32_t param,
                         const ParamType *type) {
    bool aggregate = ptype_is_aggregate(type);
    Piece piece = {.param = param,
                   .size = aggregate                ? (uint32_t)type->size
                           : type->type == TYPE_I32 ? 4
                                                    : 8,
                   .type = type->type};
    if (!aggregate && convention->general_count < TOY_ARGUMENTS) {
        piece.reg = (StoredReg)(TOY_ARGUMENT + convention->general_count++);
        vec_push(arena, &convention->in_registers, convention->arguments.count);
    } else {
        uint32_t align = aggregate && type->align > 8 ? type->align : 8;
        piece.where = PIECE_STACK;
        piece.stack = (convention->stack_size + align - 1) / align * align;
        convention->stack_size = piece.stack + (piece.size + 7) / 8 * 8;
        vec_push(arena, &convention->on_stack, convention->arguments.count);
    }
    vec_push(arena, &convention->arguments, piece);
}

static bool is_passable(const Program *program, PType id) {
    const ParamType *type = program_ptype_info(program, id);
    if (ptype_is_aggregate(type))
        return type->parts == 0 && type->size < CONVENTION_STACK_LIMIT / 64;
    return type->type == TYPE_VOID || type_is_int(type->type);
}

void toy_classify(Arena *arena, const Program *program, const SigInfo *info,
                  Convention *convention) {
    convention->passable = is_passable(program, info->result);
    for (uint32_t p = 0; p < info->param_count && convention->passable; p++)
        convention->passable = is_passable(program, info->params[p]);
    if (!convention->passable) return;
    convention->alignment = 16;
    const ParamType *result = program_ptype_info(program, info->result);
    Piece piece = {
        .size = result->type == TYPE_I32 ? 4 : 8, .type = result->type, .reg = TOY_ARGUMENT};
    if (ptype_is_aggregate(result)) {
        convention->hidden = true;
        piece.param = NO_ID;
        piece.type = TYPE_I64;
        convention->general_count = 1;
        vec_push(arena, &convention->in_registers, 0);
        vec_push(arena, &convention->arguments, piece);
    }
    if (piece.type != TYPE_VOID) vec_push(arena, &convention->results, piece);
    for (uint32_t p = 0; p < info->param_count; p++)
        add_argument(arena, convention, p, program_ptype_info(program, info->params[p]));
    convention->passable = convention->stack_size < CONVENTION_STACK_LIMIT;
}

static bool returns_alike(const Convention *own, const Convention *called) {
    return !own->hidden && !called->hidden && own->results.count == called->results.count &&
           (own->results.count == 0 || own->results.at[0].type == called->results.at[0].type);
}

// ---- Frames: by the stack pointer, or, where that moves, by fp

static MachFrame frame_of(const Func *func) {
    MachFrame frame = {.base = TOY_STACK, .incoming = TOY_STACK, .align = 16};
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        bool asks = instr->kind == MK_BUILTIN && builtin_asks_frame(instr->op, instr->imm);
        if (!mach_moves_stack(instr) && !asks) continue;
        frame.kind = FRAME_POINTER;
        frame.base = frame.incoming = TOY_FRAME;
        frame.registers = regs_of(TOY_FRAME);
    }
    return frame;
}

static MachEntry entry_of(const Func *func) {
    (void)func;
    return (MachEntry){0};
}

static MachineReg frame_base(const Program *program) {
    (void)program;
    return TOY_FRAME;
}

static const PartsRow no_parts[1];

extern const TargetModel toy_model;

const TargetModel toy_model = {
    .name = "toy",
    .title = "the toy machine",
    .triplet = "toy-linux-gnu",
    .elf_machine = 0xfe00,
    .relocation_size = relocation_size,
    .types = 1u << TYPE_I32 | 1u << TYPE_I64,
    .va_list_size = 16,
    .scales_expected = "an address without index",
    TARGET_SIZES(toy, TOY_REGISTERS, TOY_REGISTERS, TOY_CLASSES),
    .register_names = names,
    .unwind_numbers = numbers,
    .order = numbers,
    .order_count = TOY_REGISTERS - 1,
    .stack = TOY_STACK,
    .frame = TOY_FRAME,
    .scratch = TOY_SCRATCH,
    .callee_saved = SAVED,
    .caller_saved = DESTROYED,
    .classes = {[CLASS_GENERAL] = ALL,
                [TOY_FIRST_BANK] = BANK(0),
                [TOY_FIRST_BANK + 1] = BANK(1),
                [TOY_FIRST_BANK + 2] = BANK(2),
                [TOY_FIRST_BANK + 3] = BANK(3),
                [TOY_FIRST_BANK + 4] = BANK(4),
                [TOY_FIRST_BANK + 5] = BANK(5),
                [TOY_FIRST_BANK + 6] = BANK(6),
                [TOY_FIRST_BANK + 7] = LAST_BANK},
    .class_of = class_of,
    .takes_memory = takes_memory,
    .takes_immediate = toy_takes_immediate,
    .address_expected = address_expected,
    .tests_bits = tests_bits,
    .constraints = toy_constraints,
    .parts_rows = no_parts,
    .parts_expected = "none",
    .classify = toy_classify,
    .returns_alike = returns_alike,
    .frame_of = frame_of,
    .entry_of = entry_of,
    .frame_base = frame_base,
};
