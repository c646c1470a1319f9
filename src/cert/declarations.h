// What stands before the functions of a certificate: what code goes by, types, signatures, asm
// statements, symbols and their data.
#pragma once

#include "cert/form_code.h"

// Reads or writes all of it. What was read is to be verified (verify_declarations).
void declarations_code(CertCoder *coder);
