#include "c/compile/condition_words.h"

#include "fact/effects.h"
#include "form/value.h"

#include <ctype.h>
#include <string.h>

// The limits of the text of one condition.
enum { MAX_LITERALS = 8, MAX_TEXT = 48, MAX_STEPS = 1000 };

typedef struct {
    const char *name;
    uint32_t quantity;
} NamedQuantity;

typedef struct {
    const ConditionWriter *writer;
    BadConditions *conditions;
    ConditionView *view;  // of the case
    ConditionView *plain; // of no case: names must be right in all
    Out *out;
    VEC(const char *) notes;  // remarks about names
    VEC(NamedQuantity) names; // their quantities
    uint32_t steps;           // values that have been looked at
    bool failed;
} Writing;

// ---- Source text

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// Behind the bracket that closes the bracket at a place; NULL if it is not in the line.
static const char *behind_bracket(const char *at, const char *end) {
    int depth = 0;
    for (; at < end && *at != '\n'; at++) {
        if (*at == '"' || *at == '\'' || *at == '#') return NULL;
        if (*at == '(' || *at == '[') depth++;
        if ((*at == ')' || *at == ']') && --depth == 0) return at + 1;
    }
    return NULL;
}

// Behind a name or a parenthesis; NULL if it is something else or a macro.
static const char *behind_primary(Pp *pp, const char *at, const char *end) {
    if (at < end && *at == '(') return behind_bracket(at, end);
    const char *start = at;
    while (at < end && in_name(*at)) at++;
    if (at == start || isdigit((unsigned char)*start)) return NULL;
    return pp_ident(pp, start, (size_t)(at - start))->macro ? NULL : at;
}

static const char *behind_postfix(const char *at, const char *end, bool call) {
    for (;;) {
        const char *next = at;
        while (next < end && *next == ' ') next++;
        if (next < end && *next == '(' && !call) return NULL;
        if (next < end && (*next == '[' || *next == '(')) {
            bool arguments = *next == '(';
            at = behind_bracket(next, end);
            if (!at || arguments) return at;
            continue;
        }
        bool dot = next<end && * next == '.', arrow = end - next> 1 && !memcmp(next, "->", 2);
        if (!dot && !arrow) return call ? NULL : at;
        next += dot ? 1 : 2;
        while (next < end && *next == ' ') next++;
        if (next == end || !in_name(*next)) return NULL;
        while (next < end && in_name(*next)) next++;
        at = next;
    }
}

const char *source_expression(Arena *arena, Pp *pp, Pos pos, bool call) {
    const Inclusion *in = pp_inclusion(pp, pos);
    if (!in) return NULL;
    const char *start = in->file->text + (pos - in->start),
               *end = in->file->text + in->file->length;
    const char *at = start;
    while (!call && at < end && *at == '*') at++;
    bool starred = at > start;
    at = behind_primary(pp, at, end);
    if (at) at = behind_postfix(at, end, call);
    if (!at || at - start > MAX_TEXT) return NULL;
    // An increment changes its operand.
    if (starred && end - at > 1 && (!memcmp(at, "++", 2) || !memcmp(at, "--", 2))) return NULL;
    return arena_text(arena, start, (size_t)(at - start));
}

// ---- Variables

static bool same_name(const Func *ssa, Reg a, Reg b) {
    const RegInfo *x = &ssa->regs.at[a.i], *y = &ssa->regs.at[b.i];
    return str_same(x->name, y->name) && x->number == y->number;
}

// Whether a node sets a variable: on entry, or by its instruction.
static bool sets(const Writing *w, Node node, Reg reg, bool by_instr) {
    const Func *ssa = w->writer->ssa;
    for (uint32_t i = 0; i < func_phi_count(ssa, node); i++) {
        Reg dest = func_phis(ssa, node)[i].dest;
        if (dest.i != reg.i && same_name(ssa, dest, reg)) return true;
    }
    Reg dest = func_at(ssa, node)->dest;
    return by_instr && dest.i != NO_ID && dest.i != reg.i && same_name(ssa, dest, reg);
}

