// The frame of generated functions: symbols, variables, labels, branches. Statements are in
// statement.c.
#include "test/gen/body.h"

#include <assert.h>

enum {
    LABEL_BIT = 1u << 31, // marks a successor that is a label, until body_end
    OBJECT_SIZE = 64,     // of every slot and global
    SLOT_COUNT = 3,
    TEMP_COUNT = 8, // of each type, if they are reused: more than a statement holds at a time
};

// ---- Beginning

static Sig scalar_sig(Program *program, Type result, const Type *types, uint32_t count) {
    PType params[4];
    assert(count <= 4);
    for (uint32_t i = 0; i < count; i++) params[i] = PTYPE_OF(types[i]);
    return program_sig(program, (SigInfo){.result = PTYPE_OF(result),
                                          .param_count = count,
                                          .fixed_count = count,
                                          .params = params});
}

static Sym declare_function(Program *program, const char *name, Sig sig, uint32_t flags) {
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    program_at(program, symbol)->sig = sig;
    program_at(program, symbol)->flags |= flags;
    return symbol;
}

static Sym declare_putchar(Program *program) {
    Sig sig = scalar_sig(program, TYPE_I32, (Type[]){TYPE_I32}, 1);
    return declare_function(program, "putchar", sig, 0);
}

static Sym declare_global(Program *program, const char *name, bool filled) {
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_DATA);
    Symbol *info = program_at(program, symbol);
    if (info->defined) return symbol;
    info->defined = true;
    info->size = OBJECT_SIZE;
    info->align = 8;
    if (!filled) return symbol;
    info->flags |= SYMF_CONST;
    info->linkage = LINK_STATIC;
    for (int64_t i = 0; i < OBJECT_SIZE / 4; i++)
        vec_push(program->arena, &info->data,
                 (DataItem){.kind = DATA_I32, .symbol = NO_SYM, .value = i * i * 77 - 5000});
    return symbol;
}

// How often a jump was made is counted in the first word, which buffers are set in the others.
static void declare_jumps(Body *body, Program *program) {
    Sig set = scalar_sig(program, TYPE_I32, (Type[]){TYPE_I64}, 1);
    Sig jump = scalar_sig(program, TYPE_VOID, (Type[]){TYPE_I64, TYPE_I32}, 2);
    body->setjmp = declare_function(program, "_setjmp", set, SYMF_RETURNS_TWICE);
    body->longjmp = declare_function(program, "longjmp", jump, SYMF_NORETURN);
    body->jumps = declare_global(program, "gen_jumps", false);
    body->buffers = declare_global(program, "gen_buffers", false);
    program_at(program, body->buffers)->size = GEN_BUFFERS * GEN_BUFFER_SIZE;
}

static Reg new_variable(Body *body, Type type) {
    uint32_t number = body->variable_count++;
    return func_add_reg(body->func,
                        (RegInfo){.name = body->variable_name, .number = number, .type = type});
}

static void add_variable(Body *body, Type type, Reg reg) {
    vec_push(body->func->arena, &body->variables[type], reg);
}

Body body_begin(Arena *arena, Program *program, BodyOptions options) {
    Body body = {.random = random_from(options.seed), .options = options, .stop = NEXT};
    body.putchar = declare_putchar(program);
    body.table = declare_global(program, "gen_table", true);
    body.state = declare_global(program, "gen_state", false);
    if (options.jumps) declare_jumps(&body, program);
    body.variable_name = str_of(&program->strings, "v");
    Type type = options.wide ? TYPE_I64 : TYPE_I32;
    Sig sig = scalar_sig(program, type, (Type[]){type, type}, 2);
    Sym symbol = program_symbol(program, str_of(&program->strings, options.name), SYM_FUNC);
    body.func = func_new(program, arena, symbol, sig);
    Symbol *info = program_at(program, symbol);
    info->defined = true;
    info->sig = sig;
    info->func = body.func;
    for (uint32_t i = 0; i < 2; i++) {
        Reg param = new_variable(&body, type);
        vec_push(arena, &body.func->params, param);
        add_variable(&body, type, param);
    }
    if (options.omit & GEN_MEMORY) return body;
    for (uint32_t i = 0; i < SLOT_COUNT; i++)
        func_add_slot(body.func,
                      (SlotInfo){.name = i ? STR_NONE : str_of(&program->strings, "buffer"),
                                 .size = OBJECT_SIZE,
                                 .align = i == 2 ? 16 : 8});
    return body;
}

