// Reads and writes the declarations of a certificate, a record each. The previous record of the
// same kind is the guess for the next. Symbols are named first, so that every record can refer to
// them.
#include "cert/declarations.h"

#include "cert/hint_macros.h"
#include "fact/unit_memory.h"
#include "form/mach.h"
#include "target/model.h"

#include <string.h>

#define ID (NONE - 1)

// ---- The program

enum {
    G_TARGET,
    G_PIC,
    G_FRAME_POINTERS,
    G_LOOSE_STACK,
    G_SPLIT_STACK,
    G_RESERVED,
    G_TYPES,
    G_SIGS,
    G_ASMS,
    G_FILE_ASMS,
    G_SYMBOLS,
    G_MEMORY,
    G_FIELDS
};

static const char *pic_word(uint32_t pic) {
    return pic < PIC_COUNT ? pic_name((PicLevel)pic) : NULL;
}

static const RecordField program_fields[G_FIELDS] = {
    [G_TARGET] = {.name = "target", .kind = FIELD_BYTES},
    [G_PIC] = {.name = "code", .kind = FIELD_WORD, .usual = PIC_COUNT, .words = pic_word},
    [G_FRAME_POINTERS] = {.name = "frame_pointers", .kind = FIELD_FLAG},
    [G_LOOSE_STACK] = {.name = "loose_stack", .kind = FIELD_FLAG},
    [G_SPLIT_STACK] = {.name = "split_stack", .kind = FIELD_FLAG},
    [G_RESERVED] = {.name = "reserved",
                    .kind = FIELD_LIST,
                    .most = MACHINE_REG_LIMIT - 1,
                    .place = true},
    [G_TYPES] = {.name = "types", .kind = FIELD_NUMBER, .most = ID},
    [G_SIGS] = {.name = "signatures", .kind = FIELD_NUMBER, .most = ID},
    [G_ASMS] = {.name = "asms", .kind = FIELD_NUMBER, .most = ID},
    [G_FILE_ASMS] = {.name = "file_asms", .kind = FIELD_NUMBER, .most = ID},
    [G_SYMBOLS] = {.name = "symbols", .kind = FIELD_NUMBER, .most = ID},
    [G_MEMORY] = {.name = "memory", .kind = FIELD_FLAG},
};

// The records of one kind: two in turn, so that the one before is the guess.
typedef struct {
    CertCoder *coder;
    RecordTable records;
    TokenRecord two[2];
    int turn;
} DeclarationRow;

static DeclarationRow row_of(CertCoder *coder, const RecordField *fields, uint32_t count) {
    DeclarationRow row = {
        .coder = coder,
        .records = {
            .fields = fields, .count = count, .program = coder->program, .arena = coder->arena}};
    for (int i = 0; i < 2; i++) record_clear(&row.records, &row.two[i]);
    return row;
}

// The record to write, as `fill` leaves it, or the record that was read.
static TokenRecord *row_clear(DeclarationRow *row) {
    row->turn = !row->turn;
    record_clear(&row->records, &row->two[row->turn]);
    return &row->two[row->turn];
}

static void row_code(DeclarationRow *row) {
    const TokenRecord *record = &row->two[row->turn];
    record_code(&row->coder->t, &row->records, &row->two[row->turn], &row->two[!row->turn]);
    uint64_t size = record->bytes.length;
    for (uint32_t i = 0; i < RECORD_LISTS; i++) size += record->list[i].count;
    if (row->coder->t.at) coder_spend(row->coder, size);
}

// Sets of machine registers are lists of them.
static void list_set(const CertCoder *coder, TokenRecord *record, uint32_t list,
                     MachineRegSet set) {
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(set, reg)) vec_push(coder->t.scratch, &record->list[list], reg);
}

static MachineRegSet set_of_list(const TokenRecord *record, uint32_t list) {
    MachineRegSet set = NO_REGS;
    for (uint32_t k = 0; k < record->list[list].count; k++)
        regs_add(&set, (MachineReg)record->list[list].at[k]);
    return set;
}

static bool reading(const CertCoder *coder) {
    return coder->t.at != NULL;
}

// ---- Types of parameters and signatures

