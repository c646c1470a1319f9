#include "analysis/conditions/uninitialized.h"

#include "fact/calls.h"
#include "graph/definitions.h"
#include "graph/dominance.h"

typedef struct {
    Arena *arena;
    const Func *ssa;
    Reg *variable; // register -> version 0 whose value it may hold; NO_REG if none
    // Phis by argument: those that take register r are user[user_at[r] .. user_at[r + 1] - 1].
    uint32_t *user_at;
    uint32_t *user;
    VEC(Reg) work;           // such registers whose users have not been looked at
    UninitializedUse *found; // by version 0; none if there is no node
    const Definition *definitions;
    Node *
        joins; // by node: the join from which control comes to it without a choice; NO_NODE if there is none
    bool *open; // by register: set by a phi that takes a version 0 from where control can come
    UninitializedUses all;
} UninitializedSearch;

static bool same_variable(const RegInfo *a, const RegInfo *b) {
    return str_same(a->name, b->name) && a->number == b->number;
}

// Where the arguments of a phi end: they stand one phi after the other.
static uint32_t phi_end(const Func *ssa, uint32_t phi) {
    return phi + 1 < ssa->phis.count ? ssa->phis.at[phi + 1].args_at : ssa->phi_args.count;
}

static void list_users(UninitializedSearch *search) {
    const Func *ssa = search->ssa;
    search->user_at = ARENA_ARRAY(search->arena, uint32_t, (size_t)ssa->regs.count + 2);
    search->user = ARENA_ARRAY(search->arena, uint32_t, ssa->phi_args.count);
    // user_at[r + 1] runs from the start of r's row to its end, where it has to point.
    for (uint32_t i = 0; i < ssa->phi_args.count; i++) search->user_at[ssa->phi_args.at[i].i + 2]++;
    for (uint32_t r = 0; r < ssa->regs.count; r++) search->user_at[r + 2] += search->user_at[r + 1];
    for (uint32_t phi = 0; phi < ssa->phis.count; phi++)
        for (uint32_t i = ssa->phis.at[phi].args_at; i < phi_end(ssa, phi); i++)
            search->user[search->user_at[ssa->phi_args.at[i].i + 1]++] = phi;
}

// Finds the registers that may hold the versions 0 on the work list: they are followed through
// phis.
static void follow_phis(UninitializedSearch *search) {
    const Func *ssa = search->ssa;
    list_users(search);
    while (search->work.count) {
        Reg reg = vec_pop(&search->work);
        for (uint32_t i = search->user_at[reg.i]; i < search->user_at[reg.i + 1]; i++) {
            Reg dest = ssa->phis.at[search->user[i]].dest;
            if (search->variable[dest.i].i != NO_ID) continue;
            search->variable[dest.i] = search->variable[reg.i];
            vec_push(search->arena, &search->work, dest);
        }
    }
}

// ---- Uses that no condition guards

enum { SMALL = 64 };

bool never_comes_back(const Program *program, const Instr *instr) {
    if (call_never_returns(program, instr)) return true;
    if (instr->kind != I_CALL || instr->ref == NO_ID) return false;
    const Symbol *symbol = program_at(program, (Sym){instr->ref});
    const Func *callee = symbol->func;
    if (!callee || symbol_is_replaceable(symbol) || callee->nodes.count > SMALL) return false;
    bool seen[SMALL] = {true};
    uint32_t work[SMALL] = {0}, count = 1;
    while (count) {
        const Instr *at = &callee->nodes.at[work[--count]];
        if (at->kind == I_RETURN) return false;
        if (call_never_returns(program, at)) continue;
        for (uint32_t i = 0; i < at->succ_count; i++) {
            uint32_t to = instr_succs(callee, at)[i].i;
            if (!seen[to]) work[count++] = to;
            seen[to] = true;
        }
    }
    return true;
}

// The nodes that control comes to from the entry, if no function returns that is known not to.
static bool *reached_nodes(Arena *arena, const Func *ssa) {
    bool *reached = ARENA_ARRAY(arena, bool, ssa->nodes.count);
    VEC(uint32_t) work = {0};
    reached[0] = true;
    vec_push(arena, &work, 0);
    while (work.count) {
        const Instr *instr = &ssa->nodes.at[vec_pop(&work)];
        if (never_comes_back(ssa->program, instr)) continue;
        for (uint32_t i = 0; i < instr->succ_count; i++) {
            uint32_t to = instr_succs(ssa, instr)[i].i;
            if (reached[to]) continue;
            reached[to] = true;
            vec_push(arena, &work, to);
        }
    }
    return reached;
}

