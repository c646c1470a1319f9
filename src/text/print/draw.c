// Pictures of programs: what the bodies of functions have no part in (graph_draw.c, mach_draw.c).
#include "text/print/draw.h"

#include "text/print/print_forms.h"
#include "text/text.h"

void draw_text(Out *out, const Out *text) {
    for (size_t i = 0; i < text->length; i++) {
        char c = text->text[i];
        if (c == '"' || c == '\\' || c == '\n') out_char(out, '\\');
        out_char(out, c == '\n' ? 'l' : c);
    }
}

void draw_entry(Out *out, const Func *func, uint32_t entry) {
    Out header = {0};
    out_printf(out, "    f%u [shape=plaintext, label=\"", func->symbol.i);
    func_header_print(&header, func);
    draw_text(out, &header);
    out_free(&header);
    out_printf(out, "\"];\n    f%u -> f%u_%u;\n", func->symbol.i, func->symbol.i, entry);
}

static void write_start(Out *out) {
    out_text(out, "digraph {\n"
                  "  node [shape=box, fontname=\"monospace\"];\n"
                  "  edge [fontname=\"monospace\"];\n");
}

void func_dot(Out *out, const Func *func) {
    write_start(out);
    func_draw(out, func);
    out_text(out, "}\n");
}

void program_dot(Out *out, const Program *program) {
    write_start(out);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        out_printf(out, "  subgraph cluster_%u {\n", i);
        func_draw(out, func);
        out_text(out, "  }\n");
    }
    out_text(out, "}\n");
}
