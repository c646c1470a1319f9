// One function: its blocks in their order, its machine instructions one by one, calls, returns, asm
// statements.
#include "fact/calls.h"
#include "form/inline_asm.h"
#include "target/x64/model/sysv.h"
#include "target/x64/object/walk.h"

#include <stdio.h>
#include <string.h>

// ---- Calls

static bool calls_known(const CodeWalk *w, const char *name) {
    return mach_calls_symbol(w->instr) &&
           symbol_is_known_as(w->program, (Sym){w->instr->ref}, name);
}

// With marks and the processor's own stack of return addresses, as options have it.
static bool match_setjmp(CodeWalk *w) {
    Out base = {0};
    frame_put_base(w, &base);
    out_char(&base, '\0');
    bool good = false;
    for (uint32_t k = 0; k < 4 && !good; k++) {
        Out text = {0};
        x64_put_setjmp(&text, k & 1, k & 2, base.text);
        good = match_text(w, &text);
    }
    out_free(&base);
    w->now.written &= ~X64_BIT(w->frame.found.base);
    return good;
}

static bool match_longjmp(CodeWalk *w) {
    bool good = false;
    for (uint32_t k = 0; k < 2 && !good; k++) {
        Out text = {0};
        x64_put_longjmp(&text, k == 0);
        good = match_text(w, &text);
    }
    good = good && match_jump_to(w, "rax");
    w->now.written = 0;
    return good;
}

// A variadic function finds in al how many vector registers hold arguments.
static bool match_vector_count(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    if (!program_sig_info(w->program, (Sig){instr->aux})->variadic) return true;
    const Place *arguments = mach_arguments(w->func, instr);
    uint32_t count = 0;
    for (uint32_t k = 0; k < instr->arguments; k++)
        count += place_is_machine(arguments[k]) && place_index(arguments[k]) >= M_XMM0;
    return match_constant(w, TYPE_I32, count, "rax") ||
           walk_fails(w,
                      "a variadic function is not told how many vector registers hold arguments");
}

// What is called is in r11 if it is in a register.
static bool match_called(CodeWalk *w, bool calls) {
    const char *name = calls ? "call" : "jmp";
    if (mach_calls_symbol(w->instr))
        return code_is_like(w, "%s ^y", name) || code_is_like(w, "%s got", name);
    if (w->instr->memory == 0 && code_is_like(w, "%s a", name)) return true;
    if (w->instr->memory == 0 ? !code_is(w, "mov.8 a,r11") : !code_is(w, "?a r11")) return false;
    return calls ? match_call_of(w, "r11") : match_jump_to(w, "r11");
}

// What a call left on the x87 stack goes to where it is wanted, or away.
static bool match_x87_results(CodeWalk *w) {
    uint32_t count = sysv_x87_results(w->program, (Sig){w->instr->aux});
    for (uint32_t k = 0; k < count; k++)
        if (w->instr->results ? !code_is_like(w, "fstp z%u:10", k) : !code_is(w, "fstp_st0"))
            return false;
    return true;
}

static bool match_call(CodeWalk *w) {
    if (calls_known(w, "__builtin_setjmp")) return match_setjmp(w);
    if (calls_known(w, "__builtin_longjmp")) return match_longjmp(w);
    if (!match_vector_count(w) || !match_called(w, true)) return false;
    if (mach_call_returns_twice(w->program, w->instr)) code_is(w, "endbr64");
    return match_x87_results(w);
}

// The epilogue restores registers that the address may use, so it is fetched before.
static bool match_tail_call(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    bool in_r11 = instr->src[0].i == place_machine(M_R11).i;
    if (!frame_leave_guard(w, in_r11 ? M_R10 : M_R11)) return false;
    if (instr->memory == 0 && !code_is(w, "mov.8 a,r11")) return false;
    if (!match_vector_count(w) || !frame_leave(w)) return false;
    if (instr->memory == 0) return match_jump_to(w, "r11");
    bool good = match_called(w, false);
    code_is(w, "int3");
    return good;
}

// ---- Returns

