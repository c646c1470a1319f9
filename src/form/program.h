// Programs and functions: the graph that RTL, SSA, SON and GSA share.
//
// A function is a dense array of nodes, each holding one instruction that names its successors.
// Node 0 is the entry. Registers, slots, symbols, signatures and nodes are small typed ids; a pass
// keeps its own data about them in arrays beside the graph, never in the graph. A pass reads a
// const function and builds a new one; nobody changes a finished function.
#pragma once

#include "base/diag.h"
#include "base/str.h"
#include "form/kinds.h"
#include "form/registers.h"

typedef struct {
    uint32_t i;
} Node;
typedef struct {
    uint32_t i;
} Reg;
typedef struct {
    uint32_t i;
} Slot;
typedef struct {
    uint32_t i;
} Sym;
typedef struct {
    uint32_t i;
} Sig;
typedef struct {
    uint32_t i;
} PType;

#define NO_ID   UINT32_MAX
#define NO_NODE ((Node){NO_ID})
#define NO_REG  ((Reg){NO_ID})
#define NO_SYM  ((Sym){NO_ID})

// ---- Types of parameters and signatures

// A parameter or result is a scalar or an aggregate by value. An aggregate's register holds its
// address: the callee works on a copy of its own, and a result is copied to where the caller says.
// `part` tells how the calling convention carries it: in registers of these types, all of one size,
// as the machine allows (TargetModel.parts_rows), or, with no parts, in memory.
enum { PARTS_LIMIT = 4 }; // what no machine goes beyond
typedef struct {
    Type type; // TYPE_VOID with size 0: no result; with size > 0: an aggregate
    uint32_t align;
    uint64_t size;
    uint8_t parts;
    Type part[PARTS_LIMIT];
} ParamType;

// The ids of scalar parameter types are the numbers of their types; PTYPE_VOID is "no result".
#define PTYPE_VOID     ((PType){TYPE_VOID})
#define PTYPE_OF(type) ((PType){(uint32_t)(type)})

typedef struct {
    PType result;
    uint32_t param_count; // for a call of a variadic function: all arguments that are passed
    uint32_t fixed_count; // parameters before the "..."; equal to param_count if not variadic
    bool variadic;
    bool returns_twice; // of a call: see calls.h
    uint16_t c_type;    // the class of the type in C, which calls by address keep to; 0: not told
    const PType *params;
} SigInfo;

// ---- Instructions

// Where an address starts; an index register times scale and the immediate are added.
typedef enum { BASE_NONE, BASE_REG, BASE_SYMBOL, BASE_SLOT } BaseKind;

enum { INLINE_ARGS = 3, INLINE_SUCCS = 2 };

// One instruction. Read arguments and successors through instr_args and instr_succs.
typedef struct {
    uint8_t kind;      // InstrKind
    uint8_t base;      // BaseKind of an address
    uint8_t scale;     // 1, 2, 4 or 8 if an index register is present in an address, else 0
    uint8_t chunk;     // Chunk of a load, store, volatile or atomic access
    uint16_t op;       // Op of OP and COND, Builtin of BUILTIN
    uint16_t high;     // sign and exponent of a const.f80
    bool immediate;    // OP, COND: the last operand is imm, not a register
    bool automatic;    // gives a variable a value for which the source has none: only for warnings
    uint8_t effective; // EffectiveType of a load or store; EFFECTIVE_ANY for all others
    Reg dest;          // NO_REG if none
    uint32_t arg_count;
    uint32_t succ_count;
    union {
        Reg arg[INLINE_ARGS]; // up to three
        uint32_t args_at;     // more: index into Func.reg_pool
    };
    union {
        Node succ[INLINE_SUCCS]; // up to two
        uint32_t succs_at;       // more: index into Func.node_pool
    };
    uint32_t ref; // Sym or Slot of an address operator or memory base; Sym of a direct call (NO_ID
                  // if indirect); PType of va_arg
    uint32_t aux; // Sig of a call; for SWITCH the index of the first case in Func.case_pool; for
                  // atomic accesses and fences the MemoryOrder, perhaps with ATOMIC_VOLATILE
    int64_t
        imm; // immediate, constant's bits, displacement, size or alignment; i32 is sign-extended
    uint32_t loc; // index into Program.locs; 0 is "unknown"
} Instr;
// Arguments of memory accesses stand in this order: base register (if BASE_REG), index register (if
// scale), then the value of a store, or the values that an atomic access takes.

