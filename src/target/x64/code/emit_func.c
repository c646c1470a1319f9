// One function: its blocks in their order, its instructions one by one.
//
// A jump to a block that only jumps on goes to that block's target, and such blocks are left out.
// The jump or branch that ends a block is written last, so that a jump to the next block can be
// omitted and a branch be turned round.
#include "base/bits.h"
#include "target/x64/code/emit.h"

// ---- Blocks

typedef struct {
    uint32_t *target; // where a jump to a block really goes
    Bits removed;     // blocks that are left out
    Bits labelled;    // blocks that are jumped to
    Bits loops;       // first blocks of innermost loops without calls
    uint32_t *next;   // per block: the one that will lie behind it, or NO_ID
} BlockLayout;

static const MachInstr *last_instr(const Func *func, const MachBlock *block) {
    return mach_at(func, block->first + block->count - 1);
}

static void find_removed(BlockLayout *layout, Arena *arena, const Func *func) {
    uint32_t count = func->mach->blocks.count;
    layout->removed = bits_new(arena, count);
    for (uint32_t b = 1; b < count; b++)
        if (layout->target[b] != b) bits_add(&layout->removed, b);
}

static void find_next(BlockLayout *layout, Arena *arena, uint32_t count) {
    layout->next = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t next = NO_ID;
    for (uint32_t b = count; b-- > 0;) {
        layout->next[b] = next;
        if (!bits_has(&layout->removed, b)) next = b;
    }
}

static void find_labels(BlockLayout *layout, Arena *arena, const Func *func) {
    uint32_t count = func->mach->blocks.count;
    layout->labelled = bits_new(arena, count);
    for (uint32_t b = 0; b < count; b++) {
        if (bits_has(&layout->removed, b)) continue;
        const MachBlock *block = mach_block(func, b);
        // Of a switch and of two flags every successor may be jumped to, even the next block.
        const MachInstr *last = last_instr(func, block);
        bool every = last->kind == MK_SWITCH ||
                     (last->kind == MK_BRANCH && !type_is_int(op_info((Op)last->op)->operand[0]));
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t to = layout->target[mach_succs(func, block)[k]];
            if (to != layout->next[b] || every) bits_add(&layout->labelled, to);
        }
    }
}

static bool calls_something(const Func *func, const MachBlock *block) {
    for (uint32_t i = 0; i < block->count; i++)
        if (mach_at(func, block->first + i)->kind == MK_CALL) return true;
    return false;
}

// A loop is what lies between a block and the last jump back to it. Where its code lies matters
// only if a round of it is short: if it holds no call and no other loop.
static void find_loops(BlockLayout *layout, Arena *arena, const Func *func) {
    uint32_t count = func->mach->blocks.count, open = NO_ID;
    uint32_t *end = ARENA_ARRAY(arena, uint32_t, count); // of the loop that starts there
    layout->loops = bits_new(arena, count);
    for (uint32_t b = 0; b < count; b++) {
        const MachBlock *block = mach_block(func, b);
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t to = layout->target[mach_succs(func, block)[k]];
            if (to <= b) end[to] = b + 1;
        }
    }
    for (uint32_t b = 0; b < count; b++) {
        if (end[b]) open = b;
        if (open != NO_ID && calls_something(func, mach_block(func, b))) open = NO_ID;
        if (open == NO_ID || end[open] != b + 1) continue;
        bits_add(&layout->loops, open);
        open = NO_ID;
    }
}

static BlockLayout lay_out_blocks(Arena *arena, const Func *func) {
    BlockLayout layout = {.target = mach_jump_targets(arena, func)};
    find_removed(&layout, arena, func);
    find_next(&layout, arena, func->mach->blocks.count);
    find_labels(&layout, arena, func);
    find_loops(&layout, arena, func);
    return layout;
}

// ---- Leaving a block

static uint32_t block_label(const Emit *e, uint32_t block) {
    return e->block_label + block;
}

static void jump_to(Emit *e, uint32_t block) {
    if (block != e->next_block) x64_jump(e, "jmp", block_label(e, block));
}

// Two flags: the jumps to the one that either of them decides for come first.
static void branch_on_parity(Emit *e, FlagCondition condition, uint32_t yes, uint32_t no) {
    bool also = condition.parity == PARITY_ALSO_ORDERED;
    uint32_t either = also ? no : yes, both = also ? yes : no;
    uint32_t decides = also ? condition.code ^ 1u : condition.code;
    x64_jump(e, "jp", block_label(e, either));
    if (either == e->next_block) {
        x64_jump_if(e, decides ^ 1, block_label(e, both));
        return;
    }
    x64_jump_if(e, decides, block_label(e, either));
    jump_to(e, both);
}

