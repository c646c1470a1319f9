#include "check/machine/terms.h"

#include "fact/eval.h"
#include "fact/rules.h"
#include "target/model.h"

// ---- Keeping each term once

// Fields that most terms do not have are mixed in only where they are there; same_node compares
// everything.
static uint64_t hash_of(const TermNode *node, const TermPart *parts) {
    uint64_t h = (uint64_t)node->kind | (uint64_t)node->type << 8 | (uint64_t)node->code << 16 |
                 (uint64_t)node->high << 32;
    if (node->imm) h = hash_add(h, (uint64_t)node->imm);
    if (node->kind == TERM_SUM) {
        for (uint32_t i = 0; i < node->count; i++)
            h = hash_add(hash_add(h, parts[i].term), (uint64_t)parts[i].factor);
        return h;
    }
    h = hash_add(h, (uint64_t)node->a << 32 | node->b);
    return node->c ? hash_add(h, node->c) : h;
}

static bool same_node(const Terms *terms, const TermNode *a, const TermNode *b,
                      const TermPart *parts) {
    if (a->kind != b->kind || a->type != b->type || a->code != b->code || a->high != b->high ||
        a->imm != b->imm || a->count != b->count)
        return false;
    if (a->kind != TERM_SUM) return a->a == b->a && a->b == b->b && a->c == b->c;
    for (uint32_t i = 0; i < a->count; i++) {
        const TermPart *part = &terms->parts.at[a->a + i];
        if (part->term != parts[i].term || part->factor != parts[i].factor) return false;
    }
    return true;
}

static Term intern(Terms *terms, TermNode node, const TermPart *parts) {
    uint64_t hash = hash_of(&node, parts);
    uint32_t id;
    for (uint32_t at = table_first(&terms->table, hash);
         (id = table_id(&terms->table, hash, &at)) != HASH_NONE;)
        if (same_node(terms, &terms->nodes.at[id], &node, parts)) return (Term){id};
    if (node.kind == TERM_SUM) {
        node.a = terms->parts.count;
        for (uint32_t i = 0; i < node.count; i++) vec_push(terms->arena, &terms->parts, parts[i]);
    }
    id = terms->nodes.count;
    vec_push(terms->arena, &terms->nodes, node);
    table_insert(terms->arena, &terms->table, hash, id);
    return (Term){id};
}

// Clearing the table takes time for its capacity, so the number of terms must be worth it.
void terms_forget(Terms *terms) {
    const uint32_t many = 256;
    if (terms->table.count < many || terms->table.count < terms->table.capacity / 4) return;
    table_clear(&terms->table);
    vec_clear(&terms->nodes);
    vec_clear(&terms->parts);
    terms->low = (Map){0};
}

static int64_t wrapped(Type type, uint64_t value) {
    return type == TYPE_I32 ? (int32_t)(uint32_t)value : (int64_t)value;
}

Term term_atom(Terms *terms, Type type, uint32_t tag, uint32_t a, uint32_t b) {
    TermNode node = {
        .kind = TERM_ATOM, .type = (uint8_t)type, .code = (uint16_t)tag, .a = a, .b = b};
    return intern(terms, node, NULL);
}

Term term_const(Terms *terms, Type type, int64_t imm, uint32_t high) {
    if (type == TYPE_I32) imm = wrapped(type, (uint64_t)imm);
    if (type == TYPE_F32) imm &= UINT32_MAX;
    TermNode node = {.kind = TERM_CONST, .type = (uint8_t)type, .high = (uint16_t)high, .imm = imm};
    return intern(terms, node, NULL);
}

static bool is_const(const Terms *terms, Term term) {
    return term_at(terms, term)->kind == TERM_CONST;
}
static bool is_number(const Terms *terms, Term term, int64_t value) {
    return is_const(terms, term) && term_at(terms, term)->imm == value;
}
static Term plain_op(Terms *terms, Op op, const Term *args) {
    const OpInfo *info = op_info(op);
    TermNode node = {.kind = TERM_OP,
                     .type = (uint8_t)info->result,
                     .code = (uint16_t)op,
                     .a = args[0].i,
                     .b = info->arity > 1 ? args[1].i : 0,
                     .c = info->arity > 2 ? args[2].i : 0,
                     .count = info->arity};
    return intern(terms, node, NULL);
}
static Term unary(Terms *terms, Op op, Term a) {
    return term_op(terms, op, &a);
}

