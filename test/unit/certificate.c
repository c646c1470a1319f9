// Certificates of random functions: what the compiler writes is accepted; what has been damaged is
// never accepted with a last form that behaves otherwise than the first; nothing takes gatecheck's
// answer away.
#include "cert/certificate.h"
#include "certify/certify.h"
#include "check/replay/replay.h"
#include "form/mach.h"
#include "hint/hints_values.h"
#include "pass/son/son_trail.h"
#include "pipeline/transforms.h"
#include "test/gen/compare.h"
#include "test/gen/damage.h"
#include "test/gen/effort.h"
#include "test/gen/one_by_one.h"
#include "test/gen/random_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The certificate of a random function; the caller frees it. `schedule` may take the place of the
// way out of an excursion, unchecked.
static Out certificate_by(uint64_t seed, uint32_t nodes, PassTransform *schedule) {
    Arena *arena = arena_new("certificate");
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_new(arena);
    Func *func = random_func(arena, program, random_options(nodes, seed), seed);
    program_at(program, func->symbol)->func = func;
    Pipeline pipeline;
    PassTransform *transforms[PASS_COUNT];
    memcpy(transforms, transform_table, sizeof transforms);
    if (schedule) transforms[PASS_son_schedule] = schedule;
    pipeline_init(&pipeline, arena, transforms, &diag);
    pipeline.plain = plain_transform_table;
    pipeline.check = schedule ? CHECK_OFF : CHECK_FAST;
    if (!schedule && seed % 2) switch_one_by_one(&pipeline);
    Out text = certify_program(arena, program,
                               &(CertifiedOrigin){.source = "random", .options = ""}, &pipeline);
    certify_end(&text, NULL);
    pipeline_free(&pipeline);
    if (diag.errors + diag.warnings) fail_msg("%.*s", (int)diag.out.length, diag.out.text);
    diag_free(&diag);
    arena_free(arena);
    return text;
}

static Out certificate(uint64_t seed, uint32_t nodes) {
    return certificate_by(seed, nodes, NULL);
}

// A certificate in an encoding; the caller frees it.
static Out encoded(const Out *text, Encoding encoding) {
    Arena *arena = arena_new("replay");
    Out out = {0};
    Diag diag;
    diag_init(&diag, arena, NULL);
    Replay replay = {.diag = &diag, .out = &out, .encoding = encoding};
    if (replay_certificate(&replay, "f.gcert", text->text, text->length) != REPLAY_VALID)
        fail_msg("%.*s", (int)diag.out.length, diag.out.text);
    diag_free(&diag);
    arena_free(arena);
    return out;
}

static void assert_same(const Out *a, const Out *b) {
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->text, b->text, a->length);
}

// What one encoding says, the other says, too: there and back again nothing is lost.
static void check_encodings(const Out *binary, const Out *text) {
    Out back = encoded(text, ENCODING_BINARY), same = encoded(text, ENCODING_TEXT);
    assert_same(binary, &back);
    assert_same(text, &same);
    out_free(&back);
    out_free(&same);
}

typedef struct {
    uint64_t functions, seed;
    uint64_t compared;    // how many of them were run,
    uint64_t allocated;   // of these how many ended as allocated machine code,
    uint64_t returned;    // and how many gave a result
    char difference[200]; // of first and last form, if there is one
} Seen;

// Runs both forms, if the function takes what random functions take: damage may have changed that.
// An allocated machine function has no parameters, only a signature.
static void compare(void *context, const Func *first, const Func *last) {
    Seen *seen = context;
    seen->functions++;
    if (first->params.count != 2 || first->sig.i != last->sig.i) return;
    for (uint32_t i = 0; i < 2; i++)
        if (!type_is_int(reg_type(first, first->params.at[i]))) return;
    seen->compared++;
    seen->allocated += last->mach && last->mach->allocated;
    Arena *arena = arena_new("run");
    seen->returned += behaviour_returns(arena, first, seen->seed, 20000);
    for (uint64_t run = 0; run < 4; run++) {
        const char *difference = behaviour_difference(arena, first, last, seen->seed + run, 20000);
        if (difference) snprintf(seen->difference, sizeof seen->difference, "%s", difference);
    }
    arena_free(arena);
}

// What gatecheck says about a text; the message, if any, is its first line.
// `partial`: functions may end in other forms than machine code.
static ReplayStatus replay(const Out *text, bool partial, Seen *seen, char *message, size_t size) {
    Arena *arena = arena_new("replay");
    Diag diag;
    diag_init(&diag, arena, NULL);
    diag.error_limit = 1;
    Replay replay = {.diag = &diag, .partial = partial, .done = compare, .context = seen};
    ReplayStatus status = replay_certificate(&replay, "f.gcert", text->text, text->length);
    snprintf(message, size, "%.*s", (int)diag.out.length, diag.out.text ? diag.out.text : "");
    assert_int_equal(status == REPLAY_VALID, diag.errors == 0);
    diag_free(&diag);
    arena_free(arena);
    return status;
}

