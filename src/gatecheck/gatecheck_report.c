#include "gatecheck/gatecheck_report.h"

#include "base/version.h"
#include "form/forms.h"
#include "gatecheck/gatecheck_tree.h"
#include "target/model.h"

#include <string.h>

#define FRONT_END "the front end: the rtl is what the source means"
#define ASSEMBLER "the assembly: the bytes are what the machine code means"

// ---- The four lines

static void counted(Out *out, uint64_t count, const char *one) {
    out_printf(out, "%llu %s%s", (unsigned long long)count, one, count == 1 ? "" : "s");
}

static Coverage all_coverage(const Verdicts *v, uint64_t *steps) {
    Coverage all = {0};
    *steps = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const Coverage *one = &v->accounts[i].coverage;
        *steps += v->accounts[i].steps;
        all.functions += one->functions;
        all.allocated += one->allocated;
        all.dropped += one->dropped;
        for (uint32_t form = 0; form < FORM_COUNT; form++) all.other[form] += one->other[form];
    }
    return all;
}

static void line_shown(Out *out, const Verdicts *v) {
    uint64_t steps;
    Coverage all = all_coverage(v, &steps);
    out_text(out, "shown: ");
    if (all.functions) {
        counted(out, all.allocated, "function");
        if (v->count > 1) out_printf(out, " of %u certificates", v->count);
        out_text(out, " from rtl to allocated machine code, ");
        counted(out, steps, "step");
    } else {
        out_text(out, "nothing, as no function is defined");
    }
    if (all.dropped) out_text(out, "; ");
    if (all.dropped) counted(out, all.dropped, "other");
    if (all.dropped) out_text(out, " not needed");
    for (uint32_t form = 0; form < FORM_COUNT; form++) {
        if (!all.other[form]) continue;
        out_text(out, "; ");
        counted(out, all.other[form], "other");
        out_printf(out, " needed that ended as %s", form_name((Form)form));
    }
    out_char(out, '\n');
}

static const char *tie_text(const CodeFile *target) {
    return target->compared ? "bytes compared" : "by note only, bytes not compared";
}

static void print_compared(Out *out, const Verdicts *v) {
    uint64_t code = 0, data = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        code += v->accounts[i].object.bytes;
        data += v->accounts[i].object.data;
    }
    out_printf(out, ", %llu of code", (unsigned long long)code);
    if (data) out_text(out, " and ");
    if (data) counted(out, data, "data object");
}

static void line_bytes(Out *out, const Verdicts *v) {
    const CodeFile *target = v->target;
    if (!target) {
        out_text(out, "bytes: none, as no object was given\n");
        return;
    }
    out_printf(out, "bytes: %u of ", target->covered);
    counted(out, target->functions.count, "function");
    out_printf(out, " of %s covered; %s", target->path, tie_text(target));
    if (target->compared) print_compared(out, v);
    if (target->unnamed) out_text(out, "; some functions have no names in it and are not counted");
    if (target->other_notes) {
        out_text(out, "; ");
        counted(out, target->other_notes, "note");
        out_text(out, " of certificates that were not given");
    }
    if (target->strangers) {
        out_text(out, "; ");
        counted(out, target->strangers, "member");
        out_text(out, " of no certificate");
    }
    out_char(out, '\n');
}

// Whether the bytes of the file are known to be what the certificates say.
static bool are_compared(const Verdicts *v) {
    return v->target && v->target->compared;
}

static void line_assumed(Out *out, const Verdicts *v) {
    out_text(out, "assumed: " FRONT_END);
    if (!are_compared(v)) out_text(out, "; " ASSEMBLER);
    const char *before = "; ";
    for (uint32_t belief = 0; belief < BELIEF_COUNT; belief++) {
        uint64_t count = 0;
        for (uint32_t i = 0; i < v->count; i++) count += v->accounts[i].beliefs[belief].count;
        if (!count) continue;
        const BeliefInfo *info = &belief_table[belief];
        out_printf(out, "%s%llu %s", before, (unsigned long long)count,
                   count == 1 ? info->one : info->many);
        before = ", ";
    }
    out_char(out, '\n');
}

