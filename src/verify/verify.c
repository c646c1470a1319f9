// The verifier: complaints, and the rules for the header of a function. Each form has the rules for
// its body (verify/NAME_verify.c); verify_program.c has the rules for programs.
//
// Each rule is one small function that complains under the rule's name. A rule checks an id before
// following it and stays silent about mistakes that another rule reports, so that one mistake gives
// one complaint where possible.
#include "form/forms.h"
#include "target/model.h"
#include "text/lex.h"
#include "verify/verify_rules.h"

#include <stdarg.h>
#include <string.h>

// ---- Complaints

static Site site_of(const Verifier *v) {
    return v->node.i != NO_ID ? node_site(v->node) : v->site;
}

void complain(Verifier *v, const char *rule, const char *format, ...) {
    if (verify_is_quiet(v)) {
        Complaint quiet = {.func = v->func, .site = site_of(v), .rule = rule, .message = ""};
        vec_push(v->complaints->arena, &v->complaints->list, quiet);
        return;
    }
    Out text = {0};
    if (v->symbol.i != NO_ID) out_printf(&text, "%s: ", verify_symbol_text(v, v->symbol));
    va_list args;
    va_start(args, format);
    out_vprintf(&text, format, args);
    va_end(args);
    Arena *arena = v->complaints->arena;
    Complaint complaint = {.func = v->func,
                           .site = site_of(v),
                           .rule = rule,
                           .message = arena_text(arena, text.text, text.length)};
    out_free(&text);
    vec_push(arena, &v->complaints->list, complaint);
}

const char *verify_reg_text(Verifier *v, Reg reg) {
    Arena *arena = v->complaints->arena;
    if (reg.i == NO_ID || verify_is_quiet(v)) return "none";
    if (reg.i >= v->func->regs.count) return arena_printf(arena, "register %u", reg.i);
    const RegInfo *info = &v->func->regs.at[reg.i];
    if (!verify_str_in_range(v->program, info->name))
        return arena_printf(arena, "register %u", reg.i);
    const char *text = arena_printf(arena, "%%%s", program_text(v->program, info->name));
    if (!info->name.i) text = arena_printf(arena, "%%%u", info->number);
    if (info->name.i && info->number) text = arena_printf(arena, "%s'%u", text, info->number);
    if (info->version) text = arena_printf(arena, "%s.%u", text, info->version - 1);
    return text;
}

const char *verify_symbol_text(Verifier *v, Sym symbol) {
    Arena *arena = v->complaints->arena;
    if (symbol.i == NO_ID || verify_is_quiet(v)) return "none";
    if (symbol.i >= v->program->symbols.count ||
        !verify_str_in_range(v->program, program_at(v->program, symbol)->name))
        return arena_printf(arena, "symbol %u", symbol.i);
    return arena_printf(arena, "@%s",
                        program_text(v->program, program_at(v->program, symbol)->name));
}

// ---- Rules for functions

static void rule_own_signature(Verifier *v) {
    const SigInfo *sig = program_sig_info(v->program, v->func->sig);
    if (sig->param_count != sig->fixed_count)
        complain(v, "function",
                 "expected a signature without variable arguments, as definitions have; found %u",
                 sig->param_count - sig->fixed_count);
}

// The function names a function symbol, and both have the same, sound signature.
static void rule_function(Verifier *v) {
    const Func *func = v->func;
    if (verify_sig(v, func->sig) && verify_sig_params(v, func->sig)) rule_own_signature(v);
    if (func->symbol.i >= v->program->symbols.count) {
        complain(v, "function", "expected one of %u symbols; found symbol %u",
                 v->program->symbols.count, func->symbol.i);
        return;
    }
    const Symbol *symbol = program_at(v->program, func->symbol);
    if (symbol->kind != SYM_FUNC)
        complain(v, "function", "expected a function symbol; found %s, which is data",
                 verify_symbol_text(v, func->symbol));
    else if (symbol->sig.i != func->sig.i)
        complain(v, "function", "expected the signature of its symbol (%u); found signature %u",
                 symbol->sig.i, func->sig.i);
}

static void rule_param_type(Verifier *v, uint32_t i, PType want) {
    Reg reg = v->func->params.at[i];
    Type type = reg_type(v->func, reg);
    if (!verify_ptype_usable(v->program, want) || !verify_type_is_scalar(type)) return;
    Type expected = ptype_reg_type(program_ptype_info(v->program, want));
    if (type != expected)
        complain(v, "parameters", "parameter %u: expected a register of type %s; found %s of %s",
                 i + 1, type_name(expected), verify_reg_text(v, reg), type_name(type));
}