// Whether a register is the value of its variable at the use: it is set on all ways there, and no
// other value of the variable behind it.
static bool is_current(const Writing *w, Reg reg) {
    const BadConditions *c = w->conditions;
    Definition d = c->definitions[reg.i];
    if (d.by == SET_BY_NOTHING) return false;
    Node use = w->writer->use;
    if (d.by != SET_BY_CALLER && (!dominates(&c->forest.dom, d.node, use) || d.node.i == use.i) &&
        !(d.by == SET_BY_PHI && d.node.i == use.i))
        return false;
    bool *seen = ARENA_ARRAY(w->writer->arena, bool, w->writer->ssa->nodes.count);
    VEC(Node) work = {0};
    if (d.by == SET_BY_PHI && d.node.i == use.i) return true;
    if (sets(w, use, reg, false)) return false;
    vec_push(w->writer->arena, &work, use);
    while (work.count) {
        Node node = vec_pop(&work);
        for (uint32_t k = 0; k < preds_count(&c->forest.preds, node); k++) {
            Node from = preds_at(&c->forest.preds, node)[k];
            if (seen[from.i]) continue;
            seen[from.i] = true;
            if (from.i != d.node.i && sets(w, from, reg, true)) return false;
            if (from.i == d.node.i && d.by == SET_BY_PHI && sets(w, from, reg, true)) return false;
            if (from.i != d.node.i) vec_push(w->writer->arena, &work, from);
        }
    }
    return true;
}

static const char *name_of(const Writing *w, Reg reg) {
    const Func *ssa = w->writer->ssa;
    return program_text(ssa->program, ssa->regs.at[reg.i].name);
}

static void add_note(Writing *w, const char *note) {
    for (uint32_t i = 0; i < w->notes.count; i++)
        if (!strcmp(w->notes.at[i], note)) return;
    vec_push(w->writer->arena, &w->notes, note);
}

// If there are several variables of a name, the text says which one is meant.
static void note_variable_of_line(Writing *w, Reg reg) {
    const Func *ssa = w->writer->ssa;
    uint32_t line = w->writer->line[reg.i];
    for (uint32_t r = 0; line && r < ssa->regs.count; r++)
        if (str_same(ssa->regs.at[r].name, ssa->regs.at[reg.i].name) &&
            !same_name(ssa, (Reg){r}, reg)) {
            add_note(w, arena_printf(w->writer->arena, "'%s' being that of line %u",
                                     name_of(w, reg), line));
            return;
        }
}

// A variable that has the value at the use; NO_REG if there is none.
static Reg current_variable(Writing *w, uint32_t quantity) {
    const Func *ssa = w->writer->ssa;
    for (uint32_t r = 0; r < ssa->regs.count; r++) {
        if (!ssa->regs.at[r].name.i || w->conditions->definitions[r].by == SET_BY_NOTHING) continue;
        if (quantity_of(w->conditions, w->plain, (Reg){r}) == quantity && is_current(w, (Reg){r}))
            return (Reg){r};
    }
    return NO_REG;
}

// ---- Values

// How tightly an operator binds, as in C.
enum {
    BINDS_OR,
    BINDS_AND,
    BINDS_BITS,
    BINDS_EQUAL,
    BINDS_LESS,
    BINDS_SHIFT,
    BINDS_ADD,
    BINDS_MUL,
    BINDS_UNARY
};

static void write_quantity(Writing *w, uint32_t quantity, int around);

static const char *place_text(const Writing *w, uint32_t loc) {
    return arena_printf(w->writer->arena, "line %u", w->writer->ssa->program->locs.at[loc].line);
}

