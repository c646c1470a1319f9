#include "slice/slice_why.h"

static const Func *func_of(const SliceWhyRequest *request) {
    return request->variables->func;
}

static Loc loc_of(const SliceWhyRequest *request, Node node) {
    const Func *func = func_of(request);
    return func->program->locs.at[func_at(func, node)->loc];
}

bool slice_why_has_line(const SliceWhyRequest *request, uint32_t line) {
    for (uint32_t n = 0; n < func_of(request)->nodes.count; n++) {
        Loc loc = loc_of(request, (Node){n});
        if (loc.line == line && loc.file == request->file) return true;
    }
    return false;
}

static const char *name_of(const SliceWhyRequest *request, Sym function) {
    const Program *program = func_of(request)->program;
    return program_text(program, program_at(program, function)->name);
}

// ---- Chains

// The next node of a chain that lies in another line; the reason of the last step is that of the
// node it leaves. NO_NODE if the chain ends in this line.
static Node next_line(const SliceWhyRequest *request, Node node, Node *leaves) {
    Loc loc = loc_of(request, node);
    for (;;) {
        SliceReason reason = slice_demand_reason(request->demand, node);
        *leaves = node;
        if (reason.why == SLICE_ASKED || reason.why == SLICE_NOT_KEPT || reason.by.i == NO_ID)
            return NO_NODE;
        Loc next = loc_of(request, reason.by);
        if (next.line != loc.line || next.file != loc.file) return reason.by;
        node = reason.by;
    }
}

// How many lines lie between a node and what was asked for.
static uint32_t chain_length(const SliceWhyRequest *request, Node node) {
    uint32_t length = 0;
    Node leaves;
    while ((node = next_line(request, node, &leaves)).i != NO_ID) length++;
    return length;
}

// The kept node of a line with the shortest chain. Reasons are noted in the order in which they are
// found, so that chains end.
static Node best_node(const SliceWhyRequest *request, uint32_t line) {
    const Bits *kept = slice_demand_kept(request->demand);
    Node best = NO_NODE;
    uint32_t best_length = NO_ID;
    for (uint32_t n = bits_next(kept, 0); n < kept->size; n = bits_next(kept, n + 1)) {
        Loc loc = loc_of(request, (Node){n});
        if (loc.line != line || loc.file != request->file) continue;
        uint32_t length = chain_length(request, (Node){n});
        if (length >= best_length) continue;
        best = (Node){n};
        best_length = length;
    }
    return best;
}

// ---- Words

static void write_variable(Out *out, const SliceWhyRequest *request, uint32_t variable) {
    const SliceVariables *variables = request->variables;
    const Func *func = func_of(request);
    Str name = STR_NONE;
    if (slice_is_register(variables, variable)) {
        name = func->regs.at[variable - variables->first_register].name;
    } else if (slice_is_piece(variables, variable) && !slice_piece(variables, variable)->is_cell) {
        const SlicePiece *piece = slice_piece(variables, variable);
        name = piece->is_slot ? func->slots.at[piece->ref].name
                              : program_at(func->program, (Sym){piece->ref})->name;
    } else {
        bool memory = variable == SLICE_MEMORY || slice_is_piece(variables, variable);
        out_text(out, memory ? "what pointers lead to" : slice_world_name((SliceWorld)variable));
        return;
    }
    if (str_same(name, STR_NONE))
        out_text(out, "a value");
    else
        out_printf(out, "`%s`", program_text(func->program, name));
}

static void write_gate(Out *out, const SliceWhyRequest *request, Node node) {
    SliceGate gate = slice_gate_of(request->gates, node);
    if (gate.kind == SLICE_GATE_WHEN) out_printf(out, " when `%s`", gate.text);
}

static void write_step(Out *out, const SliceWhyRequest *request, Node leaves, uint32_t to) {
    SliceReason reason = slice_demand_reason(request->demand, leaves);
    out_printf(out, "line %u ", loc_of(request, leaves).line);
    switch (reason.why) {
    case SLICE_DATA:
        out_text(out, "sets ");
        write_variable(out, request, reason.variable);
        out_printf(out, ", which line %u needs", to);
        break;
    case SLICE_CONTROL: out_printf(out, "decides whether line %u is reached", to); break;
    case SLICE_MEETING: out_printf(out, "decides whether line %u comes next", to); break;
    case SLICE_GROUP: out_printf(out, "is part of one statement with line %u", to); break;
    case SLICE_ASKED:
    case SLICE_NOT_KEPT: out_text(out, "was asked for"); break;
    }
    if (to) write_gate(out, request, reason.by);
    out_char(out, '\n');
}

Node slice_why_node(Out *out, const SliceWhyRequest *request, Node node) {
    for (;;) {
        Node leaves, next = next_line(request, node, &leaves);
        write_step(out, request, leaves, next.i == NO_ID ? 0 : loc_of(request, next).line);
        if (next.i == NO_ID) return leaves;
        node = next;
    }
}

Node slice_why(Out *out, const SliceWhyRequest *request, uint32_t line) {
    Node node = best_node(request, line);
    if (node.i == NO_ID) {
        out_printf(out, "line %u does not matter: nothing that was asked for depends on it\n",
                   line);
        return NO_NODE;
    }
    SliceGate gate = slice_gate_of(request->gates, node);
    if (gate.kind == SLICE_GATE_WHEN)
        out_printf(out, "line %u matters when `%s`\n", line, gate.text);
    else
        out_printf(out, "line %u matters%s\n", line,
                   gate.kind == SLICE_GATE_ALWAYS ? " always" : "");
    return slice_why_node(out, request, node);
}

// ---- Calls

static SliceWhyRequest request_of(Arena *arena, ProgramDemand *program, Sym function, uint32_t file,
                                  SourceText source) {
    const SliceVariables *variables = program_demand_variables(program, function);
    return (SliceWhyRequest){.demand = program_demand_function(program, function),
                             .variables = variables,
                             .gates = slice_gates_new(arena, variables->func, source),
                             .file = file};
}

bool slice_why_program(Out *out, Arena *arena, ProgramDemand *program, Sym function, uint32_t file,
                       uint32_t line, SourceText source) {
    SliceWhyRequest request = request_of(arena, program, function, file, source);
    if (slice_why(out, &request, line).i == NO_ID) return false;
    Sym caller;
    Node call;
    Bits seen = bits_new(arena, func_of(&request)->program->symbols.count);
    while (bits_put(&seen, function.i) && program_demand_site(program, function, &caller, &call)) {
        SliceContract contract = program_demand_contract(program, function);
        request = request_of(arena, program, caller, file, source);
        if (!request.demand) return true;
        out_printf(out, "`%s` is called in `%s`, line %u, for %s\n", name_of(&request, function),
                   name_of(&request, caller), loc_of(&request, call).line,
                   contract.result && contract.gives ? "its result and what it does"
                   : contract.result                 ? "its result"
                                                     : "what it does");
        slice_why_node(out, &request, call);
        function = caller;
    }
    return true;
}
