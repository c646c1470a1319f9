// Types and functions that the parts of the parser of the text forms share. Only the parsers of the
// text forms include this header.
//
// Parsing takes two sweeps over the text. The first sweep reads all top-level items and only skips
// the bodies of functions; after it every symbol and signature is known, in the order of the text.
// The second sweep reads the bodies. A function that reads a grammar symbol is named after the
// symbol; it yields false after reporting a mistake, and the caller goes on with the next line. A
// program with a mistake is thrown away, so the remains of a failed line do not matter.
#pragma once

#include "form/forms.h"
#include "form/fssa.h"
#include "form/gsa.h"
#include "form/mach.h"
#include "form/son.h"
#include "text/lex.h"
#include "text/text.h"

// The body of a function, between the line of its header and its closing brace.
typedef struct {
    Func *func;
    uint32_t start;
    uint32_t end;
    uint32_t first_param; // index into TextParser.param_places of the place of its first parameter
} Body;

// A symbol that was mentioned in the data of another, or as what an alias stands for, perhaps
// before its declaration.
typedef struct {
    Sym in;
    uint32_t item; // index into its data; NO_ID for an alias
    Str name;
    uint32_t place;
} Mention;

// The meaning of the first word of an instruction.
typedef struct {
    const char *name;
    size_t length;
    uint8_t kind;  // InstrKind
    uint8_t chunk; // of loads, stores and volatile accesses
    uint16_t op;   // Op or Builtin
} Mnemonic;

// Where a register occurs in the text.
typedef struct {
    uint32_t mention;    // for the first time
    uint32_t definition; // for the first time; NO_ID if nowhere so far
    bool excused;        // a mistake in the line that was to define it has been reported
} RegPlace;

// An edge to a label.
typedef struct {
    Node from;
    uint32_t which;
    uint32_t label;
    uint32_t place;
} Edge;

// A phi that was read, and one of its arguments: with the label of a predecessor.
typedef struct {
    Node join;
    Reg dest;
    uint32_t first_arg, arg_count; // in BodyState.phi_args
    uint32_t place;                // of the destination
} PhiLine;

typedef struct {
    Reg reg;
    uint32_t label;
    uint32_t place; // of the label
} PhiArg;

// The destination of a phi, a merge or an eta.
typedef struct {
    Reg reg;
    uint32_t place;
} Merged;

// A line about the gates of a loop or of an end.
typedef struct {
    uint32_t label; // of the header, or of the node
    uint32_t place;
    bool loop;
    Gate first, second;
} GateLine;

// A heading of SON: the label of a region's first node, and those of its predecessors.
typedef struct {
    uint32_t label;
    uint32_t place;
    uint32_t first_way, way_count; // in BodyState.ways
    Node before;                   // it stands before this node
} RegionLine;

// A memory phi of SON that was read, and one of its arguments.
typedef struct {
    Node join;
    uint32_t memory, version;
    uint32_t first_arg, arg_count; // in BodyState.memory_args
    uint32_t place;
} MemoryPhiLine;

typedef struct {
    uint32_t label, version;
    uint32_t place; // of the label
} MemoryArg;