// ---- Sums

typedef struct {
    TermPart part[2 * TERM_MOST];
    uint32_t count;
    uint64_t constant;
} Sum;

static void sum_of(const Terms *terms, Term term, Sum *sum) {
    const TermNode *node = term_at(terms, term);
    sum->count = 0;
    sum->constant = 0;
    if (node->kind == TERM_CONST) {
        sum->constant = (uint64_t)node->imm;
    } else if (node->kind == TERM_SUM) {
        sum->constant = (uint64_t)node->imm;
        for (; sum->count < node->count; sum->count++)
            sum->part[sum->count] = terms->parts.at[node->a + sum->count];
    } else {
        sum->part[sum->count++] = (TermPart){term.i, 1};
    }
}

// to := a + factor * b; the parts stay in the order of their terms. Vanishing parts stay, too, as 0
// times a term: where the term has no value, the sum has none.
static void sum_add(Sum *to, const Sum *a, const Sum *b, uint64_t factor, Type type) {
    uint32_t i = 0, j = 0;
    to->count = 0;
    to->constant = a->constant + factor * b->constant;
    while (i < a->count || j < b->count) {
        bool left = j == b->count || (i < a->count && a->part[i].term <= b->part[j].term);
        bool right = i == a->count || (j < b->count && b->part[j].term <= a->part[i].term);
        uint32_t term = left ? a->part[i].term : b->part[j].term;
        uint64_t sum = left ? (uint64_t)a->part[i++].factor : 0;
        if (right) sum += factor * (uint64_t)b->part[j++].factor;
        to->part[to->count++] = (TermPart){term, wrapped(type, sum)};
    }
}

static Term term_of_sum(Terms *terms, const Sum *sum, Type type) {
    int64_t constant = wrapped(type, sum->constant);
    if (sum->count == 0) return term_const(terms, type, constant, 0);
    if (sum->count == 1 && constant == 0 && sum->part[0].factor == 1)
        return (Term){sum->part[0].term};
    TermNode node = {.kind = TERM_SUM, .type = (uint8_t)type, .count = sum->count, .imm = constant};
    return intern(terms, node, sum->part);
}

// NO_TERM if the sum would have too many parts.
static Term add_scaled(Terms *terms, Term a, Term b, uint64_t factor) {
    Type type = term_at(terms, a)->type;
    Sum left, right, sum;
    sum_of(terms, a, &left);
    sum_of(terms, b, &right);
    sum_add(&sum, &left, &right, factor, type);
    return sum.count > TERM_MOST ? NO_TERM : term_of_sum(terms, &sum, type);
}

static Term scaled(Terms *terms, Term a, uint64_t factor) {
    return add_scaled(terms, term_const(terms, term_at(terms, a)->type, 0, 0), a, factor);
}

// A term without the number that is added to it.
static Term without_offset(Terms *terms, Term term, uint64_t *offset) {
    Sum sum;
    sum_of(terms, term, &sum);
    *offset = sum.constant;
    sum.constant = 0;
    return term_of_sum(terms, &sum, term_at(terms, term)->type);
}

// Of a sum that has too many parts only numbers are still collected, as addressing modes move these
// about.
Term term_add(Terms *terms, Term a, Term b, int64_t factor) {
    Term sum = add_scaled(terms, a, b, (uint64_t)factor);
    if (sum.i != NO_ID) return sum;
    Type type = term_at(terms, a)->type;
    uint64_t left_offset, right_offset;
    Term left = without_offset(terms, a, &left_offset);
    Term right = without_offset(terms, scaled(terms, b, (uint64_t)factor), &right_offset);
    Term args[] = {left.i < right.i ? left : right, left.i < right.i ? right : left};
    sum = plain_op(terms, op_of(FAM_ADD, type), args);
    return term_offset(terms, sum, (int64_t)(left_offset + right_offset));
}

Term term_offset(Terms *terms, Term a, int64_t offset) {
    return term_add(terms, a, term_const(terms, term_at(terms, a)->type, offset, 0), 1);
}