// ---- Variables

static Type variable_type(Body *body) {
    uint32_t at = random_below(&body->random, body->options.omit & GEN_FLOATS ? 80 : 100);
    return at < 50 ? TYPE_I32 : at < 80 ? TYPE_I64 : at < 94 ? TYPE_F64 : TYPE_F32;
}

void body_add_variables(Body *body, uint32_t count, uint32_t undefined) {
    for (uint32_t i = 0; i < count; i++) {
        Type type = i < 2 ? TYPE_I32 : i < 4 ? TYPE_I64 : variable_type(body);
        Reg reg = new_variable(body, type);
        if (!random_chance(&body->random, undefined, 100)) {
            if (random_chance(&body->random, 1, 3))
                body_const(body, reg, random_integer(&body->random, type));
            else
                body_assign(body, reg);
        }
        add_variable(body, type, reg);
    }
}

void body_clear_slots(Body *body, uint32_t undefined) {
    for (uint32_t i = 0; i < body->func->slots.count; i++) {
        if (random_chance(&body->random, undefined, 100)) continue;
        Reg address = body_temp(body, TYPE_I64), byte = body_temp(body, TYPE_I32);
        body_emit(body, (Instr){.kind = I_OP, .op = OP_ADDR_SLOT, .dest = address, .ref = i}, NULL,
                  0);
        body_const(body, byte, random_range(&body->random, 0, 255));
        body_emit(body,
                  (Instr){.kind = I_BUILTIN,
                          .op = BI_MEMSET,
                          .dest = NO_REG,
                          .imm = (int64_t)body->func->slots.at[i].size},
                  (Reg[]){address, byte}, 2);
    }
}

Reg body_temp(Body *body, Type type) {
    if (!body->options.reuse) return func_temp(body->func, type);
    while (body->temps[type].count < TEMP_COUNT) {
        Reg temp = func_temp(body->func, type);
        vec_push(body->func->arena, &body->temps[type], temp);
    }
    return body->temps[type].at[body->next_temp++ % TEMP_COUNT];
}

void body_renew(Body *body) {
    Type type = variable_type(body);
    if (!body->variables[type].count) return;
    Reg fresh = new_variable(body, type);
    body_assign(body, fresh);
    uint32_t index = random_below(&body->random, body->variables[type].count);
    Reg old = body->variables[type].at[index];
    vec_push(body->func->arena, &body->replaced,
             (struct Replaced){.type = type, .index = index, .old = old});
    body->variables[type].at[index] = fresh;
}

uint32_t body_enter_scope(const Body *body) {
    return body->replaced.count;
}

void body_leave_scope(Body *body, uint32_t scope) {
    while (body->replaced.count > scope) {
        struct Replaced last = vec_pop(&body->replaced);
        body->variables[last.type].at[last.index] = last.old;
    }
}

// ---- Nodes and labels

Node body_emit(Body *body, Instr instr, const Reg *args, uint32_t count) {
    instr.succ_count = 1;
    instr.succ[0].i = body_count(body) + 1;
    Node node = func_add(body->func, instr);
    func_set_args(body->func, node, args, count);
    body->dead = false;
    return node;
}

Label body_label(Body *body) {
    vec_push(body->func->arena, &body->labels, NO_ID);
    return (Label){body->labels.count - 1};
}

void body_bind_at(Body *body, Label label, Node node) {
    assert(body->labels.at[label.i] == NO_ID);
    body->labels.at[label.i] = node.i;
}

