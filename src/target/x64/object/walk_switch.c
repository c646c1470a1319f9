// Switches: the code is any search by comparisons and jump tables that brings each value to its
// block.
//
// The values that may still be there are a set of ranges. A comparison with a jump splits the set;
// values that go to a block must all be values of that block. A "jge" may lead to a block or to
// more of the search. The second half of a search follows the first, so the last open "jge" leads
// to the code behind an end, or to a block. An entry of a table holds the distance of its block
// from the table, in four bytes, or the block's address, in eight. The code that jumps by the table
// says which.
#include "target/x64/object/walk.h"

#include <stdio.h>

typedef struct {
    int64_t low, high;
} ValueSpan;

// What leaves holes are comparisons with single values, of which there are few between two ends.
enum { MOST_SPANS = 16 };

typedef struct {
    ValueSpan spans[MOST_SPANS]; // ascending
    uint32_t count;
} ValueSet;

typedef struct {
    uint64_t to, at;
    ValueSet values;
} Later;

typedef struct {
    CodeWalk *w;
    const int64_t *cases;
    const uint32_t *succs;
    uint32_t count; // cases
    bool wide;
    ValueSet values; // that may be there
    bool ended;      // nothing comes here from above
    bool fell;       // but what goes to the next block, which must then be here
    VEC(Later) later;
} SwitchWalk;

// ---- Values and their blocks

