// The file of notes, in the format of gcc 12: words of 32 bits, little-endian, texts with their
// length in front. Each record has a tag and its length in bytes.
//
// The stamp by which gcov and libgcov see whether notes, program and data belong together is
// computed from the notes: the same source gives the same files, and a changed one other stamps.
#include "c/profile/coverage.h"

#include <regex.h>
#include <string.h>

enum { NOTE_MAGIC = 0x67636e6f };
enum {
    TAG_FUNCTION = 0x01000000,
    TAG_BLOCKS = 0x01410000,
    TAG_ARCS = 0x01430000,
    TAG_LINES = 0x01450000,
};

// ---- Checksums

uint32_t coverage_crc(uint32_t crc, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        crc ^= (uint32_t)at[i] << 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80000000u ? crc << 1 ^ 0x04c11db7u : crc << 1;
    }
    return crc;
}

uint32_t coverage_checksum(const CoverageData *coverage) {
    uint32_t crc = 0;
    for (uint32_t i = 0; i < coverage->functions.count; i++) {
        const CoverageFunction *function = &coverage->functions.at[i];
        uint32_t words[] = {function->ident, function->line_checksum, function->graph_checksum};
        crc = coverage_crc(crc, words, sizeof words);
    }
    return crc;
}

// ---- Records

static void put_word(Out *out, uint32_t word) {
    for (int i = 0; i < 4; i++) out_char(out, (char)(word >> 8 * i & 0xff));
}

static void put_text(Out *out, const char *text) {
    size_t size = text ? strlen(text) + 1 : 0;
    put_word(out, (uint32_t)size);
    if (size) out_bytes(out, text, size);
}

// -fprofile-abs-path puts the directory before names that are not absolute.
static void put_file(const CoverageData *coverage, Out *out, const char *file) {
    bool prefixed = coverage->options.absolute && file[0] && file[0] != '/';
    if (!prefixed) {
        put_text(out, file);
        return;
    }
    put_text(out, arena_printf(coverage->arena, "%s/%s", coverage->directory, file));
}

static size_t begin_record(Out *out, uint32_t tag) {
    put_word(out, tag);
    put_word(out, 0);
    return out->length;
}

static void end_record(Out *out, size_t begin) {
    uint32_t size = (uint32_t)(out->length - begin);
    for (int i = 0; i < 4; i++) out->text[begin - 4 + (size_t)i] = (char)(size >> 8 * i & 0xff);
}

static void put_function(const CoverageData *coverage, Out *out, const CoverageFunction *function) {
    size_t begin = begin_record(out, TAG_FUNCTION);
    put_word(out, function->ident);
    put_word(out, function->line_checksum);
    put_word(out, function->graph_checksum);
    put_text(out, function->name);
    put_word(out, 0); // the source has it
    put_file(coverage, out, function->file);
    put_word(out, function->line);
    put_word(out, function->column);
    put_word(out, function->end_line);
    put_word(out, function->end_column);
    end_record(out, begin);
    begin = begin_record(out, TAG_BLOCKS);
    put_word(out, function->blocks.count);
    end_record(out, begin);
}

static void put_arcs(Out *out, const CoverageFunction *function, uint32_t block) {
    const CoverageBlock *at = &function->blocks.at[block];
    if (!at->arc_count) return;
    size_t begin = begin_record(out, TAG_ARCS);
    put_word(out, block);
    for (uint32_t i = at->first_arc; i < at->first_arc + at->arc_count; i++) {
        put_word(out, function->arcs.at[i].to);
        put_word(out, function->arcs.at[i].flags);
    }
    end_record(out, begin);
}

// The lines of a block, with the name of their file where that changes.
static void put_lines(const CoverageData *coverage, Out *out, const CoverageFunction *function,
                      uint32_t block) {
    const CoverageBlock *at = &function->blocks.at[block];
    if (!at->line_count) return;
    const char *file = NULL;
    size_t begin = begin_record(out, TAG_LINES);
    put_word(out, block);
    for (uint32_t i = at->first_line; i < at->first_line + at->line_count; i++) {
        const CoverageLine *line = &function->lines.at[i];
        if (!file || strcmp(file, line->file) != 0) {
            put_word(out, 0);
            put_file(coverage, out, line->file);
            file = line->file;
        }
        put_word(out, line->line);
    }
    put_word(out, 0);
    put_text(out, NULL);
    end_record(out, begin);
}

static void put_functions(const CoverageData *coverage, Out *out) {
    for (uint32_t i = 0; i < coverage->functions.count; i++) {
        const CoverageFunction *function = &coverage->functions.at[i];
        put_function(coverage, out, function);
        for (uint32_t b = 0; b < function->blocks.count; b++) put_arcs(out, function, b);
        for (uint32_t b = 0; b < function->blocks.count; b++) put_lines(coverage, out, function, b);
    }
}

void coverage_settle(CoverageData *coverage) {
    Out out = {0};
    put_functions(coverage, &out);
    coverage->stamp = coverage_crc(0, out.text, out.length);
    out_free(&out);
}

void coverage_print_notes(const CoverageData *coverage, Out *out) {
    put_word(out, NOTE_MAGIC);
    put_word(out, coverage->version);
    put_word(out, coverage->stamp);
    put_word(out, 0); // gcc, too, has no checksum here
    put_text(out, coverage->directory);
    put_word(out, 1); // blocks that were not executed can be told
    put_functions(coverage, out);
}

// ---- Which files

static bool fits_one(const CoveragePatterns *patterns, const char *file) {
    for (uint32_t i = 0; i < patterns->count; i++) {
        regex_t regex;
        if (regcomp(&regex, patterns->at[i], REG_EXTENDED | REG_NOSUB) != 0) continue;
        bool fits = regexec(&regex, file, 0, NULL, 0) == 0;
        regfree(&regex);
        if (fits) return true;
    }
    return false;
}

bool coverage_takes_file(const CoverageOptions *options, const char *file) {
    return !fits_one(&options->never, file) &&
           (!options->only.count || fits_one(&options->only, file));
}
