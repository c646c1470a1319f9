#include "slice/condition_text.h"

#include "base/bits.h"
#include "base/out.h"
#include "fact/effects.h"
#include "form/value.h"

#include <ctype.h>
#include <string.h>

struct ConditionTexts {
    Arena *arena;
    const Func *func;
    const Definition *definitions;
    SourceText source;
    Map branch_of_loc; // location -> a branch there
    Bits ambiguous;    // locations of different branches
};

// Whether two branches with one location come from one condition: copies of one node.
static bool same_condition(const Func *func, const Instr *a, const Instr *b) {
    if (a->kind != b->kind || a->op != b->op || a->arg_count != b->arg_count || a->imm != b->imm ||
        a->succ_count != b->succ_count)
        return false;
    for (uint32_t k = 0; k < a->arg_count; k++) {
        const RegInfo *x = &func->regs.at[instr_args(func, a)[k].i];
        const RegInfo *y = &func->regs.at[instr_args(func, b)[k].i];
        if (x->number != y->number || !str_same(x->name, y->name)) return false;
    }
    return true;
}

ConditionTexts *condition_texts_new(Arena *arena, const Func *func, SourceText source) {
    ConditionTexts *texts = ARENA_NEW(arena, ConditionTexts);
    *texts = (ConditionTexts){.arena = arena,
                              .func = func,
                              .definitions = definitions_of(arena, func),
                              .source = source,
                              .ambiguous = bits_new(arena, func->program->locs.count)};
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (!instr_is_branch(instr)) continue;
        uint32_t other = map_get(&texts->branch_of_loc, instr->loc);
        if (other == HASH_NONE)
            map_set(arena, &texts->branch_of_loc, instr->loc, n);
        else if (!same_condition(func, instr, &func->nodes.at[other]))
            bits_add(&texts->ambiguous, instr->loc);
    }
    return texts;
}

// ---- From the source

// What is behind a comment, a string or a character that begins here; the same place if none does.
static const char *skip_quoted(const char *at) {
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'') return at;
    char quote = *at++;
    while (*at && *at != quote) at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static bool ends_condition(const char *at) {
    return *at == '\0' || strchr(")]};,?:", *at) || (at[0] == '&' && at[1] == '&') ||
           (at[0] == '|' && at[1] == '|');
}

// The text from here to the end of the condition, with one blank for each run of them; NULL if it
// is empty or looks like no condition.
static const char *scan_condition(Arena *arena, const char *at) {
    enum { LONGEST = 200 }; // what is longer is no help to a reader
    Out out = {0};
    uint32_t depth = 0;
    while ((depth || !ends_condition(at)) && *at && out.length < LONGEST) {
        const char *next = skip_quoted(at);
        if (next != at) {
            if (*at != '/') out_bytes(&out, at, (size_t)(next - at));
            at = next;
            continue;
        }
        if (strchr("([{", *at)) depth++;
        if (strchr(")]}", *at)) depth--;
        bool blank = isspace((unsigned char)*at);
        if (!blank)
            out_char(&out, *at);
        else if (out.length && out.text[out.length - 1] != ' ')
            out_char(&out, ' ');
        at++;
    }
    while (out.length && out.text[out.length - 1] == ' ') out.length--;
    bool whole = *at && out.length && out.length < LONGEST;
    const char *text = whole ? arena_text(arena, out.text, out.length) : NULL;
    out_free(&out);
    return text;
}

// A statement's location is its keyword; its condition is what follows in brackets. NULL if it has
// none.
static const char *behind_keyword(const char *at) {
    static const char *const keywords[] = {"switch", "if", "while"};
    static const char *const others[] = {"for", "do", "return", "case", "default", "goto"};
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    for (uint32_t i = 0; i < sizeof others / sizeof *others; i++)
        if (length == strlen(others[i]) && memcmp(at, others[i], length) == 0) return NULL;
    for (uint32_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (length != strlen(keywords[i]) || memcmp(at, keywords[i], length) != 0) continue;
        for (at += length; isspace((unsigned char)*at); at++) {
        }
        return *at == '(' ? at + 1 : NULL;
    }
    return at;
}

