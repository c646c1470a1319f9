// The template of an asm statement with its operands put in, as the first syntax of the assembler
// has them. A basic one, without operands, is taken as it is.
//   %%  %{  %|  %}          the character itself; %= stays, see AsmStatement
//   {a|b}                   a, since b is for the other syntax
//   %3  %[name]  %k3        an operand, perhaps with a modifier
#include "c/asm/asm_plan.h"

#include "base/out.h"

#include <string.h>

typedef struct {
    Lower *lower;
    const Asm *assembler;
    const AsmPlan *plan;
    const char *at, *end;
    Out out;
    AsmHoles *holes;
    const char *error;
    bool skips; // in an alternative for the other syntax
    bool alternatives;
} Template;

#define FAIL(t, ...) ((t)->error = arena_printf((t)->lower->arena, __VA_ARGS__), false)

// ---- Operands

static bool put_text(Template *t, const AsmText *operand, char modifier) {
    t->error =
        t->lower->types->language->assembly->put(t->lower->scratch, &t->out, operand, modifier);
    return !t->error;
}

static bool put_register(Template *t, const AsmPlace *place, char modifier) {
    return put_text(
        t,
        &(AsmText){.kind = ASM_TEXT_REGISTER, .size = asm_operand_size(place), .reg = place->reg},
        modifier);
}

static bool put_memory(Template *t, const AsmPlace *place, char modifier) {
    bool block = place->kind == ASM_BLOCK;
    return put_text(t,
                    &(AsmText){.kind = ASM_TEXT_MEMORY,
                               .size = asm_operand_size(place),
                               .reg = block ? t->plan->base.reg : place->reg,
                               .offset = block ? place->cell : 0},
                    modifier);
}

// A name that the compiler made is a label of the file.
static const char *name_in_text(Lower *lower, Sym symbol) {
    if (symbol.i == NO_ID) return NULL;
    const Program *program = lower->program;
    const char *name = program_text(program, program_at(program, symbol)->name);
    return *name == '.' ? arena_printf(lower->scratch, ".L%s", name) : name;
}

static AsmText text_of_constant(Lower *lower, uint64_t size, Sym symbol, int64_t value) {
    return (AsmText){.kind = ASM_TEXT_CONSTANT,
                     .size = size,
                     .symbol = name_in_text(lower, symbol),
                     .value = value};
}

static bool put_constant(Template *t, const AsmPlace *place, char modifier) {
    AsmText text = text_of_constant(t->lower, asm_operand_size(place), place->symbol, place->value);
    return put_text(t, &text, modifier);
}

void asm_put_late(Lower *lower, Out *out, uint64_t size, Sym symbol, int64_t value, char modifier) {
    AsmText text = text_of_constant(lower, size, symbol, value);
    lower->types->language->assembly->put(lower->scratch, out, &text, modifier);
}

static void put_hole(Template *t, const AsmPlace *place, char modifier) {
    AsmHole hole = {.at = (uint32_t)t->out.length, .late = place->late, .modifier = modifier};
    vec_push(t->lower->arena, t->holes, hole);
}

// Operands that are read and written count twice; labels come after all.
static uint32_t first_label(const Template *t) {
    uint32_t count = t->plan->count;
    for (uint32_t i = 0; i < t->plan->output_count; i++) count += t->plan->places[i].read;
    return count;
}

// Labels of the source are reached through labels in the text, see tell_labels.
static void put_label(Template *t, uint32_t label) {
    out_printf(&t->out, ".Lgoto%%=_%u", label);
}

// The output that the operand with a number beyond the inputs is: one that is read, too.
static uint32_t read_output(const Template *t, uint32_t number) {
    uint32_t i = 0;
    for (uint32_t k = number - t->plan->count;; i++)
        if (t->plan->places[i].read && k-- == 0) return i;
}

static bool put_operand(Template *t, uint32_t number, char modifier) {
    if (number >= first_label(t)) {
        put_label(t, number - first_label(t));
        return true;
    }
    if (modifier == 'l') return FAIL(t, "%%l in asm: this operand is no label");
    if (number >= t->plan->count) number = read_output(t, number);
    const AsmPlace *place = &t->plan->places[number];
    switch ((AsmPlaceKind)place->kind) {
    case ASM_CONSTANT: return put_constant(t, place, modifier);
    case ASM_LATE: put_hole(t, place, modifier); return true;
    case ASM_MEMORY:
    case ASM_BLOCK: return put_memory(t, place, modifier);
    case ASM_REGISTER: return put_register(t, place, modifier);
    }
    return true;
}

// ---- Operand references

static bool is_name(const Ident *name, const char *text, size_t length) {
    return name && strlen(name->text) == length && memcmp(name->text, text, length) == 0;
}

