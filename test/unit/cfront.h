// For tests of the C front end: parses a text, and asks gcc what it makes of one.
#pragma once

#include "c/parse/parse.h"
#include "c/tables/warnings.h"
#include "message/message.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Diag diag;
    StrTable strings;
    Pp *pp;
    Types types;
    WarningSet warnings;
    bool good;
    Decl *const *decls; // as given at the end; none after an error
    uint32_t decl_count;
    char directory[32];
} Front;

static inline void front_write(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static inline const char *front_path(Front *front, const char *name) {
    return arena_printf(front->arena, "%s/%s", front->directory, name);
}

static void front_function(void *context, Decl *func) {
    (void)context;
    (void)func;
}

static void front_finish(void *context, Decl *const *decls, uint32_t count) {
    Front *front = context;
    front->decls = decls;
    front->decl_count = count;
}

// Parses a text as the file test.c. Messages are collected in front->diag.out.
static inline void front_parse(Front *front, const char *text) {
    *front = (Front){.arena = arena_new("test"), .directory = "/tmp/gatecc-test-XXXXXX"};
    assert_non_null(mkdtemp(front->directory));
    diag_init(&front->diag, front->arena, NULL);
    str_init(&front->strings, front->arena);
    const char *path = front_path(front, "test.c");
    front_write(path, text);
    warnings_init(&front->warnings);
    PpOptions pp_options = {.target = &targets[0],
                            .arena = front->arena,
                            .diag = &front->diag,
                            .strings = &front->strings,
                            .warnings = &front->warnings};
    front->pp = pp_new(&pp_options);
    assert_true(pp_open(front->pp, path));
    types_init(&front->types, front->arena, targets[0].language);
    ParseOptions options = {
        .pp = front->pp,
        .types = &front->types,
        .arena = front->arena,
        .diag = &front->diag,
        .function = front_function,
        .finish = front_finish,
        .context = front,
    };
    front->good = parse_unit(&options);
    messages_flush(&front->diag);
}

static inline void front_free(Front *front) {
    unlink(front_path(front, "test.c"));
    unlink(front_path(front, "gcc.c"));
    unlink(front_path(front, "gcc"));
    unlink(front_path(front, "gcc.out"));
    rmdir(front->directory);
    pp_free(front->pp);
    diag_free(&front->diag);
    arena_free(front->arena);
}

// What a program prints that gcc has compiled.
static inline char *front_gcc(Front *front, const char *program) {
    front_write(front_path(front, "gcc.c"), program);
    const char *command =
        arena_printf(front->arena, "cd %s && gcc -w -o gcc gcc.c 2>/dev/null && ./gcc >gcc.out",
                     front->directory);
    assert_int_equal(system(command), 0);
    char *text;
    size_t length;
    assert_true(read_file(front->arena, front_path(front, "gcc.out"), &text, &length));
    return text;
}

static inline const Decl *front_find(const Front *front, const char *name) {
    for (uint32_t i = 0; i < front->decl_count; i++)
        if (front->decls[i]->name && strcmp(front->decls[i]->name->text, name) == 0)
            return front->decls[i];
    return NULL;
}

// Two texts line by line; the first difference fails the test.
static inline void front_compare(const char *ours, const char *gcc) {
    while (*ours || *gcc) {
        size_t mine = strcspn(ours, "\n"), theirs = strcspn(gcc, "\n");
        if (mine != theirs || memcmp(ours, gcc, mine) != 0)
            fail_msg("ours: %.*s\ngcc:  %.*s", (int)mine, ours, (int)theirs, gcc);
        ours += mine + (ours[mine] != 0);
        gcc += theirs + (gcc[theirs] != 0);
    }
}
