// Parses the parts that the text of SON has beside the text of SSA: the classes of memory, headings
// of regions, versions of memory, memory phis, and operators without labels, which float.
//
//   memory     = "memory" class { "," class }               class = slot | symbol
//   region     = "region" LABEL [ "from" LABEL { "," LABEL } ] ":"
//   line       = LABEL ":" [ VERSION "," | VERSION "=" ] [ register "=" ] instruction
//                [ "from" VERSION ] ...
//   memory_phi = LABEL ":" VERSION "=" "phi" ( class | "rest" )
//                "(" LABEL ":" VERSION { "," LABEL ":" VERSION } ")"
//   floating   = "floating" ":" { register "=" instruction }
//   VERSION    = "m0" | "m1" | ...
#include "fact/son_regions.h"
#include "text/parse/parse.h"

#include <string.h>

// ---- Versions

static bool is_version(const TextParser *p, TextToken token) {
    const char *text = p->lexer.text + token.start;
    uint32_t length = token.end - token.start;
    if (token.kind != T_WORD || length < 2 || length > 10 || text[0] != 'm') return false;
    for (uint32_t i = 1; i < length; i++)
        if (!char_is_digit(text[i])) return false;
    return length == 2 || text[1] != '0';
}

static bool version(TextParser *p, uint32_t *number) {
    if (!is_version(p, p->token)) return parse_expected(p, "a version of memory, as m1");
    *number = 0;
    for (uint32_t at = p->token.start + 1; at < p->token.end; at++)
        *number = *number * 10 + (uint32_t)(p->lexer.text[at] - '0');
    if (*number >= p->body.func->son->version_count) p->body.func->son->version_count = *number + 1;
    parse_next(p);
    return true;
}

bool parse_version_made(TextParser *p, Node node) {
    Son *son = p->body.func->son;
    if (!is_version(p, p->token)) return true;
    uint32_t made;
    if (!version(p, &made)) return false;
    while (son->makes.count <= node.i) vec_push(p->body.func->arena, &son->makes, NO_ID);
    son->makes.at[node.i] = made;
    return parse_accept(p, ',') ? parse_at(p, T_REGISTER) || parse_expected(p, "a register")
                                : parse_expect(p, '=', "'=' or ','");
}

bool parse_version_read(TextParser *p, Node node) {
    Son *son = p->body.func->son;
    if (!parse_accept_word(p, "from")) return true;
    uint32_t read;
    if (!version(p, &read)) return false;
    while (son->reads.count <= node.i) vec_push(p->body.func->arena, &son->reads, NO_ID);
    son->reads.at[node.i] = read;
    return true;
}

// ---- Classes

static bool class_name(TextParser *p, MemoryClass *found) {
    found->is_slot = parse_at(p, T_SLOT);
    if (!found->is_slot && !parse_at(p, T_SYMBOL)) return parse_expected(p, "a slot or a symbol");
    return found->is_slot ? parse_slot(p, &found->ref) : parse_symbol(p, &found->ref);
}

static uint64_t class_key(MemoryClass row) {
    return (uint64_t)row.is_slot << 32 | row.ref;
}

