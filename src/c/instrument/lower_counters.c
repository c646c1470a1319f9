// Adds counters to a program. Each function has an array of 64-bit numbers, to which it adds as any
// code would. At the end of the unit come the structures by which libgcov of gcc 12 finds the
// arrays, a function that hands the arrays over when the program starts, and a function that has
// the counts written when the program ends.
#include "c/instrument/lower_coverage.h"

#include <string.h>

enum { KINDS_OF_COUNTERS = 8, PRIORITY = 100 };

// ---- Counting

// The next nodes have the location of this one.
static void emit_where(Lower *lower, uint32_t node) {
    lower->loc = lower->f->nodes.at[node].loc;
    lower->loc_pos = lower->pos;
}

// Adds one to a counter. The first of the new nodes.
static uint32_t emit_count(Lower *lower, Sym counters, uint32_t number) {
    Spot place = {
        .base = BASE_SYMBOL, .ref = counters.i, .offset = (int64_t)number * 8, .index = NO_REG};
    uint32_t first = lower->f->nodes.count;
    Operand one = operand_int(TYPE_I64, 1);
    if (lower->coverage->coverage->options.atomic) {
        emit_atomic(lower, BI_ATOMIC_ADD, &place, CHUNK_I64, ORDER_RELAXED, &one, 1, NO_REG);
        return first;
    }
    Operand old = emit_load(lower, &place, CHUNK_I64, NO_REG);
    Operand sum = emit_binary(lower, OP_ADD_I64, old, one, NO_REG);
    emit_store(lower, &place, CHUNK_I64, sum);
    return first;
}

// Has the ways of a node to a block lead over a counter.
static void count_arc(Lower *lower, const CoverageGraph *graph, const GraphArc *arc, Sym counters,
                      uint32_t number) {
    emit_where(lower, arc->node);
    Func *f = lower->f;
    if (arc->from == COVERAGE_ENTRY) { // its first node is the point where the function begins
        Node next = f->nodes.at[arc->node].succ[0];
        uint32_t first = emit_count(lower, counters, number);
        f->nodes.at[arc->node].succ[0] = (Node){first};
        f->nodes.at[f->nodes.count - 1].succ[0] = next;
        return;
    }
    uint32_t first = emit_count(lower, counters, number);
    f->nodes.at[f->nodes.count - 1].succ[0] = (Node){arc->target};
    uint32_t succ_count = f->nodes.at[arc->node].succ_count;
    for (uint32_t i = 0; i < succ_count; i++) {
        Node succ = instr_succs(f, &f->nodes.at[arc->node])[i];
        uint32_t node = succ.i & LABEL_BIT ? lower->label_at.at[succ.i & ~LABEL_BIT] : succ.i;
        if (node < graph->count && graph->leads[node] == arc->target)
            func_set_succ(f, (Node){arc->node}, i, (Node){first});
    }
}

static Sym own_data(Lower *lower, const char *name, uint64_t size, uint32_t align) {
    Sym symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_DATA);
    Symbol *at = program_at(lower->program, symbol);
    at->linkage = LINK_STATIC;
    at->defined = true;
    at->size = size;
    at->align = align;
    return symbol;
}

// gcc without optimization keeps what is not called, so that it is seen never to be.
static void keep_function(Lower *lower) {
    const Decl *func = lower->func;
    if (lower->coverage->coverage->options.notes && !func->is_inline &&
        !func->attributes->always_inline)
        program_at(lower->program, lower->f->symbol)->flags |= SYMF_USED;
}

void coverage_function(Lower *lower) {
    if (!lower->coverage || !lower->coverage->on || !lower->func) return;
    CoverageGraph graph = coverage_graph(lower);
    const CoverageFunction *function = coverage_describe(&graph);
    keep_function(lower);
    profile_function(&graph, function);
    if (!lower->coverage->coverage->options.counts) return;
    Sym counters = own_data(lower, arena_printf(lower->scratch, "__gcov0.%s", function->name),
                            (uint64_t)function->counters * 8, 8);
    uint32_t number = 0;
    for (uint32_t i = 0; i < graph.arcs.count; i++)
        if (!(graph.arcs.at[i].flags & ARC_ON_TREE))
            count_arc(lower, &graph, &graph.arcs.at[i], counters, number++);
}

// ---- What libgcov is told

static void add_item(Lower *lower, Sym symbol, DataItem item) {
    vec_push(lower->program->arena, &program_at(lower->program, symbol)->data, item);
}

static void add_word(Lower *lower, Sym symbol, uint32_t word) {
    add_item(lower, symbol, (DataItem){.kind = DATA_I32, .symbol = NO_SYM, .value = (int32_t)word});
}

static void add_zero(Lower *lower, Sym symbol, uint32_t size) {
    add_item(lower, symbol, (DataItem){.kind = DATA_ZERO, .symbol = NO_SYM, .value = size});
}

static void add_address(Lower *lower, Sym symbol, Sym of) {
    add_item(lower, symbol, (DataItem){.kind = DATA_ADDR, .symbol = of});
}

// One function: the unit it is of, who it is, how many counters it has and where.
static Sym describe_function(Lower *lower, const CoverageFunction *function, Sym info) {
    StrTable *strings = &lower->program->strings;
    Str counters = str_of(strings, arena_printf(lower->scratch, "__gcov0.%s", function->name));
    Sym symbol =
        own_data(lower, arena_printf(lower->scratch, "__gcov_.%s", function->name), 40, 32);
    add_address(lower, symbol, info);
    add_word(lower, symbol, function->ident);
    add_word(lower, symbol, function->line_checksum);
    add_word(lower, symbol, function->graph_checksum);
    add_zero(lower, symbol, 4);
    add_word(lower, symbol, function->counters);
    add_zero(lower, symbol, 4);
    add_address(lower, symbol, program_find(lower->program, counters));
    return symbol;
}

