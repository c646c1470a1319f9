// Simplifies calls of checked functions of the library, such as __memcpy_chk, that have nothing to
// check: the size of the object is not known, or the written bytes are known to fit. Such calls
// become calls of the plain functions, and small copies become builtins, as lowering does for the
// plain functions.
#include "c/late/late.h"

#include <string.h>

typedef enum { CHECK_LENGTH, CHECK_STRING, CHECK_APPEND, CHECK_FORMAT } CheckedKind;

enum { NONE = 9 };

// Numbers of arguments, from 0; NONE if there is none.
static const struct {
    const char *name, *plain;
    CheckedKind kind;
    uint8_t length; // the largest number of written bytes
    uint8_t source; // a string; of CHECK_FORMAT the format
    uint8_t flag;   // whether formats are checked for %n
    uint8_t size;   // of the object
} rows[] = {
    {"__memcpy_chk", "memcpy", CHECK_LENGTH, 2, NONE, NONE, 3},
    {"__memmove_chk", "memmove", CHECK_LENGTH, 2, NONE, NONE, 3},
    {"__mempcpy_chk", "mempcpy", CHECK_LENGTH, 2, NONE, NONE, 3},
    {"__memset_chk", "memset", CHECK_LENGTH, 2, NONE, NONE, 3},
    {"__strncpy_chk", "strncpy", CHECK_LENGTH, 2, NONE, NONE, 3},
    {"__stpncpy_chk", "stpncpy", CHECK_LENGTH, 2, NONE, NONE, 3},
    {"__strcpy_chk", "strcpy", CHECK_STRING, NONE, 1, NONE, 2},
    {"__stpcpy_chk", "stpcpy", CHECK_STRING, NONE, 1, NONE, 2},
    {"__strcat_chk", "strcat", CHECK_APPEND, NONE, 1, NONE, 2},
    {"__strncat_chk", "strncat", CHECK_APPEND, 2, 1, NONE, 3},
    {"__sprintf_chk", "sprintf", CHECK_FORMAT, NONE, 3, 1, 2},
    {"__snprintf_chk", "snprintf", CHECK_FORMAT, 1, 4, 2, 3},
    {"__vsprintf_chk", "vsprintf", CHECK_FORMAT, NONE, 3, 1, 2},
    {"__vsnprintf_chk", "vsnprintf", CHECK_FORMAT, 1, 4, 2, 3},
    {"__printf_chk", "printf", CHECK_FORMAT, NONE, 1, 0, NONE},
    {"__fprintf_chk", "fprintf", CHECK_FORMAT, NONE, 2, 1, NONE},
    {"__vprintf_chk", "vprintf", CHECK_FORMAT, NONE, 1, 0, NONE},
    {"__vfprintf_chk", "vfprintf", CHECK_FORMAT, NONE, 2, 1, NONE},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static uint32_t row_of(const Lower *lower, const Instr *instr) {
    if (instr->kind != I_CALL || instr->ref == NO_ID) return ROW_COUNT;
    const Symbol *symbol = program_at(lower->program, (Sym){instr->ref});
    const char *name = program_text(lower->program, symbol->name);
    if (name[0] != '_' || name[1] != '_' || lower->no_builtins) return ROW_COUNT;
    uint32_t row = 0;
    while (row < ROW_COUNT && strcmp(name, rows[row].name) != 0) row++;
    return row;
}

bool late_is_checked(const Lower *lower, const Instr *instr) {
    return row_of(lower, instr) < ROW_COUNT;
}

// ---- What is known

static bool is_number(const KnownRegister *args, uint32_t which) {
    return which != NONE && args[which].known && args[which].symbol.i == NO_ID;
}

const char *late_string(const Program *program, const KnownRegister *at) {
    if (!at->known || at->symbol.i == NO_ID) return NULL;
    const Symbol *symbol = program_at(program, at->symbol);
    if (!symbol_is_own_object(symbol) || !(symbol->flags & SYMF_CONST) || symbol->data.count < 1)
        return NULL;
    const DataItem *item = &symbol->data.at[0];
    uint64_t size = (uint64_t)item->value, offset = (uint64_t)at->value;
    if (item->kind != DATA_BYTES || offset >= size) return NULL;
    const char *text = (const char *)item->bytes + offset;
    bool ends = memchr(text, 0, size - offset) || symbol->size > size;
    return ends && memchr(text, 0, size - offset) ? text : NULL;
}

static bool needs_no_check(const Program *program, uint32_t row, const KnownRegister *args) {
    bool has_size = rows[row].size != NONE;
    if (has_size && !is_number(args, rows[row].size)) return false;
    uint64_t size = has_size ? (uint64_t)args[rows[row].size].value : UINT64_MAX;
    bool unknown = size == UINT64_MAX;
    const char *source =
        rows[row].source == NONE ? NULL : late_string(program, &args[rows[row].source]);
    bool fits = is_number(args, rows[row].length) && (uint64_t)args[rows[row].length].value <= size;
    switch (rows[row].kind) {
    case CHECK_LENGTH: return unknown || fits;
    case CHECK_STRING: return unknown || (source && strlen(source) < size);
    case CHECK_APPEND: return unknown || (source && !*source);
    case CHECK_FORMAT: break;
    }
    bool plain = has_size && source && !strchr(source, '%');
    bool unguarded = is_number(args, rows[row].flag) && args[rows[row].flag].value == 0;
    if (!plain && !unguarded) return false;
    return unknown || fits || (plain && strlen(source) < size);
}

// ---- The plain call

// The call without the arguments that say what to check.
static void drop_arguments(Lower *lower, Func *func, Node node, uint32_t row) {
    Program *program = lower->program;
    const Instr *call = func_at(func, node);
    const SigInfo *old = program_sig_info(program, (Sig){call->aux});
    Reg *args = ARENA_ARRAY(lower->scratch, Reg, (size_t)call->arg_count + 1);
    PType *types = ARENA_ARRAY(lower->scratch, PType, (size_t)old->param_count + 1);
    SigInfo sig = *old;
    sig.params = types;
    sig.param_count = 0;
    for (uint32_t i = 0; i < call->arg_count; i++) {
        if (i == rows[row].size || i == rows[row].flag) {
            if (i < old->fixed_count) sig.fixed_count--;
            continue;
        }
        types[sig.param_count] = old->params[i];
        args[sig.param_count++] = instr_args(func, call)[i];
    }
    Sig id = program_sig(program, sig);
    Sym plain = program_symbol(program, str_of(&program->strings, rows[row].plain), SYM_FUNC);
    Symbol *symbol = program_at(program, plain);
    if (symbol->sig.i == NO_ID) {
        SigInfo declared = sig;
        declared.param_count = sig.fixed_count;
        symbol->sig = program_sig(program, declared);
        symbol = program_at(program, plain);
    }
    Instr *now = &func->nodes.at[node.i];
    now->ref = plain.i;
    now->aux = id.i;
    func_set_args(func, node, args, sig.param_count);
}

void late_put_block(Func *func, Node node, bool copies, int64_t size) {
    Instr call = func->nodes.at[node.i];
    const Reg *args = instr_args(func, &call);
    Instr builtin = {.kind = I_BUILTIN,
                     .op = copies ? BI_MEMCPY : BI_MEMSET,
                     .dest = NO_REG,
                     .arg_count = 2,
                     .arg = {args[0], args[1]},
                     .succ_count = 1,
                     .succ = {call.succ[0]},
                     .imm = size,
                     .loc = call.loc};
    Reg to = args[0];
    func->nodes.at[node.i] = builtin;
    if (call.dest.i == NO_ID) return;
    Node move = func_add(func, (Instr){.kind = I_OP,
                                       .op = OP_MOVE_I64,
                                       .dest = call.dest,
                                       .arg_count = 1,
                                       .arg = {to},
                                       .succ_count = 1,
                                       .succ = {call.succ[0]},
                                       .loc = call.loc});
    func->nodes.at[node.i].succ[0] = move;
}

// Formats that need none.
static bool fold_print(Lower *lower, Func *func, Node node, uint32_t row, const KnownRegister *args,
                       const Bits *read) {
    const Instr *instr = func_at(func, node);
    uint32_t at = rows[row].source;
    bool unread = instr->dest.i == NO_ID || !bits_has(read, instr->dest.i);
    if (rows[row].size != NONE || !unread) return false;
    const char *format = late_string(lower->program, &args[at]);
    const char *text =
        instr->arg_count == at + 2 ? late_string(lower->program, &args[at + 1]) : NULL;
    return format && late_fold_print(lower, func, node, format, at, text);
}

void late_fold_call(Lower *lower, Func *func, Node node, const KnownRegister *args,
                    const Bits *read) {
    enum { LARGEST = 128 };
    uint32_t row = row_of(lower, func_at(func, node));
    if (row == ROW_COUNT || func_at(func, node)->succ_count != 1) return;
    uint32_t last = rows[row].size == NONE ? rows[row].source : rows[row].size;
    if (func_at(func, node)->arg_count <= last) return;
    if (fold_print(lower, func, node, row, args, read)) return;
    if (!needs_no_check(lower->program, row, args)) return;
    drop_arguments(lower, func, node, row);
    bool copies = strcmp(rows[row].plain, "memcpy") == 0;
    if (!copies && strcmp(rows[row].plain, "memset") != 0) return;
    if (!is_number(args, 2) || args[2].value <= 0 || args[2].value > LARGEST) return;
    late_put_block(func, node, copies, args[2].value);
}
