// Names of registers: apart from the rest of the printer, because messages of checkers need them.
#include "text/lex.h"
#include "text/text.h"

static void print_register_name(Out *out, const Program *program, Str name) {
    const char *text = program_text(program, name);
    uint32_t length = str_length(&program->strings, name), at = 0;
    if (char_is_letter(text[0]))
        while (at < length && char_in_register(text[at])) at++;
    if (at == length)
        out_bytes(out, text, length);
    else
        out_quoted(out, text, length);
}

void reg_print(Out *out, const Func *func, Reg reg) {
    bool known = reg.i < func->regs.count, plain = known && func->form == FORM_MACH0 &&
                                                   !func->regs.at[reg.i].name.i &&
                                                   !func->regs.at[reg.i].version;
    out_char(out, plain ? 'R' : '%');
    if (!known) {
        out_char(out, '?');
        return;
    }
    const RegInfo *info = &func->regs.at[reg.i];
    if (info->name.i) print_register_name(out, func->program, info->name);
    if (info->name.i && info->number) out_char(out, '\'');
    if (!info->name.i || info->number) out_u64(out, info->number);
    if (!info->version) return;
    out_char(out, '.');
    out_u64(out, info->version - 1);
}
