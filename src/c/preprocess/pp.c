// The preprocessor as its users see it: opening files, handing out tokens, saying where things are.
//
// Tokens come from a stack of contexts (macro expansions, each a list of tokens) and, when that is
// empty, from a stack of buffers (open files).
#include "base/deep_stack.h"
#include "c/preprocess/pp_private.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

// ---- Files

void pp_push_file(Pp *pp, CFile *file, Pos included_at, uint32_t directory, bool system) {
    if (pp->next_pos > FIRST_EXPANDED - 2 || file->length > FIRST_EXPANDED - 2 - pp->next_pos)
        fatal("more than 2 GiB of source text in one translation unit");
    Buffer *buffer = pp->unused_buffers;
    if (buffer)
        pp->unused_buffers = buffer->below;
    else
        buffer = ARENA_NEW(pp->arena, Buffer);
    *buffer = (Buffer){.below = pp->buffer,
                       .file = file,
                       .text = file->text,
                       .at = file->text,
                       .end = file->text + file->length,
                       .start = pp->next_pos,
                       .inclusion = pp->inclusions.count,
                       .conditionals = pp->conditionals.count,
                       .directory = directory,
                       .depth = pp->buffer ? pp->buffer->depth + 1 : 0,
                       .flags = (uint8_t)(TOKF_LINE | (system ? TOKF_SYSTEM : 0))};
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (strncmp(buffer->at, byte_order_mark, 3) == 0) buffer->at += 3;
    vec_push(pp->arena, &pp->inclusions,
             (Inclusion){.file = file,
                         .start = buffer->start,
                         .included_at = included_at,
                         .diag_source = file->diag_source,
                         .system = system});
    pp->next_pos += file->length + 1;
    pp->buffer = buffer;
    pp_warnings_sync(pp);
}

CFile *pp_memory_file(Pp *pp, const char *path, const char *text, size_t length) {
    CFile *file = ARENA_NEW(pp->arena, CFile);
    *file = (CFile){.path = path,
                    .text = text,
                    .length = size_to_u32(length, "bytes in one source file"),
                    .origin = file,
                    .diag_source = diag_source(pp->diag, path, text, length)};
    return file;
}

static Pos present_pos(const Pp *pp) {
    return pp->buffer->start + (Pos)(pp->buffer->at - pp->buffer->text);
}

// Goes on with the next file of -include, or with the main file if there is none.
static void next_command_line_file(Pp *pp) {
    while (pp->next_include < pp->options.includes.count && !pp->stopped)
        if (include_command_line(pp, pp->options.includes.at[pp->next_include++])) return;
    printed_marker(pp, pp->buffer->start, MARKER_PLAIN);
}

// Leaves a file that has been read to its end. False if no token may come from below it.
static bool pop_buffer(Pp *pp) {
    Buffer *buffer = pp->buffer;
    directive_end_of_file(pp, buffer);
    if (buffer->guard && !buffer->seen) buffer->file->guard = buffer->guard->name;
    bool going_on = buffer->below && !buffer->return_at_end;
    if (!buffer->below) {
        buffer->flags |= TOKF_LINE;
        return false;
    }
    pp->buffer = buffer->below;
    buffer->below = pp->unused_buffers;
    pp->unused_buffers = buffer;
    pp_warnings_sync(pp);
    bool command_line = !pp->inclusions.at[buffer->inclusion].included_at;
    if (buffer->announced) printed_marker(pp, command_line ? 0 : present_pos(pp), MARKER_RETURN);
    if (command_line && going_on) next_command_line_file(pp);
    return going_on;
}

// The next token of the innermost file, once directives have been carried out.
static void file_token(Pp *pp, Token *token) {
    while (!pp->stopped) {
        if (pp->skipping && !pp->in_directive) {
            if (lex_skip_lines(pp)) {
                if (pp_directive(pp, token)) return;
                continue;
            }
        }
        lex_token(pp, token);
        if (token->kind == TOK_HASH && token->flags & TOKF_LINE && !pp->in_directive) {
            if (pp_directive(pp, token)) return;
            continue;
        }
        if (token->kind == TOK_EOF) {
            if (pp->parsing_arguments) return;
            if (!pop_buffer(pp)) return;
            continue;
        }
        pp->buffer->seen = true;
        if (pp->parsing_arguments == 2 && token->flags & TOKF_LINE)
            token->flags = (uint8_t)((token->flags & ~TOKF_LINE) | TOKF_SPACE);
        return;
    }
    *token = (Token){.kind = TOK_EOF, .pos = pp->buffer->start};
}

