#include "form/forms.h"

#include "form/gsa.h"
#include "form/mach.h"
#include "form/son.h"

#include <string.h>

const char *buffer_name(BufferKind kind) {
    static const char *const names[BUFFER_COUNT] = {"", "shared", "array", "chars"};
    return kind < BUFFER_COUNT ? names[kind] : "";
}

const char *pic_name(PicLevel pic) {
    static const char *const names[PIC_COUNT] = {
        [PIC_NONE] = "fixed", [PIC_PIE] = "pie", [PIC_SHARED] = "shared"};
    return names[pic];
}

Program *program_new(Arena *arena) {
    Program *program = ARENA_NEW(arena, Program);
    program->arena = arena;
    program->target = program_usual_target();
    program->pic = PIC_PIE;
    program->conventions = ARENA_NEW(arena, Conventions);
    str_init(&program->strings, arena);
    for (Type type = 0; type < TYPE_COUNT; type++)
        vec_push(arena, &program->ptypes, (ParamType){.type = type});
    vec_push(arena, &program->files, STR_NONE);
    vec_push(arena, &program->locs, (Loc){0});
    return program;
}

Sym program_find(const Program *program, Str name) {
    return (Sym){map_get(&program->symbol_of_name, name.i)};
}

Sym program_symbol(Program *program, Str name, SymKind kind) {
    Sym symbol = program_find(program, name);
    if (symbol.i != NO_ID) return symbol;
    symbol.i = program->symbols.count;
    vec_push(program->arena, &program->symbols,
             (Symbol){.name = name,
                      .kind = kind,
                      .align = 1,
                      .alias = NO_SYM,
                      .sig = {NO_ID},
                      .constructor = -1,
                      .destructor = -1});
    map_set(program->arena, &program->symbol_of_name, name.i, symbol.i);
    return symbol;
}

static bool ptype_same(const ParamType *a, const ParamType *b) {
    if (a->type != b->type || a->align != b->align || a->size != b->size || a->parts != b->parts)
        return false;
    for (uint32_t i = 0; i < a->parts; i++)
        if (a->part[i] != b->part[i]) return false;
    return true;
}

PType program_ptype(Program *program, ParamType type) {
    if (!ptype_is_aggregate(&type)) return PTYPE_OF(type.type);
    uint64_t hash = hash_add(hash_add(type.size, type.align), type.parts);
    for (uint32_t i = 0; i < type.parts; i++) hash = hash_add(hash, type.part[i]);
    uint32_t at = table_first(&program->ptype_table, hash), id;
    while ((id = table_id(&program->ptype_table, hash, &at)) != HASH_NONE)
        if (ptype_same(&program->ptypes.at[id], &type)) return (PType){id};
    id = program->ptypes.count;
    vec_push(program->arena, &program->ptypes, type);
    table_insert(program->arena, &program->ptype_table, hash, id);
    return (PType){id};
}

static bool sig_same(const SigInfo *a, const SigInfo *b) {
    return a->result.i == b->result.i && a->param_count == b->param_count &&
           a->fixed_count == b->fixed_count && a->variadic == b->variadic &&
           a->returns_twice == b->returns_twice && a->c_type == b->c_type &&
           (a->param_count == 0 ||
            memcmp(a->params, b->params, a->param_count * sizeof(PType)) == 0);
}

Sig program_sig(Program *program, SigInfo sig) {
    uint64_t hash = hash_add(sig.result.i,
                             (uint64_t)sig.fixed_count * 4 + sig.variadic * 2u + sig.returns_twice);
    hash = hash_add(hash, sig.c_type);
    for (uint32_t i = 0; i < sig.param_count; i++) hash = hash_add(hash, sig.params[i].i);
    uint32_t at = table_first(&program->sig_table, hash), id;
    while ((id = table_id(&program->sig_table, hash, &at)) != HASH_NONE)
        if (sig_same(&program->sigs.at[id], &sig)) return (Sig){id};
    sig.params = arena_copy(program->arena, sig.params, sig.param_count * sizeof(PType));
    id = program->sigs.count;
    vec_push(program->arena, &program->sigs, sig);
    table_insert(program->arena, &program->sig_table, hash, id);
    return (Sig){id};
}

