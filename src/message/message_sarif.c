// Messages as SARIF 2.1.0 (Static Analysis Results Interchange Format), in the form that gcc 13
// gives them: one run with the tool, the files, and a result for each message, whose notes are
// related locations.
#include "message/message_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef VEC(const char *) Texts;

static bool add_text(Arena *arena, Texts *texts, const char *text) {
    for (uint32_t i = 0; i < texts->count; i++)
        if (strcmp(texts->at[i], text) == 0) return false;
    vec_push(arena, texts, text);
    return true;
}

static void put_text(Out *out, const char *text) {
    message_json_text(out, text, strlen(text));
}

// A path as a URI: what may not stand there is written %XX.
static void put_uri(Out *out, const char *path) {
    static const char plain[] = "-._~/!$&'()*+,;=@";
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || strchr(plain, c))
            out_char(out, (char)c);
        else
            out_printf(out, "%%%02X", c);
    }
}

static void put_artifact(Out *out, const char *file) {
    out_text(out, "\"artifactLocation\": {\"uri\": \"");
    put_uri(out, file);
    out_text(out, *file == '/' ? "\"}" : "\", \"uriBaseId\": \"PWD\"}");
}

// Columns of SARIF are counted from 1, the end is behind the last one. They count Unicode
// characters.
static uint32_t characters(const Source *source, uint32_t start, uint32_t end) {
    uint32_t count = 0;
    while (start < end) {
        uint32_t code;
        start += message_decode(source->text + start, source->length - start, &code);
        count++;
    }
    return count;
}

static void put_region(Messages *messages, Out *out, const char *name, Span span) {
    Diag *diag = messages->diag;
    const Source *source = message_source(messages, span);
    if (span.start > source->length) span.start = source->length;
    if (span.end > source->length) span.end = source->length;
    if (span.end < span.start) span.end = span.start;
    LinePlace start = diag_place(diag, span.source, span.start);
    LinePlace end = diag_place(diag, span.source, span.end);
    out_printf(out, "\"%s\": {\"startLine\": %u, \"startColumn\": %u", name, start.line,
               characters(source, span.start - (start.column - 1), span.start) + 1);
    if (end.line != start.line) out_printf(out, ", \"endLine\": %u", end.line);
    out_printf(out, ", \"endColumn\": %u}",
               characters(source, span.end - (end.column - 1), span.end) + 1);
}

// The line, if it is one that a person would read.
static void put_context(Messages *messages, Out *out, Span span) {
    enum { LONGEST = 4096 };
    const Source *source = message_source(messages, span);
    if (span.start > source->length) return;
    LinePlace place = diag_place(messages->diag, span.source, span.start);
    uint32_t start = span.start - (place.column - 1), end = start;
    while (end < source->length && end - start < LONGEST && source->text[end] != '\n') end++;
    if (end - start == LONGEST) return;
    if (end < source->length) end++;
    out_printf(out,
               ", \"contextRegion\": {\"startLine\": %u, \"snippet\": {\"text\": ", place.line);
    message_json_text(out, source->text + start, end - start);
    out_text(out, "}}");
}

static void put_location(Messages *messages, Out *out, const DiagMessage *message,
                         bool with_message) {
    out_char(out, '{');
    if (message->span.source != DIAG_NO_SOURCE) {
        out_text(out, "\"physicalLocation\": {");
        put_artifact(out, message_source(messages, message->span)->name);
        out_text(out, ", ");
        put_region(messages, out, "region", message->span);
        put_context(messages, out, message->span);
        out_char(out, '}');
    }
    const char *comma = message->span.source != DIAG_NO_SOURCE ? ", " : "";
    if (message->function) {
        out_printf(out, "%s\"logicalLocations\": [{\"name\": ", comma);
        put_text(out, message->function);
        out_text(out, ", \"fullyQualifiedName\": ");
        put_text(out, message->function);
        out_text(out, ", \"kind\": \"function\"}]");
        comma = ", ";
    }
    if (with_message) {
        out_printf(out, "%s\"message\": {\"text\": ", comma);
        put_text(out, message->text);
        out_char(out, '}');
    }
    out_char(out, '}');
}

