// Complaints of the verifier for people. The verifier itself links no printer.
#include "form/mach/mach.h"
#include "form/text.h"
#include "form/verify_rules.h"

static const char *name_of_func(const Program *program, const Func *func) {
    if (func->symbol.i >= program->symbols.count) return "?";
    Str name = program_at(program, func->symbol)->name;
    return verify_str_in_range(program, name) ? program_text(program, name) : "?";
}

// The block that an instruction is in; NO_ID if the blocks are so wrong that it is in none.
static uint32_t mach_block_at(const Mach *mach, uint32_t at) {
    for (uint32_t b = 0; b < mach->blocks.count; b++)
        if (at >= mach->blocks.at[b].first &&
            at - mach->blocks.at[b].first < mach->blocks.at[b].count)
            return b;
    return NO_ID;
}

// ", block b3, instruction 2", for the index of an instruction.
static void print_mach_place(Out *out, const Mach *mach, uint32_t at) {
    uint32_t b = mach_block_at(mach, at);
    if (b == NO_ID)
        out_printf(out, ", instruction %u", at);
    else
        out_printf(out, ", block b%u, instruction %u", b, at - mach->blocks.at[b].first);
}

static void quote(Out *out, const Func *func, uint32_t at) {
    uint32_t block = mach_block_at(func->mach, at);
    if (block == NO_ID) return;
    out_text(out, "; found ");
    mach_instr_print(out, func, mach_block(func, block), mach_at(func, at));
}

void complaint_print(Out *out, const Program *program, const Complaint *complaint) {
    const Func *func = complaint->func;
    if (!func) {
        out_printf(out, "program: %s: %s", complaint->rule, complaint->message);
        return;
    }
    out_printf(out, "function %s", name_of_func(program, func));
    if (complaint->node.i != NO_ID && func->mach) {
        print_mach_place(out, func->mach, complaint->node.i);
    } else if (complaint->node.i != NO_ID) {
        bool labelled = complaint->node.i < func->labels.count;
        out_printf(out, ", node %u",
                   labelled ? func->labels.at[complaint->node.i] : complaint->node.i);
    }
    out_printf(out, ": %s: %s", complaint->rule, complaint->message);
    if (complaint->quotes && *complaint->message) quote(out, func, complaint->node.i);
}
