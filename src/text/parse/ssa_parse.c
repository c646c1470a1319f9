// Phis, which only the text of SSA has. The phis of a join stand on lines of their own before its
// instruction, with its label. Their arguments are brought into the order of the predecessors when
// all edges are known; a register that only phis define then gets its type from those it is tied
// to.
#include "text/parse/parse.h"

#include "graph/phi_class.h"

#include <string.h>

// A quick look at the line: whether a word with one of these first letters may follow its "=".
// Quotes could hide another one.
static bool may_follow(const TextParser *p, const char *letters) {
    const char *text = p->lexer.text;
    uint32_t at = p->lexer.at;
    while (at < p->lexer.end && text[at] != '=' && text[at] != '\n' && text[at] != '"') at++;
    if (at >= p->lexer.end || text[at] == '\n') return false;
    if (text[at] == '"') return true;
    for (at++; at < p->lexer.end && text[at] == ' ';) at++;
    return at < p->lexer.end && text[at] != '\0' && strchr(letters, text[at]);
}

bool parse_ahead_result(const TextParser *p, const char *letters, TextToken *word) {
    if (!parse_at(p, T_NUMBER) || !may_follow(p, letters)) return false;
    Lexer ahead = p->lexer;
    if (lex_next(&ahead).kind != ':' || lex_next(&ahead).kind != T_REGISTER ||
        lex_next(&ahead).kind != '=')
        return false;
    *word = lex_next(&ahead);
    return word->kind == T_WORD;
}

static bool at_phi(const TextParser *p) {
    TextToken word;
    return parse_ahead_result(p, "p", &word) && word.end - word.start == 3 &&
           memcmp(p->lexer.text + word.start, "phi", 3) == 0;
}

// argument = LABEL ":" register
static bool phi_argument(TextParser *p) {
    PhiArg arg = {.place = p->token.start};
    if (!parse_u32(p, UINT32_MAX - 1, "the label of a predecessor", &arg.label) ||
        !parse_expect(p, ':', "':'") || !parse_register(p, &arg.reg))
        return false;
    vec_push(p->scratch, &p->body.phi_args, arg);
    return true;
}

static bool phi_arguments(TextParser *p) {
    if (!parse_expect(p, '(', "'('")) return false;
    if (parse_accept(p, ')')) return true;
    do
        if (!phi_argument(p)) return false;
    while (parse_accept(p, ','));
    return parse_expect(p, ')', "',' or ')'");
}

bool parse_merged(TextParser *p, Merged *merged) {
    BodyState *body = &p->body;
    uint32_t place = p->token.start, label;
    if (!parse_u32(p, UINT32_MAX - 1, "a label", &label) || !parse_phis_end(p, label, place))
        return false;
    body->phi_label = label;
    parse_next(p);
    merged->place = p->token.start;
    if (!parse_register(p, &merged->reg)) return false;
    parse_next(p);
    body->reg_places.at[merged->reg.i].excused = true; // parse_merged_types looks after it
    vec_push(p->scratch, &body->merged, *merged);
    return true;
}

// phi = LABEL ":" register "=" "phi" "(" [ argument { "," argument } ] ")", for the next node
static bool phi_line(TextParser *p) {
    BodyState *body = &p->body;
    PhiLine phi = {.join = {body->func->nodes.count}, .first_arg = body->phi_args.count};
    Merged merged;
    if (!parse_merged(p, &merged)) return false;
    parse_next(p);
    phi.dest = merged.reg;
    phi.place = merged.place;
    if (!phi_arguments(p) || !parse_end_of_line(p)) return false;
    phi.arg_count = body->phi_args.count - phi.first_arg;
    vec_push(p->scratch, &body->phis, phi);
    return true;
}

bool parse_phis_end(TextParser *p, uint32_t label, uint32_t place) {
    uint32_t waiting = p->body.phi_label;
    p->body.phi_label = NO_ID;
    if (waiting == NO_ID || waiting == label) return true;
    parse_error(p, place, "the phis or merges of label %u are not followed by its instruction",
                waiting);
    return false;
}