uint32_t program_loc(Program *program, Loc loc) {
    const Loc *last = &program->locs.at[program->locs.count - 1];
    if (last->file != loc.file || last->line != loc.line || last->column != loc.column)
        vec_push(program->arena, &program->locs, loc);
    return program->locs.count - 1;
}

void program_set_runs(Program *program, uint32_t loc, uint64_t runs) {
    while (program->runs.count <= loc) vec_push(program->arena, &program->runs, 0);
    if (runs == UINT64_MAX) runs--;
    program->runs.at[loc] = runs + 1;
    if (runs > program->most_runs) program->most_runs = runs;
}

bool instr_has_address(const Instr *instr) {
    return instr->kind == I_LOAD || instr->kind == I_STORE ||
           (instr->kind == I_BUILTIN && builtin_has_address(builtin_info(instr->op)));
}

Sym instr_symbol(const Instr *instr) {
    bool named = instr->kind == I_CALL || (instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL) ||
                 (instr_has_address(instr) && instr->base == BASE_SYMBOL);
    return named ? (Sym){instr->ref} : NO_SYM;
}

static bool same_operands(const Func *f, const Instr *a, const Func *g, const Instr *b) {
    if (a->dest.i != b->dest.i) return false;
    const Reg *x = instr_args(f, a), *y = instr_args(g, b);
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (x[i].i != y[i].i) return false;
    return true;
}

static bool same_cases(const Func *f, const Instr *a, const Func *g, const Instr *b) {
    if (a->succ_count != b->succ_count || a->succ_count == 0) return false;
    return a->succ_count == 1 ||
           memcmp(instr_cases(f, a), instr_cases(g, b), (a->succ_count - 1) * sizeof(int64_t)) == 0;
}

bool instr_alike(const Func *f, const Instr *a, const Func *g, const Instr *b) {
    if (a->kind != b->kind || a->arg_count != b->arg_count ||
        (a->dest.i == NO_ID) != (b->dest.i == NO_ID))
        return false;
    if (a->kind == I_SWITCH) return same_cases(f, a, g, b);
    return a->base == b->base && a->scale == b->scale && a->chunk == b->chunk &&
           a->effective == b->effective && a->op == b->op && a->high == b->high &&
           a->immediate == b->immediate && a->ref == b->ref && a->aux == b->aux && a->imm == b->imm;
}

bool instr_same(const Func *f, const Instr *a, const Func *g, const Instr *b) {
    return instr_alike(f, a, g, b) && same_operands(f, a, g, b);
}

Func *func_new(Program *program, Arena *arena, Sym symbol, Sig sig) {
    Func *func = ARENA_NEW(arena, Func);
    *func = (Func){.program = program, .arena = arena, .symbol = symbol, .sig = sig};
    return func;
}

// A copy of a vector's elements, with room for some more, at the end of an empty vector.
#define COPY_VEC(arena, to, from)                                                                  \
    ((from).count ? (void)memcpy(vec_extend((arena), &(to), (from).count), (from).at,              \
                                 (from).count * sizeof *(from).at)                                 \
                  : (void)0)

Func *func_like(const Func *func, Arena *arena) {
    Func *like = func_new(func->program, arena, func->symbol, func->sig);
    like->form = func->form;
    like->next_temp = func->next_temp;
    COPY_VEC(arena, like->params, func->params);
    COPY_VEC(arena, like->regs, func->regs);
    COPY_VEC(arena, like->slots, func->slots);
    return like;
}

Func *func_clone(const Func *func, Arena *arena) {
    Func *clone = func_like(func, arena);
    COPY_VEC(arena, clone->case_pool, func->case_pool);
    func_body(func)->copy(clone, func);
    return clone;
}

// ---- Graphs as bodies (forms.def)

uint64_t graph_size(const Func *func) {
    return (uint64_t)func->nodes.count + (func->son ? func->son->floating.count : 0);
}

