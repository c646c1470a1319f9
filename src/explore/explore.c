#include "explore/explore.h"

#include "base/sha256.h"
#include "base/version.h"
#include "explore/page.h"
#include "history/history_assembly.h"
#include "message/json.h"

#include <string.h>

static void write_text(Out *out, const char *name, const char *text) {
    json_key(out, name);
    json_string(out, text, strlen(text));
}

static void write_flag(Out *out, const char *name, bool value) {
    json_key(out, name);
    out_text(out, value ? "true" : "false");
}

static void write_files(Out *out, const Exploration *exploration) {
    json_key(out, "files");
    out_char(out, '[');
    for (uint32_t i = 0; i < exploration->file_count; i++) {
        const ExploreFile *file = &exploration->files[i];
        json_comma(out);
        out_char(out, '{');
        write_text(out, "name", file->name);
        if (file->text) {
            json_key(out, "text");
            json_string(out, file->text, file->length);
        }
        out_char(out, '}');
    }
    out_char(out, ']');
}

// Who judges the output of each pass; NULL: only the excursion that it is part of is judged.
static const char *const checkers[PASS_COUNT] = {
#define PASS(name, from, to, kernel, ...) [PASS_##name] = BY_##kernel(name),
#define BY_VALUES(name)                   "values"
#define BY_COPIES(name)                   "copies"
#define BY_OWN(name)                      #name
#define BY_GATES(name)                    #name
#define BY_NONE(name)                     NULL
#include "check/passes.def"
};

static void write_passes(Out *out) {
    json_key(out, "passes");
    out_char(out, '[');
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        const PassInfo *info = &pass_table[pass];
        json_comma(out);
        out_char(out, '{');
        write_text(out, "name", info->name);
        write_text(out, "meaning", info->meaning);
        write_text(out, "from", form_name(info->from));
        write_text(out, "to", form_name(info->to));
        if (checkers[pass]) write_text(out, "checker", checkers[pass]);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void write_remark_kinds(Out *out) {
    json_key(out, "kinds");
    out_char(out, '[');
    for (RemarkKind kind = 0; kind < REMARK_KIND_COUNT; kind++) {
        const char *name = remark_kind_name(kind);
        json_comma(out);
        json_string(out, name, strlen(name));
    }
    out_char(out, ']');
}

static void write_forms(Out *out) {
    json_key(out, "forms");
    out_char(out, '[');
    for (Form form = 0; form < FORM_COUNT; form++) {
        json_comma(out);
        out_char(out, '{');
        write_text(out, "name", form_name(form));
        write_text(out, "meaning", form_table[form].meaning);
        out_char(out, '}');
    }
    out_char(out, ']');
}

// ---- Pipelines

// The steps that were due for some function; yields the number of each.
static uint32_t *write_steps(Out *out, Arena *arena, const Pipeline *pipeline) {
    uint32_t *step_of = ARENA_ARRAY(arena, uint32_t, step_count), count = 0;
    json_key(out, "steps");
    out_char(out, '[');
    for (uint32_t i = 0; i < step_count; i++) {
        step_of[i] = count;
        if (!pipeline->stats[i].functions && !pipeline->stats[i].left_out) continue;
        Step step = step_at(i);
        count++;
        json_comma(out);
        out_char(out, '{');
        write_text(out, "name", step_name(arena, i));
        json_key(out, "pass");
        out_u64(out, step.pass);
        write_text(out, "reason", step.reason);
        json_key(out, "level");
        out_u64(out, step.level);
        out_char(out, '}');
    }
    out_char(out, ']');
    return step_of;
}

// Files are known by name in the page: each program has its own numbers.
static uint32_t *number_files(Arena *arena, const Exploration *exploration,
                              const Program *program) {
    uint32_t *file_of = ARENA_ARRAY(arena, uint32_t, program->files.count + 1);
    for (uint32_t i = 0; i < program->files.count; i++) {
        const char *name = program_text(program, program->files.at[i]);
        while (file_of[i] + 1 < exploration->file_count &&
               strcmp(exploration->files[file_of[i]].name, name) != 0)
            file_of[i]++;
    }
    return file_of;
}

static bool is_wanted(const ExplorePipeline *pipeline, Sym symbol) {
    const char *name = program_text(pipeline->program, program_at(pipeline->program, symbol)->name);
    for (uint32_t i = 0; i < pipeline->only_count; i++)
        if (strcmp(pipeline->only[i], name) == 0) return true;
    return pipeline->only_count == 0;
}

// What was said, line by line.
static void write_messages(Out *out, const ExplorePipeline *pipeline) {
    json_key(out, "messages");
    out_char(out, '[');
    for (uint32_t i = 0; i < 2; i++) {
        const Out *said = pipeline->diags[i] ? &pipeline->diags[i]->out : NULL;
        for (size_t at = 0; said && at < said->length;) {
            const char *end = memchr(said->text + at, '\n', said->length - at);
            size_t length = end ? (size_t)(end - said->text) - at : said->length - at;
            json_comma(out);
            json_string(out, said->text + at, length);
            at += length + 1;
        }
    }
    out_char(out, ']');
}

static void write_pipeline(Out *out, const Exploration *exploration,
                           const ExplorePipeline *pipeline) {
    Arena *arena = arena_new("explore");
    json_comma(out);
    out_char(out, '{');
    write_text(out, "label", pipeline->label);
    json_key(out, "options");
    out_char(out, '[');
    for (uint32_t i = 0; i < pipeline->option_count; i++) {
        json_comma(out);
        json_string(out, pipeline->options[i], strlen(pipeline->options[i]));
    }
    out_char(out, ']');
    Diag diag;
    diag_init(&diag, arena, NULL);
    AssemblyOptions assembly = {.diag = &diag};
    ExploreContext context = {.exploration = exploration,
                              .pipeline = pipeline,
                              .assembly = assembly_writer_new(pipeline->program, &assembly),
                              .file_of = number_files(arena, exploration, pipeline->program),
                              .step_of = write_steps(out, arena, pipeline->pipeline)};
    json_key(out, "functions");
    out_char(out, '[');
    for (uint32_t i = 0; i < history_count(pipeline->history); i++) {
        const FunctionHistory *function = history_at(pipeline->history, i);
        if (is_wanted(pipeline, function->symbol)) explore_write_function(out, &context, function);
    }
    out_char(out, ']');
    write_messages(out, pipeline);
    out_char(out, '}');
    assembly_writer_free(context.assembly);
    diag_free(&diag);
    arena_free(arena);
}

void explore_write_data(Out *out, const Exploration *exploration) {
    out_text(out, "{\"format\":1");
    write_text(out, "program", "gatecc " GATECC_VERSION);
    write_text(out, "file", exploration->file);
    write_text(out, "command", exploration->command);
    write_flag(out, "times", exploration->times);
    if (exploration->live) write_flag(out, "live", true);
    write_files(out, exploration);
    write_passes(out);
    write_forms(out);
    write_remark_kinds(out);
    json_key(out, "pipelines");
    out_char(out, '[');
    for (uint32_t i = 0; i < exploration->pipeline_count; i++)
        write_pipeline(out, exploration, &exploration->pipelines[i]);
    out_char(out, ']');
    if (exploration->run) {
        json_key(out, "run");
        out_bytes(out, exploration->run->text, exploration->run->length);
    }
    out_text(out, "}\n");
}

// ---- The page

static void write_base64(Out *out, const uint8_t *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t left = (uint32_t)(length - i), word = (uint32_t)bytes[i] << 16;
        if (left > 1) word |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2) word |= bytes[i + 2];
        out_char(out, digits[word >> 18]);
        out_char(out, digits[word >> 12 & 63]);
        out_char(out, left > 1 ? digits[word >> 6 & 63] : '=');
        out_char(out, left > 2 ? digits[word & 63] : '=');
    }
}