static void test_written_is_accepted(void **state) {
    (void)state;
    uint64_t count = effort(40, 400, 5000), returned = 0;
    for (uint64_t seed = 0; seed < count; seed++) {
        Out text = certificate(seed, 20 + (uint32_t)(seed % 200));
        Seen seen = {.seed = seed};
        char message[300];
        if (replay(&text, false, &seen, message, sizeof message) != REPLAY_VALID)
            fail_msg("seed %llu: %s", (unsigned long long)seed, message);
        assert_int_equal(seen.functions, 1);
        assert_int_equal(seen.compared, 1);
        assert_int_equal(seen.allocated, 1);
        returned += seen.returned;
        if (seen.difference[0])
            fail_msg("seed %llu: %s", (unsigned long long)seed, seen.difference);
        Out shown = encoded(&text, ENCODING_TEXT);
        check_encodings(&text, &shown);
        if (replay(&shown, false, &seen, message, sizeof message) != REPLAY_VALID)
            fail_msg("seed %llu as text: %s", (unsigned long long)seed, message);
        out_free(&shown);
        out_free(&text);
    }
    assert_true(returned > count / 2);
}

// A way out of Sea of Nodes that has numbered values meanwhile and does not say why that is right.
static Func *schedule_numbered(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    void *numbering;
    const Func *start = func->son->trail->before;
    Func *result = transform_table[PASS_gvn](arena, bodies, start, &numbering);
    ValuesHint *typed = *hint = ARENA_NEW(arena, ValuesHint);
    HintValue value = {.kind = VALUE_LOAD, .op = 7, .ref = 11, .imm = -5, .first = 13, .count = 17};
    vec_push(arena, &typed->values, value);
    vec_push(arena, &typed->steps, ((ValueStep){.from = 19, .to = 23, .rule = 29}));
    vec_push(arena, &typed->facts, ((PlaceFact){.place = 31, .value = 37}));
    for (uint32_t n = 0; n < start->nodes.count; n++) vec_push(arena, &typed->old, (Node){n});
    vec_push(arena, &typed->gated, ((GatedJoin){.join = {41}, .first = 43}));
    return result ? result : func_clone(start, arena);
}

static uint32_t count_of(const Out *text, const char *word) {
    uint32_t count = 0;
    for (const char *at = text->text, *end = at + text->length;
         (at = memmem(at, (size_t)(end - at), word, strlen(word))); at++)
        count++;
    return count;
}

// An excursion that is checked as one is one step, against the form in which it started; those
// inside have none.
static void test_excursion_is_one_step(void **state) {
    (void)state;
    uint32_t steps = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Out binary = certificate_by(seed, 300, schedule_numbered);
        Out text = encoded(&binary, ENCODING_TEXT);
        assert_int_equal(count_of(&text, "step son_build"), 0);
        assert_int_equal(count_of(&text, "step son_optimize"), 0);
        const char *at = memmem(text.text, text.length, "step son_schedule\n", 18);
        out_free(&binary);
        if (at) {
            static const char columns[] =
                "step son_schedule\n"
                "  values.kind 3\n  values.op 7\n  values.high 0\n"
                "  values.ref 11\n  values.imm 18446744073709551611\n"
                "  values.first 13\n  values.count 17\n"
                "  steps.from 19\n  steps.to 23\n  steps.rule 29\n"
                "  gated.join 41\n  gated.first 43\n  facts.place 31\n  facts.value 37\n"
                "  old 0+";
            assert_memory_equal(at, columns, sizeof columns - 1);
            Seen seen = {.seed = seed};
            char message[300];
            assert_int_equal(replay(&text, true, &seen, message, sizeof message), REPLAY_INVALID);
            assert_non_null(strstr(message, ", son_schedule: "));
            memcpy(text.text + (at - text.text), "step check_elim  \n", 18);
            assert_int_equal(replay(&text, true, &seen, message, sizeof message),
                             REPLAY_UNREADABLE);
            assert_non_null(strstr(message, "this pass is no step"));
            steps++;
        }
        out_free(&text);
    }
    assert_true(steps > 5);
}

// A byte of what is binary becomes another, is left out, or comes twice.
static void damage_binary(Random *random, Out *binary) {
    size_t end = binary->length - CERTIFICATE_LAST_LINE;
    size_t at = random_below(random, (uint32_t)end);
    uint32_t way = random_below(random, 4);
    if (way < 2) {
        char other[] = {(char)random_below(random, 256),
                        (char)(binary->text[at] + (int)random_below(random, 9) - 4)};
        binary->text[at] = other[way];
        return;
    }
    Out changed = {0};
    out_bytes(&changed, binary->text, at + (way == 2));
    out_bytes(&changed, binary->text + at + (way == 3), binary->length - at - (way == 3));
    out_free(binary);
    *binary = changed;
}