void graph_copy(Func *to, const Func *from) {
    Arena *arena = to->arena;
    COPY_VEC(arena, to->nodes, from->nodes);
    COPY_VEC(arena, to->labels, from->labels);
    COPY_VEC(arena, to->reg_pool, from->reg_pool);
    COPY_VEC(arena, to->node_pool, from->node_pool);
    func_copy_phis(to, from);
    if (from->gsa) to->gsa = gsa_clone(arena, from->gsa);
    if (from->son) to->son = son_clone(arena, from->son);
}

void graph_mentions(const Func *func, SymbolNote *note, void *context) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Sym symbol = instr_symbol(&func->nodes.at[n]);
        if (symbol.i != NO_ID) note(context, symbol);
    }
    for (uint32_t i = 0; func->son && i < func->son->floating.count; i++) {
        Sym symbol = instr_symbol(&func->son->floating.at[i]);
        if (symbol.i != NO_ID) note(context, symbol);
    }
}

// Machine code has to be made of it first.
bool graph_is_final(const Func *func) {
    (void)func;
    return false;
}

// A node goes by its label, if the function is sound enough to have labels.
void graph_site_print(Out *out, const Func *func, Site site) {
    if (func->son && site.i >= func->nodes.count) {
        out_printf(out, "floating operator %u", site.i - func->nodes.count);
        return;
    }
    bool labelled = site.i < func->labels.count;
    out_printf(out, "node %u", labelled ? func->labels.at[site.i] : site.i);
}

// ---- Building

Reg func_add_reg(Func *func, RegInfo info) {
    vec_push(func->arena, &func->regs, info);
    if (!info.name.i && info.number >= func->next_temp) func->next_temp = info.number + 1;
    return (Reg){func->regs.count - 1};
}

Reg func_temp(Func *func, Type type) {
    return func_add_reg(func, (RegInfo){.number = func->next_temp, .type = type});
}

Slot func_add_slot(Func *func, SlotInfo info) {
    vec_push(func->arena, &func->slots, info);
    return (Slot){func->slots.count - 1};
}

Node func_add(Func *func, Instr instr) {
    vec_push(func->arena, &func->nodes, instr);
    return (Node){func->nodes.count - 1};
}

void func_set_args(Func *func, Node node, const Reg *args, uint32_t count) {
    Instr *instr = &func->nodes.at[node.i];
    instr->arg_count = count;
    Reg *to = instr->arg;
    if (count > INLINE_ARGS) {
        to = vec_extend(func->arena, &func->reg_pool, count);
        instr->args_at = func->reg_pool.count - count;
    }
    if (count) memcpy(to, args, count * sizeof(Reg));
}

void func_set_succs(Func *func, Node node, const Node *succs, uint32_t count) {
    Instr *instr = &func->nodes.at[node.i];
    instr->succ_count = count;
    Node *to = instr->succ;
    if (count > INLINE_SUCCS) {
        to = vec_extend(func->arena, &func->node_pool, count);
        instr->succs_at = func->node_pool.count - count;
    }
    if (count) memcpy(to, succs, count * sizeof(Node));
}

void func_set_succ(Func *func, Node node, uint32_t which, Node succ) {
    Instr *instr = &func->nodes.at[node.i];
    if (instr->succ_count <= INLINE_SUCCS)
        instr->succ[which] = succ;
    else
        func->node_pool.at[instr->succs_at + which] = succ;
}

uint32_t func_add_cases(Func *func, const int64_t *values, uint32_t count) {
    uint32_t at = func->case_pool.count;
    if (count)
        memcpy(vec_extend(func->arena, &func->case_pool, count), values, count * sizeof(int64_t));
    return at;
}

bool case_list_has(const int64_t *values, uint32_t count, int64_t wanted) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values[middle] == wanted) return true;
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

