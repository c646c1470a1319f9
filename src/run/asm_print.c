// Prints the state machine that asm_run.c executes: the blocks, operations, memories and needs of
// asm_code.c.
//
// An operation has the name of the register that it sets, or opN with the number of its node. Block
// bN starts at node N. The memory on entering the block is bN.m0, and the changes of the block
// yield bN.m1, bN.m2 and so on.
#include "run/asm_print.h"

#include "graph/basic_blocks.h"
#include "run/asm_machine.h"
#include "text/text.h"

typedef struct {
    Out *out;
    Arena *arena;
    const Func *func;
    const AsmCode *code;
    const DecodedStep *steps; // of no content: their numbers are those of the nodes
    Preds preds;
    const uint32_t *heads;
    uint32_t *first_need, *needs; // of each operation: what it needs
} Printer;

// ---- Names

static void print_block(const Printer *p, Node head) {
    out_printf(p->out, "b%u", func_label(p->func, head));
}

static void print_memory(const Printer *p, const AsmBlock *block, uint32_t number) {
    print_block(p, block->head);
    out_printf(p->out, ".m%u", number);
}

static Node node_of(const Printer *p, uint32_t op) {
    return (Node){(uint32_t)(p->code->operations[op].step - p->steps)};
}

static const Instr *instr_of(const Printer *p, uint32_t op) {
    return func_at(p->func, node_of(p, op));
}

static void print_operation(const Printer *p, uint32_t op) {
    const Instr *instr = instr_of(p, op);
    if (instr->dest.i != NO_ID)
        reg_print(p->out, p->func, instr->dest);
    else
        out_printf(p->out, "op%u", func_label(p->func, node_of(p, op)));
}

static const AsmBlock *block_of_node(const Printer *p, Node node) {
    return &p->code->blocks[p->code->block_of[p->heads[node.i]]];
}

// A return hands the last memory on.
static bool uses_memory(const Printer *p, uint32_t op) {
    const AsmOperation *operation = &p->code->operations[op];
    return operation->reads || operation->changes || instr_of(p, op)->kind == I_RETURN;
}

// The start of a line: a name and spaces up to a column.
static void print_column(const Printer *p, size_t start, size_t width) {
    size_t used = p->out->length - start;
    do out_char(p->out, ' ');
    while (++used < width);
}

enum { NAME_WIDTH = 10, KIND_WIDTH = 17, NEEDS_WIDTH = 22 };

// ---- The text of an instruction

// Without its destination.
static const char *instr_text(const Printer *p, const Instr *instr) {
    Out out = {0};
    instr_print(&out, p->func, instr);
    const char *text = arena_text(p->arena, out.text, out.length);
    out_free(&out);
    const char *equals = instr->dest.i != NO_ID ? strstr(text, " = ") : NULL;
    return equals ? equals + 3 : text;
}

// The paper's kinds where they fit, else the first word of the instruction.
static void print_kind(const Printer *p, const Instr *instr) {
    switch ((InstrKind)instr->kind) {
    case I_LOAD: out_text(p->out, "read"); return;
    case I_STORE: out_text(p->out, "write"); return;
    case I_COND:
    case I_SWITCH: out_text(p->out, "branch"); return;
    default: break;
    }
    const char *text = instr_text(p, instr);
    out_bytes(p->out, text, strcspn(text, " "));
}

// ---- Figure 2

// The pairs of values and blocks among which a phi selects. Of registers if `phi` is one, else of
// memories.
static void print_preds(const Printer *p, const AsmBlock *block, const Phi *phi) {
    uint32_t count = preds_count(&p->preds, block->head);
    const char *separator = "";
    out_text(p->out, "[");
    if (block->head.i == 0 && !phi) {
        out_text(p->out, "(start_pred.m0, start_pred)");
        separator = ", ";
    }
    for (uint32_t i = 0; i < count; i++) {
        const AsmBlock *pred = block_of_node(p, preds_at(&p->preds, block->head)[i]);
        out_printf(p->out, "%s(", separator);
        if (phi)
            reg_print(p->out, p->func, phi_args(p->func, phi)[i]);
        else
            print_memory(p, pred, pred->memories - 1);
        out_text(p->out, ", ");
        print_block(p, pred->head);
        out_char(p->out, ')');
        separator = ", ";
    }
    out_text(p->out, "]");
}

