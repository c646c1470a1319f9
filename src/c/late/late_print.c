// Simplifies calls of checked functions that print, such as __printf_chk, if a simpler function
// does the same for the given format and the result is not used: puts, putchar, fputs, fputc,
// fwrite, or no call at all, as in gcc.
#include "c/late/late.h"

#include <string.h>

typedef struct {
    Lower *lower;
    Func *func;
    Node node;
    Reg stream; // NO_REG: standard output
    uint32_t loc;
} Printing;

// ---- The simpler calls

static Reg constant(Printing *printing, Type type, int64_t value) {
    Reg reg = func_temp(printing->func, type);
    Instr instr = {.kind = I_OP, .op = (uint16_t)op_const(type), .dest = reg, .imm = value};
    printing->node = late_put_before(printing->func, printing->node, instr);
    return reg;
}

static Reg string(Printing *printing, const char *text, size_t length) {
    uint8_t *bytes = ARENA_ARRAY(printing->lower->arena, uint8_t, length + 1);
    memcpy(bytes, text, length);
    Sym symbol =
        lower_string(printing->lower, &(CString){.bytes = bytes, .size = length + 1, .element = 1});
    Reg reg = func_temp(printing->func, TYPE_I64);
    Instr instr = {.kind = I_OP, .op = OP_ADDR_SYMBOL, .dest = reg, .ref = symbol.i};
    printing->node = late_put_before(printing->func, printing->node, instr);
    return reg;
}

static void call(const Printing *printing, const char *name, Type result, const Reg *args,
                 uint32_t count) {
    Func *func = printing->func;
    Program *program = func->program;
    PType types[4];
    for (uint32_t i = 0; i < count; i++) types[i] = PTYPE_OF(reg_type(func, args[i]));
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_OF(result),
                                             .params = types,
                                             .param_count = count,
                                             .fixed_count = count});
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    if (program_at(program, symbol)->sig.i == NO_ID) program_at(program, symbol)->sig = sig;
    Instr *now = &func->nodes.at[printing->node.i];
    now->ref = symbol.i;
    now->aux = sig.i;
    now->dest = NO_REG;
    func_set_args(func, printing->node, args, count);
}

static void put_character(Printing *printing, Reg character) {
    Reg args[2] = {character, printing->stream};
    bool standard = printing->stream.i == NO_ID;
    call(printing, standard ? "putchar" : "fputc", TYPE_I32, args, standard ? 1 : 2);
}

static void put_nothing(Printing *printing) {
    Func *func = printing->func;
    const Instr *now = func_at(func, printing->node);
    func->nodes.at[printing->node.i] = (Instr){.kind = I_NOP,
                                               .dest = NO_REG,
                                               .succ_count = 1,
                                               .succ = {now->succ[0]},
                                               .loc = printing->loc};
}

// A text without conversions; `at` holds its address.
static bool put_text(Printing *printing, const char *text, Reg at) {
    size_t length = strlen(text);
    bool standard = printing->stream.i == NO_ID;
    if (length > 1 && standard && text[length - 1] != '\n') return false;
    if (length == 0) {
        put_nothing(printing);
    } else if (length == 1) {
        put_character(printing, constant(printing, TYPE_I32, (unsigned char)*text));
    } else if (standard) {
        Reg line = string(printing, text, length - 1);
        call(printing, "puts", TYPE_I32, &line, 1);
    } else {
        Reg one = constant(printing, TYPE_I64, 1);
        Reg args[4] = {at, one, constant(printing, TYPE_I64, (int64_t)length), printing->stream};
        call(printing, "fwrite", TYPE_I64, args, 4);
    }
    return true;
}

bool late_fold_print(Lower *lower, Func *func, Node node, const char *format, uint32_t at,
                     const char *argument_text) {
    const Instr *instr = func_at(func, node);
    const Reg *args = instr_args(func, instr);
    uint32_t given = instr->arg_count - at - 1;
    bool variable = program_sig_info(func->program, (Sig){instr->aux})->variadic;
    Reg argument = given == 1 ? args[at + 1] : NO_REG, text = args[at];
    Printing printing = {.lower = lower,
                         .func = func,
                         .node = node,
                         .stream = at == 2 ? args[0] : NO_REG,
                         .loc = instr->loc};
    bool standard = printing.stream.i == NO_ID;
    if (!strchr(format, '%')) return put_text(&printing, format, text);
    if (!variable || given != 1) return false;
    Type type = reg_type(func, argument);
    if (strcmp(format, "%c") == 0 && type == TYPE_I32) {
        put_character(&printing, argument);
        return true;
    }
    if (type != TYPE_I64) return false;
    if (strcmp(format, "%s") == 0 && argument_text)
        return put_text(&printing, argument_text, argument);
    Reg line[2] = {argument, printing.stream};
    bool puts = standard && strcmp(format, "%s\n") == 0;
    bool fputs = !standard && strcmp(format, "%s") == 0;
    if (puts) call(&printing, "puts", TYPE_I32, line, 1);
    if (fputs) call(&printing, "fputs", TYPE_I32, line, 2);
    return puts || fputs;
}