static const char *source_condition(ConditionTexts *texts, const Instr *branch) {
    if (!texts->source.from_line || !branch->loc || bits_has(&texts->ambiguous, branch->loc))
        return NULL;
    Loc loc = texts->func->program->locs.at[branch->loc];
    const char *line = texts->source.from_line(texts->source.context, loc.file, loc.line);
    if (!line || !loc.column || memchr(line, '\n', loc.column) ||
        strnlen(line, loc.column) < loc.column)
        return NULL;
    const char *at = behind_keyword(line + loc.column - 1);
    return at ? scan_condition(texts->arena, at) : NULL;
}

// ---- From registers

enum { DEEPEST = 8 }; // of an expression that is written down

static const char *c_operator(OpFamily family) {
    switch (family) {
    case FAM_ADD: return "+";
    case FAM_SUB: return "-";
    case FAM_MUL: return "*";
    case FAM_DIV:
    case FAM_DIVS:
    case FAM_DIVU: return "/";
    case FAM_MODS:
    case FAM_MODU: return "%";
    case FAM_AND: return "&";
    case FAM_OR: return "|";
    case FAM_XOR: return "^";
    case FAM_SHL: return "<<";
    case FAM_SHR:
    case FAM_SAR: return ">>";
    case FAM_EQ: return "==";
    case FAM_NE: return "!=";
    case FAM_LT:
    case FAM_ULT: return "<";
    case FAM_LE:
    case FAM_ULE: return "<=";
    case FAM_GT:
    case FAM_UGT: return ">";
    case FAM_GE:
    case FAM_UGE: return ">=";
    default: return NULL;
    }
}

// Conversions are not written: C does most of them by itself.
static bool is_conversion(OpFamily family) {
    switch (family) {
    case FAM_MOVE:
    case FAM_SEXT8:
    case FAM_SEXT16:
    case FAM_ZEXT8:
    case FAM_ZEXT16:
    case FAM_SEXT:
    case FAM_ZEXT:
    case FAM_TRUNC:
    case FAM_CVT_I32:
    case FAM_CVT_I64:
    case FAM_CVT_U32:
    case FAM_CVT_U64:
    case FAM_CVT_F32:
    case FAM_CVT_F64:
    case FAM_CVT_F80:
    case FAM_CVTU_F32:
    case FAM_CVTU_F64:
    case FAM_CVTU_F80: return true;
    default: return false;
    }
}

static void write_reg(ConditionTexts *texts, Out *out, Reg reg, int depth);

static void write_operands(ConditionTexts *texts, Out *out, const Instr *instr, int depth) {
    OpFamily family = op_family(instr->op);
    const char *name = c_operator(family);
    const Reg *args = instr_args(texts->func, instr);
    uint32_t count = instr->arg_count + instr->immediate;
    if (!name || count != 2) {
        out_text(out, family == FAM_NEG ? "-" : family == FAM_NOT ? "~" : op_info(instr->op)->name);
        out_char(out, '(');
    }
    for (uint32_t k = 0; k < count; k++) {
        if (k) out_printf(out, name && count == 2 ? " %s " : ", ", name);
        if (k < instr->arg_count)
            write_reg(texts, out, args[k], depth);
        else
            out_i64(out, instr->imm);
    }
    if (!name || count != 2) out_char(out, ')');
}

static void write_object(ConditionTexts *texts, Out *out, BaseKind base, uint32_t ref) {
    const Func *func = texts->func;
    Str name =
        base == BASE_SLOT ? func->slots.at[ref].name : program_at(func->program, (Sym){ref})->name;
    if (base == BASE_SLOT && str_same(name, STR_NONE))
        out_text(out, "...");
    else
        out_text(out, program_text(func->program, name));
}

// What is at an address: a variable, an element, or bytes behind a pointer.
static void write_access(ConditionTexts *texts, Out *out, const Instr *instr, int depth) {
    const Reg *args = instr_args(texts->func, instr);
    bool pointer = instr->base == BASE_REG || instr->base == BASE_NONE;
    if (pointer && !instr->scale) out_char(out, '*');
    if (pointer && instr->imm) out_char(out, '(');
    if (instr->base == BASE_REG)
        write_reg(texts, out, args[0], depth);
    else if (instr->base != BASE_NONE)
        write_object(texts, out, (BaseKind)instr->base, instr->ref);
    if (instr->imm) out_printf(out, pointer ? " + %lld)" : ".%lld", (long long)instr->imm);
    if (!instr->scale) return;
    out_char(out, '[');
    write_reg(texts, out, args[instr->base == BASE_REG], depth);
    out_char(out, ']');
}