static void print_phis(const Printer *p, const AsmBlock *block) {
    for (uint32_t i = 0; i <= func_phi_count(p->func, block->head); i++) {
        const Phi *phi = i ? &func_phis(p->func, block->head)[i - 1] : NULL;
        out_text(p->out, "  ");
        size_t start = p->out->length;
        if (phi)
            reg_print(p->out, p->func, phi->dest);
        else
            print_memory(p, block, 0);
        print_column(p, start, NAME_WIDTH);
        start = p->out->length;
        out_text(p->out, "phi");
        print_column(p, start, KIND_WIDTH);
        out_text(p->out, "Preds = ");
        print_preds(p, block, phi);
        out_char(p->out, '\n');
    }
}

// "Pred_1 = ", "; Pred_2 = "
static void start_pred(const Printer *p, uint32_t *count) {
    out_printf(p->out, "%sPred_%u = ", *count ? "; " : "", *count + 1);
    ++*count;
}

// The memory, the operands, the blocks to go to.
static uint32_t print_operands(const Printer *p, uint32_t at) {
    const AsmOperation *op = &p->code->operations[at];
    const Instr *instr = instr_of(p, at);
    uint32_t count = 0;
    if (uses_memory(p, at)) {
        start_pred(p, &count);
        print_memory(p, &p->code->blocks[op->block], op->memory);
    }
    for (uint32_t i = 0; i < instr->arg_count; i++) {
        start_pred(p, &count);
        reg_print(p->out, p->func, instr_args(p->func, instr)[i]);
    }
    for (uint32_t i = 0; instr_is_branch(instr) && i < instr->succ_count; i++) {
        start_pred(p, &count);
        print_block(p, instr_succs(p->func, instr)[i]);
    }
    return count;
}

// Whether an operation is needed as an operand or for the memory that it yields: then Pred_i says
// so.
static bool is_operand(const Printer *p, uint32_t at, uint32_t need) {
    const AsmOperation *op = &p->code->operations[at];
    const Instr *instr = instr_of(p, at);
    const AsmOperation *needed = &p->code->operations[need];
    Reg dest = instr_of(p, need)->dest;
    if (uses_memory(p, at) && needed->changes && needed->memory + 1 == op->memory) return true;
    for (uint32_t i = 0; dest.i != NO_ID && i < instr->arg_count; i++)
        if (instr_args(p->func, instr)[i].i == dest.i) return true;
    return false;
}

// What fact/order.h adds: the outside world.
static void print_outside(const Printer *p, uint32_t at, uint32_t count) {
    Order order = order_of_instr(p->func, instr_of(p, at));
    const char *separator = count ? "; " : "";
    static const struct {
        Order trait;
        const char *text;
    } traits[] = {{ORDER_WAITS, "may go wrong"},
                  {ORDER_CHAINED, "in the world's order"},
                  {ORDER_BARRIER, "may return twice"}};
    for (uint32_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (order & traits[i].trait) {
            out_printf(p->out, "%s%s", separator, traits[i].text);
            separator = "; ";
        }
    const char *word = "after ";
    for (uint32_t i = p->first_need[at]; i < p->first_need[at + 1]; i++)
        if (!is_operand(p, at, p->needs[i])) {
            out_printf(p->out, "%s%s", separator, word);
            print_operation(p, p->needs[i]);
            separator = ", ";
            word = "";
        }
}

static void print_jump_name(const Printer *p, const AsmBlock *block) {
    out_text(p->out, "  ");
    size_t start = p->out->length;
    print_block(p, block->head);
    out_text(p->out, ".jump");
    print_column(p, start, NAME_WIDTH);
}

static Node jump_target(const Printer *p, const AsmBlock *block) {
    const Instr *last = func_at(p->func, (Node){(uint32_t)(block->jump - p->steps)});
    return instr_succs(p->func, last)[0];
}

static void print_static(const Printer *p, const AsmBlock *block) {
    out_text(p->out, " kind, Preds, Pred_i (figure 2); belongs_to(op) = ");
    print_block(p, block->head);
    out_char(p->out, '\n');
    print_phis(p, block);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        out_text(p->out, "  ");
        size_t start = p->out->length;
        print_operation(p, i);
        print_column(p, start, NAME_WIDTH);
        start = p->out->length;
        print_kind(p, instr_of(p, i));
        size_t end = p->out->length;
        print_column(p, start, KIND_WIDTH);
        size_t before = p->out->length;
        uint32_t count = print_operands(p, i);
        print_outside(p, i, count);
        if (p->out->length == before) p->out->length = end; // no spaces at the end of a line
        out_char(p->out, '\n');
    }
    if (!block->jump) return;
    print_jump_name(p, block);
    out_text(p->out, "jump             Pred_1 = ");
    print_block(p, jump_target(p, block));
    out_char(p->out, '\n');
}