// Each machine once, whose model gatecheck has gone by.
static void line_machine(Out *out, const Verdicts *v) {
    const char *before = "machine: ";
    for (uint32_t target = 0; target < TARGET_COUNT; target++) {
        const TargetModel *model = target_models[target];
        bool used = false;
        for (uint32_t i = 0; i < v->count; i++) used |= v->accounts[i].machine == model;
        if (!used) continue;
        out_printf(out, "%s%s (%s)", before, model->name, model->title);
        before = ", ";
    }
    out_char(out, '\n');
}

void report_lines(Out *out, const Verdicts *v) {
    line_shown(out, v);
    line_bytes(out, v);
    line_assumed(out, v);
    line_machine(out, v);
}

// ---- Names

static const char *const digest_names[DIGEST_KINDS] = {"certificate", "source", "options",
                                                       "compiler", "object"};

static DigestText claim_digest(const CertificateClaim *claim, uint32_t kind) {
    bool none = (kind == DIGEST_SOURCE && !claim->has_source) ||
                (kind == DIGEST_OBJECT && !claim->has_object);
    return none ? (DigestText){"none"} : digest_text(&claim->digests[kind]);
}

static void name_line(Out *out, const char *what, const char *name) {
    out_printf(out, "%s: ", what);
    out_shown(out, name, strlen(name));
    out_char(out, '\n');
}

void report_names(Out *out, const Verdicts *v) {
    for (uint32_t i = 0; i < v->count; i++) {
        const Account *account = &v->accounts[i];
        for (uint32_t kind = 0; kind < DIGEST_KINDS; kind++)
            out_printf(out, "digest of %s: %s\n", digest_names[kind],
                       claim_digest(&account->claim, kind).text);
        for (uint32_t k = 0; k < account->functions.count; k++)
            if (!has_code(&account->functions.at[k]))
                name_line(out,
                          has_unused_code(&account->functions.at[k]) ? "unused code"
                                                                     : "without code",
                          account->functions.at[k].name);
        for (uint32_t belief = 0; belief < BELIEF_COUNT; belief++)
            for (uint32_t k = 0; k < account->beliefs[belief].count; k++)
                name_line(out, belief_table[belief].one, account->beliefs[belief].at[k]);
    }
    for (uint32_t i = 0; v->target && i < v->target->functions.count; i++)
        if (!v->target->functions.at[i].certificate)
            name_line(out, "not covered", v->target->functions.at[i].name);
}

// ---- The report

static void add_digests(Arena *arena, Tree *parent, const CertificateClaim *claim) {
    Tree *digests = tree_group(arena, parent, "digests");
    for (uint32_t kind = 0; kind < DIGEST_KINDS; kind++) {
        DigestText digits = claim_digest(claim, kind);
        tree_string(arena, digests, digest_names[kind],
                    arena_text(arena, digits.text, strlen(digits.text)));
    }
}

static void add_functions(Arena *arena, Tree *parent, const Account *account) {
    Tree *functions = tree_list(arena, parent, "functions");
    for (uint32_t i = 0; i < account->functions.count; i++) {
        const AccountFunction *function = &account->functions.at[i];
        Tree *row = tree_group(arena, functions, NULL);
        tree_string(arena, row, "name", function->name);
        tree_string(arena, row, "ending", function->ending);
        tree_number(arena, row, "nodes", function->from);
        tree_number(arena, row, "size", function->to);
        tree_string(arena, row, "unit", function->unit);
        Tree *steps = tree_list(arena, row, "steps");
        for (uint32_t k = 0; k < function->steps.count; k++)
            tree_string(arena, steps, NULL, function->steps.at[k]);
    }
}

static void add_beliefs(Arena *arena, Tree *parent, const Account *account) {
    Tree *beliefs = tree_list(arena, parent, "assumed");
    for (uint32_t belief = 0; belief < BELIEF_COUNT; belief++) {
        const AccountNames *names = &account->beliefs[belief];
        if (!names->count) continue;
        Tree *row = tree_group(arena, beliefs, NULL);
        tree_string(arena, row, "kind", belief_table[belief].one);
        tree_string(arena, row, "meaning", belief_table[belief].meaning);
        Tree *list = tree_list(arena, row, "names");
        for (uint32_t k = 0; k < names->count; k++) tree_string(arena, list, NULL, names->at[k]);
    }
}

