// The preprocessor: from files to tokens.
#pragma once

#include "base/hash.h"
#include "c/preprocess/token.h"
#include "c/tables/warnings.h"
#include "target/target.h"

typedef struct Pp Pp;

typedef enum {
    DIR_QUOTE,
    DIR_BRACKET,
    DIR_SYSTEM,
    DIR_AFTER
} DirKind; // -iquote, -I, -isystem, -idirafter

typedef enum { DEFINITIONS_DROPPED, DEFINITIONS_NAMED, DEFINITIONS_KEPT } DefinitionUse;

typedef struct {
    Arena *arena;
    Diag *diag;
    StrTable *strings;
    const Target *target; // the machine that is compiled for
    VEC(struct SearchDir {
        const char *path;
        DirKind kind;
    })
    dirs;
    VEC(struct CommandMacro {
        const char *text; // "NAME", "NAME=VALUE"
        bool undefine;
    })
    macros;                     // -D and -U, in order
    VEC(const char *) imacros;  // -imacros, in order
    VEC(const char *) includes; // -include, in order, after those
    VEC(const char *) prefixes; // OLD=NEW: how __FILE__ changes the names of files; the last first
    const char *system_root;    // --sysroot: in front of the standard directories, or NULL
    bool no_standard_dirs;      // -nostdinc
    bool no_predefined;         // -undef
    bool keep_lines; // the result is to be printed (-E): pragmas stay as they are written
    bool pedantic;
    bool freestanding;          // -ffreestanding: no library to tell of in macros
    bool inlines;               // -O1 and above: inline functions are inlined
    uint8_t optimize;           // the level of -O
    bool optimize_size;         // -Os, -Oz
    bool unsigned_char;         // -funsigned-char
    bool short_wchar;           // -fshort-wchar
    const char *input_charset;  // -finput-charset=: its name for iconv; NULL: UTF-8
    const char *exec_charset;   // -fexec-charset=, of plain strings; likewise
    const char *wide_charset;   // -fwide-exec-charset=, of wide strings; NULL: UTF-32 or UTF-16
    bool preprocessed;          // -fpreprocessed: nothing is a macro
    bool keep_comments;         // -C: for pp_print
    bool keep_includes;         // -dI: #include stays in the output, before the included text
    DefinitionUse definitions;  // -dD, -dN: #define and #undef stay in the output
    bool keep_invocations;      // for pp_invocation
    bool show_includes;         // -H: names the files on standard error
    bool missing_is_good;       // -MG: a header that is not there is one that make is to make
    bool trigraphs;             // -trigraphs: also where the standard in use has none
    bool gnu_inline;            // -fgnu89-inline
    const char *standard;       // -std=, e.g. "gnu17"; NULL is gnu17
    const char *builtin_dir;    // directory of our own headers, searched before the standard ones
    const WarningSet *warnings; // which are on at the start; NULL: all are
    const char *main_text; // the text of the main file, which is then only a name; NULL: the file
                           // is read
    size_t main_length;
    // Reads a file instead of the file system; for tests and the library.
    bool (*read)(void *context, Arena *arena, const char *path, char **text, size_t *length);
    void *context;
    uint32_t include_depth;   // how deep #include may be nested; 0 is the default, 200
    uint32_t expansion_limit; // tokens that one macro call may yield; 0 is the default, 16 million
} PpOptions;

// A preprocessor over one main file. Identifiers and tokens live in the options' arena.
Pp *pp_new(const PpOptions *options);
void pp_free(Pp *pp);
// Opens the main file ("-" is standard input). False after a diagnostic if it cannot be read.
bool pp_open(Pp *pp, const char *path);
// The machine that is compiled for, as the front end sees it.
const TargetLanguage *pp_language(const Pp *pp);
// The next token after all phases up to macro expansion; directives have been carried out. TOK_EOF
// at the end, again and again.
void pp_next(Pp *pp, Token *token);

// The conversion from UTF-8 to the set that plain strings, or wide ones, have in the program; NULL
// if there is none.
struct Charset *pp_exec_charset(const Pp *pp, bool wide);

// Whether the standard in use is C99 or later, or a GNU one of any year.
bool pp_has_c99(const Pp *pp);

// True after an error that ended the run of tokens early (a file that cannot be included).
bool pp_stopped(const Pp *pp);

// Whether the end of a file is missing, which has been reported.
bool pp_cut_short(const Pp *pp);

