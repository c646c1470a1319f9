/* libgate: C programs as RTL, SSA and gated SSA.
 *
 * Read C or a text form, or build functions through calls; take them from form to form, every step
 * verified and checked; run them; walk the result: nodes, registers, merges, and the gates under which
 * each value is chosen.
 *
 * Everything belongs to a GateProgram and lives until gate_close. Nothing is shared between programs and
 * there is no global state, so that different threads may work on different programs. Functions that can
 * fail return false (or a NULL or GATE_NONE); gate_messages then says why. Only lack of memory ends the
 * process, with one line on standard error.
 *
 * Names that start with gate_, Gate or GATE_ and are declared here are stable.
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GATE_API_VERSION 1
#define GATE_NONE        UINT32_MAX /* no register, no node, no function */

typedef struct GateProgram GateProgram;

typedef enum { GATE_FORM_RTL, GATE_FORM_SSA, GATE_FORM_SON, GATE_FORM_GSA } GateForm;
typedef enum { GATE_VOID, GATE_I32, GATE_I64, GATE_F32, GATE_F64, GATE_F80 } GateType;

/* ---- Programs */

/* A C file. The arguments are those of a compiler: -I, -D, -std=, -W and so on. Never NULL. */
GateProgram *gate_open_c(const char *path, const char *const *arguments, size_t count);
/* A program in a text form. The name is for messages. Never NULL. */
GateProgram *gate_open_text(GateForm form, const char *name, const char *text, size_t length);
/* An empty program, to be built. Never NULL. */
GateProgram *gate_new(void);
void gate_close(GateProgram *program);

/* Whether nothing has failed so far. Once something has, only the next two are of use. */
bool gate_good(const GateProgram *program);
/* What there was to say, warnings too: lines, "" if none. Valid until the next call on the program. */
const char *gate_messages(const GateProgram *program);

/* Takes every function to a form, from wherever it is. With `optimize`, the optimizing passes on the way
 * run as well. Each pass is checked; one that fails its check is undone, which fails the call. Passes
 * from SSA to SON and on SON are not checked one by one, but when SSA is reached again in the same call;
 * so a program that is in SON cannot leave it. */
bool gate_convert(GateProgram *program, GateForm form, bool optimize);
/* Verifies the program as it is. */
bool gate_verify(GateProgram *program);
/* The program as text, which gate_open_text reads again. Valid until the next call on the program. */
const char *gate_text(GateProgram *program);

typedef enum {
    GATE_RETURNED,   /* status is main's, or exit's */
    GATE_ABORTED,    /* abort was called */
    GATE_TRAPPED,    /* a check failed */
    GATE_WENT_WRONG, /* a step that has no meaning, such as a wild access */
    GATE_RAN_OUT     /* more steps than allowed */
} GateEnd;

typedef struct {
    GateEnd end;
    int status;
    uint64_t steps;
    const char *output; /* what it wrote to stdout and stderr; valid until the next call */
    size_t output_length;
    const char *reason; /* one line; NULL if it returned */
} GateRun;

/* Runs main with the given arguments (the first is the program's name) on empty input and without access
 * to files; at most `steps` instructions, 0 for no limit. */
bool gate_run_main(GateProgram *program, const char *const *arguments, size_t count, uint64_t steps,
                   GateRun *run);

/* The certificate that takes a program in RTL through all passes, and says why each step is right; the program itself
 * stays as it is. gatecheck checks it; it depends on no compiler. The name of the source is for people. Valid until the
 * next call on the program; NULL if that failed. */
const char *gate_certify(GateProgram *program, const char *source, size_t *length);

/* ---- Functions, by number */

uint32_t gate_function_count(const GateProgram *program);
uint32_t gate_function_named(const GateProgram *program,
                             const char *name); /* GATE_NONE if there is none */
const char *gate_function_name(const GateProgram *program, uint32_t function);
GateForm gate_function_form(const GateProgram *program, uint32_t function);
uint32_t gate_node_count(const GateProgram *program, uint32_t function);
uint32_t gate_register_count(const GateProgram *program, uint32_t function);
uint32_t gate_parameter_count(const GateProgram *program, uint32_t function);
uint32_t gate_parameter(const GateProgram *program, uint32_t function, uint32_t index);

typedef struct {
    const char *name; /* of the variable it stands for; "" if none */
    uint32_t number;  /* tells apart registers of one name; numbers those without */
    int32_t version;  /* in SSA and GSA; -1 otherwise */
    GateType type;
} GateRegister;

bool gate_register(const GateProgram *program, uint32_t function, uint32_t reg,
                   GateRegister *result);

/* ---- Nodes. Node 0 is the entry. */

typedef enum {
    GATE_NOP,
    GATE_OP,     /* dest = op(arguments) */
    GATE_LOAD,   /* dest = memory */
    GATE_STORE,  /* memory = last argument */
    GATE_CALL,   /* dest = name(arguments); without a name the first argument is the callee */
    GATE_BRANCH, /* successor 0 if op(arguments), else successor 1 */
    GATE_SWITCH, /* successor k + 1 if the argument is case k, else successor 0 */
    GATE_RETURN,
    GATE_CHECK,  /* trap if the argument is zero */
    GATE_BUILTIN /* see op */
} GateNodeKind;