Term term_settled(Terms *terms, Term term) {
    TermNode sum = *term_at(terms, term);
    if (sum.kind != TERM_SUM || sum.count <= TERM_PARTS) return term;
    int64_t constant = sum.imm;
    sum.imm = 0;
    TermPart parts[TERM_MOST];
    for (uint32_t i = 0; i < sum.count; i++) parts[i] = terms->parts.at[sum.a + i];
    TermNode whole = {.kind = TERM_WHOLE, .type = sum.type, .a = intern(terms, sum, parts).i};
    return term_offset(terms, intern(terms, whole, NULL), constant);
}

// A sum, or a product by a constant; NO_TERM for others. All that is linear comes here by rows.
static Term linear(Terms *terms, Op op, const Term *args) {
    if (op == OP_ADD_I32 || op == OP_ADD_I64) return term_add(terms, args[0], args[1], 1);
    if (op != OP_MUL_I32 && op != OP_MUL_I64) return NO_TERM;
    for (int k = 0; k < 2; k++)
        if (is_const(terms, args[k]))
            return scaled(terms, args[!k], (uint64_t)term_at(terms, args[k])->imm);
    return NO_TERM;
}

// ---- Constants

static Term folded(Terms *terms, Op op, const Term *args) {
    const OpInfo *info = op_info(op);
    Value values[3] = {{0}}, result;
    for (uint32_t k = 0; k < info->arity; k++) {
        const TermNode *node = term_at(terms, args[k]);
        if (node->kind != TERM_CONST) return NO_TERM;
        values[k] = value_immediate(node->type, node->imm);
        values[k].high = node->high;
    }
    if (!op_eval(op, values[0], values[1], values[2], &result) ||
        !target_evaluates(terms->target, op, values, result))
        return NO_TERM;
    return term_const(terms, info->result, (int64_t)result.bits, (uint32_t)result.high);
}

// ---- Comparisons

static bool is_comparison(Op op) {
    return op_info(op)->flags & OPF_COND;
}

// Of a comparison and its mirror image the one with the smaller number is kept, with the operands
// in the matching order; where both are the same, the smaller term comes first.
static Term compared(Terms *terms, Op op, const Term *args) {
    Op mirror = op_mirror(op);
    bool swap = mirror == op ? args[0].i > args[1].i : mirror < op;
    // x == 0 and x != 0 where x is itself a comparison
    for (int k = 0; k < 2 && (op == OP_EQ_I32 || op == OP_NE_I32); k++) {
        const TermNode *other = term_at(terms, args[!k]);
        if (!is_number(terms, args[k], 0) || other->kind != TERM_OP || !is_comparison(other->code))
            continue;
        return op == OP_NE_I32 ? args[!k] : term_negation(terms, args[!k]);
    }
    return swap ? plain_op(terms, mirror, (Term[]){args[1], args[0]}) : plain_op(terms, op, args);
}

Term term_negation(Terms *terms, Term comparison) {
    const TermNode *node = term_at(terms, comparison);
    if (node->kind != TERM_OP || !is_comparison(node->code)) return NO_TERM;
    return compared(terms, op_negation(node->code), (Term[]){{node->a}, {node->b}});
}

Term term_truth(Terms *terms, Term value) {
    return term_op(terms, OP_NE_I32, (Term[]){value, term_const(terms, TYPE_I32, 0, 0)});
}

// Of a comparison and its negation one is taken for the condition of a select.
static Term selected(Terms *terms, Op op, const Term *args) {
    Term truth = term_truth(terms, args[0]);
    if (is_const(terms, truth)) return args[is_number(terms, truth, 0) ? 2 : 1];
    Term negation = term_negation(terms, truth);
    bool swap = term_at(terms, negation)->code < term_at(terms, truth)->code;
    Term operands[] = {swap ? negation : truth, args[swap ? 2 : 1], args[swap ? 1 : 2]};
    return plain_op(terms, op, operands);
}

// ---- Widths