static void x64_branch(Emit *e, const MachInstr *instr, const uint32_t *succs) {
    uint32_t yes = e->target[succs[0]], no = e->target[succs[1]];
    if (yes == no) {
        jump_to(e, yes);
        return;
    }
    FlagCondition condition = x64_condition(e, instr);
    if (condition.parity != PARITY_ANY) {
        branch_on_parity(e, condition, yes, no);
        return;
    }
    if (yes == e->next_block) {
        condition = x64_negated(condition);
        yes = no;
        no = e->next_block;
    }
    x64_jump_if(e, condition.code, block_label(e, yes));
    jump_to(e, no);
}

// ---- Other instructions

// Failed checks go to one place behind the function. Where two flags tell, a check that needs both
// to fail jumps over the other jump.
static void x64_check(Emit *e, const MachInstr *instr) {
    uint32_t trap = x64_trap_label(e);
    FlagCondition fails = x64_negated(x64_condition(e, instr));
    uint32_t good = NO_ID;
    if (fails.parity == PARITY_ALSO_ORDERED) good = assembly_label(e->assembly);
    if (fails.parity != PARITY_ANY) x64_jump(e, "jp", good == NO_ID ? trap : good);
    x64_jump_if(e, fails.code, trap);
    if (good != NO_ID) x64_label(e, good);
}

static bool has_address_of(const MachInstr *store, const MachInstr *load) {
    return store->addressed && store->base == load->base && store->ref == load->ref &&
           store->scale == load->scale && store->base_place.i == load->base_place.i &&
           (!load->scale || store->index.i == load->index.i);
}

// Whether a half of the eight bytes that a part loads has been stored not long before. The answer
// only chooses between two ways to load them.
static bool is_in_halves(const Emit *e, const MachInstr *load) {
    enum { FAR = 40 }; // instructions
    for (uint32_t back = 1; back <= FAR && back <= e->instr; back++) {
        const MachInstr *store = mach_at(e->func, e->instr - back);
        if (store->kind == MK_STORE && has_address_of(store, load) &&
            chunk_size((Chunk)store->chunk) == 4 &&
            (store->displacement == load->displacement ||
             store->displacement == load->displacement + 4))
            return true;
    }
    return false;
}

static void x64_part(Emit *e, const MachInstr *instr) {
    Out text = {0};
    bool eight = instr->kind == MK_LOAD_PART && instr->imm == 8;
    x64_put_part(&text, instr, eight && is_in_halves(e, instr));
    x64_composed(e, instr, &text);
}

static void x64_op(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    if (op_info(op)->flags & OPF_COND)
        x64_set(e, instr);
    else if (x64_shape(op) == X64_CHOOSE)
        x64_choose(e, instr);
    else
        x64_row(e, instr, x64_text(instr));
}

static void x64_instr(Emit *e, const MachInstr *instr, const MachBlock *block) {
    const uint32_t *succs = mach_succs(e->func, block);
    switch ((MachKind)instr->kind) {
    case MK_OP: x64_op(e, instr); break;
    case MK_LOAD_PART:
    case MK_STORE_PART: x64_part(e, instr); break;
    case MK_SELECT: x64_select(e, instr); break;
    case MK_CHECK: x64_check(e, instr); break;
    case MK_CALL: x64_call(e, instr); break;
    case MK_BUILTIN: x64_builtin(e, instr); break;
    case MK_PARAMS: break;
    case MK_JUMP: jump_to(e, e->target[succs[0]]); break;
    case MK_BRANCH: x64_branch(e, instr, succs); break;
    case MK_SWITCH: x64_switch(e, instr, succs, block->succ_count); break;
    case MK_RETURN: x64_return(e, instr); break;
    case MK_TAIL_CALL: x64_tail_call(e, instr); break;
#define KIND(name, ...) case MK_##name:
#include "target/x64/model/sequences.def"
    case MK_UPDATE: x64_row(e, instr, x64_text(instr)); break;
    case MACH_KIND_COUNT: break;
    }
}

// ---- What is known about registers