// The state of the function whose body is being read. The first three live in TextParser.names, the
// rest in TextParser.scratch.
typedef struct {
    Func *func;
    Table registers; // ids of registers by name, number and version
    VEC(RegPlace) reg_places;
    Map slots;                 // name, or index with SLOT_UNNAMED, to slot
    uint32_t errors;           // that were reported before
    VEC(uint32_t) near_labels; // label to node, NO_ID where there is none
    Map far_labels;            // the same, for the other labels
    VEC(uint32_t) label_of;
    VEC(uint32_t) node_places; // of the labels
    VEC(Edge) edges;
    VEC(Node) switches;
    VEC(uint32_t) case_places; // parallel to the function's case_pool
    VEC(PhiLine) phis;
    VEC(PhiArg) phi_args;
    uint32_t phi_label; // of the phis, merges and etas that await their instruction
    VEC(Merged) merged;
    Map gate_names;    // number of a name to the gate it stands for
    Map case_lists;    // number of a list of cases to its index in the function's table
    VEC(int64_t) list; // the one being read
    VEC(GateLine) gate_lines;
    VEC(Gate) gate_operands; // of the predicate being read
    VEC(char) gate_operators;
    VEC(MergeArg) merge_args; // of the merge being read
    Map memory_classes;       // slot or symbol to class
    VEC(RegionLine) regions;
    VEC(uint32_t) ways;
    VEC(MemoryPhiLine) memory_phis;
    VEC(MemoryArg) memory_args;
    bool floating;            // the operators that float have begun
    VEC(Node) variadic_calls; // whose signatures await the types of the arguments
    // of the current instruction
    VEC(Reg) args;
    VEC(Node) succs; // NO_NODE where there is an edge to a label
    Type result;     // TYPE_VOID for none
    bool variadic;   // it goes to variadic_calls
    // of functional SSA
    Map loop_labels;         // label to loop
    VEC(FssaTermNode) open;  // terms that await operands
    VEC(uint32_t) open_args; // for each, where its operands begin in `operands`
    VEC(FssaTerm) operands;
    // of the machine form
    VEC(Place) places;          // of the current instruction: results, then arguments
    VEC(uint32_t) place_starts; // where its results stand
    VEC(uint32_t) targets;      // of the current instruction
    VEC(uint32_t) succ_starts;  // where all targets stand: parallel to the function's succs
} BodyState;

#define SLOT_UNNAMED ((uint64_t)1 << 32)

typedef struct TextParser {
    Diag *diag;
    Form form;
    uint32_t source;
    Lexer lexer;
    TextToken token; // the current one, not yet consumed
    Program *program;
    Arena *keep;     // until the end of the parse
    Arena *names;    // until the end of a function, which may have several bodies
    Arena *scratch;  // until the end of a body
    bool code_given; // there was an item that says what machine code goes by
    bool headers;    // the functions that are defined are only declared, without bodies
    VEC(Mnemonic) mnemonics;
    Table mnemonic_table;
    VEC(uint32_t) symbol_places; // of the declarations, by Sym
    VEC(Mention) mentions;
    VEC(Body) bodies;
    VEC(uint32_t) param_places; // where the parameters of all functions stand
    VEC(RegInfo) params;        // of the function whose header is being read
    VEC(PType) types;           // of the signature being read
    VEC(char) bytes;            // of the string being read
    BodyState body;
    char found[48]; // the current token as messages show it
} TextParser;

// ---- Tokens and mistakes (parse.c)

static inline void parse_next(TextParser *p) {
    p->token = lex_next(&p->lexer);
}
// Whether a token is this word.
bool parse_token_is(const TextParser *p, TextToken token, const char *word);
static inline bool parse_at(const TextParser *p, uint32_t kind) {
    return p->token.kind == kind;
}
// Consumes the current token if it is of this kind.
static inline bool parse_accept(TextParser *p, uint32_t kind) {
    if (p->token.kind != kind) return false;
    parse_next(p);
    return true;
}
bool parse_at_word(const TextParser *p, const char *word);
bool parse_accept_word(TextParser *p, const char *word);
// Demands a token; `what` is how messages call it.
bool parse_expect(TextParser *p, uint32_t kind, const char *what);
bool parse_expect_word(TextParser *p, const char *word);
bool parse_end_of_line(TextParser *p);
// Reports that something else was expected than the current token; yields false.
bool parse_expected(TextParser *p, const char *what);
// Reports a mistake at a token that starts at this place; the caller yields false.
#define parse_error(p, place, ...) diag_error((p)->diag, parse_span(p, place), __VA_ARGS__)
Span parse_span(const TextParser *p, uint32_t place);
// The line of a place, for messages about two places.
uint32_t parse_line(TextParser *p, uint32_t place);
// The text of the token at a place, printable and shortened, for messages; valid until the next
// call.
const char *parse_shown(TextParser *p, uint32_t place);