typedef struct {
    GateNodeKind kind;
    const char *op;   /* of OP, BRANCH and BUILTIN, as the text form has it: "add.i32"; else NULL */
    const char *name; /* function that is called, or symbol that is addressed; else NULL */
    uint32_t dest;    /* register, or GATE_NONE */
    uint32_t argument_count;
    const uint32_t *arguments; /* registers */
    bool has_immediate;        /* OP, BRANCH: the last operand is `immediate` */
    int64_t immediate;
    uint32_t successor_count;
    const uint32_t *successors;
    const int64_t *cases; /* SWITCH: successor_count - 1 of them, ascending */
    const char *file;     /* where it comes from; NULL if not known */
    uint32_t line, column;
} GateNodeInfo;

bool gate_node(const GateProgram *program, uint32_t function, uint32_t node, GateNodeInfo *info);

/* ---- Merges: phis in SSA, mus and gammas in GSA, and etas. All of a node act when it is entered. */

typedef enum { GATE_PHI, GATE_MU, GATE_GAMMA, GATE_ETA } GateMergeKind;

typedef struct {
    GateMergeKind kind;
    uint32_t dest;
    uint32_t argument_count;
} GateMerge;

/* An argument: for a phi, from which predecessor; for a gamma and an eta, under which predicate. */
typedef struct {
    uint32_t reg;
    uint32_t predecessor; /* PHI, MU; else GATE_NONE */
    uint32_t predicate;   /* GAMMA, ETA; else GATE_NONE */
} GateArgument;

uint32_t gate_merge_count(const GateProgram *program, uint32_t function, uint32_t node);
bool gate_merge(const GateProgram *program, uint32_t function, uint32_t node, uint32_t index,
                GateMerge *merge);
bool gate_argument(const GateProgram *program, uint32_t function, uint32_t node, uint32_t index,
                   uint32_t argument, GateArgument *result);

/* ---- Predicates of a function in GSA: a table in which each stands once and operands come first. */

typedef enum {
    GATE_IS_FALSE,
    GATE_IS_TRUE,
    GATE_IS_UNDEFINED, /* neither: a value that was never computed */
    GATE_IS_CONDITION, /* op(arguments), negated or not */
    GATE_IS_CASE,      /* the argument is `value`, or, if is_default, none of the switch's cases */
    GATE_IS_AND,
    GATE_IS_OR
} GatePredicateKind;

typedef struct {
    GatePredicateKind kind;
    uint32_t first, second; /* AND, OR */
    bool negated;           /* CONDITION */
    const char *op;
    uint32_t argument_count;
    uint32_t arguments[2];
    bool has_immediate;
    int64_t immediate;
    bool is_default; /* CASE */
    int64_t value;
    const int64_t *cases; /* CASE: all values that the switch tells apart */
    uint32_t case_count;
} GatePredicate;

uint32_t gate_predicate_count(const GateProgram *program, uint32_t function);
bool gate_predicate(const GateProgram *program, uint32_t function, uint32_t index,
                    GatePredicate *result);

/* ---- Building RTL functions */

typedef struct GateBuilder GateBuilder;

/* Starts a function. Its parameters become registers 0, 1, ... Only one is built at a time. */
GateBuilder *gate_build(GateProgram *program, const char *name, GateType result,
                        const GateType *parameters, uint32_t count);
/* A register of a type; the name may be NULL. */
uint32_t gate_build_register(GateBuilder *builder, GateType type, const char *name);
/* Nodes, numbered from 0; node 0 is the entry. A node goes on to the one that is added next unless
 * gate_build_successor says otherwise. GATE_NONE if an operator does not exist. */
uint32_t gate_build_nop(GateBuilder *builder);
uint32_t gate_build_constant(GateBuilder *builder, uint32_t dest, int64_t value);
uint32_t gate_build_op(GateBuilder *builder, const char *op, uint32_t dest,
                       const uint32_t *arguments, uint32_t count);
uint32_t gate_build_op_immediate(GateBuilder *builder, const char *op, uint32_t dest,
                                 uint32_t argument, int64_t immediate);
uint32_t gate_build_branch(GateBuilder *builder, const char *op, const uint32_t *arguments,
                           uint32_t count);
uint32_t gate_build_branch_immediate(GateBuilder *builder, const char *op, uint32_t argument,
                                     int64_t immediate);
uint32_t gate_build_call(GateBuilder *builder, const char *name, uint32_t dest,
                         const uint32_t *arguments, uint32_t count);
uint32_t gate_build_return(GateBuilder *builder, uint32_t reg); /* GATE_NONE for nothing */
void gate_build_successor(GateBuilder *builder, uint32_t node, uint32_t which, uint32_t successor);
/* Ends the function and verifies it. */
bool gate_build_end(GateBuilder *builder);

#ifdef __cplusplus
}
#endif
#endif
