// Finds the graph of a function as gcov sees it: blocks of lines, and the arcs between them. The
// graph is the same as gcc's without optimization, so that both report the same lines with the same
// counts. It is found after the body was lowered, while jumps are still nodes of their own (see
// lower_emit.c).
//
// gcov counts a line by the blocks that end on it, so it matters which nodes are put together.
// Lowering marks the parts that gcc's statements have and RTL does not:
//   - a jump of the source, which ends a block and belongs to a line;
//   - a label, which belongs to a line;
//   - a call that may not return, which ends a block; a fake arc leads to the exit;
//   - a call that may return again; a fake arc leads from the entry to a block behind the call.
//
// Arcs outside of a spanning tree are counted. The counts of all others follow, since as much goes
// into a block as out of it; exit and entry count as one block. Fake arcs are no code, so they must
// be on the tree. Each fake arc leads from a block with a call to the exit, or from the entry to a
// block that has no other arc to the exit, so that fake arcs form no cycle.
#include "c/instrument/lower_coverage.h"

#include "base/bits.h"

#include <string.h>

// ---- While the function is lowered

static void mark_node(struct LowerCoverage *state, uint32_t node, CoverageMark mark) {
    uint32_t known = state->marked.count;
    if (known && state->marked.at[known - 1].node == node) known--;
    if (known < state->marked.count)
        state->marked.at[known].mark = (uint8_t)mark;
    else
        vec_push(state->coverage->arena, &state->marked,
                 (MarkedNode){.node = node, .mark = (uint8_t)mark});
}

void coverage_begin(Lower *lower) {
    struct LowerCoverage *state = lower->coverage;
    if (!state) return;
    vec_clear(&state->marked);
    state->returns_nothing = false;
    state->returns = 0;
    state->locus = 0;
    state->case_point = 0;
    const char *file = pp_presumed(lower->pp, lower->func->pos).file;
    state->on = !lower->func->attributes->no_profile &&
                coverage_takes_file(&state->coverage->options, file);
    coverage_point(lower, MARK_LINE, lower->func->pos);
    state->entry = lower->f->nodes.count - 1;
}

static bool is_on(const Lower *lower) {
    return lower->coverage && lower->coverage->on;
}

void coverage_point(Lower *lower, CoverageMark mark, Pos pos) {
    if (!is_on(lower)) return;
    Pos before = lower->pos;
    Label next = label_new(lower);
    emit_at(lower, pos);
    emit_jump(lower, next);
    label_place(lower, next);
    emit_at(lower, before);
    mark_node(lower->coverage, lower->f->nodes.count - 1, mark);
}

// gcc has one label for cases that follow each other, at the first of them.
void coverage_case(Lower *lower, Label label, Pos pos) {
    if (!is_on(lower)) return;
    struct LowerCoverage *state = lower->coverage;
    if (state->case_point && state->case_point == lower->f->nodes.count - 1) {
        lower->label_at.at[label.i] = state->case_point;
        return;
    }
    coverage_point(lower, MARK_LINE, pos);
    state->case_point = lower->f->nodes.count - 1;
}

void coverage_last(Lower *lower, CoverageMark mark) {
    if (is_on(lower) && lower->f->nodes.count)
        mark_node(lower->coverage, lower->f->nodes.count - 1, mark);
}