static void write_constant(Out *out, const Func *func, Reg reg, const Instr *instr) {
    Type type = reg_type(func, reg);
    if (type_is_int(type))
        out_i64(out, instr->imm);
    else if (type == TYPE_F64)
        out_printf(out, "%g", as_f64((Value){.bits = (uint64_t)instr->imm}));
    else if (type == TYPE_F32)
        out_printf(out, "%g", (double)as_f32((Value){.bits = (uint32_t)instr->imm}));
    else
        out_text(out, "...");
}

// ---- Tests of characters

// The C library's isdigit and its like are macros for lookups in tables: they are written by their
// names.
typedef struct {
    const char *name; // NULL if a register holds something else
    Reg character;
} CharacterTest;

static const Instr *defined_by(const ConditionTexts *texts, Reg reg) {
    const Instr *instr = defining_instr(texts->func, texts->definitions, reg);
    while (instr && instr->kind == I_OP && is_conversion(op_family(instr->op)) &&
           instr->arg_count == 1)
        instr = defining_instr(texts->func, texts->definitions, instr->arg[0]);
    return instr;
}

// The element of the table that a function of the library yields; NULL if it is something else.
static const Instr *table_element(const ConditionTexts *texts, Reg reg, const char *function) {
    const Func *func = texts->func;
    const Instr *element = defined_by(texts, reg);
    if (!element || element->kind != I_LOAD || element->base != BASE_REG || !element->scale)
        return NULL;
    const Instr *table = defined_by(texts, instr_args(func, element)[0]);
    if (!table || table->kind != I_LOAD || table->base != BASE_REG || table->scale) return NULL;
    const Instr *call = defined_by(texts, instr_args(func, table)[0]);
    if (!call || call->kind != I_CALL || call->ref == NO_ID) return NULL;
    const char *name =
        program_text(func->program, program_at(func->program, (Sym){call->ref})->name);
    return strcmp(name, function) == 0 ? element : NULL;
}

static CharacterTest character_test(const ConditionTexts *texts, Reg reg) {
    static const struct {
        const char *name;
        int64_t mask; // in the tables of glibc
    } rows[] = {{"isupper", 1 << 8},  {"islower", 1 << 9},   {"isalpha", 1 << 10},
                {"isdigit", 1 << 11}, {"isxdigit", 1 << 12}, {"isspace", 1 << 13},
                {"isprint", 1 << 14}, {"isgraph", 1 << 15},  {"isblank", 1},
                {"iscntrl", 2},       {"ispunct", 4},        {"isalnum", 8}};
    const Instr *instr = defined_by(texts, reg), *element = NULL;
    CharacterTest test = {0};
    if (instr && instr->kind == I_OP && op_family(instr->op) == FAM_AND && instr->immediate)
        element = table_element(texts, instr->arg[0], "__ctype_b_loc");
    for (uint32_t i = 0; element && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].mask == (instr->imm & 0xffff)) test.name = rows[i].name;
    if (!element && (element = table_element(texts, reg, "__ctype_tolower_loc")))
        test.name = "tolower";
    if (!element && (element = table_element(texts, reg, "__ctype_toupper_loc")))
        test.name = "toupper";
    if (element) test.character = instr_args(texts->func, element)[1];
    return test;
}

static void write_test(ConditionTexts *texts, Out *out, CharacterTest test, int depth) {
    out_printf(out, "%s(", test.name);
    write_reg(texts, out, test.character, depth);
    out_char(out, ')');
}

static void write_instr(ConditionTexts *texts, Out *out, Reg reg, const Instr *instr, int depth) {
    const Func *func = texts->func;
    CharacterTest test = character_test(texts, reg);
    if (test.name) {
        write_test(texts, out, test, depth);
    } else if (instr->kind == I_LOAD) {
        write_access(texts, out, instr, depth);
    } else if (instr->kind == I_CALL && instr->ref != NO_ID) {
        write_object(texts, out, BASE_SYMBOL, instr->ref);
        out_text(out, "(...)");
    } else if (instr->kind != I_OP) {
        out_text(out, "...");
    } else if (op_family(instr->op) == FAM_CONST) {
        write_constant(out, func, reg, instr);
    } else if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) {
        out_char(out, '&');
        write_object(texts, out, instr->op == OP_ADDR_SLOT ? BASE_SLOT : BASE_SYMBOL, instr->ref);
    } else if (is_conversion(op_family(instr->op)) && instr->arg_count == 1) {
        write_reg(texts, out, instr->arg[0], depth);
    } else {
        bool brackets = c_operator(op_family(instr->op));
        if (brackets) out_char(out, '(');
        write_operands(texts, out, instr, depth);
        if (brackets) out_char(out, ')');
    }
}