// ---- Literals and names (parse_literal.c)

// An integer of so many bits, signed or unsigned; the result is sign-extended.
bool parse_integer(TextParser *p, uint32_t bits, int64_t *value);
// A number without sign, at most `max`.
bool parse_unsigned(TextParser *p, uint64_t max, const char *what, uint64_t *value);
bool parse_u32(TextParser *p, uint32_t max, const char *what, uint32_t *value);
// A floating-point number of a type, as it is stored in an instruction.
bool parse_float(TextParser *p, Type type, Instr *instr);
// ("+" | "-") number, if there is one
bool parse_displacement(TextParser *p, int64_t *value);
// The bytes of a string, in p->bytes; and the same interned, not empty.
bool parse_string(TextParser *p);
bool parse_text(TextParser *p, Str *text);
// A symbol, slot or register token is decoded; slots and registers without name have STR_NONE.
bool parse_name(TextParser *p, Str *name);
bool parse_register_name(TextParser *p, RegInfo *info);
// ---- Initial values (parse_data.c)

// data = item { "," item }
bool parse_data(TextParser *p, Sym symbol);

// ---- Types (parse.c)

bool parse_param_type(TextParser *p, PType *type);
bool parse_result_type(TextParser *p, PType *type);

// Which parameters a list may hold: types, types with registers, types and after "..." more types.
typedef enum { PARAMS_DECLARED, PARAMS_DEFINED, PARAMS_CALLED } ParamsKind;
// params = "(" [ param { "," param } ] ")", for a signature with this result. With PARAMS_DEFINED
// the registers are in p->params afterwards, and their places at the end of p->param_places.
bool parse_params(TextParser *p, ParamsKind kind, PType result, Sig *sig);

// ---- asm statements (parse_asm.c)

// asm = "asm" STRING | "asm" NUMBER STRING [ "in" moves ] [ "out" moves ] [ "destroys" registers ]
// moves = "(" CHUNK MACHINE "at" OFFSET { "," CHUNK MACHINE "at" OFFSET } ")"
// registers = "(" MACHINE { "," MACHINE } ")"
// The word "asm" has been read.
bool parse_asm_item(TextParser *p);

// ---- Reserved registers (parse_asm.c)

// reserve = "reserve" MACHINE { "," MACHINE }
// The word "reserve" has been read.
bool parse_reserve_item(TextParser *p);
bool parse_machine_register(TextParser *p, int64_t *number);

// ---- All of it (parse.c)

void parse_open(TextParser *p, Arena *arena, Diag *diag, const char *name, const char *text,
                size_t length);
// All top-level items from the start of the text to `end`.
void parse_items(TextParser *p, uint32_t end);
void parse_close(TextParser *p);

// ---- Bodies (rtl_parse_body.c)

void parse_body(TextParser *p, const Body *body);
// The same in steps: the start, after which the function may get registers; the lines; the end,
// which depends on the whole body, with `place` as its place. If the function continues the one
// whose body was read last, the registers and slots of that stay known.
void parse_body_begin(TextParser *p, Func *func, bool continues);
bool parse_body_line(TextParser *p);
void parse_body_end(TextParser *p, uint32_t place);
// A node that no line of the text describes is added, with its label; its successors are the nodes
// of these labels. False if the label is used already.
bool parse_add_node(TextParser *p, const Func *from, const Instr *instr, uint32_t label,
                    uint32_t place);
// Reads a register, and makes the register if it is new.
bool parse_register(TextParser *p, Reg *reg);
// Gives a register its type at a definition that stands at a place.
bool parse_define_register(TextParser *p, Reg reg, Type type, uint32_t place);
// location = [ "!" FILE ":" LINE ":" COLUMN ]
bool parse_location(TextParser *p, uint32_t *location);
// A declared slot or symbol is mentioned.
bool parse_slot(TextParser *p, uint32_t *slot);
bool parse_symbol(TextParser *p, uint32_t *symbol);
// A label is mentioned as a successor; its place in p->body.succs is made by the caller.
bool parse_target(TextParser *p, Node from, uint32_t which);

