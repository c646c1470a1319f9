/* libgate: C programs as RTL, SSA, gated SSA and machine code.
 *
 * Read C or a text form, or build functions through calls; take them from form to form, every step
 * verified and checked; run them; walk the result: nodes, registers, merges, and the gates under which
 * each value is chosen; machine instructions.
 *
 * Everything belongs to a GateProgram and lives until gate_close. Nothing is shared between programs and
 * there is no global state, so that different threads may work on different programs. Functions that can
 * fail return false (or a NULL or GATE_NONE); gate_messages then says why. So does a call that lacks
 * memory; after that the program can only be asked for its messages and be closed.
 *
 * Names that start with gate_, Gate or GATE_ and are declared here are stable. What was added later says
 * since which version of the API it is there; nothing goes away.
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GATE_API_VERSION 2
#define GATE_NONE        UINT32_MAX /* no register, no node, no function */

typedef struct GateProgram GateProgram;

/* Since 2: MACH, machine code; and two from which nothing leads back: FSSA, functional SSA, and MACH0, code
 * for an abstract machine. */
typedef enum {
    GATE_FORM_RTL,
    GATE_FORM_SSA,
    GATE_FORM_SON,
    GATE_FORM_GSA,
    GATE_FORM_MACH,
    GATE_FORM_FSSA,
    GATE_FORM_MACH0
} GateForm;
typedef enum { GATE_VOID, GATE_I32, GATE_I64, GATE_F32, GATE_F64, GATE_F80 } GateType;

/* Which library it is that runs; `api` is what GATE_API_VERSION was when it was made. */
typedef struct {
    uint32_t number[3]; /* 0.1 is 0, 1, 0 */
    uint32_t api;
    const char *text;
} GateVersion;

/* Since 2: */
GateVersion gate_version(void);
/* Since 2: the name of a form, as files end in it: "gsa"; NULL if there is none. */
const char *gate_form_name(GateForm form);

/* ---- Programs */

/* A C file. The arguments are those of a compiler: -I, -D, -std=, -W and so on. Never NULL. */
GateProgram *gate_open_c(const char *path, const char *const *arguments, size_t count);
/* Since 2: C from memory. The name is for messages, and #include "..." is looked for beside it. Never NULL. */
GateProgram *gate_open_c_text(const char *name, const char *text, size_t length,
                              const char *const *arguments, size_t count);
/* A program in a text form. The name is for messages. Never NULL. */
GateProgram *gate_open_text(GateForm form, const char *name, const char *text, size_t length);
/* An empty program, to be built. Never NULL. */
GateProgram *gate_new(void);
void gate_close(GateProgram *program);

/* Since 2: programs that this thread opens from now on may have so many bytes of memory each; 0, as at the
 * start: no limit. It is a setting of the thread, the only one. */
void gate_limit_memory(size_t bytes);
/* Since 2: the bytes that a program has now. */
size_t gate_memory_used(const GateProgram *program);
/* Since 2: whether what has failed was a lack of memory. */
bool gate_out_of_memory(const GateProgram *program);

/* Whether nothing has failed so far. Once something has, only the next two are of use. */
bool gate_good(const GateProgram *program);
/* What there was to say, warnings too: lines, "" if none. Valid until the next call on the program. */
const char *gate_messages(const GateProgram *program);

/* Takes every function to a form, from wherever it is. With `optimize`, the optimizing passes on the way
 * run as well. Each pass is checked; one that fails its check is undone, which fails the call. Passes
 * from SSA to SON and on SON are not checked one by one, but when SSA is reached again in the same call;
 * so a program that is in SON cannot leave it, nor one that is in MACH, FSSA or MACH0. Code in MACH is
 * allocated: it has machine registers. */
bool gate_convert(GateProgram *program, GateForm form, bool optimize);

/* A step of the pipeline: a run of a pass. Its name is the pass's, from the second run on with the number
 * behind it: "tidy", "tidy.2". */
typedef struct {
    const char *pass, *meaning;
    uint32_t run; /* 1 for the first */
    GateForm from, to;
    uint32_t level;     /* of -O from which on it runs; above 3: only if it is asked for */
    const char *reason; /* why it stands where it stands */
} GateStep;

/* Since 2: the steps, in their order. */
uint32_t gate_step_count(void);
bool gate_step(uint32_t index, GateStep *step);
/* Since 2: runs the steps up to the one that is named, with it, as gatecc does at a level: calls are
 * replaced by bodies, too. One that runs only if it is asked for is asked for. */
bool gate_convert_until(GateProgram *program, const char *step, uint32_t level);
/* Since 2: runs one pass on every function that is in the form it takes, and what it needs before; *changed, if
 * it is not NULL, is how many functions it has changed. */
bool gate_run_pass(GateProgram *program, const char *pass, uint32_t *changed);

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

/* ---- Since 2: gates of loops and of ends, of a function in GSA. */

