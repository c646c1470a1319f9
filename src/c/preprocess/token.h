// Tokens of C.
#pragma once

#include "c/preprocess/source.h"

typedef struct Ident Ident;

typedef enum {
    TOK_EOF,
    TOK_NEWLINE, // only inside directives
    TOK_IDENT,   // identifiers, and keywords until the parser asks: see Ident.keyword
    TOK_NUMBER,  // preprocessing number
    TOK_CHAR,    // with prefix and quotes in the spelling
    TOK_STRING,
    TOK_HEADER,      // <name>, only after #include and in __has_include
    TOK_OTHER,       // a character that is no token of C, or an unterminated literal (begins with a
                     // quote; already reported)
    TOK_PLACEMARKER, // inside macro expansion: only white space matters (see expand.c)
    TOK_PARAMETER,   // in a macro body: parameter `number`
    TOK_VA_OPT,      // in a macro body: __VA_OPT__(, which ends at the token with index `length`
    TOK_VA_OPT_END,  // in a macro body: its closing parenthesis
    TOK_PRAGMA,      // a #pragma that the parser handles: the text after "#pragma" is the spelling
// clang-format off
#define PUNCTUATORS(P)                                                                             \
    P(LPAREN, "(") P(RPAREN, ")") P(LBRACKET, "[") P(RBRACKET, "]") P(LBRACE, "{") P(RBRACE, "}")  \
    P(DOT, ".") P(ELLIPSIS, "...") P(ARROW, "->") P(INC, "++") P(DEC, "--") P(AMP, "&")            \
    P(STAR, "*") P(PLUS, "+") P(MINUS, "-") P(TILDE, "~") P(NOT, "!") P(SLASH, "/")                \
    P(PERCENT, "%") P(SHL, "<<") P(SHR, ">>") P(LT, "<") P(GT, ">") P(LE, "<=") P(GE, ">=")        \
    P(EQ, "==") P(NE, "!=") P(CARET, "^") P(PIPE, "|") P(ANDAND, "&&") P(OROR, "||")               \
    P(QUESTION, "?") P(COLON, ":") P(SEMI, ";") P(ASSIGN, "=") P(MUL_ASSIGN, "*=")                 \
    P(DIV_ASSIGN, "/=") P(MOD_ASSIGN, "%=") P(ADD_ASSIGN, "+=") P(SUB_ASSIGN, "-=")                \
    P(SHL_ASSIGN, "<<=") P(SHR_ASSIGN, ">>=") P(AND_ASSIGN, "&=") P(XOR_ASSIGN, "^=")              \
    P(OR_ASSIGN, "|=") P(COMMA, ",") P(HASH, "#") P(HASHHASH, "##")
// clang-format on
#define P(id, text) TOK_##id,
    PUNCTUATORS(P) TOK_COUNT
#undef P
} TokenKind;

enum {
    TOKF_SPACE = 1,      // white space before it
    TOKF_LINE = 2,       // first of its line
    TOKF_NO_EXPAND = 4,  // an identifier that was met inside its own macro's expansion
    TOKF_SYSTEM = 8,     // from a system header
    TOKF_PASTED = 16,    // made by ##
    TOKF_STRINGIZE = 32, // in a macro body: the operand of #
    TOKF_PASTE = 64,     // in a macro body: the left operand of ##
    TOKF_FAILED = 128    // the name of a macro whose arguments are wrong, which has been reported
};

typedef struct {
    uint8_t kind;       // TokenKind
    uint8_t flags;      // TOKF_
    uint16_t number;    // TOK_PARAMETER
    Pos pos;            // where it is spelled
    uint32_t expansion; // the expansion from which it came; 0 if it stands in a file
    uint32_t length;    // of the spelling; it tells a digraph from its ordinary form
    union {
        Ident *ident; // TOK_IDENT
        const char
            *spelling; // others, except punctuators; not NUL-terminated. Line splices are removed.
    };
} Token;

typedef VEC(Token) Tokens;

// An identifier: one object per name, so that looking it up is following a pointer. The parser
// keeps the innermost declaration of each name space here.
struct Ident {
    Str name;
    const char *text; // NUL-terminated
    uint32_t length;
    uint16_t keyword;        // Keyword of keywords.def; 0 if it is none
    uint16_t builtin;        // number of a __builtin_ function plus one; 0 if it is no builtin
    uint32_t undeclared_in;  // number of the function in which it was last reported as undeclared
    uint8_t directive;       // its meaning after #; 0 if none
    uint16_t parameter;      // while a macro is being defined: the number of the parameter plus one
    struct Macro *macro;     // definition as a macro, or NULL
    struct Decl *ordinary;   // variable, function, typedef name or enumeration constant in scope
    struct TagDecl *tag;     // struct, union or enum tag in scope
    struct LabelDecl *label; // label of the current function
};