static Sym file_name(Lower *lower, const char *path) {
    size_t size = strlen(path) + 1;
    Sym symbol = own_data(lower, "__gcov_.file", size, 1);
    program_at(lower->program, symbol)->flags |= SYMF_CONST;
    add_item(lower, symbol,
             (DataItem){.kind = DATA_BYTES,
                        .symbol = NO_SYM,
                        .value = (int64_t)size,
                        .bytes = arena_copy(lower->program->arena, path, size)});
    return symbol;
}

static Sym library_function(Lower *lower, const char *name, SigInfo sig) {
    Sym symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_FUNC);
    program_at(lower->program, symbol)->sig = program_sig(lower->program, sig);
    return symbol;
}

static const PType pointer_param = {TYPE_I64};

static SigInfo pointer_sig(uint32_t count) {
    static const PType two[] = {{TYPE_I64}, {TYPE_I32}};
    return (SigInfo){.result = PTYPE_VOID,
                     .param_count = count,
                     .fixed_count = count,
                     .params = count == 2 ? two : &pointer_param};
}

// The unit as a whole; of the kinds of counters only those of arcs are used.
static Sym describe_unit(Lower *lower) {
    const CoverageData *coverage = lower->coverage->coverage;
    uint32_t count = coverage->functions.count;
    Sym info = own_data(lower, "__gcov_.info", 112, 32);
    Sym list = own_data(lower, "__gcov_.functions", (uint64_t)count * 8, 32);
    add_word(lower, info, coverage->version);
    add_zero(lower, info, 12);
    add_word(lower, info, coverage->stamp);
    add_word(lower, info, coverage_checksum(coverage));
    add_address(lower, info, file_name(lower, coverage->data_file));
    add_address(lower, info, library_function(lower, "__gcov_merge_add", pointer_sig(2)));
    add_zero(lower, info, (KINDS_OF_COUNTERS - 1) * 8);
    add_word(lower, info, count);
    add_zero(lower, info, 4);
    add_address(lower, info, list);
    for (uint32_t i = 0; i < count; i++)
        add_address(lower, list, describe_function(lower, &coverage->functions.at[i], info));
    return info;
}

// A function that calls one of libgcov.
static Symbol *make_caller(Lower *lower, const char *name, const char *callee, Sym argument) {
    Program *program = lower->program;
    SigInfo none = {.result = PTYPE_VOID, .params = &pointer_param};
    SigInfo sig = argument.i == NO_ID ? none : pointer_sig(1);
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    Sym called = library_function(lower, callee, sig);
    emit_start(lower);
    emit_at(lower, 0);
    lower->instrumented = false;
    lower->f->symbol = symbol;
    lower->f->sig = program_sig(program, none);
    Reg args[1];
    if (argument.i != NO_ID) {
        Spot place = {.base = BASE_SYMBOL, .ref = argument.i, .index = NO_REG};
        args[0] = operand_in_reg(lower, emit_address(lower, &place, NO_REG));
    }
    emit_call(lower, called, program_sig(program, sig), NO_REG, args, argument.i != NO_ID);
    emit_return(lower, NO_REG);
    const Func *func = emit_finish(lower, program->arena);
    Symbol *at = program_at(program, symbol);
    at->linkage = LINK_STATIC;
    at->defined = true;
    at->sig = func->sig;
    at->func = func;
    return at;
}

// Functions that were left out are not there to be counted.
static void drop_functions(Lower *lower) {
    CoverageData *coverage = lower->coverage->coverage;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < coverage->functions.count; i++) {
        Str name = str_of(&lower->program->strings, coverage->functions.at[i].name);
        Sym symbol = program_find(lower->program, name);
        if (symbol.i != NO_ID && program_at(lower->program, symbol)->func)
            coverage->functions.at[kept++] = coverage->functions.at[i];
    }
    coverage->functions.count = kept;
}

void coverage_unit(Lower *lower) {
    if (!lower->coverage) return;
    CoverageData *coverage = lower->coverage->coverage;
    profile_unit(lower);
    drop_functions(lower);
    coverage_settle(coverage);
    if (!coverage->options.counts || !coverage->functions.count) return;
    Sym info = describe_unit(lower);
    make_caller(lower, "_sub_I_00100_0", "__gcov_init", info)->constructor = PRIORITY;
    make_caller(lower, "_sub_D_00100_1", "__gcov_exit", NO_SYM)->destructor = PRIORITY;
}

// What forks, or becomes another program, has its counts written first: libgcov has such versions
// of these functions.
Sym coverage_callee(Lower *lower, const Decl *callee, Sym symbol) {
    static const char *const names[] = {"fork",  "execl",  "execlp", "execle",
                                        "execv", "execvp", "execve"};
    if (!lower->coverage || !lower->coverage->coverage->options.counts || !callee->external ||
        callee->defined || callee->asm_name)
        return symbol;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(callee->name->text, names[i]) != 0) continue;
        const char *name = arena_printf(lower->scratch, "__gcov_%s", names[i]);
        Sig sig = program_at(lower->program, symbol)->sig;
        symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_FUNC);
        program_at(lower->program, symbol)->sig = sig;
    }
    return symbol;
}

void lower_coverage(Lower *lower, CoverageData *coverage) {
    if (!coverage || !coverage_is_wanted(&coverage->options)) return;
    lower->coverage = ARENA_NEW(lower->arena, struct LowerCoverage);
    *lower->coverage = (struct LowerCoverage){.coverage = coverage};
    profile_begin(lower);
}
