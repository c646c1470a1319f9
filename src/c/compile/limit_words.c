#include "c/compile/limit_words.h"

#include "c/types/type.h"

#include <ctype.h>
#include <string.h>

// Numbers that are as large, or as small, as the type of an index allows: no number is meant.
enum { NO_LIMIT = INT32_MAX };

static void put_round(Out *out, const LimitMistake *mistake) {
    if (!mistake->in_round) return;
    out_printf(out, " in the %s round of the loop", mistake->round.last ? "last" : "first");
}

// "8", "8 to 15", "8 or more", "-1 or less".
static void put_values(Out *out, const LimitMistake *mistake) {
    long long least = mistake->least, most = mistake->most;
    if (least == most)
        out_printf(out, "%lld", least);
    else if (most >= NO_LIMIT)
        out_printf(out, "%lld", least);
    else if (least <= -(long long)NO_LIMIT)
        out_printf(out, "%lld", most);
    else
        out_printf(out, "%lld to %lld", least, most);
    if ((least != most && most >= NO_LIMIT) || (mistake->in_round && mistake->round.at_least))
        out_text(out, " or more");
    else if (least != most && least <= -(long long)NO_LIMIT)
        out_text(out, " or less");
}

// "int a[8]": the type with the name in its place.
static void put_array(Out *out, const SubscriptPlace *place) {
    Out type = {0};
    type_print(&type, place->array);
    out_char(&type, '\0');
    size_t before = strcspn(type.text, "[");
    bool word = before && (isalnum((unsigned char)type.text[before - 1]) ||
                           strchr("_})", type.text[before - 1]));
    out_printf(out, "%.*s%s%s%s", (int)before, type.text, word && *place->name ? " " : "",
               place->name, type.text + before);
    out_free(&type);
}

void limit_index_words(Out *out, const LimitMistake *mistake, const SubscriptPlace *place) {
    out_text(out, "index ");
    put_values(out, mistake);
    out_printf(out, " is %s of '", mistake->most < 0 ? "before the start" : "past the end");
    put_array(out, place);
    out_char(out, '\'');
    put_round(out, mistake);
}

void limit_bounds_words(Out *out, const LimitMistake *mistake, const char *name,
                        const char *allocator) {
    unsigned long long size = mistake->size, object = mistake->object;
    out_printf(out, "access to %llu byte%s at offset ", size, size == 1 ? "" : "s");
    put_values(out, mistake);
    put_round(out, mistake);
    if (*name)
        out_printf(out, " is outside of '%s', which has %llu byte%s", name, object,
                   object == 1 ? "" : "s");
    else
        out_printf(out, " is outside of the %llu byte%s that '%s' gave", object,
                   object == 1 ? "" : "s", allocator);
}

void limit_operator_words(Out *out, const LimitMistake *mistake, const Instr *instr) {
    if (mistake->kind == LIMIT_DIVISOR)
        out_text(out, "division by zero");
    else
        out_printf(out, "%s shift count %s", op_family(instr->op) == FAM_SHL ? "left" : "right",
                   mistake->most < 0 ? "is negative" : ">= width of type");
    put_round(out, mistake);
}
