#include "gatecheck/gatecheck_account.h"

#include "form/forms.h"
#include "form/registers.h"
#include "target/model.h"

#include <string.h>

const BeliefInfo belief_table[BELIEF_COUNT] = {
    [BELIEF_EXTERNAL_FUNCTION] = {"external function", "external functions",
                                  "defined elsewhere, with the type that is declared; it keeps the "
                                  "calling convention"},
    [BELIEF_EXTERNAL_DATA] = {"external object", "external objects",
                              "defined elsewhere, as it is declared"},
    [BELIEF_NORETURN] = {"noreturn", "noreturn", "declared not to return"},
    [BELIEF_RETURNS_TWICE] = {"returns_twice", "returns_twice",
                              "declared to return twice; no other function does"},
    [BELIEF_CONST] = {"const", "const", "declared const: nobody writes it"},
    [BELIEF_THREAD] = {"thread-local", "thread-local", "every thread has one of its own"},
    [BELIEF_STATIC] = {"static", "static", "no other object refers to it by name"},
    [BELIEF_REPLACEABLE] = {"replaceable", "replaceable",
                            "weak, common or interposable: another definition may be used in the "
                            "place of the one here"},
    [BELIEF_VISIBILITY] = {"visibility", "visibilities",
                           "hidden, protected or internal: it is not another module's"},
    [BELIEF_ALIAS] = {"alias", "aliases", "another name for what is defined here"},
    [BELIEF_INDIRECT] = {"indirect function", "indirect functions",
                         "chosen by a function that is defined here and called when the program "
                         "is loaded"},
    [BELIEF_STARTS] = {"constructor or destructor", "constructors and destructors",
                       "called before main or after it"},
    [BELIEF_SECTION] = {"section", "sections", "placed in a section that the source names"},
    [BELIEF_RESERVED] = {"reserved register", "reserved registers",
                         "belongs to the source: only asm statements and other objects change it"},
    [BELIEF_ASM] = {"asm statement", "asm statements",
                    "changes only what it declares: registers, its operands, memory"},
    [BELIEF_FILE_ASM] = {"asm outside of functions", "asm outside of functions",
                         "changes nothing that is defined here"},
    [BELIEF_PART] = {"part of the object that is not compared",
                     "parts of the object that are not compared",
                     "what asm statements became, and sections that are not code or data of the "
                     "source"},
};

static const char *kept_text(Account *account, const Program *program, Str text) {
    const char *from = program_text(program, text);
    return arena_text(account->arena, from, strlen(from));
}

static void believe(Account *account, Belief belief, const char *name) {
    vec_push(account->arena, &account->beliefs[belief], name);
}

// ---- The object

static void on_begin(void *context, const CertificateClaim *claim) {
    Account *account = context;
    const CodePiece *piece = account->target ? target_piece(account->target, claim) : NULL;
    account->compared = piece;
    if (piece && !object_open(&account->object, account->arena, piece->text, piece->length))
        account->difference = account->object.problem;
}

static void compare(Account *account, bool same) {
    if (!same) account->difference = account->object.problem;
}

static void believe_parts(Account *account) {
    for (uint32_t i = 0; account->compared && i < account->object.believed.count; i++) {
        const ObjectBelief *part = &account->object.believed.at[i];
        const char *range = !part->end ? ""
                                       : arena_printf(account->arena, " 0x%llx to 0x%llx",
                                                      (unsigned long long)part->start,
                                                      (unsigned long long)part->end);
        believe(account, BELIEF_PART,
                arena_printf(account->arena, "%s %s%s", part->what, part->where, range));
    }
}

// ---- Functions and steps

static const char *size_text(Account *account, const char *what, const Func *func) {
    uint64_t size = func_size(func);
    return arena_printf(account->arena, "%s: %llu %s%s", what, (unsigned long long)size,
                        func_body(func)->unit, size == 1 ? "" : "s");
}

static AccountFunction *function_of(Account *account, const Func *func) {
    while (account->by_symbol.count <= func->symbol.i)
        vec_push(account->arena, &account->by_symbol, 0);
    uint32_t *number = &account->by_symbol.at[func->symbol.i];
    if (!*number) {
        const Symbol *symbol = program_at(func->program, func->symbol);
        AccountFunction function = {.name = kept_text(account, func->program, symbol->name),
                                    .from = func_size(func)};
        vec_push(account->arena, &account->functions, function);
        *number = account->functions.count;
    }
    return &account->functions.at[*number - 1];
}

static void on_form(void *context, const char *pass, const Func *func) {
    Account *account = context;
    bool known = func->symbol.i < account->by_symbol.count && account->by_symbol.at[func->symbol.i];
    AccountFunction *function = function_of(account, func);
    account->steps += pass != NULL;
    function->to = func_size(func);
    function->unit = func_body(func)->unit;
    if (!account->verbose && !(pass && account->keep_steps)) return;
    const char *line = size_text(account, pass ? pass : function->name, func);
    if (pass && account->keep_steps) vec_push(account->arena, &function->steps, line);
    if (!account->verbose) return;
    Out out = {0};
    if (known && !pass) line = arena_printf(account->arena, "%s, resumed", function->name);
    if (pass) out_text(&out, "  ");
    out_shown(&out, line, strlen(line));
    out_char(&out, '\n');
    out_flush(&out, stdout);
    out_free(&out);
}

