// The part of a certificate before its functions: the options that code depends on, types,
// signatures, asm statements, symbols and their data.
#pragma once

#include "cert/form_code.h"

// Reads or writes all of it. Declarations that were read have to be verified (verify_declarations).
void declarations_code(CertCoder *coder);