// A variable by its name, a temporary by what computes it.
static void write_reg(ConditionTexts *texts, Out *out, Reg reg, int depth) {
    const RegInfo *info = &texts->func->regs.at[reg.i];
    const Instr *instr = defining_instr(texts->func, texts->definitions, reg);
    if (!str_same(info->name, STR_NONE))
        out_text(out, program_text(texts->func->program, info->name));
    else if (instr && depth < DEEPEST)
        write_instr(texts, out, reg, instr, depth + 1);
    else
        out_text(out, "...");
}

static const char *text_and_free(Arena *arena, Out *out) {
    const char *text = arena_text(arena, out->text, out->length);
    out_free(out);
    return text;
}

// ---- Negation

typedef struct {
    const char *at; // NULL if there is none, or several
    uint32_t length;
    Op op; // of i32
} TextComparison;

static TextComparison comparison_at(const char *at) {
    static const struct {
        const char *text;
        Op op;
    } rows[] = {{"==", OP_EQ_I32}, {"!=", OP_NE_I32}, {"<=", OP_LE_I32},
                {">=", OP_GE_I32}, {"<", OP_LT_I32},  {">", OP_GT_I32}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t length = (uint32_t)strlen(rows[i].text);
        if (strncmp(at, rows[i].text, length) == 0) return (TextComparison){at, length, rows[i].op};
    }
    return (TextComparison){0};
}

// The only comparison of a text outside of brackets, if nothing there binds less.
static TextComparison find_comparison(const char *text) {
    TextComparison found = {0};
    uint32_t depth = 0;
    for (const char *at = text; *at;) {
        const char *next = skip_quoted(at);
        if (next != at) {
            at = next;
            continue;
        }
        if (strchr("([{", *at)) depth++;
        if (strchr(")]}", *at)) depth--;
        bool shift = (at[0] == '<' || at[0] == '>') && at[1] == at[0];
        bool arrow = at[0] == '-' && at[1] == '>';
        if (shift || arrow) {
            at += 2;
            continue;
        }
        TextComparison here = depth ? (TextComparison){0} : comparison_at(at);
        if (here.at && found.at) return (TextComparison){0};
        if (here.at) found = here;
        if (!depth && !here.at && strchr("&|^=", *at) && at != text && at[-1] == ' ')
            return (TextComparison){0};
        at += here.at ? here.length : 1;
    }
    return found;
}

// Whether an operator is written as another is, perhaps with its operands exchanged: types do not
// count.
static bool is_written_as(Op op, Op text) {
    if (op == OP_COUNT) return false;
    const char *name = c_operator(op_family(op));
    return name && (strcmp(name, c_operator(op_family(text))) == 0 ||
                    strcmp(name, c_operator(op_family(op_mirror(text)))) == 0);
}

// Whether a branch takes its first way if its text is false: lowering may have turned a condition
// around.
static bool is_turned(const Instr *branch, const char *text, TextComparison comparison) {
    if (comparison.at) {
        if (is_written_as(branch->op, comparison.op)) return false;
        if (is_written_as(op_negation(branch->op), comparison.op)) return true;
    }
    bool with_zero = branch->immediate && branch->imm == 0;
    return with_zero && (op_family(branch->op) == FAM_EQ) != (text[0] == '!');
}

// Whether `!` in front negates all of a text: names, members, and whatever stands in brackets.
static bool is_primary(const char *text) {
    uint32_t depth = 0;
    for (const char *at = text; *at; at++) {
        const char *next = skip_quoted(at);
        if (next != at) {
            if (!depth) return false;
            at = next - 1;
            continue;
        }
        if (strchr("([", *at)) depth++;
        if (depth && strchr(")]", *at))
            depth--;
        else if (!depth && !isalnum((unsigned char)*at) && !strchr("_.", *at) &&
                 !(at[0] == '-' && at[1] == '>') && !(at > text && at[0] == '>' && at[-1] == '-'))
            return false;
    }
    return true;
}