enum { T_SIZE, T_ALIGN, T_PARTS, T_FIELDS };
static const RecordField type_fields[T_FIELDS] = {
    [T_SIZE] = {.name = "size", .kind = FIELD_NUMBER, .most = INT64_MAX},
    [T_ALIGN] = {.name = "align", .kind = FIELD_NUMBER, .most = UINT32_MAX},
    [T_PARTS] = {.name = "parts", .kind = FIELD_LIST, .most = TYPE_COUNT - 1},
};

static void code_type(DeclarationRow *row, uint32_t i) {
    Program *program = row->coder->program;
    TokenRecord *record = row_clear(row);
    token_label(&row->coder->t, "type");
    if (!reading(row->coder)) {
        const ParamType *type = &program->ptypes.at[i];
        record->value[T_SIZE] = type->size;
        record->value[T_ALIGN] = type->align;
        for (uint32_t k = 0; k < type->parts; k++)
            vec_push(row->coder->t.scratch, &record->list[0], type->part[k]);
    }
    row_code(row);
    if (!reading(row->coder)) return;
    ParamType type = {.type = TYPE_VOID,
                      .size = record->value[T_SIZE],
                      .align = (uint32_t)record->value[T_ALIGN],
                      .parts = (uint8_t)record->list[0].count};
    bool good = record->list[0].count <= PARTS_LIMIT && type.size;
    for (uint32_t k = 0; good && k < type.parts; k++) type.part[k] = (Type)record->list[0].at[k];
    if (!good || program_ptype(program, type).i != i)
        tokens_fail(&row->coder->t, "this is no new type of a parameter");
}

enum { S_RESULT, S_PARAMS, S_FIXED, S_VARIADIC, S_TWICE, S_C_TYPE, S_FIELDS };
static const RecordField sig_fields[S_FIELDS] = {
    [S_RESULT] = {.name = "result", .kind = FIELD_NUMBER, .most = ID},
    [S_PARAMS] = {.name = "params", .kind = FIELD_LIST, .most = ID},
    [S_FIXED] = {.name = "fixed", .kind = FIELD_NUMBER, .most = ID},
    [S_VARIADIC] = {.name = "variadic", .kind = FIELD_FLAG},
    [S_TWICE] = {.name = "returns_twice", .kind = FIELD_FLAG},
    [S_C_TYPE] = {.name = "as", .kind = FIELD_NUMBER, .most = UINT16_MAX},
};

static void code_sig(DeclarationRow *row, uint32_t i) {
    Program *program = row->coder->program;
    Arena *arena = row->coder->arena;
    TokenRecord *record = row_clear(row);
    token_label(&row->coder->t, "signature");
    if (!reading(row->coder)) {
        const SigInfo *sig = &program->sigs.at[i];
        record->value[S_RESULT] = sig->result.i;
        record->value[S_FIXED] = sig->fixed_count;
        record->value[S_VARIADIC] = sig->variadic;
        record->value[S_TWICE] = sig->returns_twice;
        record->value[S_C_TYPE] = sig->c_type;
        for (uint32_t k = 0; k < sig->param_count; k++)
            vec_push(row->coder->t.scratch, &record->list[0], sig->params[k].i);
    }
    row_code(row);
    if (!reading(row->coder)) return;
    SigInfo sig = {.result = {(uint32_t)record->value[S_RESULT]},
                   .param_count = record->list[0].count,
                   .fixed_count = (uint32_t)record->value[S_FIXED],
                   .variadic = record->value[S_VARIADIC],
                   .returns_twice = record->value[S_TWICE],
                   .c_type = (uint16_t)record->value[S_C_TYPE]};
    PType *params = ARENA_ARRAY(arena, PType, sig.param_count);
    for (uint32_t k = 0; k < sig.param_count; k++) params[k].i = (uint32_t)record->list[0].at[k];
    sig.params = params;
    if (program_sig(program, sig).i != i) tokens_fail(&row->coder->t, "this is no new signature");
}

// ---- Assembler text