// Whether all instructions of this one's kind have these fields (INSTR_). An instruction that has
// not been verified may be of no kind.
static inline bool instr_has(const Instr *instr, uint32_t fields) {
    return instr->kind < INSTR_KIND_COUNT && (instr_kinds[instr->kind].fields & fields) == fields;
}

// Added to the memory order of an atomic access to a volatile object, which is an event.
enum { ATOMIC_VOLATILE = 8 };
// The memory order in the field aux of an atomic access or a fence, in RTL or machine code. A value
// that is no order is at least ORDER_COUNT.
static inline MemoryOrder aux_order(uint32_t aux) {
    return (MemoryOrder)(aux & ~(uint32_t)ATOMIC_VOLATILE);
}
// Whether an instruction is an atomic access to a volatile object.
static inline bool instr_is_volatile(const Instr *instr) {
    return instr->kind == I_BUILTIN && builtin_info(instr->op)->form == BIF_ATOMIC &&
           instr->aux & ATOMIC_VOLATILE;
}

// ---- Functions

// A register is printed %name, %name'number (the number tells apart registers of one name), or,
// without a name, %number; a version, as SSA has it, follows after a dot.
typedef struct {
    Str name;         // STR_NONE if it has none
    uint32_t number;  // 0 for a name without number
    uint32_t version; // 0 if it has none, else version + 1
    Type type;
} RegInfo;

// The class of a slot for the protection of the stack: the further down in this list, the nearer
// the slot lies to the end of the frame, where the guard is. It is told only where protection is
// asked for, and changes no meaning.
typedef enum {
    BUFFER_NONE,   // a plain variable
    BUFFER_SHARED, // one whose address is taken
    BUFFER_ARRAY,  // an array, or an object that contains an array
    BUFFER_CHARS,  // an object with an array of characters that is large enough to be overrun
    BUFFER_COUNT
} BufferKind;

const char *buffer_name(BufferKind kind); // as in the text; "" for BUFFER_NONE

typedef struct {
    Str name; // STR_NONE: printed $index
    uint64_t size;
    uint32_t align;
    uint8_t buffer; // BufferKind
} SlotInfo;

typedef struct Program Program;

// The forms that a function can have: the rows of forms.def, and what is known about each in
// forms.h.
typedef enum {
#define FORM(id, name, body, meaning) FORM_##id,
#include "form/forms.def"
    FORM_COUNT,
    // the form that the front end makes, that certificates start with, and that is copied into
    // callers
    FORM_FIRST = FORM_RTL
} Form;

const char *form_name(Form form);  // also the ending of its files
Form form_named(const char *name); // FORM_COUNT if there is none

// A place in a function, counted as its form counts: a node, or an instruction of machine code.
// Messages print it by func_print_site (forms.h).
typedef struct {
    uint32_t i;
} Site;
#define NO_SITE ((Site){NO_ID})
static inline Site node_site(Node node) {
    return (Site){node.i};
}

// One phi of the phi-block of a join: entering the join from its k-th predecessor sets dest to the
// k-th argument. All phis of a block act at once.
typedef struct {
    Reg dest;
    uint32_t args_at; // index of the first argument in Func.phi_args; one per predecessor, in the
                      // order of preds_of
} Phi;

