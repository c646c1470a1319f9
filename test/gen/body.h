// A function in the making: what every generator here is made of. It holds registers to draw from,
// emits random statements and branches, and resolves labels at the end.
//
// Nodes are appended in the order of the text; each goes on to the next one unless told otherwise.
// A statement is a few nodes that are entered only at the first, so that its temporaries and its
// guards (of divisions, indexes, checks) hold wherever control comes from. Variables live longer:
// they are defined at the entry, or where body_renew says.
#pragma once

#include "form/program.h"
#include "test/gen/random.h"

// What statements may contain, for BodyOptions.omit.
enum {
    GEN_MEMORY = 1, // slots, globals, loads and stores, memset and memcpy
    GEN_CALLS = 2,  // putchar, direct and indirect
    GEN_FLOATS = 4, // f32 and f64
    GEN_CHECKS = 8, // check
    GEN_DIVISIONS = 16,
    GEN_VOLATILE = 32, // volatile accesses of a global
};

enum { GEN_BUFFERS = 3, GEN_BUFFER_SIZE = 200, GEN_MOST_JUMPS = 6 };

typedef struct {
    const char *name; // of the function
    bool wide;        // i64(i64, i64) instead of i32(i32, i32)
    uint32_t omit;    // GEN_ flags of what is left out
    uint32_t wrong;   // per mille of divisions and checks without a guard
    bool reuse;       // temporaries are taken from a few registers in turn
    bool ends;        // control also comes to ends that are not a return
    bool jumps;       // setjmp and longjmp
    bool distances;   // some accesses start from another object than the one they go to
    uint64_t seed;
} BodyOptions;

typedef struct {
    uint32_t i;
} Label;

#define NEXT ((Label){NO_ID}) // the node that comes next

typedef struct {
    Random random;
    Func *func;
    BodyOptions options;
    VEC(Reg) variables[TYPE_COUNT];
    VEC(Reg) temps[TYPE_COUNT]; // with `reuse`
    uint32_t next_temp;
    VEC(struct Replaced {
        Type type;
        uint32_t index;
        Reg old;
    })
    replaced;             // what body_renew has put out of use, for body_leave_scope
    VEC(uint32_t) labels; // the node that each label stands for; NO_ID as long as it is not bound
    uint32_t bound_at;    // a label is bound to the node with this number
    bool dead;            // control does not come to the next node unless a label is bound to it
    uint32_t variable_count;
    Str variable_name;
    Label stop; // the end that several ways share; NEXT as long as none leads there
    Sym putchar, table, state;
    Sym setjmp, longjmp, buffers, jumps; // with `jumps`
} Body;

// Starts a function: declares what statements use (putchar, two globals, three slots) and makes the
// symbol of that name stand for it.
Body body_begin(Arena *arena, Program *program, BodyOptions options);
// Binds what is left open and checks that nothing is; the function is finished.
Func *body_end(Body *body);

// Emits definitions of that many more variables, of all types, but leaves `undefined` percent of
// them without; and of the slots, likewise.
void body_add_variables(Body *body, uint32_t count, uint32_t undefined);
void body_clear_slots(Body *body, uint32_t undefined);
// Puts a new variable, defined here, in the place of one that is not used any more.
void body_renew(Body *body);
// Variables renewed in a scope give their places back when it is left.
uint32_t body_enter_scope(const Body *body);
void body_leave_scope(Body *body, uint32_t scope);

static inline uint32_t body_count(const Body *body) {
    return body->func->nodes.count;
}

// A register for the next few nodes.
Reg body_temp(Body *body, Type type);

Label body_label(Body *body);
// The label stands for the next node.
void body_bind(Body *body, Label label);
Label body_here(Body *body); // a new label, bound
void body_bind_at(Body *body, Label label, Node node);

// Appends an instruction with these arguments, which goes on to the next node.
Node body_emit(Body *body, Instr instr, const Reg *args, uint32_t count);
// A register of a type with a value: a variable, or a temporary computed here.
Reg body_value(Body *body, Type type);
// dest := a random expression
void body_assign(Body *body, Reg dest);

void body_statement(Body *body);
void body_statements(Body *body, uint32_t count);
void body_nop(Body *body);
void body_const(Body *body, Reg dest, int64_t value);
// dest := op(a, immediate)
void body_op_immediate(Body *body, Op op, Reg dest, Reg a, int64_t immediate);
// Goes to the label: the last node does if it can, else a nop.
void body_jump(Body *body, Label to);
// A random condition; both ways may be the same.
// One of the comparisons of operands of a type.
Op random_comparison(Random *random, Type type);
void body_branch(Body *body, Label then, Label otherwise);
void body_branch_immediate(Body *body, Op op, Reg a, int64_t immediate, Label then,
                           Label otherwise);
// A switch over some value; to[0] is the default, to[1 .. count - 1] are the cases.
void body_switch(Body *body, const Label *to, uint32_t count);
void body_return(Body *body);
// With `ends`, where a function may stop: what is never reached, a trap, or a loop that does
// nothing; behind a branch or in any case, for itself or shared with others. If control does not
// come on from there, the body is dead.
void body_stop(Body *body);

// A random integer of a type, sign-extended: often small, or at an edge.
int64_t random_integer(Random *random, Type type);