enum { A_TEXT, A_INPUTS, A_OUTPUTS, A_DESTROYS, A_FIELDS };
static const RecordField asm_fields[A_FIELDS] = {
    [A_TEXT] = {.name = "text", .kind = FIELD_BYTES},
    [A_INPUTS] = {.name = "inputs", .kind = FIELD_LIST, .most = INT32_MAX, .list = 0},
    [A_OUTPUTS] = {.name = "outputs", .kind = FIELD_LIST, .most = INT32_MAX, .list = 1},
    [A_DESTROYS] = {.name = "destroys",
                    .kind = FIELD_LIST,
                    .most = MACHINE_REG_LIMIT - 1,
                    .list = 2,
                    .place = true},
};

static Str text_of(CertCoder *coder, TokenBytes bytes) {
    return str_intern(&coder->program->strings, bytes.at, bytes.length);
}

static TokenBytes bytes_of(const CertCoder *coder, Str text) {
    return (TokenBytes){program_text(coder->program, text),
                        str_length(&coder->program->strings, text)};
}

// Register, chunk and offset of each.
static void list_moves(CertCoder *coder, TokenRecord *record, const AsmStatement *statement) {
    for (uint32_t out = 0; out < 2; out++) {
        uint32_t count = out ? statement->outputs.count : statement->inputs.count;
        for (uint32_t k = 0; k < count; k++) {
            AsmOperandMove move = out ? statement->outputs.at[k] : statement->inputs.at[k];
            vec_push(coder->t.scratch, &record->list[out], move.reg);
            vec_push(coder->t.scratch, &record->list[out], move.chunk);
            vec_push(coder->t.scratch, &record->list[out], move.offset);
        }
    }
}

static bool take_moves(CertCoder *coder, const TokenRecord *record, AsmStatement *statement) {
    for (uint32_t out = 0; out < 2; out++) {
        if (record->list[out].count % 3) return false;
        for (uint32_t k = 0; k < record->list[out].count; k += 3) {
            const uint64_t *at = record->list[out].at + k;
            AsmOperandMove move = {(uint8_t)at[0], (uint8_t)at[1], (uint32_t)at[2]};
            if (at[0] > UINT8_MAX || at[1] > UINT8_MAX) return false;
            if (out)
                vec_push(coder->arena, &statement->outputs, move);
            else
                vec_push(coder->arena, &statement->inputs, move);
        }
    }
    return true;
}

static void code_asm(DeclarationRow *row, uint32_t i) {
    CertCoder *coder = row->coder;
    TokenRecord *record = row_clear(row);
    token_label(&coder->t, "asm");
    if (!reading(coder)) {
        const AsmStatement *statement = &coder->program->asms.at[i];
        record->bytes = bytes_of(coder, statement->text);
        list_set(coder, record, 2, statement->destroys);
        list_moves(coder, record, statement);
    }
    row_code(row);
    if (!reading(coder)) return;
    AsmStatement statement = {.text = text_of(coder, record->bytes),
                              .destroys = set_of_list(record, 2)};
    if (!take_moves(coder, record, &statement))
        tokens_fail(&coder->t, "operands are a register, a chunk and an offset each");
    vec_push(coder->arena, &coder->program->asms, statement);
}

static void code_file_asm(CertCoder *coder, uint32_t i) {
    TokenBytes bytes = {0};
    token_label(&coder->t, "file_asm");
    if (!reading(coder)) bytes = bytes_of(coder, coder->program->file_asms.at[i]);
    bytes = token_bytes(&coder->t, bytes);
    token_line(&coder->t);
    if (reading(coder)) vec_push(coder->arena, &coder->program->file_asms, text_of(coder, bytes));
}

// ---- Symbols

static void code_name(CertCoder *coder, uint32_t i) {
    TokenBytes bytes = {0};
    token_label(&coder->t, "name");
    if (!reading(coder)) bytes = bytes_of(coder, coder->program->symbols.at[i].name);
    bytes = token_bytes(&coder->t, bytes);
    token_line(&coder->t);
    if (reading(coder) && program_symbol(coder->program, text_of(coder, bytes), SYM_DATA).i != i)
        tokens_fail(&coder->t, "this symbol was named already");
}

enum {
    Y_SYMBOL,
    Y_KIND,
    Y_LINKAGE,
    Y_VISIBILITY,
    Y_DEFINED,
    Y_FLAGS,
    Y_FLAG_COUNT = 24,
    Y_SECTION = Y_FLAGS + Y_FLAG_COUNT,
    Y_ALIAS,
    Y_SIZE,
    Y_ALIGN,
    Y_SIG,
    Y_CONSTRUCTOR,
    Y_DESTRUCTOR,
    Y_DATA,
    Y_FIELDS
};