// ---- Figure 5

static void print_phi_rule(const Printer *p, const AsmBlock *block) {
    out_text(p->out, " if init and current_block = ");
    print_block(p, block->head);
    out_text(p->out, " then at once (figure 5)\n");
    for (uint32_t i = 0; i <= func_phi_count(p->func, block->head); i++) {
        const Phi *phi = i ? &func_phis(p->func, block->head)[i - 1] : NULL;
        out_text(p->out, "  value(");
        if (phi)
            reg_print(p->out, p->func, phi->dest);
        else
            print_memory(p, block, 0);
        out_text(p->out, ") := value(select(");
        print_preds(p, block, phi);
        out_text(p->out, ", pred_block))\n");
    }
    uint32_t others = block->count + (block->jump ? 1 : 0);
    out_printf(p->out, "  value(op) := undef for the %s\n",
               others == 1 ? "one operation that is no phi"
                           : arena_printf(p->arena, "%u operations that are no phis", others));
    out_text(p->out, "  init := false\n");
}

// ---- Figure 6

static void print_needs(const Printer *p, uint32_t at) {
    size_t start = p->out->length;
    out_text(p->out, "needs ");
    if (p->first_need[at] == p->first_need[at + 1]) out_text(p->out, "nothing");
    for (uint32_t i = p->first_need[at]; i < p->first_need[at + 1]; i++) {
        if (i > p->first_need[at]) out_text(p->out, ", ");
        print_operation(p, p->needs[i]);
    }
    out_char(p->out, ':');
    print_column(p, start, NEEDS_WIDTH);
}

// An access as the paper writes it: memory(address), memory[address := value]. What stands behind a
// dot is how many bytes it takes and what they mean.
static void print_access(const Printer *p, const AsmOperation *op, const Instr *instr) {
    const char *text = instr_text(p, instr), *open = strchr(text, '['), *close = strchr(text, ']');
    bool write = instr->kind == I_STORE;
    const char *chunk = strchr(text, '.') + 1;
    print_memory(p, &p->code->blocks[op->block], op->memory);
    out_char(p->out, write ? '[' : '(');
    out_bytes(p->out, open + 1, (size_t)(close - open - 1));
    if (write) out_printf(p->out, " := %s", close + 3);
    out_printf(p->out, "%c.%.*s", write ? ']' : ')', (int)strcspn(chunk, " "), chunk);
}

// What an instruction makes of the memory and its operands.
static void print_result(const Printer *p, uint32_t at) {
    const AsmOperation *op = &p->code->operations[at];
    const Instr *instr = instr_of(p, at);
    if (instr->kind == I_LOAD || instr->kind == I_STORE) {
        print_access(p, op, instr);
        return;
    }
    out_text(p->out, instr_text(p, instr));
    if (!uses_memory(p, at)) return;
    out_text(p->out, " in ");
    print_memory(p, &p->code->blocks[op->block], op->memory);
}

static void print_choice(const Printer *p, const Instr *instr) {
    const Node *succs = instr_succs(p->func, instr);
    const char *text = instr_text(p, instr), *of = strchr(text, ' ');
    out_text(p->out, "next_block := ");
    for (uint32_t i = 1; instr->kind == I_SWITCH && i < instr->succ_count; i++) {
        print_block(p, succs[i]);
        out_printf(p->out, " if%s = %lld, else ", of ? of : "",
                   (long long)instr_cases(p->func, instr)[i - 1]);
    }
    print_block(p, succs[0]);
    if (instr->kind == I_SWITCH) return;
    out_printf(p->out, " %s, else ", text);
    print_block(p, succs[1]);
}

// A change yields a memory; if it has no result of another kind, that is its value.
static void print_left_side(const Printer *p, uint32_t at) {
    const AsmOperation *op = &p->code->operations[at];
    out_text(p->out, "value(");
    print_operation(p, at);
    out_char(p->out, ')');
    if (op->changes) {
        out_text(p->out, instr_of(p, at)->dest.i != NO_ID ? ", " : " = ");
        print_memory(p, &p->code->blocks[op->block], op->memory + 1);
    }
    out_text(p->out, " := ");
}