// Functions of the library that gcc does not promise to return by themselves: they write to
// streams.
static bool may_be_left(const char *name) {
    static const char *const names[] = {"printf",
                                        "fprintf",
                                        "vprintf",
                                        "vfprintf",
                                        "scanf",
                                        "fscanf",
                                        "vscanf",
                                        "vfscanf",
                                        "puts",
                                        "putchar",
                                        "fputs",
                                        "fputc",
                                        "fwrite",
                                        "putc",
                                        "printf_unlocked",
                                        "puts_unlocked",
                                        "putchar_unlocked",
                                        "fputs_unlocked",
                                        "fputc_unlocked",
                                        "fwrite_unlocked",
                                        "fprintf_unlocked",
                                        "fork",
                                        "execl",
                                        "execlp",
                                        "execle",
                                        "execv",
                                        "execvp",
                                        "execve"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

void coverage_call(Lower *lower, const Decl *callee, bool of_library) {
    if (!is_on(lower)) return;
    if (callee && returns_twice(callee)) {
        coverage_last(lower, MARK_CALL);
        coverage_point(lower, MARK_AGAIN, 0);
        return;
    }
    bool known = of_library && !may_be_left(callee->name->text);
    bool promised = callee && (callee->attributes->is_pure || callee->attributes->is_const);
    if (!known && !promised) coverage_last(lower, MARK_CALL);
}

// gcc has the return where its value is.
void coverage_before_return(Lower *lower, const Stmt *stmt) {
    if (!is_on(lower)) return;
    struct LowerCoverage *state = lower->coverage;
    const Expr *value = stmt->expr;
    Pos pos = value ? value->at ? value->at : value->pos : stmt->pos;
    if (!value) state->returns_nothing = true;
    state->return_pos = state->returns++ ? 0 : pos;
    emit_at(lower, pos);
}

void coverage_after_return(Lower *lower) {
    if (!is_on(lower)) return;
    if (lower->f->nodes.at[lower->f->nodes.count - 1].kind == I_RETURN)
        coverage_last(lower, MARK_RETURN);
}

// gcc's return at the end has a line of its own unless it stands for others, too.
void coverage_end(Lower *lower) {
    if (!is_on(lower)) return;
    struct LowerCoverage *state = lower->coverage;
    bool is_main = lower->func->name && strcmp(lower->func->name->text, "main") == 0;
    if (!is_main && !state->returns_nothing) return;
    if (lower->f->nodes.at[lower->f->nodes.count - 1].kind == I_RETURN)
        coverage_last(lower, MARK_END);
    state->returns++;
    state->return_pos = 0;
}

void coverage_locus(Lower *lower, Pos pos) {
    if (lower->coverage) lower->coverage->locus = pos;
}

Pos coverage_take_locus(Lower *lower) {
    if (!lower->coverage) return 0;
    Pos pos = lower->coverage->locus;
    lower->coverage->locus = 0;
    return pos;
}

static bool is_choice(const Expr *value) {
    while (value->kind == EX_CAST) value = value->left;
    return value->kind == EX_COND || value->kind == EX_AND || value->kind == EX_OR ||
           value->kind == EX_LOGICAL_NOT;
}

void coverage_belongs(Lower *lower, uint32_t before, const Expr *value, Pos pos) {
    if (!is_on(lower) || !pos || lower->f->nodes.count <= before || is_choice(value)) return;
    Instr *last = &lower->f->nodes.at[lower->f->nodes.count - 1];
    if (last->kind != I_OP && last->kind != I_LOAD && last->kind != I_CALL) return;
    Pos here = lower->pos;
    last->loc = lower_location(lower, pos);
    emit_at(lower, here);
    if (last->kind == I_OP) coverage_last(lower, MARK_LINE);
}

void coverage_assigned(Lower *lower, uint32_t before, const Expr *value, Pos pos) {
    if (!is_on(lower) || !pos || value->kind == EX_CALL) return;
    if (is_choice(value))
        coverage_point(lower, MARK_LINE, pos);
    else
        coverage_belongs(lower, before, value, pos);
}

void coverage_variable(Lower *lower, const Decl *decl) {
    if (!is_on(lower) || decl->place != IN_SLOT || decl->address_taken) return;
    uint8_t kind = lower->f->nodes.at[lower->f->nodes.count - 1].kind;
    if (kind == I_LOAD || kind == I_STORE) coverage_last(lower, MARK_SILENT);
}

// ---- Blocks

static uint32_t node_of(const CoverageGraph *graph, Node succ) {
    return succ.i & LABEL_BIT ? graph->lower->label_at.at[succ.i & ~LABEL_BIT] : succ.i;
}

static uint32_t leads_to(const CoverageGraph *graph, Node succ) {
    return graph->leads[node_of(graph, succ)];
}

static bool is_passed_over(const CoverageGraph *graph, uint32_t node) {
    return graph->f->nodes.at[node].kind == I_NOP && graph->mark[node] == MARK_NONE;
}

// Jumps that nobody wrote lead on. In a circle of jumps alone, one jump stays.
static void find_leads(CoverageGraph *graph) {
    Bits walked = bits_new(graph->scratch, graph->count);
    for (uint32_t n = 0; n < graph->count; n++) {
        uint32_t end = n;
        while (graph->leads[end] == NO_ID && is_passed_over(graph, end) && bits_put(&walked, end))
            end = node_of(graph, graph->f->nodes.at[end].succ[0]);
        uint32_t target = graph->leads[end] == NO_ID ? end : graph->leads[end];
        for (uint32_t at = n; graph->leads[at] == NO_ID;) {
            graph->leads[at] = target;
            if (at == target || !is_passed_over(graph, at)) break;
            at = node_of(graph, graph->f->nodes.at[at].succ[0]);
        }
    }
}

static bool ends_block(const CoverageGraph *graph, uint32_t node) {
    return graph->f->nodes.at[node].succ_count != 1 || graph->mark[node] == MARK_CALL ||
           graph->mark[node] == MARK_JUMP || graph->mark[node] == MARK_AGAIN;
}

// gcc has all returns lead to one.
static bool meets_returns(const CoverageGraph *graph, uint32_t node) {
    return graph->mark[node] == MARK_RETURN || graph->mark[node] == MARK_END;
}

// Numbers the nodes that begin blocks, in the order of emission: nodes behind an end of a block,
// and nodes with several ways in.
static void find_blocks(CoverageGraph *graph) {
    Arena *scratch = graph->scratch;
    Bits reached = bits_new(scratch, graph->count), begins = bits_new(scratch, graph->count);
    VEC(uint32_t) work = {0};
    uint32_t entry = graph->entry;
    bits_add(&reached, entry);
    bits_add(&begins, entry);
    vec_push(scratch, &work, entry);
    while (work.count) {
        uint32_t node = vec_pop(&work);
        const Instr *instr = &graph->f->nodes.at[node];
        const Node *succs = instr_succs(graph->f, instr);
        for (uint32_t i = 0; i < instr->succ_count; i++) {
            uint32_t to = leads_to(graph, succs[i]);
            bool first = bits_put(&reached, to);
            if (first) vec_push(scratch, &work, to);
            if (!first || ends_block(graph, node) || graph->mark[to] == MARK_AGAIN)
                bits_add(&begins, to);
        }
        if (meets_returns(graph, node)) graph->returns = 0;
    }
    for (uint32_t n = 0; n < graph->count; n++) {
        if (!bits_has(&begins, n)) continue;
        graph->block[n] = COVERAGE_EXIT + 1 + graph->first.count;
        vec_push(scratch, &graph->first, n);
    }
    if (graph->returns == NO_ID) return;
    graph->returns = COVERAGE_EXIT + 1 + graph->first.count;
    vec_push(scratch, &graph->first, NO_ID);
}

uint32_t coverage_next_node(const CoverageGraph *graph, uint32_t node) {
    return leads_to(graph, graph->f->nodes.at[node].succ[0]);
}

uint32_t coverage_last_node(const CoverageGraph *graph, uint32_t node) {
    while (!ends_block(graph, node)) {
        uint32_t next = coverage_next_node(graph, node);
        if (graph->block[next] != NO_ID) break;
        node = next;
    }
    return node;
}

// ---- Arcs

static void add_arc(CoverageGraph *graph, GraphArc arc) {
    vec_push(graph->scratch, &graph->arcs, arc);
}

// Several cases that lead to the same block are one arc.
static bool has_arc(const CoverageGraph *graph, uint32_t first, uint32_t target) {
    for (uint32_t i = first; i < graph->arcs.count; i++)
        if (graph->arcs.at[i].target == target) return true;
    return false;
}

static void find_block_arcs(CoverageGraph *graph, uint32_t block) {
    if (block == graph->returns) {
        add_arc(graph,
                (GraphArc){.from = block, .to = COVERAGE_EXIT, .node = NO_ID, .target = NO_ID});
        return;
    }
    uint32_t node = coverage_last_node(graph, graph->first.at[block - COVERAGE_EXIT - 1]);
    const Instr *instr = &graph->f->nodes.at[node];
    const Node *succs = instr_succs(graph->f, instr);
    uint32_t first = graph->arcs.count;
    Bits met = bits_new(graph->scratch, instr->succ_count > 8 ? graph->first.count + 2 : 0);
    for (uint32_t i = 0; i < instr->succ_count; i++) {
        uint32_t target = leads_to(graph, succs[i]), to = graph->block[target];
        bool again = instr->succ_count > 8 ? !bits_put(&met, to) : has_arc(graph, first, target);
        if (again) continue;
        bool falls = instr->succ_count == 1 || (instr->kind == I_COND && to == block + 1);
        add_arc(graph, (GraphArc){.from = block,
                                  .to = to,
                                  .flags = falls ? ARC_FALLS : 0,
                                  .node = node,
                                  .target = target});
    }
    bool returns = instr->kind == I_RETURN, meets = meets_returns(graph, node);
    if (instr->succ_count == 0 || graph->mark[node] == MARK_CALL)
        add_arc(graph, (GraphArc){.from = block,
                                  .to = meets ? graph->returns : COVERAGE_EXIT,
                                  .flags = meets     ? ARC_FALLS
                                           : returns ? 0
                                                     : ARC_FAKE,
                                  .node = NO_ID,
                                  .target = NO_ID});
}

static void find_arcs(CoverageGraph *graph) {
    add_arc(graph, (GraphArc){.from = COVERAGE_ENTRY,
                              .to = graph->block[graph->entry],
                              .flags = ARC_FALLS,
                              .node = graph->lower->coverage->entry,
                              .target = NO_ID});
    for (uint32_t i = 0; i < graph->first.count; i++)
        if (graph->first.at[i] != NO_ID && graph->mark[graph->first.at[i]] == MARK_AGAIN)
            add_arc(graph, (GraphArc){.from = COVERAGE_ENTRY,
                                      .to = i + COVERAGE_EXIT + 1,
                                      .flags = ARC_FAKE,
                                      .node = NO_ID,
                                      .target = NO_ID});
    for (uint32_t i = 0; i < graph->first.count; i++) find_block_arcs(graph, i + COVERAGE_EXIT + 1);
}

// ---- The tree

static uint32_t find_root(uint32_t *parent, uint32_t block) {
    while (parent[block] != block) {
        parent[block] = parent[parent[block]];
        block = parent[block];
    }
    return block;
}

// The order in which arcs are put on the tree: arcs that cannot be counted, arcs that would be
// counted behind everything else, arcs that would need a place of their own, the others.
static uint32_t arc_rank(const GraphArc *arc, const uint32_t *outs, const uint32_t *ins) {
    if (arc->flags & ARC_FAKE) return 0;
    if (arc->node == NO_ID) return 1;
    return outs[arc->from] > 1 && ins[arc->to] > 1 ? 2 : 3;
}

static void find_tree(CoverageGraph *graph) {
    uint32_t blocks = graph->first.count + 2;
    uint32_t *parent = ARENA_ARRAY(graph->scratch, uint32_t, blocks);
    uint32_t *outs = ARENA_ARRAY(graph->scratch, uint32_t, blocks);
    uint32_t *ins = ARENA_ARRAY(graph->scratch, uint32_t, blocks);
    memset(outs, 0, blocks * sizeof *outs);
    memset(ins, 0, blocks * sizeof *ins);
    for (uint32_t i = 0; i < blocks; i++) parent[i] = i;
    parent[COVERAGE_EXIT] = COVERAGE_ENTRY;
    for (uint32_t i = 0; i < graph->arcs.count; i++) {
        outs[graph->arcs.at[i].from]++;
        ins[graph->arcs.at[i].to]++;
    }
    for (uint32_t rank = 0; rank < 4; rank++)
        for (uint32_t i = 0; i < graph->arcs.count; i++) {
            GraphArc *arc = &graph->arcs.at[i];
            if (arc_rank(arc, outs, ins) != rank) continue;
            uint32_t a = find_root(parent, arc->from), b = find_root(parent, arc->to);
            if (a == b) continue;
            parent[b] = a;
            arc->flags |= ARC_ON_TREE;
        }
}

CoverageGraph coverage_graph(Lower *lower) {
    Arena *scratch = lower->scratch;
    uint32_t count = lower->f->nodes.count;
    CoverageGraph graph = {.lower = lower,
                           .f = lower->f,
                           .scratch = scratch,
                           .count = count,
                           .returns = NO_ID,
                           .mark = ARENA_ARRAY(scratch, uint8_t, count),
                           .leads = ARENA_ARRAY(scratch, uint32_t, count),
                           .block = ARENA_ARRAY(scratch, uint32_t, count)};
    memset(graph.mark, MARK_NONE, count);
    memset(graph.leads, 0xff, count * sizeof *graph.leads);
    memset(graph.block, 0xff, count * sizeof *graph.block);
    const struct LowerCoverage *state = lower->coverage;
    for (uint32_t i = 0; i < state->marked.count; i++)
        graph.mark[state->marked.at[i].node] = state->marked.at[i].mark;
    find_leads(&graph);
    graph.entry = leads_to(&graph, graph.f->nodes.at[state->entry].succ[0]);
    find_blocks(&graph);
    find_arcs(&graph);
    find_tree(&graph);
    return graph;
}

// ---- What is told

static const char *file_of(const CoverageGraph *graph, uint32_t file) {
    const Program *program = graph->lower->program;
    return program_text(program, program->files.at[file]);
}

static void add_line(const CoverageGraph *graph, CoverageFunction *function, uint32_t first,
                     uint32_t loc) {
    const Program *program = graph->lower->program;
    const Loc *at = &program->locs.at[loc];
    if (!loc || !at->line) return;
    const char *file = file_of(graph, at->file);
    for (uint32_t i = function->lines.count; i-- > first;)
        if (function->lines.at[i].line == at->line && strcmp(function->lines.at[i].file, file) == 0)
            return;
    vec_push(graph->lower->coverage->coverage->arena, &function->lines,
             (CoverageLine){.file = file, .line = at->line});
}

// Nodes without a statement of gcc: constants and addresses that are operands.
static bool is_operand(const CoverageGraph *graph, uint32_t node) {
    const Instr *instr = &graph->f->nodes.at[node];
    if (instr->kind != I_OP || graph->mark[node] != MARK_NONE) return false;
    if (!str_same(graph->f->regs.at[instr->dest.i].name, STR_NONE)) return false;
    Op op = (Op)instr->op;
    return op == OP_ADDR_SYMBOL || op == OP_ADDR_SLOT || op == op_const(op_info(op)->result);
}

// The lines of a block, each once.
static void describe_lines(const CoverageGraph *graph, CoverageFunction *function, uint32_t node,
                           bool operands) {
    const struct LowerCoverage *state = graph->lower->coverage;
    uint32_t first = function->lines.count;
    if (node == graph->entry)
        add_line(graph, function, first, graph->f->nodes.at[state->entry].loc);
    if (node == NO_ID) {
        if (state->return_pos)
            add_line(graph, function, first, lower_location(graph->lower, state->return_pos));
        return;
    }
    for (uint32_t last = coverage_last_node(graph, node);;) {
        bool silent =
            (!operands && (graph->mark[node] == MARK_SILENT || is_operand(graph, node))) ||
            graph->mark[node] == MARK_END;
        if (!silent) add_line(graph, function, first, graph->f->nodes.at[node].loc);
        if (node == last) break;
        node = coverage_next_node(graph, node);
    }
}

static void describe_blocks(const CoverageGraph *graph, CoverageFunction *function) {
    Arena *arena = graph->lower->coverage->coverage->arena;
    uint32_t arc = 0;
    for (uint32_t b = 0; b < graph->first.count + 2; b++) {
        CoverageBlock block = {.first_arc = arc, .first_line = function->lines.count};
        for (; arc < graph->arcs.count && graph->arcs.at[arc].from == b; arc++) {
            const GraphArc *at = &graph->arcs.at[arc];
            vec_push(arena, &function->arcs,
                     (CoverageArc){.from = at->from, .to = at->to, .flags = at->flags});
            function->counters += !(at->flags & ARC_ON_TREE);
        }
        block.arc_count = arc - block.first_arc;
        uint32_t node = b > COVERAGE_EXIT ? graph->first.at[b - COVERAGE_EXIT - 1] : NO_ID;
        if (b > COVERAGE_EXIT) describe_lines(graph, function, node, false);
        // A block of which gcc has nothing is counted with the lines around it.
        if (node != NO_ID && function->lines.count == block.first_line)
            describe_lines(graph, function, node, true);
        block.line_count = function->lines.count - block.first_line;
        vec_push(arena, &function->blocks, block);
    }
}

static uint32_t graph_checksum(const CoverageFunction *function) {
    uint32_t crc = coverage_crc(0, &function->blocks.count, sizeof function->blocks.count);
    for (uint32_t i = 0; i < function->arcs.count; i++)
        crc = coverage_crc(crc, &function->arcs.at[i], sizeof function->arcs.at[i]);
    return crc;
}

// A number that no other function of the unit has.
static uint32_t find_ident(const CoverageData *coverage, const char *name) {
    uint32_t ident = coverage_crc(0, name, strlen(name)) & 0x7fffffff;
    for (uint32_t i = 0; i < coverage->functions.count; i++) {
        if (ident && coverage->functions.at[i].ident != ident) continue;
        ident = (ident + 1) & 0x7fffffff;
        i = UINT32_MAX;
    }
    return ident ? ident : 1;
}

CoverageFunction *coverage_describe(const CoverageGraph *graph) {
    Lower *lower = graph->lower;
    CoverageData *coverage = lower->coverage->coverage;
    Presumed start = pp_presumed(lower->pp, lower->func->pos);
    Presumed end = pp_presumed(lower->pp, lower->func->body->end);
    bool same = strcmp(start.file, end.file) == 0 && end.line >= start.line;
    const char *name =
        program_text(lower->program, program_at(lower->program, lower->f->symbol)->name);
    CoverageFunction function = {.name = name,
                                 .file = start.file,
                                 .line = start.line,
                                 .column = start.column,
                                 .end_line = same ? end.line : start.line,
                                 .end_column = same ? end.column : start.column,
                                 .ident = find_ident(coverage, name)};
    describe_blocks(graph, &function);
    function.line_checksum = coverage_crc(start.line, start.file, strlen(start.file));
    function.graph_checksum = graph_checksum(&function);
    vec_push(coverage->arena, &coverage->functions, function);
    return &coverage->functions.at[coverage->functions.count - 1];
}
