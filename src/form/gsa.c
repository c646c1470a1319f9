#include "form/gsa.h"

#include <string.h>

Gsa *gsa_new(Arena *arena) {
    Gsa *gsa = ARENA_NEW(arena, Gsa);
    const GateKind constants[] = {GK_FALSE, GK_TRUE, GK_UNDEF};
    for (uint32_t i = 0; i < 3; i++)
        vec_push(arena, &gsa->gates, (GateNode){.kind = (uint8_t)constants[i]});
    return gsa;
}

#define COPY(to, from, field)                                                                      \
    ((from)->field.count                                                                           \
         ? (void)memcpy(vec_extend(arena, &(to)->field, (from)->field.count), (from)->field.at,    \
                        (from)->field.count * sizeof *(from)->field.at)                            \
         : (void)0)

static uint64_t atom_hash(const GateAtom *atom) {
    uint64_t hash = hash_add(atom->op, (uint64_t)atom->imm);
    for (uint32_t i = 0; i < atom->arg_count; i++) hash = hash_add(hash, atom->arg[i].i);
    return hash_add(hash_add(hash, atom->cases), atom->way * 2u + atom->immediate);
}

static uint64_t gate_hash(const GateNode *gate) {
    return hash_add(hash_add(gate->kind * 2u + gate->negated, gate->first), gate->second);
}

static uint64_t cases_hash(const int64_t *values, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash = hash_add(hash, (uint64_t)values[i]);
    return hash;
}

Gsa *gsa_clone_table(Arena *arena, const Gsa *gsa) {
    Gsa *clone = ARENA_NEW(arena, Gsa);
    COPY(clone, gsa, atoms);
    COPY(clone, gsa, gates);
    COPY(clone, gsa, switches);
    COPY(clone, gsa, case_values);
    for (uint32_t i = 0; i < clone->atoms.count; i++)
        table_insert(arena, &clone->atom_table, atom_hash(&clone->atoms.at[i]), i);
    for (uint32_t i = 3; i < clone->gates.count; i++)
        table_insert(arena, &clone->gate_table, gate_hash(&clone->gates.at[i]), i);
    for (uint32_t i = 0; i < clone->switches.count; i++) {
        GateCases cases = clone->switches.at[i];
        const int64_t *values =
            clone->case_values.count ? clone->case_values.at + cases.first : NULL;
        table_insert(arena, &clone->cases_table, cases_hash(values, cases.count), i);
    }
    return clone;
}

Gsa *gsa_clone(Arena *arena, const Gsa *gsa) {
    Gsa *clone = gsa_clone_table(arena, gsa);
    COPY(clone, gsa, merges);
    COPY(clone, gsa, merge_at);
    COPY(clone, gsa, merge_args);
    COPY(clone, gsa, etas);
    COPY(clone, gsa, eta_at);
    COPY(clone, gsa, loops);
    COPY(clone, gsa, ends);
    return clone;
}

// ---- Predicates

static bool same_atom(const GateAtom *a, const GateAtom *b) {
    if (a->op != b->op || a->immediate != b->immediate || a->arg_count != b->arg_count ||
        a->imm != b->imm || a->cases != b->cases || a->way != b->way)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->arg[i].i != b->arg[i].i) return false;
    return true;
}

static uint32_t find_atom(const Gsa *gsa, const GateAtom *atom, uint64_t hash) {
    uint32_t at = table_first(&gsa->atom_table, hash), id;
    while ((id = table_id(&gsa->atom_table, hash, &at)) != HASH_NONE)
        if (same_atom(&gsa->atoms.at[id], atom)) return id;
    return NO_ID;
}

static Gate find_gate(const Gsa *gsa, const GateNode *node, uint64_t hash) {
    uint32_t at = table_first(&gsa->gate_table, hash), id;
    while ((id = table_id(&gsa->gate_table, hash, &at)) != HASH_NONE) {
        const GateNode *other = &gsa->gates.at[id];
        if (other->kind == node->kind && other->negated == node->negated &&
            other->first == node->first && other->second == node->second)
            return (Gate){id};
    }
    return NO_GATE;
}

