// #include: the search for files, reading each once, and not reading again what a guard protects.
//
// Directories are searched in one list: those for "name" only, then those for <name>, then the
// system's. #include_next goes on behind the directory where the present file was found.
#include "c/preprocess/pp_private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- Directories

static void add_directory(Pp *pp, const char *path, DirKind kind, bool system) {
    struct stat info;
    if (!pp->options.read && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) return;
    vec_push(pp->arena, &pp->directories,
             (Directory){
                 .path = path, .length = (uint32_t)strlen(path), .system = system, .kind = kind});
}

static void add_directories(Pp *pp, DirKind kind) {
    for (uint32_t i = 0; i < pp->options.dirs.count; i++) {
        const struct SearchDir *dir = &pp->options.dirs.at[i];
        if (dir->kind == kind) add_directory(pp, dir->path, kind, kind >= DIR_SYSTEM);
    }
}

// The headers that come with the newest gcc: stddef.h, stdarg.h and the like.
static void add_compiler_directory(Pp *pp) {
    const char *base =
        arena_printf(pp->arena, "/usr/lib/gcc/%s", pp->options.target->model->triplet);
    DIR *dir = opendir(base);
    if (!dir) return;
    unsigned long newest = 0;
    const char *name = NULL;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char *end;
        unsigned long version = strtoul(entry->d_name, &end, 10);
        if (end == entry->d_name || version <= newest) continue;
        newest = version;
        name = arena_text(pp->arena, entry->d_name, strlen(entry->d_name));
    }
    closedir(dir);
    if (name)
        add_directory(pp, arena_printf(pp->arena, "%s/%s/include", base, name), DIR_SYSTEM, true);
}

