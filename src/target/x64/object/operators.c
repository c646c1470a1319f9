// Operators and builtins: rows of sequences.def, and what needs more than a row.
#include "target/x64/model/sysv.h"
#include "target/x64/object/walk.h"

#include <stdio.h>

// A builtin may set a register that is nobody's place.
bool match_row(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    const char *row = x64_text(instr);
    bool good = row && code_is_any(w, row), builtin = instr->kind == MK_BUILTIN;
    if (builtin && instr->op == BI_WRITE_REGISTER) w->now.written &= ~X64_BIT(instr->imm);
    if (builtin && instr->op == BI_STACK_RESTORE) w->now.written &= ~X64_BIT(M_RSP);
    return good;
}

bool match_text(CodeWalk *w, Out *text) {
    out_char(text, '\0');
    bool good = code_is(w, text->text);
    out_free(text);
    return good;
}

bool match_part(CodeWalk *w) {
    Out whole = {0}, halves = {0};
    WalkState before = w->now;
    x64_put_part(&whole, w->instr, false);
    if (match_text(w, &whole)) return true;
    match_undo(w, &before);
    x64_put_part(&halves, w->instr, true);
    return match_text(w, &halves);
}

bool match_operation(CodeWalk *w) {
    const OpInfo *op = op_info((Op)w->instr->op);
    if (op->flags & OPF_COND) return match_set(w);
    if (x64_shape((Op)w->instr->op) == X64_CHOOSE) return match_choose(w);
    return match_row(w);
}

// ---- Copies and fills
//
// Pieces may come in any sizes that add up, and a last one may overlap the one before: the two
// ranges of a copy are the same or disjoint, so what was written is what is there, or nothing that
// is still to be read.

// The size of the next piece of a copy or fill, which starts at *at; what lies before `done` is
// done. 0: this is none.
static uint32_t piece_at(CodeWalk *w, uint32_t operand, uint64_t done, uint64_t size, int64_t *at) {
    const Insn *insn = walk_insn(w);
    if (!insn || operand >= insn->operands || insn->operand[operand].kind != INSN_OPERAND_MEMORY)
        return 0;
    uint32_t bytes = insn->operand[operand].width;
    *at = insn->operand[operand].value;
    bool adds = *at >= 0 && (uint64_t)*at <= done && (uint64_t)*at + bytes > done &&
                (uint64_t)*at + bytes <= size;
    return adds ? bytes : 0;
}

static bool match_copy(CodeWalk *w, uint64_t size) {
    for (uint64_t done = 0; done < size;) {
        int64_t at;
        uint32_t bytes = piece_at(w, 0, done, size, &at);
        bool good;
        if (bytes == 16)
            good = code_is_like(w, "movups (b+%lld):16,x15; movups x15,(a+%lld):16", (long long)at,
                                (long long)at);
        else if (bytes >= 4)
            good = code_is_like(w, "mov.%u (b+%lld),r11; mov.%u r11,(a+%lld)", bytes, (long long)at,
                                bytes, (long long)at);
        else
            good = bytes && code_is_like(w, "movzx.4 (b+%lld):%u,r11; mov.%u r11,(a+%lld)",
                                         (long long)at, bytes, bytes, (long long)at);
        if (!good) return walk_fails(w, "a piece of a copy is missing");
        done = (uint64_t)at + bytes;
    }
    return true;
}

// rcx words of eight bytes by a string instruction, then the rest.
static bool match_string(CodeWalk *w, uint64_t size, const char *name) {
    if (!match_constant(w, TYPE_I64, (int64_t)(size / 8), "rcx") ||
        !code_is_like(w, "rep %s.8", name))
        return false;
    for (uint32_t bytes = 4; bytes; bytes /= 2)
        if (size & bytes && !code_is_like(w, "%s.%u", name, bytes)) return false;
    return true;
}

static bool match_memcpy(CodeWalk *w) {
    uint64_t size = (uint64_t)w->instr->imm;
    if (match_copy(w, size)) return true;
    return code_is(w, "?a rdi; ?b rsi") && match_string(w, size, "movs");
}

// The byte that fills, eight times, in a register.
static bool spread_byte(CodeWalk *w, const char *to) {
    const MachInstr *instr = w->instr;
    if (instr->immediate == 1)
        return match_constant(w, TYPE_I64, (int64_t)((instr->high & 0xff) * 0x0101010101010101),
                              to);
    return code_is_like(w, "movzx.4 b:1,%s; mov.8 $0x0101010101010101,r10; imul.8 r10,%s", to, to);
}