// The value at the time of the question: in a loop that has been left, or goes on, the last time.
static void note_time(Writing *w, const char *text, Reg reg) {
    const BadConditions *c = w->conditions;
    Node node = c->definitions[reg.i].node, loop = c->forest.loop_nest.loop[node.i];
    uint32_t loc = func_at(w->writer->ssa, node)->loc;
    if (!loc) return;
    bool again = loop.i != NO_ID && !is_first(w->view, loop) &&
                 !loop_nest_contains(&c->forest.loop_nest, loop, w->writer->use);
    add_note(w, arena_printf(w->writer->arena, "with the %svalue of '%s' at %s",
                             again ? "last " : "", text, place_text(w, loc)));
}

static Pos position(const Writing *w, uint32_t loc) {
    const Program *program = w->writer->ssa->program;
    const Loc *place = &program->locs.at[loc];
    if (!loc) return 0;
    return pp_position(w->writer->pp, program_text(program, program->files.at[place->file]),
                       place->line, place->column);
}

// Whether another access starts at the same place of the source and uses the register: then the
// register is only a part of the text there.
static bool is_part(const Writing *w, Reg reg, uint32_t loc) {
    const Func *ssa = w->writer->ssa;
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (instr->loc != loc) continue;
        bool accesses = instr_has_address(instr) || instr->kind == I_CALL;
        // An addition may be that of an index.
        if (!accesses && !(instr->kind == I_OP && reg_type(ssa, instr->dest) == TYPE_I64)) continue;
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (instr_args(ssa, instr)[k].i == reg.i) return true;
    }
    return false;
}

// Whether a load would find the same at the use.
static bool still_holds(Writing *w, const Quantity *q) {
    for (uint32_t i = 0; i < q->count; i++) {
        int64_t number;
        if (!quantity_is_number(w->conditions, q->operand[i], &number) &&
            current_variable(w, q->operand[i]).i == NO_ID)
            return false;
    }
    const BadConditions *c = w->conditions;
    ObjectHistory history =
        memory_of(w->conditions, defining_instr(c->ssa, c->definitions, q->reg));
    return memory_seen(c, &history, w->plain, history.at[w->writer->use.i]) == q->memory;
}

// A name, or NULL. It has to mean one thing.
static void write_text(Writing *w, const char *text, uint32_t quantity) {
    if (!text) w->failed = true;
    for (uint32_t i = 0; text && i < w->names.count; i++)
        if (!strcmp(w->names.at[i].name, text) && w->names.at[i].quantity != quantity)
            w->failed = true;
    if (w->failed) return;
    vec_push(w->writer->arena, &w->names, (NamedQuantity){text, quantity});
    out_text(w->out, text);
}

static void write_load(Writing *w, const Quantity *q, uint32_t quantity) {
    const Func *ssa = w->writer->ssa;
    const Instr *instr = defining_instr(ssa, w->conditions->definitions, q->reg);
    const char *text = NULL;
    if (q->base == BASE_SYMBOL && !q->count && !q->number) {
        const Symbol *symbol = program_at(ssa->program, (Sym){q->ref});
        const char *name = program_text(ssa->program, symbol->name);
        // An object larger than the access is no variable but contains one.
        if (!strchr(name, '.') && (!symbol->size || symbol->size == chunk_size((Chunk)q->chunk)))
            text = name;
    }
    if (!text && !is_part(w, q->reg, instr->loc))
        text = source_expression(w->writer->arena, w->writer->pp, position(w, instr->loc), false);
    write_text(w, text, quantity);
    if (text && !still_holds(w, q)) note_time(w, text, q->reg);
}

static void write_register(Writing *w, Reg reg, uint32_t quantity) {
    const Func *ssa = w->writer->ssa;
    Definition d = w->conditions->definitions[reg.i];
    const Instr *instr = defining_instr(ssa, w->conditions->definitions, reg);
    if (instr && instr->kind == I_CALL) {
        const char *text =
            source_expression(w->writer->arena, w->writer->pp, position(w, instr->loc), true);
        write_text(w, text, quantity);
        if (text) note_time(w, text, reg);
        return;
    }
    const char *name = name_of(w, reg);
    if (!*name || d.by == SET_BY_NOTHING) {
        w->failed = true;
        return;
    }
    write_text(w, name, quantity);
    if (d.by == SET_BY_CALLER) {
        add_note(w, arena_printf(w->writer->arena, "with the value of '%s' on entry", name));
    } else if (d.by == SET_BY_INSTR) {
        note_time(w, name, reg);
    } else {
        w->failed = true; // a merge that is no longer what the variable holds
    }
}

