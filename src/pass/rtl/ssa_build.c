// SSA construction after Cytron, Ferrante, Rosen, Wegman and Zadeck (1991), on blocks.
//
//   blocks      the numbering is a reverse postorder, so a block is an interval of nodes, and the
//               graph is reducible, so that edges back to a header say nothing about dominance
//   dominators  from the predecessors with smaller numbers, by nearest common ancestors
//   loops       with one entry and one latch each, from the innermost outwards
//   frontiers   for each predecessor of a join, the blocks from there up to the join's dominator;
//               not of headers: for nested loops that test at their ends these would be as many as
//               pairs of loops, and a header is in the iterated frontier of exactly those blocks
//               that lie in its loop (from each there is a way to it, and from the entry another)
//   occurrences for each register, the blocks that set it and those that use it first
//   placement   one register after the other: where it is wanted, by walking back from its uses,
//               and its phis, from the frontiers of the blocks that set it
//   renaming    down the dominator tree, with a log to undo
//
// Most registers are temporaries that live within one block: those cost nothing but their renaming.
// For the others, marks carry the register's number, so nothing is cleared in between; as registers
// come in ascending order, so do the rows of each join. Time is in proportion to the function, its
// frontiers and phis, the loops around definitions, and to what is wanted at blocks, which the hint
// tells.
#include "pass/pass.h"

#include "base/bits.h"
#include "graph/basic_blocks.h"

#include <string.h>

typedef enum { PRUNED, SEMI_PRUNED, MINIMAL } Flavour;

// Rows of numbers, made from pairs in their order: row i is list[at[i] .. at[i + 1] - 1].
typedef struct {
    uint32_t row;
    uint32_t item;
} RowItem;

typedef VEC(RowItem) Pairs;
typedef VEC(uint32_t) Numbers;

typedef struct {
    uint32_t *at;
    uint32_t *list;
} Rows;

typedef struct {
    Arena *arena;
    const Func *func;
    Flavour flavour;
    // Blocks
    uint32_t count;
    uint32_t *start;    // first node of each block, and at the end the number of nodes
    uint32_t *block_of; // first node of a block -> the block
    Rows preds;         // block -> blocks, one per edge, in the order of preds_of
    uint32_t *place;    // block before a join -> its index among the join's predecessors
    uint32_t *idom;     // the entry is its own
    uint32_t *loop;     // block -> header of the innermost loop around it; NO_ID if there is none
    uint32_t *outer;    // header -> header of the next outer loop
    Rows frontiers;     // block -> joins that are no headers
    // Occurrences
    Bits global;  // registers that a block uses before setting them; all, if MINIMAL
    Rows sets;    // global register -> blocks that set it
    Rows exposed; // register -> blocks that use it before setting it
    uint32_t definitions;
    // Placement
    Pairs wanted;   // join -> registers whose value is wanted there
    Pairs phis;     // join -> registers
    Bits undefined; // registers whose value is wanted at the entry
} SsaBuild;

static uint32_t *table_of(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    return memset(table, 0xff, (size_t)count * sizeof *table);
}

static Rows rows_of(Arena *arena, const Pairs *pairs, uint32_t count) {
    // at[i + 1] runs from the start of i's row to its end, where it has to point.
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    uint32_t *list = ARENA_ARRAY(arena, uint32_t, pairs->count);
    for (uint32_t i = 0; i < pairs->count; i++) at[pairs->at[i].row + 2]++;
    for (uint32_t i = 0; i < count; i++) at[i + 2] += at[i + 1];
    for (uint32_t i = 0; i < pairs->count; i++)
        list[at[pairs->at[i].row + 1]++] = pairs->at[i].item;
    return (Rows){.at = at, .list = list};
}

static bool is_join(const SsaBuild *build, uint32_t block) {
    return build->preds.at[block + 1] - build->preds.at[block] > 1;
}

static const Instr *last_of_block(const SsaBuild *build, uint32_t block) {
    return &build->func->nodes.at[build->start[block + 1] - 1];
}

// ---- Blocks, dominators, frontiers