static const char *kind_word(uint32_t kind) {
    static const char *const names[] = {"data", "function"};
    return kind <= SYM_FUNC ? names[kind] : NULL;
}

static const char *linkage_word(uint32_t linkage) {
    static const char *const names[] = {"export", "static", "weak", "common"};
    return linkage <= LINK_COMMON ? names[linkage] : NULL;
}

static const char *visibility_word(uint32_t visibility) {
    static const char *const names[] = {"default", "hidden", "protected", "internal"};
    return visibility <= VIS_INTERNAL ? names[visibility] : NULL;
}

// In the order of the bits of Symbol.flags.
static const RecordField symbol_fields[Y_FIELDS] = {
    [Y_SYMBOL] = {.name = "symbol", .kind = FIELD_SYMBOL, .usual = NONE},
    [Y_KIND] = {.name = "kind", .kind = FIELD_WORD, .words = kind_word},
    [Y_LINKAGE] = {.name = "linkage", .kind = FIELD_WORD, .words = linkage_word},
    [Y_VISIBILITY] = {.name = "visibility", .kind = FIELD_WORD, .words = visibility_word},
    [Y_DEFINED] = {.name = "defined", .kind = FIELD_FLAG},
    [Y_FLAGS] = {.name = "const", .kind = FIELD_FLAG},
    [Y_FLAGS + 1] = {.name = "noreturn", .kind = FIELD_FLAG},
    [Y_FLAGS + 2] = {.name = "noinline", .kind = FIELD_FLAG},
    [Y_FLAGS + 3] = {.name = "alwaysinline", .kind = FIELD_FLAG},
    [Y_FLAGS + 4] = {.name = "used", .kind = FIELD_FLAG},
    [Y_FLAGS + 5] = {.name = "returns_twice", .kind = FIELD_FLAG},
    [Y_FLAGS + 6] = {.name = "thread", .kind = FIELD_FLAG},
    [Y_FLAGS + 7] = {.name = "replaceable", .kind = FIELD_FLAG},
    [Y_FLAGS + 8] = {.name = "retain", .kind = FIELD_FLAG},
    [Y_FLAGS + 9] = {.name = "version", .kind = FIELD_FLAG},
    [Y_FLAGS + 10] = {.name = "guarded", .kind = FIELD_FLAG},
    [Y_FLAGS + 11] = {.name = "unguarded", .kind = FIELD_FLAG},
    [Y_FLAGS + 12] = {.name = "buffer_param", .kind = FIELD_FLAG},
    [Y_FLAGS + 13] = {.name = "untracked", .kind = FIELD_FLAG},
    [Y_FLAGS + 14] = {.name = "zero", .kind = FIELD_FLAG},
    [Y_FLAGS + 15] = {.name = "zero_none", .kind = FIELD_FLAG},
    [Y_FLAGS + 16] = {.name = "zero_used", .kind = FIELD_FLAG},
    [Y_FLAGS + 17] = {.name = "zero_general", .kind = FIELD_FLAG},
    [Y_FLAGS + 18] = {.name = "zero_arguments", .kind = FIELD_FLAG},
    [Y_FLAGS + 19] = {.name = "naked", .kind = FIELD_FLAG},
    [Y_FLAGS + 20] = {.name = "unsplit", .kind = FIELD_FLAG},
    [Y_FLAGS + 21] = {.name = "keeps_all", .kind = FIELD_FLAG},
    [Y_FLAGS + 22] = {.name = "interrupt", .kind = FIELD_FLAG},
    [Y_FLAGS + 23] = {.name = "indirect", .kind = FIELD_FLAG},
    [Y_SECTION] = {.name = "section", .kind = FIELD_BYTES},
    [Y_ALIAS] = {.name = "alias", .kind = FIELD_SYMBOL, .usual = NONE},
    [Y_SIZE] = {.name = "size", .kind = FIELD_NUMBER, .most = UINT64_MAX},
    [Y_ALIGN] = {.name = "align", .kind = FIELD_NUMBER, .usual = 1, .most = UINT32_MAX},
    [Y_SIG] = {.name = "signature", .kind = FIELD_NUMBER, .usual = NONE, .most = ID},
    [Y_CONSTRUCTOR] = {.name = "constructor", .kind = FIELD_SIGNED, .usual = UINT64_MAX},
    [Y_DESTRUCTOR] = {.name = "destructor", .kind = FIELD_SIGNED, .usual = UINT64_MAX},
    [Y_DATA] = {.name = "items", .kind = FIELD_NUMBER, .most = ID},
};
_Static_assert(SYMF_INDIRECT == 1 << (Y_FLAG_COUNT - 1), "a field for each flag");
_Static_assert((int)Y_FIELDS <= (int)RECORD_FIELDS, "room for each field");