// One register for each fixed parameter of the signature, distinct and of the right type.
static void rule_parameters(Verifier *v) {
    const Func *func = v->func;
    if (!verify_sig_in_range(v->program, func->sig)) return;
    const SigInfo *sig = program_sig_info(v->program, func->sig);
    if (func->params.count != sig->fixed_count)
        complain(v, "parameters", "expected %u parameter registers, as the signature has; found %u",
                 sig->fixed_count, func->params.count);
    Bits seen = bits_new(v->scratch, func->regs.count);
    for (uint32_t i = 0; i < func->params.count; i++) {
        Reg reg = func->params.at[i];
        if (reg.i >= func->regs.count) {
            complain(v, "parameters", "parameter %u: expected one of %u registers; found %u", i + 1,
                     func->regs.count, reg.i);
            continue;
        }
        if (!bits_put(&seen, reg.i))
            complain(v, "parameters", "expected distinct registers; found %s twice",
                     verify_reg_text(v, reg));
        if (i < sig->fixed_count && i < sig->param_count) rule_param_type(v, i, sig->params[i]);
    }
}

// Whether a text is a name as the text form writes registers without quotes.
static bool is_reg_name(const char *text, uint32_t length) {
    if (length && !char_is_letter(text[0])) return false;
    for (uint32_t i = 0; i < length; i++)
        if (!char_in_register(text[i])) return false;
    return true;
}

static void rule_register_name(Verifier *v, Reg reg) {
    const RegInfo *info = &v->func->regs.at[reg.i];
    bool repeated = reg.i > 0 && info->name.i == info[-1].name.i; // then that has been looked at
    const StrTable *strings = &v->program->strings;
    if (!verify_str_in_range(v->program, info->name))
        complain(v, "register-name", "register %u: expected one of %u strings as name; found %u",
                 reg.i, strings->entries.count, info->name.i);
    else if (!repeated &&
             !is_reg_name(str_text(strings, info->name), str_length(strings, info->name)))
        complain(v, "register-name", "register %u: expected an identifier as name; found '%s'",
                 reg.i, str_text(strings, info->name));
    else if (!info->name.i && info->number >= v->func->next_temp)
        complain(v, "register-name",
                 "expected nameless registers to have numbers below next_temp (%u); found %s",
                 v->func->next_temp, verify_reg_text(v, reg));
}

static void rule_register_type(Verifier *v, Reg reg) {
    Type type = reg_type(v->func, reg);
    bool stateful = form_table[v->func->form].body == BODY_equations;
    if (!verify_type_is_scalar(type) && !(stateful && type == TYPE_VOID))
        complain(v, "register-type", "%s: expected i32, i64, f32, f64 or f80; found type %u",
                 verify_reg_text(v, reg), (unsigned)type);
    else if (type != TYPE_VOID && !(v->program->target->types >> type & 1))
        complain(v, "register-type", "%s: expected a type that %s has; found %s",
                 verify_reg_text(v, reg), v->program->target->title, type_name(type));
}

// A hash table of registers: each cell is a register plus one, or 0. Its size, a power of two, is
// at least twice the number of registers, so that it never has to grow.
typedef struct {
    uint32_t *cells;
    uint32_t mask;
} RegTable;

static RegTable reg_table_new(Arena *arena, uint32_t count) {
    uint64_t size = 16;
    while (size < 2 * (uint64_t)count) size *= 2;
    return (RegTable){.cells = ARENA_ARRAY(arena, uint32_t, size), .mask = (uint32_t)(size - 1)};
}

static bool reg_info_same(const RegInfo *a, const RegInfo *b) {
    return a->name.i == b->name.i && a->number == b->number && a->version == b->version;
}

static uint32_t reg_info_hash(const RegInfo *info) {
    uint64_t hash = ((uint64_t)info->name.i << 32 | info->number) * 0x9e3779b97f4a7c15u;
    return (uint32_t)((hash ^ info->version) * 0xd6e8feb86659fd93u >> 32);
}

// No two registers are printed alike.
static void rule_register_unique(Verifier *v, const RegTable *table, Reg reg) {
    const RegInfo *info = &v->func->regs.at[reg.i];
    uint32_t at = reg_info_hash(info) & table->mask;
    for (; table->cells[at]; at = (at + 1) & table->mask) {
        uint32_t other = table->cells[at] - 1;
        if (!reg_info_same(&v->func->regs.at[other], info)) continue;
        complain(v, "register-unique", "expected distinct names; found %s as registers %u and %u",
                 verify_reg_text(v, reg), other, reg.i);
        return;
    }
    table->cells[at] = reg.i + 1;
}