// Blocks as in graph/basic_blocks.h; the nodes of one follow each other, as the numbering is a
// reverse postorder.
static void number_blocks(SsaBuild *build) {
    const Func *func = build->func;
    uint32_t count = func->nodes.count;
    Preds preds = preds_of(build->arena, func);
    build->start = ARENA_ARRAY(build->arena, uint32_t, (size_t)count + 1);
    build->block_of = ARENA_ARRAY(build->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        if (continues_block(func, &preds, (Node){n}) && preds_at(&preds, (Node){n})->i == n - 1)
            continue;
        build->block_of[n] = build->count;
        build->start[build->count++] = n;
    }
    build->start[build->count] = count;
}

static void link_blocks(SsaBuild *build) {
    Pairs edges = {0};
    for (uint32_t b = 0; b < build->count; b++) {
        const Instr *last = last_of_block(build, b);
        const Node *succs = instr_succs(build->func, last);
        for (uint32_t k = 0; k < last->succ_count; k++)
            vec_push(build->arena, &edges,
                     (RowItem){.row = build->block_of[succs[k].i], .item = b});
    }
    build->preds = rows_of(build->arena, &edges, build->count);
    build->place = ARENA_ARRAY(build->arena, uint32_t, build->count);
    for (uint32_t b = 0; b < build->count; b++)
        for (uint32_t e = build->preds.at[b]; is_join(build, b) && e < build->preds.at[b + 1]; e++)
            build->place[build->preds.list[e]] = e - build->preds.at[b];
}

// Ancestors in the dominator tree are found in a logarithm of steps by jumps whose lengths follow
// the skew-binary numbers (Myers 1983).
typedef struct {
    const uint32_t *idom;
    uint32_t *depth;
    uint32_t *jump;
} Ancestors;

static void add_ancestors(Ancestors *tree, uint32_t block, uint32_t idom) {
    uint32_t jump = tree->jump[idom], *depth = tree->depth;
    depth[block] = depth[idom] + 1;
    bool equal = depth[idom] - depth[jump] == depth[jump] - depth[tree->jump[jump]];
    tree->jump[block] = equal ? tree->jump[jump] : idom;
}

static uint32_t common_ancestor(const Ancestors *tree, uint32_t a, uint32_t b) {
    const uint32_t *depth = tree->depth, *jump = tree->jump;
    if (depth[a] < depth[b]) {
        uint32_t deeper = b;
        b = a;
        a = deeper;
    }
    while (depth[a] > depth[b]) a = depth[jump[a]] >= depth[b] ? jump[a] : tree->idom[a];
    while (a != b) {
        bool far = jump[a] != jump[b];
        a = far ? jump[a] : tree->idom[a];
        b = far ? jump[b] : tree->idom[b];
    }
    return a;
}

static void find_dominators(SsaBuild *build) {
    build->idom = ARENA_ARRAY(build->arena, uint32_t, build->count);
    Ancestors tree = {.idom = build->idom,
                      .depth = ARENA_ARRAY(build->arena, uint32_t, build->count),
                      .jump = ARENA_ARRAY(build->arena, uint32_t, build->count)};
    for (uint32_t b = 1; b < build->count; b++) {
        uint32_t idom = NO_ID;
        for (uint32_t e = build->preds.at[b]; e < build->preds.at[b + 1]; e++) {
            uint32_t pred = build->preds.list[e];
            if (pred >= b) break; // an edge back, as are those that follow
            idom = idom == NO_ID ? pred : common_ancestor(&tree, idom, pred);
        }
        build->idom[b] = idom == NO_ID ? 0 : idom;
        add_ancestors(&tree, b, build->idom[b]);
    }
}

static uint32_t last_pred(const SsaBuild *build, uint32_t block) {
    return build->preds.list[build->preds.at[block + 1] - 1];
}

static bool is_header(const SsaBuild *build, uint32_t block) {
    return is_join(build, block) && last_pred(build, block) >= block;
}

static uint32_t find_whole(uint32_t *whole, uint32_t block) {
    while (whole[block] != block) block = whole[block] = whole[whole[block]];
    return block;
}