// Whether an i32 is known not to be negative.
static bool is_natural(const Terms *terms, Term term) {
    const TermNode *node = term_at(terms, term);
    if (node->kind == TERM_CONST) return node->imm >= 0;
    if (node->kind == TERM_LOAD) return node->code == CHUNK_U8 || node->code == CHUNK_U16;
    if (node->kind != TERM_OP) return false;
    Term a = {node->a}, b = {node->b};
    switch ((Op)node->code) {
    case OP_ZEXT8_I32:
    case OP_ZEXT16_I32: return true;
    case OP_AND_I32:
        return (is_const(terms, b) && term_at(terms, b)->imm >= 0) ||
               (is_const(terms, a) && term_at(terms, a)->imm >= 0);
    case OP_SHR_I32: return is_const(terms, b) && (term_at(terms, b)->imm & 31) != 0;
    default: return is_comparison((Op)node->code);
    }
}

// A load of fewer bits of the same bytes.
static Term reloaded(Terms *terms, Term load, Chunk chunk) {
    TermNode node = *term_at(terms, load);
    return term_load(terms, chunk, (Term){node.a}, node.b);
}

static Term truncated(Terms *terms, Term value) {
    TermNode node = *term_at(terms, value);
    if (node.kind == TERM_LOAD) return reloaded(terms, value, CHUNK_I32);
    if (node.kind != TERM_SUM) return NO_TERM;
    Term sum = term_const(terms, TYPE_I32, node.imm, 0);
    for (uint32_t i = 0; i < node.count; i++) {
        TermPart part = terms->parts.at[node.a + i];
        Term low = unary(terms, OP_TRUNC_I32, (Term){part.term});
        sum = term_add(terms, sum, low, part.factor);
    }
    return sum;
}

// The operators that extend the low 8 or 16 bits.
static const struct {
    Op op;
    uint32_t bits;
    Chunk chunk;
} extensions[] = {{OP_SEXT8_I32, 8, CHUNK_I8},
                  {OP_ZEXT8_I32, 8, CHUNK_U8},
                  {OP_SEXT16_I32, 16, CHUNK_I16},
                  {OP_ZEXT16_I32, 16, CHUNK_U16}};
enum { EXTENSIONS = sizeof extensions / sizeof extensions[0] };

// How deep the search for simpler low bits goes into an expression.
enum { LOW_DEPTH = 6 };

static Term low_bits(Terms *terms, uint32_t bits, Term value, uint32_t depth);

// The smallest number that agrees with the given number in the low bits, 8 or 16 of them.
static int64_t low_number(uint32_t bits, int64_t number) {
    uint32_t shift = 32 - bits;
    return (int32_t)((uint32_t)number << shift) >> shift;
}

// Parts may be sums themselves once an extension is gone, so the numbers are brought down at the
// end: doing it all again must change nothing.
static Term low_sum(Terms *terms, uint32_t bits, const TermNode *node, uint32_t depth) {
    Term total = term_const(terms, TYPE_I32, node->imm, 0);
    for (uint32_t i = 0; i < node->count; i++) {
        TermPart part = terms->parts.at[node->a + i];
        Term low = low_bits(terms, bits, (Term){part.term}, depth);
        total = term_add(terms, total, low, part.factor);
    }
    Sum sum;
    sum_of(terms, total, &sum);
    sum.constant = (uint64_t)low_number(bits, (int64_t)sum.constant);
    for (uint32_t i = 0; i < sum.count; i++)
        sum.part[i].factor = low_number(bits, sum.part[i].factor);
    return term_of_sum(terms, &sum, TYPE_I32);
}

// By the lemmas low_byte_OP and low_half_OP; sums and products by constants are sums.
static bool is_low(Op op) {
    // clang-format off
    switch (op) {
#define LOW(id) case OP_##id##_I32: return true;
#include "fact/term_rules.def"
    default: return false;
    }
    // clang-format on
}

static Term low_operator(Terms *terms, uint32_t bits, const TermNode *node, uint32_t depth) {
    int64_t mask = ((int64_t)1 << bits) - 1;
    Term a = low_bits(terms, bits, (Term){node->a}, depth);
    Term b = low_bits(terms, bits, (Term){node->b}, depth);
    if (node->code == OP_AND_I32 && is_number(terms, a, mask)) return b;
    if (node->code == OP_AND_I32 && is_number(terms, b, mask)) return a;
    return plain_op(terms, node->code, a.i < b.i ? (Term[]){a, b} : (Term[]){b, a});
}