static void rules_of_registers(Verifier *v) {
    if (v->verified && v->verified->regs.count == v->func->regs.count &&
        v->verified->next_temp <= v->func->next_temp)
        return;
    RegTable table = reg_table_new(v->scratch, v->func->regs.count);
    for (uint32_t i = 0; i < v->func->regs.count; i++) {
        rule_register_type(v, (Reg){i});
        rule_register_name(v, (Reg){i});
        rule_register_unique(v, &table, (Reg){i});
    }
}

static void rule_slot_shape(Verifier *v, uint32_t i) {
    const SlotInfo *slot = &v->func->slots.at[i];
    if (!verify_is_alignment(slot->align))
        complain(v, "slot", "slot %u: expected a power of two as alignment; found %u", i,
                 slot->align);
    if (slot->size > VERIFY_LARGEST_SIZE)
        complain(v, "slot", "slot %u: expected a size below 2^63; found %ju", i,
                 (uintmax_t)slot->size);
    if (slot->buffer >= BUFFER_COUNT)
        complain(v, "slot", "slot %u: expected a kind of buffer below %d; found %u", i,
                 BUFFER_COUNT, slot->buffer);
}

static void rule_slot_name(Verifier *v, Map *slot_of_name, uint32_t i) {
    Str name = v->func->slots.at[i].name;
    if (!verify_str_in_range(v->program, name)) {
        complain(v, "slot", "slot %u: expected one of %u strings as name; found %u", i,
                 v->program->strings.entries.count, name.i);
        return;
    }
    if (!name.i) return;
    uint32_t other = map_get(slot_of_name, name.i);
    if (other != HASH_NONE)
        complain(v, "slot", "expected distinct names; found '%s' for slots %u and %u",
                 program_text(v->program, name), other, i);
    else
        map_set(v->scratch, slot_of_name, name.i, i);
}

static void rules_of_slots(Verifier *v) {
    Map slot_of_name = {0};
    for (uint32_t i = 0; i < v->func->slots.count; i++) {
        rule_slot_shape(v, i);
        rule_slot_name(v, &slot_of_name, i);
    }
}

// Whether what the instructions of a function may refer to is also there in another.
static bool builds_on(const Func *func, const Func *earlier) {
    return func->program == earlier->program && func->sig.i == earlier->sig.i &&
           func->regs.count >= earlier->regs.count && func->slots.count >= earlier->slots.count &&
           func->nodes.count >= earlier->nodes.count &&
           (earlier->regs.count == 0 ||
            memcmp(func->regs.at, earlier->regs.at, earlier->regs.count * sizeof(RegInfo)) == 0);
}

// A body of another kind than the form's is no part of the text, nor of what is run.
static bool rule_form(Verifier *v) {
    const Func *func = v->func;
    if (func->form >= FORM_COUNT)
        complain(v, "form", "expected a form below %d; found %u", FORM_COUNT, (unsigned)func->form);
    else if ((form_table[func->form].body == BODY_graph) != (func->body == NULL))
        complain(v, "form", "expected the body that the form %s has, a %s; found %s",
                 form_name(func->form), func_body(func)->name,
                 func->body ? "one of another kind" : "none");
    return verify_is_clean(v);
}

static bool verify(Verifier *v) {
    v->complaints_before = v->complaints->list.count;
    if (!rule_form(v)) return false;
    v->scratch = arena_new("verify");
    rule_function(v);
    if (!func_is_final(v->func)) rule_parameters(v);
    rules_of_registers(v);
    rules_of_slots(v);
    form_table[v->func->form].verify(v);
    arena_free(v->scratch);
    return verify_is_clean(v);
}

bool verify_func(Complaints *complaints, const Func *func) {
    return verify(&(Verifier){.complaints = complaints,
                              .program = func->program,
                              .func = func,
                              .symbol = NO_SYM,
                              .node = NO_NODE,
                              .site = NO_SITE});
}

bool verify_func_after(Complaints *complaints, const Func *verified, const Func *func) {
    return verify(&(Verifier){.complaints = complaints,
                              .program = func->program,
                              .func = func,
                              .symbol = NO_SYM,
                              .node = NO_NODE,
                              .site = NO_SITE,
                              .verified = builds_on(func, verified) ? verified : NULL});
}