void body_bind(Body *body, Label label) {
    body->bound_at = body_count(body);
    body_bind_at(body, label, (Node){body->bound_at});
    body->dead = false;
}

Label body_here(Body *body) {
    Label label = body_label(body);
    body_bind(body, label);
    return label;
}

static Node label_node(const Body *body, Label label) {
    return (Node){label.i == NO_ID ? body_count(body) + 1 : label.i | LABEL_BIT};
}

static Node resolve(const Body *body, Node succ) {
    if (succ.i & LABEL_BIT) succ.i = body->labels.at[succ.i & ~LABEL_BIT];
    assert(succ.i < body_count(body));
    return succ;
}

static void emit_stop(Body *body) {
    uint32_t at = random_below(&body->random, 8);
    Instr stop = {.kind = I_BUILTIN, .op = at < 4 ? BI_UNREACHABLE : BI_TRAP, .dest = NO_REG};
    if (at == 7) stop = (Instr){.kind = I_NOP, .dest = NO_REG};
    Node node = body_emit(body, stop, NULL, 0);
    if (at == 7)
        func_set_succ(body->func, node, 0, node);
    else
        body->func->nodes.at[node.i].succ_count = 0;
    body->dead = true;
}

Func *body_end(Body *body) {
    Func *func = body->func;
    if (!body->dead) body_return(body);
    if (body->stop.i != NO_ID) {
        body_bind(body, body->stop);
        emit_stop(body);
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t count = func->nodes.at[n].succ_count;
        for (uint32_t k = 0; k < count; k++)
            func_set_succ(func, (Node){n}, k,
                          resolve(body, instr_succs(func, &func->nodes.at[n])[k]));
    }
    return func;
}

// ---- Small instructions and control

void body_nop(Body *body) {
    body_emit(body, (Instr){.kind = I_NOP, .dest = NO_REG}, NULL, 0);
}

void body_const(Body *body, Reg dest, int64_t value) {
    uint16_t op = (uint16_t)op_const(reg_type(body->func, dest));
    body_emit(body, (Instr){.kind = I_OP, .op = op, .dest = dest, .imm = value}, NULL, 0);
}

void body_op_immediate(Body *body, Op op, Reg dest, Reg a, int64_t immediate) {
    body_emit(
        body,
        (Instr){
            .kind = I_OP, .op = (uint16_t)op, .dest = dest, .immediate = true, .imm = immediate},
        &a, 1);
}

void body_jump(Body *body, Label to) {
    if (body->dead) return;
    uint32_t count = body_count(body);
    bool joined = body->bound_at == count || count == 0;
    if (joined || func_at(body->func, (Node){count - 1})->succ_count != 1) body_nop(body);
    func_set_succ(body->func, (Node){body_count(body) - 1}, 0, label_node(body, to));
    body->dead = true;
}

static void set_ways(Body *body, Node node, Label then, Label otherwise) {
    // NEXT is counted from the branch, which is already there.
    Node next = {body_count(body)};
    Node ways[2] = {then.i == NO_ID ? next : label_node(body, then),
                    otherwise.i == NO_ID ? next : label_node(body, otherwise)};
    func_set_succs(body->func, node, ways, 2);
    body->dead = then.i != NO_ID && otherwise.i != NO_ID;
}

Op random_comparison(Random *random, Type type) {
    Op found[OP_COUNT];
    uint32_t count = 0;
    for (Op op = 0; op < OP_COUNT; op++)
        if (op_info(op)->flags & OPF_COND && op_info(op)->at == type) found[count++] = op;
    return found[random_below(random, count)];
}

static Op random_condition(Random *random, bool floats) {
    uint32_t at = random_below(random, floats ? 100 : 85);
    if (at < 60) return random_comparison(random, TYPE_I32);
    if (at < 85) return random_comparison(random, TYPE_I64);
    if (at < 95) return random_comparison(random, TYPE_F64);
    return random_comparison(random, TYPE_F32);
}

