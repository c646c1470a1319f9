// Bodies of functions: lines, registers, slots, labels, and what can only be settled when all lines
// are known. See parse.h.
#include "text/parse/parse.h"

#include "fact/effects.h"

// ---- Registers

static bool same_register(const RegInfo *a, const RegInfo *b) {
    return str_same(a->name, b->name) && a->number == b->number && a->version == b->version;
}

static uint64_t hash_register(const RegInfo *info) {
    uint64_t name = (uint64_t)info->name.i << 32 | info->number;
    return hash_mix(name + info->version * 0x9e3779b97f4a7c15u);
}

// The register of this name; HASH_NONE if it is new.
static uint32_t find_register(const BodyState *body, const RegInfo *info, uint64_t hash) {
    uint32_t at = table_first(&body->registers, hash), id;
    while ((id = table_id(&body->registers, hash, &at)) != HASH_NONE)
        if (same_register(&body->func->regs.at[id], info)) break;
    return id;
}

static void enter_register(TextParser *p, uint32_t id, uint64_t hash, RegPlace place) {
    table_insert(p->names, &p->body.registers, hash, id);
    vec_push(p->names, &p->body.reg_places, place);
}

bool parse_register(TextParser *p, Reg *reg) {
    if (!parse_at(p, T_REGISTER)) return parse_expected(p, "a register");
    uint32_t place = p->token.start;
    RegInfo info;
    if (!parse_register_name(p, &info)) return false;
    uint64_t hash = hash_register(&info);
    reg->i = find_register(&p->body, &info, hash);
    if (reg->i != HASH_NONE) return true;
    *reg = func_add_reg(p->body.func, info);
    enter_register(p, reg->i, hash, (RegPlace){.mention = place, .definition = NO_ID});
    return true;
}

// Types of the first definition count.
bool parse_define_register(TextParser *p, Reg reg, Type type, uint32_t place) {
    RegInfo *info = &p->body.func->regs.at[reg.i];
    RegPlace *known = &p->body.reg_places.at[reg.i];
    if (known->definition == NO_ID) {
        known->definition = place;
        info->type = type;
    } else if (info->type != type) {
        parse_error(p, place, "%s is %s here, but %s on line %u", parse_shown(p, place),
                    type_name(type), type_name(info->type), parse_line(p, known->definition));
        return false;
    }
    return true;
}

static void enter_params(TextParser *p, const Body *body) {
    for (uint32_t i = 0; i < body->func->params.count; i++) {
        const RegInfo *info = &body->func->regs.at[i];
        uint32_t place = p->param_places.at[body->first_param + i];
        uint64_t hash = hash_register(info);
        if (find_register(&p->body, info, hash) != HASH_NONE)
            parse_error(p, place, "%s is a parameter twice", parse_shown(p, place));
        enter_register(p, i, hash, (RegPlace){.mention = place, .definition = place});
    }
}

// Every register needs a type.
void parse_check_registers(TextParser *p) {
    for (uint32_t i = 0; i < p->body.reg_places.count; i++) {
        const RegPlace *known = &p->body.reg_places.at[i];
        if (known->definition == NO_ID && !known->excused)
            parse_error(p, known->mention,
                        "%s has no definition; declare it before the first instruction: reg TYPE "
                        "NAME",
                        parse_shown(p, known->mention));
    }
}

// ---- Slots and symbols

// The key of the slot whose token is the current one.
static bool slot_key(TextParser *p, Str *name, uint64_t *key) {
    TextToken token = p->token;
    if (token.kind != T_SLOT) return parse_expected(p, "a slot");
    if (!parse_name(p, name)) return false;
    *key = name->i;
    if (name->i) return true;
    uint64_t index = 0;
    for (uint32_t at = token.name_end; at < token.end && index < UINT32_MAX; at++)
        index = index * 10 + (uint64_t)(p->lexer.text[at] - '0');
    *key = SLOT_UNNAMED + index;
    return true;
}

bool parse_slot(TextParser *p, uint32_t *slot) {
    uint32_t place = p->token.start;
    Str name;
    uint64_t key;
    if (!slot_key(p, &name, &key)) return false;
    *slot = map_get(&p->body.slots, key);
    if (*slot != HASH_NONE) return true;
    return parse_error(p, place, "%s is not declared", parse_shown(p, place)), false;
}

bool parse_symbol(TextParser *p, uint32_t *symbol) {
    if (!parse_at(p, T_SYMBOL)) return parse_expected(p, "a symbol");
    uint32_t place = p->token.start;
    Str name;
    if (!parse_name(p, &name)) return false;
    *symbol = program_find(p->program, name).i;
    if (*symbol != NO_ID) return true;
    return parse_error(p, place, "%s is not declared", parse_shown(p, place)), false;
}

