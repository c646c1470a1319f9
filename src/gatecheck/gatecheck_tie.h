// Decides which certificates are tied to a file of machine code, and which functions of the file
// they cover.
//
// A certificate is tied to an object if the object's note has its digests. If the certificate was
// made together with an object, and the file is such an object, the bytes of the file must also
// have the digest in the certificate. The replay of the certificate compared the code and data of
// such an object with the certificate (elf/object_file.h). In a linked program, a library or the
// output of "ld -r", bytes have moved: there only the note can be compared.
//
// A function of the file is covered if tied certificates have code for its name, and for as many
// functions of that name as the file has. Two objects may have static functions of one name; if one
// of the two has no certificate, neither is covered.
#pragma once

#include "gatecheck/gatecheck_account.h"

// Ties valid certificates to a file. NULL, or what is wrong.
const char *target_tie(CodeFile *target, const Account *accounts, uint32_t count);