static uint32_t first_case(const SwitchWalk *s, int64_t value) {
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->cases[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t block_of(const SwitchWalk *s, int64_t value) {
    uint32_t k = first_case(s, value);
    bool found = k < s->count && s->cases[k] == value;
    return s->w->target[s->succs[found ? k + 1 : 0]];
}

static bool all_go_to(const SwitchWalk *s, const ValueSet *values, uint32_t block) {
    for (uint32_t i = 0; i < values->count; i++) {
        ValueSpan span = values->spans[i];
        uint32_t k = first_case(s, span.low), first = k;
        for (; k < s->count && s->cases[k] <= span.high; k++)
            if (s->w->target[s->succs[k + 1]] != block) return false;
        s->w->object->work += k - first;
        bool others = (uint64_t)span.high - (uint64_t)span.low >= (uint64_t)(k - first);
        if (others && s->w->target[s->succs[0]] != block) return false;
    }
    return true;
}

// The values in a range; with `outside`, those that are not.
static bool values_in(const ValueSet *from, ValueSpan range, bool outside, ValueSet *to) {
    to->count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        ValueSpan span = from->spans[i];
        ValueSpan parts[2] = {{span.low, range.low - 1}, {range.high + 1, span.high}};
        if (!outside) parts[0] = range;
        for (uint32_t k = 0; k < (outside ? 2 : 1); k++) {
            if (outside && (k ? range.high == INT64_MAX : range.low == INT64_MIN)) continue;
            ValueSpan part = parts[k];
            if (part.low < span.low) part.low = span.low;
            if (part.high > span.high) part.high = span.high;
            if (part.low > part.high) continue;
            if (to->count == MOST_SPANS) return false;
            to->spans[to->count++] = part;
        }
    }
    return true;
}

// ---- Jumps

static bool go_to_block(SwitchWalk *s, uint64_t to, uint64_t at, const ValueSet *values) {
    CodeWalk *w = s->w;
    if (!values->count) return true;
    uint32_t block = block_of(s, values->spans[0].low);
    if (!all_go_to(s, values, block)) {
        w->now.at = at;
        return walk_fails(w, "a switch takes a value to a wrong block");
    }
    vec_push(w->arena, &w->jumps, (BlockJump){.to = to, .block = block, .at = at});
    w->now.jumps = w->jumps.count;
    return true;
}

// The jump at hand takes the values in a range, or outside of it; the others stay.
static bool take_jump(SwitchWalk *s, ValueSpan range, bool outside, bool perhaps_later) {
    CodeWalk *w = s->w;
    uint64_t at = w->now.at, to;
    ValueSet taken, left;
    if (!walk_branch(w, &to)) return walk_fails(w, NULL);
    if (!values_in(&s->values, range, outside, &taken) ||
        !values_in(&s->values, range, !outside, &left))
        return walk_fails(w, "a switch compares too often");
    walk_step(w);
    s->values = left;
    if (!perhaps_later) return go_to_block(s, to, at, &taken);
    vec_push(w->arena, &s->later, (Later){.to = to, .at = at, .values = taken});
    return true;
}

// ---- Lines of the search

static int64_t least(const SwitchWalk *s) {
    return s->wide ? INT64_MIN : INT32_MIN;
}
static int64_t most(const SwitchWalk *s) {
    return s->wide ? INT64_MAX : INT32_MAX;
}

// The number that the code at hand puts into a register, or 0 and false.
static bool number_into(CodeWalk *w, const char *name, MachineReg reg, int64_t *number) {
    const Insn *insn = walk_insn(w);
    if (!insn || insn->mnemonic != INSN_MOV || insn->operand[0].kind != INSN_OPERAND_IMM ||
        insn->operand[1].kind != INSN_OPERAND_REG || insn->operand[1].reg != reg || insn->width < 4)
        return false;
    *number = insn->width == 4 ? (int64_t)(uint32_t)insn->operand[0].value : insn->operand[0].value;
    return code_is_like(w, "mov.%u $%lld,%s", insn->width, (long long)insn->operand[0].value, name);
}

// cmp or test of the value: with what.
static bool compared_with(SwitchWalk *s, int64_t *number) {
    CodeWalk *w = s->w;
    WalkState before = w->now;
    if (code_is(w, "test.w a,a")) {
        *number = 0;
        return true;
    }
    if (number_into(w, "r11", M_R11, number)) {
        if (!s->wide) *number = (int32_t)*number;
        if (code_is(w, "cmp.w r11,a")) return true;
        match_undo(w, &before);
        return false;
    }
    const Insn *insn = walk_insn(w);
    if (!insn || insn->mnemonic != INSN_CMP || insn->operand[0].kind != INSN_OPERAND_IMM)
        return false;
    *number = insn->operand[0].value;
    return code_is_like(w, "cmp.w $%lld,a", (long long)*number);
}

static bool match_comparison(SwitchWalk *s) {
    CodeWalk *w = s->w;
    WalkState before = w->now;
    int64_t number;
    if (!compared_with(s, &number)) return false;
    const Insn *insn = walk_insn(w);
    if (insn && insn->mnemonic == INSN_JCC) {
        switch (insn->condition) {
        case COND_E: return take_jump(s, (ValueSpan){number, number}, false, false);
        case COND_LE: return take_jump(s, (ValueSpan){least(s), number}, false, false);
        case COND_GE: return take_jump(s, (ValueSpan){number, most(s)}, false, true);
        default: break;
        }
    }
    match_undo(w, &before);
    return false;
}

// r11 becomes the value less `low`.
static bool offset_from(SwitchWalk *s, int64_t *low) {
    CodeWalk *w = s->w;
    WalkState before = w->now;
    if (code_is(w, "mov.w a,r11")) {
        *low = 0;
        return true;
    }
    const Insn *insn = walk_insn(w);
    if (insn && insn->mnemonic == INSN_LEA && insn->operand[1].reg == M_R11) {
        long long number = insn->operand[0].value;
        *low = s->wide ? -number : (int32_t)-number;
        return code_is_like(w, "lea.w (a%+lld),r11", number);
    }
    if (!number_into(w, "r11", M_R11, low) || !code_is(w, "add.w a,r11")) {
        match_undo(w, &before);
        return false;
    }
    *low = (int64_t)(0 - (uint64_t)*low);
    if (!s->wide) *low = (int32_t)*low;
    return true;
}

static bool offset_compared(SwitchWalk *s, uint64_t *size) {
    CodeWalk *w = s->w;
    int64_t number;
    if (number_into(w, "r10", M_R10, &number)) {
        *size = (uint64_t)number;
        return code_is(w, "cmp.w r10,r11");
    }
    const Insn *insn = walk_insn(w);
    if (!insn || insn->mnemonic != INSN_CMP || insn->operand[0].kind != INSN_OPERAND_IMM)
        return false;
    number = insn->operand[0].value;
    *size = s->wide ? (uint64_t)number : (uint32_t)number;
    return code_is_like(w, "cmp.w $%lld,r11", (long long)number);
}

// ---- Tables

typedef enum { ENTRY_DISTANCE = 4, ENTRY_ADDRESS = 8 } EntrySize;

static bool check_entry(SwitchWalk *s, const LinkTarget *table, EntrySize size, uint64_t k,
                        uint32_t block) {
    CodeWalk *w = s->w;
    const ElfSection *in = &w->object->elf.sections[table->section];
    uint64_t at = (uint64_t)table->offset + size * k;
    uint32_t found = elf_first_reloc(in, at);
    LinkTarget target;
    if (found == in->relocs.count || in->relocs.at[found].at != at) return false;
    // S + A is the block. Where S + A - P is the block less the table, S + A is as much behind it
    // as P is behind the table.
    bool address = size == ENTRY_ADDRESS;
    if (!link_of_reloc(w->object, &in->relocs.at[found], address ? FIELD_WORD : FIELD_DISTANCE,
                       address ? 0 : -(int64_t)(size * k), &target) ||
        target.symbol != NO_SYMBOL || target.section != w->section)
        return false;
    vec_push(w->arena, &w->jumps,
             (BlockJump){.to = (uint64_t)target.offset, .block = block, .at = w->now.at});
    w->now.jumps = w->jumps.count;
    return true;
}

static bool check_table(SwitchWalk *s, const LinkTarget *table, EntrySize entry, int64_t low,
                        uint64_t size) {
    CodeWalk *w = s->w;
    Elf *elf = &w->object->elf;
    const ElfSection *section = &elf->sections[table->section];
    if (table->symbol != NO_SYMBOL || size >= UINT32_MAX ||
        !elf_has_range(elf, table->section, (uint64_t)table->offset, entry * (size + 1)))
        return walk_fails(w, "a jump table lies nowhere");
    if (section->kind != KIND_CONST || !section->bytes)
        return walk_fails(w, "a jump table can be written to");
    // Each entry of a table is looked at once.
    if (!object_works(w->object, 4 * STEPS_PER_BYTE * (size + 1)))
        return walk_fails(w, "jump tables overlap");
    for (uint64_t k = 0; k <= size; k++)
        if (!check_entry(s, table, entry, k, block_of(s, (int64_t)((uint64_t)low + k))))
            return walk_fails(w, arena_printf(w->object->arena,
                                              "entry %llu of the jump table is wrong",
                                              (unsigned long long)k));
    elf_account(elf, table->section, entry, false,
                (ElfRange){.start = (uint64_t)table->offset,
                           .end = (uint64_t)table->offset + entry * (size + 1)});
    return true;
}

// lea of the table's address, a distance from there, and a jump by their sum.
static bool match_distance(SwitchWalk *s, const Insn *insn, int64_t low, uint64_t size) {
    CodeWalk *w = s->w;
    LinkTarget table;
    if (insn->operand[0].base != INSN_REG_RIP || insn->operand[0].segment != INSN_SEGMENT_NONE ||
        insn->width != 8 || insn->operand[1].reg != M_R10 ||
        !link_target(w, insn, &insn->operand[0], &table) || table.leads != LEADS_SYMBOL ||
        walk_has_other_relocs(w, insn))
        return walk_fails(w, "a jump table is not found");
    if (!check_table(s, &table, ENTRY_DISTANCE, low, size)) return false;
    walk_step(w);
    return code_is(w, "movsx.8 (r10+r11*4):4,r11; add.8 r10,r11") ||
           walk_fails(w, "a jump table is used otherwise");
}

// A jump to an address in the table, or a move of it to r11.
static bool match_address(SwitchWalk *s, const Insn *insn, int64_t low, uint64_t size) {
    CodeWalk *w = s->w;
    LinkTarget table;
    const InsnOperand *entry = &insn->operand[0];
    bool moves = insn->mnemonic == INSN_MOV && insn->operand[1].kind == INSN_OPERAND_REG &&
                 insn->operand[1].reg == M_R11;
    if (entry->kind != INSN_OPERAND_MEMORY || entry->segment != INSN_SEGMENT_NONE ||
        entry->base != INSN_REG_NONE || entry->index != M_R11 || entry->scale != 8 ||
        insn->width != 8 || !(moves || insn->mnemonic == INSN_JMP) ||
        !link_target(w, insn, entry, &table) || table.leads != LEADS_SYMBOL ||
        walk_has_other_relocs(w, insn))
        return walk_fails(w, "a jump table is not found");
    if (!check_table(s, &table, ENTRY_ADDRESS, low, size)) return false;
    walk_step(w);
    return true;
}

// r11 holds the value less `low`, which is at most `size`.
static bool match_table(SwitchWalk *s, int64_t low, uint64_t size) {
    CodeWalk *w = s->w;
    const Insn *insn = walk_insn(w);
    w->relocs = 0;
    if (!insn) return walk_fails(w, "a jump table is not found");
    bool jumps = insn->mnemonic == INSN_JMP, distance = insn->mnemonic == INSN_LEA;
    s->ended = true;
    if (!(distance ? match_distance(s, insn, low, size) : match_address(s, insn, low, size)))
        return false;
    if (jumps) return match_stop(w, true);
    insn = walk_insn(w);
    w->frame.pushes |=
        !insn || insn->mnemonic != INSN_JMP || insn->operand[0].kind != INSN_OPERAND_REG;
    return match_jump_to(w, "r11") || walk_fails(w, "a jump table is used otherwise");
}

static bool match_range(SwitchWalk *s) {
    CodeWalk *w = s->w;
    int64_t low;
    uint64_t size;
    if (!offset_from(s, &low)) return false;
    WalkState before = w->now;
    const ValueSet *values = &s->values;
    if (!offset_compared(s, &size)) { // no other values are there
        match_undo(w, &before);
        if (!values->count || values->spans[0].low < low)
            return walk_fails(w, "a switch does not look at all values");
        return match_table(s, low, (uint64_t)values->spans[values->count - 1].high - (uint64_t)low);
    }
    const Insn *insn = walk_insn(w);
    if (size > (uint64_t)most(s) - (uint64_t)low) return walk_fails(w, "a range of a switch wraps");
    ValueSpan range = {low, (int64_t)((uint64_t)low + size)};
    if (!insn || insn->mnemonic != INSN_JCC) return walk_fails(w, NULL);
    if (insn->condition == COND_BE) return take_jump(s, range, false, false);
    if (insn->condition != COND_A) return walk_fails(w, NULL);
    return take_jump(s, range, true, false) && match_table(s, low, size);
}

// ---- The search

// Whether the jump at hand leads to what follows it, nothing but padding aside.
static bool jumps_to_next(CodeWalk *w) {
    WalkState before = w->now;
    uint64_t to;
    const Insn *insn = walk_branch(w, &to);
    if (!insn || insn->mnemonic != INSN_JMP) return false;
    walk_step(w);
    uint64_t behind = w->now.at;
    while (w->now.at < to && walk_skip(w, INSN_NOP)) {
    }
    bool next = w->now.at == to;
    match_undo(w, &before);
    if (next) w->now.at = behind;
    return next;
}

// Whether more of the search lies behind the jump at hand.
static bool goes_on_behind(const SwitchWalk *s) {
    const Insn *insn = walk_insn(s->w);
    if (!insn || insn->mnemonic != INSN_JMP) return false;
    uint64_t behind = s->w->now.at + insn->length;
    for (uint32_t k = s->later.count; k-- > 0;)
        if (s->later.at[k].to == behind) return true;
    return false;
}

static bool is_next(const SwitchWalk *s, const ValueSet *values) {
    return s->w->next != NO_ID && all_go_to(s, values, s->w->next);
}

// Behind an end: the last jump that leads here goes on with the search; those after it lead to
// blocks.
static bool resume(SwitchWalk *s, bool *done) {
    CodeWalk *w = s->w;
    while (s->later.count) {
        Later later = vec_pop(&s->later);
        bool here = later.to == w->now.at;
        if (here && !s->fell && !is_next(s, &later.values)) {
            s->values = later.values;
            s->ended = false;
            return true;
        }
        uint64_t at = w->now.at;
        if (!go_to_block(s, later.to, later.at, &later.values)) return false;
        w->now.at = at;
        if (here) jumps_to_next(w);
    }
    *done = true;
    return true;
}

static bool match_search_line(SwitchWalk *s) {
    CodeWalk *w = s->w;
    uint64_t to;
    const Insn *insn = walk_branch(w, &to);
    if (insn && insn->mnemonic == INSN_JMP) {
        s->ended = true;
        return take_jump(s, (ValueSpan){INT64_MIN, INT64_MAX}, false, false);
    }
    return match_comparison(s) || match_range(s);
}

bool match_switch(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    const MachBlock *block = mach_block(w->func, w->block);
    SwitchWalk s = {.w = w,
                    .cases = mach_cases(w->func, instr),
                    .succs = mach_succs(w->func, block),
                    .count = block->succ_count - 1,
                    .wide = op_info((Op)instr->op)->operand[0] == TYPE_I64};
    s.values = (ValueSet){.spans = {{least(&s), most(&s)}}, .count = 1};
    for (bool done = false; !done;) {
        if (!s.ended && is_next(&s, &s.values) && !goes_on_behind(&s)) {
            jumps_to_next(w);
            s.ended = true;
            s.fell = s.values.count;
        }
        if (!object_works(w->object, 0)) return walk_fails(w, "a switch takes too long to compare");
        if (s.ended ? !resume(&s, &done) : !match_search_line(&s)) return false;
    }
    return true;
}