struct Spelling;
// Tries the names of all macros for one that is misspelt.
// How many it has looked at.
uint32_t pp_try_macros(Pp *pp, struct Spelling *spelling);
// The last #include of a file in one of its inclusions; 0 if there is none.
Pos pp_last_include(Pp *pp, const Inclusion *inclusion);

// Whether a name is that of a macro with parameters.
bool pp_needs_arguments(const Ident *ident);

Ident *pp_ident(Pp *pp, const char *name, size_t length);
StrTable *pp_strings(Pp *pp);

// ---- Where things are

typedef struct {
    const char *file; // as #line says
    uint32_t line;    // likewise
    uint32_t column;
    bool system;
} Presumed;

// The place in a file of a token for a reader: its own place, or the place of the outermost macro
// name from which it came.
Pos pp_file_pos(Pp *pp, const Token *token);
Presumed pp_presumed(Pp *pp, Pos pos); // of that place
// The name of a file as -fmacro-prefix-map= changes it, for __FILE__ and __builtin_FILE.
const char *pp_mapped(Pp *pp, const char *path);
// The first position that a reader knows under a file, line and column; 0 if there is none.
Pos pp_position(Pp *pp, const char *file, uint32_t line, uint32_t column);
// Where it is spelled, if need be in the definition of a macro.
Pos pp_spelling(Pp *pp, Pos pos);
// Whether it is spelled in a macro of a system header.
bool pp_in_system_macro(Pp *pp, Pos pos);
// How many characters from one position to another are to be marked in a message.
uint32_t pp_length(Pp *pp, Pos pos, Pos end);
// The invocation of a macro in the main file, not in the arguments of another, that a token came
// out of, be it of the macro's body or of its arguments; NULL if there is none. Only if
// PpOptions.keep_invocations.
const Invocation *pp_invocation(Pp *pp, Pos pos);
// NULL for position 0. These pointers live until the next token is read.
const Inclusion *pp_inclusion(Pp *pp, Pos pos);
const Expansion *pp_expansion(Pp *pp, uint32_t expansion);
// The number of the expansion that a token at a position came out of; 0 if it stands in a file.
uint32_t pp_expansion_of(Pp *pp, Pos pos);

// The main file once it is open.
const CFile *pp_main_file(const Pp *pp);
// How often __LINE__ and __COUNTER__ have been expanded so far.
typedef struct {
    uint32_t lines, counters;
} PpUses;
PpUses pp_uses(const Pp *pp);

// Reports at a range of characters, with notes for the macros it came out of and "included from"
// lines. Warnings are dropped in system headers, the bodies of their macros included, and where
// they are off; warnings are errors on request. `option` is the name behind -W, or NULL.
void pp_report(Pp *pp, Severity severity, const char *option, Pos pos, uint32_t length,
               const char *format, ...) __attribute__((format(printf, 6, 7)));

// The same for a warning about what is done with a value. If the value comes from a system header's
// macro, the report is about the call of the macro.
void pp_report_value(Pp *pp, const char *option, Pos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// A change of the source that would mend what the next report is about: `text` takes the place of
// so many bytes. If one of several changes is in the expansion of a macro, none is reported.
void pp_fixit(Pp *pp, Pos pos, uint32_t length, const char *text);
void pp_drop_fixits(Pp *pp); // the report is not made
// The name of the function that reports are about from now on; NULL outside of functions.
void pp_set_function(Pp *pp, const char *name);

// Whether a warning has been on anywhere so far: if not, nobody needs to look for a reason.
bool pp_might_warn(const Pp *pp, Warning warning);
// The highest level that -WNAME=LEVEL has had so far; 0 if none was given.
unsigned pp_warning_level(const Pp *pp, Warning warning);

// ---- Other outputs

// -E: the token stream as text, with or without line markers (-P).
void pp_print(Pp *pp, Out *out, bool line_markers);
// -dM: the macros that are defined at the end.
void pp_print_macros(Pp *pp, Out *out);
// -v: the directories that are searched, as gcc lists them.
void pp_print_directories(Pp *pp, Out *out);
// The files that were read, in order, for -M and related options.
typedef struct {
    const char *path;
    bool system;
} Dependency;
const Dependency *pp_dependencies(Pp *pp, uint32_t *count);

// The exact spelling of a token (a new string in the arena for identifiers and punctuators).
const char *token_spelling(Pp *pp, const Token *token, size_t *length);
const char *punctuator_text(TokenKind kind);

// Whether a standard (-std=, or NULL for the usual one) is older than C11.
bool pp_is_before_c11(const char *standard);
