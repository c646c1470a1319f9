// Types and functions that the files of the preprocessor share.
//
// The flow of a token: lexer.c cuts the token out of a file's text; directive.c carries out lines
// that begin with #; pp.c reads from the innermost macro expansion or else from the file, and hands
// identifiers that name macros to expand.c.
#pragma once

#include "c/preprocess/charset.h"
#include "c/preprocess/pp.h"
#include "message/message.h"

#include <stdarg.h>

typedef enum {
    MACRO_OBJECT,
    MACRO_FUNCTION,
    MACRO_POISONED, // #pragma GCC poison
    MACRO_LINE,     // from here on: builtin ones
    MACRO_FILE,
    MACRO_BASE_FILE,
    MACRO_INCLUDE_LEVEL,
    MACRO_COUNTER,
    MACRO_DATE,
    MACRO_TIME,
    MACRO_TIMESTAMP,
    MACRO_PRAGMA,
    MACRO_HAS_INCLUDE,
    MACRO_HAS_INCLUDE_NEXT,
    MACRO_HAS_ATTRIBUTE,
    MACRO_HAS_C_ATTRIBUTE,
    MACRO_HAS_BUILTIN,
} MacroKind;

typedef struct Macro {
    Ident *name;
    Pos pos; // of its name in the #define; 0 if builtin
    uint8_t kind;
    bool variadic;
    bool named_variadic; // declared as "name..."
    bool pastes;         // has ## in its body
    bool disabled;       // its expansion is being read
    uint16_t param_count;
    Ident **params;
    const Token *body;
    uint32_t count;
} Macro;

// A list of tokens that is read before the lists below it.
typedef struct {
    const Token *at, *end;
    Macro *macro;       // enabled again when the list has been read, or NULL
    uint32_t expansion; // which expansion the tokens come out of; 0: each knows for itself
    bool barrier;       // the end of an argument that is being expanded: what is below is not read
} Context;

// An open #if.
typedef struct {
    Pos pos;           // of the directive, for messages
    bool taken;        // a group of it has been or is being read
    bool was_skipping; // it stands in a skipped group itself
    bool seen_else;
    Ident *guard; // the macro, if this may be the guard of the whole file
} Conditional;

// An open file.
typedef struct Buffer {
    struct Buffer *below;
    CFile *file;
    const char *at, *end;
    const char *text;
    Pos start;             // position of text[0]
    uint32_t inclusion;    // index
    uint32_t conditionals; // how many #if were open before it
    uint32_t directory;    // index of the search directory it was found in; see include.c
    uint32_t depth;        // of #include
    uint8_t flags;         // TOKF_ of the next token: TOKF_LINE at the start of a line, TOKF_SYSTEM
    bool seen;             // a token or directive since the start or since the guard's #endif
    bool return_at_end;    // TOK_EOF at its end instead of going on below
    bool announced;        // the output of -E tells where it begins and ends
    Ident *guard;          // after the #endif of what may be the guard
} Buffer;

// The message of a line marker about the file: none, the file begins, the file goes on behind an
// #include.
typedef enum { MARKER_PLAIN, MARKER_ENTER, MARKER_RETURN } Marker;

// A text that -E prints between two tokens.
typedef struct {
    enum {
        PRINTED_COMMENT, // -C
        PRINTED_LINE,    // a directive that is kept, as it is to be printed
        PRINTED_MARKER,  // a line marker for the place of `token`
    } kind;
    Marker marker;
    Token token;
} Printed;

typedef struct {
    uint32_t hash;
    Ident *ident;
} IdentSlot;

// Tokens of one expansion, or of an argument, that the parser has got: see place.c.
typedef struct {
    Pos start;                  // their positions begin here
    Pos spelled;                // ... and where they are spelled, here
    uint32_t expansion;         // 0: tokens of a file
    const WarningSet *warnings; // the warnings that are on for them; NULL: the warnings of the
                                // place in the file
} Run;

typedef struct {
    const char *path;
    uint32_t length;
    bool system;
    DirKind kind;
} Directory;

struct Pp {
    PpOptions options;
    Arena *arena;
    Arena *scratch; // token lists of macro calls; emptied between them
    StrTable *strings;
    Diag *diag;
    Charset *input;                     // from the set of files to UTF-8; NULL: files are UTF-8
    Charset *exec, *wide_exec;          // from UTF-8 to that of strings; NULL: UTF-8, UTF-32
    bool trigraphs, digraphs, gnu;      // rules of the standard in use
    bool raw_strings, digit_separators; // ... also
    bool c99; // ... of what came with C99 and GNU C has in any year: //, signs behind p in numbers
    bool cut_short; // a comment took the rest of a file
    bool stopped;   // after a fatal error: no more tokens, no more reports

    Buffer *buffer;
    Buffer *unused_buffers;
    VEC(Context) contexts;
    VEC(Conditional) conditionals;
    bool skipping;      // in a group of #if that is not to be read
    bool in_directive;  // the end of the line ends the tokens
    bool in_expression; // of #if: __has_include is known
    uint8_t
        parsing_arguments; // 1 looking for the parenthesis, 2 behind it: a file's end ends tokens
    uint32_t prevent_expansion;
    uint32_t argument_depth; // nested expansions of arguments
    uintptr_t stack_floor;   // how far these may go
    uint32_t produced;       // tokens of the present macro call so far