static const char *negated_text(ConditionTexts *texts, const Instr *branch, const char *text,
                                TextComparison comparison) {
    bool equality = comparison.op == OP_EQ_I32 || comparison.op == OP_NE_I32;
    // of floats, what is not less need not be greater or equal
    if (comparison.at && (equality || op_compares_integers(branch->op)))
        return arena_printf(texts->arena, "%.*s%s%s", (int)(comparison.at - text), text,
                            c_operator(op_family(op_negation(comparison.op))),
                            comparison.at + comparison.length);
    if (text[0] == '!' && is_primary(text + 1)) return text + 1;
    return arena_printf(texts->arena, is_primary(text) ? "!%s" : "!(%s)", text);
}

// ---- Macros

// What stands in the brackets of a text that is a name with arguments; NULL if it is something
// else.
static const char *arguments_of(Arena *arena, const char *text) {
    const char *at = text;
    while (isalnum((unsigned char)*at) || *at == '_') at++;
    if (at == text || isdigit((unsigned char)*text) || *at != '(') return NULL;
    const char *inside = ++at;
    for (uint32_t depth = 1; *at; at++) {
        const char *next = skip_quoted(at);
        if (next != at) {
            at = next - 1;
            continue;
        }
        if (*at == '(') depth++;
        if (*at == ')' && --depth == 0) break;
    }
    return at[0] == ')' && !at[1] ? arena_text(arena, inside, (size_t)(at - inside)) : NULL;
}

static bool tests_a_call(const ConditionTexts *texts, const Instr *branch) {
    for (uint32_t k = 0; k < branch->arg_count; k++) {
        const Instr *instr =
            defining_instr(texts->func, texts->definitions, instr_args(texts->func, branch)[k]);
        if (instr && instr->kind == I_CALL) return true;
    }
    return false;
}

// A name with arguments that is no call is a macro, which says little. If the comparison is its
// argument, that is the text; else there is none.
static const char *without_macro(ConditionTexts *texts, const Instr *branch, const char *text) {
    const char *inside = text ? arguments_of(texts->arena, text) : NULL;
    if (!inside || tests_a_call(texts, branch)) return text;
    TextComparison comparison = find_comparison(inside);
    bool fits = comparison.at && (is_written_as(branch->op, comparison.op) ||
                                  is_written_as(op_negation(branch->op), comparison.op));
    return fits ? inside : NULL;
}

const char *condition_text(ConditionTexts *texts, Node branch, bool negated) {
    const Instr *instr = func_at(texts->func, branch);
    const char *text = without_macro(texts, instr, source_condition(texts, instr));
    bool turned = false;
    if (!text) {
        Out out = {0};
        bool with_zero = instr->kind == I_COND && instr->immediate && instr->imm == 0;
        OpFamily family = with_zero ? op_family(instr->op) : FAM_CONST;
        CharacterTest test = {0};
        if (family == FAM_EQ || family == FAM_NE) test = character_test(texts, instr->arg[0]);
        if (test.name)
            write_test(texts, &out, test, 0);
        else
            write_operands(texts, &out, instr, 0);
        text = text_and_free(texts->arena, &out);
    }
    TextComparison comparison = find_comparison(text);
    turned = is_turned(instr, text, comparison);
    return negated != turned ? negated_text(texts, instr, text, comparison) : text;
}

const char *condition_text_of_ways(ConditionTexts *texts, Node branch, const Bits *ways) {
    const Instr *instr = func_at(texts->func, branch);
    const char *text = source_condition(texts, instr);
    Out out = {0};
    if (text)
        out_printf(&out, is_primary(text) ? "%s" : "(%s)", text);
    else
        write_reg(texts, &out, instr_args(texts->func, instr)[0], 0);
    const char *value = text_and_free(texts->arena, &out);
    out = (Out){0};
    const int64_t *cases = instr_cases(texts->func, instr);
    // with the default, the values of the other ways are told, which it is not
    bool equal = !bits_has(ways, 0);
    uint32_t told = 0;
    enum { MOST = 4 };
    for (uint32_t way = 1; way < instr->succ_count && told <= MOST; way++) {
        if (bits_has(ways, way) != equal) continue;
        if (told) out_text(&out, equal ? " || " : " && ");
        if (told++ < MOST)
            out_printf(&out, "%s %s %lld", value, equal ? "==" : "!=", (long long)cases[way - 1]);
        else
            out_text(&out, "...");
    }
    if (!told) out_text(&out, equal ? "0" : "1");
    return text_and_free(texts->arena, &out);
}
