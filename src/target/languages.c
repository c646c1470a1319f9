// The machines that C is compiled for, by their records.
#include "target/language.h"

extern const TargetLanguage x64_language;

const TargetLanguage *default_language(void) {
    return &x64_language;
}
