// Tests of base/out: formats, quoting, files that appear whole or not at all, a full disk.
#include "base/out.h"
#include "ending.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void assert_out(Out *out, const char *text) {
    assert_int_equal(out->length, strlen(text));
    assert_memory_equal(out->text, text, out->length);
    out->length = 0;
}

static void test_out_formats(void **state) {
    (void)state;
    Out out = {0};
    out_u64(&out, 0);
    out_char(&out, ' ');
    out_u64(&out, UINT64_MAX);
    out_char(&out, ' ');
    out_i64(&out, INT64_MIN);
    out_char(&out, ' ');
    out_i64(&out, -7);
    assert_out(&out, "0 18446744073709551615 -9223372036854775808 -7");
    out_printf(&out, "%s|%5d|", "x", 42);
    out_text(&out, "end");
    out_bytes(&out, NULL, 0);
    assert_out(&out, "x|   42|end");
    char *expected = malloc(100001);
    assert_non_null(expected);
    memset(expected, 'y', 100000);
    expected[100000] = '\0';
    for (int i = 0; i < 100000; i += 10) out_printf(&out, "%.*s", 10, expected);
    assert_out(&out, expected);
    out_text(&out, expected);
    assert_out(&out, expected);
    free(expected);
    out_free(&out);
    assert_null(out.text);
}

// Reads back what out_quoted wrote. Yields the number of bytes.
static size_t unquote(const char *text, size_t length, char *to) {
    static const char named[] = "a\ab\bf\fn\nr\rt\tv\v\\\\\"\"";
    size_t count = 0;
    assert_true(length >= 2 && text[0] == '"' && text[length - 1] == '"');
    for (size_t i = 1; i + 1 < length; i++) {
        assert_true(text[i] >= ' ' && text[i] < 127 && text[i] != '"');
        if (text[i] != '\\') {
            to[count++] = text[i];
        } else if (text[++i] == 'x') {
            char digits[3] = {text[i + 1], text[i + 2]};
            to[count++] = (char)strtol(digits, NULL, 16);
            i += 2;
        } else {
            const char *name = strchr(named, text[i]);
            assert_true(name && (name - named) % 2 == 0);
            to[count++] = name[1];
        }
    }
    return count;
}

static void test_out_quoted(void **state) {
    (void)state;
    Out out = {0};
    out_quoted(&out, "a\"b\\c\n\t\a\b\f\r\v\0\x7f\xff'?~", 18);
    assert_out(&out, "\"a\\\"b\\\\c\\n\\t\\a\\b\\f\\r\\v\\x00\\x7f\\xff'?~\"");
    char all[256 * 3], back[256 * 3];
    for (size_t i = 0; i < sizeof all; i++) all[i] = (char)(i * 37); // every byte, with neighbours
    out_quoted(&out, all, sizeof all);
    assert_int_equal(unquote(out.text, out.length, back), sizeof all);
    assert_memory_equal(all, back, sizeof all);
    out.length = 0;
    out_quoted(&out, NULL, 0);
    assert_out(&out, "\"\"");
    out_free(&out);
}

static void assert_file(const char *path, const char *text) {
    Arena *arena = arena_new("test");
    char *found;
    size_t length;
    assert_true(read_file(arena, path, &found, &length));
    assert_int_equal(length, strlen(text));
    assert_memory_equal(found, text, length + 1);
    arena_free(arena);
}

// A fresh directory for the test, made the current one; the one before is restored by leave().
static char *enter_directory(void) {
    static char name[64];
    const char *base = getenv("TMPDIR");
    snprintf(name, sizeof name, "base-test-XXXXXX");
    if (base) assert_int_equal(chdir(base), 0);
    assert_non_null(mkdtemp(name));
    assert_int_equal(chdir(name), 0);
    return name;
}

static void leave_directory(const char *name) {
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(name), 0); // it is empty: nothing was left beside
}

static void test_commit_replaces(void **state) {
    (void)state;
    char *directory = enter_directory();
    Out out = {0};
    struct stat before, after;
    mode_t mask = umask(027);
    out_text(&out, "first");
    assert_true(out_commit(&out, "file"));
    assert_int_equal(out.length, 0);
    assert_file("file", "first");
    assert_int_equal(stat("file", &before), 0);
    assert_int_equal(before.st_mode & 07777, 0640);
    umask(mask);
    out_text(&out, "second");
    assert_int_equal(link("file", "old"), 0);
    assert_true(out_commit(&out, "file"));
    assert_file("file", "second");
    assert_file("old", "first"); // replaced, not overwritten
    assert_int_equal(stat("file", &after), 0);
    assert_true(before.st_ino != after.st_ino);
    // A link keeps being one; its target is replaced.
    assert_int_equal(symlink("file", "link"), 0);
    out_text(&out, "third");
    assert_true(out_commit(&out, "link"));
    assert_file("file", "third");
    assert_int_equal(lstat("link", &after), 0);
    assert_true(S_ISLNK(after.st_mode));
    // The empty file.
    assert_true(out_commit(&out, "file"));
    assert_file("file", "");
    assert_int_equal(unlink("file") | unlink("old") | unlink("link"), 0);
    out_free(&out);
    leave_directory(directory);
}

