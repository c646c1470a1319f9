// Classes of characters in the text forms.
#include "text/lex.h"

#define D CHAR_DIGIT
#define L CHAR_LETTER
#define M CHAR_MARK
#define B CHAR_BLANK

const uint8_t char_kinds[256] = {
    ['0'] = D,           ['1'] = D,        ['2'] = D, ['3'] = D,  ['4'] = D,  ['5'] = D,  ['6'] = D,
    ['7'] = D,           ['8'] = D,        ['9'] = D, ['A'] = L,  ['B'] = L,  ['C'] = L,  ['D'] = L,
    ['E'] = L,           ['F'] = L,        ['G'] = L, ['H'] = L,  ['I'] = L,  ['J'] = L,  ['K'] = L,
    ['L'] = L,           ['M'] = L,        ['N'] = L, ['O'] = L,  ['P'] = L,  ['Q'] = L,  ['R'] = L,
    ['S'] = L,           ['T'] = L,        ['U'] = L, ['V'] = L,  ['W'] = L,  ['X'] = L,  ['Y'] = L,
    ['Z'] = L,           ['a'] = L,        ['b'] = L, ['c'] = L,  ['d'] = L,  ['e'] = L,  ['f'] = L,
    ['g'] = L,           ['h'] = L,        ['i'] = L, ['j'] = L,  ['k'] = L,  ['l'] = L,  ['m'] = L,
    ['n'] = L,           ['o'] = L,        ['p'] = L, ['q'] = L,  ['r'] = L,  ['s'] = L,  ['t'] = L,
    ['u'] = L,           ['v'] = L,        ['w'] = L, ['x'] = L,  ['y'] = L,  ['z'] = L,  ['_'] = L,
    ['$'] = CHAR_DOLLAR, ['.'] = CHAR_DOT, [' '] = B, ['\t'] = B, ['\r'] = B, ['\n'] = M, [','] = M,
    [':'] = M,           ['='] = M,        ['['] = M, [']'] = M,  ['{'] = M,  ['}'] = M,  ['('] = M,
    [')'] = M,           ['+'] = M,        ['*'] = M, ['!'] = M,  ['&'] = M,  ['|'] = M,
};

#undef D
#undef L
#undef M
#undef B