typedef struct {
    OpFamily family;
    const char *text;
    int binds;
} InfixText;

static const InfixText infix[] = {
    {FAM_ADD, "+", BINDS_ADD},    {FAM_SUB, "-", BINDS_ADD},   {FAM_MUL, "*", BINDS_MUL},
    {FAM_DIVS, "/", BINDS_MUL},   {FAM_MODS, "%", BINDS_MUL},  {FAM_AND, "&", BINDS_BITS},
    {FAM_OR, "|", BINDS_BITS},    {FAM_XOR, "^", BINDS_BITS},  {FAM_SHL, "<<", BINDS_SHIFT},
    {FAM_SAR, ">>", BINDS_SHIFT}, {FAM_EQ, "==", BINDS_EQUAL}, {FAM_NE, "!=", BINDS_EQUAL},
    {FAM_LT, "<", BINDS_LESS},    {FAM_LE, "<=", BINDS_LESS},  {FAM_GT, ">", BINDS_LESS},
    {FAM_GE, ">=", BINDS_LESS}};

static const InfixText prefix[] = {{FAM_NEG, "-", BINDS_UNARY},
                                   {FAM_NOT, "~", BINDS_UNARY},
                                   {FAM_SEXT, "", BINDS_UNARY},
                                   {FAM_SEXT8, "(signed char)", BINDS_UNARY},
                                   {FAM_SEXT16, "(short)", BINDS_UNARY},
                                   {FAM_ZEXT8, "(unsigned char)", BINDS_UNARY},
                                   {FAM_ZEXT16, "(unsigned short)", BINDS_UNARY},
                                   {FAM_ZEXT, "(unsigned)", BINDS_UNARY},
                                   {FAM_TRUNC, "(int)", BINDS_UNARY}};

static const InfixText *infix_text(const InfixText *list, size_t count, OpFamily family) {
    for (size_t i = 0; i < count; i++)
        if (list[i].family == family) return &list[i];
    return NULL;
}

static void write_operator(Writing *w, const Quantity *q, int around) {
    OpFamily family = op_family(q->op);
    const InfixText *one = infix_text(prefix, sizeof prefix / sizeof *prefix, family);
    const InfixText *two = infix_text(infix, sizeof infix / sizeof *infix, family);
    // A sum of 64 bits may be an address, which C counts in elements.
    bool sum = family == FAM_ADD || family == FAM_SUB || family == FAM_MUL || family == FAM_SHL;
    if (q->count == 1 && one) {
        out_text(w->out, one->text);
        write_quantity(w, q->operand[0], one->text[0] ? BINDS_UNARY : around);
        return;
    }
    if (q->count != 2 || !two || (q->type == TYPE_I64 && sum)) {
        w->failed = true;
        return;
    }
    bool parentheses = around >= two->binds || (around > BINDS_AND && two->binds == BINDS_BITS);
    if (parentheses) out_char(w->out, '(');
    write_quantity(w, q->operand[0], two->binds - 1);
    out_printf(w->out, " %s ", two->text);
    write_quantity(w, q->operand[1], two->binds);
    if (parentheses) out_char(w->out, ')');
}

static void write_quantity(Writing *w, uint32_t quantity, int around) {
    Quantity q = w->conditions->quantities.at[quantity];
    if (w->steps++ > MAX_STEPS) w->failed = true;
    if (w->failed) return;
    if (q.kind == QUANTITY_NUMBER) {
        out_i64(w->out, q.number);
        return;
    }
    Reg variable = current_variable(w, quantity);
    if (variable.i != NO_ID) {
        write_text(w, name_of(w, variable), quantity);
        note_variable_of_line(w, variable);
    } else if (q.kind == QUANTITY_LOAD)
        write_load(w, &q, quantity);
    else if (q.kind == QUANTITY_OP)
        write_operator(w, &q, around);
    else
        write_register(w, (Reg){q.ref}, quantity);
}