// The upper half of a general register is zero after an instruction of 32 bits. Instructions that
// write more than their result make everything forgotten; the scratch registers are never known.
static void learn(Emit *e, const MachInstr *instr) {
    bool simple = instr->kind == MK_OP || instr->kind == MK_LOAD || instr->kind == MK_LEA ||
                  instr->kind == MK_MOVE || instr->kind == MK_STORE || instr->kind == MK_UPDATE ||
                  instr->kind == MK_LOAD_PART;
    X64Shape shape = instr->kind == MK_OP ? x64_shape((Op)instr->op) : X64_COPY;
    if (!simple || shape == X64_HIGH || shape == X64_DIVIDE || shape == X64_REMAINDER ||
        shape == X64_X87 || mach_asks_for_address(e->program, instr)) {
        e->short_regs = 0;
        return;
    }
    if (!place_is_machine(instr->dest)) return;
    X64Regs bit = X64_BIT(place_index(instr->dest));
    e->short_regs &= ~bit;
    if (bit & (X64_BIT(M_R10) | X64_BIT(M_R11))) return;
    bool moves = instr->kind == MK_MOVE && op_info((Op)instr->op)->result == TYPE_I32 &&
                 instr->dest.i != instr->src[0].i;
    bool loads = instr->kind == MK_LOAD && chunk_size((Chunk)instr->chunk) <= 4;
    // A copy to itself, the low half of an i64 or a shift by 0 may be no instruction at all.
    bool vanishes = shape == X64_COPY || shape == X64_TRUNCATE ||
                    (shape == X64_SHIFT && (instr->immediate != 1 || (instr->imm & 31) == 0));
    bool computes = instr->kind == MK_OP && op_info((Op)instr->op)->result == TYPE_I32 &&
                    !vanishes && shape != X64_CHOOSE && shape != X64_TO_WIDE;
    if (loads || moves || computes || (instr->kind == MK_OP && instr->op == OP_ZEXT_I64))
        e->short_regs |= bit;
}

// ---- The function

static void change_node(Emit *e, uint32_t node) {
    uint32_t label = assembly_label(e->assembly);
    x64_label(e, label);
    debug_change_node(e->assembly, e->layout, e->node, node, label);
    e->node = node;
}

// The assembler keeps is_stmt from one line to the next, also into the next function.
static void put_loc(Emit *e, uint32_t loc, const char *more, bool stmt) {
    const Loc *at = &e->program->locs.at[loc];
    const char *flag = stmt ? " is_stmt 1" : " is_stmt 0";
    bool differs = stmt == e->assembly->between_stmts;
    out_printf(e->out, "\t.loc %u %u %u%s%s\n", at->file, at->line, at->column, more,
               differs ? flag : "");
    e->assembly->between_stmts = !stmt;
    e->loc = loc;
}

// If it is known where statements start, debuggers stop there only.
static void tell_line(Emit *e, uint32_t at, uint32_t loc) {
    const DebugCode *code = e->assembly->code;
    bool stmt = !code || code->starts[at] || e->in_prologue;
    put_loc(e, loc, e->in_prologue ? " prologue_end" : "", stmt);
    e->in_prologue = false;
}

// What debuggers are told changes nothing, so it keeps what is known about flags.
static void tell_location(Emit *e, uint32_t at) {
    const DebugCode *code = e->assembly->code;
    uint32_t loc = code ? code->loc_of[at] : mach_at(e->func, at)->loc;
    bool keeps = e->flags_at == e->out->length;
    if (e->layout) {
        uint32_t node = debug_node_of(e->assembly, e->layout, code ? code->instance_of[at] : NO_ID,
                                      loc, e->node);
        if (node != e->node) change_node(e, node);
    }
    if (e->labels && e->labels[at] != NO_ID) x64_label(e, e->labels[at]);
    // Parameters are put where they belong at the place of the function itself: debuggers stop
    // behind that.
    bool starts = code && code->starts[at] && !e->in_prologue;
    if (loc && (loc != e->loc || starts)) tell_line(e, at, loc);
    if (keeps) e->flags_at = e->out->length;
}

static void x64_block(Emit *e, const BlockLayout *layout, uint32_t b) {
    const MachBlock *block = mach_block(e->func, b);
    e->next_block = layout->next[b];
    if (bits_has(&layout->labelled, b)) {
        bool loop = bits_has(&layout->loops, b) && e->assembly->options->align_loops;
        if (loop) x64_plain(e, ".p2align 4,,10");
        x64_label(e, block_label(e, b));
    }
    e->flags_at = SIZE_MAX;
    e->short_regs = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        const MachInstr *instr = mach_at(e->func, block->first + i);
        e->instr = block->first + i;
        if (e->assembly->options->debug) tell_location(e, e->instr);
        x64_origin(e, e->instr);
        x64_instr(e, instr, block);
        learn(e, instr);
    }
    x64_origin(e, NO_ID);
}

