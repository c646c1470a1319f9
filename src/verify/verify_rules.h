// Private to the verifier (verify*.c): the state that its rules share and how they complain.
#pragma once

#include "base/bits.h"
#include "form/forms.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "verify/verify.h"

#include <string.h>

typedef struct Verifier {
    Complaints *complaints;
    uint32_t complaints_before; // complaints from before this function
    Arena *scratch;             // dies with the verification of one function or program
    const Program *program;
    const Func *func;  // NULL while the program is looked at
    Sym symbol;        // the symbol that is looked at then, or NO_SYM
    Node node;         // NO_NODE outside of nodes
    Site site;         // where the verifier is in a body that has no nodes, or NO_SITE
    bool declarations; // of the program: functions need no bodies
    // A function that has been verified, and on whose registers, slots and nodes `func` builds, so
    // that an instruction is right here if it is right there; or NULL.
    const Func *verified;

    // Which entries of the function's pools belong to an instruction already seen.
    Bits reg_pool_taken, node_pool_taken, case_pool_taken;
} Verifier;

// Adds a complaint about the place where the verifier is; a symbol's name comes before the message.
void complain(Verifier *v, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Whether a message is not wanted any more. Names may be long. Names of a form that builds on
// another are written once, however many complaints mention them.
static inline bool verify_is_quiet(const Verifier *v) {
    return v->complaints->most && v->complaints->list.count >= v->complaints->most;
}

// Whether nothing was found wrong in this function yet.
static inline bool verify_is_clean(const Verifier *v) {
    return v->complaints->list.count == v->complaints_before;
}

// Names for messages, for any id; names live as long as the messages.
const char *verify_reg_text(Verifier *v, Reg reg);
const char *verify_symbol_text(Verifier *v, Sym symbol);

static inline bool verify_str_in_range(const Program *program, Str s) {
    return s.i < program->strings.entries.count;
}
static inline bool verify_sig_in_range(const Program *program, Sig sig) {
    return sig.i < program->sigs.count;
}
// Whether a type is one that a register can have.
static inline bool verify_type_is_scalar(Type type) {
    return type > TYPE_VOID && type < TYPE_COUNT;
}
// Whether a parameter can have this type: a scalar or an aggregate.
static inline bool verify_ptype_usable(const Program *program, PType type) {
    if (type.i >= program->ptypes.count) return false;
    const ParamType *info = program_ptype_info(program, type);
    return ptype_is_aggregate(info) || verify_type_is_scalar(info->type);
}
static inline bool verify_is_alignment(uint64_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

// No object is larger: sizes and offsets must be expressible as int64_t.
#define VERIFY_LARGEST_SIZE ((uint64_t)INT64_MAX)

// The rules for one signature: that there is one, its result and counts; and its parameters. False
// if it cannot be used (and complaints were made); the second relies on the first.
bool verify_sig(Verifier *v, Sig sig);
bool verify_sig_params(Verifier *v, Sig sig);

// All rules for the node where the verifier is.
void verify_instr(Verifier *v);
// The same for an instruction, wherever it stands; if the instruction does not go on, its number of
// successors is not looked at.
void verify_instr_rules(Verifier *v, const Instr *instr, bool goes_on);
// The rules that all forms made of graphs share, which may have phis, or gates, or neither
// (graph_verify.c).
void verify_graph(Verifier *v, bool phis, bool gates);

// ---- What SSA and GSA share (ssa_verify.c)

// The numbers (see dominance.h) of the nodes whose instructions may use a register. Empty if `from`
// is above `last`.
typedef struct {
    uint32_t from, last;
} UseScope;

typedef struct Scopes Scopes;
struct Scopes {
    Preds preds;
    Dominance dominance;
    const Definition *definitions; // of each register
    Bits seen;                     // registers with several definitions, one of which was seen
    UseScope *scope;               // of each register
    // Complains of a reachable use of a floating operator where an operand of the operator is not
    // defined. Only SON has such (son_verify.c).
    void (*floating_use)(Verifier *v, const Scopes *scopes, Reg reg, Node at);
};

typedef struct {
    Scopes scopes;
    VEC(Node) joins; // and what else has phis
} Ssa;

// The phis stand at joins, before which there are only nops, with an argument of the right type for
// each predecessor. False if their registers, or those of others, cannot be relied on.
bool verify_phis(Verifier *v, Ssa *ssa);
// Each register has one definition.
void verify_ssa_definitions(Verifier *v, Ssa *ssa);
// Checks that registers which instructions and phis use are defined; `scopes` are complete.
void verify_ssa_uses(Verifier *v, const Ssa *ssa);
// Only nops lead to the join where the verifier is.
void verify_join(Verifier *v, const Preds *preds);
// Finds the definitions, if all registers of phis, merges and etas are in range. False if a
// definition breaks the next rule: then each is to be looked at.
bool verify_definitions(Verifier *v, Scopes *scopes);
// A register has one definition, at the node where the verifier is, and that gives it a version
// above 0.
void verify_definition(Verifier *v, Scopes *scopes, Reg reg);
// The same for the definitions by instructions.
void verify_other_definitions(Verifier *v, Scopes *scopes);
// When all definitions have been looked at.
void verify_scopes(Verifier *v, Scopes *scopes);
// A register is used by the instruction of a node, or at the end of a predecessor, which is no
// definition. If that cannot be reached, only a definition is demanded.
void verify_use(Verifier *v, const Scopes *scopes, Reg reg, Node at);

// ---- What only SON has (son_verify.c)

// The rules of versions of memory (son_verify_memory.c), for a function whose other rules hold.
void verify_memory(Verifier *v, const Scopes *scopes);

// The rules for the program's asm statements (inline_asm.c).
void verify_asm_statements(Verifier *v);
// The rule for its reserved registers (reserved.c).
void verify_reserved(Verifier *v);

// ---- What RTL and the machine form share (rtl_verify.c)

// A range of a pool exists and belongs to this instruction alone.
bool verify_pool(Verifier *v, Bits *taken, const char *what, uint32_t at, uint64_t count);
// Cases ascend strictly and fit their type.
void verify_cases(Verifier *v, const int64_t *cases, uint32_t count, bool narrow);
// A memory order that the access or fence can have.
void verify_order(Verifier *v, Builtin builtin, uint32_t aux);