// ---- Conditions

// A value that is compared as one of a kind.
static void write_side(Writing *w, uint32_t quantity, bool as_unsigned) {
    const Quantity *q = &w->conditions->quantities.at[quantity];
    Reg variable = current_variable(w, quantity);
    if (variable.i == NO_ID && q->kind == QUANTITY_REG) variable = (Reg){q->ref};
    bool is_unsigned = variable.i != NO_ID && w->writer->is_unsigned[variable.i];
    bool wide = q->type == TYPE_I64;
    if (q->kind != QUANTITY_NUMBER && as_unsigned && !is_unsigned && q->least < 0)
        out_text(w->out, wide ? "(unsigned long)" : "(unsigned)");
    if (q->kind != QUANTITY_NUMBER && !as_unsigned && is_unsigned && q->least < 0)
        out_text(w->out, wide ? "(long)" : "(int)");
    bool cast = w->out->length && w->out->text[w->out->length - 1] == ')';
    write_quantity(w, quantity, cast ? BINDS_UNARY : BINDS_LESS);
}

static void write_number(Writing *w, const ConditionAtom *atom, int64_t number, Type type) {
    if (atom->kind == ATOM_UNDER)
        out_u64(w->out, (uint64_t)number & type_mask(type));
    else
        out_i64(w->out, number);
}

static void write_value_literal(Writing *w, const ConditionAtom *atom, bool negated) {
    uint32_t quantity = w->conditions->groups.at[atom->group].first;
    Type type = (Type)w->conditions->quantities.at[quantity].type;
    if (atom->kind == ATOM_EQUAL && atom->number == 0) {
        if (!negated) out_char(w->out, '!');
        write_quantity(w, quantity, negated ? BINDS_EQUAL : BINDS_UNARY);
        return;
    }
    if (atom->kind == ATOM_EQUAL) {
        write_quantity(w, quantity, BINDS_EQUAL);
        out_text(w->out, negated ? " != " : " == ");
        out_i64(w->out, atom->number);
        return;
    }
    write_side(w, quantity, atom->kind == ATOM_UNDER);
    out_text(w->out, atom->strict ? (negated ? " >= " : " < ") : negated ? " > " : " <= ");
    write_number(w, atom, atom->number + (atom->strict ? 1 : 0), type);
}

static void write_pair_literal(Writing *w, const ConditionAtom *atom, bool negated) {
    const ConditionGroup *group = &w->conditions->groups.at[atom->group];
    bool equal = atom->kind == ATOM_PAIR_EQUAL;
    bool less = atom->kind == ATOM_PAIR_LESS || atom->kind == ATOM_PAIR_UNDER;
    bool as_unsigned = atom->kind == ATOM_PAIR_UNDER || atom->kind == ATOM_PAIR_UNDER_EQUAL;
    if (equal)
        write_quantity(w, group->first, BINDS_EQUAL);
    else
        write_side(w, group->first, as_unsigned);
    out_text(w->out, equal     ? negated ? " != " : " == "
                     : less    ? negated ? " >= " : " < "
                     : negated ? " > "
                               : " <= ");
    if (equal)
        write_quantity(w, group->second, BINDS_EQUAL);
    else
        write_side(w, group->second, as_unsigned);
}

static void write_other_literal(Writing *w, const ConditionAtom *atom, bool negated) {
    const ConditionGroup *group = &w->conditions->groups.at[atom->group];
    const InfixText *text =
        infix_text(infix, sizeof infix / sizeof *infix, op_family((Op)atom->op));
    if (!text || group->second >= NO_ID - 1) {
        w->failed = true;
        return;
    }
    if (negated) out_text(w->out, "!(");
    write_quantity(w, group->first, text->binds);
    out_printf(w->out, " %s ", text->text);
    write_quantity(w, group->second, text->binds);
    if (negated) out_char(w->out, ')');
}

