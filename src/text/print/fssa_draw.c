// Pictures of functional SSA: a box for each equation and a box for the ends, and an arrow to each
// box from the identifiers that it reads. Values from the previous iteration have dashed arrows.
#include "text/print/draw.h"
#include "text/print/fssa_print.h"
#include "text/print/print_forms.h"

typedef struct {
    FssaTerm term;
    bool before; // in the iteration before
} ReadTerm;

typedef struct {
    Out *out;
    const Func *func;
    Arena *arena;
    const uint32_t *definitions;
    VEC(ReadTerm) work;
} Drawing;

static void draw_edge(const Drawing *d, Reg from, uint32_t to, bool before) {
    uint32_t equation = d->definitions[from.i];
    if (equation == NO_ID) return;
    out_printf(d->out, "    f%u_%u -> f%u_%u%s;\n", d->func->symbol.i, equation, d->func->symbol.i,
               to, before ? " [style=dashed]" : "");
}

static void draw_reads(Drawing *d, FssaTerm term, uint32_t to) {
    if (term.i == NO_ID) return;
    vec_push(d->arena, &d->work, (ReadTerm){.term = term});
    while (d->work.count) {
        ReadTerm top = vec_pop(&d->work);
        const FssaTermNode *node = fssa_at(d->func, top.term);
        if (node->kind == FT_NAME) draw_edge(d, node->reg, to, top.before);
        for (uint32_t k = node->arg_count; k-- > 0;) {
            ReadTerm read = {.term = fssa_args(d->func, node)[k],
                             .before = top.before || (node->kind == FT_LOOP && k == 1)};
            vec_push(d->arena, &d->work, read);
        }
        if (node->kind != FT_EFFECT) continue;
        const Instr *instr = func_at(d->func, (Node){node->ref});
        for (uint32_t k = 0; k < instr->arg_count; k++)
            draw_edge(d, instr_args(d->func, instr)[k], to, false);
    }
}

static void draw_box(const Drawing *d, uint32_t number, const Out *text) {
    out_printf(d->out, "    f%u_%u [label=\"", d->func->symbol.i, number);
    draw_text(d->out, text);
    out_text(d->out, "\"];\n");
}

static void end_text(Out *text, const Func *func, const char *word, FssaTerm end) {
    if (end.i == NO_ID) return;
    out_printf(text, "%s ", word);
    fssa_term_print(text, func, end, fssa_type(func, end));
    out_char(text, '\n');
}

void equations_draw(Out *out, const Func *func) {
    const Fssa *fssa = func->fssa;
    Drawing d = {.out = out, .func = func, .arena = arena_new("dot")};
    Out text = {0};
    d.definitions = fssa_definitions(d.arena, func);
    draw_entry(out, func, fssa->equations.count);
    for (uint32_t i = 0; i < fssa->equations.count; i++) {
        text.length = 0;
        fssa_equation_print(&text, func, i);
        draw_box(&d, i, &text);
    }
    text.length = 0;
    end_text(&text, func, "result", fssa->result);
    end_text(&text, func, "state", fssa->state);
    draw_box(&d, fssa->equations.count, &text);
    for (uint32_t i = 0; i < fssa->equations.count; i++)
        draw_reads(&d, fssa->equations.at[i].term, i);
    draw_reads(&d, fssa->result, fssa->equations.count);
    draw_reads(&d, fssa->state, fssa->equations.count);
    out_free(&text);
    arena_free(d.arena);
}