static bool match_fill(CodeWalk *w, uint64_t size) {
    bool zero = w->instr->immediate == 1 && (w->instr->high & 0xff) == 0;
    bool word = !zero && size && spread_byte(w, "r11"),
         vector = zero ? code_is(w, "xorps x15,x15")
                       : word && code_is(w, "movd.8 r11,x15; punpcklqdq x15,x15");
    for (uint64_t done = 0; done < size;) {
        int64_t at;
        uint32_t bytes = piece_at(w, 1, done, size, &at);
        bool good =
            bytes == 16 ? vector && code_is_like(w, "movups x15,(a+%lld):16", (long long)at)
            : zero      ? bytes && code_is_like(w, "mov.%u $0,(a+%lld)", bytes, (long long)at)
                   : bytes && word && code_is_like(w, "mov.%u r11,(a+%lld)", bytes, (long long)at);
        if (!good) return walk_fails(w, "a piece of a fill is missing");
        done = (uint64_t)at + bytes;
    }
    return true;
}

static bool match_memset(CodeWalk *w) {
    uint64_t size = (uint64_t)w->instr->imm;
    WalkState before = w->now;
    if (match_fill(w, size)) return true;
    match_undo(w, &before);
    return code_is(w, "?a rdi") && spread_byte(w, "rax") && match_string(w, size, "stos");
}

// ---- The stack

// With every page touched or not, and functions of libraries called through a table or not.
static bool match_alloca(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    X64Alloca how = {.align = (uint32_t)frame->align,
                     .outgoing = (frame->outgoing + 15) / 16 * 16,
                     .split = frame->split};
    bool good = false;
    for (uint32_t k = 0; k < 4 && !good; k++) {
        Out text = {0};
        how.probes = k & 1;
        how.far = k & 2;
        x64_put_alloca(&text, w->instr, &how);
        good = match_text(w, &text);
    }
    w->now.written &= ~X64_BIT(M_RSP);
    frame->allocates = true;
    return good;
}

// What lies above the registers that are pushed is the address to return to.
static bool match_frame_address(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    bool returns = w->instr->op == BI_RETURN_ADDRESS;
    int64_t level = w->instr->imm;
    if (returns && level == 0 && frame->found.incoming == M_RSP)
        return code_is_like(w, "mov.8 (rsp+%llu),d",
                            8 * (unsigned long long)frame->pushed + frame->size);
    if (level == 0) return code_is(w, returns ? "mov.8 (rbp+8),d" : "mov.8 rbp,d");
    if (!code_is(w, "mov.8 (rbp),d")) return false;
    for (int64_t k = 1; k < level; k++)
        if (!code_is(w, "mov.8 (d),d")) return false;
    return !returns || code_is(w, "mov.8 (d+8),d");
}

// ---- Variable arguments

// On a stack that is split, where stack arguments are was pushed on the way in, from r11.
static bool match_va_start(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    bool by_rsp = frame->found.incoming == M_RSP;
    VaStack stack = {.base = frame->found.incoming, .noted = frame->split};
    stack.at = by_rsp ? 8 + 8 * (int64_t)frame->pushed + (int64_t)frame->size : 16;
    if (frame->split) {
        uint32_t k = 0;
        while (frame->order[k] != M_R11) k++;
        stack.at = by_rsp ? (int64_t)frame->size + 8 * (int64_t)(frame->pushed - 1 - k)
                          : -8 * (int64_t)(k + 1);
    }
    Out text = {0};
    x64_put_va_start(&text, convention_of(w->program, w->func->sig), &stack);
    return match_text(w, &text);
}

static bool match_va_arg(CodeWalk *w) {
    Out text = {0};
    x64_put_va_arg(&text, program_ptype_info(w->program, (PType){w->instr->aux}));
    return match_text(w, &text);
}

bool match_builtin(CodeWalk *w) {
    switch ((Builtin)w->instr->op) {
    case BI_MEMCPY: return match_memcpy(w);
    case BI_MEMSET: return match_memset(w);
    case BI_ALLOCA: return match_alloca(w);
    case BI_FRAME_ADDRESS:
    case BI_RETURN_ADDRESS: return match_frame_address(w);
    case BI_VA_START: return match_va_start(w);
    case BI_VA_ARG: return match_va_arg(w);
    case BI_VA_COPY: return match_copy(w, VA_LIST_SIZE);
    case BI_ASM:
    case BI_ASM_ALONE: return match_asm(w);
#define BUILT(name, text) case BI_##name:
#include "target/x64/model/sequences.def"
        return match_row(w);
    case BI_COUNT: break;
    }
    return false;
}