static bool memory_line(TextParser *p) {
    Func *func = p->body.func;
    if (func->nodes.count || p->body.regions.count) {
        parse_error(p, p->token.start, "classes of memory stand before the first region");
        return false;
    }
    parse_next(p);
    do {
        uint32_t place = p->token.start;
        MemoryClass row;
        if (!class_name(p, &row)) return false;
        if (map_get(&p->body.memory_classes, class_key(row)) != HASH_NONE) {
            parse_error(p, place, "%s is a class of memory twice", parse_shown(p, place));
            return false;
        }
        vec_push(func->arena, &func->son->classes, row);
        map_set(p->scratch, &p->body.memory_classes, class_key(row), func->son->classes.count);
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}

// The class of a memory phi.
static bool memory_class(TextParser *p, uint32_t *memory) {
    uint32_t place = p->token.start;
    MemoryClass row;
    *memory = MEMORY_REST;
    if (parse_accept_word(p, "rest")) return true;
    if (!class_name(p, &row)) return false;
    *memory = map_get(&p->body.memory_classes, class_key(row));
    if (*memory != HASH_NONE) return true;
    parse_error(p, place, "%s is not among the classes of memory", parse_shown(p, place));
    return false;
}

// ---- Regions

static bool region_line(TextParser *p) {
    BodyState *body = &p->body;
    parse_next(p);
    RegionLine line = {.place = p->token.start,
                       .first_way = body->ways.count,
                       .before = {body->func->nodes.count}};
    if (!parse_u32(p, UINT32_MAX - 1, "the label of a region's first node", &line.label))
        return false;
    if (parse_accept_word(p, "from")) do {
            uint32_t label;
            if (!parse_u32(p, UINT32_MAX - 1, "the label of a predecessor", &label)) return false;
            vec_push(p->scratch, &body->ways, label);
        } while (parse_accept(p, ','));
    line.way_count = body->ways.count - line.first_way;
    vec_push(p->scratch, &body->regions, line);
    return parse_expect(p, ':', "':'") && parse_end_of_line(p);
}

static bool same_ways(TextParser *p, const RegionLine *line, const Preds *preds) {
    const BodyState *body = &p->body;
    uint32_t count = preds_count(preds, line->before);
    bool same = count == line->way_count;
    for (uint32_t k = 0; same && k < count; k++) {
        uint32_t from = preds_at(preds, line->before)[k].i;
        same = body->label_of.at[from] == body->ways.at[line->first_way + k];
    }
    if (same) return true;
    Out list = {0};
    for (uint32_t k = 0; k < count; k++)
        out_printf(&list, "%s%u", k ? ", " : "",
                   body->label_of.at[preds_at(preds, line->before)[k].i]);
    parse_error(p, line->place, "region %u is entered from %.*s", line->label,
                count ? (int)list.length : 7, count ? list.text : "nowhere");
    out_free(&list);
    return false;
}

// A heading stands before the first node of its region, and says how that is entered.
static bool check_heading(TextParser *p, const RegionLine *line, const Preds *preds,
                          const uint32_t *region) {
    const BodyState *body = &p->body;
    if (parse_find_label(body, line->label) != line->before.i)
        parse_error(p, line->place, "the node of label %u does not follow this line", line->label);
    else if (region[line->before.i] != line->before.i)
        parse_error(p, line->place, "no region starts at label %u: control comes from %u only",
                    line->label, body->label_of.at[preds_at(preds, line->before)->i]);
    else
        return same_ways(p, line, preds);
    return false;
}

static bool check_headings(TextParser *p, const Preds *preds) {
    const BodyState *body = &p->body;
    const uint32_t *region = son_regions(p->scratch, body->func, preds);
    uint32_t next = 0;
    for (uint32_t n = 0; n < body->func->nodes.count; n++) {
        bool headed = false;
        for (; next < body->regions.count && body->regions.at[next].before.i == n; next++) {
            if (!check_heading(p, &body->regions.at[next], preds, region)) return false;
            headed = true;
        }
        if (region[n] == n && !headed) {
            parse_error(p, body->node_places.at[n],
                        "a region starts here; expected a line before it: region %u%s",
                        body->label_of.at[n], n ? " from ..." : "");
            return false;
        }
    }
    if (next == body->regions.count) return true;
    parse_error(p, body->regions.at[next].place, "no node follows this line");
    return false;
}

// ---- Memory phis

static bool at_memory_phi(const TextParser *p) {
    if (!parse_at(p, T_NUMBER)) return false;
    Lexer ahead = p->lexer;
    if (lex_next(&ahead).kind != ':' || !is_version(p, lex_next(&ahead)) ||
        lex_next(&ahead).kind != '=')
        return false;
    TextToken word = lex_next(&ahead);
    return word.kind == T_WORD && word.end - word.start == 3 &&
           memcmp(p->lexer.text + word.start, "phi", 3) == 0;
}

static bool memory_argument(TextParser *p) {
    MemoryArg arg = {.place = p->token.start};
    if (!parse_u32(p, UINT32_MAX - 1, "the label of a predecessor", &arg.label) ||
        !parse_expect(p, ':', "':'") || !version(p, &arg.version))
        return false;
    vec_push(p->scratch, &p->body.memory_args, arg);
    return true;
}

static bool memory_phi_line(TextParser *p) {
    BodyState *body = &p->body;
    MemoryPhiLine phi = {.join = {body->func->nodes.count}, .first_arg = body->memory_args.count};
    uint32_t place = p->token.start, label;
    if (!parse_u32(p, UINT32_MAX - 1, "a label", &label) || !parse_phis_end(p, label, place))
        return false;
    body->phi_label = label;
    parse_next(p);
    phi.place = p->token.start;
    if (!version(p, &phi.version)) return false;
    parse_next(p);
    parse_next(p);
    if (!memory_class(p, &phi.memory) || !parse_expect(p, '(', "'('")) return false;
    do
        if (!memory_argument(p)) return false;
    while (parse_accept(p, ','));
    phi.arg_count = body->memory_args.count - phi.first_arg;
    vec_push(p->scratch, &body->memory_phis, phi);
    return parse_expect(p, ')', "',' or ')'") && parse_end_of_line(p);
}

// The arguments, in the order of predecessors.
static bool memory_arguments(TextParser *p, const MemoryPhiLine *phi, const Preds *preds,
                             uint32_t *args) {
    uint32_t count = preds_count(preds, phi->join);
    for (uint32_t k = 0; k < count; k++) args[k] = NO_ID;
    for (uint32_t i = 0; i < phi->arg_count; i++) {
        const MemoryArg *arg = &p->body.memory_args.at[phi->first_arg + i];
        uint32_t pred = parse_find_label(&p->body, arg->label);
        uint32_t k = pred == HASH_NONE ? NO_ID : preds_index(preds, phi->join, (Node){pred});
        if (k == NO_ID)
            parse_error(p, arg->place, "%u is not a predecessor of this node", arg->label);
        else if (args[k] != NO_ID)
            parse_error(p, arg->place, "this phi has two arguments for predecessor %u", arg->label);
        if (k == NO_ID || args[k] != NO_ID) return false;
        args[k] = arg->version;
    }
    if (phi->arg_count == count) return true;
    parse_error(p, phi->place, "this phi has %u argument%s, but the node has %u predecessor%s",
                phi->arg_count, phi->arg_count == 1 ? "" : "s", count, count == 1 ? "" : "s");
    return false;
}

static void add_memory_phis(TextParser *p, const Preds *preds) {
    VEC(uint32_t) args = {0};
    for (uint32_t i = 0; i < p->body.memory_phis.count; i++) {
        const MemoryPhiLine *phi = &p->body.memory_phis.at[i];
        uint32_t count = preds_count(preds, phi->join);
        while (args.count < count) vec_push(p->scratch, &args, NO_ID);
        if (!memory_arguments(p, phi, preds, args.at)) return;
        son_add_memory_phi(p->body.func, phi->join, phi->memory, phi->version, args.at, count);
    }
}

static void settle(TextParser *p) {
    Preds preds = preds_of(p->scratch, p->body.func);
    add_memory_phis(p, &preds);
    son_end_memory(p->body.func);
    check_headings(p, &preds);
}

// ---- Lines

static bool floating_line(TextParser *p) {
    Instr instr;
    if (!p->body.floating) {
        parse_error(p, p->token.start,
                    "an operator without a label stands behind a line that says 'floating:'");
        return false;
    }
    if (!parse_operator_line(p, &instr)) return false;
    vec_push(p->body.func->arena, &p->body.func->son->floating, instr);
    return true;
}

static bool floating_heading(TextParser *p) {
    parse_next(p);
    p->body.floating = true;
    return parse_expect(p, ':', "':'") && parse_end_of_line(p);
}

void son_parse_begin(TextParser *p) {
    p->body.func->son = son_new(p->body.func->arena);
}

bool son_parse_line(TextParser *p) {
    if (parse_at(p, T_REGISTER)) return floating_line(p);
    if (parse_at_word(p, "memory")) return memory_line(p);
    if (parse_at_word(p, "region")) return region_line(p);
    if (parse_at_word(p, "floating")) return floating_heading(p);
    return at_memory_phi(p) ? memory_phi_line(p) : ssa_parse_line(p);
}

void son_parse_end(TextParser *p, uint32_t place) {
    parse_graph_end(p, place, settle);
}