// Marks the nodes behind a join up to the first choice and, if the join is the head of a loop that
// goes on behind one of two branches, the nodes behind that branch up to the next choice.
static void mark_from(UninitializedSearch *search, const Preds *preds, const Dominance *dom,
                      Node join) {
    const Func *ssa = search->ssa;
    Node node = join;
    for (bool chosen = false;;) {
        search->joins[node.i] = join;
        const Instr *instr = func_at(ssa, node);
        const Node *succs = instr_succs(ssa, instr);
        Node next = instr->succ_count ? succs[0] : NO_NODE;
        if (instr->succ_count == 2 && !chosen) {
            // A branch that the join's back edges come from is inside of the loop.
            chosen = true;
            Node inside = NO_NODE;
            for (uint32_t i = 0; i < preds_count(preds, join); i++) {
                Node latch = preds_at(preds, join)[i];
                if (!dominance_reaches(dom, latch) || !dominates(dom, join, latch)) continue;
                for (unsigned k = 0; k < 2; k++)
                    if (preds_sole(preds, succs[k]).i != NO_ID && dominates(dom, succs[k], latch))
                        inside = succs[k];
            }
            next = inside;
        } else if (instr->succ_count != 1) {
            next = NO_NODE;
        }
        if (next.i == NO_ID || preds_sole(preds, next).i == NO_ID) return;
        node = next;
    }
}

static void find_open(UninitializedSearch *search) {
    const Func *ssa = search->ssa;
    Preds preds = preds_of(search->arena, ssa);
    Dominance dom = dominance_of(search->arena, ssa, &preds);
    const bool *reached = reached_nodes(search->arena, ssa);
    search->joins = ARENA_ARRAY(search->arena, Node, ssa->nodes.count);
    search->open = ARENA_ARRAY(search->arena, bool, ssa->regs.count);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) search->joins[n] = NO_NODE;
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Phi *phis = func_phis(ssa, (Node){n});
        bool marked = false;
        for (uint32_t p = 0; reached[n] && p < func_phi_count(ssa, (Node){n}); p++) {
            const Reg *args = phi_args(ssa, &phis[p]);
            for (uint32_t k = 0; k < preds_count(&preds, (Node){n}); k++) {
                Node from = preds_at(&preds, (Node){n})[k];
                if (search->variable[args[k].i].i != args[k].i || !reached[from.i] ||
                    never_comes_back(ssa->program, func_at(ssa, from)))
                    continue;
                search->open[phis[p].dest.i] = true;
                if (!marked) mark_from(search, &preds, &dom, (Node){n});
                marked = true;
            }
        }
    }
}

static bool is_plain(const UninitializedSearch *search, Node node, Reg reg) {
    return search->open[reg.i] && search->joins[node.i].i == search->definitions[reg.i].node.i;
}

static void note_use(UninitializedSearch *search, Node node, Reg reg) {
    Reg variable = search->variable[reg.i];
    const Instr *instr = func_at(search->ssa, node);
    if (instr->kind == I_OP && instr->op == op_move(reg_type(search->ssa, reg)) &&
        same_variable(&search->ssa->regs.at[instr->dest.i], &search->ssa->regs.at[reg.i]))
        return;
    UninitializedUse *found = &search->found[variable.i];
    bool sometimes = reg.i != variable.i, first = found->node.i == NO_ID;
    bool earlier = !first && instr->loc < func_at(search->ssa, found->node)->loc;
    bool plain = sometimes && is_plain(search, node, reg);
    if (sometimes)
        vec_push(
            search->arena, &search->all,
            (UninitializedUse){
                .reg = variable, .held = reg, .node = node, .sometimes = true, .plain = plain});
    bool alike = found->sometimes == sometimes && found->plain == plain;
    if (first || (found->sometimes && !sometimes) || (found->sometimes && !found->plain && plain) ||
        (alike && earlier))
        *found = (UninitializedUse){
            .reg = variable, .held = reg, .node = node, .sometimes = sometimes, .plain = plain};
}

// Puts the variables on the work list: named registers that nothing defines and no caller sets.
static void find_variables(UninitializedSearch *search) {
    const Func *ssa = search->ssa;
    const Definition *definitions = search->definitions = definitions_of(search->arena, ssa);
    for (uint32_t r = 0; r < ssa->regs.count; r++) {
        search->variable[r] = NO_REG;
        if (definitions[r].by != SET_BY_NOTHING || !ssa->regs.at[r].name.i) continue;
        search->variable[r] = (Reg){r};
        vec_push(search->arena, &search->work, (Reg){r});
    }
}

static const bool *holders(const UninitializedSearch *search) {
    bool *may = ARENA_ARRAY(search->arena, bool, search->ssa->regs.count);
    for (uint32_t r = 0; r < search->ssa->regs.count; r++) may[r] = search->variable[r].i != NO_ID;
    return may;
}

UninitializedFacts uninitialized_uses(Arena *arena, const Func *ssa) {
    UninitializedFacts facts = {0};
    UninitializedSearch search = {.arena = arena,
                                  .ssa = ssa,
                                  .variable = ARENA_ARRAY(arena, Reg, ssa->regs.count),
                                  .found = ARENA_ARRAY(arena, UninitializedUse, ssa->regs.count)};
    find_variables(&search);
    if (!search.work.count) return facts;
    for (uint32_t r = 0; r < ssa->regs.count; r++) search.found[r].node = NO_NODE;
    follow_phis(&search);
    find_open(&search);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        const Reg *args = instr_args(ssa, instr);
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (search.variable[args[k].i].i != NO_ID) note_use(&search, (Node){n}, args[k]);
    }
    for (uint32_t r = 0; r < ssa->regs.count; r++)
        if (search.found[r].node.i != NO_ID) vec_push(arena, &facts.uses, search.found[r]);
    facts.all = search.all;
    facts.may = holders(&search);
    return facts;
}