// Collapses into a header what leads to its latch, inner loops being collapsed already.
static void collapse_loop(SsaBuild *build, uint32_t header, uint32_t *whole, Numbers *work) {
    vec_push(build->arena, work, last_pred(build, header));
    while (work->count) {
        uint32_t block = find_whole(whole, vec_pop(work));
        if (block == header) continue;
        whole[block] = header;
        *(is_header(build, block) ? &build->outer[block] : &build->loop[block]) = header;
        for (uint32_t e = build->preds.at[block]; e < build->preds.at[block + 1]; e++)
            vec_push(build->arena, work, build->preds.list[e]);
    }
}

static void find_loops(SsaBuild *build) {
    uint32_t *whole = NULL; // block -> header into whose loop it is collapsed
    Numbers work = {0};
    build->loop = table_of(build->arena, build->count);
    for (uint32_t b = build->count; b-- > 1;) {
        if (!is_header(build, b)) continue;
        if (!whole) {
            whole = ARENA_ARRAY(build->arena, uint32_t, build->count);
            build->outer = table_of(build->arena, build->count);
            for (uint32_t i = 0; i < build->count; i++) whole[i] = i;
        }
        build->loop[b] = b;
        collapse_loop(build, b, whole, &work);
    }
}

static void find_frontiers(SsaBuild *build) {
    Pairs pairs = {0};
    uint32_t *latest = table_of(build->arena, build->count); // member of the block's frontier
    for (uint32_t join = 1; join < build->count; join++) {
        if (!is_join(build, join) || is_header(build, join)) continue;
        for (uint32_t e = build->preds.at[join]; e < build->preds.at[join + 1]; e++)
            for (uint32_t b = build->preds.list[e]; b != build->idom[join] && latest[b] != join;
                 b = build->idom[b]) {
                latest[b] = join;
                vec_push(build->arena, &pairs, (RowItem){.row = b, .item = join});
            }
    }
    build->frontiers = rows_of(build->arena, &pairs, build->count);
}

// ---- Occurrences

// Drops the pairs of registers that only single blocks are concerned with.
static void keep_global(const SsaBuild *build, Pairs *sets) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sets->count; i++)
        if (bits_has(&build->global, sets->at[i].row)) sets->at[kept++] = sets->at[i];
    sets->count = kept;
}

static void find_occurrences(SsaBuild *build) {
    const Func *func = build->func;
    uint32_t count = func->regs.count;
    uint32_t *set_in = table_of(build->arena, count);  // latest block that sets a register,
    uint32_t *used_in = table_of(build->arena, count); // uses the register before setting it
    Pairs sets = {0}, exposed = {0};
    build->global = bits_new(build->arena, count);
    for (uint32_t b = 0; b < build->count; b++)
        for (uint32_t n = build->start[b]; n < build->start[b + 1]; n++) {
            const Instr *instr = &func->nodes.at[n];
            const Reg *args = instr_args(func, instr);
            for (uint32_t k = 0; k < instr->arg_count; k++) {
                uint32_t reg = args[k].i;
                if (set_in[reg] == b || used_in[reg] == b) continue;
                used_in[reg] = b;
                bits_add(&build->global, reg);
                vec_push(build->arena, &exposed, (RowItem){.row = reg, .item = b});
            }
            uint32_t dest = instr->dest.i;
            build->definitions += dest != NO_ID;
            if (dest == NO_ID || set_in[dest] == b) continue;
            set_in[dest] = b;
            vec_push(build->arena, &sets, (RowItem){.row = dest, .item = b});
            if (build->flavour == MINIMAL) bits_add(&build->global, dest);
        }
    keep_global(build, &sets);
    build->sets = rows_of(build->arena, &sets, count);
    build->exposed = rows_of(build->arena, &exposed, count);
}

// ---- Placement

typedef struct {
    uint32_t reg;
    uint32_t *set, *wanted, *phi, *looped; // block -> latest register that is set there, ..., that
                                           // is set in the loop of this header
    uint32_t outermost; // least number of a header where the register is wanted; NO_ID if of none
    Numbers work;
} Placement;

