// The source form: finds the version of each variable at each node.
//
// A version reaches the nodes behind its definition until another version is defined, or paths meet
// that bring different versions. There ssa_build has made a phi if the value is still wanted. If
// not, no register holds the variable, and it has no version from there on.
#include "debug/follow_private.h"

#include "base/bits.h"
#include "graph/basic_blocks.h"
#include "graph/versions.h"

#include <string.h>

typedef struct {
    Follower *f;
    const Func *func; // the source form
    const SsaHint *hint;
    Preds preds;
    uint32_t *tracked_of; // register of RTL -> tracked variable, or NO_ID
    uint32_t count;       // of tracked variables
    uint32_t *head;       // node -> head of its block
    uint32_t **in,
        **out;     // per head: versions at its start, behind its phis, and at the end of its block
    uint32_t *end; // per head: the last node of its block
} SourceForm;

#define UNSEEN (NO_ID - 1) // no path has been followed yet

// ---- Variables

typedef struct {
    Map regs, slots; // name (and number) -> register or slot of the front end's RTL
} NamesOfFunc;

static NamesOfFunc names_of(Follower *f, uint32_t described) {
    NamesOfFunc names = {0};
    Sym symbol = program_find(f->program, f->debug->funcs.at[described].symbol);
    const Func *func = symbol.i == NO_ID ? NULL : program_at(f->program, symbol)->func;
    if (!func || func->form != FORM_FIRST) return names;
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (func->regs.at[r].name.i)
            map_set(f->arena, &names.regs,
                    (uint64_t)func->regs.at[r].name.i << 32 | func->regs.at[r].number, r);
    for (uint32_t s = 0; s < func->slots.count; s++)
        if (func->slots.at[s].name.i) map_set(f->arena, &names.slots, func->slots.at[s].name.i, s);
    return names;
}

// In a register of a function that was copied to where its registers start; or in two, which have a
// half each.
static void track_registers(Follower *f, Followed followed, const DebugVariable *variable,
                            const NamesOfFunc *names, const Func *rtl) {
    uint32_t numbers[2] = {variable->number, variable->second};
    followed.first = f->tracked.count;
    followed.count = variable->half ? 2 : 1;
    followed.size = 2 * variable->half;
    for (uint32_t i = 0; i < followed.count; i++) {
        uint32_t reg = map_get(&names->regs, (uint64_t)variable->place.i << 32 | numbers[i]);
        if (reg == HASH_NONE || reg + f->first_reg.at[followed.instance] >= rtl->regs.count) {
            f->tracked.count = followed.first;
            return;
        }
        vec_push(f->arena, &f->tracked,
                 (Tracked){.reg = reg + f->first_reg.at[followed.instance],
                           .offset = i * variable->half,
                           .size = variable->half});
    }
    vec_push(f->arena, &f->followed, followed);
}

// A variable in a slot that was split is in the registers of the fields.
static void track_fields(Follower *f, Followed followed, uint32_t slot) {
    followed.first = f->tracked.count;
    followed.size = f->slot_sizes.at[slot];
    for (uint32_t i = 0; i < f->fields.count; i++)
        if (f->fields.at[i].slot.i == slot)
            vec_push(f->arena, &f->tracked,
                     (Tracked){.reg = f->field_reg + i,
                               .offset = f->fields.at[i].at,
                               .size = chunk_size((Chunk)f->fields.at[i].chunk)});
    followed.count = f->tracked.count - followed.first;
    if (followed.count) vec_push(f->arena, &f->followed, followed);
}

static void track_slot(Follower *f, Followed followed, bool direct, uint32_t slot) {
    if (f->slot_now && slot >= f->slots_before) return;
    uint32_t now = f->slot_now ? f->slot_now[slot] : slot;
    if (now != NO_ID)
        vec_push(
            f->arena, &f->slots,
            (DebugSlot){.instance = followed.instance, .variable = followed.variable, .slot = now});
    else if (direct)
        track_fields(f, followed, slot);
}

static void track(Follower *f, const Func *rtl, uint32_t instance, const NamesOfFunc *names) {
    const DebugFunc *func = &f->debug->funcs.at[f->instances.at[instance].func];
    for (uint32_t v = func->variable; v < func->variable + func->variable_count; v++) {
        const DebugVariable *variable = &f->debug->variables.at[v];
        Followed followed = {.instance = instance, .variable = v};
        if (variable->where == DEBUG_IN_REGISTER || variable->where == DEBUG_BY_REGISTER) {
            track_registers(f, followed, variable, names, rtl);
        } else if (variable->where == DEBUG_IN_SLOT || variable->where == DEBUG_BY_SLOT) {
            uint32_t slot = map_get(&names->slots, variable->place.i);
            if (slot != HASH_NONE)
                track_slot(f, followed, variable->where == DEBUG_IN_SLOT,
                           slot + f->first_slot.at[instance]);
        }
    }
}