    IdentSlot *idents;
    uint32_t ident_capacity, ident_count;
    struct {
        Ident *defined, *va_args, *va_opt, *pragma;
    } names;

    VEC(Inclusion) inclusions;
    VEC(Expansion) expansions;   // 0 is no expansion
    VEC(Invocation) invocations; // in order, see pp_invocation
    Pos next_pos;
    VEC(Run) runs;                      // in order of start
    Pos next_expanded;                  // behind the last of them
    uint32_t last_run;                  // of the last look-up
    uint32_t last_inclusion, last_line; // of the last look-up of a position
    const char *function;               // the function that is being read, or NULL
    Pos reported;                       // where the last report was
    VEC(Fixit) fixits;                  // of the next report
    bool fixits_spoilt;                 // a change is in a macro: none can be made
    struct Messages *messages;          // if they are ours
    MessageOptions message_options;     // of those
    bool report_shown;                  // the last report was not dropped

    VEC(CFile *) files;
    Table file_table; // by path
    Map inodes;       // from device and inode to index in files
    VEC(Dependency) dependencies;
    VEC(Directory) directories; // quote, bracket, system, after; in order of search
    uint32_t first_bracket;     // where the search for <name> begins
    CFile *main_file;
    uint32_t next_include; // which file of -include is read when the present one ends

    VEC(struct SavedMacro {
        Ident *name;
        Macro *macro;
    })
    saved;                      // #pragma push_macro
    const WarningSet *warnings; // the warnings that are on in the text being read
    bool warnings_moved;        // a pragma in an expansion has changed them: see place.c
    WarningSet ever;            // .on: those that were on anywhere
    VEC(const WarningSet *) saved_warnings; // #pragma GCC diagnostic push
    uint32_t counter;
    uint32_t line_uses; // of __LINE__
    const char *date, *time;

    VEC(Printed) printed;     // texts that pp_print is to print before the next token, in order
    VEC(char) text;           // spelling under construction
    VEC(char) clean;          // characters of a token without its line splices ...
    VEC(uint32_t) clean_from; // ... and where each came from
};

// ---- ident.c

static inline uint32_t ident_hash(uint32_t hash, char c) {
    return hash * 31 + (unsigned char)c;
}
void ident_grow(Pp *pp);
// `hash` is ident_hash over the characters, from 0.
Ident *ident_find(Pp *pp, const char *text, size_t length, uint32_t hash);
// The character that begins at p in UTF-8, and its length; 0 if it is not well-formed.
uint32_t ident_decode_utf8(const char *p, const char *end, unsigned *length);
// The length of a character of an identifier beyond ASCII at p, in UTF-8 or as \u; 0 if none is
// there.
unsigned ident_extended(const char *p, const char *end, bool first, uint32_t *code);
// Appends to pp->text.
void text_add_utf8(Pp *pp, uint32_t code);

// ---- lexer.c

// Interns the names that mean something to the preprocessor itself.
void lex_init(Pp *pp);
// The next token of the innermost file. White space and comments are skipped; in a directive the
// end of the line is TOK_NEWLINE again and again. At the end of the file TOK_EOF.
void lex_token(Pp *pp, Token *token);
// Whether the next token of the file is an opening parenthesis; reads nothing.
bool lex_peek_paren(Pp *pp);
// Skips lines up to and including the # of the next directive. False at the end of the file.
bool lex_skip_lines(Pp *pp);
// Skips the rest of a directive's line, comments included, up to the newline.
void pp_skip_line(Pp *pp);
// The rest of the line without splices, comments and surrounding blanks, in pp->text
// (NUL-terminated); reads nothing. Comments are kept, as text, if `comments`.
const char *lex_rest_of_line(Pp *pp, bool comments);
// <name> at the present place, in a directive; false if there is none.
bool lex_header(Pp *pp, Token *token);
// Makes a token of the text in pp->text. False if the text is not exactly one token.
bool lex_text(Pp *pp, Token *token);
// A token of a kind that has a spelling.
Token lex_make(Pp *pp, TokenKind kind, const char *text, size_t length);
bool lex_is_blank(char c);

// Appends to pp->text.
void text_add(Pp *pp, const char *bytes, size_t length);
void text_spelling(Pp *pp, const Token *token);

// ---- pp.c

// Reads `file` next. `included_at` is 0 for what no #include asked for.
void pp_push_file(Pp *pp, CFile *file, Pos included_at, uint32_t directory, bool system);
// A file that exists only in memory.
CFile *pp_memory_file(Pp *pp, const char *path, const char *text, size_t length);
// The next token, expanded, with TOK_PLACEMARKER for padding between expansions.
void pp_get(Pp *pp, Token *token);
// The next token that is no padding.
void pp_get_solid(Pp *pp, Token *token);
// Reads these tokens next, then enables `macro` again. They get `expansion` unless it is 0.
void pp_push_tokens(Pp *pp, const Token *tokens, uint32_t count, Macro *macro, uint32_t expansion);
void pp_pop_context(Pp *pp);