/* Of a loop, as seen from its header: when an iteration leaves it, and when it goes on. */
typedef struct {
    uint32_t header; /* a node */
    uint32_t leaves; /* predicates */
    uint32_t goes_on;
} GateLoop;

/* When the function, as seen from its entry, comes to a node that has no successor. What lies behind a loop
 * is under a predicate over the values that leave it. */
typedef struct {
    uint32_t node;
    uint32_t predicate;
} GateEndGate;

/* Since 2: loops by header, ends by node, both ascending. */
uint32_t gate_loop_count(const GateProgram *program, uint32_t function);
bool gate_loop(const GateProgram *program, uint32_t function, uint32_t index, GateLoop *loop);
uint32_t gate_end_count(const GateProgram *program, uint32_t function);
bool gate_end(const GateProgram *program, uint32_t function, uint32_t index, GateEndGate *end);

/* Since 2: what stands at a node, or an instruction in MACH, as the text form has it. Valid until the next call
 * on the program; NULL if there is none. */
const char *gate_site_text(GateProgram *program, uint32_t function, uint32_t site);

/* ---- Since 2: the machine form: blocks of instructions, in the order in which they lie in memory. Block 0 is
 * the entry. */

typedef struct {
    uint32_t first, count; /* instructions */
    uint32_t successor_count;
    const uint32_t *successors; /* blocks */
} GateBlock;

/* Where a value is. */
typedef enum {
    GATE_IN_REGISTER, /* of the function, before registers are allocated: see gate_register */
    GATE_IN_MACHINE,  /* register of the machine: 0 to 15 general, 16 to 31 xmm */
    GATE_IN_SPILL     /* place in the frame that nothing else knows */
} GatePlaceKind;

typedef struct {
    GatePlaceKind kind;
    uint32_t index;
    const char *name; /* of a machine register: "rax"; else NULL */
} GatePlace;

typedef enum {
    GATE_MACH_OP,
    GATE_MACH_LEA,
    GATE_MACH_LOAD,
    GATE_MACH_STORE,
    GATE_MACH_UPDATE,     /* memory = op(memory, source) */
    GATE_MACH_LOAD_PART,  /* `immediate` bytes */
    GATE_MACH_STORE_PART, /* `immediate` bytes */
    GATE_MACH_SELECT,     /* dest = source 2 if op(sources 0, 1), else source 3 */
    GATE_MACH_CHECK,      /* trap unless op(sources) */
    GATE_MACH_CALL,
    GATE_MACH_BUILTIN,
    GATE_MACH_PARAMETERS, /* results: where the parameters are */
    GATE_MACH_MOVE,
    GATE_MACH_EXCHANGE,
    GATE_MACH_JUMP, /* from here on: ends a block */
    GATE_MACH_BRANCH,
    GATE_MACH_SWITCH,
    GATE_MACH_RETURN,
    GATE_MACH_TAIL_CALL,
    GATE_MACH_TRAP,
    GATE_MACH_STOP
} GateInstructionKind;

enum { GATE_MACH_SOURCES = 4 };

/* Places are numbers for gate_place; GATE_NONE where there is none. */
typedef struct {
    GateInstructionKind kind;
    const char *op; /* as the text form has it: "add.i32"; NULL if it has none */
    uint32_t dest;
    uint32_t sources[GATE_MACH_SOURCES];
    uint32_t immediate_source; /* which source is `immediate`; GATE_NONE if none */
    uint32_t memory_source;    /* which source is what is at the address; GATE_NONE if none */
    int64_t immediate;
    bool has_address; /* base + index * scale + displacement, + symbol */
    uint32_t base, index, scale;
    int32_t displacement;
    const char *symbol; /* in the address, or called; NULL if none */
    uint32_t result_count, argument_count;
    const uint32_t *results, *arguments; /* CALL, TAIL_CALL, PARAMETERS, RETURN */
    const int64_t *cases;                /* SWITCH: one less than the block has successors */
    const char *file;                    /* where it comes from; NULL if not known */
    uint32_t line, column;
} GateInstruction;

/* Since 2: */
bool gate_is_allocated(const GateProgram *program, uint32_t function);
uint32_t gate_block_count(const GateProgram *program, uint32_t function);
bool gate_block(const GateProgram *program, uint32_t function, uint32_t index, GateBlock *block);
uint32_t gate_instruction_count(const GateProgram *program, uint32_t function);
bool gate_instruction(const GateProgram *program, uint32_t function, uint32_t index,
                      GateInstruction *instruction);
bool gate_place(uint32_t place, GatePlace *result);
/* Since 2: assembler text, in GNU syntax, of a program that is in MACH, allocated; or, without its data, of one
 * function. Valid until the next call on the program; NULL if that failed. */
const char *gate_assembly(GateProgram *program, size_t *length);
const char *gate_function_assembly(GateProgram *program, uint32_t function, size_t *length);

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