// The register is wanted at the start of a block, hence at the start of its predecessors, up to a
// join (whose predecessors are left for later) or to the definition.
static void want(SsaBuild *build, Placement *placement, uint32_t block) {
    uint32_t reg = placement->reg;
    while (placement->wanted[block] != reg) {
        placement->wanted[block] = reg;
        if (block == 0) return;
        if (is_join(build, block)) {
            vec_push(build->arena, &placement->work, block);
            vec_push(build->arena, &build->wanted, (RowItem){.row = block, .item = reg});
            if (block < placement->outermost && is_header(build, block))
                placement->outermost = block;
            return;
        }
        block = build->preds.list[build->preds.at[block]];
        if (placement->set[block] == reg) return;
    }
}

// Walks back from the blocks at whose start the register is wanted to the blocks that set it.
static void find_wanted(SsaBuild *build, Placement *placement, uint32_t first_phi) {
    uint32_t reg = placement->reg;
    for (uint32_t i = build->exposed.at[reg]; i < build->exposed.at[reg + 1]; i++)
        want(build, placement, build->exposed.list[i]);
    for (uint32_t i = first_phi; i < build->phis.count; i++)
        want(build, placement, build->phis.at[i].row);
    while (placement->work.count) {
        uint32_t join = vec_pop(&placement->work);
        for (uint32_t e = build->preds.at[join]; e < build->preds.at[join + 1]; e++)
            if (placement->set[build->preds.list[e]] != reg)
                want(build, placement, build->preds.list[e]);
    }
    if (placement->wanted[0] == reg) bits_add(&build->undefined, reg);
}

static void add_phi(SsaBuild *build, Placement *placement, uint32_t join) {
    uint32_t reg = placement->reg;
    if (placement->phi[join] == reg) return;
    if (build->flavour == PRUNED && placement->wanted[join] != reg) return;
    placement->phi[join] = reg;
    vec_push(build->arena, &build->phis, (RowItem){.row = join, .item = reg});
    if (placement->set[join] != reg) vec_push(build->arena, &placement->work, join);
}

static void find_phis(SsaBuild *build, Placement *placement) {
    uint32_t reg = placement->reg;
    uint32_t outermost = build->flavour == PRUNED ? placement->outermost : 0;
    for (uint32_t i = build->sets.at[reg]; i < build->sets.at[reg + 1]; i++) {
        uint32_t block = build->sets.list[i], header = build->loop[block];
        vec_push(build->arena, &placement->work, block);
        for (; header != NO_ID && header >= outermost && placement->looped[header] != reg;
             header = build->outer[header]) {
            placement->looped[header] = reg;
            add_phi(build, placement, header);
        }
    }
    while (placement->work.count) {
        uint32_t block = vec_pop(&placement->work);
        for (uint32_t i = build->frontiers.at[block]; i < build->frontiers.at[block + 1]; i++)
            add_phi(build, placement, build->frontiers.list[i]);
    }
}

static void place(SsaBuild *build) {
    Placement placement = {.set = table_of(build->arena, build->count),
                           .wanted = table_of(build->arena, build->count),
                           .phi = table_of(build->arena, build->count),
                           .looped = table_of(build->arena, build->count)};
    uint32_t count = build->func->regs.count;
    build->undefined = bits_new(build->arena, count);
    for (uint32_t reg = bits_next(&build->global, 0); reg < count;
         reg = bits_next(&build->global, reg + 1)) {
        uint32_t first_phi = build->phis.count, first_wanted = build->wanted.count;
        placement.reg = reg;
        placement.outermost = NO_ID;
        for (uint32_t i = build->sets.at[reg]; i < build->sets.at[reg + 1]; i++)
            placement.set[build->sets.list[i]] = reg;
        if (build->flavour != PRUNED) find_phis(build, &placement);
        find_wanted(build, &placement, first_phi);
        if (build->flavour == PRUNED && build->wanted.count > first_wanted)
            find_phis(build, &placement);
    }
}

// ---- The result