// ---- place.c

uint32_t pp_line_of(Pp *pp, uint32_t inclusion, Pos pos);
// Gives a token that leaves the preprocessor the position by which its expansion and the warnings
// that are on are found.
void pp_place_token(Pp *pp, Token *token);
typedef struct {
    Pos pos; // in a file
    uint32_t expansion;
    const WarningSet *warnings; // the warnings that are on there; NULL: the warnings of the place
                                // in the file
} Spelled;
// Where what stands at a position is spelled. `expansion` is that of a position in a file.
Spelled pp_spelled(Pp *pp, Pos pos, uint32_t expansion);

// A macro has been invoked, its arguments have been read.
void pp_note_invocation(Pp *pp, const Token *name);

// ---- macro.c

// The macro that was defined or undefined; NULL after an error.
const Macro *macro_define(Pp *pp);
const Ident *macro_undefine(Pp *pp);
// The name after #define, #ifdef and the like; NULL after a report.
Ident *macro_name(Pp *pp, const char *directive, Token *token, bool defining);
Macro *macro_builtin(Pp *pp, MacroKind kind, Ident *name);
void macro_print(Pp *pp, Out *out, const Macro *macro);

// ---- expand.c

// Expands the macro that *name names: its tokens are pushed as a context. False if there is no call
// (a function-like macro without parenthesis, a mistake).
bool macro_expand(Pp *pp, Macro *macro, Token *name);
// A padding token after which the white space is as before *source, or, without one, as found.
Token padding(const Token *source);
// The state of white space between tokens while padding goes by.
typedef enum { SPACING_OWN, SPACING_WHITE, SPACING_TIGHT } Spacing;
void spacing_pad(Spacing *spacing, const Token *padding);
bool spacing_white(Spacing *spacing, const Token *token);

// ---- builtin_macro.c

// The value of a builtin macro in *name's place. False if the name stays as it is.
bool builtin_expand(Pp *pp, Macro *macro, Token *name);
void builtin_init(Pp *pp);

// ---- directive.c

// Carries out the directive whose # has just been read. True if it left a token (a pragma) in
// *token.
bool pp_directive(Pp *pp, Token *token);
// Reports the #if that the file which ends has left open.
void directive_end_of_file(Pp *pp, Buffer *buffer);
void directive_init(Pp *pp);
// Warns if anything is left on a directive's line.
void directive_end(Pp *pp, const char *name);

// ---- pragma.c

// Carries out #pragma, whose name has been read; true if it left a token for the parser.
bool pragma_directive(Pp *pp, const Token *hash, Token *token);
// #ident and #sccs.
void pragma_ident(Pp *pp, const Token *hash, const Token *name);
// _Pragma("..."), whose name has been read. True if it left a token.
bool pragma_operator(Pp *pp, Token *name);

// ---- pp_warnings.c

void pp_warnings_init(Pp *pp);
// The state of warnings holds from the present place of the innermost file on.
void pp_warnings_sync(Pp *pp);
// Carries out #pragma GCC diagnostic; `words` are the tokens behind that.
void pp_warnings_pragma(Pp *pp, const Token *words, uint32_t count);
// The warnings that are on at a place in a file.
const WarningSet *pp_set_at(Pp *pp, Pos pos);

// ---- pp_if.c

bool if_expression(Pp *pp, const char *directive, const Token *name);

// ---- include.c

void include_init(Pp *pp);
typedef enum { INCLUDE_ORDINARY, INCLUDE_NEXT, INCLUDE_IMPORT } IncludeKind;
void include_directive(Pp *pp, const Token *hash, const Token *name, IncludeKind kind);
// Reads the macros that the C library promises for every program, if it has any.
bool include_library_macros(Pp *pp);
// __has_include and __has_include_next, behind the name.
bool include_exists(Pp *pp, const Token *name, IncludeKind kind);
// Opens a path as given; NULL with errno set if it cannot be read.
CFile *include_open(Pp *pp, const char *path, bool system);
// Reads a file named on the command line (-include, -imacros).
bool include_command_line(Pp *pp, const char *name);

// ---- predefined.c

void predefined_text(Pp *pp, Out *out);

// ---- pp_print.c

// Notes text that the output of -E is to show before the next token; without -E nothing is noted.
// `place` is where a marker leads; 0 is the command line.
void printed_comment(Pp *pp, const Token *comment);
void printed_line(Pp *pp, const Token *hash, const char *line, size_t length);
void printed_marker(Pp *pp, Pos place, Marker marker);

// ---- pp_report.c

void pp_error(Pp *pp, const Token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pp_warn(Pp *pp, const char *option, const Token *token, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// #warning, which counts in system headers, too.
void pp_author_warns(Pp *pp, const Token *name, const char *text);
void pp_note(Pp *pp, Pos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
