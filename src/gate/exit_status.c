#include "gate/exit_status.h"

static int exit_status(const Behaviour *behaviour) {
    switch (behaviour->end) {
    case END_RESULT: return behaviour->status & 0xff;
    case END_ABORT: return EXIT_ABORTED;
    case END_TRAP: return EXIT_TRAPPED;
    case END_WRONG: return EXIT_WRONG;
    case END_FUEL: return EXIT_FUEL;
    }
    return EXIT_WRONG;
}

int exit_status_told(const Program *program, const char *file, const Behaviour *behaviour) {
    if (behaviour->end != END_RESULT) {
        Out line = {0};
        out_printf(&line, "gate: %s: ", file);
        behaviour_print(&line, program, behaviour);
        out_char(&line, '\n');
        out_flush(&line, stderr);
        out_free(&line);
    }
    return exit_status(behaviour);
}