// A change of each file that the message would have changed.
static void put_fixes(Messages *messages, Out *out, const DiagMessage *message) {
    if (!message->fixit_count) return;
    out_text(out, ", \"fixes\": [{\"artifactChanges\": [");
    Texts files = {0};
    for (uint32_t i = 0; i < message->fixit_count; i++) {
        const char *file = message_source(messages, message->fixits[i].span)->name;
        if (!add_text(messages->arena, &files, file)) continue;
        out_text(out, files.count > 1 ? ", {" : "{");
        put_artifact(out, file);
        out_text(out, ", \"replacements\": [");
        bool first = true;
        for (uint32_t k = i; k < message->fixit_count; k++) {
            const Fixit *fixit = &message->fixits[k];
            if (strcmp(message_source(messages, fixit->span)->name, file) != 0) continue;
            out_text(out, first ? "{" : ", {");
            first = false;
            put_region(messages, out, "deletedRegion", fixit->span);
            out_text(out, ", \"insertedContent\": {\"text\": ");
            put_text(out, fixit->text);
            out_text(out, "}}");
        }
        out_text(out, "]}");
    }
    out_text(out, "]}]");
}

static const char *rule_of(Messages *messages, const DiagMessage *message) {
    static const char *const levels[] = {"note", "warning", "error"};
    if (message->label) return message->label;
    return message->option ? arena_printf(messages->arena, "-W%s", message->option)
                           : levels[message->severity];
}

static void put_result(Messages *messages, Out *out, const Message *message) {
    static const char *const levels[] = {"note", "warning", "error"};
    const DiagMessage *told = &message->told;
    out_text(out, "{\"ruleId\": ");
    put_text(out, rule_of(messages, told));
    out_printf(out, ", \"level\": \"%s\", \"message\": {\"text\": ", levels[told->severity]);
    put_text(out, told->text);
    out_text(out, "}, \"locations\": [");
    if (told->span.source != DIAG_NO_SOURCE) put_location(messages, out, told, false);
    out_char(out, ']');
    if (message->notes) {
        out_text(out, ", \"relatedLocations\": [");
        for (const Message *note = message->notes; note; note = note->next) {
            put_location(messages, out, &note->told, true);
            if (note->next) out_text(out, ", ");
        }
        out_char(out, ']');
    }
    put_fixes(messages, out, told);
    out_char(out, '}');
}

static void put_tool(Messages *messages, Out *out) {
    out_text(out, "\"tool\": {\"driver\": {\"name\": \"gatecc\", \"rules\": [");
    Texts rules = {0};
    for (uint32_t i = 0; i < messages->held.count; i++) {
        const DiagMessage *told = &messages->held.at[i]->told;
        const char *rule = rule_of(messages, told);
        if (!told->option || !add_text(messages->arena, &rules, rule)) continue;
        out_printf(out, "%s{\"id\": \"%s\"}", rules.count > 1 ? ", " : "", rule);
    }
    out_text(out, "]}}");
}

static void note_file(Messages *messages, Texts *files, const DiagMessage *told) {
    if (told->span.source != DIAG_NO_SOURCE)
        add_text(messages->arena, files, message_source(messages, told->span)->name);
}

static void put_artifacts(Messages *messages, Out *out) {
    Texts files = {0};
    add_text(messages->arena, &files, messages->main_file);
    for (uint32_t i = 0; i < messages->held.count; i++) {
        const Message *message = messages->held.at[i];
        note_file(messages, &files, &message->told);
        for (const Message *note = message->notes; note; note = note->next)
            note_file(messages, &files, &note->told);
    }
    out_text(out, ", \"artifacts\": [");
    for (uint32_t i = 0; i < files.count; i++) {
        out_printf(out, "%s{\"location\": {\"uri\": \"", i ? ", " : "");
        put_uri(out, files.at[i]);
        out_text(out, *files.at[i] == '/' ? "\"}" : "\", \"uriBaseId\": \"PWD\"}");
        out_text(out, ", \"sourceLanguage\": \"c\"}");
    }
    out_char(out, ']');
}

void message_sarif(Messages *messages, Out *out) {
    out_text(out, "{\"$schema\": \"https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/"
                  "Schemata/sarif-schema-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{");
    put_tool(messages, out);
    out_printf(out,
               ", \"invocations\": [{\"executionSuccessful\": %s, "
               "\"toolExecutionNotifications\": []}]",
               messages->diag->errors ? "false" : "true");
    char *folder = getcwd(NULL, 0);
    out_text(out, ", \"originalUriBaseIds\": {\"PWD\": {\"uri\": \"file://");
    put_uri(out, folder ? folder : "");
    out_text(out, "/\"}}");
    free(folder);
    put_artifacts(messages, out);
    out_text(out, ", \"results\": [");
    for (uint32_t i = 0; i < messages->held.count; i++) {
        if (i) out_text(out, ", ");
        put_result(messages, out, messages->held.at[i]);
    }
    out_text(out, "]}]}\n");
}
