// SSA run as an abstract state machine, after Glesner (docs/papers.md; docs/asm.md has the rules):
//   asm_code.c     the static functions: blocks, operations, and what each operation needs
//   asm_run.c      the dynamic functions and the transition rules
//   asm_choice.c   which of the operations that can fire do fire
//   asm_step.c     the same, asked of a person
//   asm_explore.c  all orders of a block
//
// Names of the paper and what stands for them here:
//   belongs_to, kind, Pred_i   AsmOperation.block; the decoded step; the registers that the step
//   reads Preds, select              the moves of the jump by which a block is entered
//   (AsmFrame.from)
//   value                      the frame's registers; an operation has a value once it has fired
//   current_block, next_block  AsmFrame.block, .next
//   pred_block, init           AsmFrame.from, .init
//   memory as a value          AsmOperation.memory, a number in the block; AsmFrame.memory is that
//   of the last change that has fired
#pragma once

#include "fact/order.h"
#include "run/rtl_interpreter.h"
#include "run/world/memory_versions.h"

// ---- Static functions (figure 2)

typedef struct {
    const DecodedStep *step;
    uint32_t block;                  // that it belongs to
    uint32_t needs;                  // how many operations of the block have to fire before it
    uint32_t first_user, user_count; // the operations that need it, in AsmCode.users
    uint32_t
        memory;   // the number of changes of the block before it: the memory that it reads has this
                  // number
    uint32_t key; // if operations fire one at a time: the operation with the smallest key fires
    bool changes; // it yields the next memory
    bool reads;   // it reads memory and does not change memory, so that it may come after the next
                  // change
} AsmOperation;

// Operations are numbered block by block, inside of a block in the order of the program. A nop is
// none.
typedef struct {
    Node head;
    uint32_t first, count;
    uint32_t first_ready, ready_count; // operations that need nothing, in AsmCode.ready
    uint32_t first_memory, memories;   // the memories named, in AsmCode.readers
    const DecodedStep
        *jump; // the last node if it has one successor only: the block's jump, which needs nothing
    uint32_t visits; // how often it was explored
} AsmBlock;

typedef struct AsmCode {
    AsmBlock *blocks;
    AsmOperation *operations;
    uint32_t block_count, operation_count;
    uint32_t *block_of;     // of each node that is the head of one: its block
    uint32_t *operation_of; // of each node
    uint32_t *users, *ready;
    uint32_t *readers; // by memory: the number of operations of the block that read it and do not
                       // change it
    uint32_t *needs;   // of each operation, once more, to be copied
} AsmCode;

// ---- Dynamic functions (figure 3)

// The state of a call. Its block's part of AsmMachine.words begins with so many words:
//   count     for each operation how many of its needs have not fired; NO_ID once it has a value
//             itself
//   count     the operations that can fire: ready_count of them
//   memories  for each memory how many of its readers have not fired
typedef struct {
    const AsmBlock *block;
    const DecodedStep *from; // the jump by which the block was entered; NULL at the start
    const DecodedStep
        *next;            // where to go on: the first step of a block, or a return; NULL for void
    uint32_t words, held; // where its part of AsmMachine.words and .held begins
    uint32_t ready_count;
    uint32_t left;     // operations without a value
    uint32_t memory;   // the number of the present memory
    uint32_t calling;  // the operation that is a call and has fired, but not returned
    uint32_t versions; // how many memories of the block are held
    bool init;
    bool returns; // the return has fired: the function is left when all operations have values
    bool
        explored; // all memories of the block are held, so that its orders can be tried when it is left
} AsmFrame;

typedef struct AsmMachine {
    Interpreter *in;
    AsmChoice choice;
    uint64_t random;
    VEC(AsmFrame) frames; // one for each of in->frames
    uint32_t *words;
    MemoryVersion **held; // by memory: the version, if it is held
    uint32_t word_room, held_room;
    uint32_t *chosen; // the operations that fire next, a call last
    uint32_t chosen_count, chosen_room;
    AsmReport report;
} AsmMachine;

static inline AsmFrame *asm_top(const AsmMachine *m) {
    return &m->frames.at[m->in->frames.count - 1];
}
static inline const AsmCode *asm_code(const AsmMachine *m) {
    return top_frame(m->in)->code->machine;
}
static inline uint32_t *asm_needs(const AsmMachine *m, const AsmFrame *f) {
    return m->words + f->words;
}
static inline uint32_t *asm_ready(const AsmMachine *m, const AsmFrame *f) {
    return m->words + f->words + f->block->count;
}
static inline uint32_t *asm_readers(const AsmMachine *m, const AsmFrame *f) {
    return m->words + f->words + 2 * f->block->count;
}

// The static functions of a function. Keys are those of the choice.
AsmCode *asm_code_of(Arena *arena, const Code *code, AsmChoiceKind choice);

// ---- Transition rules (figures 4 to 7). False if the run has ended.

// Figure 4: the top frame is new.
bool asm_start(AsmMachine *m);
// Figure 5.
bool asm_evaluate_phis(AsmMachine *m);
// Figure 6: the choice, then what is chosen fires.
bool asm_choose(AsmMachine *m, AsmFrame *f);
bool asm_fire_chosen(AsmMachine *m);
bool asm_fire(AsmMachine *m, uint32_t operation);
// Figure 7, or the return.
bool asm_transition(AsmMachine *m);

// Where the machine is: "block 3 of main".
void asm_print_place(Out *out, const AsmMachine *m, const AsmBlock *block);

// ---- Choices

// Puts an operation among those that can fire.
void asm_add_ready(const AsmMachine *m, AsmFrame *f, uint32_t operation);
// Asks which operations fire. False if the answer is to go no further.
bool asm_step_choose(AsmMachine *m, AsmFrame *f);

// ---- All orders

// Whether the orders of the block that is entered are to be tried.
bool asm_wants_exploring(AsmMachine *m, const AsmBlock *block);
// All operations of the block have values: tries all orders in which they could have fired.
void asm_explore(AsmMachine *m, const AsmFrame *f);