static Term find_low_bits(Terms *terms, uint32_t bits, Term value, uint32_t depth) {
    TermNode node = *term_at(terms, value);
    if (node.type != TYPE_I32 || depth == 0) return value;
    if (node.kind == TERM_CONST)
        return term_const(terms, TYPE_I32, node.imm & (((int64_t)1 << bits) - 1), 0);
    if (node.kind == TERM_LOAD && 8 * chunk_size((Chunk)node.code) >= bits)
        return reloaded(terms, value, bits == 8 ? CHUNK_U8 : CHUNK_U16);
    if (node.kind == TERM_SUM) return low_sum(terms, bits, &node, depth - 1);
    if (node.kind != TERM_OP) return value;
    if (is_low(node.code)) return low_operator(terms, bits, &node, depth - 1);
    for (uint32_t i = 0; i < EXTENSIONS; i++)
        if (node.code == extensions[i].op && extensions[i].bits >= bits)
            return low_bits(terms, bits, (Term){node.a}, depth - 1);
    return value;
}

// A term with the same low bits, 8 or 16 of them: extensions, and operators that only change higher
// bits, are left out; a load becomes a load of so many bits. Found once, as an expression may have
// the same parts at every depth.
static Term low_bits(Terms *terms, uint32_t bits, Term value, uint32_t depth) {
    uint64_t key = (uint64_t)value.i << 16 | bits << 8 | depth;
    uint32_t known = map_get(&terms->low, key);
    if (known != HASH_NONE) return (Term){known};
    Term low = find_low_bits(terms, bits, value, depth);
    map_set(terms->arena, &terms->low, key, low.i);
    return low;
}

// The low 8 or 16 bits, extended.
static Term narrowed(Terms *terms, Op op, Term value) {
    for (uint32_t i = 0; i < EXTENSIONS; i++) {
        if (extensions[i].op != op) continue;
        Term low = low_bits(terms, extensions[i].bits, value, LOW_DEPTH);
        const TermNode *node = term_at(terms, low);
        if (node->kind == TERM_LOAD && 8 * chunk_size((Chunk)node->code) == extensions[i].bits)
            return reloaded(terms, low, extensions[i].chunk);
        Term constant = folded(terms, op, &low);
        return constant.i != NO_ID ? constant : plain_op(terms, op, &low);
    }
    return NO_TERM;
}

static Term resized(Terms *terms, Op op, Term value) {
    switch (op) {
    case OP_TRUNC_I32: return truncated(terms, value);
    case OP_SEXT_I64: return is_natural(terms, value) ? unary(terms, OP_ZEXT_I64, value) : NO_TERM;
    case OP_SEXT8_I32:
    case OP_ZEXT8_I32:
    case OP_SEXT16_I32:
    case OP_ZEXT16_I32: return narrowed(terms, op, value);
    default: return NO_TERM;
    }
}

Term term_low(Terms *terms, Chunk chunk, Term value) {
    if (chunk == CHUNK_I8 || chunk == CHUNK_U8) return unary(terms, OP_ZEXT8_I32, value);
    if (chunk == CHUNK_I16 || chunk == CHUNK_U16) return unary(terms, OP_ZEXT16_I32, value);
    return value;
}

// ---- Rows

typedef struct {
    Terms *terms;
    const RuleInfo *row;
    Bindings bindings; // a term in the place of a register
} RowUse;

// A constant, or else a term.
static RuleOperand operand_of(const Terms *terms, Term term) {
    const TermNode *node = term_at(terms, term);
    if (node->kind != TERM_CONST) return (RuleOperand){.reg = {term.i}};
    return (RuleOperand){.reg = NO_REG, .value = value_immediate(node->type, node->imm)};
}

// A variable of a row stands for one term throughout; X and Y for any.
static bool bind(RowUse *use, RuleTerm variable, Term term) {
    uint32_t k = (uint32_t)(variable - TERM_X);
    RuleOperand operand = operand_of(use->terms, term), *bound = &use->bindings.operand[k];
    if (use->bindings.bound >> k & 1)
        return bound->reg.i == operand.reg.i && bound->value.bits == operand.value.bits;
    if (operand.reg.i != NO_ID && !term_allows_register(variable)) return false;
    use->bindings.bound |= (uint32_t)1 << k;
    *bound = operand;
    return true;
}