// LABEL = "L" NUMBER, as labels are written in mach0.
bool parse_at_plain_label(const TextParser *p);
bool parse_plain_label(TextParser *p, uint32_t *number);

// Makes room for about so many nodes.
void parse_body_reserve(TextParser *p, uint32_t nodes);
uint32_t parse_find_label(const BodyState *body, uint32_t number); // HASH_NONE if there is none

// ---- Phis (ssa_parse.c)

// If the line that starts with the current token is LABEL ":" register "=" and a word: that word.
// Only words with one of these first letters are of interest.
bool parse_ahead_result(const TextParser *p, const char *letters, TextToken *word);
// Whether the instruction of a label may stand here: it follows the phis of its label.
bool parse_phis_end(TextParser *p, uint32_t label, uint32_t place);
// The label, destination and "=" of a line that parse_ahead_result knows, up to the word.
bool parse_merged(TextParser *p, Merged *merged);
// When all lines of a body without mistakes are known: the phis become part of the function, and
// registers get the types that they tell.
void parse_phis_settle(TextParser *p);
// The same for the destinations of phis, merges and etas alone.
void parse_merged_types(TextParser *p, const Preds *preds);

// ---- Versions of memory (son_parse.c)

// made = [ VERSION "," | VERSION "=" ], before the result and the instruction of a node
bool parse_version_made(TextParser *p, Node node);
// read = [ "from" VERSION ], behind them
bool parse_version_read(TextParser *p, Node node);

// ---- Graphs (rtl_parse_body.c)

// Finishes a graph when all its lines are known; `settle` is the form's addition if there were no
// mistakes, or NULL. Phis become part of the function, and registers get the types that they tell.
void parse_graph_end(TextParser *p, uint32_t place, void (*settle)(TextParser *p));
// Reports registers without a type.
void parse_check_registers(TextParser *p);
// register "=" instruction location: a line for an operator without a label, which cannot go wrong.
bool parse_operator_line(TextParser *p, Instr *instr);
// [ register "=" ] instruction location, as a new node without successors.
bool parse_node(TextParser *p, Node *node);
// When all registers have types: what calls of variadic functions, written without a signature,
// say.
void parse_variadic_calls(TextParser *p);
// [ ":" ] rest location: a line whose number has been read, and stood at a place; NO_ID if it has
// none. `rest` reads the instruction and its successors.
bool parse_numbered_line(TextParser *p, uint32_t number, uint32_t place, bool colon,
                         bool (*rest)(TextParser *p, Node node, Instr *instr));
// label ":" instruction: a line that every graph may have.
bool rtl_parse_line(TextParser *p);

// ---- Instructions (rtl_parse.c)

void parse_mnemonics(TextParser *p);
// The mnemonic that the current token, a word, is; NULL if it is none.
const Mnemonic *parse_find_mnemonic(const TextParser *p);
const Mnemonic *parse_mnemonic_named(const TextParser *p, const char *text, size_t length);
// Reports that the current token is no mnemonic; yields false.
bool parse_unknown_mnemonic(TextParser *p);
bool parse_at_number(const TextParser *p);
// scale = "*" ( "1" | "2" | "4" | "8" )
bool parse_scale(TextParser *p, uint8_t *scale);
// order = "relaxed" | "acquire" | "release" | "acq_rel" | "seq_cst", and perhaps "volatile"
bool parse_order(TextParser *p, uint32_t *aux, bool maybe_volatile);
// operands = register { "," register } [ "," integer ], for the operator of the instruction
bool parse_operands(TextParser *p, Instr *instr);
// operator, one that may be a condition
bool parse_condition(TextParser *p, Instr *instr);
// instruction = mnemonic operands, into *instr and p->body. Successors are set if the instruction
// names them itself.
bool parse_instruction(TextParser *p, Node node, Instr *instr);
// The same behind the mnemonic.
bool parse_operation(TextParser *p, const Mnemonic *mnemonic, Node node, Instr *instr);