static Gate make_gate(Arena *arena, Gsa *gsa, GateNode node) {
    uint64_t hash = gate_hash(&node);
    Gate gate = find_gate(gsa, &node, hash);
    if (gate.i != NO_ID) return gate;
    vec_push(arena, &gsa->gates, node);
    table_insert(arena, &gsa->gate_table, hash, gsa->gates.count - 1);
    return (Gate){gsa->gates.count - 1};
}

Gate gate_literal(Arena *arena, Gsa *gsa, const GateAtom *atom, bool negated) {
    uint64_t hash = atom_hash(atom);
    uint32_t number = find_atom(gsa, atom, hash);
    if (number == NO_ID) {
        number = gsa->atoms.count;
        vec_push(arena, &gsa->atoms, *atom);
        table_insert(arena, &gsa->atom_table, hash, number);
    }
    GateNode node = {.kind = GK_LITERAL, .negated = negated, .first = number};
    return make_gate(arena, gsa, node);
}

// The result for units and equal operands: AND has the unit True and the zero False, OR the other
// way round. NO_GATE if neither applies.
static Gate of_units(Gate first, Gate second, Gate unit, Gate zero) {
    if (first.i == unit.i || second.i == zero.i || first.i == second.i) return second;
    if (second.i == unit.i || first.i == zero.i) return first;
    return NO_GATE;
}

Gate gate_and(Arena *arena, Gsa *gsa, Gate first, Gate second) {
    Gate simple = of_units(first, second, GATE_TRUE, GATE_FALSE);
    return simple.i != NO_ID
               ? simple
               : make_gate(arena, gsa,
                           (GateNode){.kind = GK_AND, .first = first.i, .second = second.i});
}

Gate gate_or(Arena *arena, Gsa *gsa, Gate first, Gate second) {
    Gate simple = of_units(first, second, GATE_FALSE, GATE_TRUE);
    return simple.i != NO_ID
               ? simple
               : make_gate(arena, gsa,
                           (GateNode){.kind = GK_OR, .first = first.i, .second = second.i});
}

// ---- Literals of branches

static uint32_t find_cases(const Gsa *gsa, const int64_t *values, uint32_t count, uint64_t hash) {
    uint32_t at = table_first(&gsa->cases_table, hash), id;
    while ((id = table_id(&gsa->cases_table, hash, &at)) != HASH_NONE) {
        GateCases other = gsa->switches.at[id];
        if (other.count == count && (count == 0 || memcmp(gsa->case_values.at + other.first, values,
                                                          count * sizeof *values) == 0))
            return id;
    }
    return NO_ID;
}

uint32_t gate_cases(Arena *arena, Gsa *gsa, const Func *func, const Instr *branch) {
    return gate_case_list(arena, gsa, instr_cases(func, branch), branch->succ_count - 1);
}

uint32_t gate_case_list(Arena *arena, Gsa *gsa, const int64_t *values, uint32_t count) {
    uint64_t hash = cases_hash(values, count);
    uint32_t found = find_cases(gsa, values, count, hash);
    if (found != NO_ID) return found;
    GateCases cases = {.first = gsa->case_values.count, .count = count};
    if (count) memcpy(vec_extend(arena, &gsa->case_values, count), values, count * sizeof *values);
    vec_push(arena, &gsa->switches, cases);
    table_insert(arena, &gsa->cases_table, hash, gsa->switches.count - 1);
    return gsa->switches.count - 1;
}