// Results about a finished function that are asked for again and again. Only preds_of,
// dominance_of, definitions_of and loop_nest_of write a cache, and only if the function has been
// given one.
typedef struct FuncCache FuncCache;

typedef struct {
    // The header: what every form has.
    Program *program;
    Arena *arena;              // where all its parts live
    FuncCache *cache;          // NULL: nothing is kept
    const struct Trail *trail; // how it came from others, inside of an excursion; passes may know
    Form form;
    Sym symbol;
    Sig sig;
    VEC(Reg) params; // one per fixed parameter
    VEC(RegInfo) regs;
    VEC(SlotInfo) slots;
    VEC(int64_t) case_pool; // of switches
    uint32_t next_temp;     // above the number of every nameless register

    // The body, if it is a graph; empty otherwise.
    struct {
        VEC(Instr) nodes;
        VEC(uint32_t)
        labels; // number of each node in the text form; empty if it is the node's index
        VEC(Reg) reg_pool;
        VEC(Node) node_pool;
        VEC(Phi) phis; // in the order of their joins
        // the phis of node n are phis[phi_at[n] .. phi_at[n + 1] - 1]; empty if there are no phis
        VEC(uint32_t) phi_at;
        VEC(Reg) phi_args;
        struct Gsa *gsa; // GSA: merges, etas and gates; NULL otherwise
        struct Son *son; // SON: floating operators and versions of memory; NULL otherwise
        // The reading of a machine function (mach.h), in which addresses are plain sums. If the
        // machine function is allocated, registers first_spill to first_spill + spill_count - 1
        // stand for spills, which are memory to a call that returns twice (calls.h).
        bool reading;
        uint32_t first_spill, spill_count;
    };
    // The body, if it is something else; NULL otherwise.
    union {
        void *body;
        struct Mach *mach;
        struct Fssa *fssa; // with `nodes` for the instructions of its effects
    };
} Func;

// ---- Programs

typedef enum { LINK_EXPORT, LINK_STATIC, LINK_WEAK, LINK_COMMON } Linkage;
typedef enum { VIS_DEFAULT, VIS_HIDDEN, VIS_PROTECTED, VIS_INTERNAL } Visibility;
typedef enum { SYM_DATA, SYM_FUNC } SymKind;

typedef enum { DATA_BYTES, DATA_ZERO, DATA_I8, DATA_I16, DATA_I32, DATA_I64, DATA_ADDR } DataKind;

// One piece of a global's initial value.
typedef struct {
    uint8_t kind;         // DataKind
    Sym symbol;           // DATA_ADDR: the address of this symbol plus value, 8 bytes
    int64_t value;        // DATA_I8 .. DATA_I64: the integer; DATA_ZERO, DATA_BYTES: the size
    const uint8_t *bytes; // DATA_BYTES
} DataItem;

static inline uint64_t data_item_size(const DataItem *item) {
    switch ((DataKind)item->kind) {
    case DATA_BYTES:
    case DATA_ZERO: return (uint64_t)item->value;
    case DATA_I8: return 1;
    case DATA_I16: return 2;
    case DATA_I32: return 4;
    case DATA_I64:
    case DATA_ADDR: return 8;
    }
    return 0;
}

