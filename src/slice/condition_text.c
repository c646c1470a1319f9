#include "slice/condition_text.h"

#include "base/bits.h"
#include "base/out.h"
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
        if (instr->kind != I_COND && instr->kind != I_SWITCH) continue;
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

// The text from here to the end of the condition, with one blank for each run of them; NULL if it is empty or looks
// like no condition.
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

static const char *source_condition(ConditionTexts *texts, const Instr *branch) {
    if (!texts->source.from_line || !branch->loc || bits_has(&texts->ambiguous, branch->loc))
        return NULL;
    Loc loc = texts->func->program->locs.at[branch->loc];
    const char *line = texts->source.from_line(texts->source.context, loc.file, loc.line);
    if (!line || !loc.column || memchr(line, '\n', loc.column) ||
        strnlen(line, loc.column) < loc.column)
        return NULL;
    return scan_condition(texts->arena, line + loc.column - 1);
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

static bool is_conversion(OpFamily family) {
    return family == FAM_MOVE || (family >= FAM_SEXT8 && family <= FAM_TRUNC) ||
           (family >= FAM_CVT_I32 && family <= FAM_CVTU_F80);
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

static void write_instr(ConditionTexts *texts, Out *out, Reg reg, const Instr *instr, int depth) {
    const Func *func = texts->func;
    if (instr->kind == I_LOAD) {
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
    OpFamily family;
} Comparison;

static Comparison comparison_at(const char *at) {
    static const struct {
        const char *text;
        OpFamily family;
    } rows[] = {{"==", FAM_EQ}, {"!=", FAM_NE}, {"<=", FAM_LE},
                {">=", FAM_GE}, {"<", FAM_LT},  {">", FAM_GT}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t length = (uint32_t)strlen(rows[i].text);
        if (strncmp(at, rows[i].text, length) == 0) return (Comparison){at, length, rows[i].family};
    }
    return (Comparison){0};
}

// The only comparison of a text outside of brackets, if nothing there binds less.
static Comparison find_comparison(const char *text) {
    Comparison found = {0};
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
        Comparison here = depth ? (Comparison){0} : comparison_at(at);
        if (here.at && found.at) return (Comparison){0};
        if (here.at) found = here;
        if (!depth && !here.at && strchr("&|^=", *at) && at != text && at[-1] == ' ')
            return (Comparison){0};
        at += here.at ? here.length : 1;
    }
    return found;
}

static OpFamily plain_family(Op op) {
    OpFamily family = op_family(op);
    switch (family) {
    case FAM_ULT: return FAM_LT;
    case FAM_ULE: return FAM_LE;
    case FAM_UGT: return FAM_GT;
    case FAM_UGE: return FAM_GE;
    default: return family;
    }
}

static OpFamily negation_of(OpFamily family) {
    switch (family) {
    case FAM_EQ: return FAM_NE;
    case FAM_NE: return FAM_EQ;
    case FAM_LT: return FAM_GE;
    case FAM_LE: return FAM_GT;
    case FAM_GT: return FAM_LE;
    default: return FAM_LT;
    }
}

static OpFamily mirror_of(OpFamily family) {
    switch (family) {
    case FAM_LT: return FAM_GT;
    case FAM_LE: return FAM_GE;
    case FAM_GT: return FAM_LT;
    case FAM_GE: return FAM_LE;
    default: return family;
    }
}

// Whether a branch takes its first way if its text is false: lowering may have turned a condition around.
static bool is_turned(const Instr *branch, const char *text, Comparison comparison) {
    OpFamily family = plain_family(branch->op);
    bool with_zero = branch->immediate && branch->imm == 0;
    if (comparison.at) {
        OpFamily negation = negation_of(comparison.family);
        if (family == comparison.family || family == mirror_of(comparison.family)) return false;
        if (family == negation || family == mirror_of(negation)) return true;
    }
    if (family >= FAM_NLT && family <= FAM_NGE) return true;
    return with_zero && (family == FAM_EQ) != (text[0] == '!');
}

static bool is_primary(const char *text) {
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_.[]()", *at) &&
            !(at[0] == '-' && at[1] == '>') && !(at > text && at[0] == '>' && at[-1] == '-'))
            return false;
    return true;
}

static const char *negated_text(ConditionTexts *texts, const Instr *branch, const char *text,
                                Comparison comparison) {
    bool equality = comparison.family == FAM_EQ || comparison.family == FAM_NE;
    // of floats, what is not less need not be greater or equal
    bool whole = op_info(branch->op)->at == TYPE_I32 || op_info(branch->op)->at == TYPE_I64;
    if (comparison.at && (equality || whole))
        return arena_printf(texts->arena, "%.*s%s%s", (int)(comparison.at - text), text,
                            c_operator(negation_of(comparison.family)),
                            comparison.at + comparison.length);
    if (text[0] == '!' && is_primary(text + 1)) return text + 1;
    return arena_printf(texts->arena, is_primary(text) ? "!%s" : "!(%s)", text);
}

const char *condition_text(ConditionTexts *texts, Node branch, bool negated) {
    const Instr *instr = func_at(texts->func, branch);
    const char *text = source_condition(texts, instr);
    bool turned = false;
    if (!text) {
        Out out = {0};
        write_operands(texts, &out, instr, 0);
        text = text_and_free(texts->arena, &out);
    }
    Comparison comparison = find_comparison(text);
    turned = is_turned(instr, text, comparison);
    return negated != turned ? negated_text(texts, instr, text, comparison) : text;
}

const char *condition_text_of_way(ConditionTexts *texts, Node branch, uint32_t way, bool negated) {
    const Instr *instr = func_at(texts->func, branch);
    const char *text = source_condition(texts, instr);
    Out out = {0};
    if (text)
        out_text(&out, text);
    else
        write_reg(texts, &out, instr_args(texts->func, instr)[0], 0);
    const int64_t *cases = instr_cases(texts->func, instr);
    // successors of several cases are ways of their own; the default is known by the values that it is not
    uint32_t first = way ? way - 1 : 0, end = way ? way : instr->succ_count - 1;
    enum { MOST = 4 };
    const char *value = text_and_free(texts->arena, &out);
    if (end - first > MOST) {
        out_printf(&out, "%s is %s of the cases", value, negated ? "one" : "none");
        return text_and_free(texts->arena, &out);
    }
    bool equal = (way != 0) != negated;
    for (uint32_t k = first; k < end; k++)
        out_printf(&out, "%s%s %s %lld", k > first ? (equal ? " || " : " && ") : "", value,
                   equal ? "==" : "!=", (long long)cases[k]);
    if (first == end) out_text(&out, "1");
    return text_and_free(texts->arena, &out);
}