// Reads a file for its directives only.
static void run_directives(Pp *pp) {
    pp->buffer->return_at_end = true;
    Token token;
    do pp_get(pp, &token);
    while (token.kind != TOK_EOF && !pp->stopped);
}

// ---- Tokens

void pp_push_tokens(Pp *pp, const Token *tokens, uint32_t count, Macro *macro, uint32_t expansion) {
    Context context = {.macro = macro, .expansion = expansion};
    if (count) {
        context.at = tokens;
        context.end = tokens + count;
    }
    vec_push(pp->arena, &pp->contexts, context);
}

void pp_pop_context(Pp *pp) {
    Macro *macro = vec_pop(&pp->contexts).macro;
    if (macro) macro->disabled = false;
}

// Poisoned names are reported where they are written, not where an older macro brings them.
static void report_poisoned(Pp *pp, const Token *token) {
    if (!token->expansion) pp_error(pp, token, "use of poisoned name '%s'", token->ident->text);
}

void pp_get(Pp *pp, Token *token) {
    if (pp->stopped) {
        *token = (Token){.kind = TOK_EOF, .pos = pp->buffer->start};
        return;
    }
    if (!pp->contexts.count) {
        file_token(pp, token);
    } else {
        Context *context = &pp->contexts.at[pp->contexts.count - 1];
        if (context->at < context->end) {
            *token = *context->at++;
            if (context->expansion) token->expansion = context->expansion;
        } else if (context->barrier) {
            *token = (Token){.kind = TOK_EOF};
            return;
        } else {
            pp_pop_context(pp);
            *token = padding(NULL);
            return;
        }
    }
    if (token->kind != TOK_IDENT) return;
    Macro *macro = token->ident->macro;
    if (!macro || token->flags & TOKF_NO_EXPAND) return;
    if (macro->disabled) {
        token->flags |= TOKF_NO_EXPAND;
        return;
    }
    if (macro->kind == MACRO_POISONED) {
        report_poisoned(pp, token);
        return;
    }
    if (pp->prevent_expansion) return;
    macro_expand(pp, macro, token);
}

void pp_get_solid(Pp *pp, Token *token) {
    do pp_get(pp, token);
    while (token->kind == TOK_PLACEMARKER);
}

void pp_next(Pp *pp, Token *token) {
    if (pp->produced && !pp->contexts.count) {
        pp->produced = 0;
        arena_reset(pp->scratch);
    }
    pp_get(pp, token);
    if (token->kind == TOK_PLACEMARKER) {
        Spacing spacing = SPACING_OWN;
        uint8_t line = 0;
        do {
            spacing_pad(&spacing, token);
            line |= token->flags & TOKF_LINE;
            pp_get(pp, token);
        } while (token->kind == TOK_PLACEMARKER);
        bool white = spacing_white(&spacing, token);
        token->flags = (uint8_t)((token->flags & ~TOKF_SPACE) | (white ? TOKF_SPACE : 0) | line);
    }
    if (token->expansion || pp->warnings_moved) pp_place_token(pp, token);
}

// ---- Start and end

static void read_standard(Pp *pp) {
    const char *standard = pp->options.standard ? pp->options.standard : "gnu17";
    pp->options.standard = standard;
    pp->gnu = strncmp(standard, "gnu", 3) == 0;
    pp->trigraphs = !pp->gnu || pp->options.trigraphs;
    bool c94 = strcmp(standard, "iso9899:199409") == 0;
    bool c90 = strcmp(standard, "c89") == 0 || strcmp(standard, "c90") == 0 ||
               strcmp(standard, "iso9899:1990") == 0;
    bool gnu90 = strcmp(standard, "gnu89") == 0 || strcmp(standard, "gnu90") == 0;
    pp->digraphs = !c90;
    pp->c99 = !c90 && !c94;
    pp->raw_strings = pp->gnu && !gnu90;
    pp->digit_separators = strcmp(standard, "c2x") == 0 || strcmp(standard, "gnu2x") == 0;
}

bool pp_has_c99(const Pp *pp) {
    return pp->c99;
}

static Charset *open_charset(Pp *pp, const char *to, const char *from) {
    Charset *charset = charset_open(pp->arena, to, from);
    if (charset) return charset;
    diag_error(pp->diag, SPAN_NONE, "conversion from '%s' to '%s' is not supported by iconv", from,
               to);
    pp->stopped = true;
    return NULL;
}

static void open_charsets(Pp *pp) {
    const PpOptions *options = &pp->options;
    if (options->input_charset && !charset_is_utf8(options->input_charset))
        pp->input = open_charset(pp, "UTF-8", options->input_charset);
    if (options->exec_charset && !charset_is_utf8(options->exec_charset))
        pp->exec = open_charset(pp, options->exec_charset, "UTF-8");
    const char *usual = options->short_wchar ? "UTF-16LE" : "UTF-32LE",
               *wide = options->wide_charset;
    if (wide && strcasecmp(wide, usual) != 0) pp->wide_exec = open_charset(pp, wide, "UTF-8");
}