static void write_literal(Writing *w, uint32_t literal) {
    const ConditionAtom *atom = &w->conditions->atoms.at[literal / 2];
    if (atom->kind <= ATOM_UNDER)
        write_value_literal(w, atom, literal & 1);
    else if (atom->kind == ATOM_OTHER)
        write_other_literal(w, atom, literal & 1);
    else
        write_pair_literal(w, atom, literal & 1);
}

// ---- Sums of products

// Where a branch of the function first asks for what a literal says.
static uint32_t first_asked(Writing *w, uint32_t literal) {
    const Func *ssa = w->writer->ssa;
    const ConditionGroup *group =
        &w->conditions->groups.at[w->conditions->atoms.at[literal / 2].group];
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (!instr_is_branch(instr)) continue;
        for (uint32_t k = 0; k < instr->arg_count; k++) {
            uint32_t quantity = quantity_of(w->conditions, w->view, instr_args(ssa, instr)[k]);
            if (quantity == group->first || quantity == group->second) return n;
        }
    }
    return NO_ID;
}

// The lower bound of a value comes before the upper one.
static bool is_before(Writing *w, uint32_t a, uint32_t b) {
    const ConditionAtom *x = &w->conditions->atoms.at[a / 2], *y = &w->conditions->atoms.at[b / 2];
    if (x->group == y->group) return (a & 1) > (b & 1) || ((a & 1) == (b & 1) && a < b);
    uint32_t first = first_asked(w, a), second = first_asked(w, b);
    return first < second || (first == second && x->group < y->group);
}

// Each product in the order in which the source asks.
static void sort_products(Writing *w, BddLiterals *products) {
    for (uint32_t start = 0, i = 0; i < products->count; i++) {
        if (products->at[i] == BDD_END) {
            start = i + 1;
            continue;
        }
        uint32_t literal = products->at[i], at = i;
        for (; at > start && is_before(w, literal, products->at[at - 1]); at--)
            products->at[at] = products->at[at - 1];
        products->at[at] = literal;
    }
}

// Whether two literals say together that a value is a number, or that two are the same.
static bool are_equality(const Writing *w, uint32_t a, uint32_t b) {
    const ConditionAtom *x = &w->conditions->atoms.at[a / 2], *y = &w->conditions->atoms.at[b / 2];
    if (b == BDD_END || x->group != y->group || !(a & 1) || b & 1) return false;
    if (x->kind == ATOM_PAIR_LESS && y->kind == ATOM_PAIR_LESS_EQUAL) return true;
    if (x->kind == ATOM_PAIR_UNDER && y->kind == ATOM_PAIR_UNDER_EQUAL) return true;
    return x->kind == y->kind && (x->kind == ATOM_BELOW || x->kind == ATOM_UNDER) &&
           x->number + 1 == y->number;
}

static void write_equality(Writing *w, const ConditionAtom *atom) {
    ConditionAtom equal = *atom;
    equal.kind =
        atom->kind == ATOM_BELOW || atom->kind == ATOM_UNDER ? ATOM_EQUAL : ATOM_PAIR_EQUAL;
    if (equal.kind == ATOM_EQUAL)
        write_value_literal(w, &equal, false);
    else
        write_pair_literal(w, &equal, false);
}

// How many products have a literal.
static uint32_t count_literal(const BddLiterals *products, uint32_t literal) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < products->count; i++) count += products->at[i] == literal;
    return count;
}