static GateAtom atom_of_edge(const Func *func, const Instr *branch, uint32_t cases, uint32_t k) {
    if (branch->kind == I_SWITCH)
        return (GateAtom){.op = OP_COUNT,
                          .arg_count = 1,
                          .arg = {instr_args(func, branch)[0]},
                          .cases = cases,
                          .way = k};
    GateAtom atom = {.op = branch->op,
                     .immediate = branch->immediate,
                     .arg_count = (uint8_t)branch->arg_count,
                     .imm = branch->immediate ? branch->imm : 0};
    for (uint32_t i = 0; i < branch->arg_count; i++) atom.arg[i] = branch->arg[i];
    return atom;
}

static bool edge_is_negated(const Instr *branch, uint32_t k) {
    return branch->kind == I_COND && k == 1;
}

Gate gate_of_edge(Arena *arena, Gsa *gsa, const Func *func, const Instr *branch, uint32_t cases,
                  uint32_t k) {
    GateAtom atom = atom_of_edge(func, branch, cases, k);
    return gate_literal(arena, gsa, &atom, edge_is_negated(branch, k));
}

// ---- Blocks

void gsa_add_merge(Func *func, Node join, MergeKind kind, Reg dest, const MergeArg *args,
                   uint32_t count) {
    Gsa *gsa = func->gsa;
    while (gsa->merge_at.count <= join.i) vec_push(func->arena, &gsa->merge_at, gsa->merges.count);
    Merge merge = {
        .kind = kind, .dest = dest, .args_at = gsa->merge_args.count, .arg_count = count};
    vec_push(func->arena, &gsa->merges, merge);
    if (count) memcpy(vec_extend(func->arena, &gsa->merge_args, count), args, count * sizeof *args);
}

void gsa_add_eta(Func *func, Node pad, Eta eta) {
    Gsa *gsa = func->gsa;
    while (gsa->eta_at.count <= pad.i) vec_push(func->arena, &gsa->eta_at, gsa->etas.count);
    vec_push(func->arena, &gsa->etas, eta);
}

void gsa_end_blocks(Func *func) {
    Gsa *gsa = func->gsa;
    while (gsa->merges.count && gsa->merge_at.count <= func->nodes.count)
        vec_push(func->arena, &gsa->merge_at, gsa->merges.count);
    while (gsa->etas.count && gsa->eta_at.count <= func->nodes.count)
        vec_push(func->arena, &gsa->eta_at, gsa->etas.count);
}

// ---- Two tables

// An atom with its list of cases numbered as in another table.
static GateAtom import_atom(const GateAtom *atom, const uint32_t *cases) {
    GateAtom copy = *atom;
    if (atom->op == OP_COUNT) copy.cases = cases[atom->cases];
    return copy;
}

static uint32_t import_cases(Arena *arena, Gsa *to, const Gsa *from, GateCases cases) {
    const int64_t *values = cases.count ? from->case_values.at + cases.first : NULL;
    return gate_case_list(arena, to, values, cases.count);
}

Gate *gsa_import(Arena *arena, Gsa *to, const Gsa *from, const bool *wanted) {
    Gate *result = ARENA_ARRAY(arena, Gate, from->gates.count);
    uint32_t *cases = ARENA_ARRAY(arena, uint32_t, from->switches.count);
    for (uint32_t i = 0; i < from->switches.count; i++)
        cases[i] = import_cases(arena, to, from, from->switches.at[i]);
    for (uint32_t i = 0; i < from->gates.count; i++) {
        const GateNode *node = &from->gates.at[i];
        if (wanted && !wanted[i]) continue;
        if (node->kind == GK_LITERAL) {
            GateAtom atom = import_atom(&from->atoms.at[node->first], cases);
            result[i] = gate_literal(arena, to, &atom, node->negated);
        } else if (node->kind == GK_AND) {
            result[i] = gate_and(arena, to, result[node->first], result[node->second]);
        } else if (node->kind == GK_OR) {
            result[i] = gate_or(arena, to, result[node->first], result[node->second]);
        } else {
            result[i] = (Gate){i};
        }
    }
    return result;
}