enum {
    SYMF_CONST = 1,          // data: read-only
    SYMF_NORETURN = 2,       // function: does not return
    SYMF_NOINLINE = 4,       // function: never inlined
    SYMF_ALWAYS_INLINE = 8,  // function: inlined where possible
    SYMF_USED = 16,          // kept even if nothing refers to it
    SYMF_RETURNS_TWICE = 32, // function: calls of it may return twice, see calls.h
    SYMF_THREAD = 64, // data: every thread has one of its own, so that its address is no constant
    // exported: another object of the running program may define it, too, and then that definition
    // counts
    SYMF_REPLACEABLE = 128,
    SYMF_RETAIN = 256, // kept by the linker even if nothing refers to its section
    // alias: no name for code, but a version of its target for linkers, NAME@VERSION
    SYMF_VERSION = 512,
    // function: directions for the emitter, which change no meaning. The stack of the function is
    // guarded, or not, whatever its contents;
    SYMF_GUARD = 1 << 10,
    SYMF_NO_GUARD = 1 << 11,
    SYMF_BUFFER_PARAM = 1 << 12, // it has arrays in its parameters;
    SYMF_UNTRACKED = 1 << 13,    // it is no target of indirect branches that are tracked;
    // when the function returns, registers are cleared, or not: all that belong to the caller, or
    // only used registers, general registers, registers of arguments.
    SYMF_ZERO = 1 << 14,
    SYMF_ZERO_NONE = 1 << 15,
    SYMF_ZERO_USED = 1 << 16,
    SYMF_ZERO_GENERAL = 1 << 17,
    SYMF_ZERO_ARGUMENTS = 1 << 18,
    // function: its code is that of its statements. It has no frame, and a return would end it with
    // a trap.
    SYMF_NAKED = 1 << 19,
    SYMF_NO_SPLIT = 1 << 20, // it does not see whether its stack is large enough, see split_stack
    // The way the function is called: it preserves all general registers but those of its results;
    // the processor calls it, with a frame of its own, to which the first argument points, and
    // perhaps an error code, the second.
    SYMF_KEEPS_ALL = 1 << 21,
    SYMF_INTERRUPT = 1 << 22,
    // alias: a function that is chosen when the program is loaded, with a type of its own. Its
    // target is called then, once, and returns the address of the function that calls reach.
    SYMF_INDIRECT = 1 << 23,
    SYMF_NOIPA = 1 << 24, // function: nothing is concluded of its calls from its body, nor of its
                          // body from its calls
    SYMF_EMISSION = SYMF_GUARD | SYMF_NO_GUARD | SYMF_BUFFER_PARAM | SYMF_UNTRACKED | SYMF_ZERO |
                    SYMF_ZERO_NONE | SYMF_ZERO_USED | SYMF_ZERO_GENERAL | SYMF_ZERO_ARGUMENTS
};

typedef struct {
    Str name;
    SymKind kind;
    Linkage linkage;
    Visibility visibility;
    bool defined; // false: external
    uint32_t flags;
    Str section;    // STR_NONE: the usual one
    Sym alias;      // another symbol it stands for, or NO_SYM; SYMF_INDIRECT: its resolver
    uint32_t align; // of data; of a function: at least, 1 if not given
    // data
    uint64_t size;
    VEC(DataItem) data; // open bytes at the end are zero
    // function
    Sig sig;
    const Func *func;    // NULL if external
    int32_t constructor; // priority, or -1
    int32_t destructor;  // priority, or -1
} Symbol;

// Whether another definition of a symbol may replace this one in the end: a strong definition that
// the linker prefers to this weak or common one, or a definition that is found first when objects
// are loaded. Only the name and type of such a symbol are known: its body, its contents, its size,
// and the objects at the same address are those of the other definition. Only this function decides
// it.
static inline bool symbol_is_replaceable(const Symbol *symbol) {
    return symbol->linkage == LINK_WEAK || symbol->linkage == LINK_COMMON ||
           (symbol->flags & SYMF_REPLACEABLE);
}
// Whether a symbol has to be there even if nothing here mentions it.
static inline bool symbol_is_root(const Symbol *symbol) {
    return symbol->defined && (symbol->linkage != LINK_STATIC || (symbol->flags & SYMF_USED) ||
                               symbol->constructor >= 0 || symbol->destructor >= 0);
}
// Whether a symbol is data defined here for good: an object apart from all others, of the size and
// with the constness that are written down.
static inline bool symbol_is_own_object(const Symbol *symbol) {
    return symbol->kind == SYM_DATA && symbol->defined && symbol->alias.i == NO_ID &&
           !symbol_is_replaceable(symbol);
}