Charset *pp_exec_charset(const Pp *pp, bool wide) {
    return wide ? pp->wide_exec : pp->exec;
}

const TargetLanguage *pp_language(const Pp *pp) {
    return pp->options.target->language;
}

Pp *pp_new(const PpOptions *options) {
    Pp *pp = ARENA_NEW(options->arena, Pp);
    *pp = (Pp){.options = *options,
               .arena = options->arena,
               .scratch = arena_new("macro expansion"),
               .strings = options->strings,
               .diag = options->diag,
               .next_pos = 1,
               .next_expanded = FIRST_EXPANDED};
    if (!pp->options.include_depth) pp->options.include_depth = 200;
    if (!pp->options.expansion_limit) pp->options.expansion_limit = 16000000;
    vec_push(pp->arena, &pp->expansions, (Expansion){0});
    message_defaults(&pp->message_options);
    if (!pp->diag->sink) pp->messages = messages_open(pp->diag, &pp->message_options, "");
    read_standard(pp);
    open_charsets(pp);
    pp_warnings_init(pp);
    lex_init(pp);
    directive_init(pp);
    builtin_init(pp);
    include_init(pp);
    return pp;
}

void pp_free(Pp *pp) {
    if (!pp) return;
    if (pp->messages) messages_close(pp->messages);
    charset_close(pp->input);
    charset_close(pp->exec);
    charset_close(pp->wide_exec);
    arena_free(pp->scratch);
}

static void read_text(Pp *pp, const char *name, Out *text) {
    const char *copy = arena_text(pp->arena, text->text, text->length);
    pp_push_file(pp, pp_memory_file(pp, name, copy, text->length), 0, UINT32_MAX, false);
    out_free(text);
    run_directives(pp);
}

// -D NAME=VALUE and -U NAME as directives.
static void command_line_text(Pp *pp, Out *out) {
    for (uint32_t i = 0; i < pp->options.macros.count; i++) {
        const struct CommandMacro *macro = &pp->options.macros.at[i];
        if (macro->undefine) {
            out_printf(out, "#undef %s\n", macro->text);
            continue;
        }
        const char *equals = strchr(macro->text, '=');
        const char *newline = strchr(macro->text, '\n');
        size_t length = newline ? (size_t)(newline - macro->text) : strlen(macro->text);
        size_t name =
            equals && equals < macro->text + length ? (size_t)(equals - macro->text) : length;
        out_text(out, "#define ");
        out_bytes(out, macro->text, name);
        out_char(out, ' ');
        if (name < length)
            out_bytes(out, macro->text + name + 1, length - name - 1);
        else
            out_char(out, '1');
        out_char(out, '\n');
    }
}

bool pp_open(Pp *pp, const char *path) {
    const PpOptions *options = &pp->options;
    CFile *file = options->main_text
                      ? pp_memory_file(pp, path, options->main_text, options->main_length)
                      : include_open(pp, path, false);
    if (!file) {
        diag_error(pp->diag, SPAN_NONE, "cannot read '%s': %s", path, strerror(errno));
        pp->stopped = true;
        file = pp_memory_file(pp, path, "", 0);
    }
    pp->main_file = file;
    pp->stack_floor = stack_floor(15);
    pp_push_file(pp, file, 0, UINT32_MAX, false);
    if (pp->stopped) return false;
    Out text = {0};
    if (!pp->options.preprocessed) predefined_text(pp, &text);
    if (text.length) read_text(pp, "<built-in>", &text);
    command_line_text(pp, &text);
    if (text.length) read_text(pp, "<command-line>", &text);
    for (uint32_t i = 0; i < pp->options.imacros.count; i++)
        if (include_command_line(pp, pp->options.imacros.at[i])) run_directives(pp);
    bool hosted = !pp->options.preprocessed && !pp->options.freestanding;
    if (hosted && include_library_macros(pp)) run_directives(pp);
    next_command_line_file(pp);
    return !pp->stopped;
}

bool pp_cut_short(const Pp *pp) {
    return pp->cut_short;
}

bool pp_stopped(const Pp *pp) {
    return pp->stopped;
}

StrTable *pp_strings(Pp *pp) {
    return pp->strings;
}

const Dependency *pp_dependencies(Pp *pp, uint32_t *count) {
    *count = pp->dependencies.count;
    return pp->dependencies.at;
}