// Every second one is damaged as text.
static void test_damaged_proves_nothing_false(void **state) {
    (void)state;
    uint64_t count = effort(300, 5000, 100000), counts[3] = {0}, shown = 0, compared = 0;
    Out text = {0}, binary = {0};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t seed = i / 25;
        if (i % 25 == 0) {
            out_free(&text);
            out_free(&binary);
            binary = certificate(seed, 10 + (uint32_t)(seed % 60));
            text = encoded(&binary, ENCODING_TEXT);
        }
        Random random = random_from(i + 1000000);
        Out damaged = {0};
        const Out *whole = i % 2 ? &binary : &text;
        out_bytes(&damaged, whole->text, whole->length);
        for (uint32_t k = random_range(&random, 1, 2); k > 0; k--)
            (i % 2 ? damage_binary : damage_text)(&random, &damaged);
        damage_rehash(&damaged);
        Seen seen = {.seed = i};
        char message[300];
        counts[replay(&damaged, true, &seen, message, sizeof message)]++;
        shown += seen.functions;
        compared += seen.compared;
        if (seen.difference[0]) {
            out_commit(&text, "whole.txt");
            out_commit(&damaged, "damaged.gcert");
            fail_msg("damage %llu of seed %llu: %s; see damaged.gcert", (unsigned long long)i,
                     (unsigned long long)seed, seen.difference);
        }
        out_free(&damaged);
    }
    out_free(&text);
    out_free(&binary);
    printf("%llu damaged certificates: %llu unreadable, %llu invalid, %llu harmless; "
           "%llu of %llu functions compared\n",
           (unsigned long long)count, (unsigned long long)counts[REPLAY_UNREADABLE],
           (unsigned long long)counts[REPLAY_INVALID], (unsigned long long)counts[REPLAY_VALID],
           (unsigned long long)compared, (unsigned long long)shown);
    assert_true(counts[REPLAY_UNREADABLE] > count / 20);
    assert_true(counts[REPLAY_INVALID] > count / 20);
    assert_true(shown >= counts[REPLAY_VALID] && counts[REPLAY_VALID] > count / 25);
    assert_true(compared > shown / 10 * 9);
}

static void test_unhashed_is_invalid(void **state) {
    (void)state;
    Out text = certificate(7, 40);
    Seen seen = {0};
    char message[300], *digit = text.text + text.length - 2;
    *digit = *digit == '0' ? '1' : '0';
    assert_int_equal(replay(&text, true, &seen, message, sizeof message), REPLAY_INVALID);
    assert_non_null(strstr(message, "hash"));
    text.length -= 3;
    assert_int_equal(replay(&text, true, &seen, message, sizeof message), REPLAY_UNREADABLE);
    assert_int_equal(seen.functions, 0);
    out_free(&text);
}

// ---- Hostile files: an answer comes, and memory stays in proportion

static void answers(const char *start, const char *repeated, uint32_t count, const char *end,
                    ReplayStatus expected) {
    Out text = {0};
    out_text(&text, CERTIFICATE_TEXT_LINE BARE_ORIGIN);
    out_text(&text, start);
    for (uint32_t i = 0; i < count; i++) out_text(&text, repeated);
    out_text(&text, end);
    out_text(&text, "object none\n");
    Seen seen = {0};
    char message[300];
    ReplayStatus status = replay(&text, true, &seen, message, sizeof message);
    if (status != expected) fail_msg("%s...: %s", start, message);
    out_free(&text);
}

#define DECLARES                                                                                   \
    "target \"x64\" code pie signatures 1 symbols 1\nsignature\nname \"f\"\n"                      \
    "symbol \"f\" kind function defined signature 0\n"
#define RETURNS DECLARES "certify \"f\"\n  fresh 1\n  length 1\n  new kind return\n"
#define NORMAL                                                                                     \
    "step normalize\n  old 0\n"                                                                    \
    "  length 1\n  keep 1\n"