typedef struct {
    uint32_t file; // index into Program.files
    uint32_t line;
    uint32_t column;
} Loc;

// A register that is loaded from the block of operands before an asm statement, or stored there
// after it.
typedef struct {
    StoredReg reg;
    uint8_t chunk; // Chunk: how the register is loaded, and which part is stored
    uint32_t offset;
} AsmOperandMove;

// An asm statement of the source, with the registers of its operands chosen: lines of assembler
// text in which "%=" stands for a number that no other copy of the statement has.
typedef struct {
    Str text;
    VEC(AsmOperandMove) inputs, outputs;
    MachineRegSet destroys; // what has other contents afterwards, the above included
} AsmStatement;

// How code may reach symbols. NONE: it lies at a fixed address. PIE: anywhere, in the main program.
// SHARED: anywhere, in a shared object, where exported symbols may turn out to be another's.
typedef enum { PIC_NONE, PIC_PIE, PIC_SHARED, PIC_COUNT } PicLevel;

const char *pic_name(PicLevel pic); // "fixed", "pie", "shared"

// How each signature is called, as a target says; NULL if nobody has asked yet.
typedef struct {
    struct Convention **at;
    uint32_t count, capacity;
} Conventions;

struct Program {
    Arena *arena;
    const struct TargetModel *target; // the machine whose code it becomes (target/model.h)
    // The options on which machine code depends, in the certificate as in every text. Nothing else
    // decides on the meaning of code: other options of the emitter change where code lies and what
    // debuggers know.
    PicLevel pic; // PIE if it is not said
    bool
        calls_return; // advice for selection: a call at the end of a function does not become a jump
    bool null_is_place;      // advice for passes: nothing is concluded about null from accesses
    uint32_t facts_left_out; // advice for passes: a set of FactKind (pass/fact_kinds.h)
    bool
        frame_pointer; // the frame's register is the base of every function's frame, or points to it
    bool loose_stack;  // a caller gives its callee a stack that is a multiple of 8, not of 16
    bool split_stack;  // functions see whether their frames fit, and get another stack if not
    MachineRegSet reserved; // what belongs to the source, see reserved.h
    StrTable strings;
    VEC(Symbol) symbols; // in order of definition or first mention
    Map symbol_of_name;  // Str -> Sym
    VEC(ParamType) ptypes;
    Table ptype_table;
    VEC(SigInfo) sigs;
    Table sig_table;
    Conventions *conventions; // of the signatures, as far as they were asked for
    VEC(Str) files;
    VEC(Loc) locs; // locs[0] is "unknown"
    // Advice, on which nothing depends and which no text has: the number of times that a counting
    // program ran through each location, plus one; 0, or nothing, if the number is not known. Empty
    // without a profile.
    VEC(uint64_t) runs;
    uint64_t most_runs; // the most of them
    VEC(AsmStatement) asms;
    VEC(Str) file_asms; // assembler text outside of functions
    // What is known about the memory of the whole program, and was checked; NULL: nothing is
    // (fact/unit_memory.h).
    const struct UnitMemory *unit;
};

// A program for the default target; a caller that wants another target sets it before anything
// else.
Program *program_new(Arena *arena);
const struct TargetModel *program_usual_target(void); // the first row of targets.def

// The symbol of a name; made, as an undefined function or datum, if it is new.
Sym program_symbol(Program *program, Str name, SymKind kind);
Sym program_find(const Program *program, Str name); // NO_SYM if there is none
PType program_ptype(Program *program, ParamType type);
Sig program_sig(Program *program, SigInfo sig); // interned; params are copied
// The location id of a place; the same place twice in a row gives the same id.
uint32_t program_loc(Program *program, Loc loc);
// Whether the number of runs of a location is known, and the number.
static inline bool program_runs(const Program *program, uint32_t loc, uint64_t *runs) {
    if (loc >= program->runs.count || !program->runs.at[loc]) return false;
    *runs = program->runs.at[loc] - 1;
    return true;
}
void program_set_runs(Program *program, uint32_t loc, uint64_t runs);
// Whether something that ran so often is worth some code: nothing in the program ran a thousand
// times as often.
static inline bool program_is_hot(const Program *program, uint64_t runs) {
    return runs && runs >= program->most_runs / 1000;
}

