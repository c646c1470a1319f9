// The forms of functions in a certificate. Each form builds on the previous form; see
// docs/certificates.md.
//
// A form has columns for its registers, parameters and slots, then its instructions, as a sequence
// that builds on the sequence of the previous form, then its phis. The reader makes sure that every
// number is in the range of its field. Whether a register, a slot and so on exists is left to the
// verifier (verify/verify.h), which takes nothing for granted. Registers and slots have no names,
// and instructions no locations: no check depends on names and locations.
#pragma once

#include "cert/columns.h"
#include "cert/sequence.h"
#include "form/forms.h"

// The state of the reader and writer of a certificate.
typedef struct {
    TokenStream t;
    Program *program;
    Arena *arena; // until the end
    RecordTable nodes, phis, instrs;
    // So many nodes, registers and the like may yet be taken over from a form into the next: a
    // number that depends on the size of the file, so that a small file cannot make much work.
    uint64_t budget;
    struct UnitMemory *memory; // of readers: what the declarations claim about memory, or NULL
} CertCoder;

// The machine is the program's; the declarations tell a reader another one.
void coder_init(CertCoder *coder, TokenStream t, Arena *arena, Program *program);
// Makes a machine the program's, whose registers have names from now on.
void coder_set_target(CertCoder *coder, const struct TargetModel *target);
// Takes from the budget; reports if it does not suffice.
bool coder_spend(CertCoder *coder, uint64_t amount);

// Reads a form. `before` is the previous form, or NULL; the new form lives in the arena. NULL after
// a mistake.
Func *form_read(CertCoder *coder, Arena *arena, Sym symbol, Form form, const Func *before);

// ---- Parts

// Which lists of records have the successors.
enum { NODE_SUCCS = 1, MACH_SUCCS = 2 };

// The parts of a form besides its body.
typedef struct {
    uint8_t fresh;      // registers and slots are its own; otherwise they are added to the previous
                        // ones
    VEC(uint8_t) types; // of registers: Type
    VEC(uint8_t) versions; // RegInfo.version, at most VERSION_FIRST_SET
    VEC(uint32_t) params;  // registers, if they are its own
    VEC(uint64_t) sizes;   // of slots
    VEC(uint32_t) aligns;  // the same
    VEC(uint8_t) buffers;  // BufferKind
    uint8_t machine;       // it is machine code
    uint8_t allocated;     // of machine code
    VEC(StoredReg) saved;  // the same
    VEC(uint32_t) spills;  // their sizes
    uint32_t length, phis; // of its sequences
} FormFrame;
extern const HintShape frame_shape;

// The state of reading or writing the instructions of a form: what guesses are made from.
typedef struct {
    const Func *before; // with instructions of the same kind; NULL if there are none
    bool fresh;
    bool once;      // registers are set once
    bool allocated; // places are those of the machine
    uint32_t
        *now; // if the registers are its own: for each old register the last new register in its
              // place, plus one
    uint32_t last; // the register that was set last
    // of readers
    CertCoder *coder;
    Func *func;
    uint32_t *image;             // for each old node or block its replacement, or NONE
    const uint32_t *block_of;    // for each old machine instruction its block
    const uint32_t *join_of;     // for each old phi its node
    const uint32_t *new_join_of; // for each phi its node, for writers
    Preds old_preds, preds;
    uint32_t blocks; // of machine code that have ended
    uint32_t last_join;
} BodyCode;

// For the body of a function that has its registers and parameters already.
void body_code_init(BodyCode *body, CertCoder *coder, const Func *before, Func *func, bool fresh);
void graph_sequence(FormSequence *s, CertCoder *coder, BodyCode *body);
void phi_sequence(FormSequence *s, CertCoder *coder, BodyCode *body);
void mach_sequence(FormSequence *s, CertCoder *coder, BodyCode *body);
// A node, phi or machine instruction as a record.
void node_record(const CertCoder *coder, TokenRecord *record, const Func *func, Node node);
void phi_record(const CertCoder *coder, TokenRecord *record, const Func *func, const Preds *preds,
                Node join, uint32_t phi);
void mach_record(const CertCoder *coder, TokenRecord *record, const Func *func, uint32_t block,
                 uint32_t instr);
void graph_read(CertCoder *coder, BodyCode *body, const FormFrame *frame);
void mach_read(CertCoder *coder, BodyCode *body, const FormFrame *frame);
void graph_records_init(CertCoder *coder);
void mach_records_init(CertCoder *coder);
WordName op_word, builtin_word, chunk_word;
// Notes the replacement of an old node, for later guesses.
void graph_note(FormSequence *s, uint32_t old);
void phi_note(FormSequence *s, uint32_t old);
void mach_note(FormSequence *s, uint32_t old);