static void find_tracked(Follower *f, const Func *rtl) {
    for (uint32_t i = 0; i < f->instances.count; i++) {
        if (f->instances.at[i].func == NO_ID) continue;
        NamesOfFunc names = names_of(f, f->instances.at[i].func);
        track(f, rtl, i, &names);
    }
}

// ---- Versions

static void set_version(const SourceForm *s, uint32_t *row, Reg reg) {
    uint32_t origin = s->hint->origin.at[reg.i].i;
    if (origin < s->f->reg_count && s->tracked_of[origin] != NO_ID)
        row[s->tracked_of[origin]] = reg.i;
}

static bool sets_tracked(const SourceForm *s, const Instr *instr) {
    if (instr->dest.i == NO_ID) return false;
    uint32_t origin = s->hint->origin.at[instr->dest.i].i;
    return origin < s->f->reg_count && s->tracked_of[origin] != NO_ID;
}

static void set_phis(const SourceForm *s, uint32_t *row, uint32_t node) {
    const Phi *phis = func_phis(s->func, (Node){node});
    for (uint32_t i = 0; i < func_phi_count(s->func, (Node){node}); i++)
        set_version(s, row, phis[i].dest);
}

// What all ways in agree on. Whether the row has changed.
static bool meet(const SourceForm *s, uint32_t head, uint32_t *row) {
    Node node = {head};
    for (uint32_t x = 0; x < s->count; x++) row[x] = UNSEEN;
    for (uint32_t k = 0; k < preds_count(&s->preds, node); k++) {
        uint32_t from = s->head[preds_at(&s->preds, node)[k].i];
        const uint32_t *out = from == NO_ID ? NULL : s->out[from];
        for (uint32_t x = 0; out && x < s->count; x++)
            if (out[x] != UNSEEN && row[x] != out[x]) row[x] = row[x] == UNSEEN ? out[x] : NO_ID;
    }
    set_phis(s, row, head);
    bool changed = memcmp(row, s->in[head], s->count * sizeof *row) != 0;
    memcpy(s->in[head], row, s->count * sizeof *row);
    return changed;
}

static void run_block(const SourceForm *s, uint32_t head) {
    uint32_t *row = s->out[head];
    memcpy(row, s->in[head], s->count * sizeof *row);
    for (uint32_t n = head;; n = s->func->nodes.at[n].succ[0].i) {
        if (s->func->nodes.at[n].dest.i != NO_ID) set_version(s, row, s->func->nodes.at[n].dest);
        if (n == s->end[head]) break;
    }
}

static void lay_out_rows(SourceForm *s) {
    Arena *arena = s->f->arena;
    uint32_t count = s->func->nodes.count;
    s->head = block_heads(arena, s->func, &s->preds);
    s->in = ARENA_ARRAY(arena, uint32_t *, count);
    s->out = ARENA_ARRAY(arena, uint32_t *, count);
    s->end = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        if (s->head[n] != n) continue;
        s->in[n] = ARENA_ARRAY(arena, uint32_t, s->count);
        s->out[n] = ARENA_ARRAY(arena, uint32_t, s->count);
        for (uint32_t x = 0; x < s->count; x++) s->in[n][x] = s->out[n][x] = UNSEEN;
        uint32_t end = n;
        while (s->func->nodes.at[end].succ_count == 1) {
            uint32_t next = s->func->nodes.at[end].succ[0].i;
            if (next == n || s->head[next] != n) break;
            end = next;
        }
        s->end[n] = end;
    }
}

// At the entry parameters have their versions, and nothing else has one.
static void start(SourceForm *s) {
    for (uint32_t x = 0; x < s->count; x++) s->in[0][x] = NO_ID;
    for (uint32_t i = 0; i < s->func->params.count; i++)
        set_version(s, s->in[0], s->func->params.at[i]);
    run_block(s, 0);
}

static void solve(SourceForm *s) {
    uint32_t *row = ARENA_ARRAY(s->f->arena, uint32_t, s->count);
    start(s);
    bool first = true;
    for (bool changed = true; changed; first = false) {
        changed = false;
        for (uint32_t n = 1; n < s->func->nodes.count; n++) {
            if (s->head[n] != n) continue;
            if (!meet(s, n, row) && !first) continue;
            changed = true;
            run_block(s, n);
        }
    }
}

bool follow_same_line(const Program *program, uint32_t a, uint32_t b) {
    const Loc *x = &program->locs.at[a], *y = &program->locs.at[b];
    return x->file == y->file && x->line == y->line;
}