static bool named_operand(Template *t, uint32_t *number) {
    const char *start = ++t->at;
    while (t->at < t->end && *t->at != ']') t->at++;
    size_t length = (size_t)(t->at - start);
    if (t->at == t->end) return FAIL(t, "missing ']' after the name of an operand in asm");
    t->at++;
    for (uint32_t i = 0; i < t->plan->count; i++) {
        if (!is_name(t->plan->places[i].source->name, start, length)) continue;
        *number = i;
        return true;
    }
    for (uint32_t i = 0; i < t->assembler->label_count; i++) {
        if (!is_name(t->assembler->labels[i]->name, start, length)) continue;
        *number = first_label(t) + i;
        return true;
    }
    return FAIL(t, "no operand of asm is named '%.*s'", (int)length, start);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool numbered_operand(Template *t, uint32_t *number) {
    uint32_t end = first_label(t) + t->assembler->label_count;
    *number = 0;
    for (; t->at < t->end && is_digit(*t->at) && *number <= end; t->at++)
        *number = *number * 10 + (uint32_t)(*t->at - '0');
    if (*number < end) return true;
    return FAIL(t, "operand number %u in asm is out of range", *number);
}

// The text behind a '%'.
static bool reference(Template *t) {
    if (t->at == t->end) return FAIL(t, "'%%' at the end of asm; a '%%' is written '%%%%'");
    char c = *t->at;
    if (strchr("%{|}", c)) {
        out_char(&t->out, c);
        t->at++;
        return true;
    }
    if (c == '=') {
        out_text(&t->out, "%=");
        t->at++;
        return true;
    }
    char modifier = 0;
    if (!is_digit(c) && c != '[') {
        modifier = c;
        t->at++;
        if (modifier != 'l' && !strchr(t->lower->types->language->assembly->modifiers, modifier))
            return FAIL(t, "unknown modifier '%%%c' in asm", modifier);
    }
    uint32_t number;
    if (t->at < t->end && *t->at == '[') {
        if (!named_operand(t, &number)) return false;
    } else if (t->at < t->end && is_digit(*t->at)) {
        if (!numbered_operand(t, &number)) return false;
    } else {
        return FAIL(t, "expected the number or [name] of an operand after '%%%c' in asm", c);
    }
    return put_operand(t, number, modifier);
}

// ---- The whole

// Braces and bars choose between syntaxes. False if the character stands for itself.
static bool dialect(Template *t, char c) {
    if (c == '{' && !t->alternatives) {
        t->alternatives = true;
    } else if (c == '|' && t->alternatives) {
        t->skips = true;
    } else if (c == '}' && t->alternatives) {
        t->alternatives = t->skips = false;
    } else {
        return false;
    }
    return true;
}

static bool expand(Template *t) {
    while (t->at < t->end) {
        char c = *t->at++;
        if (dialect(t, c)) continue;
        if (t->skips) {
            if (c == '%' && t->at < t->end) t->at++;
        } else if (c != '%') {
            out_char(&t->out, c);
        } else if (!reference(t)) {
            return false;
        }
    }
    return true;
}

// A jump to a label sets a register to its number, from 1; going on sets it to 0.
static void tell_labels(Template *t) {
    const TargetAsm *assembly = t->lower->types->language->assembly;
    uint8_t reg = t->plan->places[t->plan->count].reg;
    if (!t->plan->jump_count) return;
    out_text(&t->out, "\n\t");
    assembly->put_number(t->lower->scratch, &t->out, reg, 0);
    for (uint32_t i = 0; i < t->assembler->label_count; i++) {
        out_printf(&t->out, "\n\t%s .Lgoto%%=_end\n", assembly->jump);
        put_label(t, i);
        out_text(&t->out, ":\n\t");
        assembly->put_number(t->lower->scratch, &t->out, reg, i + 1);
    }
    out_text(&t->out, "\n.Lgoto%=_end:");
}

// Flags are put into registers before anything can change them.
static void store_conditions(Template *t) {
    for (uint32_t i = 0; i < t->plan->output_count; i++) {
        const AsmPlace *place = &t->plan->places[i];
        if (!place->condition) continue;
        out_text(&t->out, "\n\t");
        t->lower->types->language->assembly->put_condition(t->lower->scratch, &t->out, place->reg,
                                                           place->condition);
    }
}

bool asm_expand(Lower *lower, const Asm *assembler, const AsmPlan *plan, Str *text, AsmHoles *holes,
                const char **error) {
    Template t = {.lower = lower,
                  .assembler = assembler,
                  .plan = plan,
                  .holes = holes,
                  .at = assembler->text,
                  .end = assembler->text + assembler->length};
    bool good = true;
    if (assembler->is_extended)
        good = expand(&t);
    else
        out_bytes(&t.out, assembler->text, assembler->length);
    if (good) tell_labels(&t);
    if (good) store_conditions(&t);
    *text = str_intern(&lower->program->strings, t.out.text, t.out.length);
    *error = t.error;
    out_free(&t.out);
    return good;
}