static inline Symbol *program_at(const Program *program, Sym symbol) {
    return &program->symbols.at[symbol.i];
}
static inline const SigInfo *program_sig_info(const Program *program, Sig sig) {
    return &program->sigs.at[sig.i];
}
static inline const ParamType *program_ptype_info(const Program *program, PType type) {
    return &program->ptypes.at[type.i];
}
static inline const char *program_text(const Program *program, Str s) {
    return str_text(&program->strings, s);
}
static inline bool ptype_is_aggregate(const ParamType *type) {
    return type->type == TYPE_VOID && type->size > 0;
}
// The type of the register that carries a parameter: an aggregate's is the i64 of its address.
static inline Type ptype_reg_type(const ParamType *type) {
    return ptype_is_aggregate(type) ? TYPE_I64 : type->type;
}

// ---- Reading functions

static inline const Instr *func_at(const Func *func, Node node) {
    return &func->nodes.at[node.i];
}
// The flags of a function's symbol; none if the function names no symbol, which only verifiers see.
static inline uint32_t func_flags(const Func *func) {
    const Program *program = func->program;
    return func->symbol.i < program->symbols.count ? program->symbols.at[func->symbol.i].flags : 0;
}
static inline const Reg *instr_args(const Func *func, const Instr *instr) {
    return instr->arg_count <= INLINE_ARGS ? instr->arg : func->reg_pool.at + instr->args_at;
}
static inline const Node *instr_succs(const Func *func, const Instr *instr) {
    return instr->succ_count <= INLINE_SUCCS ? instr->succ : func->node_pool.at + instr->succs_at;
}
// The case values of a SWITCH, ascending; there are succ_count - 1.
static inline const int64_t *instr_cases(const Func *func, const Instr *instr) {
    return func->case_pool.at ? func->case_pool.at + instr->aux : NULL;
}
static inline Type reg_type(const Func *func, Reg reg) {
    return func->regs.at[reg.i].type;
}
static inline uint32_t func_label(const Func *func, Node node) {
    return func->labels.count ? func->labels.at[node.i] : node.i;
}
static inline uint32_t func_phi_count(const Func *func, Node node) {
    return func->phi_at.count ? func->phi_at.at[node.i + 1] - func->phi_at.at[node.i] : 0;
}
static inline const Phi *func_phis(const Func *func, Node node) {
    return func->phi_at.count ? func->phis.at + func->phi_at.at[node.i] : NULL;
}
static inline const Reg *phi_args(const Func *func, const Phi *phi) {
    return func->phi_args.at + phi->args_at;
}
static inline const char *func_name(const Func *func) {
    return program_text(func->program, program_at(func->program, func->symbol)->name);
}
// The class of an aggregate parameter's slot for the protection of the stack.
static inline uint8_t func_param_buffer(const Func *func) {
    bool has = program_at(func->program, func->symbol)->flags & SYMF_BUFFER_PARAM;
    return has ? BUFFER_ARRAY : BUFFER_NONE;
}
// Whether an instruction has the address fields (base, scale, chunk, imm as displacement).
bool instr_has_address(const Instr *instr);
// The symbol to which an instruction refers, in its address, as its callee or as its operand;
// NO_SYM if there is none.
Sym instr_symbol(const Instr *instr);
// Whether two instructions do the same, successors and locations aside. They may be of two
// functions of one program.
bool instr_same(const Func *f, const Instr *a, const Func *g, const Instr *b);
// The same, whatever registers the instructions name: only the number of registers counts, and
// whether there is a destination.
bool instr_alike(const Func *f, const Instr *a, const Func *g, const Instr *b);