typedef struct {
    SsaBuild *build;
    Func *ssa;
    SsaHint *hint;
    uint32_t *version; // old register -> its latest version
    uint32_t *current; // old register -> new register that holds its value at this point
    Pairs log;         // old register -> what was current before
} Naming;

// Makes room for all new registers: those wanted undefined, parameters, definitions and phis.
static void reserve_registers(Naming *naming) {
    const SsaBuild *build = naming->build;
    uint32_t count = bits_count(&build->undefined) + build->definitions + build->phis.count +
                     build->func->params.count;
    naming->hint->origin.at = ARENA_ARRAY(build->arena, Reg, count);
    naming->hint->origin.capacity = count;
    naming->ssa->regs.at = ARENA_ARRAY(build->arena, RegInfo, count);
    naming->ssa->regs.capacity = count;
    naming->ssa->regs.count = 0;
}

// The version of a register with the given number.
static Reg add_version(Naming *naming, uint32_t reg, uint32_t version) {
    RegInfo info = naming->build->func->regs.at[reg];
    info.version = version + 1;
    vec_push(naming->build->arena, &naming->hint->origin, (Reg){reg});
    vec_push(naming->build->arena, &naming->ssa->regs, info);
    return (Reg){naming->ssa->regs.count - 1};
}

static void name_parameters(Naming *naming) {
    const Func *func = naming->build->func;
    Bits first = naming->build->undefined;
    for (uint32_t i = 0; i < func->params.count; i++) bits_add(&first, func->params.at[i].i);
    for (uint32_t reg = bits_next(&first, 0); reg < first.size; reg = bits_next(&first, reg + 1))
        naming->current[reg] = add_version(naming, reg, 0).i;
    for (uint32_t i = 0; i < func->params.count; i++)
        naming->ssa->params.at[i].i = naming->current[func->params.at[i].i];
}

// Gives each phi and each instruction its destination, in order, and the hint its joins.
static void name_definitions(Naming *naming) {
    SsaBuild *build = naming->build;
    SsaHint *hint = naming->hint;
    Rows phis = rows_of(build->arena, &build->phis, build->count);
    Rows wanted = rows_of(build->arena, &build->wanted, build->count);
    Reg *blank = ARENA_ARRAY(build->arena, Reg, build->count);
    for (uint32_t b = 0; b < build->count; b++) {
        if (is_join(build, b)) vec_push(build->arena, &hint->tracked_at, wanted.at[b]);
        for (uint32_t i = phis.at[b]; i < phis.at[b + 1]; i++) {
            uint32_t reg = phis.list[i];
            Reg dest = add_version(naming, reg, ++naming->version[reg]);
            func_add_phi(naming->ssa, (Node){build->start[b]}, dest, blank,
                         build->preds.at[b + 1] - build->preds.at[b]);
        }
        for (uint32_t n = build->start[b]; n < build->start[b + 1]; n++) {
            Instr *instr = &naming->ssa->nodes.at[n];
            uint32_t reg = instr->dest.i;
            if (reg != NO_ID) instr->dest = add_version(naming, reg, ++naming->version[reg]);
        }
    }
    func_end_phis(naming->ssa);
    vec_push(build->arena, &hint->tracked_at, build->wanted.count);
    Reg *tracked = vec_extend(build->arena, &hint->tracked, build->wanted.count);
    for (uint32_t i = 0; i < build->wanted.count; i++) tracked[i].i = wanted.list[i];
}

static void set_current(Naming *naming, Reg dest) {
    uint32_t reg = naming->hint->origin.at[dest.i].i;
    if (bits_has(&naming->build->global, reg))
        vec_push(naming->build->arena, &naming->log,
                 (RowItem){.row = reg, .item = naming->current[reg]});
    naming->current[reg] = dest.i;
}