// The last target of an alias; the alias itself if that is not known. An indirect function has a
// type of its own.
static const Symbol *aliased(const Program *program, const Symbol *symbol) {
    for (uint32_t i = 0; i < program->symbols.count && symbol->alias.i < program->symbols.count &&
                         !(symbol->flags & SYMF_INDIRECT);
         i++)
        symbol = program_at(program, symbol->alias);
    return symbol;
}

static void fill_symbol(const CertCoder *coder, TokenRecord *record, uint32_t i) {
    const Symbol *symbol = &coder->program->symbols.at[i];
    const Symbol *target = aliased(coder->program, symbol);
    record->value[Y_SYMBOL] = i;
    record->value[Y_KIND] = target->kind;
    record->value[Y_LINKAGE] = symbol->linkage;
    record->value[Y_VISIBILITY] = symbol->visibility;
    record->value[Y_DEFINED] = symbol->defined;
    for (uint32_t bit = 0; bit < Y_FLAG_COUNT; bit++)
        record->value[Y_FLAGS + bit] = symbol->flags >> bit & 1;
    record->bytes = bytes_of(coder, symbol->section);
    record->value[Y_ALIAS] = symbol->alias.i;
    record->value[Y_SIZE] = target->size;
    record->value[Y_ALIGN] = target->align;
    record->value[Y_SIG] = target->sig.i;
    record->value[Y_CONSTRUCTOR] = (uint64_t)(int64_t)symbol->constructor;
    record->value[Y_DESTRUCTOR] = (uint64_t)(int64_t)symbol->destructor;
    record->value[Y_DATA] = symbol->data.count;
}

static void store_symbol(CertCoder *coder, const TokenRecord *record, uint32_t i) {
    Symbol *symbol = &coder->program->symbols.at[i];
    int64_t constructor = (int64_t)record->value[Y_CONSTRUCTOR];
    int64_t destructor = (int64_t)record->value[Y_DESTRUCTOR];
    symbol->kind = (SymKind)record->value[Y_KIND];
    symbol->linkage = (Linkage)record->value[Y_LINKAGE];
    symbol->visibility = (Visibility)record->value[Y_VISIBILITY];
    symbol->defined = record->value[Y_DEFINED];
    for (uint32_t bit = 0; bit < Y_FLAG_COUNT; bit++)
        symbol->flags |= (uint32_t)record->value[Y_FLAGS + bit] << bit;
    symbol->section = text_of(coder, record->bytes);
    symbol->alias.i = (uint32_t)record->value[Y_ALIAS];
    symbol->size = record->value[Y_SIZE];
    symbol->align = (uint32_t)record->value[Y_ALIGN];
    symbol->sig.i = (uint32_t)record->value[Y_SIG];
    symbol->constructor = (int32_t)constructor;
    symbol->destructor = (int32_t)destructor;
    if (record->value[Y_SYMBOL] != i || constructor != symbol->constructor ||
        destructor != symbol->destructor)
        tokens_fail(&coder->t, "this is not how the symbol that is next is described");
}

// ---- Data

enum { D_KIND, D_VALUE, D_SYMBOL, D_BYTES, D_FIELDS };

static const char *data_word(uint32_t kind) {
    static const char *const names[] = {"bytes", "zero", "i8", "i16", "i32", "i64", "address"};
    return kind <= DATA_ADDR ? names[kind] : NULL;
}