Node func_copy_instr(Func *to, const Func *from, const Instr *instr) {
    Node node = func_add(to, *instr);
    if (instr->arg_count > INLINE_ARGS)
        func_set_args(to, node, instr_args(from, instr), instr->arg_count);
    if (instr->succ_count > INLINE_SUCCS)
        func_set_succs(to, node, instr_succs(from, instr), instr->succ_count);
    if (instr->kind == I_SWITCH) {
        uint32_t at = func_add_cases(to, instr_cases(from, instr), instr->succ_count - 1);
        to->nodes.at[node.i].aux = at;
    }
    return node;
}

// Copies a part of a pool to its end, where it then begins. A pool that grows may move.
#define COPY_IN_POOL(func, pool, from, length)                                                     \
    ((void)vec_extend((func)->arena, &(func)->pool, length),                                       \
     memcpy((func)->pool.at + (func)->pool.count - (length), (func)->pool.at + (from),             \
            (length) * sizeof *(func)->pool.at),                                                   \
     (func)->pool.count - (length))

Node func_duplicate(Func *func, Node node) {
    Node copy = func_add(func, func->nodes.at[node.i]);
    Instr *instr = &func->nodes.at[copy.i];
    uint32_t args = instr->arg_count, succs = instr->succ_count;
    if (args > INLINE_ARGS) instr->args_at = COPY_IN_POOL(func, reg_pool, instr->args_at, args);
    if (succs > INLINE_SUCCS)
        instr->succs_at = COPY_IN_POOL(func, node_pool, instr->succs_at, succs);
    if (instr->kind == I_SWITCH && succs > 1)
        instr->aux = COPY_IN_POOL(func, case_pool, instr->aux, succs - 1);
    return copy;
}

void func_add_phi(Func *func, Node join, Reg dest, const Reg *args, uint32_t count) {
    while (func->phi_at.count <= join.i) vec_push(func->arena, &func->phi_at, func->phis.count);
    Phi phi = {.dest = dest, .args_at = func->phi_args.count};
    vec_push(func->arena, &func->phis, phi);
    if (count) memcpy(vec_extend(func->arena, &func->phi_args, count), args, count * sizeof(Reg));
}

void func_end_phis(Func *func) {
    if (func->phis.count == 0) return;
    while (func->phi_at.count <= func->nodes.count)
        vec_push(func->arena, &func->phi_at, func->phis.count);
}

void func_copy_phis(Func *to, const Func *from) {
    COPY_VEC(to->arena, to->phis, from->phis);
    COPY_VEC(to->arena, to->phi_at, from->phi_at);
    COPY_VEC(to->arena, to->phi_args, from->phi_args);
}

Node func_nop(Func *func, Node succ) {
    return func_add(func, (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}});
}

Node func_const(Func *func, Reg dest, int64_t value, Node succ) {
    return func_add(func, (Instr){.kind = I_OP,
                                  .op = (uint16_t)op_const(reg_type(func, dest)),
                                  .dest = dest,
                                  .imm = value,
                                  .succ_count = 1,
                                  .succ = {succ}});
}

static Preds find_preds(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count;
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++) first[succs[k].i + 2]++;
    }
    for (uint32_t n = 2; n < count + 2; n++) first[n] += first[n - 1];
    Node *list = ARENA_ARRAY(arena, Node, first[count + 1]);
    // first[n + 1] runs from the start of n's list to its end, where first[n + 1] has to point.
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++) list[first[succs[k].i + 1]++] = (Node){n};
    }
    return (Preds){.first = first, .list = list};
}

void func_keep_cache(Func *func) {
    func->cache = ARENA_NEW(func->arena, FuncCache);
}

Preds preds_of(Arena *arena, const Func *func) {
    FuncCache *cache = func->cache;
    if (!cache) return find_preds(arena, func);
    if (!cache->has_preds) cache->preds = find_preds(func->arena, func);
    cache->has_preds = true;
    return cache->preds;
}

// The list is in the order of numbers.
uint32_t preds_index(const Preds *preds, Node node, Node pred) {
    const Node *list = preds_at(preds, node);
    uint32_t count = preds_count(preds, node), low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle].i < pred.i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low].i == pred.i ? low : NO_ID;
}
