// The steps of passes.def, and whether they stand in an order that makes sense.
#include "pipeline/steps.h"

#include <stdio.h>
#include <string.h>

// ---- Passes and steps

PassId pass_named(const char *name) {
    PassId pass = 0;
    while (pass < PASS_COUNT && strcmp(pass_table[pass].name, name) != 0) pass++;
    return pass;
}

static const Step steps[] = {
#define LEVEL_0                 0
#define LEVEL_1                 1
#define LEVEL_2                 2
#define STEP(lowest, name, why) {.pass = PASS_##name, .level = LEVEL_##lowest, .reason = why},
#include "check/passes.def"
};

// Every pass has a step: the compiler names the one that has none.
#define STEP(lowest, name, why) extern const char a_STEP_row_for_##name;
#include "check/passes.def"
#define PASS(name, ...) _Static_assert(sizeof a_STEP_row_for_##name, #name);
#include "check/passes.def"

const FinishInfo finish_info = {.name = "emit", .from = FORM_MACH, .meaning = "assembler text"};

const uint32_t step_count = sizeof steps / sizeof steps[0];

PassId step_pass(uint32_t step) {
    return steps[step].pass;
}

uint32_t step_first(PassId pass) {
    uint32_t step = 0;
    while (steps[step].pass != pass) step++;
    return step;
}

uint32_t step_level(uint32_t step) {
    return steps[step].level;
}

Step step_at(uint32_t step) {
    Step result = steps[step];
    result.run = 1;
    for (uint32_t i = 0; i < step; i++) result.run += steps[i].pass == result.pass;
    return result;
}

const char *step_name(Arena *arena, uint32_t step) {
    Step info = step_at(step);
    const char *name = pass_table[info.pass].name;
    return info.run == 1 ? name : arena_printf(arena, "%s.%u", name, info.run);
}

uint32_t step_named(const char *name) {
    const char *dot = strchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    for (uint32_t i = 0; i < step_count; i++) {
        Step step = step_at(i);
        const char *pass = pass_table[step.pass].name;
        char run[16];
        snprintf(run, sizeof run, "%u", step.run);
        if (strlen(pass) == length && memcmp(pass, name, length) == 0 &&
            strcmp(dot ? dot + 1 : "1", run) == 0)
            return i;
    }
    return step_count;
}

// ---- The order of steps

const Excursion *excursion_around(PassId pass) {
    if (!pass_is_inner(pass) && !pass_is_stepped(pass)) return NULL;
    uint32_t step = step_first(pass);
    while (!excursion_entered_by(steps[step].pass)) step--;
    return excursion_entered_by(steps[step].pass);
}

static bool leads_back(const Excursion *excursion) {
    const PassInfo *in = &pass_table[excursion->way_in], *out = &pass_table[excursion->way_out];
    bool away = in->from != in->to || (excursion->as_one && pass_is_stepped(excursion->way_in));
    return away && in->from == out->to && in->to == out->from;
}

// Whether passes that are not checked make forms that nobody takes for checked, and nothing else
// takes these.
static bool is_apart(PassId pass, bool out) {
    bool inner = pass_is_inner(pass);
    return inner == form_is_inner(pass_table[pass].to) &&
           (inner || out || !form_is_inner(pass_table[pass].from));
}

// Whether every excursion leads back, and steps that are not checked one by one stand between the
// way in and the way out of one that is checked as one, which is not over before.
static bool excursions_consistent(const char **reason) {
    const Excursion *inside = NULL;
    for (uint32_t i = 0; i < excursion_count; i++) {
        *reason = pass_table[excursion_table[i].way_out].name;
        if (!leads_back(&excursion_table[i])) return false;
    }
    for (uint32_t i = 0; i < step_count; i++) {
        PassId pass = steps[i].pass;
        const Excursion *entered = excursion_entered_by(pass), *left = excursion_left_by(pass);
        *reason = pass_table[pass].name;
        if (entered && inside) return false;
        if (entered) inside = entered;
        bool in = inside && pass != inside->way_out,
             stepped = in && pass_is_stepped(inside->way_in);
        if (pass_is_inner(pass) != (in && !stepped) || pass_is_stepped(pass) != stepped)
            return false;
        if (left && left->as_one && left != inside) return false;
        if (!is_apart(pass, left && left->as_one)) return false;
        if (left && left == inside) inside = NULL;
    }
    return !inside;
}

bool pipeline_consistent(const char **reason) {
    uint32_t properties = PROPERTY_NOTHING;
    Form form = FORM_FIRST;
    uint64_t left = 0; // forms that steps have led away from, as bits
    if (!excursions_consistent(reason)) return false;
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        if (steps[i].level == LEVEL_REQUEST && info->from == info->to) continue;
        if (info->from != form || (info->needs & ~properties) != 0) {
            *reason = info->name;
            return false;
        }
        bool back = (left >> info->to & 1) && info->to != form;
        if (back && !excursion_left_by(steps[i].pass)) {
            *reason = info->name;
            return false;
        }
        left |= (uint64_t)1 << form;
        form = info->to;
        properties = (properties & info->keeps) | info->gives;
    }
    *reason = finish_info.name;
    return form == finish_info.from;
}

void excursion_switch_on(uint32_t step, bool *on, const bool *off) {
    PassId at = steps[step].pass;
    if (!pass_is_inner(at) && !(pass_leads_out(at) && pass_is_inner(excursion_left_by(at)->way_in)))
        return;
    while (!excursion_entered_by(steps[step].pass)) step--;
    do {
        PassId pass = steps[step].pass;
        on[pass] |= !off[pass];
    } while (pass_is_inner(steps[step++].pass));
}
