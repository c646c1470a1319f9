// The world that interpreters share: memory, files, the trace, and external functions. An
// interpreter owns the control; this owns everything a program can touch.
#pragma once

#include "form/registers.h"
#include "run/world/run.h"

// Open streams and what else a C library remembers; private to the external functions. With
// RunOptions.no_files only the standard streams may ever be opened.
typedef struct Files Files;

// The variable arguments of one call, as va_list walks them. A va_list in simulated memory is an
// object (TargetModel.va_list_size) whose first 8 bytes are the number of such a list in `World`
// plus one and whose next 8 are the position.
typedef struct {
    const Value *args;
    const PType *types;
    uint32_t count;
} VarArgs;

// Bytes that could not be accessed, or not as they were; of a block that could not be freed: none.
typedef struct {
    bool known;
    bool write;
    uint64_t address, size;
} WrongAccess;

typedef struct World {
    Arena *arena; // for the whole run
    const Program *program;
    const RunOptions *options;
    Memory *memory;
    Files *files;
    RunResult *result;
    uint64_t *symbol_address;              // of each symbol, by Sym; 0 where there is none
    uint64_t function_base, function_step; // the Nth symbol, if a function, is at base + N * step
    uint64_t heap_count;
    uint64_t random; // state of rand()
    uint64_t clock;  // a simulated clock, so that runs are repeatable
    uint64_t errno_address;
    Value registers[MACHINE_REG_LIMIT]; // the contents of reserved machine registers
    VEC(uint64_t) at_exit;              // functions registered with atexit
    VEC(VarArgs) varargs; // the lists that va_start made, of calls that have not returned yet
    bool stopped;         // the run has ended: `result` says how
    WrongAccess access;   // of a run that ended by a wrong access
    bool skip_at_exit;    // set by _exit and quick_exit: neither at_exit nor destructors run

    // Calls a function of the program by address and yields its result; for qsort, bsearch and
    // atexit. False if the run ended inside, or if a jump left the function: then the external
    // function has to return at once.
    bool (*call_back)(struct World *world, uint64_t function, const Value *args, uint32_t count,
                      Value *result);
    // Makes the jmp_buf at an address stand for the call that is being performed.
    bool (*set_jump)(struct World *world, uint64_t buffer);
    // Makes the call that a jmp_buf stands for return a second time, with this value (1 for 0).
    // False if that is a wrong step.
    bool (*jump)(struct World *world, uint64_t buffer, uint32_t value);
    // Where the program is: an index into Program.locs, 0 if that is not known.
    uint32_t (*place)(const struct World *world);
    void *interpreter; // the interpreter's own state, for these four
} World;

// Lays out globals, external data and functions. If there is no memory for them the run has ended.
void world_init(World *world, Arena *arena, const Program *program, const RunOptions *options,
                RunResult *result);
// Makes argv, which ends with NULL, and yields its address.
uint64_t world_arguments(World *world, int argc, char **argv);
void world_free(World *world); // flushes and closes files

// The function at an address; NO_SYM if there is none.
Sym world_function(const World *world, uint64_t address);

// End the run (set result->behaviour and `stopped`); reasons are formatted into the arena.
void world_wrong(World *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
void world_exit(World *world, EndKind end, int32_t status);

// A wrong step comes of an access to these bytes: for people.
void world_note_access(World *world, uint64_t address, uint64_t size, bool write);
// The wrong step of an access of `size` bytes that memory refused.
void world_wrong_access(World *world, uint64_t address, uint64_t size, bool write);

// Records an event: "name(args) = result" (result may be NULL). Pointers into objects are rendered
// as object and offset, functions by name, so that traces do not depend on where objects lie.
void world_event(World *world, const char *name, const SigInfo *sig, const Value *args,
                 uint32_t count, const Value *result);
// A value that is defined, as it stands in an event.
void world_print_value(Out *out, const World *world, PType type, Value value);
// Records an event of any text.
void world_event_text(World *world, const char *text, size_t length);

// ---- Arguments of variadic functions

// An aggregate among them is the address of a copy that the called function owns.
uint32_t world_add_varargs(World *world, VarArgs list); // its number
// Reads the next argument of the va_list at an address. False (with world_wrong) if there is none
// left or its type differs in kind or width from `type`.
bool world_next_vararg(World *world, uint64_t va_list_address, PType type, Value *value);

// ---- External functions

typedef struct {
    World *world;
    const SigInfo *sig; // of the call
    const Value *args;  // where an aggregate result goes comes last
    uint32_t arg_count;
    Value result;
} ExternalCall;

// Performs a call of an external function. A wrong step (other types than the function has, an
// undefined argument, a bad pointer, a bad format) is reported by world_wrong; exit and abort by
// world_exit.
typedef void ExternalFunction(ExternalCall *call);

typedef struct {
    const char *name;
    ExternalFunction *function;
    bool observable; // its calls are events
    // Result, then parameters: v void, w i32, q i64, f f32, d f64, x f80, s an aggregate result; a
    // final '.' for "...". The function checks every call against it.
    const char *types;
} External;

// The external function of a name; NULL if it is not provided.
const External *external_named(const char *name);
// Data that external objects provide (stdin, stdout, stderr, environ, ...): called once by
// world_init for each undefined data symbol; returns its address or 0 if the name is unknown.
uint64_t external_data(World *world, const char *name);
// Flushes and closes the streams and frees what external functions keep; called by world_free.
// Does nothing if there is nothing.
void external_finish(World *world);