// Writes the literals of a product that all products have, or the others. Yields how many.
static uint32_t write_product(Writing *w, const BddLiterals *products, uint32_t from,
                              uint32_t total, bool common) {
    uint32_t written = 0;
    for (uint32_t i = from; products->at[i] != BDD_END; i++) {
        if ((count_literal(products, products->at[i]) == total) != common) continue;
        if (written++) out_text(w->out, " && ");
        uint32_t next = products->at[i + 1];
        if (are_equality(w, products->at[i], next) &&
            (count_literal(products, next) == total) == common) {
            write_equality(w, &w->conditions->atoms.at[next / 2]);
            i++;
        } else {
            write_literal(w, products->at[i]);
        }
    }
    return written;
}

// Where the products begin, in the order in which the source asks for their first literals.
static BddLiterals starts_of(Writing *w, const BddLiterals *products) {
    BddLiterals starts = {0};
    for (uint32_t i = 0; i < products->count; i++) {
        if (i && products->at[i - 1] != BDD_END) continue;
        vec_push(w->writer->arena, &starts, i);
        uint32_t at = starts.count - 1;
        for (; at && is_before(w, products->at[i], products->at[starts.at[at - 1]]); at--)
            starts.at[at] = starts.at[at - 1];
        starts.at[at] = i;
    }
    return starts;
}

static void write_sum(Writing *w, const BddLiterals *products) {
    BddLiterals starts = starts_of(w, products);
    uint32_t total = starts.count;
    uint32_t common = total ? write_product(w, products, 0, total, true) : 0;
    if (total == 1) return;
    if (common) out_text(w->out, " && (");
    for (uint32_t i = 0; i < total; i++) {
        uint32_t length = 0;
        for (uint32_t k = starts.at[i]; products->at[k] != BDD_END; k++)
            length += count_literal(products, products->at[k]) != total;
        if (i) out_text(w->out, " || ");
        if (length > 1) out_char(w->out, '(');
        write_product(w, products, starts.at[i], total, false);
        if (length > 1) out_char(w->out, ')');
    }
    if (common) out_char(w->out, ')');
}

static uint32_t count_all(const BddLiterals *products) {
    return products->count - count_literal(products, BDD_END);
}

// Whether all that is asked for is the same from the start of the function to its end: parameters
// that nothing changes.
static bool is_lasting(Writing *w, const BddLiterals *products) {
    for (uint32_t i = 0; i < products->count; i++) {
        if (products->at[i] == BDD_END) continue;
        const ConditionGroup *group =
            &w->conditions->groups.at[w->conditions->atoms.at[products->at[i] / 2].group];
        uint32_t both[2] = {group->first, group->second};
        for (int k = 0; k < 2; k++) {
            if (both[k] >= NO_ID - 1) continue;
            const Quantity *q = &w->conditions->quantities.at[both[k]];
            if (q->kind == QUANTITY_LOAD ||
                (q->kind == QUANTITY_REG && w->conditions->definitions[q->ref].by != SET_BY_CALLER))
                return false;
        }
    }
    return true;
}

// The sum that holds for the whole function. If it is long, or about values that change on the way,
// the shorter sum that is right wherever the use is executed.
static bool choose_products(Writing *w, const ConditionCase *found, BddLiterals *products,
                            bool *only_here) {
    BddTable *bdd = &w->conditions->bdd;
    BddLiterals here = {0};
    Bdd lower = bdd_and(bdd, found->condition, found->possible);
    Bdd upper = bdd_or(bdd, found->condition, bdd_not(bdd, found->possible));
    if (!bdd_products(bdd, lower, upper, products)) return false;
    if (count_all(products) > MAX_LITERALS || !is_lasting(w, products)) {
        upper = bdd_or(bdd, upper, bdd_not(bdd, found->reached));
        if (!bdd_products(bdd, lower, upper, &here)) return false;
        *only_here = count_all(&here) < count_all(products);
        if (*only_here) *products = here;
    }
    if (count_all(products) > MAX_LITERALS) return false;
    sort_products(w, products);
    return true;
}

// ---- Loops