static void write_digest(Out *out, const char *what, const char *text) {
    Digest digest = sha256_of(text, strlen(text));
    out_printf(out, "; %s 'sha256-", what);
    write_base64(out, digest.at, sizeof digest.at);
    out_char(out, '\'');
}

void explore_write_policy(Out *out, bool served) {
    out_text(out, "default-src 'none'");
    write_digest(out, "script-src", page_script);
    write_digest(out, "style-src", page_style);
    out_text(out, served ? "; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                           "frame-ancestors 'none'"
                         : "; base-uri 'none'; form-action 'none'");
}

void explore_write_page(Out *out, const Out *data, bool served) {
    for (uint32_t i = 0; i < page_part_count; i++) {
        const PagePart *part = &page_parts[i];
        out_text(out, part->before);
        switch (part->what) {
        case PAGE_POLICY:
            if (served) break;
            out_text(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
            explore_write_policy(out, false);
            out_text(out, "\">\n");
            break;
        case PAGE_STYLE:
            out_text(out, "<style>");
            out_text(out, page_style);
            out_text(out, "</style>\n");
            break;
        case PAGE_DATA:
            out_text(out, "<script type=\"application/json\" id=\"gate-data\">");
            out_bytes(out, data->text, data->length);
            out_text(out, "</script>\n");
            break;
        case PAGE_SCRIPT:
            out_text(out, "<script type=\"module\">");
            out_text(out, page_script);
            out_text(out, "</script>\n");
            break;
        case PAGE_END: break;
        }
    }
}
