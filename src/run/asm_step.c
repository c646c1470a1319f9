// The choice of what fires next, asked of a person: the state of the block on standard error, the
// answer from standard input.
#include "run/asm_machine.h"

#include "text/text.h"

#include <stdlib.h>

void asm_print_place(Out *out, const AsmMachine *m, const AsmBlock *block) {
    const Func *func = top_frame(m->in)->code->func;
    out_printf(out, "block %u of %s", func_label(func, block->head), func_name(func));
}

// ---- What is shown

static void print_register(Out *out, const AsmMachine *m, Reg reg) {
    const CallFrame *frame = top_frame(m->in);
    const Func *func = frame->code->func;
    Value value = frame->regs[reg.i];
    out_text(out, "    ");
    reg_print(out, func, reg);
    out_text(out, " = ");
    if (value.undef)
        out_text(out, "undefined");
    else
        world_print_value(out, &m->in->world, PTYPE_OF(reg_type(func, reg)), value);
    out_char(out, '\n');
}

// The phis of the block and what has fired.
static void print_values(Out *out, const AsmMachine *m, const AsmFrame *f) {
    const CallFrame *frame = top_frame(m->in);
    const Func *func = frame->code->func;
    const Phi *phis = func_phis(func, f->block->head);
    for (uint32_t i = 0; i < func_phi_count(func, f->block->head); i++)
        print_register(out, m, phis[i].dest);
    for (uint32_t i = 0; i < f->block->count; i++) {
        const AsmOperation *op = &asm_code(m)->operations[f->block->first + i];
        Reg dest = step_instr(frame, op->step)->dest;
        if (asm_needs(m, f)[i] == NO_ID && dest.i != NO_ID) print_register(out, m, dest);
    }
}

static void print_operation(Out *out, const AsmMachine *m, const AsmFrame *f, uint32_t number,
                            uint32_t operation) {
    const CallFrame *frame = top_frame(m->in);
    const Func *func = frame->code->func;
    const AsmOperation *op = &asm_code(m)->operations[operation];
    out_printf(out, "  %u)  %u: ", number, func_label(func, code_node(frame->code, op->step)));
    instr_print(out, func, step_instr(frame, op->step));
    if (op->changes)
        out_printf(out, "  (memory %u becomes memory %u)", op->memory, op->memory + 1);
    else if (op->reads)
        out_printf(out, "  (reads memory %u%s)", op->memory,
                   op->memory < f->memory ? ", which is held" : "");
    out_char(out, '\n');
}

static void show(const AsmMachine *m, const AsmFrame *f) {
    Out out = {0};
    asm_print_place(&out, m, f->block);
    out_printf(&out, ": %u of %u operations have values\n", f->block->count - f->left,
               f->block->count);
    print_values(&out, m, f);
    for (uint32_t i = 0; i < f->ready_count; i++)
        print_operation(&out, m, f, i + 1, asm_ready(m, f)[i]);
    out_text(&out, "fire (numbers, all, q to stop; nothing for the first)\n");
    out_flush(&out, stderr);
    fflush(stderr);
    out_free(&out);
}

// ---- The answer

static int compare_operations(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// Moves what is chosen out of the list.
static void take(AsmMachine *m, AsmFrame *f, const bool *wanted) {
    uint32_t *ready = asm_ready(m, f), kept = 0;
    for (uint32_t i = 0; i < f->ready_count; i++)
        if (wanted[i])
            m->chosen[m->chosen_count++] = ready[i];
        else
            ready[kept++] = ready[i];
    f->ready_count = kept;
}

// Numbers of operations, with blanks or commas between them; false if there is anything else, or
// nothing.
static bool parse_numbers(const char *line, bool *wanted, uint32_t count) {
    const char *at = line + strspn(line, " ,\t\n");
    if (!*at) return false;
    for (; *at; at += strspn(at, " ,\t\n")) {
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (end == at || number < 1 || number > count) return false;
        wanted[number - 1] = true;
        at = end;
    }
    return true;
}

static bool stop(AsmMachine *m) {
    world_exit(&m->in->world, END_FUEL, 0);
    m->in->world.result->behaviour.reason = "stopped as asked";
    return false;
}

static bool is_line(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length + strspn(line + length, " \t\n")] == 0;
}

// Reads answers until one is good. If there are no more, from now on nobody is asked.
static void ask(AsmMachine *m, AsmFrame *f, bool *wanted, bool *stops) {
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        bool all = is_line(line, "all"), first = is_line(line, "");
        memset(wanted, all, f->ready_count);
        wanted[0] |= first;
        *stops = is_line(line, "q");
        if (*stops || all || first || parse_numbers(line, wanted, f->ready_count)) return;
        fprintf(stderr, "there is no such operation\n");
    }
    fprintf(stderr, "end of input: from here on all that can fire fires at once\n");
    m->choice.kind = ASM_EAGER;
    memset(wanted, true, f->ready_count);
}

bool asm_step_choose(AsmMachine *m, AsmFrame *f) {
    bool *wanted = xmalloc(f->ready_count), stops = false;
    qsort(asm_ready(m, f), f->ready_count, sizeof(uint32_t), compare_operations);
    show(m, f);
    ask(m, f, wanted, &stops);
    if (!stops) take(m, f, wanted);
    free(wanted);
    return !stops || stop(m);
}
