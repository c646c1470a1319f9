// The template of an asm statement with its operands put in, as the assembler's own (AT&T) syntax
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

// What the letter before an operand's number asks for; 0 if there is none.
static uint64_t width_of(const AsmPlace *place, char modifier) {
    switch (modifier) {
    case 'b': return 1;
    case 'w': return 2;
    case 'k': return 4;
    case 'q':
    case 'a':
    case 'A': return 8;
    default: return asm_operand_size(place);
    }
}

static bool put_register(Template *t, const AsmPlace *place, char modifier) {
    if (place->reg >= ASM_ST0) {
        out_text(&t->out, place->reg == ASM_ST0 ? "%st" : "%st(1)");
    } else if (machine_is_vector(place->reg)) {
        out_text(&t->out, modifier == 't' ? "%ymm" : modifier == 'g' ? "%zmm" : "%xmm");
        out_u64(&t->out, place->reg - M_XMM0);
    } else {
        bool high = modifier == 'h';
        if (high && (place->reg > M_RBX))
            return FAIL(t, "%%h in asm: only a, b, c and d have such a part; say so by 'Q'");
        if (modifier != 'V')
            out_text(&t->out, modifier == 'a' ? "(%" : modifier == 'A' ? "*%" : "%");
        uint64_t width = width_of(place, modifier);
        out_text(&t->out, asm_sized_name(t->lower->scratch, place->reg, width, high));
        if (modifier == 'a') out_char(&t->out, ')');
    }
    return true;
}

static void put_memory(Template *t, const AsmPlace *place, char modifier) {
    bool block = place->kind == ASM_BLOCK;
    uint32_t offset = (block ? place->cell : 0) + (modifier == 'H' ? 8 : 0);
    if (modifier == 'A') out_char(&t->out, '*');
    if (offset) out_u64(&t->out, offset);
    uint8_t reg = block ? t->plan->base.reg : place->reg;
    out_printf(&t->out, "(%%%s)", machine_reg_name((MachineReg)reg));
}

void asm_put_constant(Out *out, const Program *program, Sym symbol, int64_t value, char modifier) {
    bool plain = modifier && strchr("cnPpaA", modifier);
    if (!plain) out_char(out, '$');
    if (modifier == 'A') out_char(out, '*');
    if (modifier == 'n') value = (int64_t)(0 - (uint64_t)value);
    if (symbol.i == NO_ID) {
        out_i64(out, value);
        return;
    }
    const char *name = program_text(program, program_at(program, symbol)->name);
    // What the compiler named itself is a label of the file.
    if (*name == '.') out_text(out, ".L");
    out_text(out, name);
    if (value) out_printf(out, value > 0 ? "+%lld" : "%lld", (long long)value);
    if (modifier == 'a') out_text(out, "(%rip)");
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
    if (modifier == 'z') {
        uint64_t size = asm_operand_size(place);
        out_char(&t->out, size == 1 ? 'b' : size == 2 ? 'w' : size == 4 ? 'l' : 'q');
    } else if (place->kind == ASM_CONSTANT) {
        asm_put_constant(&t->out, t->lower->program, place->symbol, place->value, modifier);
    } else if (place->kind == ASM_LATE) {
        put_hole(t, place, modifier);
    } else if (place->kind == ASM_MEMORY || place->kind == ASM_BLOCK) {
        put_memory(t, place, modifier);
    } else {
        return put_register(t, place, modifier);
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

// What follows a '%'.
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
        if (!strchr("bhwkqzcnPpaAxtgVHl", modifier))
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
    const AsmPlace *place = &t->plan->places[t->plan->count];
    const char *name = asm_sized_name(t->lower->scratch, place->reg, 4, false);
    if (!t->plan->jump_count) return;
    out_printf(&t->out, "\n\tmovl $0, %%%s", name);
    for (uint32_t i = 0; i < t->assembler->label_count; i++) {
        out_text(&t->out, "\n\tjmp .Lgoto%=_end\n");
        put_label(t, i);
        out_printf(&t->out, ":\n\tmovl $%u, %%%s", i + 1, name);
    }
    out_text(&t->out, "\n.Lgoto%=_end:");
}

// Flags are put into registers before anything can change them.
static void store_conditions(Template *t) {
    for (uint32_t i = 0; i < t->plan->output_count; i++) {
        const AsmPlace *place = &t->plan->places[i];
        if (!place->condition) continue;
        out_printf(&t->out, "\n\tset%s ", place->condition);
        put_register(t, place, 'b');
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