static void add_certificate(Arena *arena, Tree *parent, const Account *account) {
    const CertificateClaim *claim = &account->claim;
    Tree *certificate = tree_group(arena, parent, NULL);
    tree_string(arena, certificate, "file", account->path);
    tree_text(arena, certificate, "source", claim->source.at, claim->source.length);
    tree_text(arena, certificate, "options", claim->options.at, claim->options.length);
    tree_text(arena, certificate, "compiler", claim->compiler.at, claim->compiler.length);
    tree_string(arena, certificate, "machine", account->machine->name);
    tree_number(arena, certificate, "steps", account->steps);
    add_digests(arena, certificate, claim);
    add_functions(arena, certificate, account);
    add_beliefs(arena, certificate, account);
}

static void add_target(Arena *arena, Tree *parent, const CodeFile *target) {
    Tree *object = tree_group(arena, parent, "object");
    tree_string(arena, object, "file", target->path);
    tree_string(arena, object, "kind", target->kind);
    tree_string(arena, object, "tie", tie_text(target));
    tree_truth(arena, object, "named", !target->unnamed);
    tree_number(arena, object, "covered", target->covered);
    tree_number(arena, object, "not covered", target->functions.count - target->covered);
    tree_number(arena, object, "notes of other certificates", target->other_notes);
    tree_number(arena, object, "members of no certificate", target->strangers);
    Tree *functions = tree_list(arena, object, "functions");
    for (uint32_t i = 0; i < target->functions.count; i++) {
        const CodeFunction *function = &target->functions.at[i];
        Tree *row = tree_group(arena, functions, NULL);
        tree_string(arena, row, "name", function->name);
        tree_truth(arena, row, "covered", function->certificate != NULL);
        tree_string(arena, row, "certificate", function->certificate ? function->certificate : "");
    }
}

static void add_trusted(Arena *arena, Tree *parent) {
    Tree *trusted = tree_group(arena, parent, "trusted");
    uint64_t lines = 0, code = 0;
    Tree *files = tree_list(arena, NULL, "files");
    for (const TrustedFile *file = trusted_files; file->name; file++) {
        Tree *row = tree_group(arena, files, NULL);
        tree_string(arena, row, "file", file->name);
        tree_number(arena, row, "lines", file->lines);
        tree_number(arena, row, "lines of code", file->code);
        lines += file->lines;
        code += file->code;
    }
    tree_number(arena, trusted, "lines", lines);
    tree_number(arena, trusted, "lines of code", code);
    trusted->last = trusted->last->next = files;
}

void report_page(Out *out, const Verdicts *v, bool html) {
    Arena *arena = v->arena;
    Tree *page = tree_group(arena, NULL, NULL);
    Out lines = {0};
    report_lines(&lines, v);
    out_char(&lines, '\0');
    tree_string(arena, page, "checked by", "gatecheck " GATECC_VERSION);
    tree_truth(arena, page, "valid", true);
    Tree *claim = tree_list(arena, page, "claim");
    for (size_t at = 0, end; lines.text[at]; at = end + 1) {
        end = at + strcspn(lines.text + at, "\n");
        tree_text(arena, claim, NULL, arena_text(arena, lines.text + at, end - at), end - at);
    }
    out_free(&lines);
    Tree *believed = tree_list(arena, page, "assumed");
    tree_string(arena, believed, NULL, FRONT_END);
    if (!are_compared(v)) tree_string(arena, believed, NULL, ASSEMBLER);
    tree_string(
        arena, believed, NULL,
        "gatecheck itself: the files under \"trusted\", and what they were compiled and run with");
    Tree *certificates = tree_list(arena, page, "certificates");
    for (uint32_t i = 0; i < v->count; i++) add_certificate(arena, certificates, &v->accounts[i]);
    if (v->target) add_target(arena, page, v->target);
    add_trusted(arena, page);
    if (html)
        tree_print_html(out, page, "What gatecheck has shown");
    else
        tree_print_json(out, page);
}
