#include "test/gen/subjects.h"

#include "text/text.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

Subjects subjects_list(Arena *arena, const char *only) {
    const char *root = getenv("ROOT");
    glob_t files;
    const char *pattern =
        arena_printf(arena, "%s/test/mutants/%s.c", root ? root : ".", only ? only : "*");
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    Subjects subjects = {.count = (uint32_t)files.gl_pathc};
    subjects.paths = ARENA_ARRAY(arena, char *, subjects.count);
    for (uint32_t i = 0; i < subjects.count; i++)
        subjects.paths[i] = arena_text(arena, files.gl_pathv[i], strlen(files.gl_pathv[i]));
    globfree(&files);
    return subjects;
}

Program *subject_read(Arena *arena, Diag *diag, const char *path) {
    Out text = {0};
    char bytes[4096];
    size_t count;
    FILE *pipe = popen(arena_printf(arena, "gate show rtl '%s'", path), "r");
    assert_non_null(pipe);
    while ((count = fread(bytes, 1, sizeof bytes, pipe)) > 0) out_bytes(&text, bytes, count);
    assert_int_equal(pclose(pipe), 0);
    const char *copy = arena_text(arena, text.text, text.length);
    Program *program = program_parse(arena, diag, FORM_RTL, path, copy, text.length);
    assert_non_null(program);
    out_free(&text);
    return program;
}