static void test_hostile_files(void **state) {
    (void)state;
    uint32_t many = (uint32_t)effort(20000, 1000000, 10000000);
    answers("target \"x64\" code pie\n", "", 0, "", REPLAY_VALID);
    answers("", "", 0, "", REPLAY_UNREADABLE);
    answers(RETURNS, "", 0, "end\n", REPLAY_VALID);
    answers(RETURNS, "", 0, "", REPLAY_UNREADABLE);
    answers("", "((((((((((", many / 10, "\n", REPLAY_UNREADABLE);
    answers("target \"x64\" code pie symbols 1\nname \"", "a", many, "\n", REPLAY_UNREADABLE);
    answers("target \"x64\" code pie symbols 4294967294\n", "", 0, "", REPLAY_UNREADABLE);
    answers("target \"x64\" code pie signatures 4294967294\n", "signature params (1 1)\n", 1, "",
            REPLAY_UNREADABLE);
    answers(DECLARES "certify \"f\"\n  fresh 1\n", "fresh ", many, "\n", REPLAY_UNREADABLE);
    answers(DECLARES "certify \"f\"\n  fresh 1\n  length 4294967295\n", "  new kind return\n",
            many / 18, "end\n", REPLAY_UNREADABLE);
    answers(RETURNS "step normalize\n  old 0*4294967295\n", "", 0, "end\n", REPLAY_UNREADABLE);
    answers(RETURNS "step normalize\n  old", " 0", many / 2, "\n  length 1\n  keep 1\nend\n",
            REPLAY_INVALID);
    answers(RETURNS "step normalize\n  length 2147483647\n", "  from 0\n  keep 1\n", many / 18,
            "end\n", REPLAY_UNREADABLE);
    answers(RETURNS "step normalize\n  length 1\n", "  from 0\n", many / 9, "end\n",
            REPLAY_UNREADABLE);
    answers(RETURNS "step normalize\n  length 1\n", "  keep 0\n", many / 9, "  keep 1\nend\n",
            REPLAY_VALID);
    answers(RETURNS "step normalize\n  length 2147483646\n  keep 2147483646\n", "", 0, "end\n",
            REPLAY_UNREADABLE);
    answers(RETURNS "step normalize\n  length 1\n  from 4294967297\n", "", 0, "end\n",
            REPLAY_UNREADABLE);
    answers(DECLARES "certify \"f\"\n  fresh 1\n  sizes 18446744073709551615\n  aligns 1\n"
                     "  buffers none\n  length 1\n  new kind return\nend\n",
            "", 0, "", REPLAY_INVALID);
    answers("target \"x64\" code pie symbols 2\n", "name \"f\"\n", 2, "", REPLAY_UNREADABLE);
    answers(DECLARES, "", 0, "", REPLAY_INVALID); // a function is missing
    answers(RETURNS, "step dead_code\n", many / 15, "", REPLAY_INVALID);
    // Nothing to keep: machine code has no nodes.
    answers(RETURNS
            "step select_code\n  node_of_block 0\n  machine 1\n  length 1\n  new kind return\n"
            "step allocate\n  origin 0\n  block_origin 0\n  fresh 1\n  machine 1\n  allocated 1\n"
            "  length 1\n  keep 1\n",
            "", 0, "end\n", REPLAY_VALID);
    answers(RETURNS "step select_code\n  node_of_block 0\n  machine 1\n  length 1\n  keep 1\nend\n",
            "", 0, "", REPLAY_UNREADABLE);
    answers(RETURNS "step select_code\n  node_of_block 0\n  length 1\n  keep 1\nend\n", "", 0, "",
            REPLAY_INVALID);
    answers(RETURNS "offer\n", "offer\n", many / 6, "", REPLAY_UNREADABLE);
    answers(RETURNS "offer\n" NORMAL "offer\n", "", 0, "", REPLAY_UNREADABLE);
}

// A step that keeps all of a large form, over and over: each costs little to write and much to
// check.
static void test_repeated_steps_end(void **state) {
    (void)state;
    Out text = {0};
    uint32_t nodes = (uint32_t)effort(2000, 20000, 100000);
    out_printf(&text,
               CERTIFICATE_TEXT_LINE BARE_ORIGIN DECLARES "certify \"f\"\n  fresh 1\n  length %u\n",
               nodes + 1);
    for (uint32_t i = 0; i < nodes; i++) out_printf(&text, "  new kind nop succs (%u)\n", i + 1);
    out_text(&text, "  new kind return\n");
    for (uint32_t i = 0; i < 8 * nodes; i++)
        out_printf(&text, "step normalize\n  old 0+%u\n  length %u\n  keep %u\n", nodes, nodes + 1,
                   nodes + 1);
    out_text(&text, "end\nobject none\n");
    Seen seen = {0};
    char message[300];
    assert_int_equal(replay(&text, true, &seen, message, sizeof message), REPLAY_UNREADABLE);
    assert_true(strstr(message, "more is kept") || strstr(message, "more values"));
    out_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_is_accepted),
        cmocka_unit_test(test_excursion_is_one_step),
        cmocka_unit_test(test_damaged_proves_nothing_false),
        cmocka_unit_test(test_unhashed_is_invalid),
        cmocka_unit_test(test_hostile_files),
        cmocka_unit_test(test_repeated_steps_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
