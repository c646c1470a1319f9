// SHA-256: the vectors of its standard, and pieces of every length against the whole.
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, size_t length, const char *digits) {
    Digest digest = sha256_of(text, length);
    assert_string_equal(digest_text(&digest).text, digits);
}

static void test_vectors(void **state) {
    (void)state;
    static char million[1000000];
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    expect(two_blocks, strlen(two_blocks),
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(million, 'a', sizeof million);
    expect(million, sizeof million,
           "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Lengths around the ends of blocks, where the padding differs, in pieces that end anywhere.
static void test_pieces(void **state) {
    (void)state;
    char text[300];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * 7);
    for (size_t length = 0; length <= sizeof text; length++) {
        Digest whole = sha256_of(text, length);
        for (size_t cut = 0; cut <= length; cut += 13) {
            Sha256 sha = sha256_begin();
            sha256_add(&sha, text, cut);
            sha256_add(&sha, text + cut, length - cut);
            Digest pieces = sha256_end(&sha);
            assert_memory_equal(&whole, &pieces, sizeof whole);
        }
    }
}

// The same as the system's program, for every length up to three blocks.
static void test_system(void **state) {
    (void)state;
    FILE *lines = popen("i=0; text=; while [ $i -le 200 ]; do printf %s \"$text\" | sha256sum; "
                        "text=${text}x; i=$((i + 1)); done",
                        "r");
    assert_non_null(lines);
    char text[201], line[200];
    memset(text, 'x', sizeof text);
    for (size_t length = 0; length <= 200; length++) {
        assert_non_null(fgets(line, sizeof line, lines));
        line[DIGEST_DIGITS] = '\0';
        expect(text, length, line);
    }
    assert_int_equal(pclose(lines), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