static bool products_vary(Writing *w, const BddLiterals *products, Node header) {
    const BadConditions *c = w->conditions;
    for (uint32_t i = 0; i < products->count; i++)
        if (products->at[i] != BDD_END &&
            group_varies(c, c->atoms.at[products->at[i] / 2].group, header, &w->steps))
            return true;
    return false;
}

static void write_loop(Writing *w, Node header, const BddLiterals *products) {
    const Func *ssa = w->writer->ssa;
    bool inside = loop_nest_contains(&w->conditions->forest.loop_nest, header, w->writer->use);
    bool always = products->count == 1;
    if (!inside && !always && !products_vary(w, products, header)) return;
    uint32_t loc = func_at(ssa, header)->loc;
    for (Node n = header; !loc && func_at(ssa, n)->succ_count;
         n = instr_succs(ssa, func_at(ssa, n))[0])
        loc = func_at(ssa, n)->loc;
    const char *of =
        loc ? arena_printf(w->writer->arena, " of the loop at %s", place_text(w, loc)) : "";
    if (inside)
        out_printf(w->out, "in the first iteration%s ", of);
    else
        out_printf(w->out, "when the first iteration%s leaves it %s", of, always ? "" : "and ");
}

// ---- All

static void write_case(Writing *w, const ConditionCase *found) {
    BddLiterals products = {0};
    w->view = condition_view(w->conditions, &found->loops);
    w->plain = condition_view(w->conditions, &(FirstLoops){.count = 0});
    bool only_here = false;
    if (!choose_products(w, found, &products, &only_here)) {
        w->failed = true;
        return;
    }
    size_t start = w->out->length;
    for (uint32_t i = 0; i < found->loops.count; i++)
        write_loop(w, found->loops.first[i], &products);
    if (products.count == 1) {
        if (w->out->length == start) out_text(w->out, only_here ? "always here" : "always");
        while (w->out->text[w->out->length - 1] == ' ') w->out->length--;
        return;
    }
    bool joined =
        w->out->length > start && found->loops.count && w->out->text[w->out->length - 2] == 'd';
    out_text(w->out, joined ? "'" : only_here ? "here when '" : "when '");
    write_sum(w, &products);
    out_char(w->out, '\'');
}

const char *condition_words(const ConditionWriter *writer, const BadCondition *condition) {
    Out out = {0};
    Writing w = {.writer = writer, .conditions = writer->conditions, .out = &out};
    for (uint32_t i = 0; i < condition->cases.count && !w.failed; i++) {
        if (i) out_text(&out, ", or ");
        write_case(&w, &condition->cases.at[i]);
    }
    for (uint32_t i = 0; i < w.notes.count; i++)
        out_printf(&out, "%s%s", i ? ", " : " (", w.notes.at[i]);
    if (w.notes.count) out_char(&out, ')');
    const char *text = w.failed ? NULL : arena_text(writer->arena, out.text, out.length);
    out_free(&out);
    return text;
}

uint32_t condition_branches(const ConditionWriter *writer, const BadCondition *condition,
                            Node *branches, uint32_t most) {
    Writing w = {.writer = writer, .conditions = writer->conditions};
    BadConditions *c = writer->conditions;
    uint32_t count = 0;
    for (uint32_t i = 0; i < condition->cases.count; i++) {
        w.view = condition_view(c, &condition->cases.at[i].loops);
        bool *used = ARENA_ARRAY(c->scratch, bool, c->atoms.count + 1);
        bdd_support(&c->bdd, condition->cases.at[i].condition, used);
        for (uint32_t a = 0; a < c->atoms.count; a++) {
            uint32_t asked = used[a] ? first_asked(&w, 2 * a) : NO_ID, at = count;
            for (uint32_t k = 0; k < count; k++)
                if (branches[k].i == asked) asked = NO_ID;
            if (asked == NO_ID || (count == most && asked > branches[count - 1].i)) continue;
            if (count < most)
                count++;
            else
                at--;
            for (; at && branches[at - 1].i > asked; at--) branches[at] = branches[at - 1];
            branches[at] = (Node){asked};
        }
    }
    return count;
}
