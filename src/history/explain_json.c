#include "history/explain_json.h"

#include "message/json.h"

#include <string.h>

static void put(Out *out, const char *name, const char *text) {
    json_key(out, name);
    json_string(out, text, strlen(text));
}

static void put_number(Out *out, const char *name, uint32_t number) {
    json_key(out, name);
    out_u64(out, number);
}

static void put_event(const ExplainRequest *request, Out *out, const ExplainEvent *event,
                      uint32_t column) {
    json_comma(out);
    out_char(out, '{');
    if (column) put_number(out, "column", column);
    put(out, "step", step_name(request->arena, event->step));
    put(out, "pass", pass_table[step_at(event->step).pass].name);
    put(out, "kind", remark_kind_name((RemarkKind)event->kind));
    put(out, "reason", event->text);
    if (event->other) {
        json_key(out, "other");
        out_char(out, '{');
        put(out, "text", event->other);
        if (event->other_loc) {
            put_number(out, "line", request->program->locs.at[event->other_loc].line);
            put_number(out, "column", request->program->locs.at[event->other_loc].column);
        }
        out_char(out, '}');
    }
    if (event->times > 1) put_number(out, "times", event->times);
    out_char(out, '}');
}

static void put_code(Out *out, const ExplainedFunction *function, uint32_t item) {
    json_comma(out);
    out_char(out, '{');
    put(out, "machine", function->explanation->end_texts[item]);
    json_key(out, "assembly");
    out_char(out, '[');
    for (uint32_t l = explain_first_line(function, item); l != NO_ID; l = function->next_line[l]) {
        const char *text = function->assembly.lines.at[l].text;
        json_comma(out);
        json_string(out, text + strspn(text, "\t"), strlen(text + strspn(text, "\t")));
    }
    out_text(out, "]}");
}

static void put_operation(const ExplainRequest *request, Out *out,
                          const ExplainedFunction *function, const ExplainedOperation *operation) {
    const Program *program = request->program;
    json_comma(out);
    out_char(out, '{');
    put_number(out, "column", program->locs.at[operation->loc].column);
    put(out, "text", operation->text);
    put(out, "fate", fate_name((Fate)operation->fate));
    if (operation->copied_in && operation->from.i != NO_ID)
        put(out, "inlined", program_text(program, program_at(program, operation->from)->name));
    if (operation->call) put_number(out, "called", program->locs.at[operation->call].line);
    json_key(out, "events");
    out_char(out, '[');
    for (uint32_t i = 0; i < operation->events.count; i++)
        if (request->verbose || !event_is_quiet(&operation->events.at[i]))
            put_event(request, out, &operation->events.at[i], 0);
    out_char(out, ']');
    json_key(out, "instructions");
    out_char(out, '[');
    for (uint32_t i = 0; i < operation->code.count; i++)
        put_code(out, function, operation->code.at[i]);
    out_text(out, "]}");
}

static void put_besides(const ExplainRequest *request, Out *out, const ExplainPart *part) {
    const Explanation *it = part->function->explanation;
    const Loc *locs = request->program->locs.at;
    json_key(out, "besides");
    out_char(out, '[');
    for (uint32_t i = 0; i < it->loose.count; i++)
        if (explain_shows(request, &it->loose.at[i]) &&
            locs[it->loose.at[i].loc].line == part->line)
            put_event(request, out, &it->loose.at[i].event, locs[it->loose.at[i].loc].column);
    out_char(out, ']');
}

void explain_json(const ExplainRequest *request, const ExplainParts *parts, Out *out) {
    out_char(out, '{');
    put(out, "file", request->place.file);
    json_key(out, "lines");
    out_char(out, '[');
    for (uint32_t i = 0; i < parts->count; i++) {
        const ExplainPart *part = &parts->at[i];
        json_comma(out);
        out_char(out, '{');
        put_number(out, "line", part->line);
        put(out, "function", func_name(part->function->explanation->history->start));
        json_key(out, "operations");
        out_char(out, '[');
        for (uint32_t k = 0; k < part->count; k++)
            put_operation(request, out, part->function, &part->operations[k]);
        out_char(out, ']');
        put_besides(request, out, part);
        out_char(out, '}');
    }
    out_text(out, "]}\n");
}