static X64Regs results_of(const CodeWalk *w) {
    const Place *results = mach_arguments(w->func, w->instr);
    X64Regs set = 0;
    for (uint32_t k = 0; k < w->instr->arguments; k++)
        if (place_is_machine(results[k])) set |= X64_BIT(place_index(results[k]));
    return set;
}

// Registers of the caller's that hold no result may be cleared.
static void match_clearing(CodeWalk *w, X64Regs results) {
    w->cleared = 0;
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++) {
        if (!(caller_saved_regs & ~results & X64_BIT(reg))) continue;
        const char *name = machine_reg_name((MachineReg)reg);
        bool vector = reg >= M_XMM0;
        if (vector ? code_is_like(w, "pxor x%u,x%u", reg - M_XMM0, reg - M_XMM0)
                   : code_is_like(w, "xor.4 %s,%s", name, name))
            w->cleared |= X64_BIT(reg);
    }
}

// So may those of the x87: what is pushed is popped again, and there is room for it above the
// results.
static bool match_x87_clearing(CodeWalk *w) {
    const Place *places = mach_arguments(w->func, w->instr);
    uint32_t count = 0, used = 0;
    for (uint32_t k = 0; k < w->instr->arguments; k++) used += place_is_spill(places[k]);
    while (used + count < 8 && code_is(w, "fldz")) count++;
    while (count && code_is(w, "fstp_st0")) count--;
    return count == 0 || walk_fails(w, "the x87 stack is not what it was");
}

// The first of two long doubles is to be on top. A long epilogue is written once; other returns go
// there.
static bool match_return(CodeWalk *w) {
    const Place *places = mach_arguments(w->func, w->instr);
    for (uint32_t k = w->instr->arguments; k-- > 0;)
        if (place_is_spill(places[k]) && !code_is_like(w, "fld h%u:10", k)) return false;
    uint64_t to;
    const Insn *insn = walk_branch(w, &to);
    X64Regs results = results_of(w);
    if (insn && insn->mnemonic == INSN_JMP) {
        if (to != w->epilogue || w->cleared & results)
            return walk_fails(w, "a return leads elsewhere");
        walk_step(w);
        return true;
    }
    w->epilogue = w->now.at;
    if (!frame_leave_guard(w, M_R11) || !frame_leave(w)) return false;
    if (!match_x87_clearing(w)) return false;
    match_clearing(w, results | x64_regs(w->frame.entry.kept));
    if (w->frame.entry.interrupt)
        return (!w->frame.entry.error || code_is(w, "add.8 $16,rsp")) && code_is(w, "iret");
    return match_return_line(w);
}

// ---- asm statements
//
// Their text cannot be compared. The object says where its bytes are, in a section of its own: they
// are listed as believed. What goes before and after, operands into registers and back, is
// compared.

static bool skip_text(CodeWalk *w) {
    uint64_t end;
    if (!object_asm_at(w->object, w->section, w->now.at, &end) || end < w->now.at || end > w->end)
        return walk_fails(w, "the object does not say where the text of an asm statement is");
    vec_push(w->object->arena, &w->object->believed,
             (ObjectBelief){.what = "asm statement",
                            .where = arena_printf(w->object->arena, "%s", func_name(w->func)),
                            .start = w->now.at - w->start,
                            .end = end - w->start});
    w->now.at = end;
    w->now.flags_reg = INSN_REG_NONE;
    w->now.short_regs = 0;
    w->now.written = 0;
    return true;
}

static bool match_asm_part(CodeWalk *w, X64AsmPart part) {
    Out text = {0};
    x64_put_asm(&text, &w->program->asms.at[w->instr->imm], w->instr, w->frame.found.base, part);
    return match_text(w, &text);
}

// Behind the restoring lines the block's address is where it was.
bool match_asm(CodeWalk *w) {
    X64Regs destroys = x64_regs(w->program->asms.at[w->instr->imm].destroys);
    if (!match_asm_part(w, X64_ASM_BEFORE) || w->now.written & ~destroys || !skip_text(w) ||
        !match_asm_part(w, X64_ASM_RESTORE))
        return false;
    w->now.written = 0;
    return match_asm_part(w, X64_ASM_AFTER);
}

// ---- Machine instructions