static void print_update(const Printer *p, uint32_t at) {
    const AsmOperation *op = &p->code->operations[at];
    const Instr *instr = instr_of(p, at);
    bool yields = false;
    if (instr_is_branch(instr)) {
        print_choice(p, instr);
    } else if (instr->kind == I_RETURN) {
        out_text(p->out, "next_block := void, ");
        print_result(p, at);
    } else {
        yields = instr->dest.i != NO_ID || op->changes;
        if (yields) print_left_side(p, at);
        print_result(p, at);
    }
    if (!yields) {
        out_text(p->out, "; value(");
        print_operation(p, at);
        out_text(p->out, ") := def");
    }
    out_char(p->out, '\n');
}

static void print_firing_rule(const Printer *p, const AsmBlock *block) {
    out_text(p->out, " if not init and current_block = ");
    print_block(p, block->head);
    out_text(p->out,
             " then choose some of those that are undef and whose needs are not (figure 6)\n");
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        out_text(p->out, "  ");
        size_t start = p->out->length;
        print_operation(p, i);
        print_column(p, start, NAME_WIDTH);
        print_needs(p, i);
        print_update(p, i);
    }
    if (!block->jump) return;
    print_jump_name(p, block);
    out_text(p->out, "needs nothing:        next_block := ");
    print_block(p, jump_target(p, block));
    out_text(p->out, "; value(");
    print_block(p, block->head);
    out_text(p->out, ".jump) := def\n");
}

// ---- Figure 7

// A function is left as a block is: when all has values. What ends the run leaves nothing to do.
static void print_transition(const Printer *p, const AsmBlock *block) {
    const Instr *last = block->jump ? NULL : instr_of(p, block->first + block->count - 1);
    out_text(p->out, " if not init and current_block = ");
    print_block(p, block->head);
    out_text(p->out, " and none of its operations is undef then (figure 7)\n");
    if (last && instr_ends(last)) {
        out_text(p->out, last->kind == I_RETURN ? "  the function returns\n" : "  nothing\n");
        return;
    }
    out_text(p->out, "  pred_block := ");
    print_block(p, block->head);
    out_text(p->out, ", current_block := next_block, init := true\n");
}

// ---- Functions

// Whom an operation needs, from the lists of who needs it.
static void find_needs(Printer *p) {
    uint32_t count = p->code->operation_count;
    p->first_need = ARENA_ARRAY(p->arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        p->first_need[i + 1] = p->first_need[i] + p->code->operations[i].needs;
    uint32_t *at = ARENA_ARRAY(p->arena, uint32_t, count);
    p->needs = ARENA_ARRAY(p->arena, uint32_t, p->first_need[count]);
    for (uint32_t i = 0; i < count; i++) {
        const AsmOperation *op = &p->code->operations[i];
        for (uint32_t k = 0; k < op->user_count; k++) {
            uint32_t user = p->code->users[op->first_user + k];
            p->needs[p->first_need[user] + at[user]++] = i;
        }
    }
}

// What the program, or a call, gives: the operations of start_pred.
static void print_start(const Printer *p) {
    out_text(p->out, " start_pred = {start_pred.m0");
    for (uint32_t i = 0; i < p->func->params.count; i++) {
        out_text(p->out, ", ");
        reg_print(p->out, p->func, p->func->params.at[i]);
    }
    out_text(p->out, "}\n start_block = ");
    print_block(p, p->code->blocks[0].head);
    out_text(p->out, "\ninitial state (figure 4)\n current_block = ");
    print_block(p, p->code->blocks[0].head);
    out_text(p->out, ", pred_block = start_pred, next_block = void, init = true\n"
                     " value(op) = undef if op does not belong to start_pred\n");
}

static void print_function(Out *out, const Func *func) {
    Arena *arena = arena_new("state machine");
    DecodedStep *steps = ARENA_ARRAY(arena, DecodedStep, func->nodes.count);
    Code code = {.func = func, .steps = steps};
    Printer p = {.out = out,
                 .arena = arena,
                 .func = func,
                 .code = asm_code_of(arena, &code, ASM_EAGER),
                 .steps = steps,
                 .preds = preds_of(arena, func)};
    p.heads = block_heads(arena, func, &p.preds);
    find_needs(&p);
    func_header_print(out, func);
    out_char(out, '\n');
    print_start(&p);
    for (uint32_t i = 0; i < p.code->block_count; i++) {
        const AsmBlock *block = &p.code->blocks[i];
        out_text(out, "block ");
        print_block(&p, block->head);
        out_char(out, '\n');
        print_static(&p, block);
        print_phi_rule(&p, block);
        print_firing_rule(&p, block);
        print_transition(&p, block);
    }
    arena_free(arena);
}

void asm_print(Out *out, const Program *program) {
    const char *separator = "";
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        out_text(out, separator);
        print_function(out, func);
        separator = "\n";
    }
}