static bool same_directory(const struct stat *a, const char *path) {
    struct stat b;
    return stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

// A directory that is listed twice is searched at its first place, but a system directory stays a
// system directory.
static void remove_duplicates(Pp *pp) {
    uint32_t kept = 0;
    Directory *all = pp->directories.at;
    for (uint32_t i = 0; i < pp->directories.count; i++) {
        struct stat info;
        bool duplicate = false;
        if (all[i].kind != DIR_QUOTE && stat(all[i].path, &info) == 0) {
            for (uint32_t j = 0; j < kept && !duplicate; j++)
                duplicate = all[j].kind != DIR_QUOTE && all[j].system == all[i].system &&
                            same_directory(&info, all[j].path);
            for (uint32_t j = i + 1; j < pp->directories.count && !duplicate; j++)
                duplicate = all[j].system && !all[i].system && same_directory(&info, all[j].path);
        }
        if (!duplicate) all[kept++] = all[i];
    }
    pp->directories.count = kept;
}

static void add_system_directory(Pp *pp, const char *path) {
    const char *root = pp->options.system_root;
    add_directory(pp, root ? arena_printf(pp->arena, "%s%s", root, path) : path, DIR_SYSTEM, true);
}

void include_init(Pp *pp) {
    add_directories(pp, DIR_QUOTE);
    add_directories(pp, DIR_BRACKET);
    add_directories(pp, DIR_SYSTEM);
    if (!pp->options.no_standard_dirs) {
        if (pp->options.builtin_dir) add_directory(pp, pp->options.builtin_dir, DIR_SYSTEM, true);
        add_directory(pp, "/usr/local/lib/gatecc/include", DIR_SYSTEM, true);
        add_compiler_directory(pp);
        add_system_directory(pp, "/usr/local/include");
        add_system_directory(
            pp, arena_printf(pp->arena, "/usr/include/%s", pp->options.target->model->triplet));
        add_system_directory(pp, "/usr/include");
    }
    add_directories(pp, DIR_AFTER);
    if (!pp->options.read) remove_duplicates(pp);
    while (pp->first_bracket < pp->directories.count &&
           pp->directories.at[pp->first_bracket].kind == DIR_QUOTE)
        pp->first_bracket++;
}

void pp_print_directories(Pp *pp, Out *out) {
    out_text(out, "#include \"...\" search starts here:\n");
    for (uint32_t i = 0; i <= pp->directories.count; i++) {
        if (i == pp->first_bracket) out_text(out, "#include <...> search starts here:\n");
        if (i < pp->directories.count) out_printf(out, " %s\n", pp->directories.at[i].path);
    }
    out_text(out, "End of search list.\n");
}

// ---- Files

// Reads a file, or finds that it has been read under another name.
static bool read_text(Pp *pp, const char *path, CFile *file) {
    char *text;
    size_t length;
    if (pp->options.read) {
        if (!pp->options.read(pp->options.context, pp->arena, path, &text, &length)) {
            errno = ENOENT;
            return false;
        }
    } else {
        struct stat info;
        if (strcmp(path, "-") != 0) {
            if (stat(path, &info) != 0) return false;
            if (S_ISDIR(info.st_mode)) {
                errno = EISDIR;
                return false;
            }
            uint64_t key = hash_add(hash_mix((uint64_t)info.st_dev), (uint64_t)info.st_ino);
            uint32_t same = S_ISREG(info.st_mode) ? map_get(&pp->inodes, key) : HASH_NONE;
            if (same != HASH_NONE) {
                file->origin = pp->files.at[same]->origin;
                file->text = file->origin->text;
                file->length = file->origin->length;
                return true;
            }
            map_set(pp->arena, &pp->inodes, key, pp->files.count);
        }
        if (!read_file(pp->arena, path, &text, &length)) return false;
    }
    if (pp->input) {
        text = (char *)charset_convert(pp->input, pp->arena, text, length, &length);
        if (!text) {
            errno = EILSEQ;
            return false;
        }
    }
    file->text = text;
    file->length = size_to_u32(length, "bytes in one source file");
    return true;
}

// The file at a path, NULL (with errno set) if it cannot be read; either way the path is tried only
// once.
CFile *include_open(Pp *pp, const char *path, bool system) {
    size_t length = strlen(path);
    uint64_t hash = hash_bytes(path, length);
    uint32_t at = table_first(&pp->file_table, hash), id;
    while ((id = table_id(&pp->file_table, hash, &at)) != HASH_NONE) {
        CFile *file = pp->files.at[id];
        if (strcmp(file->path, path) != 0) continue;
        if (!file->text) errno = ENOENT;
        return file->text ? file : NULL;
    }
    CFile *file = ARENA_NEW(pp->arena, CFile);
    *file = (CFile){.path = arena_text(pp->arena, path, length), .system = system, .origin = file};
    bool good = read_text(pp, path, file);
    int reason = errno;
    id = pp->files.count;
    vec_push(pp->arena, &pp->files, file);
    table_insert(pp->arena, &pp->file_table, hash, id);
    if (!good) {
        errno = reason;
        return NULL;
    }
    if (strcmp(path, "-") == 0) file->path = "<stdin>";
    file->diag_source = diag_source(pp->diag, file->path, file->text, file->length);
    vec_push(pp->arena, &pp->dependencies, (Dependency){.path = file->path, .system = system});
    return file;
}

typedef struct {
    CFile *file;
    uint32_t directory; // where it was found; UINT32_MAX: beside the including file
    bool system;
} Found;

// The directory of a file with its slash, "" if it has none.
static size_t directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static Found search(Pp *pp, const char *name, size_t length, bool bracket, IncludeKind kind) {
    const Buffer *buffer = pp->buffer;
    Found found = {.directory = UINT32_MAX, .system = buffer->flags & TOKF_SYSTEM};
    char *plain = arena_text(pp->scratch, name, length);
    if (length && name[0] == '/') {
        found.file = include_open(pp, plain, found.system);
        return found;
    }
    uint32_t start = bracket ? pp->first_bracket : 0;
    if (kind == INCLUDE_NEXT && buffer->below) {
        // A file found beside another is in no directory of the list: then all are searched.
        start = buffer->directory == UINT32_MAX ? 0 : buffer->directory + 1;
    } else if (!bracket) {
        size_t beside = directory_length(buffer->file->path);
        char *path = arena_printf(pp->scratch, "%.*s%s", (int)beside, buffer->file->path, plain);
        found.file = include_open(pp, path, found.system);
        if (found.file) return found;
    }
    for (uint32_t i = start; i < pp->directories.count; i++) {
        const Directory *directory = &pp->directories.at[i];
        size_t size = directory->length;
        char *path = arena_alloc(pp->scratch, size + length + 2);
        memcpy(path, directory->path, size);
        if (size && path[size - 1] != '/') path[size++] = '/';
        memcpy(path + size, plain, length + 1);
        found.file = include_open(pp, path, directory->system);
        if (found.file) {
            found.directory = i;
            found.system = directory->system;
            return found;
        }
    }
    return found;
}

// ---- The directive

typedef struct {
    const char *text; // without the quotes or brackets
    uint32_t length;
    bool bracket;
    Token token; // for messages
} HeaderName;

static void set_name(HeaderName *header, const Token *token) {
    header->token = *token;
    header->bracket = token->spelling[0] == '<';
    header->text = token->spelling + 1;
    header->length = token->length - 2;
}

// <name> that a macro yields: the spellings up to >, with blanks where white space was.
static bool computed_bracket(Pp *pp, HeaderName *header, const Token *open) {
    VEC(Token) tokens = {0};
    Spacing spacing = SPACING_OWN;
    for (Token token;;) {
        pp_get(pp, &token);
        if (token.kind == TOK_PLACEMARKER) {
            spacing_pad(&spacing, &token);
            continue;
        }
        if (token.kind == TOK_GT) break;
        if (token.kind == TOK_NEWLINE || token.kind == TOK_EOF) return false;
        bool white = spacing_white(&spacing, &token);
        token.flags = (uint8_t)((token.flags & ~TOKF_SPACE) | (white ? TOKF_SPACE : 0));
        vec_push(pp->scratch, &tokens, token);
    }
    vec_clear(&pp->text);
    text_add(pp, "<", 1);
    for (uint32_t i = 0; i < tokens.count; i++) {
        if (tokens.at[i].flags & TOKF_SPACE) text_add(pp, " ", 1);
        text_spelling(pp, &tokens.at[i]);
    }
    text_add(pp, ">", 1);
    Token token = lex_make(pp, TOK_HEADER, pp->text.at, pp->text.count);
    token.pos = open->pos;
    token.expansion = open->expansion;
    set_name(header, &token);
    return true;
}

// The name behind #include or in the parentheses of __has_include.
static bool header_name(Pp *pp, HeaderName *header, const Token *directive_name) {
    Token token;
    if (!pp->contexts.count && lex_header(pp, &token)) {
        set_name(header, &token);
        return true;
    }
    pp_get_solid(pp, &token);
    if (token.kind == TOK_STRING && token.spelling[0] == '"') {
        set_name(header, &token);
        return true;
    }
    if (token.kind == TOK_LT) {
        if (computed_bracket(pp, header, &token)) return true;
        pp_error(pp, &token, "missing terminating > character");
        return false;
    }
    // An unterminated literal has been warned of, but no name is an error.
    pp_error(pp, token.kind == TOK_NEWLINE ? directive_name : &token,
             "%s%s expects \"FILENAME\" or <FILENAME>", pp->in_expression ? "" : "#",
             directive_name->ident->text);
    return false;
}

static bool guarded(Pp *pp, const CFile *file, IncludeKind kind) {
    const CFile *origin = file->origin;
    if (origin->once || (kind == INCLUDE_IMPORT && file != pp->main_file)) {
        // #import is #pragma once from the other side: what has been read is not read again.
        if (origin->once) return true;
    }
    // By another path the file is entered again, as gcc does: the output of -E says so.
    if (str_same(file->guard, STR_NONE)) return false;
    const char *guard = str_text(pp->strings, file->guard);
    return pp_ident(pp, guard, str_length(pp->strings, file->guard))->macro != NULL;
}

// -H
static void show_file(const Pp *pp, const CFile *file) {
    if (!pp->options.show_includes) return;
    for (uint32_t i = 0; i <= pp->buffer->depth; i++) fputc('.', stderr);
    fprintf(stderr, " %s\n", file->path);
}

// -MG: a header that is to be made is taken to be in the working directory.
static void add_missing(Pp *pp, const char *name, size_t length) {
    vec_push(pp->arena, &pp->dependencies,
             (Dependency){.path = arena_text(pp->arena, name, length)});
}

// Reads a file next and says so in the output of -E, which names every file, with tokens or
// without: from it ccache learns the files on which a result depends.
static void push_announced(Pp *pp, Found found, Pos included_at) {
    pp_push_file(pp, found.file, included_at, found.directory, found.system);
    pp->buffer->announced = true;
    printed_marker(pp, pp->buffer->start, MARKER_ENTER);
}

static void enter(Pp *pp, const Token *at, Found found, IncludeKind kind) {
    if (guarded(pp, found.file, kind)) return;
    if (kind == INCLUDE_IMPORT) found.file->origin->once = true;
    if (pp->buffer->depth >= pp->options.include_depth) {
        pp_error(pp, at, "#include nested more than %u deep; -fmax-include-depth= allows more",
                 pp->options.include_depth);
        pp->stopped = true;
        return;
    }
    show_file(pp, found.file);
    push_announced(pp, found, at->pos);
}

// -dI
static void keep_line(Pp *pp, const Token *hash, const Token *name, const HeaderName *header) {
    if (!pp->options.keep_includes) return;
    const char *line =
        arena_printf(pp->scratch, "#%s %c%.*s%c", name->ident->text, header->bracket ? '<' : '"',
                     (int)header->length, header->text, header->bracket ? '>' : '"');
    printed_line(pp, hash, line, strlen(line));
}

void include_directive(Pp *pp, const Token *hash, const Token *name, IncludeKind kind) {
    HeaderName header;
    if (!header_name(pp, &header, name)) return;
    if (!header.length) {
        pp_error(pp, &header.token, "empty file name in #%s", name->ident->text);
        return;
    }
    Token rest;
    pp_get_solid(pp, &rest);
    if (rest.kind != TOK_NEWLINE)
        pp_warn(pp, "extra-tokens", &rest, "extra tokens at end of #%s directive",
                name->ident->text);
    pp_skip_line(pp);
    Found found = search(pp, header.text, header.length, header.bracket, kind);
    keep_line(pp, hash, name, &header);
    if (found.file) {
        enter(pp, &header.token, found, kind);
        return;
    }
    if (pp->options.missing_is_good) {
        add_missing(pp, header.text, header.length);
        return;
    }
    pp_error(pp, &header.token, "cannot include '%.*s': %s", (int)header.length, header.text,
             strerror(errno ? errno : ENOENT));
    pp->stopped = true; // the declarations of the header are missing: more errors mean nothing
}

bool include_exists(Pp *pp, const Token *name, IncludeKind kind) {
    Token token;
    pp_get_solid(pp, &token);
    if (token.kind != TOK_LPAREN) {
        pp_error(pp, name, "missing '(' before \"%s\" operand", name->ident->text);
        return false;
    }
    HeaderName header;
    if (!header_name(pp, &header, name)) return false;
    pp_get_solid(pp, &token);
    if (token.kind != TOK_RPAREN) {
        pp_error(pp, name, "missing ')' after \"%s\" operand", name->ident->text);
        return false;
    }
    return header.length && search(pp, header.text, header.length, header.bracket, kind).file;
}

bool include_command_line(Pp *pp, const char *name) {
    // The name is looked for from the working directory, not from that of the main file.
    CFile *file = include_open(pp, name, false);
    Found found = {.file = file, .directory = UINT32_MAX};
    if (!file && name[0] != '/') found = search(pp, name, strlen(name), true, INCLUDE_ORDINARY);
    if (!found.file && pp->options.missing_is_good) {
        add_missing(pp, name, strlen(name));
        return false;
    }
    if (!found.file) {
        diag_error(pp->diag, SPAN_NONE, "cannot include '%s': %s", name, strerror(errno));
        pp->stopped = true;
        return false;
    }
    show_file(pp, found.file);
    push_announced(pp, found, 0);
    return true;
}

bool include_library_macros(Pp *pp) {
    static const char name[] = "stdc-predef.h";
    Found found = search(pp, name, strlen(name), true, INCLUDE_ORDINARY);
    if (found.file) push_announced(pp, found, 0);
    return found.file;
}
