// Functions that the processor calls, and those that keep all registers: instructions that no others have.
struct frame {
    unsigned long ip, cs, flags, sp, ss;
};
unsigned long seen;
void note(unsigned long);

__attribute__((interrupt)) void plain(struct frame *frame) {
    seen = frame->ip;
}

__attribute__((interrupt)) void fault(struct frame *frame, unsigned long code) {
    char text[200];
    for (int i = 0; i < 200; i++) text[i] = (char)(code >> (i & 7));
    if (frame->cs & 3) note(code + (unsigned long)text[seen & 63]);
}

__attribute__((no_caller_saved_registers)) unsigned long keeps(unsigned long a, unsigned long b) {
    note(a);
    return a + b * seen;
}