static void assert_commit_fails(const char *path, int reason) {
    Out out = {0};
    out_text(&out, "text");
    errno = 0;
    assert_false(out_commit(&out, path));
    assert_int_equal(errno, reason);
    assert_int_equal(out.length, 4); // nothing lost
    out_free(&out);
}

static void test_commit_failures(void **state) {
    (void)state;
    char *directory = enter_directory();
    assert_commit_fails("missing/file", ENOENT);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_commit_fails("folder", EISDIR);
    assert_int_equal(rmdir("folder"), 0);
    assert_commit_fails("/dev/full", ENOSPC);
    Out out = {0};
    out_text(&out, "text");
    assert_true(out_commit(&out, "/dev/null"));
    assert_int_equal(out.length, 0);
    out_free(&out);
    leave_directory(directory);
}

// A file system too small for the file: a limit on the size of files does the same.
static void write_beyond_limit(void) {
    struct rlimit limit = {.rlim_cur = 1000, .rlim_max = 1000};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(3);
    Out out = {0};
    for (int i = 0; i < 1000; i++) out_text(&out, "0123456789");
    if (out_commit(&out, "file")) _exit(4);
    if (errno != EFBIG) _exit(5);
    out_free(&out);
}

static void test_commit_keeps_old(void **state) {
    (void)state;
    char *directory = enter_directory();
    Out out = {0};
    out_text(&out, "old");
    assert_true(out_commit(&out, "file"));
    out_free(&out);
    Ending ending = ending_of(write_beyond_limit);
    assert_int_equal(ending.status, 0);
    assert_file("file", "old");
    assert_int_equal(unlink("file"), 0);
    leave_directory(directory);
}

// What these leave allocated stays reachable, or a leak checker would add lines of its own.
static FILE *full;
static Out kept;

static void flush_to_full_disk(void) {
    full = fopen("/dev/full", "w");
    for (int i = 0; i < 10000; i++) out_text(&kept, "some text\n");
    out_flush(&kept, full);
}

static void flush_little_to_full_disk(void) {
    full = fopen("/dev/full", "w");
    out_text(&kept, "x");
    out_flush(&kept, full);
}

static void test_full_disk(void **state) {
    (void)state;
    const char *message = "gatecc: fatal: cannot write output: No space left on device\n";
    assert_fatal(flush_to_full_disk, message);
    assert_fatal(flush_little_to_full_disk, message);
}

static void test_read_file(void **state) {
    (void)state;
    char *directory = enter_directory();
    Arena *arena = arena_new("test");
    char *text;
    size_t length;
    errno = 0;
    assert_false(read_file(arena, "missing", &text, &length));
    assert_int_equal(errno, ENOENT);
    assert_false(read_file(arena, ".", &text, &length));
    assert_int_equal(errno, EISDIR);
    assert_true(read_file(arena, "/dev/null", &text, &length));
    assert_int_equal(length, 0);
    assert_string_equal(text, "");
    assert_true(read_file(arena, "/proc/self/stat", &text, &length)); // says its size is 0
    assert_true(length > 0 && text[length - 1] == '\n' && text[length] == '\0');
    arena_free(arena);
    leave_directory(directory);
}

// A pipe longer than the first buffer, on standard input.
static void read_long_input(void) {
    int ends[2];
    if (pipe(ends) != 0) _exit(3);
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        FILE *file = fdopen(ends[1], "w");
        for (int i = 0; i < 50000; i++) fprintf(file, "line %d\n", i);
        fclose(file);
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    Arena *arena = arena_new("test");
    char *text;
    size_t length;
    if (!read_file(arena, "-", &text, &length)) _exit(4);
    const char *at = text;
    for (int i = 0; i < 50000; i++) {
        char line[32];
        int size = snprintf(line, sizeof line, "line %d\n", i);
        if (strncmp(at, line, (size_t)size) != 0) _exit(5);
        at += size;
    }
    if (at != text + length || *at) _exit(6);
    arena_free(arena);
    waitpid(writer, NULL, 0);
}

static void test_read_input(void **state) {
    (void)state;
    Ending ending = ending_of(read_long_input);
    assert_int_equal(ending.status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_formats),      cmocka_unit_test(test_out_quoted),
        cmocka_unit_test(test_commit_replaces),  cmocka_unit_test(test_commit_failures),
        cmocka_unit_test(test_commit_keeps_old), cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_read_file),        cmocka_unit_test(test_read_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