// slot = "slot" slot "size" SIZE "align" ALIGN [ BUFFER ]
static bool slot_line(TextParser *p) {
    SlotInfo info = {0};
    uint32_t place = p->token.start;
    uint64_t key;
    Func *func = p->body.func;
    if (!slot_key(p, &info.name, &key)) return false;
    if (map_get(&p->body.slots, key) != HASH_NONE)
        return parse_error(p, place, "%s is declared twice", parse_shown(p, place)), false;
    map_set(p->names, &p->body.slots, key, func->slots.count);
    if (!info.name.i && key != SLOT_UNNAMED + func->slots.count) {
        parse_error(p, place, "a slot without name has its index for a number: this is $%u",
                    func->slots.count);
        return false;
    }
    if (!parse_expect_word(p, "size") || !parse_unsigned(p, UINT64_MAX, "a size", &info.size) ||
        !parse_expect_word(p, "align") || !parse_u32(p, UINT32_MAX, "an alignment", &info.align))
        return false;
    for (BufferKind kind = BUFFER_NONE + 1; kind < BUFFER_COUNT && !info.buffer; kind++)
        if (parse_accept_word(p, buffer_name(kind))) info.buffer = (uint8_t)kind;
    func_add_slot(func, info);
    return parse_end_of_line(p);
}

// reg = "reg" type register { "," register }
static bool reg_line(TextParser *p) {
    Type type = parse_at(p, T_WORD)
                    ? type_named(p->lexer.text + p->token.start, p->token.end - p->token.start)
                    : TYPE_COUNT;
    if (type == TYPE_VOID || type == TYPE_COUNT) return parse_expected(p, "the type of a register");
    parse_next(p);
    do {
        uint32_t place = p->token.start;
        Reg reg;
        if (!parse_register(p, &reg) || !parse_define_register(p, reg, type, place)) return false;
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}

// ---- Labels

// Most texts number their lines more or less in order, so an array finds most labels; the map takes
// those that would make it large.
uint32_t parse_find_label(const BodyState *body, uint32_t number) {
    if (number < body->near_labels.count && body->near_labels.at[number] != NO_ID)
        return body->near_labels.at[number];
    return map_get(&body->far_labels, number);
}

static void enter_label(TextParser *p, uint32_t number, Node node) {
    BodyState *body = &p->body;
    if (number > 2 * (uint64_t)node.i + 1000) {
        map_set(p->scratch, &body->far_labels, number, node.i);
        return;
    }
    while (body->near_labels.count <= number) vec_push(p->scratch, &body->near_labels, NO_ID);
    body->near_labels.at[number] = node.i;
}

bool parse_at_plain_label(const TextParser *p) {
    const char *text = p->lexer.text;
    if (!parse_at(p, T_WORD) || text[p->token.start] != 'L' || p->token.end - p->token.start < 2)
        return false;
    for (uint32_t at = p->token.start + 1; at < p->token.end; at++)
        if (!char_is_digit(text[at])) return false;
    return true;
}

bool parse_plain_label(TextParser *p, uint32_t *number) {
    if (!parse_at_plain_label(p)) return parse_expected(p, "a label");
    uint64_t value = 0;
    for (uint32_t at = p->token.start + 1; at < p->token.end && value < NO_ID; at++)
        value = value * 10 + (uint64_t)(p->lexer.text[at] - '0');
    if (value >= NO_ID)
        return parse_error(p, p->token.start, "the number of this label is too large"), false;
    *number = (uint32_t)value;
    parse_next(p);
    return true;
}

bool parse_target(TextParser *p, Node from, uint32_t which) {
    Edge edge = {.from = from, .which = which, .place = p->token.start};
    bool good = p->form == FORM_MACH0 ? parse_plain_label(p, &edge.label)
                                      : parse_u32(p, UINT32_MAX - 1, "a label", &edge.label);
    if (!good) return false;
    vec_push(p->scratch, &p->body.edges, edge);
    return true;
}

static bool new_label(TextParser *p, Node node, uint32_t number, uint32_t place) {
    bool good = parse_phis_end(p, number, place);
    uint32_t earlier = number == NO_ID ? HASH_NONE : parse_find_label(&p->body, number);
    if (number == NO_ID)
        ; // it has none
    else if (earlier == HASH_NONE)
        enter_label(p, number, node);
    else
        parse_error(p, place, "label %u is already used on line %u", number,
                    parse_line(p, p->body.node_places.at[earlier]));
    vec_push(p->scratch, &p->body.label_of, number);
    vec_push(p->scratch, &p->body.node_places, place);
    return good && earlier == HASH_NONE;
}

bool parse_add_node(TextParser *p, const Func *from, const Instr *instr, uint32_t label,
                    uint32_t place) {
    BodyState *body = &p->body;
    uint32_t cases = body->func->case_pool.count;
    Node node = func_copy_instr(body->func, from, instr);
    const Node *succs = instr_succs(from, instr);
    for (; cases < body->func->case_pool.count; cases++)
        vec_push(p->scratch, &body->case_places, place);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Edge edge = {.from = node, .which = k, .label = func_label(from, succs[k]), .place = place};
        vec_push(p->scratch, &body->edges, edge);
    }
    return new_label(p, node, label, place);
}