static bool row_matches(RowUse *use, const RuleTerm *pattern, Term term, Type type) {
    const TermNode *node = term_at(use->terms, term);
    if (term_is_literal(*pattern))
        return node->kind == TERM_CONST && ((uint64_t)node->imm & type_mask(type)) ==
                                               term_literal(pattern, use->row->width, type).bits;
    if (*pattern >= OP_COUNT) return bind(use, *pattern, term);
    // Below the root rows have operators of one operand only.
    if (node->kind != TERM_OP || node->code != *pattern || node->count != 1) return false;
    return row_matches(use, pattern + 1, (Term){node->a}, op_info((Op)*pattern)->operand[0]);
}

// The term that a pattern stands for. Rows are short, and so the recursion is.
static Term row_builds(RowUse *use, const RuleTerm *pattern, Type type) {
    Value value;
    const RuleTerm *end;
    if (term_evaluate(pattern, use->row->width, type, &use->bindings, &value, &end))
        return term_const(use->terms, type, (int64_t)value.bits, 0);
    if (*pattern >= OP_COUNT) return (Term){use->bindings.operand[*pattern - TERM_X].reg.i};
    const OpInfo *info = op_info((Op)*pattern);
    Term args[3];
    const RuleTerm *at = pattern + 1;
    for (uint8_t k = 0; k < info->arity; k++, at = term_end(at))
        args[k] = row_builds(use, at, info->operand[k]);
    return term_op(use->terms, (Op)*pattern, args);
}

static Term apply_row(Terms *terms, const RuleInfo *row, Op op, const Term *args, bool swap) {
    RowUse use = {.terms = terms, .row = row};
    const OpInfo *info = op_info(op);
    const RuleTerm *at = row->from + 1;
    for (uint8_t k = 0; k < info->arity; k++, at = term_end(at))
        if (!row_matches(&use, at, args[swap ? 1 - k : k], info->operand[k])) return NO_TERM;
    Value holds;
    if (!term_evaluate(row->when, row->width, TYPE_I32, &use.bindings, &holds, &at) ||
        holds.bits == 0)
        return NO_TERM;
    return row_builds(&use, row->to, info->result);
}

// By the first row of term_rules.def that matches, in either order if the operator commutes;
// NO_TERM if none does.
static Term by_rows(Terms *terms, Op op, const Term *args) {
    Term term = NO_TERM;
    for (uint32_t r = 0; r < TERM_RULE_COUNT; r++) {
        if (term_rule_roots[r] != op) continue;
        term = apply_row(terms, &term_rule_table[r], op, args, false);
        if (term.i == NO_ID && (op_info(op)->flags & OPF_COMM))
            term = apply_row(terms, &term_rule_table[r], op, args, true);
        if (term.i != NO_ID) return term;
    }
    return term;
}

// ---- Operators

Term term_op(Terms *terms, Op op, const Term *given) {
    Term term = folded(terms, op, given);
    if (term.i == NO_ID) term = linear(terms, op, given);
    if (term.i == NO_ID) term = by_rows(terms, op, given);
    if (term.i != NO_ID) return term;
    if (op_is_move(op)) return given[0];
    Term args[3] = {NO_TERM, NO_TERM, NO_TERM};
    for (uint32_t k = 0; k < op_info(op)->arity; k++) args[k] = term_settled(terms, given[k]);
    if (op_info(op)->arity == 1) term = resized(terms, op, args[0]);
    if (term.i != NO_ID) return term;
    if (is_comparison(op)) return compared(terms, op, args);
    if (op_info(op)->arity == 3) return selected(terms, op, args);
    if ((op_info(op)->flags & OPF_COMM) && args[0].i > args[1].i)
        return plain_op(terms, op, (Term[]){args[1], args[0]});
    return plain_op(terms, op, args);
}

Term term_load(Terms *terms, Chunk chunk, Term address, uint32_t version) {
    TermNode node = {.kind = TERM_LOAD,
                     .type = (uint8_t)chunk_type(chunk),
                     .code = (uint16_t)chunk,
                     .a = term_settled(terms, address).i,
                     .b = version};
    return intern(terms, node, NULL);
}