// ---- Building functions

// An empty function for a symbol; its parts live in the arena. It is not attached to the symbol.
Func *func_new(Program *program, Arena *arena, Sym symbol, Sig sig);
// A function of the same form, with the same signature, parameters, registers and slots, and no
// nodes or gates yet.
Func *func_like(const Func *func, Arena *arena);
// A copy of all of it.
Func *func_clone(const Func *func, Arena *arena);

Reg func_add_reg(Func *func, RegInfo info);
// A nameless register with the next free number.
Reg func_temp(Func *func, Type type);
Slot func_add_slot(Func *func, SlotInfo info);
// Appends a node; arguments and successors are set with the next two.
Node func_add(Func *func, Instr instr);
void func_set_args(Func *func, Node node, const Reg *args, uint32_t count);
void func_set_succs(Func *func, Node node, const Node *succs, uint32_t count);
void func_set_succ(Func *func, Node node, uint32_t which, Node succ);
// Appends the cases of a switch to the pool and yields the index for Instr.aux.
uint32_t func_add_cases(Func *func, const int64_t *values, uint32_t count);
// Whether a list of cases, which ascends, has a value.
bool case_list_has(const int64_t *values, uint32_t count, int64_t wanted);
// Appends a copy of an instruction of another function of the same program, with the same
// successors.
Node func_copy_instr(Func *to, const Func *from, const Instr *instr);
// Appends a copy of one of the function's own nodes, with the same successors.
Node func_duplicate(Func *func, Node node);

// Appends a phi to the block of a join. Joins come in ascending order, and all nodes exist already;
// after the last one func_end_phis completes the index.
void func_add_phi(Func *func, Node join, Reg dest, const Reg *args, uint32_t count);
void func_end_phis(Func *func);
// The same phis for a function with the same nodes.
void func_copy_phis(Func *to, const Func *from);

// Short forms for the commonest instructions, used by passes and tests.
Node func_nop(Func *func, Node succ);
Node func_const(Func *func, Reg dest, int64_t value, Node succ);

// ---- Predecessors

// The predecessors of node n are list[first[n] .. first[n + 1] - 1], in order of their numbers; an
// edge that occurs twice is listed twice.
typedef struct {
    uint32_t *first;
    Node *list;
} Preds;

struct FuncCache {
    bool has_preds;
    Preds preds;
    const struct Dominance *dominance;    // NULL if not known yet
    const struct Definition *definitions; // the same
    const struct LoopNest *loop_nest;     // the same
};

// From now on predecessors, dominance, definitions and loops are computed once. The function must
// not change any more.
void func_keep_cache(Func *func);

Preds preds_of(Arena *arena, const Func *func);
static inline uint32_t preds_count(const Preds *preds, Node node) {
    return preds->first[node.i + 1] - preds->first[node.i];
}
static inline const Node *preds_at(const Preds *preds, Node node) {
    return preds->list + preds->first[node.i];
}
// Control comes to a node from its predecessors, and to the entry from outside as well. preds_count
// says how many arguments a phi has and how long a list is; how control came to a node is asked
// here.
static inline bool preds_is_join(const Preds *preds, Node node) {
    return preds_count(preds, node) > (node.i == 0 ? 0 : 1);
}
// Whether control comes from so many predecessors and from nowhere else.
static inline bool preds_are_just(const Preds *preds, Node node, uint32_t count) {
    return node.i != 0 && preds_count(preds, node) == count;
}
// The predecessor from which control comes every time; NO_NODE if there is another way in, or none.
static inline Node preds_sole(const Preds *preds, Node node) {
    return preds_are_just(preds, node, 1) ? *preds_at(preds, node) : NO_NODE;
}
// The index of a node among the predecessors of another; NO_ID if it is no predecessor.
uint32_t preds_index(const Preds *preds, Node node, Node pred);
