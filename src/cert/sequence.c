#include "cert/sequence.h"

static const char *entry_name(uint32_t kind) {
    static const char *const names[] = {"keep", "from", "change", "new"};
    return kind < ENTRY_KINDS ? names[kind] : NULL;
}

// In the binary encoding kind and number are one; `from` has the difference to the next number of
// the old sequence.
static void put_entry(FormSequence *s, SequenceEntry kind, uint32_t number) {
    TokenStream *t = s->t;
    uint64_t coded = kind == ENTRY_FROM ? zigzag((uint64_t)number - s->cursor) : number;
    if (!t->out) return;
    if (!t->out_text && kind <= ENTRY_FROM) put_binary(t, coded * ENTRY_KINDS + kind);
    if (!t->out_text) return;
    out_text(t->out, "  ");
    text_put(t, entry_name(kind));
    if (kind <= ENTRY_FROM) text_put_number(t, number, false);
}

void sequence_entry(FormSequence *s, SequenceEntry kind, uint32_t number) {
    put_entry(s, kind, number);
    if (kind <= ENTRY_FROM)
        token_line(s->t);
    else
        record_code_behind(s->t, s->records, &(RecordHead){.kind = kind, .kinds = ENTRY_KINDS},
                           &s->record, &s->guess);
}

static uint64_t take_entry(FormSequence *s, SequenceEntry *kind) {
    TokenStream *t = s->t;
    if (t->text) {
        *kind = (SequenceEntry)text_word(t, text_take(t), entry_name);
        return *kind <= ENTRY_FROM ? text_number(t, text_take(t), false) : 0;
    }
    uint64_t head = take_binary(t), number = head / ENTRY_KINDS;
    *kind = (SequenceEntry)(head % ENTRY_KINDS);
    return *kind == ENTRY_FROM ? s->cursor + from_zigzag(number) : number;
}

static void read_record(FormSequence *s, SequenceEntry kind, uint64_t index) {
    uint32_t old = kind == ENTRY_NEW ? NONE : s->cursor;
    if (old != NONE && old >= s->old_count) {
        tokens_fail(s->t, "there is nothing left to change");
        return;
    }
    RecordHead head = {
        .kind = kind, .kinds = ENTRY_KINDS, .has_index = !s->t->text, .index = index};
    if (s->t->out && s->t->out_text) head.remark = arena_printf(s->t->scratch, "// %u", s->at);
    s->make_guess(s, old);
    record_code_behind(s->t, s->records, &head, &s->record, &s->guess);
    if (!tokens_good(s->t)) return;
    s->add(s, old);
    s->at++;
    if (old != NONE) s->cursor++;
}

static void read_kept(FormSequence *s, uint64_t count) {
    if (count > s->old_count - s->cursor || count > s->count - s->at)
        tokens_fail(s->t, "there are not so many left to keep");
    for (; count && tokens_good(s->t); count--) {
        s->keep(s, s->cursor++);
        s->at++;
    }
}

void sequence_read(FormSequence *s) {
    while (s->at < s->count && tokens_good(s->t)) {
        SequenceEntry kind = ENTRY_KEEP;
        uint64_t number = take_entry(s, &kind);
        if (!tokens_good(s->t)) return;
        if (kind == ENTRY_FROM && number > s->old_count)
            tokens_fail(s->t, "there is nothing of this number");
        put_entry(s, kind, (uint32_t)number);
        if (kind <= ENTRY_FROM) token_line(s->t);
        if (kind == ENTRY_KEEP)
            read_kept(s, number);
        else if (kind == ENTRY_FROM)
            s->cursor = (uint32_t)number;
        else
            read_record(s, kind, number);
    }
}
