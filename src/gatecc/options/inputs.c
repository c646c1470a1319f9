#include "gatecc/options/inputs.h"

#include <string.h>

static const struct {
    const char *ending;
    Language language;
} endings[] = {
    {".c", LANGUAGE_C},        {".i", LANGUAGE_PREPROCESSED}, {".h", LANGUAGE_HEADER},
    {".s", LANGUAGE_ASSEMBLY}, {".S", LANGUAGE_ASSEMBLY_CPP}, {".sx", LANGUAGE_ASSEMBLY_CPP},
    {".cc", LANGUAGE_OTHER},   {".cp", LANGUAGE_OTHER},       {".cxx", LANGUAGE_OTHER},
    {".cpp", LANGUAGE_OTHER},  {".CPP", LANGUAGE_OTHER},      {".c++", LANGUAGE_OTHER},
    {".C", LANGUAGE_OTHER},    {".ii", LANGUAGE_OTHER},       {".hh", LANGUAGE_OTHER},
    {".hpp", LANGUAGE_OTHER},  {".m", LANGUAGE_OTHER},        {".mm", LANGUAGE_OTHER},
    {".f", LANGUAGE_OTHER},    {".for", LANGUAGE_OTHER},      {".f90", LANGUAGE_OTHER},
    {".F", LANGUAGE_OTHER},    {".F90", LANGUAGE_OTHER},      {".go", LANGUAGE_OTHER},
    {".d", LANGUAGE_OTHER},    {".adb", LANGUAGE_OTHER},      {".ads", LANGUAGE_OTHER},
};

static const struct {
    const char *name;
    Language language;
} names[] = {
    {"c", LANGUAGE_C},
    {"cpp-output", LANGUAGE_PREPROCESSED},
    {"c-header", LANGUAGE_HEADER},
    {"assembler", LANGUAGE_ASSEMBLY},
    {"assembler-with-cpp", LANGUAGE_ASSEMBLY_CPP},
};

bool language_is_known(const char *name) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0) return true;
    return false;
}

Language language_of(const char *path, const char *named) {
    for (size_t i = 0; named && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, named) == 0) return names[i].language;
    if (strcmp(path, "-") == 0) return LANGUAGE_C;
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(endings[i].ending, dot) == 0) return endings[i].language;
    return LANGUAGE_OBJECT;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_with_ending(Arena *arena, const char *path, const char *ending) {
    const char *dot = strrchr(last_part(path), '.');
    size_t length = dot && dot > last_part(path) ? (size_t)(dot - path) : strlen(path);
    return arena_printf(arena, "%.*s%s", (int)length, path, ending);
}

const char *name_with_ending(Arena *arena, const char *path, const char *ending) {
    return path_with_ending(arena, last_part(path), ending);
}

const char *kept_path(Arena *arena, const GateccOptions *options, const char *input,
                      const char *ending) {
    const char *output = options->output;
    if (output && options->kept_here) output = last_part(output);
    const char *program = output ? path_with_ending(arena, output, "") : "";
    bool same = strcmp(last_part(program), name_with_ending(arena, input, "")) == 0;
    if (options->mode == MODE_LINK && !same)
        return arena_printf(arena, "%s-%s", output ? path_with_ending(arena, output, "") : "a",
                            name_with_ending(arena, input, ending));
    bool named = output && strcmp(output, "-") != 0;
    return named ? path_with_ending(arena, output, ending) : name_with_ending(arena, input, ending);
}