static const RecordField data_fields[D_FIELDS] = {
    [D_KIND] = {.name = "item", .kind = FIELD_WORD, .usual = DATA_ADDR + 1, .words = data_word},
    [D_VALUE] = {.name = "value", .kind = FIELD_SIGNED},
    [D_SYMBOL] = {.name = "symbol", .kind = FIELD_SYMBOL, .usual = NONE},
    [D_BYTES] = {.name = "text", .kind = FIELD_BYTES},
};

static void code_item(DeclarationRow *row, Symbol *symbol, uint32_t i) {
    CertCoder *coder = row->coder;
    TokenRecord *record = row_clear(row);
    if (coder->t.out && coder->t.out_text) out_text(coder->t.out, "  ");
    if (!reading(coder)) {
        const DataItem *item = &symbol->data.at[i];
        bool bytes = item->kind == DATA_BYTES;
        record->value[D_KIND] = item->kind;
        record->value[D_VALUE] = bytes ? 0 : (uint64_t)item->value;
        record->value[D_SYMBOL] = item->kind == DATA_ADDR ? item->symbol.i : NO_ID;
        if (bytes) record->bytes = (TokenBytes){(const char *)item->bytes, (uint32_t)item->value};
    }
    row_code(row);
    if (!reading(coder)) return;
    DataItem item = {.kind = (uint8_t)record->value[D_KIND],
                     .symbol = {(uint32_t)record->value[D_SYMBOL]},
                     .value = (int64_t)record->value[D_VALUE]};
    if (item.kind == DATA_BYTES) {
        item.value = record->bytes.length;
        item.bytes = arena_copy(coder->arena, record->bytes.at, record->bytes.length);
    }
    vec_push(coder->arena, &symbol->data, item);
}

static void code_symbol(DeclarationRow *row, DeclarationRow *items, uint32_t i) {
    CertCoder *coder = row->coder;
    TokenRecord *record = row_clear(row);
    if (!reading(coder)) fill_symbol(coder, record, i);
    row->two[!row->turn].value[Y_SYMBOL] = i; // the guess
    row_code(row);
    if (reading(coder)) store_symbol(coder, record, i);
    Symbol *symbol = &coder->program->symbols.at[i];
    for (uint64_t k = 0; k < record->value[Y_DATA] && tokens_good(&coder->t); k++)
        code_item(items, symbol, (uint32_t)k);
}

// An alias has the kind, type and size of its target, unless it is an indirect function.
static void check_aliases(CertCoder *coder) {
    const Program *program = coder->program;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->alias.i == NO_ID || symbol->flags & SYMF_INDIRECT) continue;
        const Symbol *target = program_at(program, symbol->alias);
        if (symbol->kind != target->kind || symbol->sig.i != target->sig.i ||
            symbol->size != target->size || symbol->align != target->align)
            tokens_fail(&coder->t, "an alias is not like what it stands for");
    }
}

// ---- All of it

// The machine that the program is for: that of the models which has the name.
static void take_target(CertCoder *coder, TokenBytes name) {
    const TargetModel *target = target_model_named(name.at, name.length);
    if (target) {
        coder_set_target(coder, target);
        return;
    }
    Out out = {0};
    out_text(&out, "the machine ");
    out_quoted(&out, name.at, name.length);
    out_text(&out, " is not known here, only");
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        out_printf(&out, "%s %s", i ? "," : "", target_models[i]->name);
    tokens_fail(&coder->t, arena_text(coder->t.scratch, out.text, out.length));
    out_free(&out);
}

