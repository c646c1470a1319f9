// Pictures of machine functions, which have their blocks already.
#include "form/mach.h"
#include "text/print/draw.h"
#include "text/print/print_forms.h"

static void draw_block(Out *out, const Func *func, uint32_t b) {
    const MachBlock *block = mach_block(func, b);
    Out line = {0};
    out_printf(out, "    f%u_%u [label=\"b%u:\\l", func->symbol.i, b, b);
    for (uint32_t i = 0; i < block->count; i++) {
        line.length = 0;
        mach_instr_print(&line, func, block, mach_at(func, block->first + i));
        draw_text(out, &line);
        out_text(out, "\\l");
    }
    out_text(out, "\"];\n");
    out_free(&line);
}

// What goes back in the order of the blocks is dashed.
static void draw_edges(Out *out, const Func *func, uint32_t b) {
    const MachBlock *block = mach_block(func, b);
    const uint32_t *succs = mach_succs(func, block);
    bool branch = mach_at(func, block->first + block->count - 1)->kind == MK_BRANCH;
    for (uint32_t k = 0; k < block->succ_count; k++) {
        out_printf(out, "    f%u_%u -> f%u_%u [", func->symbol.i, b, func->symbol.i, succs[k]);
        if (branch) out_printf(out, "label=\"%s\"", k == 0 ? "T" : "F");
        if (branch && succs[k] <= b) out_text(out, ", ");
        if (succs[k] <= b) out_text(out, "style=dashed");
        out_text(out, "];\n");
    }
}

void mach_draw(Out *out, const Func *func) {
    draw_entry(out, func, 0);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) draw_block(out, func, b);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) draw_edges(out, func, b);
}