// Nodes of one line in a row do one statement, as it were, and those without a location belong to
// any.
static void find_starts(SourceForm *s) {
    Follower *f = s->f;
    const Instr *nodes = s->func->nodes.at;
    f->source_start = ARENA_ARRAY(f->arena, uint32_t, s->func->nodes.count);
    f->source_pred = follow_table(f->arena, s->func->nodes.count);
    for (uint32_t n = 0; n < s->func->nodes.count; n++)
        f->source_pred[n] = preds_sole(&s->preds, (Node){n}).i;
    for (uint32_t h = 0; h < s->func->nodes.count; h++) {
        if (s->head[h] != h) continue;
        uint32_t start = h, loc = 0;
        for (uint32_t n = h;; n = nodes[n].succ[0].i) {
            if (nodes[n].loc && loc && !follow_same_line(f->program, loc, nodes[n].loc)) start = n;
            if (nodes[n].loc) loc = nodes[n].loc;
            f->source_start[n] = start;
            if (n == s->end[h]) break;
        }
    }
}

// Nodes between which nothing is set share a row.
static void write_rows(SourceForm *s) {
    Follower *f = s->f;
    f->versions = ARENA_ARRAY(f->arena, const uint32_t *, s->func->nodes.count);
    for (uint32_t h = 0; h < s->func->nodes.count; h++) {
        if (s->head[h] != h) continue;
        const uint32_t *row = s->in[h];
        for (uint32_t n = h;; n = s->func->nodes.at[n].succ[0].i) {
            f->versions[n] = row;
            if (n == s->end[h]) break;
            if (!sets_tracked(s, &s->func->nodes.at[n])) continue;
            uint32_t *next = arena_copy(f->arena, row, s->count * sizeof *row);
            set_version(s, next, s->func->nodes.at[n].dest);
            row = next;
        }
    }
}

// A register that is set nowhere is no version: nobody knows what it holds.
static bool is_version(const Func *func, uint32_t reg) {
    if (!reg_is_never_set(func, (Reg){reg})) return true;
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i == reg) return true;
    return false;
}

// Marks a register whose value is of interest, and what it is computed from.
static void want(SourceForm *s, const Definition *definitions, bool *wanted, uint32_t reg,
                 uint32_t depth) {
    enum { MOST_DEPTH = 4 };
    const Instr *set = defining_instr(s->func, definitions, (Reg){reg});
    wanted[reg] = true;
    if (!set || set->kind != I_OP || depth == MOST_DEPTH) return;
    if (!op_is_move(set->op) && !follow_computes(set)) return;
    s->f->source_instr[reg] = *set;
    for (uint32_t k = 0; k < set->arg_count; k++)
        want(s, definitions, wanted, set->arg[k].i, depth + 1);
}

// Only versions of variables are of interest, and what they are computed from.
static void start_holders(SourceForm *s) {
    Follower *f = s->f;
    const Func *func = s->func;
    const Definition *definitions = definitions_of(f->arena, func);
    bool *wanted = ARENA_ARRAY(f->arena, bool, (size_t)func->regs.count + 1);
    f->source_instr = ARENA_ARRAY(f->arena, Instr, (size_t)func->regs.count + 1);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        uint32_t origin = s->hint->origin.at[r].i;
        if (origin < f->reg_count && s->tracked_of[origin] != NO_ID)
            want(s, definitions, wanted, r, 0);
    }
    f->source_nodes = func->nodes.count;
    f->source_regs = func->regs.count;
    f->position = ARENA_ARRAY(f->arena, uint32_t, func->nodes.count);
    f->source_loc = ARENA_ARRAY(f->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        f->position[n] = n;
        f->source_loc[n] = func->nodes.at[n].loc;
    }
    for (uint32_t r = 0; r < func->regs.count; r++) {
        bool holds = wanted[r] && is_version(func, r);
        vec_push(f->arena, &f->holders,
                 (Holder){.kind = holds ? HOLDER_REG : HOLDER_LOST, .reg = r});
    }
}

void follow_source(Follower *f, const Func *before, const Func *after, const SsaHint *hint) {
    SourceForm s = {.f = f,
                    .func = after,
                    .hint = hint,
                    .preds = preds_of(f->arena, after),
                    .tracked_of = follow_table(f->arena, before->regs.count)};
    f->reg_count = before->regs.count;
    find_tracked(f, before);
    s.count = f->tracked.count;
    for (uint32_t x = 0; x < s.count; x++) s.tracked_of[f->tracked.at[x].reg] = x;
    lay_out_rows(&s);
    solve(&s);
    write_rows(&s);
    find_starts(&s);
    f->source_instance = f->instance_of;
    start_holders(&s);
    follow_slot_versions(f, after);
}