static void resolve_edges(TextParser *p) {
    for (uint32_t i = 0; i < p->body.edges.count; i++) {
        const Edge *edge = &p->body.edges.at[i];
        uint32_t target = parse_find_label(&p->body, edge->label);
        if (target == HASH_NONE)
            parse_error(p, edge->place, "there is no label %u in this function", edge->label);
        else
            func_set_succ(p->body.func, edge->from, edge->which, (Node){target});
    }
}

// Labels are stored only if they differ from the indices of the nodes.
static void store_labels(const BodyState *body) {
    Func *func = body->func;
    uint32_t same = 0, count = body->label_of.count;
    while (same < count && body->label_of.at[same] == same) same++;
    if (same == count) return;
    uint32_t *labels = vec_extend(func->arena, &func->labels, count);
    for (uint32_t i = 0; i < count; i++) labels[i] = body->label_of.at[i];
}

// ---- Lines

bool parse_location(TextParser *p, uint32_t *location) {
    if (!parse_accept(p, '!')) return true;
    Loc loc;
    uint32_t place = p->token.start;
    if (!parse_u32(p, UINT32_MAX, "the number of a file", &loc.file) ||
        !parse_expect(p, ':', "':'") || !parse_u32(p, UINT32_MAX, "a line number", &loc.line) ||
        !parse_expect(p, ':', "':'") || !parse_u32(p, UINT32_MAX, "a column", &loc.column))
        return false;
    if (loc.file == 0 || loc.file >= p->program->files.count)
        return parse_error(p, place, "there is no file %u", loc.file), false;
    *location = program_loc(p->program, loc);
    return true;
}

// successor = [ "->" LABEL ], for an instruction that has one and does not name it itself
static bool successor(TextParser *p, Node node, const Instr *instr) {
    if (instr_is_branch(instr) || instr_ends(instr)) return true;
    bool named = parse_accept(p, T_ARROW);
    vec_push(p->scratch, &p->body.succs, named ? NO_NODE : (Node){node.i + 1});
    return !named || parse_target(p, node, 0);
}

// A result goes to a register, and nothing else does; only a call may drop its result.
static bool check_result(TextParser *p, const Instr *instr, uint32_t place, uint32_t mnemonic) {
    if (instr->dest.i != NO_ID && p->body.result == TYPE_VOID) {
        parse_error(p, place, "%s has no result", parse_shown(p, mnemonic));
        return false;
    }
    if (instr->dest.i != NO_ID) return parse_define_register(p, instr->dest, p->body.result, place);
    if (p->body.result == TYPE_VOID || instr_has(instr, INSTR_CALLEE)) return true;
    parse_error(p, mnemonic, "%s needs a register for its result", parse_shown(p, mnemonic));
    return false;
}

// [ register "=" ] instruction
static bool result_and_operation(TextParser *p, Node node, Instr *instr) {
    uint32_t place = p->token.start;
    if (parse_at(p, T_REGISTER) &&
        (!parse_register(p, &instr->dest) || !parse_expect(p, '=', "'='")))
        return false;
    uint32_t mnemonic = p->token.start;
    return parse_instruction(p, node, instr) && check_result(p, instr, place, mnemonic);
}

// rest = result_and_operation successor; in SON, with versions of memory (son_parse.c)
static bool rest_of_line(TextParser *p, Node node, Instr *instr) {
    if (p->body.func->son && !parse_version_made(p, node)) return false;
    return result_and_operation(p, node, instr) &&
           (!p->body.func->son || parse_version_read(p, node)) && successor(p, node, instr);
}