void body_branch(Body *body, Label then, Label otherwise) {
    Op op = random_condition(&body->random, !(body->options.omit & GEN_FLOATS));
    const OpInfo *info = op_info(op);
    bool immediate = op_allows_immediate(op) && random_chance(&body->random, 1, 2);
    Reg args[2] = {body_value(body, info->operand[0])};
    if (!immediate) args[1] = body_value(body, info->operand[1]);
    Instr instr = {.kind = I_COND, .op = (uint16_t)op, .dest = NO_REG, .immediate = immediate};
    if (immediate) instr.imm = random_integer(&body->random, info->operand[1]);
    Node node = body_emit(body, instr, args, immediate ? 1 : 2);
    set_ways(body, node, then, otherwise);
}

void body_branch_immediate(Body *body, Op op, Reg a, int64_t immediate, Label then,
                           Label otherwise) {
    Instr instr = {
        .kind = I_COND, .op = (uint16_t)op, .dest = NO_REG, .immediate = true, .imm = immediate};
    set_ways(body, body_emit(body, instr, &a, 1), then, otherwise);
}

// The value of a switch is made to hit the cases: they are the multiples of a gap that reach the
// number of cases, and the value is such a multiple or one more. Dense switches have gap 1.
void body_switch(Body *body, const Label *to, uint32_t count) {
    Func *func = body->func;
    Type type = random_chance(&body->random, 1, 4) ? TYPE_I64 : TYPE_I32;
    int64_t gap = random_chance(&body->random, 1, 2)
                      ? 1
                      : random_range(&body->random, 2, 1 + (1u << 30) / (count + 1));
    int64_t first = -(int64_t)random_below(&body->random, 1 + count / 2) * gap;
    Reg value = body_temp(body, type), scaled = body_temp(body, type), x = body_temp(body, type);
    bool wide = type == TYPE_I64;
    body_op_immediate(body, wide ? OP_MODU_I64 : OP_MODU_I32, value, body_value(body, type), count);
    body_op_immediate(body, wide ? OP_MUL_I64 : OP_MUL_I32, scaled, value, gap);
    body_op_immediate(body, wide ? OP_ADD_I64 : OP_ADD_I32, x, scaled, first);
    uint32_t at = func->case_pool.count;
    for (uint32_t k = 0; k + 1 < count; k++)
        func_add_cases(func, &(int64_t){first + (int64_t)k * gap}, 1);
    Node node = body_emit(body, (Instr){.kind = I_SWITCH, .dest = NO_REG, .aux = at}, &x, 1);
    Node *succs = ARENA_ARRAY(func->arena, Node, count);
    body->dead = true;
    for (uint32_t k = 0; k < count; k++) {
        succs[k] = to[k].i == NO_ID ? (Node){body_count(body)} : label_node(body, to[k]);
        if (to[k].i == NO_ID) body->dead = false;
    }
    func_set_succs(func, node, succs, count);
}

void body_return(Body *body) {
    Reg value = body_value(body, body->options.wide ? TYPE_I64 : TYPE_I32);
    Node node = body_emit(body, (Instr){.kind = I_RETURN, .dest = NO_REG}, &value, 1);
    body->func->nodes.at[node.i].succ_count = 0;
    body->dead = true;
}

// Half of the ends are shared: several ways lead there, some from branches, some from statements.
void body_stop(Body *body) {
    bool shared = random_chance(&body->random, 1, 2), branches = random_chance(&body->random, 2, 3);
    if (shared && body->stop.i == NO_ID) body->stop = body_label(body);
    if (shared && branches) {
        body_branch(body, body->stop, NEXT);
    } else if (shared) {
        if (random_chance(&body->random, 3, 4)) body_statement(body);
        body_jump(body, body->stop);
    } else if (branches) {
        Label on = body_label(body);
        body_branch(body, on, NEXT);
        emit_stop(body);
        body_bind(body, on);
    } else {
        emit_stop(body);
    }
}