static void code_program(CertCoder *coder, uint64_t *counts) {
    Program *program = coder->program;
    DeclarationRow row = row_of(coder, program_fields, G_FIELDS);
    TokenRecord *record = row_clear(&row);
    if (!reading(coder)) {
        record->bytes =
            (TokenBytes){program->target->name, (uint32_t)strlen(program->target->name)};
        record->value[G_PIC] = program->pic;
        record->value[G_FRAME_POINTERS] = program->frame_pointer;
        record->value[G_LOOSE_STACK] = program->loose_stack;
        record->value[G_SPLIT_STACK] = program->split_stack;
        list_set(coder, record, 0, program->reserved);
        record->value[G_TYPES] = program->ptypes.count - TYPE_COUNT;
        record->value[G_SIGS] = program->sigs.count;
        record->value[G_ASMS] = program->asms.count;
        record->value[G_FILE_ASMS] = program->file_asms.count;
        record->value[G_SYMBOLS] = program->symbols.count;
        record->value[G_MEMORY] = program->unit != NULL;
    }
    row_code(&row);
    if (!record->bytes.length)
        tokens_fail(&coder->t,
                    "the declarations do not say which machine the code is for: 'target'");
    if (reading(coder) && tokens_good(&coder->t)) take_target(coder, record->bytes);
    if (record->value[G_PIC] == PIC_COUNT)
        tokens_fail(&coder->t, "the declarations do not say what machine code goes by: 'code'");
    if (reading(coder) && tokens_good(&coder->t)) {
        program->pic = (PicLevel)record->value[G_PIC];
        program->frame_pointer = record->value[G_FRAME_POINTERS];
        program->loose_stack = record->value[G_LOOSE_STACK];
        program->split_stack = record->value[G_SPLIT_STACK];
        program->reserved = set_of_list(record, 0);
    }
    memcpy(counts, record->value, G_FIELDS * sizeof *counts);
}

// ---- Claims about the memory of the unit

static const HintField memory_fields[] = {
    VECTOR(UnitMemory, family_of),
    COLUMN(UnitMemory, effects, UnitEffect, writes),
    COLUMN(UnitMemory, effects, UnitEffect, reads),
    COLUMN(UnitMemory, effects, UnitEffect, effects),
    COLUMN(UnitMemory, effects, UnitEffect, depth),
    COLUMN(UnitMemory, effects, UnitEffect, yields),
    VECTOR(UnitMemory, params),
    COLUMN(UnitMemory, ranges, UnitRange, of),
    COLUMN(UnitMemory, ranges, UnitRange, range.low),
    COLUMN(UnitMemory, ranges, UnitRange, range.high),
    COLUMN(UnitMemory, ranges, UnitRange, range.least),
    COLUMN(UnitMemory, ranges, UnitRange, range.most),
    COLUMN(UnitMemory, ranges, UnitRange, range.zeros),
    COLUMN(UnitMemory, ranges, UnitRange, range.ones),
    NUMBER(UnitMemory, passed_read),
    NUMBER(UnitMemory, passed_written),
};
static const HintShape memory_shape = {memory_fields, sizeof memory_fields / sizeof *memory_fields,
                                       sizeof(UnitMemory)};

static void code_memory(CertCoder *coder) {
    UnitMemory memory = {0};
    if (!reading(coder)) memory = *coder->program->unit;
    columns_code(&coder->t, coder->arena, &memory_shape, &memory, &coder->budget);
    if (!reading(coder)) return;
    coder->memory = ARENA_NEW(coder->arena, UnitMemory);
    *coder->memory = memory;
}

#define EACH(i, count) (uint32_t i = 0; i < (count) && tokens_good(&coder->t); i++)

void declarations_code(CertCoder *coder) {
    uint64_t counts[G_FIELDS];
    code_program(coder, counts);
    DeclarationRow types = row_of(coder, type_fields, T_FIELDS),
                   sigs = row_of(coder, sig_fields, S_FIELDS);
    DeclarationRow asms = row_of(coder, asm_fields, A_FIELDS),
                   items = row_of(coder, data_fields, D_FIELDS);
    DeclarationRow symbols = row_of(coder, symbol_fields, Y_FIELDS);
    for
        EACH(i, counts[G_TYPES]) code_type(&types, TYPE_COUNT + i);
    for
        EACH(i, counts[G_SIGS]) code_sig(&sigs, i);
    for
        EACH(i, counts[G_ASMS]) code_asm(&asms, i);
    for
        EACH(i, counts[G_FILE_ASMS]) code_file_asm(coder, i);
    for
        EACH(i, counts[G_SYMBOLS]) code_name(coder, i);
    for
        EACH(i, counts[G_SYMBOLS]) code_symbol(&symbols, &items, i);
    if (counts[G_MEMORY] && tokens_good(&coder->t)) code_memory(coder);
    if (reading(coder) && tokens_good(&coder->t)) check_aliases(coder);
}
