// Parses the parts that only the text of GSA has: merges and etas, which stand before the
// instruction of their node like phis, lines that give a name to a predicate or to a list of cases,
// and lines about loops and ends.
//
//   predicate = conjunction { "|" conjunction }
//   conjunction = operand { "&" operand }
//   operand = "(" predicate ")" | "true" | "false" | "undef" | NAME | [ "!" ] literal
//   literal = operator "(" operands ")" | "case" "(" LIST "," register "," ( integer | "default" )
//   ")"
#include "text/parse/parse.h"

// ---- Names: a letter and a number

static bool is_name(const TextParser *p, TextToken token, char letter) {
    const char *text = p->lexer.text + token.start;
    uint32_t length = token.end - token.start;
    if (token.kind != T_WORD || length < 2 || length > 10 || text[0] != letter) return false;
    for (uint32_t i = 1; i < length; i++)
        if (!char_is_digit(text[i])) return false;
    return length == 2 || text[1] != '0';
}

static uint64_t name_number(const TextParser *p, TextToken token) {
    uint64_t number = 0;
    for (uint32_t at = token.start + 1; at < token.end; at++)
        number = number * 10 + (uint64_t)(p->lexer.text[at] - '0');
    return number;
}

// A name is mentioned; what it stands for.
static bool known_name(TextParser *p, const Map *names, char letter, const char *what,
                       uint32_t *id) {
    if (!is_name(p, p->token, letter)) return parse_expected(p, what);
    *id = map_get(names, name_number(p, p->token));
    if (*id == HASH_NONE) {
        parse_error(p, p->token.start, "%s has no line before this one that says what it is",
                    parse_shown(p, p->token.start));
        return false;
    }
    parse_next(p);
    return true;
}

// A name is given; its number.
static bool new_name(TextParser *p, const Map *names, char letter, const char *what,
                     uint64_t *number) {
    if (!is_name(p, p->token, letter)) return parse_expected(p, what);
    *number = name_number(p, p->token);
    if (map_get(names, *number) != HASH_NONE) {
        parse_error(p, p->token.start, "%s has a line already", parse_shown(p, p->token.start));
        return false;
    }
    parse_next(p);
    return parse_expect(p, '=', "'='");
}

// ---- Literals

