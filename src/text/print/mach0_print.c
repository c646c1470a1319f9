// The text of mach0: the instructions of RTL in the manner of table 1, with the word in capitals
// and the result last.
#include "form/mach0.h"

#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

#include <string.h>

static void print_capitals(Out *out, const char *word, size_t length) {
    bool up = true;
    for (size_t i = 0; i < length; i++) {
        up &= word[i] != '.';
        out_char(out,
                 up && word[i] >= 'a' && word[i] <= 'z' ? (char)(word[i] - 'a' + 'A') : word[i]);
    }
}

static void print_word(Out *out, const char *word, size_t length) {
    size_t stem = 0;
    while (stem < length && word[stem] != '.') stem++;
    for (uint32_t i = 0; i < mach0_word_count; i++)
        if (strlen(mach0_words[i].rtl) == stem && memcmp(mach0_words[i].rtl, word, stem) == 0) {
            out_text(out, mach0_words[i].mach0);
            out_bytes(out, word + stem, length - stem);
            return;
        }
    print_capitals(out, word, length);
}

void mach0_instr_print(Out *out, const Func *func, const Instr *instr) {
    Out rtl = {0};
    operation_print(&rtl, func, instr);
    size_t length = 0;
    while (length < rtl.length && rtl.text[length] != ' ') length++;
    if (mach0_is_jump(instr))
        out_text(out, "JMP");
    else
        print_word(out, rtl.text, length);
    out_bytes(out, rtl.text + length, rtl.length - length);
    if (instr->dest.i != NO_ID) {
        out_text(out, length < rtl.length ? ", " : " ");
        reg_print(out, func, instr->dest);
    }
    out_free(&rtl);
}

static void print_target(Out *out, const Func *func, const char *before, Node node) {
    out_text(out, before);
    out_char(out, 'L');
    print_label(out, func, node);
}

static void print_targets(Out *out, const Func *func, const Instr *instr) {
    const Node *succs = instr_succs(func, instr);
    if (!instr_has(instr, INSTR_CASES)) {
        const char *first = instr_has(instr, INSTR_CONDITION) ? ", " : " ";
        for (uint32_t k = 0; k < instr->succ_count; k++)
            print_target(out, func, k ? ", " : first, succs[k]);
        return;
    }
    if (instr->succ_count == 1) {
        out_text(out, " { }");
        return;
    }
    out_text(out, " { ");
    for (uint32_t k = 1; k < instr->succ_count; k++) {
        out_i64(out, instr_cases(func, instr)[k - 1]);
        print_target(out, func, ": ", succs[k]);
        out_text(out, ", ");
    }
    print_target(out, func, "default: ", instr->succ_count ? succs[0] : NO_NODE);
    out_text(out, " }");
}

static void print_line(Out *out, const Func *func, Node node, const PrintOptions *options) {
    const Instr *instr = func_at(func, node);
    if (mach0_is_label(instr)) {
        print_target(out, func, "  ", node);
        out_text(out, ": ");
    } else {
        out_text(out, "      ");
    }
    mach0_instr_print(out, func, instr);
    if (!mach0_goes_on(instr) || instr_has(instr, INSTR_CASES)) print_targets(out, func, instr);
    if (options->locations) print_location(out, func->program, instr->loc);
    out_char(out, '\n');
}

void mach0_print(Out *out, const Func *func, const PrintOptions *options) {
    Arena *arena = arena_new("print");
    FuncPrinter *p = func_printer_new(arena, out, func);
    func_header_print(out, func);
    out_text(out, " {\n");
    func_print_slots(out, func, 0);
    print_regs(p, false);
    for (uint32_t i = 0; i < func->nodes.count; i++) print_line(out, func, (Node){i}, options);
    out_text(out, "}\n");
    arena_free(arena);
}