bool match_jump(CodeWalk *w, uint32_t block) {
    return block == w->next || code_is_like(w, "jmp @%u", block);
}

static bool match_kind(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    const uint32_t *succs = mach_succs(w->func, mach_block(w->func, w->block));
    switch ((MachKind)instr->kind) {
    case MK_OP: return match_operation(w);
    case MK_LOAD_PART:
    case MK_STORE_PART: return match_part(w);
    case MK_SELECT: return match_select(w);
    case MK_CHECK: return match_check(w);
    case MK_CALL: return match_call(w);
    case MK_BUILTIN: return match_builtin(w);
    case MK_PARAMS: return true;
    case MK_JUMP: return match_jump(w, w->target[succs[0]]);
    case MK_BRANCH: return match_branch(w, w->target[succs[0]], w->target[succs[1]]);
    case MK_SWITCH: return match_switch(w);
    case MK_RETURN: return match_return(w);
    case MK_TAIL_CALL: return match_tail_call(w);
#define KIND(name, ...) case MK_##name:
#include "target/x64/model/sequences.def"
    case MK_UPDATE: return match_row(w);
    case MACH_KIND_COUNT: break;
    }
    return false;
}

// What leaves the function may restore registers that it must not change otherwise.
static bool match_instr(CodeWalk *w, const MachInstr *instr) {
    match_begin(w, instr);
    bool leaves = instr->kind == MK_RETURN || instr->kind == MK_TAIL_CALL;
    return (match_kind(w) || walk_fails(w, NULL)) && (leaves || match_end(w));
}

// ---- Blocks

static bool is_written(const CodeWalk *w, uint32_t block) {
    return block == 0 || w->target[block] == block;
}

static bool match_blocks(CodeWalk *w) {
    uint32_t count = w->func->mach->blocks.count;
    for (w->block = 0; w->block < count;) {
        const MachBlock *block = mach_block(w->func, w->block);
        w->next = w->block + 1;
        while (w->next < count && !is_written(w, w->next)) w->next++;
        if (w->next == count) w->next = NO_ID;
        if (w->block) walk_padding(w);
        w->block_at[w->block] = w->now.at;
        w->now.flags_reg = INSN_REG_NONE;
        w->now.short_regs = 0;
        for (uint32_t i = 0; i < block->count; i++)
            if (!match_instr(w, mach_at(w->func, block->first + i))) return false;
        if (w->next == NO_ID) break;
        w->block = w->next;
    }
    return true;
}

// Behind the blocks: where failed checks go, and where a guard that was overwritten leads.
static bool match_rest(CodeWalk *w) {
    w->instr = NULL;
    if (w->trap_at != UINT64_MAX && (w->now.at != w->trap_at || !code_is(w, "ud2")))
        return walk_fails(w, "a check that fails leads elsewhere");
    if (w->guard_failure == w->now.at && match_call_named(w, "__stack_chk_fail"))
        w->guard_failure = UINT64_MAX;
    if (w->guard_failure != UINT64_MAX)
        return walk_fails(w, "a guard that was overwritten leads nowhere");
    if (!frame_ask_for_stack(w)) return false;
    return w->now.at == w->end || walk_fails(w, "there is more code than the function has");
}

static bool match_jumps(CodeWalk *w) {
    for (uint32_t k = 0; k < w->jumps.count; k++) {
        const BlockJump *jump = &w->jumps.at[k];
        if (w->block_at[jump->block] == jump->to) continue;
        w->now.at = w->failed_at = jump->at;
        return walk_fails(w, arena_printf(w->object->arena,
                                          "it leads to another place than block %u", jump->block));
    }
    return true;
}

bool walk_code(CodeWalk *w) {
    w->block_at = ARENA_ARRAY(w->arena, uint64_t, w->func->mach->blocks.count);
    w->epilogue = w->trap_at = w->guard_failure = UINT64_MAX;
    w->now.flags_reg = INSN_REG_NONE;
    w->target = mach_jump_targets(w->arena, w->func);
    return frame_enter(w) && match_blocks(w) && match_rest(w) && match_jumps(w) && frame_check(w);
}