static void rename_instr(Naming *naming, uint32_t node) {
    const Func *func = naming->build->func;
    Func *ssa = naming->ssa;
    Instr *instr = &ssa->nodes.at[node];
    const Reg *args = instr_args(func, &func->nodes.at[node]);
    Reg *renamed = instr->arg;
    if (instr->arg_count > INLINE_ARGS) {
        renamed = vec_extend(ssa->arena, &ssa->reg_pool, instr->arg_count);
        instr->args_at = ssa->reg_pool.count - instr->arg_count;
    }
    for (uint32_t k = 0; k < instr->arg_count; k++) renamed[k].i = naming->current[args[k].i];
    if (instr->dest.i != NO_ID) set_current(naming, instr->dest);
}

static void rename_block(Naming *naming, uint32_t block) {
    const SsaBuild *build = naming->build;
    Func *ssa = naming->ssa;
    Node first = {build->start[block]};
    for (uint32_t i = 0; i < func_phi_count(ssa, first); i++)
        set_current(naming, func_phis(ssa, first)[i].dest);
    for (uint32_t n = build->start[block]; n < build->start[block + 1]; n++)
        rename_instr(naming, n);
    const Instr *last = last_of_block(build, block);
    if (last->succ_count != 1) return; // as in all blocks before joins
    for (uint32_t i = 0; i < func_phi_count(ssa, last->succ[0]); i++) {
        const Phi *phi = &func_phis(ssa, last->succ[0])[i];
        uint32_t reg = naming->hint->origin.at[phi->dest.i].i;
        ssa->phi_args.at[phi->args_at + build->place[block]].i = naming->current[reg];
    }
}

static void leave_block(Naming *naming, uint32_t mark) {
    while (naming->log.count > mark) {
        RowItem change = vec_pop(&naming->log);
        naming->current[change.row] = change.item;
    }
}

// Renames all blocks, each after its dominator.
static void rename_all(Naming *naming) {
    const SsaBuild *build = naming->build;
    uint32_t *child = table_of(build->arena, build->count);
    uint32_t *sibling = table_of(build->arena, build->count);
    uint32_t *mark = ARENA_ARRAY(build->arena, uint32_t, build->count); // length of the log before
    for (uint32_t b = build->count; b-- > 1;) {
        sibling[b] = child[build->idom[b]];
        child[build->idom[b]] = b;
    }
    for (uint32_t block = 0; block != NO_ID;) {
        mark[block] = naming->log.count;
        rename_block(naming, block);
        if (child[block] != NO_ID) {
            block = child[block];
            continue;
        }
        while (block != 0 && sibling[block] == NO_ID) {
            leave_block(naming, mark[block]);
            block = build->idom[block];
        }
        leave_block(naming, mark[block]);
        block = sibling[block];
    }
}

static Func *construct(Arena *arena, const Func *func, SsaHint *hint, Flavour flavour) {
    SsaBuild build = {.arena = arena, .func = func, .flavour = flavour};
    number_blocks(&build);
    link_blocks(&build);
    find_dominators(&build);
    find_loops(&build);
    find_frontiers(&build);
    find_occurrences(&build);
    place(&build);
    Naming naming = {.build = &build,
                     .ssa = func_clone(func, arena),
                     .hint = hint,
                     .version = ARENA_ARRAY(arena, uint32_t, func->regs.count),
                     .current = table_of(arena, func->regs.count)};
    naming.ssa->form = FORM_SSA;
    vec_clear(&naming.ssa->reg_pool);
    reserve_registers(&naming);
    name_parameters(&naming);
    name_definitions(&naming);
    rename_all(&naming);
    return naming.ssa;
}

// The SSA form of a normalized function, and the hint that shows why it does the same; both live in
// the arena. Nodes keep their numbers. The three differ in how many phis there are:
//   pruned       where the register is live (used later on)
//   semi-pruned  for registers that are used in another block than the one that sets them
//   minimal      wherever two definitions meet
Func *ssa_build(Arena *arena, const Func *func, SsaHint *hint) {
    return construct(arena, func, hint, PRUNED);
}

Func *ssa_build_semi_pruned(Arena *arena, const Func *func, SsaHint *hint) {
    return construct(arena, func, hint, SEMI_PRUNED);
}

Func *ssa_build_minimal(Arena *arena, const Func *func, SsaHint *hint) {
    return construct(arena, func, hint, MINIMAL);
}