// Brings a phi's arguments into the order of the predecessors. `index` has, for each predecessor of
// the join, its index plus one, and zero for all other nodes.
static bool order_arguments(TextParser *p, const PhiLine *phi, const uint32_t *index, Reg *args,
                            uint32_t count) {
    for (uint32_t k = 0; k < count; k++) args[k] = NO_REG;
    for (uint32_t i = 0; i < phi->arg_count; i++) {
        const PhiArg *arg = &p->body.phi_args.at[phi->first_arg + i];
        uint32_t pred = parse_find_label(&p->body, arg->label);
        if (pred == HASH_NONE || !index[pred]) {
            parse_error(p, arg->place, "%u is not a predecessor of this node", arg->label);
            return false;
        }
        Reg *to = &args[index[pred] - 1];
        if (to->i != NO_ID) {
            parse_error(p, arg->place, "this phi has two arguments for predecessor %u", arg->label);
            return false;
        }
        *to = arg->reg;
    }
    if (phi->arg_count == count) return true;
    parse_error(p, phi->place, "this phi has %u argument%s, but the node has %u predecessor%s",
                phi->arg_count, phi->arg_count == 1 ? "" : "s", count, count == 1 ? "" : "s");
    return false;
}

static bool add_phis(TextParser *p, const Preds *preds) {
    BodyState *body = &p->body;
    uint32_t *index = ARENA_ARRAY(p->scratch, uint32_t, body->func->nodes.count);
    VEC(Reg) args = {0};
    bool good = true;
    for (uint32_t i = 0; i < body->phis.count;) {
        Node join = body->phis.at[i].join;
        uint32_t count = preds_count(preds, join);
        const Node *list = preds_at(preds, join);
        while (args.count < count) vec_push(p->scratch, &args, NO_REG);
        for (uint32_t k = 0; k < count; k++) index[list[k].i] = k + 1;
        for (; i < body->phis.count && body->phis.at[i].join.i == join.i; i++) {
            const PhiLine *phi = &body->phis.at[i];
            if (order_arguments(p, phi, index, args.at, count))
                func_add_phi(body->func, join, phi->dest, args.at, count);
            else
                good = false;
        }
        for (uint32_t k = 0; k < count; k++) index[list[k].i] = 0;
    }
    func_end_phis(body->func);
    return good;
}

// What is known about a class of registers that phis tie together, in its least register's place: a
// member with a type, plus one; or that the lack of a type has been reported, or will be by whoever
// looks for registers that are not declared.
#define TYPE_REPORTED UINT32_MAX

static uint32_t *class_types(TextParser *p, const uint32_t *phi_class) {
    const BodyState *body = &p->body;
    uint32_t *typed = ARENA_ARRAY(p->scratch, uint32_t, body->func->regs.count);
    for (uint32_t i = 0; i < body->func->regs.count; i++) {
        bool defined = body->reg_places.at[i].definition != NO_ID;
        if (!defined && !body->reg_places.at[i].excused) typed[phi_class[i]] = TYPE_REPORTED;
        if (defined && !typed[phi_class[i]]) typed[phi_class[i]] = i + 1;
    }
    return typed;
}

// A register that only phis define has the type of its class; which of its members gives it does
// not matter, because the verifier compares them.
void parse_merged_types(TextParser *p, const Preds *preds) {
    Func *func = p->body.func;
    uint32_t known_count = 0;
    while (known_count < p->body.merged.count &&
           p->body.reg_places.at[p->body.merged.at[known_count].reg.i].definition != NO_ID)
        known_count++;
    if (known_count == p->body.merged.count) return;
    const uint32_t *phi_class = phi_classes(p->scratch, func, preds);
    uint32_t *typed = class_types(p, phi_class);
    for (uint32_t i = 0; i < p->body.merged.count; i++) {
        Merged merged = p->body.merged.at[i];
        uint32_t *from = &typed[phi_class[merged.reg.i]];
        RegPlace *known = &p->body.reg_places.at[merged.reg.i];
        if (known->definition != NO_ID || *from == TYPE_REPORTED) continue;
        known->definition = merged.place;
        if (*from) {
            func->regs.at[merged.reg.i].type = func->regs.at[*from - 1].type;
            continue;
        }
        parse_error(p, merged.place,
                    "nothing tells the type of %s; declare it before the first instruction: reg "
                    "TYPE NAME",
                    parse_shown(p, merged.place));
        *from = TYPE_REPORTED;
    }
}

void parse_phis_settle(TextParser *p) {
    if (!p->body.phis.count) return;
    Preds preds = preds_of(p->scratch, p->body.func);
    if (add_phis(p, &preds)) parse_merged_types(p, &preds);
}

void ssa_parse_begin(TextParser *p) {
    (void)p;
}

bool ssa_parse_line(TextParser *p) {
    return at_phi(p) ? phi_line(p) : rtl_parse_line(p);
}

void ssa_parse_end(TextParser *p, uint32_t place) {
    parse_graph_end(p, place, NULL);
}