static void store_instruction(TextParser *p, Node node, const Instr *instr) {
    BodyState *body = &p->body;
    body->func->nodes.at[node.i] = *instr;
    func_set_args(body->func, node, body->args.at, body->args.count);
    func_set_succs(body->func, node, body->succs.at, body->succs.count);
    if (instr_has(instr, INSTR_CASES)) vec_push(p->scratch, &body->switches, node);
    if (body->variadic) vec_push(p->scratch, &body->variadic_calls, node);
}

static void start_instruction(BodyState *body) {
    vec_clear(&body->args);
    vec_clear(&body->succs);
    body->variadic = false;
    body->result = TYPE_VOID;
}

// Whatever follows the label, the line counts as one with this label, for the sake of the lines
// that mention it. A line with a mistake leaves a node without successors.
bool parse_numbered_line(TextParser *p, uint32_t number, uint32_t place, bool colon,
                         bool (*rest)(TextParser *p, Node node, Instr *instr)) {
    BodyState *body = &p->body;
    Node node = func_add(body->func, (Instr){.kind = I_RETURN, .dest = NO_REG});
    new_label(p, node, number, place);
    if (colon && !parse_expect(p, ':', "':'")) return false;
    Instr instr = {.dest = NO_REG};
    uint32_t edge_count = body->edges.count;
    start_instruction(body);
    if (!rest(p, node, &instr) || !parse_location(p, &instr.loc) || !parse_end_of_line(p)) {
        body->edges.count = edge_count;
        if (instr.dest.i != NO_ID) body->reg_places.at[instr.dest.i].excused = true;
        return false;
    }
    store_instruction(p, node, &instr);
    return true;
}

// line = LABEL ":" rest location
static bool instruction_line(TextParser *p) {
    uint32_t place = p->token.start, number;
    if (!parse_u32(p, UINT32_MAX - 1, "a label", &number)) return false;
    return parse_numbered_line(p, number, place, true, rest_of_line);
}

bool parse_operator_line(TextParser *p, Instr *instr) {
    BodyState *body = &p->body;
    uint32_t place = p->token.start;
    *instr = (Instr){.dest = NO_REG};
    start_instruction(body);
    if (!result_and_operation(p, NO_NODE, instr) || !parse_location(p, &instr->loc) ||
        !parse_end_of_line(p)) {
        if (instr->dest.i != NO_ID) body->reg_places.at[instr->dest.i].excused = true;
        return false;
    }
    if (!instr_is_total(instr))
        return parse_error(p, place, "only operators that cannot go wrong float"), false;
    instr->arg_count = body->args.count;
    for (uint32_t k = 0; k < body->args.count; k++) instr->arg[k] = body->args.at[k];
    return true;
}

bool parse_node(TextParser *p, Node *node) {
    Instr instr = {.dest = NO_REG};
    uint32_t place = p->token.start;
    *node = (Node){p->body.func->nodes.count};
    start_instruction(&p->body);
    if (!result_and_operation(p, *node, &instr) || !parse_location(p, &instr.loc)) return false;
    if (p->body.succs.count) return parse_error(p, place, "there is nowhere to branch to"), false;
    func_add(p->body.func, (Instr){.kind = I_NOP, .dest = NO_REG});
    store_instruction(p, *node, &instr);
    return true;
}

bool parse_body_line(TextParser *p) {
    bool slot = parse_at_word(p, "slot"), reg = parse_at_word(p, "reg");
    if (slot || reg) {
        if (func_size(p->body.func)) {
            parse_error(p, p->token.start,
                        "slots and registers are declared before the first instruction");
            return false;
        }
        parse_next(p);
        return slot ? slot_line(p) : reg_line(p);
    }
    return form_table[p->form].parse_line(p);
}

bool rtl_parse_line(TextParser *p) {
    if (parse_at(p, T_NUMBER)) return instruction_line(p);
    return parse_expected(p, "a label and an instruction");
}

// ---- What the whole body decides

// Values of cases are stored as the selector's type has them, and ascend.
static void check_switch(TextParser *p, Node node) {
    Func *func = p->body.func;
    const Instr *instr = func_at(func, node);
    if (instr->succ_count == 1) return;
    int64_t *values = func->case_pool.at + instr->aux;
    const uint32_t *places = p->body.case_places.at + instr->aux;
    bool narrow = reg_type(func, instr->arg[0]) == TYPE_I32;
    for (uint32_t i = 0; i + 1 < instr->succ_count; i++) {
        if (narrow && (values[i] < INT32_MIN || values[i] > UINT32_MAX)) {
            parse_error(p, places[i], "the value of this case is out of range of i32");
            return;
        }
        if (narrow) values[i] = (int32_t)(uint32_t)values[i];
        if (i && values[i] <= values[i - 1]) {
            parse_error(p, places[i], "cases must be in ascending order");
            return;
        }
    }
}