// The successor that a switch takes for a value, if the value is in the list.
static bool find_way(const Gsa *gsa, GateCases cases, int64_t value, uint32_t *way) {
    for (uint32_t low = 0, high = cases.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        int64_t found = gsa->case_values.at[cases.first + middle];
        *way = middle + 1;
        if (found == value) return true;
        if (found < value)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool way(TextParser *p, GateAtom *atom) {
    const Gsa *gsa = p->body.func->gsa;
    uint32_t place = p->token.start;
    int64_t value;
    if (parse_accept_word(p, "default")) return true;
    if (!parse_integer(p, 64, &value)) return false;
    if (find_way(gsa, gsa->switches.at[atom->cases], value, &atom->way)) return true;
    parse_error(p, place, "the list has no case %lld", (long long)value);
    return false;
}

static bool case_literal(TextParser *p, GateAtom *atom) {
    *atom = (GateAtom){.op = OP_COUNT, .arg_count = 1};
    parse_next(p);
    return parse_expect(p, '(', "'('") &&
           known_name(p, &p->body.case_lists, 'c', "the name of a list of cases", &atom->cases) &&
           parse_expect(p, ',', "','") && parse_register(p, &atom->arg[0]) &&
           parse_expect(p, ',', "','") && way(p, atom) && parse_expect(p, ')', "')'");
}

static bool condition_literal(TextParser *p, GateAtom *atom) {
    Instr instr = {.dest = NO_REG};
    vec_clear(&p->body.args);
    if (!parse_condition(p, &instr) || !parse_expect(p, '(', "'('") || !parse_operands(p, &instr) ||
        !parse_expect(p, ')', "')'"))
        return false;
    *atom = (GateAtom){.op = instr.op,
                       .immediate = instr.immediate,
                       .arg_count = (uint8_t)p->body.args.count,
                       .imm = instr.imm};
    for (uint32_t i = 0; i < p->body.args.count; i++) atom->arg[i] = p->body.args.at[i];
    return true;
}

static bool literal(TextParser *p, Gate *gate) {
    bool negated = parse_accept(p, '!');
    GateAtom atom;
    if (!parse_at(p, T_WORD) || is_name(p, p->token, 'p'))
        return parse_expected(p, negated ? "a condition" : "a predicate");
    if (!(parse_at_word(p, "case") ? case_literal : condition_literal)(p, &atom)) return false;
    *gate = gate_literal(p->body.func->arena, p->body.func->gsa, &atom, negated);
    return true;
}

// ---- Predicates, by two stacks: operands, and operators that await their second one

static void reduce(TextParser *p) {
    BodyState *body = &p->body;
    Gate second = vec_pop(&body->gate_operands), first = vec_pop(&body->gate_operands);
    Gate result = (vec_pop(&body->gate_operators) == '&' ? gate_and : gate_or)(
        body->func->arena, body->func->gsa, first, second);
    vec_push(p->scratch, &body->gate_operands, result);
}

static char waiting_operator(const TextParser *p) {
    uint32_t count = p->body.gate_operators.count;
    return count ? p->body.gate_operators.at[count - 1] : '\0';
}

static bool operand(TextParser *p) {
    Gate gate;
    if (parse_accept_word(p, "true"))
        gate = GATE_TRUE;
    else if (parse_accept_word(p, "false"))
        gate = GATE_FALSE;
    else if (parse_accept_word(p, "undef"))
        gate = GATE_UNDEF;
    else if (is_name(p, p->token, 'p')) {
        if (!known_name(p, &p->body.gate_names, 'p', "a predicate", &gate.i)) return false;
    } else if (!literal(p, &gate)) {
        return false;
    }
    vec_push(p->scratch, &p->body.gate_operands, gate);
    return true;
}

static bool predicate(TextParser *p, Gate *gate) {
    BodyState *body = &p->body;
    uint32_t open = 0;
    vec_clear(&body->gate_operands);
    vec_clear(&body->gate_operators);
    for (;;) {
        while (parse_accept(p, '(')) {
            vec_push(p->scratch, &body->gate_operators, '(');
            open++;
        }
        if (!operand(p)) return false;
        while (open && parse_at(p, ')')) {
            while (waiting_operator(p) != '(') reduce(p);
            body->gate_operators.count--;
            open--;
            parse_next(p);
        }
        bool conjunction = parse_at(p, '&');
        if (!conjunction && !parse_at(p, '|')) break;
        while (waiting_operator(p) == '&' || (!conjunction && waiting_operator(p) == '|'))
            reduce(p);
        vec_push(p->scratch, &body->gate_operators, conjunction ? '&' : '|');
        parse_next(p);
    }
    if (open) return parse_expected(p, "')'");
    while (body->gate_operators.count) reduce(p);
    *gate = body->gate_operands.at[0];
    return true;
}

// ---- Merges and etas

// mu = "mu" "(" register "," register ")"; gamma = "gamma" "(" predicate ":" register { "," ... }
// ")"
static bool merge(TextParser *p, Reg dest, MergeKind kind) {
    BodyState *body = &p->body;
    vec_clear(&body->merge_args);
    if (!parse_expect(p, '(', "'('")) return false;
    do {
        MergeArg arg = {.gate = GATE_TRUE};
        if (kind == MERGE_GAMMA && (!predicate(p, &arg.gate) || !parse_expect(p, ':', "':'")))
            return false;
        if (!parse_register(p, &arg.reg)) return false;
        vec_push(p->scratch, &body->merge_args, arg);
    } while (parse_accept(p, ','));
    gsa_add_merge(body->func, (Node){body->func->nodes.count}, kind, dest, body->merge_args.at,
                  body->merge_args.count);
    return parse_expect(p, ')', "',' or ')'");
}

// eta = "eta" "(" predicate "," register ")"
static bool eta(TextParser *p, Reg dest) {
    Eta eta = {.dest = dest};
    if (!parse_expect(p, '(', "'('") || !predicate(p, &eta.gate) || !parse_expect(p, ',', "','") ||
        !parse_register(p, &eta.source))
        return false;
    gsa_add_eta(p->body.func, (Node){p->body.func->nodes.count}, eta);
    return parse_expect(p, ')', "')'");
}

// LABEL ":" register "=" ( mu | gamma | eta )
static bool merged_line(TextParser *p) {
    Merged merged;
    if (!parse_merged(p, &merged)) return false;
    bool good;
    if (parse_accept_word(p, "eta")) {
        good = eta(p, merged.reg);
    } else {
        MergeKind kind = parse_at_word(p, "mu") ? MERGE_MU : MERGE_GAMMA;
        parse_next(p);
        good = merge(p, merged.reg, kind);
    }
    return good && parse_end_of_line(p);
}

// ---- Other lines

// NAME "=" predicate
static bool name_line(TextParser *p) {
    uint64_t number;
    Gate gate;
    if (!new_name(p, &p->body.gate_names, 'p', "the name of a predicate", &number) ||
        !predicate(p, &gate))
        return false;
    map_set(p->scratch, &p->body.gate_names, number, gate.i);
    return parse_end_of_line(p);
}

// "cases" LIST "=" [ integer { "," integer } ]
static bool cases_line(TextParser *p) {
    BodyState *body = &p->body;
    uint64_t number;
    vec_clear(&body->list);
    parse_next(p);
    if (!new_name(p, &body->case_lists, 'c', "the name of a list of cases", &number)) return false;
    while (!parse_at(p, T_LINE) && !parse_at(p, T_END)) {
        int64_t value;
        if (body->list.count && !parse_expect(p, ',', "','")) return false;
        uint32_t place = p->token.start;
        if (!parse_integer(p, 64, &value)) return false;
        if (body->list.count && value <= body->list.at[body->list.count - 1]) {
            parse_error(p, place, "cases must be in ascending order");
            return false;
        }
        vec_push(p->scratch, &body->list, value);
    }
    uint32_t list =
        gate_case_list(body->func->arena, body->func->gsa, body->list.at, body->list.count);
    map_set(p->scratch, &body->case_lists, number, list);
    return parse_end_of_line(p);
}

// "loop" LABEL ":" "leaves" predicate "," "goes" "on" predicate; "end" LABEL ":" predicate
static bool gates_line(TextParser *p) {
    GateLine line = {.loop = parse_at_word(p, "loop")};
    parse_next(p);
    line.place = p->token.start;
    if (!parse_u32(p, UINT32_MAX - 1, "a label", &line.label) || !parse_expect(p, ':', "':'"))
        return false;
    if ((line.loop && !parse_expect_word(p, "leaves")) || !predicate(p, &line.first)) return false;
    if (line.loop && (!parse_expect(p, ',', "','") || !parse_expect_word(p, "goes") ||
                      !parse_expect_word(p, "on") || !predicate(p, &line.second)))
        return false;
    vec_push(p->scratch, &p->body.gate_lines, line);
    return parse_end_of_line(p);
}

static bool at_merged(const TextParser *p) {
    TextToken word;
    return parse_ahead_result(p, "mge", &word) &&
           (parse_token_is(p, word, "mu") || parse_token_is(p, word, "gamma") ||
            parse_token_is(p, word, "eta"));
}

static bool at_gated(const TextParser *p) {
    return is_name(p, p->token, 'p') || parse_at_word(p, "cases") || parse_at_word(p, "loop") ||
           parse_at_word(p, "end") || at_merged(p);
}

static bool gated_line(TextParser *p) {
    if (parse_at(p, T_NUMBER)) return merged_line(p);
    if (is_name(p, p->token, 'p')) return name_line(p);
    return parse_at_word(p, "cases") ? cases_line(p) : gates_line(p);
}

static void settle(TextParser *p) {
    Func *func = p->body.func;
    gsa_end_blocks(func);
    for (uint32_t i = 0; i < p->body.gate_lines.count; i++) {
        const GateLine *line = &p->body.gate_lines.at[i];
        Node node = {parse_find_label(&p->body, line->label)};
        LoopGate loop = {.header = node, .leaves = line->first, .goes_on = line->second};
        EndGate end = {.node = node, .gate = line->first};
        if (node.i == HASH_NONE)
            parse_error(p, line->place, "there is no label %u in this function", line->label);
        else if (line->loop)
            vec_push(func->arena, &func->gsa->loops, loop);
        else
            vec_push(func->arena, &func->gsa->ends, end);
    }
    parse_merged_types(p, NULL);
}

// The predicates of the form before may be there already.
void gsa_parse_begin(TextParser *p) {
    Func *func = p->body.func;
    if (!func->gsa) func->gsa = gsa_new(func->arena);
}

bool gsa_parse_line(TextParser *p) {
    return at_gated(p) ? gated_line(p) : rtl_parse_line(p);
}

void gsa_parse_end(TextParser *p, uint32_t place) {
    parse_graph_end(p, place, settle);
}