static uint32_t first_loc(const Func *func) {
    for (uint32_t i = 0; i < func->mach->code.count; i++)
        if (mach_at(func, i)->loc) return mach_at(func, i)->loc;
    return 0;
}

// ---- What debuggers are told

// Labels where spans start and end; at an instruction that is left out, that of the next one.
static void plan_labels(Emit *e, const BlockLayout *layout) {
    const DebugCode *code = e->assembly->code;
    uint32_t count = e->func->mach->code.count;
    uint32_t *labels = e->labels = ARENA_ARRAY(e->assembly->scratch, uint32_t, (size_t)count + 1);
    Bits needed = bits_new(e->assembly->scratch, count + 1),
         left = bits_new(e->assembly->scratch, count + 1);
    for (uint32_t i = 0; i < code->spans.count; i++) {
        const DebugSpan *span = &code->spans.at[i];
        bits_add(&needed, span->first);
        bits_add(&needed, span->ends ? span->last : span->last + 1);
    }
    for (uint32_t b = 0; b < e->func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(e->func, b);
        for (uint32_t i = 0; i < block->count && bits_has(&layout->removed, b); i++)
            bits_add(&left, block->first + i);
    }
    bool wanted = false;
    for (uint32_t i = 0; i <= count; i++) {
        wanted |= bits_has(&needed, i);
        labels[i] = wanted && !bits_has(&left, i) ? assembly_label(e->assembly) : NO_ID;
        wanted &= bits_has(&left, i);
    }
}

// Those that were left out get theirs when all others have been written.
static void note_code(Emit *e) {
    const DebugCode *code = e->assembly->code;
    uint32_t count = e->func->mach->code.count;
    if (!e->labels) return;
    if (e->labels[count] != NO_ID) x64_label(e, e->labels[count]);
    for (uint32_t i = count; i-- > 0;)
        if (e->labels[i] == NO_ID) e->labels[i] = e->labels[i + 1];
    FramePlaces places = frame_places(&e->frame);
    debug_note_spans(e->assembly, e->layout, code, &places, e->labels);
}

static void start_notes(Emit *e, const BlockLayout *layout) {
    if (!e->known) return;
    e->layout = e->assembly->layout = debug_layout(e->assembly, e->known, e->assembly->code);
    FramePlaces places = frame_places(&e->frame);
    debug_note_frame(e->assembly, e->known, e->func, &places);
    if (e->assembly->code) plan_labels(e, layout);
}

// Room for those who patch code while it runs. If some of it lies before the function, the table
// that lists such places names that part (assembly.c).
static void put_patch_area(Emit *e) {
    const CodeOptions *code = &e->assembly->options->code;
    if (!code->patch_all) return;
    if (!code->patch_before) assembly_patch_label(e->assembly);
    for (uint32_t i = code->patch_before; i < code->patch_all; i++) x64_plain(e, "nop");
}

uint32_t x64_func(Assembly *assembly, const Func *func) {
    Emit emit = {.assembly = assembly,
                 .out = assembly->out,
                 .program = assembly->program,
                 .func = func,
                 .trap_label = NO_ID,
                 .return_label = NO_ID,
                 .guard_label = NO_ID,
                 .cfi = assembly->options->code.unwind != UNWIND_NEVER,
                 .flags_at = SIZE_MAX},
         *e = &emit;
    uint32_t count = func->mach->blocks.count;
    e->known = debug_func_of(assembly, func->symbol);
    uint32_t start = e->known ? e->known->loc : first_loc(func);
    e->block_label = assembly->labels;
    assembly->labels += count;
    BlockLayout layout = lay_out_blocks(assembly->scratch, func);
    e->target = layout.target;
    frame_lay_out(&e->frame, assembly, func);
    bool debug = assembly->options->debug && start;
    start_notes(e, &layout);
    if (debug) put_loc(e, start, "", true);
    if (e->cfi) out_text(e->out, "\t.cfi_startproc\n");
    x64_mark_entry(e);
    put_patch_area(e);
    x64_prologue(e);
    e->in_prologue = e->known != NULL;
    if (debug && !e->known) put_loc(e, start, " prologue_end", true);
    for (uint32_t b = 0; b < count; b++)
        if (!bits_has(&layout.removed, b)) x64_block(e, &layout, b);
    note_code(e);
    if (e->layout && e->node) change_node(e, 0);
    if (e->trap_label != NO_ID) {
        x64_label(e, e->trap_label);
        x64_plain(e, "ud2");
    }
    x64_guard_failure(e);
    x64_ask_for_stack(e);
    if (e->cfi) out_text(e->out, "\t.cfi_endproc\n");
    return start;
}
