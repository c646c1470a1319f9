// Prints dominance for people: for each region and each data node, all regions that it dominates.
// The time is in proportion to the output.
#include "text/print/son_dominance.h"

#include "base/bits.h"
#include "text/print/print_parts.h"
#include "text/print/son_print.h"

typedef struct {
    Out *out;
    Arena *arena;
    const Func *func;
    SonDominance dom;
    VEC(Node) regions; // that can be reached, in the order of nodes
} DominancePrinter;

// Whether a register, or, if there is none, a region dominates another region.
static bool reaches(const DominancePrinter *p, Reg reg, Node region, Node other, bool strictly) {
    if (reg.i == NO_ID) return dominates(&p->dom.dominance, region, other);
    return strictly ? son_data_dominates_strictly(&p->dom, reg, other)
                    : son_data_dominates(&p->dom, reg, other);
}

static void print_region_list(const DominancePrinter *p, Reg reg, Node region, bool strictly) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->regions.count; i++)
        count += reaches(p, reg, region, p->regions.at[i], strictly);
    if (count == 0 || count == p->regions.count) {
        out_text(p->out, count ? " all" : " none");
        return;
    }
    const char *before = " ";
    for (uint32_t i = 0; i < p->regions.count; i++) {
        if (!reaches(p, reg, region, p->regions.at[i], strictly)) continue;
        out_text(p->out, before);
        print_label(p->out, p->func, p->regions.at[i]);
        before = ", ";
    }
}

static void print_region(const DominancePrinter *p, Node region) {
    out_text(p->out, "  region ");
    print_label(p->out, p->func, region);
    out_text(p->out, " dominates");
    print_region_list(p, NO_REG, region, false);
    out_char(p->out, '\n');
}

// The phideps of a floating operator, found by following what it reads; each once, in the order in
// which they are met.
static void print_phideps(const DominancePrinter *p, Reg reg) {
    VEC(Reg) stack = {0};
    Bits seen = bits_new(p->arena, p->func->regs.count);
    bool any = false;
    vec_push(p->arena, &stack, reg);
    while (stack.count) {
        Reg top = vec_pop(&stack);
        if (!bits_put(&seen, top.i) || p->dom.constant[top.i]) continue;
        Definition definition = p->dom.definitions[top.i];
        if (definition.by == SET_BY_FLOATING) {
            const Instr *instr = &p->func->son->floating.at[definition.at];
            for (uint32_t k = instr->arg_count; k-- > 0;) vec_push(p->arena, &stack, instr->arg[k]);
            continue;
        }
        out_text(p->out, any ? ", " : " ");
        reg_print(p->out, p->func, top);
        any = true;
    }
    if (!any) out_text(p->out, " none");
}

static void print_data(const DominancePrinter *p, Reg reg) {
    out_text(p->out, "  ");
    reg_print(p->out, p->func, reg);
    out_text(p->out, ": phideps");
    print_phideps(p, reg);
    out_text(p->out, "; dominates");
    print_region_list(p, reg, NO_NODE, false);
    out_text(p->out, "; strictly");
    print_region_list(p, reg, NO_NODE, true);
    out_char(p->out, '\n');
}

void son_dominance_print(Out *out, const Func *func) {
    DominancePrinter p = {.out = out, .arena = arena_new("dominance"), .func = func};
    p.dom = son_dominance_of(p.arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (p.dom.region[n] == n && dominance_reaches(&p.dom.dominance, (Node){n}))
            vec_push(p.arena, &p.regions, (Node){n});
    out_printf(out, "dominance in %s\n", func_name(func));
    for (uint32_t i = 0; i < p.regions.count; i++) print_region(&p, p.regions.at[i]);
    for (uint32_t i = 0; i < func->params.count; i++) print_data(&p, func->params.at[i]);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            print_data(&p, func_phis(func, (Node){n})[i].dest);
        if (func->nodes.at[n].dest.i != NO_ID) print_data(&p, func->nodes.at[n].dest);
    }
    for (uint32_t i = 0; i < func->son->floating.count; i++)
        print_data(&p, func->son->floating.at[i].dest);
    arena_free(p.arena);
}