// The signature of a call of a variadic function that was written without one: that of the
// declaration, and the types of the argument registers.
static void extend_signature(TextParser *p, Node node) {
    Func *func = p->body.func;
    Instr *instr = &func->nodes.at[node.i];
    SigInfo sig = *program_sig_info(p->program, (Sig){instr->aux});
    const Reg *args = instr_args(func, instr);
    vec_clear(&p->types);
    for (uint32_t i = 0; i < sig.fixed_count; i++) vec_push(p->keep, &p->types, sig.params[i]);
    sig.param_count = instr->arg_count;
    if (ptype_is_aggregate(program_ptype_info(p->program, sig.result))) sig.param_count--;
    for (uint32_t i = sig.fixed_count; i < sig.param_count; i++)
        vec_push(p->keep, &p->types, PTYPE_OF(reg_type(func, args[i])));
    sig.params = p->types.at;
    instr->aux = program_sig(p->program, sig).i;
}

static void check_end(TextParser *p, uint32_t place) {
    const Func *func = p->body.func;
    Span span = {.source = p->source, .start = place, .end = place + 1};
    if (!func->nodes.count) return;
    if (p->body.phi_label != NO_ID)
        diag_error(p->diag, span,
                   "the phis or merges of label %u are not followed by its instruction",
                   p->body.phi_label);
    const Instr *last = &func->nodes.at[func->nodes.count - 1];
    if (last->succ_count == 1 && instr_succs(func, last)[0].i == func->nodes.count)
        parse_error(p, p->body.node_places.at[func->nodes.count - 1],
                    "control runs off the end of the function");
}

void parse_body_begin(TextParser *p, Func *func, bool continues) {
    BodyState next = {.func = func, .phi_label = NO_ID, .errors = p->diag->errors};
    if (continues) {
        next.registers = p->body.registers;
        next.reg_places.at = p->body.reg_places.at;
        next.reg_places.count = p->body.reg_places.count;
        next.reg_places.capacity = p->body.reg_places.capacity;
        next.slots = p->body.slots;
    } else {
        arena_reset(p->names);
    }
    arena_reset(p->scratch);
    p->body = next;
    form_table[func->form].parse_begin(p);
}

void rtl_parse_begin(TextParser *p) {
    (void)p;
}

#define RESERVE(p, vector, room)                                                                   \
    ((void)vec_extend((p)->scratch, &(p)->body.vector, (room)), vec_clear(&(p)->body.vector))

void parse_body_reserve(TextParser *p, uint32_t nodes) {
    RESERVE(p, near_labels, nodes);
    RESERVE(p, label_of, nodes);
    RESERVE(p, node_places, nodes);
    RESERVE(p, edges, nodes);
}

void parse_variadic_calls(TextParser *p) {
    for (uint32_t i = 0; i < p->body.variadic_calls.count; i++)
        extend_signature(p, p->body.variadic_calls.at[i]);
}

void parse_graph_end(TextParser *p, uint32_t place, void (*settle)(TextParser *p)) {
    resolve_edges(p);
    check_end(p, place);
    if (p->diag->errors == p->body.errors && settle) settle(p);
    if (p->diag->errors == p->body.errors) parse_phis_settle(p);
    parse_check_registers(p);
    for (uint32_t i = 0; i < p->body.switches.count; i++) check_switch(p, p->body.switches.at[i]);
    parse_variadic_calls(p);
    store_labels(&p->body);
}

void rtl_parse_end(TextParser *p, uint32_t place) {
    parse_graph_end(p, place, NULL);
}

void parse_body_end(TextParser *p, uint32_t place) {
    Span span = {.source = p->source, .start = place, .end = place + 1};
    bool may_be_empty = form_table[p->form].body == BODY_equations; // only its ends count then
    if (!func_size(p->body.func) && !may_be_empty && p->diag->errors == p->body.errors)
        diag_error(p->diag, span, "a function needs at least one instruction");
    form_table[p->form].parse_end(p, place);
}

void parse_body(TextParser *p, const Body *body) {
    Lexer whole = p->lexer;
    parse_body_begin(p, body->func, false);
    enter_params(p, body);
    p->lexer.at = body->start;
    p->lexer.end = body->end;
    parse_next(p);
    while (!parse_at(p, T_END)) {
        if (parse_accept(p, T_LINE) || parse_body_line(p)) continue;
        p->lexer.at = p->token.start;
        lex_skip_line(&p->lexer);
        parse_next(p);
    }
    parse_body_end(p, body->end);
    p->lexer = whole;
}