static void on_done(void *context, const Func *first, const Func *last) {
    Account *account = context;
    bool final = func_is_final(last);
    (void)first;
    function_of(account, last)->ending = final ? "code" : form_name(last->form);
    if (final && account->compared && !account->difference)
        compare(account, object_function(&account->object, last));
}

// ---- Declarations

static void believe_symbol(Account *account, const Symbol *symbol, const char *name) {
    bool external = !symbol->defined && symbol->alias.i == NO_ID;
    const struct {
        Belief belief;
        bool is_so;
    } rows[] = {
        {BELIEF_EXTERNAL_FUNCTION, external && symbol->kind == SYM_FUNC},
        {BELIEF_EXTERNAL_DATA, external && symbol->kind == SYM_DATA},
        {BELIEF_NORETURN, symbol->kind == SYM_FUNC && symbol->flags & SYMF_NORETURN},
        {BELIEF_RETURNS_TWICE, symbol->kind == SYM_FUNC && symbol->flags & SYMF_RETURNS_TWICE},
        {BELIEF_CONST, symbol->kind == SYM_DATA && symbol->flags & SYMF_CONST},
        {BELIEF_THREAD, symbol->kind == SYM_DATA && symbol->flags & SYMF_THREAD},
        {BELIEF_STATIC, symbol->defined && symbol->linkage == LINK_STATIC},
        {BELIEF_REPLACEABLE, symbol->defined && symbol_is_replaceable(symbol)},
        {BELIEF_VISIBILITY, symbol->visibility != VIS_DEFAULT},
        {BELIEF_ALIAS, symbol->alias.i != NO_ID && !(symbol->flags & SYMF_INDIRECT)},
        {BELIEF_INDIRECT, symbol->flags & SYMF_INDIRECT},
        {BELIEF_STARTS, symbol->constructor >= 0 || symbol->destructor >= 0},
        {BELIEF_SECTION, symbol->section.i != STR_NONE.i},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].is_so) believe(account, rows[i].belief, name);
}

static void believe_registers(Account *account, const Program *program) {
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(program->reserved, reg))
            believe(account, BELIEF_RESERVED, target_register_name(program->target, reg));
}

// The text of a statement, in quotes, and the registers that it destroys.
static void believe_asm(Account *account, const Program *program, const AsmStatement *statement) {
    Out line = {0};
    const char *text = program_text(program, statement->text);
    out_quoted(&line, text, strlen(text));
    out_text(&line, " destroys memory");
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(statement->destroys, reg))
            out_printf(&line, ", %s", target_register_name(program->target, reg));
    believe(account, BELIEF_ASM, arena_text(account->arena, line.text, line.length));
    out_free(&line);
}

bool has_code(const AccountFunction *function) {
    return strcmp(function->ending, "code") == 0;
}

bool has_unused_code(const AccountFunction *function) {
    return strcmp(function->ending, "unused code") == 0;
}

static void on_end(void *context, const Program *program, const Coverage *coverage) {
    Account *account = context;
    account->machine = program->target;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (!coverage->needed[i]) continue;
        const char *name = kept_text(account, program, symbol->name);
        believe_symbol(account, symbol, name);
        // Its target is needed, too, and has code.
        if (symbol->alias.i != NO_ID && symbol->kind == SYM_FUNC)
            vec_push(account->arena, &account->others, name);
    }
    for (uint32_t i = 0; i < account->by_symbol.count; i++) {
        if (!account->by_symbol.at[i] || coverage->needed[i]) continue;
        AccountFunction *function = &account->functions.at[account->by_symbol.at[i] - 1];
        function->ending = has_code(function) ? "unused code" : "none";
    }
    if (account->compared && !account->difference)
        compare(account, object_finish(&account->object, program));
    believe_parts(account);
    believe_registers(account, program);
    for (uint32_t i = 0; i < program->asms.count; i++)
        believe_asm(account, program, &program->asms.at[i]);
    for (uint32_t i = 0; i < program->file_asms.count; i++)
        believe(account, BELIEF_FILE_ASM, kept_text(account, program, program->file_asms.at[i]));
}

ReplayStatus account_replay(Account *account, Diag *diag, bool partial, const char *text,
                            size_t length) {
    Replay replay = {.diag = diag,
                     .partial = partial,
                     .begin = on_begin,
                     .form = on_form,
                     .done = on_done,
                     .end = on_end,
                     .context = account};
    ReplayStatus status = replay_certificate(&replay, account->path, text, length);
    account->claim = replay.claim;
    account->coverage = replay.coverage;
    account->coverage.needed = NULL; // of the program, which is gone
    return status;
}
